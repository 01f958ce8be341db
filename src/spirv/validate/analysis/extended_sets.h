// SPDX-License-Identifier: Apache-2.0
//
// Queries about extended instructions: their set, and whether they are non-semantic or debug information.
//
// The import name identifies an extended set (specification 3.42.4, OpExtInstImport), so all queries use
// the import of an instruction. If the import is missing, the queries return no set; another check reports it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The sets that have checks beyond typing rows.
enum class KnownSet : std::uint8_t {
  Other,
  Glsl,         ///< GLSL.std.450
  OpenCl,       ///< OpenCL.std
  Break,        ///< NonSemantic.DebugBreak
  Printf,       ///< NonSemantic.DebugPrintf
  PlainDebug,   ///< DebugInfo
  OpenClDebug,  ///< OpenCL.DebugInfo.100
  ShaderDebug,  ///< NonSemantic.Shader.DebugInfo.
  GraphDebug,   ///< NonSemantic.Graph.DebugInfo.
  Reflection,   ///< NonSemantic.ClspvReflection.
};

/// The parsed import name: "NonSemantic.ClspvReflection.5" is Reflection in version 5.
struct NamedSet {
  KnownSet set = KnownSet::Other;
  std::uint32_t version = 0;  ///< 0 if the name has no version, or one that is not a number
};
NamedSet named_set(std::string_view import_name);

/// Parses a version in a name: a decimal number without leading zeros; nullopt for other texts.
std::optional<std::uint32_t> version_number(std::string_view text);

/// The import of an extended instruction; nullptr for other instructions, or if the id is not an import. Logarithmic in
/// the number of imports.
const ImportRow* import_of(const ModuleCheck& c, InstructionView view);

/// Whether the instruction is an extended instruction, of a known set or not.
constexpr bool is_extended(Op op) { return op == Op::OpExtInst || op == Op::OpExtInstWithForwardRefsKHR; }

/// Whether the instruction is non-semantic: removing it does not change the meaning of the module. The name of its set
/// starts with "NonSemantic." (SPV_KHR_non_semantic_info).
bool is_non_semantic(const ModuleCheck& c, InstructionView view);
/// The same for a decoded instruction. A set without a grammar counts as non-semantic.
inline bool is_non_semantic(const InstructionCheck& c) {
  if (!is_extended(c.op())) return false;
  const ExtInstSetId set = c.decoded->ext_inst_set;
  return set.is_none() || c.grammar().text(c.grammar().sets[set.index()].name).starts_with("NonSemantic.");
}

/// Whether the instruction belongs to a debug information set that is older than the non-semantic ones. Such
/// instructions refer to later functions and types, and are allowed wherever line information is.
bool is_older_debug_information(const ModuleCheck& c, InstructionView view);

}  // namespace vireo::spirv
