// SPDX-License-Identifier: Apache-2.0
//
// Extended instruction sets by name, and which of them only describe a module without doing anything in it.
//
// The one idea: an extended set is known by the name that it is imported under (specification 3.42.4, OpExtInstImport),
// so all questions are asked of an instruction's import. A set that nothing imports answers none; the import is
// reported where it is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// The sets that checks know by more than their typing rows.
enum class KnownSet : std::uint8_t {
  Other,
  Glsl,         ///< GLSL.std.450
  OpenCl,       ///< OpenCL.std
  Printf,       ///< NonSemantic.DebugPrintf
  PlainDebug,   ///< DebugInfo
  OpenClDebug,  ///< OpenCL.DebugInfo.100
  ShaderDebug,  ///< NonSemantic.Shader.DebugInfo.
  GraphDebug,   ///< NonSemantic.Graph.DebugInfo.
  Reflection,   ///< NonSemantic.ClspvReflection.
};

/// What the name of an import says: "NonSemantic.ClspvReflection.5" is Reflection in version 5.
struct NamedSet {
  KnownSet set = KnownSet::Other;
  std::uint32_t version = 0;  ///< 0 where the name has none, or none that is a number
};
NamedSet named_set(std::string_view import_name);

/// The number that a version in a name is: decimal, without leading zeros; nothing for other texts.
std::optional<std::uint32_t> version_number(std::string_view text);

/// The import that an extended instruction names; nullptr for others, and where the id is no import. Logarithmic.
const ImportRow* import_of(const Context& context, InstructionView view);

/// Whether the instruction stands in an extended set, known or not.
constexpr bool is_extended(Op op) { return op == Op::OpExtInst || op == Op::OpExtInstWithForwardRefsKHR; }

/// Whether it may be left out without a change of meaning: its set is called "NonSemantic." and something
/// (SPV_KHR_non_semantic_info).
bool is_non_semantic(const Context& context, InstructionView view);
/// The same of one that was decoded, and so knows its set: the grammar lacks none but such.
inline bool is_non_semantic(const Context& context, const Visit& visit) {
  if (!is_extended(visit.op())) return false;
  const ExtInstSetId set = visit.decoded->ext_inst_set;
  return set.is_none() || context.grammar().text(context.grammar().sets[set.index()].name).starts_with("NonSemantic.");
}

/// Whether it is of the sets of debug information that came before the non-semantic ones. They describe functions and
/// types that follow, and stand where lines may.
bool is_older_debug_information(const Context& context, InstructionView view);

}  // namespace vireo::spirv
