// SPDX-License-Identifier: Apache-2.0
//
// Checks of OpExtension and OpExtInstImport.
//
// Two tables of versions. One has the SPIR-V version that an extension requires. The other has the set
// versions that may be the suffix of an import name.
//
// Source: specification 3.42.4 (OpExtension, OpExtInstImport); the extensions named here, "Dependencies";
// SPV_KHR_non_semantic_info.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/grammar/ext_insts.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Only extensions whose requirement compilers follow. For example, SPV_KHR_ray_tracing requires 1.4, but compilers emit
// it in earlier versions.
struct ExtensionNeed {
  std::string_view extension;
  Version version;
};

// clang-format off
constexpr ExtensionNeed extension_needs[] = {
    {"SPV_KHR_vulkan_memory_model", {1, 3}},
    {"SPV_QCOM_cooperative_matrix_conversion", {1, 3}},
    {"SPV_EXT_mesh_shader", {1, 4}},
    {"SPV_EXT_shader_invocation_reorder", {1, 4}},
    {"SPV_KHR_opacity_micromap", {1, 4}},
    {"SPV_KHR_workgroup_memory_explicit_layout", {1, 4}},
    {"SPV_NV_cluster_acceleration_structure", {1, 4}},
    {"SPV_NV_linear_swept_spheres", {1, 4}},
    {"SPV_NV_shader_invocation_reorder", {1, 4}},
    {"SPV_QCOM_image_processing", {1, 4}},
    {"SPV_QCOM_image_processing2", {1, 4}},
};

/// The set versions that may be the suffix of an import name.
struct SetVersions {
  std::string_view name;
  std::uint32_t first;
  std::uint32_t last;  ///< 0: no upper limit
};
constexpr SetVersions set_versions[] = {
    {import_name(NonSemantic_Shader_DebugInfo{}), 100, 0},
    {import_name(NonSemantic_Graph_DebugInfo{}), 1, 1},
    {import_name(NonSemantic_ClspvReflection{}), 1, 0},
    {import_name(Arm_ExperimentalMLOperations{}), 1, 1},
};
// clang-format on

std::string version_text(Version version) { return fmt::format("{}.{}", version.major, version.minor); }

void check_extension(const InstructionCheck& c) {
  const StringOperand name = c.as<OpExtension>().name();
  const auto need = std::ranges::find(extension_needs, std::string_view(name), &ExtensionNeed::extension);
  if (need == std::end(extension_needs) || c.version() >= need->version) return;
  c.report(Rule::ExtensionVersion, c.at(name), {name, version_text(need->version), version_text(c.version())});
}

void check_version(const SetVersions& row, StringOperand name, const InstructionCheck& c) {
  const auto version = version_number(name.substr(row.name.size()));
  if (version && *version >= row.first && (row.last == 0 || *version <= row.last)) return;
  c.report(
      Rule::ImportVersion, c.at(name),
      {name, row.first == row.last ? fmt::format("\"{}{}\"", row.name, row.first)
                                   : fmt::format("\"{}\" followed by a version, {} or later", row.name, row.first)});
}

void check_import(const InstructionCheck& c) {
  const StringOperand name = c.as<OpExtInstImport>().name();
  if (is_non_semantic_set(name) && c.version() < Version{1, 6} &&
      !c.module_declarations.has_extension("SPV_KHR_non_semantic_info")) {
    c.report(Rule::MissingExtension, c.at(name), {name, "SPIR-V 1.6 or extension SPV_KHR_non_semantic_info"});
    hint_extension(c, "SPV_KHR_non_semantic_info");
  }
  for (const SetVersions& row : set_versions) {
    if (name.starts_with(row.name)) check_version(row, name, c);
  }
  if (named_set(name).set == KnownSet::GraphDebug && !c.module_declarations.has_extension("SPV_ARM_graph")) {
    c.report(Rule::MissingExtension, c.at(name), {name, "extension SPV_ARM_graph"});
    hint_extension(c, "SPV_ARM_graph");
  }
}

}  // namespace

std::span<const Check> import_checks() {
  static constexpr Check checks[] = {
      {{OpExtension}, check_extension},
      {{OpExtInstImport}, check_import},
  };
  return checks;
}

}  // namespace vireo::spirv
