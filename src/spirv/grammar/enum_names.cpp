// SPDX-License-Identifier: Apache-2.0
//
// Implements enum_names.h: names of enumerants, from the rows of the built-in grammar.
#include "vireo/spirv/grammar/enum_names.h"

#include <fmt/format.h>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

std::string_view name_of(Op opcode) {
  const Grammar& grammar = builtin_grammar();
  const InstructionRow* row = grammar.find_opcode(opcode);
  return row == nullptr ? std::string_view() : grammar.text(row->name);
}

std::string to_string(Op opcode) {
  const std::string_view name = name_of(opcode);
  return name.empty() ? std::to_string(static_cast<std::uint32_t>(opcode)) : std::string(name);
}

namespace detail {

std::string_view enumerant_name(std::uint16_t kind, std::uint32_t value) {
  const Grammar& grammar = builtin_grammar();
  const EnumerantRow* row = grammar.find_value(KindId(kind), value);
  return row == nullptr ? std::string_view() : grammar.text(row->name);
}

std::string enumerant_text(std::uint16_t kind, std::uint32_t value) {
  const bool is_mask = builtin_grammar().kind(KindId(kind)).category == Category::BitEnum;
  if (const std::string_view name = enumerant_name(kind, value); !name.empty()) return std::string(name);
  if (!is_mask || value == 0) return std::to_string(value);
  std::string text;
  std::uint32_t unknown = 0;
  for (std::uint32_t rest = value; rest != 0; rest &= rest - 1) {
    const std::uint32_t bit = rest & (~rest + 1);
    const std::string_view name = enumerant_name(kind, bit);
    if (name.empty()) unknown |= bit;
    else text.append(text.empty() ? "" : "|").append(name);
  }
  if (unknown != 0) fmt::format_to(std::back_inserter(text), "{}{:#x}", text.empty() ? "" : "|", unknown);
  return text;
}

std::string_view ext_inst_name(std::uint16_t set, std::uint32_t number) {
  const Grammar& grammar = builtin_grammar();
  const ExtInstRow* row = grammar.find_ext_inst(ExtInstSetId(set), number);
  return row == nullptr ? std::string_view() : grammar.text(row->name);
}

}  // namespace detail
}  // namespace vireo::spirv
