// SPDX-License-Identifier: Apache-2.0
//
// Decodes bytes, and reads images and samplers of jobs (job_values.h). Base64: RFC 4648, section 4.
#include "cli/run/job_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cli/run/value_input.h"
#include "cli/run/value_text.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

int digit64(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int digit16(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

bool decode_base64(std::string_view text, std::string& bytes) {
  const bool can_be_padded = text.size() % 4 == 0;
  for (int i = 0; i < 2 && can_be_padded && text.ends_with('='); ++i) text.remove_suffix(1);
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    const int digit = digit64(c);
    if (digit < 0) return false;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  return count < 6;
}

bool decode_hex(std::string_view text, std::string& bytes) {
  if (text.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit16(text[i]), low = digit16(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return true;
}

std::vector<std::int64_t> integers_of(JsonValue array) {
  std::vector<std::int64_t> numbers;
  for (const JsonValue each : array.elements()) {
    numbers.push_back(std::max<std::int64_t>(each.integer().value_or(0), 0));
  }
  return numbers;
}

// --- images and samplers ---

namespace {

template <typename Value>
using Words = std::span<const std::pair<std::string_view, Value>>;

constexpr std::pair<std::string_view, bool> filters[] = {{"nearest", false}, {"linear", true}};
constexpr std::pair<std::string_view, spirv::SamplerAddress> addresses[] = {
    {"repeat", spirv::SamplerAddress::Repeat},
    {"mirrored_repeat", spirv::SamplerAddress::MirroredRepeat},
    {"clamp_to_edge", spirv::SamplerAddress::ClampToEdge},
    {"clamp_to_border", spirv::SamplerAddress::ClampToBorder},
    {"mirror_clamp_to_edge", spirv::SamplerAddress::MirrorClampToEdge}};
constexpr std::pair<std::string_view, spirv::SamplerBorder> borders[] = {
    {"float_transparent_black", spirv::SamplerBorder::TransparentBlack},
    {"int_transparent_black", spirv::SamplerBorder::TransparentBlack},
    {"float_opaque_black", spirv::SamplerBorder::OpaqueBlack},
    {"int_opaque_black", spirv::SamplerBorder::OpaqueBlack},
    {"float_opaque_white", spirv::SamplerBorder::OpaqueWhite},
    {"int_opaque_white", spirv::SamplerBorder::OpaqueWhite}};
constexpr std::pair<std::string_view, spirv::SamplerCompare> comparisons[] = {
    {"never", spirv::SamplerCompare::Never},
    {"less", spirv::SamplerCompare::Less},
    {"equal", spirv::SamplerCompare::Equal},
    {"less_or_equal", spirv::SamplerCompare::LessOrEqual},
    {"greater", spirv::SamplerCompare::Greater},
    {"not_equal", spirv::SamplerCompare::NotEqual},
    {"greater_or_equal", spirv::SamplerCompare::GreaterOrEqual},
    {"always", spirv::SamplerCompare::Always}};

// A key whose value is one of some words; without the key, the value stays. Returns the problem.
template <typename Value>
std::string read_word(JsonValue json, std::string_view key, Words<Value> words, Value& value) {
  const JsonValue given = json.find(key);
  if (given.is_absent() || given.is(JsonType::Null)) return {};
  const auto found = std::ranges::find(words, given.text(), &std::pair<std::string_view, Value>::first);
  if (found != words.end()) {
    value = found->second;
    return {};
  }
  std::vector<std::string_view> names;
  for (const auto& [name, unused] : words) names.push_back(name);
  return fmt::format("unknown word {}; {}", vireo::quoted(given.text()), expected_one_of(names, given.text()));
}

void read_number(JsonValue json, std::string_view key, double& value) {
  const ScalarType type{.is_float = true, .is_signed = false, .width = 64, .format = FloatFormat::Double};
  std::uint64_t bits = 0;
  if (const JsonValue given = json.find(key); !given.is_absent() && read_scalar_value(given, type, bits).empty())
    value = number_of(bits, type);
}

spirv::Word size_at(JsonValue json, std::string_view key) {
  const std::int64_t size = json.find(key).integer().value_or(1);
  return static_cast<spirv::Word>(std::clamp<std::int64_t>(size, 1, std::numeric_limits<spirv::Word>::max()));
}

}  // namespace

bool is_image_kind(std::string_view kind) {
  constexpr std::string_view kinds[] = {"storage_image", "sampled_image", "combined_image_sampler",
                                        "storage_texel_buffer", "uniform_texel_buffer"};
  return std::ranges::find(kinds, kind) != std::end(kinds);
}

bool is_sampler_kind(std::string_view kind) { return kind == "sampler" || kind == "combined_image_sampler"; }

spirv::ImageBinding image_of(JsonValue json, std::span<std::byte> bytes) {
  const JsonValue image = json.find("image");
  spirv::ImageBinding binding{.format = json.find("format").text(), .bytes = bytes};
  binding.width = image.is_absent() ? size_at(json, "count") : size_at(image, "width");
  binding.height = size_at(image, "height");
  binding.depth = size_at(image, "depth");
  return binding;
}

std::string read_sampler(JsonValue json, spirv::RunSampler& sampler) {
  const std::string problems[] = {read_word<bool>(json, "mag", filters, sampler.mag_linear),
                                  read_word<bool>(json, "min", filters, sampler.min_linear),
                                  read_word<bool>(json, "mip", filters, sampler.mip_linear),
                                  read_word<spirv::SamplerAddress>(json, "u", addresses, sampler.address_u),
                                  read_word<spirv::SamplerAddress>(json, "v", addresses, sampler.address_v),
                                  read_word<spirv::SamplerAddress>(json, "w", addresses, sampler.address_w),
                                  read_word<spirv::SamplerBorder>(json, "border", borders, sampler.border),
                                  read_word<spirv::SamplerCompare>(json, "compare", comparisons, sampler.compare)};
  for (const std::string& problem : problems) {
    if (!problem.empty()) return problem;
  }
  read_number(json, "min_lod", sampler.min_lod);
  read_number(json, "max_lod", sampler.max_lod);
  if (const JsonValue normalized = json.find("normalized"); !normalized.is_absent())
    sampler.is_normalized = normalized.boolean();
  return {};
}

}  // namespace vireo::cli
