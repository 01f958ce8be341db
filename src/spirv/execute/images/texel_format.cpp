// SPDX-License-Identifier: Apache-2.0
//
// Formats of texels as rows (texel_format.h).
#include "spirv/execute/images/texel_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "spirv/module/fold.h"
#include "vireo/support/number.h"

namespace vireo::spirv {
namespace {

using enum TexelClass;

// Components of equal width, in order.
constexpr TexelFormat plain(std::string_view name, TexelClass class_, std::uint8_t components, std::uint8_t bits) {
  TexelFormat format{name, class_, components, {}, {}, static_cast<std::uint8_t>(components * bits / 8), false};
  for (std::uint8_t i = 0; i < components; ++i) {
    format.bits[i] = bits;
    format.shift[i] = static_cast<std::uint8_t>(i * bits);
  }
  return format;
}

constexpr TexelFormat swapped(TexelFormat format) {
  std::swap(format.shift[0], format.shift[2]);
  return format;
}

// clang-format off
constexpr TexelFormat formats[] = {
    plain("R8_UNORM", Unorm, 1, 8), plain("R8G8_UNORM", Unorm, 2, 8), plain("R8G8B8A8_UNORM", Unorm, 4, 8),
    plain("R8_SNORM", Snorm, 1, 8), plain("R8G8_SNORM", Snorm, 2, 8), plain("R8G8B8A8_SNORM", Snorm, 4, 8),
    plain("R8_UINT", Uint, 1, 8), plain("R8G8_UINT", Uint, 2, 8), plain("R8G8B8A8_UINT", Uint, 4, 8),
    plain("R8_SINT", Sint, 1, 8), plain("R8G8_SINT", Sint, 2, 8), plain("R8G8B8A8_SINT", Sint, 4, 8),
    plain("R8_SRGB", Srgb, 1, 8), plain("R8G8_SRGB", Srgb, 2, 8), plain("R8G8B8A8_SRGB", Srgb, 4, 8),
    plain("R16_UNORM", Unorm, 1, 16), plain("R16G16_UNORM", Unorm, 2, 16), plain("R16G16B16A16_UNORM", Unorm, 4, 16),
    plain("R16_SNORM", Snorm, 1, 16), plain("R16G16_SNORM", Snorm, 2, 16), plain("R16G16B16A16_SNORM", Snorm, 4, 16),
    plain("R16_UINT", Uint, 1, 16), plain("R16G16_UINT", Uint, 2, 16), plain("R16G16B16A16_UINT", Uint, 4, 16),
    plain("R16_SINT", Sint, 1, 16), plain("R16G16_SINT", Sint, 2, 16), plain("R16G16B16A16_SINT", Sint, 4, 16),
    plain("R16_SFLOAT", Sfloat, 1, 16), plain("R16G16_SFLOAT", Sfloat, 2, 16), plain("R16G16B16A16_SFLOAT", Sfloat, 4, 16),
    plain("R32_UINT", Uint, 1, 32), plain("R32G32_UINT", Uint, 2, 32), plain("R32G32B32A32_UINT", Uint, 4, 32),
    plain("R32_SINT", Sint, 1, 32), plain("R32G32_SINT", Sint, 2, 32), plain("R32G32B32A32_SINT", Sint, 4, 32),
    plain("R32_SFLOAT", Sfloat, 1, 32), plain("R32G32_SFLOAT", Sfloat, 2, 32), plain("R32G32B32A32_SFLOAT", Sfloat, 4, 32),
    plain("R64_UINT", Uint, 1, 64), plain("R64_SINT", Sint, 1, 64),
    plain("D16_UNORM", Unorm, 1, 16), plain("D32_SFLOAT", Sfloat, 1, 32), plain("S8_UINT", Uint, 1, 8),
    swapped(plain("B8G8R8A8_UNORM", Unorm, 4, 8)), swapped(plain("B8G8R8A8_SRGB", Srgb, 4, 8)),
    {"A2B10G10R10_UNORM_PACK32", Unorm,  4, {10, 10, 10, 2}, {0, 10, 20, 30}, 4, false},
    {"A2B10G10R10_UINT_PACK32",  Uint,   4, {10, 10, 10, 2}, {0, 10, 20, 30}, 4, false},
    {"R5G6B5_UNORM_PACK16",      Unorm,  3, {5, 6, 5, 0},    {11, 5, 0, 0},   2, false},
    {"B10G11R11_UFLOAT_PACK32",  Ufloat, 3, {11, 11, 10, 0}, {0, 11, 22, 0},  4, false},
    {"E5B9G9R9_UFLOAT_PACK32",   Ufloat, 3, {9, 9, 9, 0},    {0, 9, 18, 0},   4, true},
};

struct NamedFormat { ImageFormat format; std::string_view name; };
constexpr NamedFormat named[] = {
    {ImageFormat::Rgba32f, "R32G32B32A32_SFLOAT"}, {ImageFormat::Rgba16f, "R16G16B16A16_SFLOAT"},
    {ImageFormat::R32f, "R32_SFLOAT"}, {ImageFormat::Rgba8, "R8G8B8A8_UNORM"},
    {ImageFormat::Rgba8Snorm, "R8G8B8A8_SNORM"}, {ImageFormat::Rg32f, "R32G32_SFLOAT"},
    {ImageFormat::Rg16f, "R16G16_SFLOAT"}, {ImageFormat::R11fG11fB10f, "B10G11R11_UFLOAT_PACK32"},
    {ImageFormat::R16f, "R16_SFLOAT"}, {ImageFormat::Rgba16, "R16G16B16A16_UNORM"},
    {ImageFormat::Rgb10A2, "A2B10G10R10_UNORM_PACK32"}, {ImageFormat::Rg16, "R16G16_UNORM"},
    {ImageFormat::Rg8, "R8G8_UNORM"}, {ImageFormat::R16, "R16_UNORM"},
    {ImageFormat::R8, "R8_UNORM"}, {ImageFormat::Rgba16Snorm, "R16G16B16A16_SNORM"},
    {ImageFormat::Rg16Snorm, "R16G16_SNORM"}, {ImageFormat::Rg8Snorm, "R8G8_SNORM"},
    {ImageFormat::R16Snorm, "R16_SNORM"}, {ImageFormat::R8Snorm, "R8_SNORM"},
    {ImageFormat::Rgba32i, "R32G32B32A32_SINT"}, {ImageFormat::Rgba16i, "R16G16B16A16_SINT"},
    {ImageFormat::Rgba8i, "R8G8B8A8_SINT"}, {ImageFormat::R32i, "R32_SINT"},
    {ImageFormat::Rg32i, "R32G32_SINT"}, {ImageFormat::Rg16i, "R16G16_SINT"},
    {ImageFormat::Rg8i, "R8G8_SINT"}, {ImageFormat::R16i, "R16_SINT"},
    {ImageFormat::R8i, "R8_SINT"}, {ImageFormat::Rgba32ui, "R32G32B32A32_UINT"},
    {ImageFormat::Rgba16ui, "R16G16B16A16_UINT"}, {ImageFormat::Rgba8ui, "R8G8B8A8_UINT"},
    {ImageFormat::R32ui, "R32_UINT"}, {ImageFormat::Rgb10a2ui, "A2B10G10R10_UINT_PACK32"},
    {ImageFormat::Rg32ui, "R32G32_UINT"}, {ImageFormat::Rg16ui, "R16G16_UINT"},
    {ImageFormat::Rg8ui, "R8G8_UINT"}, {ImageFormat::R16ui, "R16_UINT"},
    {ImageFormat::R8ui, "R8_UINT"}, {ImageFormat::R64ui, "R64_UINT"},
    {ImageFormat::R64i, "R64_SINT"},
};
// clang-format on

// The bits of a component. Components have at most 64 bits and do not straddle 64-bit boundaries.
std::uint64_t read_bits(const TexelFormat& format, const std::byte* texel, std::size_t i) {
  std::uint64_t word = 0;
  const std::size_t byte = format.shift[i] / 64 * std::size_t{8};
  std::memcpy(&word, texel + byte, std::min<std::size_t>(8, format.bytes - byte));
  return word >> (format.shift[i] % 64) & mask_of(format.bits[i]);
}

void write_bits(const TexelFormat& format, std::byte* texel, std::size_t i, std::uint64_t bits) {
  std::uint64_t word = 0;
  const std::size_t byte = format.shift[i] / 64 * std::size_t{8}, size = std::min<std::size_t>(8, format.bytes - byte);
  std::memcpy(&word, texel + byte, size);
  const std::uint64_t mask = mask_of(format.bits[i]) << (format.shift[i] % 64);
  word = (word & ~mask) | (bits << (format.shift[i] % 64) & mask);
  std::memcpy(texel + byte, &word, size);
}

double from_srgb(double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); }
double to_srgb(double x) { return x <= 0.0031308 ? x * 12.92 : 1.055 * std::pow(x, 1 / 2.4) - 0.055; }

// A float without a sign: five bits of exponent, as in a half, and the rest of mantissa.
double decode_unsigned_float(std::uint64_t bits, std::uint32_t width) {
  return double_of(bits << (15 - width), FloatFormat::Half).value_or(0);
}
std::uint64_t encode_unsigned_float(double value, std::uint32_t width) {
  if (std::isnan(value)) return mask_of(width);
  if (!(value > 0)) return 0;
  // Rounded down to the mantissa, so that finite numbers stay finite.
  const std::uint32_t mantissa = width - 5;
  const std::uint64_t infinity = std::uint64_t{31} << mantissa;
  if (std::isinf(value)) return infinity;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int scale = std::max(exponent - 1, -14) - static_cast<int>(mantissa);
  const double units = std::nearbyint(std::ldexp(value, -scale));
  const auto biased = static_cast<std::uint64_t>(std::max(exponent - 1, -14) + 14);
  const std::uint64_t bits = (biased << mantissa) + static_cast<std::uint64_t>(units);
  return std::min(bits, infinity - 1);
}

FloatFormat float_format(std::uint32_t bits) {
  return bits == 16 ? FloatFormat::Half : bits == 32 ? FloatFormat::Single : FloatFormat::Double;
}

}  // namespace

const TexelFormat* find_texel_format(std::string_view name) {
  constexpr std::string_view prefix = "VK_FORMAT_";
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  const auto found = std::ranges::find(formats, name, &TexelFormat::name);
  return found == std::end(formats) ? nullptr : &*found;
}

std::string_view texel_format_of(ImageFormat format) {
  const auto found = std::ranges::find(named, format, &NamedFormat::format);
  return found == std::end(named) ? std::string_view() : found->name;
}

std::array<double, 4> decode_float(const TexelFormat& format, const std::byte* texel) {
  std::array<double, 4> value = {0, 0, 0, 1};
  std::uint32_t exponent = 0;
  if (format.has_shared_exponent) std::memcpy(&exponent, texel, 4);
  for (std::size_t i = 0; i < format.components; ++i) {
    const std::uint64_t bits = read_bits(format, texel, i);
    const std::uint32_t width = format.bits[i];
    const auto number = static_cast<double>(bits);
    switch (format.class_) {
      case Unorm: value[i] = number / static_cast<double>(mask_of(width)); break;
      case Srgb: value[i] = i == 3 ? number / 255 : from_srgb(number / 255); break;
      case Snorm:
        value[i] =
            std::max(static_cast<double>(sign_extended(bits, width)) / static_cast<double>(mask_of(width - 1)), -1.0);
        break;
      case Sfloat: value[i] = double_of(bits, float_format(width)).value_or(0); break;
      case Ufloat:
        value[i] = format.has_shared_exponent ? std::ldexp(number, static_cast<int>(exponent >> 27) - 24)
                                              : decode_unsigned_float(bits, width);
        break;
      default: value[i] = number; break;
    }
  }
  return value;
}

std::array<std::uint64_t, 4> decode_integer(const TexelFormat& format, const std::byte* texel) {
  std::array<std::uint64_t, 4> value = {0, 0, 0, 1};
  for (std::size_t i = 0; i < format.components; ++i) {
    const std::uint64_t bits = read_bits(format, texel, i);
    value[i] = format.class_ == Sint ? static_cast<std::uint64_t>(sign_extended(bits, format.bits[i])) : bits;
  }
  return value;
}

void encode_float(const TexelFormat& format, const std::array<double, 4>& value, std::byte* texel) {
  if (format.has_shared_exponent) {
    // Vulkan, "Shared Exponent to RGB": the largest component decides the exponent.
    const auto clamped = [&](std::size_t i) { return std::isnan(value[i]) ? 0.0 : std::clamp(value[i], 0.0, 65408.0); };
    const double largest = std::max({clamped(0), clamped(1), clamped(2)});
    int exponent = std::max(-16, largest > 0 ? static_cast<int>(std::floor(std::log2(largest))) : -16) + 16;
    if (std::floor(largest / std::ldexp(1.0, exponent - 24) + 0.5) == 512) ++exponent;
    for (std::size_t i = 0; i < 3; ++i)
      write_bits(format, texel, i,
                 static_cast<std::uint64_t>(std::floor(clamped(i) / std::ldexp(1.0, exponent - 24) + 0.5)));
    std::uint32_t word = 0;
    std::memcpy(&word, texel, 4);
    word = (word & 0x07FFFFFF) | static_cast<std::uint32_t>(exponent) << 27;
    std::memcpy(texel, &word, 4);
    return;
  }
  for (std::size_t i = 0; i < format.components; ++i) {
    const std::uint32_t width = format.bits[i];
    const double x = std::isnan(value[i]) ? 0 : value[i];
    const auto scaled = [&](double low, std::uint32_t bits) {
      return static_cast<std::uint64_t>(
          static_cast<std::int64_t>(std::nearbyint(std::clamp(x, low, 1.0) * static_cast<double>(mask_of(bits)))));
    };
    std::uint64_t bits = 0;
    switch (format.class_) {
      case Unorm: bits = scaled(0, width); break;
      case Snorm: bits = scaled(-1, width - 1); break;
      case Srgb:
        bits =
            i == 3 ? scaled(0, 8) : static_cast<std::uint64_t>(std::nearbyint(to_srgb(std::clamp(x, 0.0, 1.0)) * 255));
        break;
      case Sfloat: bits = bits_of(value[i], float_format(width)).value_or(0); break;
      case Ufloat: bits = encode_unsigned_float(value[i], width); break;
      default: break;
    }
    write_bits(format, texel, i, bits);
  }
}

void encode_integer(const TexelFormat& format, const std::array<std::uint64_t, 4>& value, std::byte* texel) {
  for (std::size_t i = 0; i < format.components; ++i) write_bits(format, texel, i, value[i]);
}

}  // namespace vireo::spirv
