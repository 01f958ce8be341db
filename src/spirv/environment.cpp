// SPDX-License-Identifier: Apache-2.0
//
// The table of target environments (vireo/spirv/environment.h). To add an environment, add a row.
#include "vireo/spirv/environment.h"

#include <algorithm>
#include <string>

#include "spirv/rules.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::spirv {
namespace {

// The newest version that each environment accepts: Vulkan's appendix on its SPIR-V environment, the
// OpenCL environment specification, ARB_gl_spirv. The names are those of the reference tools.
// clang-format off
constexpr Environment rows[] = {
    {"spv1.0", {1, 0}, "SPIR-V 1.0"},
    {"spv1.1", {1, 1}, "SPIR-V 1.1"},
    {"spv1.2", {1, 2}, "SPIR-V 1.2"},
    {"spv1.3", {1, 3}, "SPIR-V 1.3"},
    {"spv1.4", {1, 4}, "SPIR-V 1.4"},
    {"spv1.5", {1, 5}, "SPIR-V 1.5"},
    Environment{},  // spv1.6
    {"vulkan1.0", {1, 0}, "SPIR-V 1.0 under Vulkan 1.0", Client::Vulkan, {1, 0}},
    {"vulkan1.1", {1, 3}, "SPIR-V 1.3 under Vulkan 1.1", Client::Vulkan, {1, 1}},
    {"vulkan1.1spv1.4", {1, 4}, "SPIR-V 1.4 under Vulkan 1.1", Client::Vulkan, {1, 1}},
    {"vulkan1.2", {1, 5}, "SPIR-V 1.5 under Vulkan 1.2", Client::Vulkan, {1, 2}},
    {"vulkan1.3", {1, 6}, "SPIR-V 1.6 under Vulkan 1.3", Client::Vulkan, {1, 3}},
    {"vulkan1.4", {1, 6}, "SPIR-V 1.6 under Vulkan 1.4", Client::Vulkan, {1, 4}},
    {"opencl1.2", {1, 0}, "SPIR-V 1.0 under OpenCL 1.2, full profile", Client::OpenCL, {1, 2}},
    {"opencl1.2embedded", {1, 0}, "SPIR-V 1.0 under OpenCL 1.2, embedded profile", Client::OpenCL, {1, 2}, true},
    {"opencl2.0", {1, 0}, "SPIR-V 1.0 under OpenCL 2.0, full profile", Client::OpenCL, {2, 0}},
    {"opencl2.0embedded", {1, 0}, "SPIR-V 1.0 under OpenCL 2.0, embedded profile", Client::OpenCL, {2, 0}, true},
    {"opencl2.1", {1, 0}, "SPIR-V 1.0 under OpenCL 2.1, full profile", Client::OpenCL, {2, 1}},
    {"opencl2.1embedded", {1, 0}, "SPIR-V 1.0 under OpenCL 2.1, embedded profile", Client::OpenCL, {2, 1}, true},
    {"opencl2.2", {1, 2}, "SPIR-V 1.2 under OpenCL 2.2, full profile", Client::OpenCL, {2, 2}},
    {"opencl2.2embedded", {1, 2}, "SPIR-V 1.2 under OpenCL 2.2, embedded profile", Client::OpenCL, {2, 2}, true},
    {"opengl4.0", {1, 0}, "SPIR-V 1.0 under OpenGL 4.0", Client::OpenGL, {4, 0}},
    {"opengl4.1", {1, 0}, "SPIR-V 1.0 under OpenGL 4.1", Client::OpenGL, {4, 1}},
    {"opengl4.2", {1, 0}, "SPIR-V 1.0 under OpenGL 4.2", Client::OpenGL, {4, 2}},
    {"opengl4.3", {1, 0}, "SPIR-V 1.0 under OpenGL 4.3", Client::OpenGL, {4, 3}},
    {"opengl4.5", {1, 0}, "SPIR-V 1.0 under OpenGL 4.5", Client::OpenGL, {4, 5}},
};
// clang-format on

}  // namespace

std::span<const Environment> environments() { return rows; }

std::optional<Environment> find_environment(std::string_view name) {
  const auto* row = std::ranges::find(rows, name, &Environment::name);
  return row == std::end(rows) ? std::nullopt : std::optional(*row);
}

Result<Environment> find_environment(std::string_view name, Diagnostics& diagnostics) {
  if (const std::optional<Environment> found = find_environment(name)) return *found;
  std::vector<std::string_view> names;
  for (const Environment& row : rows) names.push_back(row.name);
  return diagnostics.error(rule::unknown_environment, Location::none(), "unknown environment " + quoted(name),
                           expected_one_of(names, name));
}

std::optional<Environment> find_environment_by_prefix(std::string_view spelling) {
  const Environment* best = nullptr;
  // Use the longest match, because some names begin with others: vulkan1.1 and vulkan1.1spv1.4.
  for (const Environment& row : rows) {
    if (spelling.starts_with(row.name) && (best == nullptr || row.name.size() > best->name.size())) best = &row;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

}  // namespace vireo::spirv
