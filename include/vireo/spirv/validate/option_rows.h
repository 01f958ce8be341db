// SPDX-License-Identifier: Apache-2.0
//
// The tables that limits() and features() return, as constants, so that other tables can be derived at compile time.
// The texts are those of the options of `vireo val`.
#pragma once

#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {

inline constexpr LimitRow limit_rows[] = {
    {&Limits::struct_members, "max-struct-members", "maximum number of members of a structure"},
    {&Limits::struct_depth, "max-struct-depth", "maximum nesting depth of structures"},
    {&Limits::local_variables, "max-local-variables", "maximum number of local variables"},
    {&Limits::global_variables, "max-global-variables", "maximum number of global variables"},
    {&Limits::switch_branches, "max-switch-branches", "maximum number of targets of OpSwitch"},
    {&Limits::function_parameters, "max-function-args", "maximum number of parameters of a function"},
    {&Limits::nesting_depth, "max-control-flow-nesting-depth", "maximum nesting depth of structured control flow"},
    {&Limits::access_chain_indexes, "max-access-chain-indexes", "maximum number of indexes of an access chain"},
    {&Limits::id_bound, "max-id-bound", "maximum id bound in the header"},
    {&Limits::literal_string, "max-literal-string", "maximum number of characters of a string"},
    {&Limits::execution_modes, "max-execution-modes", "maximum number of execution modes of an entry point"},
    {&Limits::ext_inst_arguments, "max-ext-inst-args", "maximum number of arguments of an extended instruction"},
};
/// The number of leading rows of limit_rows that are also options of spirv-val.
inline constexpr std::size_t reference_limit_count = 9;

inline constexpr FeatureRow feature_rows[] = {
    {Feature::RelaxLogicalPointer, "relax-logical-pointer",
     "allow allocating, returning, passing pointers in logical addressing",
     "A permission for compilers, not a feature of Vulkan.", "", ""},
    {Feature::BeforeHlslLegalization, "before-hlsl-legalization",
     "accept the output of HLSL front ends before legalization",
     "Implies --relax-logical-pointer. A permission for compilers, not a feature of Vulkan.", "", ""},
    {Feature::RelaxStructStore, "relax-struct-store", "allow storing a structure as another one of the same layout",
     "A permission for compilers, not a feature of Vulkan.", "", ""},
    {Feature::RelaxBlockLayout, "relax-block-layout", "align vectors in blocks like their components",
     "For VK_KHR_relaxed_block_layout. Implied by environments from vulkan1.1 on. --scalar-block-layout relaxes more.",
     "", "VK_VERSION_1_1,VK_KHR_relaxed_block_layout"},
    {Feature::UniformBufferStandardLayout, "uniform-buffer-standard-layout",
     "lay out uniform blocks like storage blocks",
     "For the feature uniformBufferStandardLayout (Vulkan 1.2, VK_KHR_uniform_buffer_standard_layout). "
     "--scalar-block-layout relaxes more.",
     "uniformBufferStandardLayout", "VK_VERSION_1_2,VK_KHR_uniform_buffer_standard_layout"},
    {Feature::ScalarBlockLayout, "scalar-block-layout", "lay out blocks with scalar alignment",
     "For the feature scalarBlockLayout (Vulkan 1.2, VK_EXT_scalar_block_layout). Overrides --relax-block-layout, "
     "--uniform-buffer-standard-layout and --workgroup-scalar-block-layout.",
     "scalarBlockLayout", "VK_VERSION_1_2,VK_EXT_scalar_block_layout"},
    {Feature::WorkgroupScalarBlockLayout, "workgroup-scalar-block-layout",
     "lay out workgroup blocks with scalar alignment",
     "For the feature workgroupMemoryExplicitLayoutScalarBlockLayout (VK_KHR_workgroup_memory_explicit_layout). "
     "--scalar-block-layout includes it.",
     "workgroupMemoryExplicitLayoutScalarBlockLayout", "VK_KHR_workgroup_memory_explicit_layout"},
    {Feature::SkipBlockLayout, "skip-block-layout", "do not check explicit layout",
     "Overrides the other options for layouts. Not a feature of Vulkan.", "", ""},
    {Feature::AllowLocalSizeId, "allow-localsizeid", "allow the execution mode LocalSizeId",
     "For the feature maintenance4 (Vulkan 1.3, VK_KHR_maintenance4). Implied by environments from vulkan1.3 on and by "
     "those of other APIs.",
     "maintenance4", "VK_VERSION_1_3,VK_KHR_maintenance4"},
    {Feature::AllowOffsetTextureOperand, "allow-offset-texture-operand",
     "allow the image operand Offset without gathering", "For the feature maintenance8 (VK_KHR_maintenance8).",
     "maintenance8", "VK_KHR_maintenance8"},
    {Feature::AllowVulkan32BitBitwise, "allow-vulkan-32-bit-bitwise", "allow bit instructions on widths other than 32",
     "For the feature maintenance9 (VK_KHR_maintenance9).", "maintenance9", "VK_KHR_maintenance9"},
};

}  // namespace vireo::spirv
