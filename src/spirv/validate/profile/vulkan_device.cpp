// SPDX-License-Identifier: Apache-2.0
//
// JSON that describes a Vulkan device → Profile (vulkan_device.h).
//
// Features, properties and limits have unique names in the Vulkan API, apart from a few that
// vulkan_registry.def distinguishes by extension. So the structures of the document do not matter: one walk collects
// each number under its name, and the tables look names up. This reads both kinds of documents, and structures that a
// later version of Vulkan replaced.
//
// Source: Vulkan, "Vulkan Environment for SPIR-V", "Features", "Limits"; the schema of Vulkan Profiles.
#include "spirv/validate/profile/vulkan_device.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "spirv/rules.h"
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

// Names of bits, for documents that list the bits of a mask by name.
struct BitName {
  std::string_view name;
  std::int64_t bit;
};
constexpr BitName bit_names[] = {
    {"VK_SUBGROUP_FEATURE_BASIC_BIT", 0x1},
    {"VK_SUBGROUP_FEATURE_VOTE_BIT", 0x2},
    {"VK_SUBGROUP_FEATURE_ARITHMETIC_BIT", 0x4},
    {"VK_SUBGROUP_FEATURE_BALLOT_BIT", 0x8},
    {"VK_SUBGROUP_FEATURE_SHUFFLE_BIT", 0x10},
    {"VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT", 0x20},
    {"VK_SUBGROUP_FEATURE_CLUSTERED_BIT", 0x40},
    {"VK_SUBGROUP_FEATURE_QUAD_BIT", 0x80},
    {"VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV", 0x100},
    {"VK_SUBGROUP_FEATURE_PARTITIONED_BIT_EXT", 0x100},
};

// Vulkan 1.1 has the member in VkPhysicalDeviceSubgroupProperties, Vulkan 1.2 in VkPhysicalDeviceVulkan11Properties.
std::string_view newest_name(std::string_view member) {
  return member == "supportedOperations" ? "subgroupSupportedOperations" : member;
}

// "1.3.230" → {1, 3}. Returns nothing for another text.
std::optional<Version> parse_version(std::string_view text) {
  Version version;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  return minor.ec == std::errc() ? std::optional(version) : std::nullopt;
}

// VK_MAKE_API_VERSION: the major version has 7 bits, the minor version 10 bits, the patch version 12 bits.
Version unpack_version(std::int64_t number) {
  return {static_cast<std::uint8_t>(number >> 22 & 0x7F), static_cast<std::uint8_t>(number >> 12 & 0x3FF)};
}

// Everything that a document states about the device.
class DeviceFacts {
 public:
  explicit DeviceFacts(JsonValue root) {
    // An explicit stack, because the depth of a document is not limited.
    std::vector<JsonValue> waiting{root};
    while (!waiting.empty()) {
      const JsonValue value = waiting.back();
      waiting.pop_back();
      read(value);
      for (const JsonValue child : value.elements()) {
        if (child.is(JsonType::Object) || child.is(JsonType::Array)) waiting.push_back(child);
      }
    }
  }

  /// The version of Vulkan. A device's own version takes precedence over the one that a profile requires.
  [[nodiscard]] std::optional<Version> version() const { return device_version_ ? device_version_ : profile_version_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The largest number under a name; a boolean is 0 or 1. The name of an element of an array is "name[0]".
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Whether a member is true, or has one of the bits.
  [[nodiscard]] bool has(std::string_view member, std::int64_t bits) const {
    const std::int64_t value = number(member).value_or(0);
    return bits == 0 ? value != 0 : (value & bits) != 0;
  }
  /// Whether the device has one of the versions and extensions of a list; true for an empty list.
  [[nodiscard]] bool has_source(std::string_view sources) const {
    if (sources.empty()) return true;
    constexpr std::string_view version_prefix = "VK_VERSION_";
    while (!sources.empty()) {
      const std::string_view source = sources.substr(0, sources.find(','));
      sources.remove_prefix(std::min(sources.size(), source.size() + 1));
      if (!source.starts_with(version_prefix)) {
        if (extensions_.contains(source)) return true;
        continue;
      }
      // VK_VERSION_1_2: both numbers have one digit.
      const auto digit = [&](std::size_t at) {
        return static_cast<std::uint8_t>(source[version_prefix.size() + at] - '0');
      };
      if (version() >= Version{digit(0), digit(2)}) return true;
    }
    return false;
  }

 private:
  // Reads the members of one object; other values have none of interest.
  void read(JsonValue object) {
    if (!object.is(JsonType::Object)) return;
    const bool has_extensions = object.key() == "extensions";
    for (const JsonValue value : object.elements()) {
      if (has_extensions) extensions_.emplace(value.key());
      switch (value.type()) {
        case JsonType::Integer: read_number(value.key(), *value.integer()); break;
        case JsonType::Boolean: add(std::string(newest_name(value.key())), value.boolean() ? 1 : 0); break;
        case JsonType::String: read_text(value.key(), value.text()); break;
        case JsonType::Array: read_array(value); break;
        default: break;
      }
    }
  }

  void read_number(std::string_view key, std::int64_t number) {
    if (key == "apiVersion") device_version_ = unpack_version(number);
    add(std::string(newest_name(key)), number);
  }

  void read_text(std::string_view key, std::string_view text) {
    if (key == "extensionName") extensions_.emplace(text);
    if (key == "apiVersion") device_version_ = parse_version(text);
    // A document with several profiles describes a device that satisfies all of them.
    if (key == "api-version") profile_version_ = std::max(profile_version_, parse_version(text));
    if (key == "deviceName" || (key == "label" && name_.empty())) name_ = text;
  }

  void read_array(JsonValue array) {
    const std::string key(newest_name(array.key()));
    std::int64_t bits = 0;
    std::size_t index = 0;
    for (const JsonValue element : array.elements()) {
      if (const auto number = element.integer()) add(key + '[' + std::to_string(index) + ']', *number);
      ++index;
      const auto* const row = std::ranges::find(bit_names, element.text(), &BitName::name);
      if (row != std::end(bit_names)) bits |= row->bit;
    }
    if (bits != 0) add(key, bits);
  }

  void add(std::string name, std::int64_t number) {
    const auto [at, is_new] = numbers_.try_emplace(std::move(name), number);
    if (!is_new) at->second = std::max(at->second, number);
  }

  std::optional<Version> device_version_, profile_version_;
  std::string name_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
  std::set<std::string_view> extensions_;
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
  if (!root.is(JsonType::Object)) return false;
  for (const JsonValue member : root.elements()) {
    if (member.key().starts_with("VkPhysicalDevice")) return true;
  }
  return false;
}

Profile read_vulkan_device(JsonValue root, const Grammar& grammar, Diagnostics& diagnostics) {
  const DeviceFacts facts(root);
  Profile profile;
  profile.name = facts.name();
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
  for (const DeviceLimitRow& row : device_limits()) {
    if (const auto number = facts.number(row.name)) profile.device.limits.push_back({row.name, *number});
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
