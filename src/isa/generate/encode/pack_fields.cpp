// SPDX-License-Identifier: Apache-2.0
//
// Generates the statements that put names and fields.
#include <algorithm>
#include <utility>

#include "isa/generate/encode/pack_writer.h"
#include "isa/model/rules.h"

namespace vireo::isa::generate {

// The loop visits one block per nesting level of branches.
bool PackWriter::Block::is_done(const std::pair<std::uint32_t, std::uint32_t>& name) const {
  for (const Block* block = this; block != nullptr; block = block->around) {
    if (block->done.count(name) != 0) return true;
  }
  return false;
}

// The innermost entry applies, because a variable of an outer block may be constant within a branch.
const std::string* PackWriter::Block::find(ExpressionId condition) const {
  for (const Block* block = this; block != nullptr; block = block->around) {
    if (const auto entry = block->known.find(condition.raw); entry != block->known.end()) return &entry->second;
  }
  return nullptr;
}

std::size_t PackWriter::Ladder::add(ExpressionId condition, std::string holds, std::string taken) {
  // The condition of the first rung is computed in the block itself.
  std::string setup = rungs_.empty() ? std::string() : std::exchange(rest_.text, {});
  const std::size_t bytes = setup.size() + holds.size() + taken.size();
  rungs_.push_back({std::move(setup), std::move(holds), std::move(taken)});
  rest_.known[condition.raw] = "false";
  return bytes;
}

// Definitions in several cases often generate the same code. Rungs at the end with the same code as the final `else`
// are merged with it. A single rung becomes up to two `if` statements; an empty branch is omitted. Several rungs become
// a `do` block, which each of them leaves by `break`.
void PackWriter::Ladder::finish() {
  std::string last = std::move(rest_.text);
  while (!rungs_.empty() && rungs_.back().taken == last) {
    last.insert(0, rungs_.back().setup);
    rungs_.pop_back();
  }
  if (rungs_.empty()) {
    block_.text += last;
  } else if (rungs_.size() == 1) {
    const auto& [setup, holds, taken] = rungs_.front();
    if (!taken.empty()) block_.text += "if (" + holds + ") {\n" + indented(taken) + "}\n";
    if (!last.empty()) block_.text += "if (!" + holds + ") {\n" + indented(last) + "}\n";
  } else {
    std::string body;
    for (const auto& [setup, holds, taken] : rungs_) {
      body += setup + "if (" + holds + ") ";
      body += taken.empty() ? "break;\n" : "{\n" + indented(taken) + "  break;\n}\n";
    }
    block_.text += "do {\n" + indented(body) + indented(last) + "} while (0);\n";
  }
}
// A condition is a function of its own, so its `s` and `w` are not those of the user. All leaves with the same
// condition share it.
std::string PackWriter::condition_function(const std::string& text) {
  return writer_.define(
      'c', "inline bool",
      "(@State* s, @Word w) {\n  (void)s;\n  (void)w;\n  return @value" + in_parentheses(text) + " != 0;\n}");
}

// Whether the condition of an override reads a name that the same override defines. Such a candidate has no condition,
// because resolve() assumes that the override holds, so its owner identifies it.
bool PackWriter::is_tentative(const StaticScope& scope, NameId name, ExpressionId condition) const {
  for (const Candidate& candidate : scopes_.resolve(scope, name, condition)) {
    if (candidate.field == nullptr || candidate.scope != &scope || candidate.condition) continue;
    const Case& owner = model_[candidate.field->owner];
    return !owner.is_default() && owner.condition == condition;
  }
  return false;
}

// Evaluates a condition once per block. The result stays valid, because bits that have a value keep it. All fields that
// the condition reads are put first; otherwise it would read zeros.
std::string PackWriter::condition_value(const StaticScope& scope, ExpressionId condition, Block& block) {
  if (const std::string* known = block.find(condition)) return *known;
  const Condition text = condition_of(scope, condition);
  if (text.is_always()) return "true";
  // A condition in a cycle counts as 0, as in a decoder.
  if (text.is_never() || !evaluating_.insert(condition.raw).second) return "false";

  std::vector<NameId> tentative_names;
  for (const NameId name : model_.slots(model_[condition])) {
    if (is_tentative(scope, name, condition)) tentative_names.push_back(name);
    else put_name(scope, name, ExpressionId::none(), block);
  }
  const std::string number = std::to_string(++variables_) + "_";
  // Saves the whole state, including faults. If the condition does not hold, the state is restored. The tentative block
  // is a branch, because its facts may not hold after it.
  if (!tentative_names.empty()) block.text += "const @Packing @t" + number + " = *k_;\n";
  Block tentative = block.branch();
  for (const NameId name : tentative_names) put_name(scope, name, condition, tentative);
  block.text += tentative.text;
  block.text += "const bool @h" + number + " = " + condition_function(text.text) + "(&k_->state, @now(k_));";
  block.text += " /* " + expression_comment(model_[condition].text) + " */\n";
  if (!tentative_names.empty()) block.text += "if (!@h" + number + ") *k_ = @t" + number + ";\n";
  evaluating_.erase(condition.raw);
  return block.known[condition.raw] = "@h" + number;
}

// A name is put only once, which also ends cycles. The innermost expression is part of the key, because it changes the
// meaning of the name.
void PackWriter::put_name(const StaticScope& scope, NameId name, ExpressionId innermost, Block& block) {
  const std::pair<std::uint32_t, std::uint32_t> key(name.raw, innermost.raw);
  if (block.is_done(key)) return;
  block.done.insert(key);
  Ladder ladder(block);
  put_candidates(scope, scopes_.resolve(scope, name, innermost), ladder);
  ladder.finish();
}

// Fields of outer scopes were put before this scope was opened. The definitions of a name become an if-else chain: the
// word determines the definition that applies, and the structure provides the value.
void PackWriter::put_candidates(const StaticScope& scope, const std::vector<Candidate>& candidates, Ladder& ladder) {
  for (const Candidate& candidate : candidates) {
    if (candidate.scope != &scope || facts_.is_too_large) return;
    if (candidate.field == nullptr) continue;
    const std::string holds = candidate.condition ? condition_value(scope, candidate.condition, ladder.here()) : "true";
    if (holds == "false") continue;
    if (holds == "true") return put_field(scope, *candidate.field, ladder.here());
    // A name that is put in a branch does not count as put after it. It may be put again, with the same value.
    Block yes = ladder.here().branch();
    yes.known[candidate.condition.raw] = "true";
    put_field(scope, *candidate.field, yes);
    add_rung(ladder, candidate.condition, holds, std::move(yes));
  }
}

// Displays and definitions multiply, so the size is limited before the code is added to the program.
void PackWriter::add_rung(Ladder& ladder, ExpressionId condition, std::string holds, Block taken) {
  branch_bytes_ += ladder.add(condition, std::move(holds), std::move(taken.text));
  if (branch_bytes_ > max_output_bytes || writer_.is_full()) facts_.is_too_large = true;
}

// For a derived field, puts its parts, which determine its value. If a bitset has no user structure, its map yields a
// number.
void PackWriter::put_field(const StaticScope& scope, const Field& field, Block& block) {
  if (field.is_derived()) {
    for (const NameId name : model_.slots(model_[field.expression])) put_name(scope, name, ExpressionId::none(), block);
    return;
  }
  const EncodeMap* map = maps_.find(*scope.leaf, field.name);
  if (map == nullptr) report_missing_map(scope, field, block);
  else if (field.type == FieldType::Bitset && Maps::has_type(model_[field.bitset]))
    put_bitset(scope, field, *map, block);
  else put_number(scope, field, *map, block);
}

// The report is a warning, because zero bits may be intended.
void PackWriter::report_missing_map(const StaticScope& scope, const Field& field, Block& block) {
  const std::string_view name = model_.text(field.name);
  block.text += "/* " + comment_text(name) + " has no map: its bits are 0 */\n";
  missing_maps_.report(name, model_.text(model_[model_[field.owner].owner].name), model_.text(scope.leaf->name));
}

void MissingMaps::report(std::string_view field, std::string_view owner, std::string_view shown) {
  if (!reported_.emplace(owner, field).second) return;
  diagnostics_.warning(rule::no_map, Location::none(),
                       "field '" + std::string(field) + "' of '" + std::string(owner) +
                           "' is needed by the display of '" + std::string(shown) + "' and has no map; its bits are 0");
}

// Whether only expressions read a signed field, and no signed derived field depends on it. Expressions read its bits as
// unsigned, so the field then accepts unsigned values too. If a signed derived field depends on it, it is signed: 2048
// is not a signed 12-bit offset.
bool PackWriter::is_part_only(const StaticScope& scope, const Field& field) const {
  for (const SeenCase& seen : scope.cases) {
    for (const Segment& segment : model_.segments(*seen.row)) {
      if (segment.kind == Segment::Kind::Field && segment.name == field.name) return false;
    }
    for (const Field& other : model_.fields(*seen.row)) {  // may show the field under another name
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

// The map is evaluated once, because querying its type does not evaluate it.
void PackWriter::put_number(const StaticScope& scope, const Field& field, const EncodeMap& map, Block& block) const {
  const std::string_view kind = !is_signed(field.type)       ? "@plain_number"
                                : is_part_only(scope, field) ? "@part_of_number"
                                                             : "@signed_number";
  block.text += "@NUMBER(" + quoted_literal(scope.leaf->display_name) + ", " + quoted_literal(model_.text(field.name)) +
                ", " + std::to_string(scope.low + field.low) + ", " + std::to_string(field.width) + ", " +
                std::string(kind) + ", " + Maps::expression(map) + ");\n";
}

// The value of a param: the current value of its name or, if the name has no field, the value of its map. The maps of
// the operand read it as `p->NAME`. The operand's conditions read the word instead.
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

// Params are put first, because the operand's conditions may read them.
void PackWriter::put_bitset(const StaticScope& scope, const Field& field, const EncodeMap& map, Block& block) {
  const Bitset& root = model_[field.bitset];
  // Params that no map mentions are put, because conditions may read them, but not computed.
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
    // The params of this field are added to a copy, so params of outer fields stay visible.
    block.text += "@Params " + params + " = *p;\n";
    for (const std::string& member : members) block.text.append(params).append(".").append(member);
    params.insert(0, "&");
  }
  block.text += function + "(k_, s, " + params + ", " + Maps::expression(map) + ");\n";
}

}  // namespace vireo::isa::generate
