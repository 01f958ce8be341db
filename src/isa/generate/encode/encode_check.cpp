// SPDX-License-Identifier: Apache-2.0
//
// Generates the code that checks an encoded word: its names and its asserts.
#include <algorithm>

#include "isa/generate/encode/encode_writer.h"
#include "isa/generate/encode/pack_writer.h"

namespace vireo::isa::generate {

// Each condition is a function, which all instructions with the same condition share.
std::string CheckWriter::holds_text(const std::string& condition) {
  return writer_.define(
             'c', "inline bool",
             "(State* s, Word w) {\n  (void)s;\n  (void)w;\n  return value" + in_parentheses(condition) + " != 0;\n}") +
         "(&k.state, now(&k))";
}

// Names are checked first, so that asserts can rely on the meaning of the word. The checks read the current word,
// `now(&k)`, never the given values, so they agree with a decoder.
std::string CheckWriter::check(const Bitset& leaf) {
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

// Returns the name of the function; empty if there is nothing to check.
std::string CheckWriter::function_for(const StaticScope& scope, Aspect aspect) {
  // Nested operands multiply, and have the same limits as nested displays.
  if (scopes_.count() > max_scopes || writer_.is_full()) facts_.is_too_large = true;
  if (facts_.is_too_large) return {};
  std::string text;
  if (aspect == Aspect::Asserts) {
    text = cases_text(scope, 0);
  } else {
    std::vector<NameId> names;
    for (const StructMember& member : layouts_[*scope.leaf].members) {
      // Members that define one name are checked together: at most one of them applies.
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

// Generates the if-else chain of a name's definitions: the first that holds applies. Definitions of outer scopes are
// checked there, so they are omitted.
std::string CheckWriter::name_text(const StaticScope& scope, NameId name, Aspect aspect) {
  std::vector<std::pair<std::string, std::string>> rungs;  // conditions, and the statements for each
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
  // Builds the chain from the innermost `else` outwards. A last condition with two equal branches is not evaluated.
  std::string text = definition_text(scope, last, name, aspect);
  while (!rungs.empty() && rungs.back().second == text) rungs.pop_back();  // both branches are equal
  for (; !rungs.empty(); rungs.pop_back()) {
    const std::string otherwise = text.empty() ? "\n" : " else {\n" + indented(text) + "}\n";
    text = "if (" + holds_text(rungs.back().first) + ") {\n" + indented(rungs.back().second) + "}" + otherwise;
  }
  return text;
}

// Generates the checks for the case that `field` is the definition that holds. Optional members of other definitions
// must not be set; other members cannot be unset, so they are not reported. The report of a derived value contains no
// bits. If `field` is a bitset, it is checked in turn.
std::string CheckWriter::definition_text(const StaticScope& scope, const Field* field, NameId name, Aspect aspect) {
  const StructLayout& layout = layouts_[*scope.leaf];
  const StructMember* held = field != nullptr ? layout.find(*field) : nullptr;
  std::string text;
  for (const StructMember& member : layout.members) {
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
    // Only an operand that is set has a leaf to check.
    const bool is_guarded = held->is_optional && !nested.empty();
    text += is_guarded ? "if (given." + held->name + ") {\n" + indented(nested) + "}\n" : nested;
  }
  return text;
}

// Generates the checks of an operand. One of them tests whether the leaf that the user has set exists in this
// generation. `given` is the C++ expression of the variant. If the root has one leaf, `given` is the leaf's struct.
std::string CheckWriter::nested_text(const StaticScope& scope, const Field& field, const std::string& given,
                                     Aspect aspect) {
  const Bitset& root = model_[field.bitset];
  const std::uint32_t low = scope.low + field.low;
  std::vector<std::pair<const Bitset*, std::string>> functions;
  const bool is_alone = model_.leaves(root).size() == 1;
  const std::vector<const Bitset*> present = scopes_.leaves_of(root);
  // If all leaves exist, the user cannot set a missing one. The fault is reported only with the names, not again with
  // the asserts.
  const bool checks_leaf = aspect == Aspect::Names && present.size() != model_.leaves(root).size();
  bool has_work = checks_leaf;
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
    const std::string one = "one" + std::to_string(++count);  // in scope for all following branches
    if (function.empty()) text += "if (std::holds_alternative<" + type + ">(" + given + ")) {\n} else ";
    else
      text += "if (const auto* " + one + " = std::get_if<" + type + ">(&" + given + ")) " + function + "(k, *" + one +
              ");\nelse ";
  }
  if (checks_leaf) return text + none;
  return text.substr(0, text.size() - 5) + "\n";  // the last "else "
}

// Generates the asserts of a case that holds, in chunks of 64 bits. `expect` sets the bits in the first pass and checks
// them in the second.
std::string CheckWriter::case_asserts_text(const StaticScope& scope, const SeenCase& seen) {
  std::string text;
  for (const Assert& row : model_.asserts(*seen.row)) {
    const std::vector<std::uint64_t> words = expected_bits(row);
    for (const auto& [piece, width] : pieces_of(row.width)) {
      text += "expect(&k, " + quoted_literal(seen.owner->display_name) + ", " +
              std::to_string(scope.low + row.low + piece) + ", " + std::to_string(width) + ", " +
              hex_constant(words[piece / bits_per_word]) + ");\n";
    }
  }
  // Fields that the display shows may be bitsets with asserts.
  std::vector<NameId> names;
  for (const Segment& segment : model_.segments(*seen.row)) {
    if (segment.kind != Segment::Kind::Field) continue;
    if (std::find(names.begin(), names.end(), segment.name) != names.end()) continue;
    names.push_back(segment.name);
    text += name_text(scope, segment.name, Aspect::Asserts);
  }
  return text;
}

// Generates code for each case, up to the display. `at` is the next case. The code of later cases is in the `else`
// branch of a case with a display, and follows a case without one. The function calls itself once per case, so the time
// is linear in the cases.
std::string CheckWriter::cases_text(const StaticScope& scope, std::size_t at) {
  for (; at < scope.cases.size(); ++at) {
    const SeenCase& seen = scope.cases[at];
    const bool has_display = seen.row->has_display;
    if (!has_display && model_.asserts(*seen.row).empty()) continue;
    const Condition condition = condition_of(scope, seen.condition);
    if (condition.is_never()) continue;
    const std::string wanted = case_asserts_text(scope, seen);
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
