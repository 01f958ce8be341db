// SPDX-License-Identifier: Apache-2.0
//
// TexelFormat: how texels are stored.
//
// Source: Vulkan, "Formats", "Numeric Format"; "Fixed-Point Data Conversions".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

enum class TexelClass : std::uint8_t { Unorm, Snorm, Uint, Sint, Sfloat, Ufloat, Srgb };

struct TexelFormat {
  std::string_view name;  ///< of Vulkan, without VK_FORMAT_
  TexelClass class_ = TexelClass::Unorm;
  std::uint8_t components = 4;
  std::array<std::uint8_t, 4> bits = {};   ///< of each component
  std::array<std::uint8_t, 4> shift = {};  ///< the lowest bit of each component in the texel
  std::uint8_t bytes = 0;                  ///< of a texel
  bool has_shared_exponent = false;
  [[nodiscard]] constexpr bool is_integer() const { return class_ == TexelClass::Uint || class_ == TexelClass::Sint; }
};

/// nullptr: the executor does not have the format.
const TexelFormat* find_texel_format(std::string_view name);
/// The format of Vulkan for one of OpTypeImage: "R32_UINT" for R32ui; empty for Unknown.
std::string_view texel_format_of(ImageFormat format);

/// The components of a texel; those that the format lacks are 0, 0, 1.
std::array<double, 4> decode_float(const TexelFormat& format, const std::byte* texel);
std::array<std::uint64_t, 4> decode_integer(const TexelFormat& format, const std::byte* texel);
/// Writes a texel. Numbers out of range are clamped; the low bits of integers are written.
void encode_float(const TexelFormat& format, const std::array<double, 4>& value, std::byte* texel);
void encode_integer(const TexelFormat& format, const std::array<std::uint64_t, 4>& value, std::byte* texel);

}  // namespace vireo::spirv
