// SPDX-License-Identifier: Apache-2.0
//
// Orders of declarations that sections and operands do not state. The validator reports a module that breaks one, and
// canonical_ids() keeps them.
//
// The one idea: each order is a row of a table here, so a new one holds for both. The tables are
//
//   annotation_places    the order of instructions among the annotations
//   operands_first       annotations whose operands precede their target
//   size_modes, …        what precedes types that depend on the workgroup size
//   continuations        instructions directly after the one that they continue (opcode_traits.h)
//
// OpTypeForwardPointer precedes the uses of its pointer (2.4); a definition precedes its uses.
//
// Sources: specification 2.4 (logical layout), 3.42.3 (annotations); SPV_INTEL_memory_access_aliasing, "2.4";
// SPV_NV_cooperative_matrix2, "2.16.1"; SPV_EXT_descriptor_heap (OffsetIdEXT).
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/facts/decorations.h"
#include "vireo/spirv/facts/module_declarations.h"
#include "vireo/spirv/module.h"

namespace vireo::spirv {

// --- annotations --------------------------------------------------------------------------------------------------------

/// What comes first among the annotations. An alias declaration refers only to declarations of lower places. The
/// decorations of a group precede the group, and the group precedes its uses.
enum class AnnotationPlace : std::uint8_t { AliasDomain, AliasScope, AliasList, Decoration, Group, GroupUse };

struct AnnotationPlaceRow {
  Op opcode;
  AnnotationPlace place;
};
inline constexpr AnnotationPlaceRow annotation_places[] = {
    {Op::OpAliasDomainDeclINTEL, AnnotationPlace::AliasDomain},
    {Op::OpAliasScopeDeclINTEL, AnnotationPlace::AliasScope},
    {Op::OpAliasScopeListDeclINTEL, AnnotationPlace::AliasList},
    {Op::OpDecorationGroup, AnnotationPlace::Group},
    {Op::OpGroupDecorate, AnnotationPlace::GroupUse},
    {Op::OpGroupMemberDecorate, AnnotationPlace::GroupUse},
};
constexpr AnnotationPlace annotation_place(Op opcode) {
  for (const AnnotationPlaceRow& row : annotation_places) {
    if (row.opcode == opcode) return row.place;
  }
  return AnnotationPlace::Decoration;
}
/// The declarations of SPV_INTEL_memory_access_aliasing, which precede all annotations.
constexpr bool is_alias_declaration(Op opcode) { return annotation_place(opcode) < AnnotationPlace::Decoration; }
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
