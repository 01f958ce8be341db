// SPDX-License-Identifier: Apache-2.0
//
// The table behind rules.h, read from rules.def.
#include "spirv/validate/rules/rules.h"

#include <algorithm>
#include <iterator>

namespace vireo::spirv {
namespace {

// What rules.def writes in its column "lifted by": one feature, or none.
using Lift = std::optional<Feature>;
constexpr Lift none = std::nullopt;
[[maybe_unused]] constexpr auto lifted(Feature feature) { return Lift(feature); }

using enum Severity;

constexpr ValidationRule rows[] = {
#define RULE(identifier, name, severity, section, vuid, lifted_by, unsound, requirement, message) \
  {name, severity, section, vuid, lifted_by, requirement},
#include "spirv/validate/rules/rules.def"
#undef RULE
};

constexpr std::string_view messages[] = {
#define RULE(identifier, name, severity, section, vuid, lifted_by, unsound, requirement, message) message,
#include "spirv/validate/rules/rules.def"
#undef RULE
};

constexpr Unsound unsound_rows[] = {
#define RULE(identifier, name, severity, section, vuid, lifted_by, unsound, requirement, message) Unsound::unsound,
#include "spirv/validate/rules/rules.def"
#undef RULE
};

constexpr RenamedRule renamed_rows[] = {
#define RENAMED(old_name, name) {old_name, name},
#include "spirv/validate/rules/renamed.def"
#undef RENAMED
};

constexpr GroupedRule group_rows[] = {
#define RULE_GROUP(group, name) {group, name},
#include "spirv/validate/rules/groups.def"
#undef RULE_GROUP
};

constexpr LimitRow limit_rows[] = {
    {&Limits::struct_members, "max-struct-members", "members of a structure"},
    {&Limits::struct_depth, "max-struct-depth", "structures within structures"},
    {&Limits::local_variables, "max-local-variables", "variables of functions"},
    {&Limits::global_variables, "max-global-variables", "variables outside of functions"},
    {&Limits::switch_branches, "max-switch-branches", "targets of OpSwitch"},
    {&Limits::function_parameters, "max-function-args", "parameters of a function"},
    {&Limits::nesting_depth, "max-control-flow-nesting-depth", "structured constructs within each other"},
    {&Limits::access_chain_indexes, "max-access-chain-indexes", "indexes of an access chain"},
    {&Limits::id_bound, "max-id-bound", "the bound in the header"},
    {&Limits::literal_string, "max-literal-string", "characters of a text"},
    {&Limits::execution_modes, "max-execution-modes", "execution modes of an entry point"},
    {&Limits::ext_inst_arguments, "max-ext-inst-args", "arguments of an extended instruction"},
};

constexpr FeatureRow feature_rows[] = {
    {Feature::RelaxLogicalPointer, "relax-logical-pointer",
     "pointers may be allocated, returned and passed in the logical addressing model", "", ""},
    {Feature::BeforeHlslLegalization, "before-hlsl-legalization",
     "what HLSL front ends write before legalization is taken", "", ""},
    {Feature::RelaxStructStore, "relax-struct-store", "a structure may be stored as another one of the same layout", "",
     ""},
    {Feature::RelaxBlockLayout, "relax-block-layout", "vectors in blocks are aligned like their components", "",
     "VK_VERSION_1_1,VK_KHR_relaxed_block_layout"},
    {Feature::UniformBufferStandardLayout, "uniform-buffer-standard-layout",
     "uniform blocks are laid out like storage blocks", "uniformBufferStandardLayout",
     "VK_VERSION_1_2,VK_KHR_uniform_buffer_standard_layout"},
    {Feature::ScalarBlockLayout, "scalar-block-layout", "blocks are laid out with scalar alignment",
     "scalarBlockLayout", "VK_VERSION_1_2,VK_EXT_scalar_block_layout"},
    {Feature::WorkgroupScalarBlockLayout, "workgroup-scalar-block-layout",
     "workgroup blocks are laid out with scalar alignment", "workgroupMemoryExplicitLayoutScalarBlockLayout",
     "VK_KHR_workgroup_memory_explicit_layout"},
    {Feature::SkipBlockLayout, "skip-block-layout", "explicit layout is not checked", "", ""},
    {Feature::AllowLocalSizeId, "allow-localsizeid", "execution mode LocalSizeId may be used", "maintenance4",
     "VK_VERSION_1_3,VK_KHR_maintenance4"},
    {Feature::AllowOffsetTextureOperand, "allow-offset-texture-operand",
     "image operand Offset may be used without gathering", "maintenance8", "VK_KHR_maintenance8"},
    {Feature::AllowVulkan32BitBitwise, "allow-vulkan-32-bit-bitwise",
     "bit instructions may work on other widths than 32", "maintenance9", "VK_KHR_maintenance9"},
};

}  // namespace

std::span<const ValidationRule> validation_rules() { return rows; }

const ValidationRule* find_validation_rule(std::string_view name) {
  const auto found = std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

std::span<const RenamedRule> renamed_rules() { return renamed_rows; }

std::span<const GroupedRule> grouped_rules() { return group_rows; }

bool is_named(std::string_view rule, std::string_view name) {
  const auto is_old_name = [&](const RenamedRule& row) { return row.old_name == name && row.name == rule; };
  const auto is_group = [&](const GroupedRule& row) { return row.group == name && row.name == rule; };
  return rule == name || std::ranges::any_of(renamed_rows, is_old_name) || std::ranges::any_of(group_rows, is_group);
}

const ValidationRule& row_of(Rule rule) { return rows[static_cast<std::size_t>(rule)]; }

std::string_view message_of(Rule rule) { return messages[static_cast<std::size_t>(rule)]; }

Unsound unsound_after(Rule rule) { return unsound_rows[static_cast<std::size_t>(rule)]; }

std::span<const LimitRow> limits() { return limit_rows; }

std::span<const FeatureRow> features() { return feature_rows; }

}  // namespace vireo::spirv
