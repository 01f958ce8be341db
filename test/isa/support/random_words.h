// SPDX-License-Identifier: Apache-2.0
//
// Words of a description, made at random.
//
// The one idea: words are made from the patterns of leaves with random other bits. How many of each description and
// generation are tried is said by VIREO_RANDOM_WORDS, from which seed by VIREO_RANDOM_SEED.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <set>
#include <string_view>
#include <vector>

#include "vireo/isa/isa.h"

namespace vireo::isa {

std::size_t number_from(const char* variable, std::size_t otherwise);

/// How many are tried where VIREO_RANDOM_WORDS says nothing, and how many of those that fail are shown.
inline constexpr std::size_t usual_words = 2000, shown_failures = 5;

/// A word of a random leaf, dense or sparse; bits that do not count stay 0, as the decoder would remark on them.
Bits random_word(const Decoder& decoder, std::mt19937_64& random);

/// The generations at which something begins or ends.
std::set<std::uint32_t> generations_of(const std::filesystem::path& description);

/// The descriptions of the repository that have vectors, at each of their generations.
struct Described {
  std::filesystem::path path;
  std::uint32_t gen;
  bool mesa_compat;
};
std::vector<Described> teaching_isas();

/// The generations of the recorded instruction sets.
struct Recorded {
  std::string_view name;
  std::uint32_t gen;
};
inline constexpr Recorded recorded[] = {{"ir3", 300}, {"ir3", 400}, {"ir3", 500}, {"ir3", 600},  {"ir3", 700},
                                        {"afuc", 5},  {"afuc", 6},  {"afuc", 7},  {"etnaviv", 0}};

}  // namespace vireo::isa
