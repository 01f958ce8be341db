// SPDX-License-Identifier: Apache-2.0
//
// Random words: all decoders compared with the naive one, including annotations.
//
// Half of the words are random bits. The other half is made from the patterns of leaves, so that they are
// valid: the fixed bits of a leaf with random other bits, or with few. They form programs, half of them printed with
// labels. All decoders must print the same: the naive one, the interpreter, generated C++ and generated C.
//
// VIREO_RANDOM_WORDS sets the number of words for each description and generation, VIREO_RANDOM_SEED the seed. Ten
// million, in two processes:
//
//   for i in 0 1; do
//     GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$i VIREO_RANDOM_WORDS=10000000 nice isa_test --gtest_filter='*RandomWords*' &
//   done; wait
//
// A word of ir3 takes about 17 microseconds of processor time in all decoders, a word of afuc 6, mostly in the naive
// one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "isa/naive/naive_decoder.h"
#include "isa/support/disassemblers.h"
#include "isa/support/random_words.h"
#include "isa/vectors/vectors.h"
#include "outside.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t default_program = 200;
constexpr std::size_t long_program = 2000;  // for many words, because a decoder is prepared for each program

// --- words ----------------------------------------------------------------------------------------------------------------

class WordMaker {
 public:
  WordMaker(const naive::Isa& isa, std::uint32_t gen, std::uint64_t seed) : isa_(isa), random_(seed) {
    for (const naive::InstructionRoot& row : isa.instruction_roots()) {
      for (const auto& bitset : isa.bitsets()) {
        const bool is_of_gen = bitset->gen_min <= gen && gen <= bitset->gen_max;
        if (bitset->is_leaf && &bitset->root() == row.root && is_of_gen) leaves_.push_back(bitset.get());
      }
    }
  }

  void append(std::vector<std::uint8_t>& bytes) {
    if (leaves_.empty() || chance(2)) {
      for (unsigned i = 0; i < isa_.unit() / 8; ++i) bytes.push_back(static_cast<std::uint8_t>(random_()));
      return;
    }
    const naive::Bitset& leaf = *leaves_[random_() % leaves_.size()];
    const bool is_sparse = chance(3);
    const bool keeps_rules = !chance(4);  // don't-care bits stay 0
    naive::Bits word = leaf.match;
    for (std::size_t i = 0; i < word.limbs.size(); ++i) {
      std::uint64_t noise = random_();
      if (is_sparse) noise &= random_() & random_();
      std::uint32_t open = ~leaf.mask.limbs[i];
      if (!keeps_rules) open |= leaf.dont_care.limbs[i];
      word.limbs[i] |= static_cast<std::uint32_t>(noise) & open;
    }
    if (chance(8)) flip_one_bit(word);
    for (unsigned i = 0; i < (word.width + 7) / 8; ++i) {
      const unsigned last = word.width - i * 8 < 8 ? (1u << (word.width - i * 8)) - 1 : 0xFF;
      bytes.push_back(static_cast<std::uint8_t>((word.limbs[i / 4] >> (8 * (i % 4))) & last));
    }
  }

  bool chance(unsigned one_in) { return random_() % one_in == 0; }

 private:
  void flip_one_bit(naive::Bits& word) {
    const auto at = static_cast<unsigned>(random_() % word.width);
    word.limbs[at / 32] ^= std::uint32_t{1} << (at % 32);
  }

  const naive::Isa& isa_;
  std::mt19937_64 random_;
  std::vector<const naive::Bitset*> leaves_;
};

std::string hex_of(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

/// Compares all decoders on random programs; stops at the first difference.
void compare(const fs::path& description, Manner manner, std::uint32_t gen) {
  SCOPED_TRACE(description.filename().string() + ", gen " + std::to_string(gen));
  const naive::Isa isa = naive::Isa::load(description);
  const std::vector<Disassembler> disassemblers = all_disassemblers_of(description, manner);
  ASSERT_GT(disassemblers.size(), 1u) << "nothing to compare the naive decoder with";
  WordMaker words(isa, gen, number_from("VIREO_RANDOM_SEED", 1) * 1000 + gen);
  const std::size_t count = number_from("VIREO_RANDOM_WORDS", usual_words);
  const std::size_t size = count > usual_words ? long_program : default_program;
  for (std::size_t done = 0; done < count; done += size) {
    std::vector<std::uint8_t> program;
    for (std::size_t i = 0; i < std::min(size, count - done); ++i) words.append(program);
    Request request{.gen = gen, .labels = words.chance(2)};
    request.custom = [](std::string_view field, std::uint64_t value) {
      return "<" + std::string(field) + " " + std::to_string(value) + ">";
    };
    const std::string wanted = disassemblers[0].run(program, request);
    for (std::size_t i = 1; i < disassemblers.size(); ++i) {
      const std::string got = disassemblers[i].run(program, request);
      ASSERT_TRUE(got == wanted) << disassemblers[i].name << (request.labels ? ", with labels" : "")
                                 << difference(wanted, got) << "\n  program, last word first: " << hex_of(program);
    }
  }
}

/// One generation of each range of generations with the same leaves.
std::set<std::uint32_t> alive_in(const fs::path& description) {
  std::set<std::uint32_t> generations = {0};
  const naive::Isa isa = naive::Isa::load(description);
  for (const auto& bitset : isa.bitsets()) {
    generations.insert(bitset->gen_min);
    if (bitset->gen_max != 0xFFFFFFFF) generations.insert(bitset->gen_max + 1);
  }
  return generations;
}

TEST(RandomWords, of_our_isas_print_the_same_in_all_decoders) {
  for (const fs::path& description : teaching_descriptions()) {
    // The toy follows Mesa's rules; it contains faults on purpose.
    const Manner manner = description.stem() == "toy" ? Manner::Mesa : Manner::Clean;
    for (const std::uint32_t gen : alive_in(description)) compare(description, manner, gen);
  }
}

class RandomWordsOfMesa : public testing::TestWithParam<Recorded> {};

TEST_P(RandomWordsOfMesa, print_the_same_in_all_decoders) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const fs::path description = *shared / "isa/mesa" / (std::string(GetParam().name) + ".xml");
  compare(description, Manner::Mesa, GetParam().gen);
}

std::string subject_name(const testing::TestParamInfo<Recorded>& info) {
  return std::string(info.param.name) + "_" + std::to_string(info.param.gen);
}

INSTANTIATE_TEST_SUITE_P(Isas, RandomWordsOfMesa, testing::ValuesIn(recorded), subject_name);

}  // namespace
}  // namespace vireo::isa
