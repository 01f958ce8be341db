// SPDX-License-Identifier: Apache-2.0
//
// Values for specialization constants (value_tables.h).
#include "spirv/transform/value_tables.h"

namespace vireo::spirv::naive {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
const bool is_slow_build = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
const bool is_slow_build = true;
#else
const bool is_slow_build = false;
#endif
#else
const bool is_slow_build = false;
#endif

std::vector<ScalarType> scalar_types(bool with_signed) {
  using enum ScalarType::Kind;
  std::vector<ScalarType> types = {{}};
  for (const unsigned width : {8u, 16u, 32u, 64u}) {
    types.push_back({.kind = Int, .width = width});
    if (with_signed) types.push_back({.kind = Int, .width = width, .is_signed = true});
  }
  for (const unsigned width : {16u, 32u, 64u}) types.push_back({.kind = Float, .width = width});
  return types;
}

// --- tables ----------------------------------------------------------------------------------------------------------

namespace {

using Table = std::vector<std::uint64_t>;

// clang-format off
// Each row: zeros, ones, 1.5, -2.5; the least and the greatest subnormal number; the least normal number, the greatest
// one and its negative; infinities; a quiet NaN and a signalling one; limits of integers and of narrower floats.
const Table halves = {0x0000, 0x8000, 0x3C00, 0xBC00, 0x3E00, 0xC100, 0x0001, 0x8001, 0x03FF, 0x0400, 0x7BFF, 0xFBFF,
                      0x7C00, 0xFC00, 0x7E00, 0xFC01, 0x57F8, 0x5800, 0x5C00, 0xB800, 0x3800, 0xD808};
const Table floats = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x3FC00000, 0xC0200000, 0x00000001, 0x80000001,
                      0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001,
                      0x4F000000, 0xCF000000, 0x4EFFFFFF, 0x5F800000, 0x477FEFFF, 0x477FF000, 0x33000000, 0x387FFFFF};
const Table doubles = {
    0x0000000000000000, 0x8000000000000000, 0x3FF0000000000000, 0xBFF0000000000000, 0x3FF8000000000000,
    0xC004000000000000, 0x0000000000000001, 0x8000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000,
    0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000,
    0xFFF0000000000001, 0x41E0000000000000, 0xC1E0000000200000, 0x43E0000000000000, 0xC3E0000000000000,
    0x43EFFFFFFFFFFFFF, 0x47EFFFFFEFFFFFFF, 0x47EFFFFFF0000000, 0x3690000000000001};
// clang-format on

std::uint64_t low_bits(std::uint64_t value, unsigned width) {
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

Table integers(unsigned width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  Table table = {0, 1, 2, 3, 7, 8, 31, 32, 63, 64, width - 1, width, width + 1, sign, sign - 1, sign + 1, sign >> 1};
  for (const std::uint64_t complement : {0, 1, 2}) table.push_back(low_bits(~complement, width));
  table.push_back(low_bits(0x5555555555555555, width));
  return table;
}

}  // namespace

const Table& extremes_of(ScalarType type) {
  static const Table booleans = {0, 1};
  static const Table of_integers[] = {integers(8), integers(16), integers(32), integers(64)};
  if (type.kind == ScalarType::Kind::Bool) return booleans;
  if (type.kind == ScalarType::Kind::Float) return type.width == 16 ? halves : type.width == 32 ? floats : doubles;
  return of_integers[type.width == 8 ? 0 : type.width == 16 ? 1 : type.width == 32 ? 2 : 3];
}

// --- random values ---------------------------------------------------------------------------------------------------

std::uint64_t random_value(ScalarType type, std::mt19937_64& random) {
  const Table& table = extremes_of(type);
  switch (random() % 4) {
    case 0: return table[random() % table.size()];
    case 1: return low_bits(table[random() % table.size()] + random() % 9 - 4, type.width);
    case 2: return low_bits(random(), type.width);
    default: return moderate_value(type, random);
  }
}

std::uint64_t moderate_value(ScalarType type, std::mt19937_64& random) {
  if (type.kind == ScalarType::Kind::Bool) return random() % 2;
  if (type.kind == ScalarType::Kind::Int) return 1 + random() % 7;
  // A random fraction, and an exponent from -1 to 6.
  const unsigned fraction = type.width == 16 ? 10 : type.width == 32 ? 23 : 52;
  const std::uint64_t bias = (std::uint64_t{1} << (type.width - 2 - fraction)) - 1;
  const std::uint64_t sign = random() % 2 << (type.width - 1);
  return sign | (bias - 1 + random() % 8) << fraction | low_bits(random(), fraction);
}

std::uint64_t near_half(ScalarType type, std::uint64_t half, std::mt19937_64& random) {
  const ScalarType half_type = {.kind = ScalarType::Kind::Float, .width = 16};
  const std::uint64_t wide = evaluate(Op::OpFConvert, type, {half_type, half}, {}).bits;
  const std::uint64_t half_unit = std::uint64_t{1} << (type.width == 32 ? 12 : 41);
  return low_bits(wide + random() % 3 * half_unit + random() % 5 - 2, type.width);
}

}  // namespace vireo::spirv::naive
