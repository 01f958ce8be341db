// SPDX-License-Identifier: Apache-2.0
//
// JSON that describes a Vulkan device → Profile (vulkan_device.h).
//
// device_facts.h collects the facts that a document states; the tables look their names up.
//
// Source: Vulkan, "Vulkan Environment for SPIR-V", "Features", "Limits"; the schema of Vulkan Profiles.
#include "spirv/validate/profile/vulkan_device.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "spirv/rules.h"
#include "spirv/validate/profile/device_facts.h"
#include "spirv/validate/tables/vulkan_extensions.h"

namespace vireo::spirv {
namespace {

struct CapabilitySource {
  std::string_view capability;
  std::string_view member;  ///< a feature or property; empty: none is needed
  std::int64_t bits;        ///< of the property; 0: any number except 0
  std::string_view sources;
};
constexpr CapabilitySource capability_sources[] = {
#define CAPABILITY(name, member, bits, sources) {#name, member, bits, sources},
#define EXTENSION(name, sources)
#include "spirv/validate/profile/vulkan_registry.def"
#undef CAPABILITY
#undef EXTENSION
};

struct ExtensionSource {
  std::string_view extension;
  std::string_view sources;
};
constexpr ExtensionSource extension_sources[] = {
#define CAPABILITY(name, member, bits, sources)
#define EXTENSION(name, sources) {name, sources},
#include "spirv/validate/profile/vulkan_registry.def"
#undef CAPABILITY
#undef EXTENSION
};

// The newest environment of Vulkan that the version includes. An environment with a newer SPIR-V version than usual for
// its version of Vulkan needs VK_KHR_spirv_1_4.
std::optional<Environment> environment_of(const DeviceFacts& facts) {
  std::optional<Environment> best;
  for (const Environment& row : environments()) {
    if (row.client != Client::Vulkan || row.client_version > *facts.version()) continue;
    const bool is_variant = best && best->client_version == row.client_version;
    if (!is_variant || facts.has_source("VK_KHR_spirv_1_4")) best = row;
  }
  return best;
}

}  // namespace

bool is_vulkan_device(JsonValue root) {
  if (root.find("capabilities").is(JsonType::Object)) return true;
  // A report of gpuinfo.org.
  if (root.find("properties").is(JsonType::Object) && root.find("extensions").is(JsonType::Array)) return true;
  if (!root.is(JsonType::Object)) return false;
  for (const JsonValue member : root.elements()) {
    if (member.key().starts_with("VkPhysicalDevice")) return true;
  }
  return false;
}

Profile read_vulkan_device(const DeviceFacts& facts, const Grammar& grammar, Diagnostics& diagnostics) {
  Profile profile;
  profile.name = facts.name();
  for (const DeviceFacts::Fault& fault : facts.faults())
    diagnostics.report({rule::profile_value, Severity::Error, {}, fault.message, {}, {}, fault.path});
  if (!facts.version() || !(profile.environment = environment_of(facts))) {
    diagnostics.error(rule::profile_value, {},
                      "the document does not state a version of Vulkan; expected apiVersion in "
                      "VkPhysicalDeviceProperties, or api-version in a profile");
    return {};
  }
  std::vector<Word>& capabilities = profile.device.capabilities.emplace();
  for (const CapabilitySource& row : capability_sources) {
    if (!facts.has_source(row.sources) || (!row.member.empty() && !facts.has(row.member, row.bits))) continue;
    // A loaded grammar may lack the capability. A module cannot declare it then.
    const EnumerantRow* enumerant = grammar.find_enumerant(grammar.capability_kind, row.capability);
    if (enumerant != nullptr) capabilities.push_back(enumerant->value);
  }
  std::ranges::sort(capabilities);
  std::vector<std::string>& extensions = profile.device.extensions.emplace();
  for (const ExtensionSource& row : extension_sources) {
    if (facts.has_source(row.sources)) extensions.emplace_back(row.extension);
  }
  for (const FeatureRow& row : features()) {
    if (row.vulkan_feature.empty() && row.vulkan_sources.empty()) continue;  // a permission, not a feature of Vulkan
    if (row.vulkan_feature.empty() ? facts.has_source(row.vulkan_sources) : facts.has(row.vulkan_feature, 0)) {
      profile.features.add(row.feature);
    }
  }
  for (const std::string_view name : device_members()) {
    if (name.starts_with("VK_KHR_")) profile.device.limits.push_back({name, facts.has_extension(name) ? 1 : 0});
    else if (const auto number = facts.number(name)) profile.device.limits.push_back({name, *number});
  }
  return profile;
}

bool is_vulkan_extension(std::string_view name) {
  // Not among the rows, because no feature or extension of a device corresponds to them: two provisional extensions, and
  // one for which rules of Vulkan have exceptions.
  constexpr std::string_view others[] = {"SPV_AMDX_shader_enqueue", "SPV_NV_displacement_micromap",
                                         "SPV_NV_bindless_texture"};
  if (std::ranges::count(others, name) != 0) return true;
  return std::ranges::find(extension_sources, name, &ExtensionSource::extension) != std::end(extension_sources);
}

}  // namespace vireo::spirv
