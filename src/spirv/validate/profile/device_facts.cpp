// SPDX-License-Identifier: Apache-2.0
//
// DeviceFacts (device_facts.h): the readers of JSON and of text.
#include "spirv/validate/profile/device_facts.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "spirv/validate/tables/device_rows.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

// Names of bits, for documents that list the bits of a set by name; the text of vulkaninfo leaves "VK_" out.
struct BitName {
  std::string_view name;
  std::int64_t bit;
};
constexpr BitName bit_names[] = {
    {"SUBGROUP_FEATURE_BASIC_BIT", 0x1},
    {"SUBGROUP_FEATURE_VOTE_BIT", 0x2},
    {"SUBGROUP_FEATURE_ARITHMETIC_BIT", 0x4},
    {"SUBGROUP_FEATURE_BALLOT_BIT", 0x8},
    {"SUBGROUP_FEATURE_SHUFFLE_BIT", 0x10},
    {"SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT", 0x20},
    {"SUBGROUP_FEATURE_CLUSTERED_BIT", 0x40},
    {"SUBGROUP_FEATURE_QUAD_BIT", 0x80},
    {"SUBGROUP_FEATURE_PARTITIONED_BIT_NV", 0x100},
    {"SUBGROUP_FEATURE_PARTITIONED_BIT_EXT", 0x100},
    {"SHADER_STAGE_VERTEX_BIT", 0x1},
    {"SHADER_STAGE_TESSELLATION_CONTROL_BIT", 0x2},
    {"SHADER_STAGE_TESSELLATION_EVALUATION_BIT", 0x4},
    {"SHADER_STAGE_GEOMETRY_BIT", 0x8},
    {"SHADER_STAGE_FRAGMENT_BIT", 0x10},
    {"SHADER_STAGE_COMPUTE_BIT", 0x20},
    {"SHADER_STAGE_ALL_GRAPHICS", 0x1F},
    {"SHADER_STAGE_ALL", 0x7FFFFFFF},
    {"SHADER_STAGE_TASK_BIT_EXT", 0x40},
    {"SHADER_STAGE_TASK_BIT_NV", 0x40},
    {"SHADER_STAGE_MESH_BIT_EXT", 0x80},
    {"SHADER_STAGE_MESH_BIT_NV", 0x80},
    {"SHADER_STAGE_RAYGEN_BIT_KHR", 0x100},
    {"SHADER_STAGE_ANY_HIT_BIT_KHR", 0x200},
    {"SHADER_STAGE_CLOSEST_HIT_BIT_KHR", 0x400},
    {"SHADER_STAGE_MISS_BIT_KHR", 0x800},
    {"SHADER_STAGE_INTERSECTION_BIT_KHR", 0x1000},
    {"SHADER_STAGE_CALLABLE_BIT_KHR", 0x2000},
};

// Names of enumerants, which are numbers and not bits.
constexpr BitName enumerants[] = {
    {"SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY", 0},
    {"SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL", 1},
    {"SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE", 2},
};

std::optional<std::int64_t> value_of(std::span<const BitName> rows, std::string_view name) {
  if (name.starts_with("VK_")) name.remove_prefix(3);
  const auto row = std::ranges::find(rows, name, &BitName::name);
  return row == rows.end() ? std::nullopt : std::optional(row->bit);
}

// Vulkan 1.1 has the members in VkPhysicalDeviceSubgroupProperties, Vulkan 1.2 in VkPhysicalDeviceVulkan11Properties.
struct Renamed {
  std::string_view old_name, name;
};
constexpr Renamed renamed_members[] = {
    {"supportedOperations", "subgroupSupportedOperations"},
    {"supportedStages", "subgroupSupportedStages"},
    {"quadOperationsInAllStages", "subgroupQuadOperationsInAllStages"},
};

// An extension, and the version of Vulkan that includes it.
constexpr Renamed promoted_extensions[] = {{"VK_KHR_format_feature_flags2", "VK_VERSION_1_3"}};

// Structures whose members have their names for themselves. Documents name the structure, or its extension.
struct OwnNames {
  std::string_view structure, extension;
};
constexpr OwnNames own_names[] = {
    {"VkPhysicalDeviceMeshShaderPropertiesNV", "VK_NV_mesh_shader"},
    {"VkPhysicalDeviceCooperativeMatrixPropertiesNV", "VK_NV_cooperative_matrix"},
};

// The parts of a document that do not describe the device.
constexpr std::string_view other_parts[] = {"layers", "instance", "surfacecapabilites", "queues", "memory"};

// The name under which a member of a structure, or of an extension, is collected.
std::string collected_name(std::string_view owner, std::string_view member) {
  for (const OwnNames& row : own_names) {
    if (owner == row.structure || owner == row.extension)
      return std::string(row.structure) + "::" + std::string(member);
  }
  if (owner == "maxTileShadingRate" || owner == "maxBlockMatchRegion" || owner == "maxBoxFilterBlockSize")
    return std::string(owner) + "." + std::string(member);
  const auto* const row = std::ranges::find(renamed_members, member, &Renamed::old_name);
  return std::string(row == std::end(renamed_members) ? member : row->name);
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

// "8", "-32", "0x40", "true", or the name of an enumerant; a remark in parentheses may follow.
std::optional<std::int64_t> parse_number(std::string_view text) {
  text = text.substr(0, text.find(" ("));
  if (text == "true" || text == "false") return text == "true" ? 1 : 0;
  if (const auto value = value_of(enumerants, text)) return value;
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const int base = is_hexadecimal ? 16 : 10;
  const auto parsed = std::from_chars(text.data(), end, number, base);
  if (parsed.ec == std::errc() && parsed.ptr == end && !text.empty()) return number;
  // Sizes of 64 bits without a sign; no module has larger numbers.
  std::uint64_t large = 0;
  const auto parsed_large = std::from_chars(text.data(), end, large, base);
  if (parsed_large.ec != std::errc() || parsed_large.ptr != end) return std::nullopt;
  return std::numeric_limits<std::int64_t>::max();
}

bool is_device_fraction(std::string_view name) { return name.ends_with("InterpolationOffset"); }

// "-0.5" in units of a fraction; a remark in parentheses may follow.
std::optional<std::int64_t> parse_fraction(std::string_view text) {
  text = text.substr(0, text.find(" ("));
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return to_fraction_units(number);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string element_name(std::string_view name, std::size_t index) {
  return std::string(name) + '[' + std::to_string(index) + ']';
}

}  // namespace

std::optional<std::int64_t> whole_number(JsonValue value) {
  if (const auto number = value.integer()) return number;
  std::string_view text = value.number_text();
  const std::size_t point = text.find('.');
  const std::string_view fraction = point == std::string_view::npos ? "0" : text.substr(point + 1);
  if (fraction.empty() || fraction.find_first_not_of('0') != std::string_view::npos) return std::nullopt;
  text = text.substr(0, point);
  const bool is_number = !text.empty() && text.find_first_not_of("-0123456789") == std::string_view::npos;
  return is_number ? parse_number(text) : std::nullopt;
}

std::optional<std::int64_t> member_value(std::string_view name, JsonValue value) {
  if (!is_device_fraction(name)) return whole_number(value);
  if (const auto number = value.integer()) return to_fraction_units(static_cast<double>(*number));
  return parse_fraction(value.number_text());
}

std::string_view member_form(std::string_view name) { return is_device_fraction(name) ? "a number" : "an integer"; }

bool is_device_array(std::string_view name) {
  return std::ranges::find(device_members(), element_name(name, 0)) != device_members().end();
}

bool is_device_member(std::string_view name) {
  return std::ranges::find(device_members(), name) != device_members().end() || is_device_array(name);
}

// The offsets of texels, and those of interpolation.
bool may_be_negative(std::string_view member) { return member.starts_with("min") && member.ends_with("Offset"); }

void DeviceFacts::fault(std::string_view member, std::string_view expected, const std::string& path) {
  faults_.push_back({std::string("expected ").append(expected).append(" for ").append(member), path});
}

void DeviceFacts::read_number(std::string_view owner, std::string_view key, std::int64_t number,
                              const std::string& path) {
  const std::string name = collected_name(owner, key);
  if (key == "apiVersion") {
    if (number < 0) return fault(key, "a version of Vulkan", path);
    device_version_ = unpack_version(number);
  } else if (number < 0 && !may_be_negative(key) && is_device_member(name)) {
    return fault(key, "a number of at least 0", path);
  }
  add(name, number);
}

std::optional<std::int64_t> DeviceFacts::number(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

bool DeviceFacts::has(std::string_view member, std::int64_t bits) const {
  const std::int64_t value = number(member).value_or(0);
  return bits == 0 ? value != 0 : (value & bits) != 0;
}

bool DeviceFacts::has_source(std::string_view sources) const {
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

bool DeviceFacts::has_extension(std::string_view name) const {
  const auto* const row = std::ranges::find(promoted_extensions, name, &Renamed::old_name);
  return has_source(name) || (row != std::end(promoted_extensions) && has_source(row->name));
}

void DeviceFacts::add(std::string name, std::int64_t number) {
  const auto [at, is_new] = numbers_.try_emplace(std::move(name), number);
  if (!is_new) at->second = std::max(at->second, number);
}

void DeviceFacts::add_bits(const std::string& name, std::string_view bit) {
  if (const auto value = value_of(bit_names, bit)) numbers_[name] |= *value;
}

void DeviceFacts::read_text(std::string_view owner, std::string_view key, std::string_view text,
                            const std::string& path) {
  if (key == "extensionName") extensions_.emplace(text);
  // A document with several profiles describes a device that satisfies all of them.
  if (key == "api-version") profile_version_ = std::max(profile_version_, parse_version(text));
  if (key == "deviceName" || (key == "label" && name_.empty())) name_ = text;
  const auto number = is_device_fraction(key) ? parse_fraction(text) : parse_number(text);
  if (key == "apiVersion" && !number) device_version_ = parse_version(text);
  else if (number) read_number(owner, key, *number, path);
  else if (owner == "limits" && is_device_member(collected_name(owner, key))) fault(key, "a number", path);
}

// --- JSON -----------------------------------------------------------------------------------------------------------

DeviceFacts::DeviceFacts(JsonValue root) {
  // An explicit stack, because the depth of a document is not limited.
  std::vector<JsonValue> waiting{root};
  while (!waiting.empty()) {
    const JsonValue value = waiting.back();
    waiting.pop_back();
    read(value);
    for (const JsonValue child : value.elements()) {
      const bool is_other = std::ranges::find(other_parts, child.key()) != std::end(other_parts);
      if ((child.is(JsonType::Object) || child.is(JsonType::Array)) && !is_other) waiting.push_back(child);
    }
  }
}

// Reads the members of one object; other values have none of interest.
void DeviceFacts::read(JsonValue object) {
  if (!object.is(JsonType::Object)) return;
  if (object.find("name").is(JsonType::String) && object.find("extension").is(JsonType::String)) {
    read_extended(object);
    return;
  }
  const bool has_extensions = object.key() == "extensions";
  for (const JsonValue value : object.elements()) {
    if (has_extensions) extensions_.emplace(value.key());
    read_value(object.key(), value.key(), value);
  }
}

// Reports of gpuinfo.org state members of extensions as {"extension": "VK_…", "name": "…", "value": "…"}; for features
// "supported" in place of "value".
void DeviceFacts::read_extended(JsonValue object) {
  const std::string_view extension = object.find("extension").text(), name = object.find("name").text();
  for (const std::string_view key : {"value", "supported"}) {
    if (const JsonValue value = object.find(key); !value.is_absent()) read_value(extension, name, value);
  }
}

void DeviceFacts::read_value(std::string_view owner, std::string_view key, JsonValue value) {
  switch (value.type()) {
    case JsonType::Integer:
    case JsonType::Number:
      if (const auto number = member_value(key, value)) read_number(owner, key, *number, value.path());
      else if (is_device_member(collected_name(owner, key))) fault(key, member_form(key), value.path());
      return;
    case JsonType::Boolean: add(collected_name(owner, key), value.boolean() ? 1 : 0); return;
    case JsonType::String: read_text(owner, key, value.text(), value.path()); return;
    case JsonType::Array: read_array(collected_name(owner, key), value); return;
    default:
      if (owner == "limits" && is_device_member(collected_name(owner, key))) fault(key, "a number", value.path());
      return;
  }
}

void DeviceFacts::read_array(const std::string& name, JsonValue array) {
  std::size_t index = 0;
  std::int64_t bits = 0;
  for (const JsonValue element : array.elements()) {
    const auto number = element.is(JsonType::String) ? parse_number(element.text()) : whole_number(element);
    if (number && *number < 0 && is_device_array(name)) fault(name, "numbers of at least 0", element.path());
    else if (number) add(element_name(name, index), *number);
    ++index;
    bits |= value_of(bit_names, element.text()).value_or(0);
  }
  if (bits != 0) add(name, bits);
}

// --- text -----------------------------------------------------------------------------------------------------------

// Sections have a line such as "VkPhysicalDeviceLimits:", and then lines
//
//   <tab>maxPushConstantsSize = 128
//   <tab>maxComputeWorkGroupSize: count = 3          followed by an indented line for each element
//   <tab>VK_KHR_multiview : extension revision 1     in the section "Device Extensions"
//
// Instances, layers and surfaces precede the first device, which begins with "GPU0:".
bool DeviceFacts::is_vulkaninfo(std::string_view text) {
  return text.find("VkPhysicalDeviceProperties:") != std::string_view::npos &&
         text.find("Device Extensions") != std::string_view::npos;
}

std::string_view DeviceFacts::problem_of_text(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return "the text is UTF-16; expected UTF-8, for example that of 'vulkaninfo --json'";
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (has("VkPhysicalDeviceProperties:"))
    return "the output of vulkaninfo is incomplete; expected the section 'Device Extensions'";
  if (has("Vulkan Instance Version") || has("VULKANINFO"))
    return "the output of vulkaninfo has no limits and features; expected that of 'vulkaninfo' without --summary, or "
           "of "
           "'vulkaninfo --json'";
  return {};
}

DeviceFacts::DeviceFacts(std::string_view text) {
  text.remove_prefix(std::min(text.find("VkPhysicalDeviceProperties:"), text.size()));
  text = text.substr(0, text.find("\nGPU"));
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    read_line(line);
  }
}

void DeviceFacts::read_line(std::string_view line) {
  const std::string_view content = trimmed(line);
  if (content.empty()) return;
  if (line[0] != '\t' && line[0] != ' ') {
    if (content.find_first_not_of("-=") != std::string_view::npos) section_ = content.substr(0, content.find(':'));
    list_ = {};
    return;
  }
  if (section_ == "Device Extensions") {
    extensions_.emplace(trimmed(content.substr(0, content.find(':'))));
    return;
  }
  const std::size_t equal = content.find('=');
  if (equal == std::string_view::npos) {
    if (list_.empty()) return;
    const std::string name = collected_name(section_, list_);
    if (const auto number = parse_number(content)) add(element_name(name, list_size_), *number);
    add_bits(name, content);
    ++list_size_;
    return;
  }
  const std::string_view name = trimmed(content.substr(0, equal));
  if (name.ends_with(": count")) {
    list_ = name.substr(0, name.find(':'));
    list_size_ = 0;
    return;
  }
  list_ = {};
  read_text(section_, name, trimmed(content.substr(equal + 1)));
}

}  // namespace vireo::spirv
