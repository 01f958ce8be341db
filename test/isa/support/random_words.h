// SPDX-License-Identifier: Apache-2.0
//
// Random words of a description.
//
// Words are made from the patterns of leaves with random other bits. VIREO_RANDOM_WORDS sets the number
// of words for each description and generation, VIREO_RANDOM_SEED the seed.
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

/// The default of VIREO_RANDOM_WORDS, and the number of failures that are shown.
inline constexpr std::size_t usual_words = 2000, shown_failures = 5;

/// A word of a random leaf, dense or sparse. Don't-care bits stay 0, because the decoder would annotate them.
Bits random_word(const Decoder& decoder, std::mt19937_64& random);

/// The generations at which a range of generations begins or ends.
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
