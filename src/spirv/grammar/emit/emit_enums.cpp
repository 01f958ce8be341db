// SPDX-License-Identifier: Apache-2.0
//
// Generates include/vireo/spirv/grammar/enums.h from grammar rows; see emit_tables.h.
#include <fmt/format.h>

#include <iterator>

#include "spirv/grammar/emit/cpp_names.h"
#include "spirv/grammar/emit/emit_tables.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view head = R"(//
// Opcodes and enumerants by name, for users who read or write words themselves.
//
// One enum class per enumerated kind of the core grammar, primary names and aliases alike. Kinds whose
// values are masks have | & ^ ~; a name that is no C++ identifier has its kind's name in front (Dim::Dim2D).
#pragma once

#include <cstdint>
#include <type_traits>

#include "vireo/support/cpp20.h"

namespace vireo::spirv {

/// True for the enumerations whose values are masks.
template <typename Enum>
inline constexpr bool is_mask_enum = false;

template <typename Enum>
  requires is_mask_enum<Enum>
constexpr Enum operator|(Enum a, Enum b) {
  return static_cast<Enum>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
template <typename Enum>
  requires is_mask_enum<Enum>
constexpr Enum operator&(Enum a, Enum b) {
  return static_cast<Enum>(static_cast<std::uint32_t>(a) & static_cast<std::uint32_t>(b));
}
template <typename Enum>
  requires is_mask_enum<Enum>
constexpr Enum operator^(Enum a, Enum b) {
  return static_cast<Enum>(static_cast<std::uint32_t>(a) ^ static_cast<std::uint32_t>(b));
}
template <typename Enum>
  requires is_mask_enum<Enum>
constexpr Enum operator~(Enum a) {
  return static_cast<Enum>(~static_cast<std::uint32_t>(a));
}
)";

}  // namespace

GeneratedFile emit_enums(const Grammar& grammar, const GeneratedBanner& banner) {
  std::string text = banner_lines(banner, fmt::format("The enumerations of SPIR-V {}.{} revision {}",
                                                      grammar.major_version, grammar.minor_version, grammar.revision));
  text.append(head);
  text.append("\n// Names are the grammar's, not ours.\n// NOLINTBEGIN(readability-identifier-naming)\n");
  const auto out = std::back_inserter(text);

  fmt::format_to(out, "\nenum class Op : std::uint16_t {{\n");
  for (const InstructionRow& row : grammar.instructions) {
    fmt::format_to(out, "  {} = {},\n", grammar.text(row.name), static_cast<unsigned>(row.opcode));
    for (const StringRef alias : grammar.strings(row.aliases)) {
      // An alias is defined by its primary name, so that readers of the header see the relation.
      fmt::format_to(out, "  {} = {},\n", grammar.text(alias), grammar.text(row.name));
    }
  }
  fmt::format_to(out, "}};\n");

  for (const KindRow& kind : grammar.kinds) {
    // Kinds of ids and literals have no enumerants.
    const bool is_mask = kind.category == Category::BitEnum;
    // Kinds of sets are omitted: two sets may use the same name for different kinds.
    if (!kind.set.is_none() || (!is_mask && kind.category != Category::ValueEnum)) continue;
    const std::string_view kind_name = grammar.text(kind.name);
    fmt::format_to(out, "\nenum class {} : std::uint32_t {{\n", kind_name);
    for (const EnumerantRow& row : grammar.enumerants_of(kind)) {
      const std::string name = cpp_identifier(kind_name, grammar.text(row.name));
      if (is_mask) fmt::format_to(out, "  {} = {:#x},\n", name, row.value);
      else fmt::format_to(out, "  {} = {},\n", name, row.value);
      for (const StringRef alias : grammar.strings(row.aliases)) {
        fmt::format_to(out, "  {} = {},\n", cpp_identifier(kind_name, grammar.text(alias)), name);
      }
    }
    fmt::format_to(out, "}};\n");
    if (is_mask) fmt::format_to(out, "template <>\ninline constexpr bool is_mask_enum<{}> = true;\n", kind_name);
  }
  text.append("// NOLINTEND(readability-identifier-naming)\n\n}  // namespace vireo::spirv\n");
  return {"include/vireo/spirv/grammar/enums.h", std::move(text)};
}

}  // namespace vireo::spirv
