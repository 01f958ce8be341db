// SPDX-License-Identifier: Apache-2.0
//
// Patterns of leaves with random other bits (random_words.h).
#include "isa/support/random_words.h"

#include <cstdlib>
#include <string>

#include "isa/vectors/vectors.h"
#include "vireo/isa/load.h"

namespace vireo::isa {

std::size_t number_from(const char* variable, std::size_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stoul(text);
}

Bits random_word(const Decoder& decoder, std::mt19937_64& random) {
  const Model& model = decoder.model();
  const auto roots = model.instruction_roots();
  const Bitset& root = model[roots[random() % roots.size()].root];
  const auto leaves = model.leaves(root);
  Bits word(root.size);
  const Bitset* leaf = nullptr;
  for (int tries = 0; tries < 100 && (leaf == nullptr || !leaf->gens.contains(decoder.gen())); ++tries)
    leaf = &model[leaves[random() % leaves.size()]];
  const bool is_sparse = random() % 3 == 0;
  for (std::size_t i = 0; i < word.words().size(); ++i) {
    BitWord noise = random();
    if (is_sparse) noise &= random() & random();
    word.data()[i] = (noise & ~leaf->care.data()[i] & ~leaf->dont_care.data()[i]) | leaf->match.data()[i];
  }
  if (word.width() % bits_per_word != 0) word.data()[word.words().size() - 1] &= low_mask(word.width() % bits_per_word);
  return word;
}

std::set<std::uint32_t> generations_of(const std::filesystem::path& description) {
  const LoadedModel loaded = load_model(description.string(), {.mesa_compat = true, .read = {}});
  std::set<std::uint32_t> gens;
  for (const Bitset& bitset : loaded.model.bitsets()) {
    gens.insert(bitset.own_gens.min);
    if (bitset.own_gens.max != ~std::uint32_t{0}) gens.insert(bitset.own_gens.max);
  }
  return gens;
}

std::vector<Described> teaching_isas() {
  std::vector<Described> found;
  for (const std::filesystem::path& description : teaching_descriptions()) {
    for (const std::uint32_t gen : generations_of(description))
      found.push_back({description, gen, description.stem() == "toy"});
  }
  return found;
}

}  // namespace vireo::isa
