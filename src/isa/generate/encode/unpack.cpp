// SPDX-License-Identifier: Apache-2.0
//
// Generates functions that fill structures from bits: the reverse of pack.cpp, with the same maps. Only assignable maps
// are used.
#include <algorithm>
#include <vector>

#include "isa/generate/encode/unpack_writer.h"
#include "isa/generate/instruction_writer.h"

namespace vireo::isa::generate {
namespace {

// How a structure is passed to and from a function.
enum class Passing : std::uint8_t {
  Value,    // returned
  Created,  // created inside; the pointer is stored in `*to`
  Given,    // the caller passes the pointer
};

// Determines the signature, at the definition and at each call.
Passing passing_of(const Model& model, const Bitset& root) {
  if (!Maps::is_pointer(root)) return Passing::Value;
  return UnpackWriter::is_created(model, root) ? Passing::Created : Passing::Given;
}

}  // namespace

// If there are several leaves, only the user can create a structure of the right kind. The structure of an instruction
// does not exist before unpacking.
bool UnpackWriter::is_created(const Model& model, const Bitset& root) {
  if (!root.has_decode || !Maps::is_pointer(root)) return false;
  const auto is_instruction = [&](const InstructionRoot& row) { return &model[row.root] == &root; };
  const std::span<const InstructionRoot> rows = model.instruction_roots();
  return model.leaves(root).size() > 1 || std::any_of(rows.begin(), rows.end(), is_instruction);
}

// All roots have the same interface for callers, so a root of value type gets a function that assigns its result.
std::string UnpackWriter::unpack(const Bitset& root) {
  std::string function = choice_function(root, nullptr, nullptr, 0);
  if (!Maps::is_pointer(root) && !facts_.is_too_large) {
    const std::string body = "(@Packing* k_, @STATE* s, const @Params* p, @Word w, " + Maps::type(root) +
                             "* to) {\n  *to = " + function + "(k_, s, p, w);\n}";
    function = writer_.define('r', "void", body, model_.text(root.name));
  }
  scopes_.clear();
  return function;
}

// The function reports a value that no leaf matches, and a structure that the user did not create. `to` points to the
// target; maps access the structure as `src`.
std::string UnpackWriter::choice_function(const Bitset& root, const StaticScope* parent, const Field* opened_by,
                                          std::uint32_t low) {
  const Passing passing = passing_of(model_, root);
  const std::string type = Maps::type(root);
  const std::vector<const Bitset*> leaves = scopes_.leaves_of(root);
  const std::string where = std::to_string(low) + ", " + std::to_string(root.size);
  const std::string none = "@report_fault(k_, @unknown_case, " + quoted_literal(model_.text(root.name)) +
                           ", NULL, (uint64_t)@bits(w, " + std::to_string(low) + ", " +
                           std::to_string(std::min(root.size, bits_per_word)) + "), " + where + ");";
  std::string rows;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::string function = leaf_function(scopes_.open(*leaves[i], parent, opened_by, low));
    if (facts_.is_too_large) return {};
    if (parent == nullptr) write_unclean_functions();  // memos are numbered per instruction
    const std::string call = function + "(k_, s, p, w";
    rows += "    case " + std::to_string(i) + ": ";
    if (passing == Passing::Value) rows += "return " + call + ");\n";
    else if (passing == Passing::Given) rows += call + ", src); break;\n";
    else {
      rows +=
          "\n      *to = " + maps_.users_function(root, "create") + "(s, (int)" + maps_.case_label(*leaves[i]) + ");\n";
      rows += "      if (*to != NULL) " + call + ", *to);\n      else " + none + "\n      break;\n";
    }
  }
  // The last parameter, if any.
  const std::string last = passing == Passing::Created ? ", " + type + "* to"
                           : passing == Passing::Given ? ", " + Maps::declaration(root)
                                                       : "";
  std::string body = "(@Packing* k_, @STATE* s, const @Params* p, @Word w" + last + ") {\n  (void)s;\n  (void)p;\n";
  // If no leaf matches, returns zeros and reports a fault.
  if (passing == Passing::Value) body += "  const " + type + " nothing = @ZERO;\n";
  if (passing == Passing::Created) body += "  *to = NULL;\n";
  if (passing == Passing::Given) body += "  (void)src;\n";
  const std::string tree = define_tree(writer_, leaves, facts_);
  body +=
      "  switch (@find_nested(&" + tree + ", w, " + where + ")) {\n" + rows + "    default: " + none + " break;\n  }\n";
  if (passing == Passing::Value) body += "  return nothing;\n";
  return writer_.define('n', passing == Passing::Value ? type : "void", body + "}", model_.text(root.name));
}

std::string UnpackWriter::leaf_function(const StaticScope& scope) {
  if (scopes_.count() > max_scopes || writer_.is_full()) facts_.is_too_large = true;
  if (facts_.is_too_large) return {};
  if (scope.parent == nullptr) memos_ = 0;
  const Bitset& root = model_[scope.leaf->root];
  const bool is_value = !Maps::is_pointer(root);

  // Lists each name once. The name that is evaluated first is assigned last, so it determines a target that two fields
  // share.
  std::vector<NameId> names;
  for (const SeenCase& seen : scope.cases) {
    for (const Field& field : model_.fields(*seen.row)) {
      if (std::find(names.begin(), names.end(), field.name) == names.end()) names.push_back(field.name);
    }
  }
  std::reverse(names.begin(), names.end());
  std::string text;
  for (const NameId name : names) text += name_statements(scope, name);

  std::string body = "(@Packing* k_, @STATE* s, const @Params* p, @Word w";
  body += is_value ? ") {\n  " + Maps::declaration(root) + " = @ZERO;\n"
                   : ", " + Maps::declaration(root) + ") {\n  (void)src;\n";
  body += "  (void)k_;\n  (void)s;\n  (void)p;\n  (void)w;\n" + indented(text);
  if (is_value) body += "  return src;\n";
  return writer_.define('p', is_value ? Maps::type(root) : "void", body + "}",
                        std::string(model_.text(scope.leaf->name)) + " at bit " + std::to_string(scope.low));
}

// Maps refer to the user's `s`, so conditions and values, which use another `s`, are evaluated in their own functions.
std::string UnpackWriter::function_of(std::string_view result, const std::string& value) {
  const std::string compared = result == "bool" ? "@value" + in_parentheses(value) + " != 0" : value;
  return writer_.define(result == "bool" ? 'c' : 'v', "inline " + std::string(result),
                        "(@State* s, @Word w) {\n  (void)s;\n  (void)w;\n  return " + compared + ";\n}") +
         "(&k_->state, w)";
}

// Generates the if-else chain of a name's definitions in this scope. Definitions of outer scopes are assigned there.
std::string UnpackWriter::name_statements(const StaticScope& scope, NameId name) {
  const EncodeMap* map = maps_.find(*scope.leaf, name);
  if (map == nullptr) return {};
  std::string text;
  std::size_t open = 0;
  for (const Candidate& candidate : scopes_.resolve(scope, name, ExpressionId::none())) {
    if (candidate.scope != &scope || candidate.field == nullptr) break;
    const Condition condition = condition_of(scope, candidate.condition);
    if (condition.is_never()) continue;
    const std::string statements = field_statements(scope, *candidate.field, *map);
    if (condition.is_always()) {
      text += statements;
      break;
    }
    text += "if (" + function_of("bool", condition.text) + ") {\n" + indented(statements) + "} else {\n";
    ++open;
  }
  for (; open != 0; --open) text += "}\n";
  return text;
}

// A bitset without a user structure is assigned as a number.
std::string UnpackWriter::field_statements(const StaticScope& scope, const Field& field, const EncodeMap& map) {
  if (field.type == FieldType::Bitset) {
    const Bitset& root = model_[field.bitset];
    if (root.has_decode && Maps::has_type(root)) return bitset_statements(scope, field, map);
    if (Maps::is_pointer(root)) return {};  // bits cannot be assigned to a pointer
  }
  if (!Maps::is_place(map)) {
    return "/* " + comment_text(model_.text(field.name)) + ": " + comment_text(map.text) + " is not assignable */\n";
  }
  const Candidate candidate{ExpressionId::none(), &scope, &field};
  // The raw bits, or the value of the expression; sign-extended only if the type is signed.
  std::string value = field.is_derived() ? function_of("int64_t", field_value(candidate)) : field_value(candidate);
  if (is_signed(field.type)) value = "@extend((uint64_t)" + value + ", " + std::to_string(field.width) + ")";
  return "@SET(" + Maps::expression(map) + ", " + value + ");\n";
}

// Computes the params that maps mention, from the word.
std::string UnpackWriter::params_statements(const StaticScope& scope, const Field& field) {
  std::string text;
  for (const Param& param : model_.params(field)) {
    const std::string inner(model_.text(param.inner));
    if (maps_.params().count(inner) == 0) continue;
    text += "q." + inner + " = " + function_of("int64_t", name_value(scope, param.outer, ExpressionId::none())) + ";\n";
  }
  return text;
}

// The maps of the bitset read the params by their inner names.
std::string UnpackWriter::bitset_statements(const StaticScope& scope, const Field& field, const EncodeMap& map) {
  const Bitset& root = model_[field.bitset];
  const Passing passing = passing_of(model_, root);
  if (passing != Passing::Given && !Maps::is_place(map)) {
    return "/* " + comment_text(model_.text(field.name)) + ": " + comment_text(map.text) + " is not assignable */\n";
  }
  const std::string params = params_statements(scope, field);
  const std::string function = choice_function(root, &scope, &field, scope.low + field.low);
  const std::string place = Maps::expression(map);
  const std::string call = function + "(k_, s, " + (params.empty() ? "p" : "&q") + ", w";
  std::string text = passing == Passing::Value   ? place + " = " + call + ");\n"
                     : passing == Passing::Given ? call + ", " + place + ");\n"
                                                 : call + ", &" + place + ");\n";
  // The code is a block, because a function may declare several `q`.
  if (params.empty()) return text;
  return "{\n" + indented("@Params q = *p;\n" + params + text) + "}\n";
}

}  // namespace vireo::isa::generate
