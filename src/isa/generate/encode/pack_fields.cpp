// SPDX-License-Identifier: Apache-2.0
//
// Names and fields → statements that put them.
#include <algorithm>
#include <utility>

#include "isa/generate/encode/pack_writer.h"
#include "isa/model/rules.h"

namespace vireo::isa::generate {

// As deep as branches nest, which is as deep as names depend on each other.
bool PackWriter::Block::is_done(const std::pair<std::uint32_t, std::uint32_t>& name) const {
  for (const Block* block = this; block != nullptr; block = block->around) {
    if (block->done.count(name) != 0) return true;
  }
  return false;
}

// The nearest counts: what was a variable may be certain within a branch.
const std::string* PackWriter::Block::find(ExpressionId condition) const {
  for (const Block* block = this; block != nullptr; block = block->around) {
    if (const auto entry = block->known.find(condition.raw); entry != block->known.end()) return &entry->second;
  }
  return nullptr;
}

std::size_t PackWriter::Ladder::add(ExpressionId condition, std::string holds, std::string taken) {
  // What the first one needs was asked in the block itself.
  std::string asked = rungs_.empty() ? std::string() : std::exchange(rest_.text, {});
  const std::size_t bytes = asked.size() + holds.size() + taken.size();
  rungs_.push_back({std::move(asked), std::move(holds), std::move(taken)});
  rest_.known[condition.raw] = "false";
  return bytes;
}

// Definitions in several cases often differ in what they hand on, and in nothing that is put: such cases are one.
// One rung is two `if` and no `else`, for a branch that is empty leaves no trace; several leave a block when they are done.
void PackWriter::Ladder::finish() {
  std::string last = std::move(rest_.text);
  while (!rungs_.empty() && rungs_.back().taken == last) {
    last.insert(0, rungs_.back().asked);
    rungs_.pop_back();
  }
  if (rungs_.empty()) {
    block_.text += last;
  } else if (rungs_.size() == 1) {
    const auto& [asked, holds, taken] = rungs_.front();
    if (!taken.empty()) block_.text += "if (" + holds + ") {\n" + indented(taken) + "}\n";
    if (!last.empty()) block_.text += "if (!" + holds + ") {\n" + indented(last) + "}\n";
  } else {
    std::string body;
    for (const auto& [asked, holds, taken] : rungs_) {
      body += asked + "if (" + holds + ") ";
      body += taken.empty() ? "break;\n" : "{\n" + indented(taken) + "  break;\n}\n";
    }
    block_.text += "do {\n" + indented(body) + indented(last) + "} while (0);\n";
  }
}
// A user's `s` and `w` are not in sight there, and the same condition is one function however many leaves ask it.
std::string PackWriter::condition_function(const std::string& text) {
  return writer_.define(
      'c', "inline bool",
      "(@State* s, @Word w) {\n  (void)s;\n  (void)w;\n  return @value" + in_parentheses(text) + " != 0;\n}");
}

// A name that, while a condition is asked, is what the condition's own override says it is.
// Such a candidate comes without a condition, as resolve() takes the override to hold; its owner tells it from a
// default.
bool PackWriter::is_on_trial(const StaticScope& scope, NameId name, ExpressionId condition) const {
  for (const Candidate& candidate : scopes_.resolve(scope, name, condition)) {
    if (candidate.field == nullptr || candidate.scope != &scope || candidate.condition) continue;
    const Case& owner = model_[candidate.field->owner];
    return !owner.is_default() && owner.condition == condition;
  }
  return false;
}

// Asks once in a block; what was asked before it is still true behind it, since bits that have a value keep it.
// Before a condition is asked, all that it reads has been put: else it would see zeros where values come later.
std::string PackWriter::asked(const StaticScope& scope, ExpressionId condition, Block& block) {
  if (const std::string* known = block.find(condition)) return *known;
  const Condition text = condition_of(scope, condition);
  if (text.is_always()) return "true";
  // In a circle it counts as 0, as it does for a decoder.
  if (text.is_never() || !being_asked_.insert(condition.raw).second) return "false";

  std::vector<NameId> on_trial;
  for (const NameId name : model_.slots(model_[condition])) {
    if (is_on_trial(scope, name, condition)) on_trial.push_back(name);
    else put_name(scope, name, ExpressionId::none(), block);
  }
  const std::string number = std::to_string(++variables_) + "_";
  // The whole state, faults included: a fault on trial is none when the trial fails. Nor does what was found out on
  // trial have to be so without it, hence the branch.
  if (!on_trial.empty()) block.text += "const @Packing @t" + number + " = *k_;\n";
  Block trial = block.branch();
  for (const NameId name : on_trial) put_name(scope, name, condition, trial);
  block.text += trial.text;
  block.text += "const bool @h" + number + " = " + condition_function(text.text) + "(&k_->state, @now(k_));";
  block.text += " /* " + expression_comment(model_[condition].text) + " */\n";
  if (!on_trial.empty()) block.text += "if (!@h" + number + ") *k_ = @t" + number + ";\n";
  being_asked_.erase(condition.raw);
  return block.known[condition.raw] = "@h" + number;
}

// Names that were put are not put again, which is also what ends a search that has come round in a circle.
// The innermost expression is part of the key, for it changes what the name means.
void PackWriter::put_name(const StaticScope& scope, NameId name, ExpressionId innermost, Block& block) {
  const std::pair<std::uint32_t, std::uint32_t> key(name.raw, innermost.raw);
  if (block.is_done(key)) return;
  block.done.insert(key);
  Ladder ladder(block);
  put_candidates(scope, scopes_.resolve(scope, name, innermost), ladder);
  ladder.finish();
}

// What lies in a scope around this one was put before this one was opened.
// The definitions of a name are a ladder. Which rung it is, is asked of the word; what is to be put, of the structure.
void PackWriter::put_candidates(const StaticScope& scope, const std::vector<Candidate>& candidates, Ladder& ladder) {
  for (const Candidate& candidate : candidates) {
    if (candidate.scope != &scope || facts_.is_too_large) return;
    if (candidate.field == nullptr) continue;
    const std::string holds = candidate.condition ? asked(scope, candidate.condition, ladder.here()) : "true";
    if (holds == "false") continue;
    if (holds == "true") return put_field(scope, *candidate.field, ladder.here());
    // What one side has put the other has not, so neither counts as put behind them: it may be put again, and agrees.
    Block yes = ladder.here().branch();
    yes.known[candidate.condition.raw] = "true";
    put_field(scope, *candidate.field, yes);
    add_rung(ladder, candidate.condition, holds, std::move(yes));
  }
}

// Displays times definitions: what multiplies out is bounded here, before it stands in the text of the program.
void PackWriter::add_rung(Ladder& ladder, ExpressionId condition, std::string holds, Block taken) {
  branch_bytes_ += ladder.add(condition, std::move(holds), std::move(taken.text));
  if (branch_bytes_ > max_output_bytes || writer_.is_full()) facts_.is_too_large = true;
}

// Of a derived field its parts are put; its value follows from them.
// A bitset that users have no structure for is a number to them, and so is its map.
void PackWriter::put_field(const StaticScope& scope, const Field& field, Block& block) {
  if (field.is_derived()) {
    for (const NameId name : model_.slots(model_[field.expression])) put_name(scope, name, ExpressionId::none(), block);
    return;
  }
  const EncodeMap* map = maps_.find(*scope.leaf, field.name);
  if (map == nullptr) miss(scope, field, block);
  else if (field.type == FieldType::Bitset && Maps::has_type(model_[field.bitset]))
    put_bitset(scope, field, *map, block);
  else put_number(scope, field, *map, block);
}

// Not an error: zero may well be what is meant. But it should not go unsaid.
void PackWriter::miss(const StaticScope& scope, const Field& field, Block& block) {
  const std::string_view name = model_.text(field.name);
  block.text += "/* " + comment_text(name) + " has no map: its bits are 0 */\n";
  missed_.tell(name, model_.text(model_[model_[field.owner].owner].name), model_.text(scope.leaf->name));
}

void MissedMaps::tell(std::string_view field, std::string_view owner, std::string_view shown) {
  if (!told_.emplace(owner, field).second) return;
  diagnostics_.warning(rule::no_map, Location::none(),
                       "field '" + std::string(field) + "' of '" + std::string(owner) +
                           "' is needed by the display of '" + std::string(shown) + "' and has no map; its bits are 0");
}

// A signed field that no display of the leaf shows is a part of a number, of which expressions see the bits without a sign.
// Where that number has a sign, the part has its sign all the same: 2048 is no offset of 12 bits, whatever its upper four are.
bool PackWriter::is_part_only(const StaticScope& scope, const Field& field) const {
  for (const SeenCase& seen : scope.cases) {
    for (const Segment& segment : model_.segments(*seen.row)) {
      if (segment.kind == Segment::Kind::Field && segment.name == field.name) return false;
    }
    for (const Field& other : model_.fields(*seen.row)) {  // shown under another name, perhaps
      if (other.is_derived() && is_signed(other.type)) {
        const std::span<const NameId> names = model_.slots(model_[other.expression]);
        if (std::find(names.begin(), names.end(), field.name) != names.end()) return false;
      }
      for (const Param& param : model_.params(other)) {
        if (param.outer == field.name) return false;
      }
    }
  }
  return true;
}

// The map is evaluated once; its type is asked for besides, which evaluates nothing.
void PackWriter::put_number(const StaticScope& scope, const Field& field, const EncodeMap& map, Block& block) const {
  const std::string_view kind = !is_signed(field.type)       ? "@plain_number"
                                : is_part_only(scope, field) ? "@part_of_number"
                                                             : "@signed_number";
  block.text += "@NUMBER(" + quoted_literal(scope.leaf->display_name) + ", " + quoted_literal(model_.text(field.name)) +
                ", " + std::to_string(scope.low + field.low) + ", " + std::to_string(field.width) + ", " +
                std::string(kind) + ", " + Maps::expression(map) + ");\n";
}

// The value of a param: what its name is by now, or, where it names no field, what its map says.
// Given to the maps of the operand as `p->NAME`; its conditions ask the word, and need no params of this kind.
std::string PackWriter::param_text(const StaticScope& scope, const Param& param) {
  if (scopes_.resolve(scope, param.outer, ExpressionId::none()).empty()) {
    const EncodeMap* map = maps_.find(*scope.leaf, param.outer);
    return map == nullptr ? "0" : "(int64_t)" + Maps::expression(*map);
  }
  const std::string value = name_value(scope, param.outer, ExpressionId::none());
  return writer_.define('v', "inline int64_t",
                        "(@State* s, @Word w) {\n  (void)s;\n  (void)w;\n  return " + value + ";\n}") +
         "(&k_->state, @now(k_))";
}

// Params have to be there before the operand's conditions ask for them.
void PackWriter::put_bitset(const StaticScope& scope, const Field& field, const EncodeMap& map, Block& block) {
  const Bitset& root = model_[field.bitset];
  // Params that no map mentions are put, as conditions may read them, and not computed.
  std::vector<std::string> members;
  for (const Param& param : model_.params(field)) {
    put_name(scope, param.outer, ExpressionId::none(), block);
    const std::string inner(model_.text(param.inner));
    if (maps_.params().count(inner) != 0) members.push_back(inner + " = " + param_text(scope, param) + ";\n");
  }
  const std::string function = choice_function(root, &scope, &field, scope.low + field.low);
  std::string params = "p";
  if (!members.empty()) {
    params = "@q" + std::to_string(++variables_) + "_";
    // A copy, with what is handed on besides: params of outer fields stay in sight.
    block.text += "@Params " + params + " = *p;\n";
    for (const std::string& member : members) block.text.append(params).append(".").append(member);
    params.insert(0, "&");
  }
  block.text += function + "(k_, s, " + params + ", " + Maps::expression(map) + ");\n";
}

}  // namespace vireo::isa::generate
