// SPDX-License-Identifier: Apache-2.0
//
// Implements id_types.h: a table of operand names, and the rules for all other names.
#include "spirv/grammar/emit/id_types.h"

#include <algorithm>
#include <iterator>

#include "spirv/grammar/special_cases.h"

namespace vireo::spirv {
namespace {

struct NamedId {
  std::string_view name;  // full name of the operand
  std::string_view type;
};

// In the grammar all of these have the kind IdRef; only the name determines the class of id. Names that end in "type"
// are types.
// clang-format off
constexpr NamedId named_ids[] = {
    {"Merge Block",      "LabelId"},
    {"Continue Target",  "LabelId"},
    {"Target Label",     "LabelId"},
    {"True Label",       "LabelId"},
    {"False Label",      "LabelId"},
    {"Default",          "LabelId"},
    {"Entry Point",      "FunctionId"},
    {"Function",         "FunctionId"},
    {"Func",             "FunctionId"},
    {"CombineFunc",      "FunctionId"},
    {"DecodeFunc",       "FunctionId"},
    {"DecodeVectorFunc", "FunctionId"},
    {"Invoke",           "FunctionId"},
    {"File",             "StringId"},
    {"Set",              "SetId"},
    {"Decoration Group", "GroupId"},
    // Results of instructions without a result type that declare no type.
    {"Alias Domain",                    "AnyId"},
    {"AliasScope 1, AliasScope 2, ...", "AnyId"},
    {"Aliasing Scopes List",            "AnyId"},
    {"AliasScopeINTELMask",             "AnyId"},
    {"NoAliasINTELMask",                "AnyId"},
    {"Node Name",                       "AnyId"},
};
// Operands that are values although their names end in "Type" (motion estimation and prefetch instructions).
constexpr std::string_view types_that_are_values[] = {"Block Based Skip Type", "Cache Type", "Skip Block Partition Type",
                                                      "Slice Type"};
// clang-format on

bool is_type_name(std::string_view name) {
  if (std::ranges::find(types_that_are_values, name) != std::end(types_that_are_values)) return false;
  // "Member 0 type, member 1 type, ...": the first name determines the class.
  name = name.substr(0, name.find(','));
  return name.ends_with("type") || name.ends_with("Type") || name.ends_with("Types");
}

}  // namespace

std::string_view id_type_of(const Grammar& grammar, Op owner, std::string_view name) {
  if (is_type_name(name)) return "TypeId";
  for (const NamedId& row : named_ids) {
    if (row.name == name) return row.type;
  }
  // Any id may be named and decorated.
  if (is_debug_instruction(owner) || is_annotation_instruction(owner)) return "AnyId";
  // INTEL's declarations of aliases and of inline assembly refer to each other.
  const InstructionRow* row = owner == Op::OpNop ? nullptr : grammar.find_opcode(owner);
  const std::string_view opcode = row == nullptr ? std::string_view{} : grammar.text(row->name);
  const bool is_open =
      (opcode.starts_with("OpAlias") && name == "Name") || (opcode == "OpAsmINTEL" && name == "Target");
  return is_open ? "AnyId" : "ValueId";
}

std::string_view result_type_of(std::string_view opcode, std::uint8_t flags) {
  if (opcode == "OpLabel") return "LabelId";
  if (opcode == "OpFunction") return "FunctionId";
  if (opcode == "OpExtInstImport") return "SetId";
  if (opcode == "OpString") return "StringId";
  if (opcode == "OpDecorationGroup") return "GroupId";
  if ((flags & HasResultType) != 0) return "ValueId";
  return opcode.starts_with("OpType") ? "TypeId" : "AnyId";
}

}  // namespace vireo::spirv
