// SPDX-License-Identifier: Apache-2.0
//
// Names and fields → statements that put them.
#include <algorithm>

#include "isa/generate/pack_writer.h"
#include "isa/model/rules.h"

namespace vireo::isa::generate {
// A user's `s` and `w` are not in sight there, and the same condition is one function however many leaves ask it.
std::string PackWriter::condition_function(const std::string& text) {
  return writer_.define(
      'c', "inline bool",
      "(@State* s, @Word w) {\n  (void)s;\n  (void)w;\n  return @value" + in_parentheses(text) + " != 0;\n}");
}

// A name that, while a condition is asked, is what the condition's own override says it is.
bool PackWriter::is_on_trial(const StaticScope& scope, NameId name, ExpressionId condition) const {
  for (const Candidate& candidate : scopes_.resolve(scope, name, condition)) {
    if (candidate.field == nullptr || candidate.scope != &scope || candidate.condition) continue;
    const Case& owner = model_[candidate.field->owner];
    return !owner.is_default() && owner.condition == condition;
  }
  return false;
}

// Asks once in a block; what was asked before it is still true behind it, since bits that have a value keep it.
std::string PackWriter::asked(const StaticScope& scope, ExpressionId condition, Block& block) {
  if (const auto known = block.known.find(condition.raw); known != block.known.end()) return known->second;
  const Condition text = condition_of(scope, condition);
  if (text.is_always()) return "true";
  // In a circle it counts as 0, as it does for a decoder.
  if (text.is_never() || !being_asked_.insert(condition.raw).second) return "false";

  std::vector<NameId> on_trial;
  for (const NameId name : model_.slots(model_[condition])) {
    if (is_on_trial(scope, name, condition)) on_trial.push_back(name);
    else put_name(scope, name, ExpressionId::none(), block);
  }
  const std::string number = std::to_string(++variables_);
  const Block before = block;
  if (!on_trial.empty()) block.text += "const @Packing t" + number + "_ = *k_;\n";
  for (const NameId name : on_trial) put_name(scope, name, condition, block);
  block.text += "const bool h" + number + "_ = " + condition_function(text.text) + "(&k_->state, @now(k_));";
  block.text += " /* " + expression_comment(model_[condition].text) + " */\n";
  if (!on_trial.empty()) {
    block.text += "if (!h" + number + "_) *k_ = t" + number + "_;\n";
    // What was found out on trial may not be so without it.
    block.done = before.done;
    block.known = before.known;
  }
  being_asked_.erase(condition.raw);
  return block.known[condition.raw] = "h" + number + "_";
}

// Names that were put are not put again, which is also what ends a search that has come round in a circle.
void PackWriter::put_name(const StaticScope& scope, NameId name, ExpressionId innermost, Block& block) {
  if (!block.done.emplace(name.raw, innermost.raw).second) return;
  put_candidates(scope, scopes_.resolve(scope, name, innermost), 0, block);
}

// Definitions in several cases often differ in what they hand on, and in nothing that is put.
void PackWriter::put_either(const std::string& holds, const Block& yes, const Block& no, Block& block) {
  if (yes.text == no.text) {
    block.text += yes.text;
    return;
  }
  if (!yes.text.empty()) block.text += "if (" + holds + ") {\n" + indented(yes.text) + "}\n";
  if (!no.text.empty()) block.text += "if (!" + holds + ") {\n" + indented(no.text) + "}\n";
}

// What lies in a scope around this one was put before this one was opened.
void PackWriter::put_candidates(const StaticScope& scope, const std::vector<Candidate>& candidates, std::size_t at,
                                Block& block) {
  for (; at < candidates.size(); ++at) {
    const Candidate& candidate = candidates[at];
    if (candidate.scope != &scope) return;
    if (candidate.field == nullptr) continue;
    const std::string holds = candidate.condition ? asked(scope, candidate.condition, block) : "true";
    if (holds == "false") continue;
    if (holds == "true") {
      put_field(scope, *candidate.field, block);
      return;
    }
    Block yes = block.branch();
    yes.known[candidate.condition.raw] = "true";
    put_field(scope, *candidate.field, yes);
    Block no = block.branch();
    no.known[candidate.condition.raw] = "false";
    put_candidates(scope, candidates, at + 1, no);
    put_either(holds, yes, no, block);
    return;
  }
}

// Of a derived field its parts are put; its value follows from them.
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

// Said once for a field, however many instructions show it.
void PackWriter::miss(const StaticScope& scope, const Field& field, Block& block) {
  const std::string name(model_.text(field.name));
  block.text += "/* " + comment_text(name) + " has no map: its bits are 0 */\n";
  const std::string where(model_.text(model_[model_[field.owner].owner].name));
  if (!missed_.insert(where + '\0' + name).second) return;
  diagnostics_.warning(rule::no_map, Location::none(),
                       "field '" + name + "' of '" + where + "' is needed by the display of '" +
                           std::string(model_.text(scope.leaf->name)) + "' and has no map; its bits are 0");
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
  std::vector<std::string> members;
  for (const Param& param : model_.params(field)) {
    put_name(scope, param.outer, ExpressionId::none(), block);
    const std::string inner(model_.text(param.inner));
    if (maps_.params().count(inner) != 0) members.push_back(inner + " = " + param_text(scope, param) + ";\n");
  }
  const std::string function = choice_function(root, &scope, &field, scope.low + field.low);
  std::string params = "p";
  if (!members.empty()) {
    params = "q" + std::to_string(++variables_) + "_";
    block.text += "@Params " + params + " = *p;\n";
    for (const std::string& member : members) block.text.append(params).append(".").append(member);
    params.insert(0, "&");
  }
  block.text += function + "(k_, s, " + params + ", " + Maps::expression(map) + ");\n";
}

}  // namespace vireo::isa::generate
