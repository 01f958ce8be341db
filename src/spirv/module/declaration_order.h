// SPDX-License-Identifier: Apache-2.0
//
// Order requirements on declarations beyond the order of sections and definition before use. The validator reports
// violations, and canonical_ids() preserves the order.
//
// Each order is a row of a table, which the validator and canonical_ids() both read. The tables are
//
//   places_in_section    the order of instructions within a section
//   operands_first       annotations whose operands precede their target
//   size_modes, …        constants that precede types that depend on the workgroup size
//   continuations        instructions directly after the one that they continue (opcode_traits.h)
//
// OpTypeForwardPointer precedes the uses of its pointer (2.4); a definition precedes its uses.
//
// Sources: specification 2.4 (logical layout), 3.42.3 (annotations); SPV_INTEL_memory_access_aliasing, "2.4";
// SPV_NV_cooperative_matrix2, "2.16.1"; SPV_EXT_descriptor_heap (OffsetIdEXT).
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"

namespace vireo::spirv {

// --- places -------------------------------------------------------------------------------------------------------------

/// The rank of an instruction within its section; lower ranks come first. An alias declaration refers only to declarations
/// of lower ranks. The decorations of a group precede the group, and the group precedes its uses. A conditional
/// declaration follows the capability that it needs, because spirv-val requires this.
enum class PlaceInSection : std::uint8_t { AliasDomain, AliasScope, AliasList, Usual, Group, GroupUse, Conditional };

struct PlaceInSectionRow {
  Op opcode;
  PlaceInSection place;
};
inline constexpr PlaceInSectionRow places_in_section[] = {
    {Op::OpAliasDomainDeclINTEL, PlaceInSection::AliasDomain},
    {Op::OpAliasScopeDeclINTEL, PlaceInSection::AliasScope},
    {Op::OpAliasScopeListDeclINTEL, PlaceInSection::AliasList},
    {Op::OpDecorationGroup, PlaceInSection::Group},
    {Op::OpGroupDecorate, PlaceInSection::GroupUse},
    {Op::OpGroupMemberDecorate, PlaceInSection::GroupUse},
    {Op::OpConditionalCapabilityINTEL, PlaceInSection::Conditional},
    {Op::OpConditionalExtensionINTEL, PlaceInSection::Conditional},
};
constexpr PlaceInSection place_in_section(Op opcode) {
  for (const PlaceInSectionRow& row : places_in_section) {
    if (row.opcode == opcode) return row.place;
  }
  return PlaceInSection::Usual;
}
/// The declarations of SPV_INTEL_memory_access_aliasing, which precede all annotations.
constexpr bool is_alias_declaration(Op opcode) { return place_in_section(opcode) < PlaceInSection::Usual; }
/// The end of the alias declarations at the beginning of the annotations.
InstructionIndex end_of_alias_declarations(const Module& module);

/// Annotations whose id operands precede the target, if both are outside functions.
inline constexpr Op operands_first[] = {Op::OpDecorateId, Op::OpMemberDecorateIdEXT};
constexpr bool has_operands_first(Op opcode) {
  for (const Op each : operands_first) {
    if (each == opcode) return true;
  }
  return false;
}

// --- the workgroup size -------------------------------------------------------------------------------------------------

/// A constant that states a workgroup size, or a part of it.
struct WorkgroupSizeConstant {
  Word id = 0;
  InstructionIndex stated_by;  ///< the execution mode or decoration
};
/// All of them precede each of the types below. Linear in the modes and decorations.
std::vector<WorkgroupSizeConstant> workgroup_size_constants(const Module& module,
                                                            const ModuleDeclarations& declarations,
                                                            const Decorations& decorations);

/// The types that depend on the workgroup size, in the order of the module: cooperative matrices whose scope is
/// Workgroup, or may become so by specialization. Linear in the globals; constant time if there are no such matrices.
std::vector<InstructionIndex> types_after_workgroup_size(const Module& module);

}  // namespace vireo::spirv
