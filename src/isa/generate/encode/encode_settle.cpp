// SPDX-License-Identifier: Apache-2.0
//
// The word that came out → what its names mean, and what its asserts want.
#include <algorithm>

#include "isa/generate/encode/encode_writer.h"
#include "isa/generate/encode/pack_writer.h"

namespace vireo::isa::generate {

// A function for each condition: the same condition in fifty instructions is one, and what asks it stays readable.
std::string SettleWriter::holds_text(const std::string& condition) {
  return writer_.define(
             'c', "inline bool",
             "(State* s, Word w) {\n  (void)s;\n  (void)w;\n  return value" + in_parentheses(condition) + " != 0;\n}") +
         "(&k.state, now(&k))";
}

// Names first: asserts may then count on what the word means.
// Settling runs over the word as it stands, `now(&k)`, and never over what was given: so what it finds is what a
// decoder will find in the same word.
std::string SettleWriter::settle(const Bitset& leaf) {
  memos_ = 0;
  const StaticScope& scope = scopes_.open(leaf, nullptr, nullptr, 0);
  std::string text;
  for (const Aspect aspect : {Aspect::Names, Aspect::Asserts}) {
    const std::string function = function_for(scope, aspect);
    if (!function.empty()) text += function + "(k, given);\n";
  }
  write_unclean_functions();
  scopes_.clear();
  return text;
}

// The name of the function; empty where there is nothing to do.
std::string SettleWriter::function_for(const StaticScope& scope, Aspect aspect) {
  // Nested operands multiply as displays do, and are cut off at the same bounds.
  if (scopes_.count() > max_scopes || writer_.is_full()) facts_.is_too_large = true;
  if (facts_.is_too_large) return {};
  std::string text;
  if (aspect == Aspect::Asserts) {
    text = cases_text(scope, 0);
  } else {
    std::vector<NameId> names;
    for (const ShapeMember& member : shapes_[*scope.leaf].members) {
      // Members that are definitions of one name are judged together: at most one of them can hold.
      if (std::find(names.begin(), names.end(), member.field->name) == names.end()) names.push_back(member.field->name);
    }
    for (const NameId name : names) text += name_text(scope, name, aspect);
  }
  if (text.empty()) return {};
  return writer_.define(
      's', "void",
      "(Packing& k, const " + names_.leaf(*scope.leaf) + "& given) {\n  (void)given;\n" + indented(text) + "}",
      std::string(model_.text(scope.leaf->name)) + " at bit " + std::to_string(scope.low));
}

// The ladder of a name's definitions: the first that holds is what the word has.
// What is defined outside of this scope is settled there, and the search ends where it would go on outwards.
std::string SettleWriter::name_text(const StaticScope& scope, NameId name, Aspect aspect) {
  std::vector<std::pair<std::string, std::string>> rungs;  // conditions, and what to do where they hold
  const Field* last = nullptr;
  for (const Candidate& candidate : scopes_.resolve(scope, name, ExpressionId::none())) {
    if (candidate.scope != &scope || candidate.field == nullptr) break;
    const Condition condition = condition_of(scope, candidate.condition);
    if (condition.is_never()) continue;
    if (condition.is_always()) {
      last = candidate.field;
      break;
    }
    rungs.emplace_back(condition.text, definition_text(scope, candidate.field, name, aspect));
  }
  // Built from the innermost `else` outwards. A last rung that does the same as what follows it need not be asked.
  std::string text = definition_text(scope, last, name, aspect);
  while (!rungs.empty() && rungs.back().second == text) rungs.pop_back();  // whichever it is
  for (; !rungs.empty(); rungs.pop_back()) {
    const std::string otherwise = text.empty() ? "\n" : " else {\n" + indented(text) + "}\n";
    text = "if (" + holds_text(rungs.back().first) + ") {\n" + indented(rungs.back().second) + "}" + otherwise;
  }
  return text;
}

// One definition holds, or none does: members that are another one must not be given.
// Members that are not optional cannot be left out, so nothing is to be said of them. Derived values have no bits of
// their own to point at. What does hold, and is a bitset, is settled in turn.
std::string SettleWriter::definition_text(const StaticScope& scope, const Field* field, NameId name, Aspect aspect) {
  const Shape& shape = shapes_[*scope.leaf];
  const ShapeMember* held = field != nullptr ? shape.find(*field) : nullptr;
  std::string text;
  for (const ShapeMember& member : shape.members) {
    if (member.field->name != name || &member == held || !member.is_optional) continue;
    if (aspect != Aspect::Names) continue;
    const std::uint32_t low = member.solution ? 0 : member.field->low;
    const std::uint32_t width = member.solution ? 0 : member.field->width;
    text += "if (given." + member.name + ") wrong_case(k, " + quoted_literal(scope.leaf->display_name) + ", " +
            quoted_literal(model_.text(name)) + ", " + std::to_string(scope.low + low) + ", " + std::to_string(width) +
            ");\n";
  }
  if (held != nullptr && field->type == FieldType::Bitset && !field->is_derived()) {
    const std::string nested = nested_text(scope, *field, given_text(*held), aspect);
    // An operand that was left out has no leaf to be settled.
    const bool is_guarded = held->is_optional && !nested.empty();
    text += is_guarded ? "if (given." + held->name + ") {\n" + indented(nested) + "}\n" : nested;
  }
  return text;
}

// Which leaf an operand is was said by who filled it in; that it exists in this generation has to be looked at.
// `given` is the variant as C++ names it. A root with one leaf has no variant, and its struct stands there itself.
std::string SettleWriter::nested_text(const StaticScope& scope, const Field& field, const std::string& given,
                                      Aspect aspect) {
  const Bitset& root = model_[field.bitset];
  const std::uint32_t low = scope.low + field.low;
  std::vector<std::pair<const Bitset*, std::string>> functions;
  const bool is_alone = model_.leaves(root).size() == 1;
  const std::vector<const Bitset*> present = scopes_.leaves_of(root);
  // Where all leaves exist nobody can have filled in one that does not; and it is said once, in the half for names.
  const bool judges_leaf = aspect == Aspect::Names && present.size() != model_.leaves(root).size();
  bool has_work = judges_leaf;
  for (const Bitset* leaf : present) {
    functions.emplace_back(leaf, function_for(scopes_.open(*leaf, &scope, &field, low), aspect));
    has_work = has_work || !functions.back().second.empty();
  }
  if (!has_work) return {};
  const std::string none = "unknown_case_in(k, " + quoted_literal(model_.text(root.name)) + ", " +
                           quoted_literal(model_.text(field.name)) + ", " + std::to_string(low) + ", " +
                           std::to_string(root.size) + ");\n";
  if (is_alone) return functions.empty() ? none : functions.front().second + "(k, " + given + ");\n";
  std::string text;
  std::uint32_t count = 0;
  for (const auto& [leaf, function] : functions) {
    const std::string type = names_.leaf(*leaf);
    const std::string one = "one" + std::to_string(++count);  // each is in sight of those behind it
    if (function.empty()) text += "if (std::holds_alternative<" + type + ">(" + given + ")) {\n} else ";
    else
      text += "if (const auto* " + one + " = std::get_if<" + type + ">(&" + given + ")) " + function + "(k, *" + one +
              ");\nelse ";
  }
  if (judges_leaf) return text + none;
  return text.substr(0, text.size() - 5) + "\n";  // the last "else "
}

// What a case wants of the word when its turn comes.
// Of each assert up to 64 bits at a time; `expect` fills them in the first pass and judges them in the second.
std::string SettleWriter::wanted_text(const StaticScope& scope, const SeenCase& seen) {
  std::string text;
  for (const Assert& row : model_.asserts(*seen.row)) {
    const std::vector<std::uint64_t> words = wanted_bits(row);
    for (const auto& [piece, width] : pieces_of(row.width)) {
      text += "expect(&k, " + quoted_literal(seen.owner->display_name) + ", " +
              std::to_string(scope.low + row.low + piece) + ", " + std::to_string(width) + ", " +
              hex_constant(words[piece / bits_per_word]) + ");\n";
    }
  }
  // What is shown has asserts of its own.
  std::vector<NameId> names;
  for (const Segment& segment : model_.segments(*seen.row)) {
    if (segment.kind != Segment::Kind::Field) continue;
    if (std::find(names.begin(), names.end(), segment.name) != names.end()) continue;
    names.push_back(segment.name);
    text += name_text(scope, segment.name, Aspect::Asserts);
  }
  return text;
}

// Case by case, up to the display.
// `at` is the case to go on with. A case without a display lets the search go on whether it holds or not, so what is
// behind it stands outside of its branch; one with a display ends it. It calls itself once for a case, so the number of
// texts is linear.
std::string SettleWriter::cases_text(const StaticScope& scope, std::size_t at) {
  for (; at < scope.cases.size(); ++at) {
    const SeenCase& seen = scope.cases[at];
    const bool has_display = seen.row->has_display;
    if (!has_display && model_.asserts(*seen.row).empty()) continue;
    const Condition condition = condition_of(scope, seen.condition);
    if (condition.is_never()) continue;
    const std::string wanted = wanted_text(scope, seen);
    if (condition.is_always()) return has_display ? wanted : wanted + cases_text(scope, at + 1);
    const std::string rest = cases_text(scope, at + 1);
    if (wanted.empty() && rest.empty()) return {};
    const std::string holds = holds_text(condition.text);
    if (wanted.empty()) return "if (!" + holds + ") {\n" + indented(rest) + "}\n";
    const std::string text = "if (" + holds + ") {\n" + indented(wanted) + "}";
    if (!has_display || rest.empty()) return text + "\n" + rest;
    return text + " else {\n" + indented(rest) + "}\n";
  }
  return {};
}

}  // namespace vireo::isa::generate
