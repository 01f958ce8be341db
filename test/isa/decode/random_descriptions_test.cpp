// SPDX-License-Identifier: Apache-2.0
//
// Random descriptions: all decoders compared with the naive one, for combinations without a hand-written test.
//
// Hand-written descriptions use few features of the language together. Generated ones use all of them:
// overrides that read definitions of other overrides, cyclic derived fields, names that exist in some cases only,
// params that pass on params, bitsets passed as params. Names come from small pools, so that they coincide. Both sets
// of rules are tested, ours and Mesa's. The words of a description are printed as one program by one printer, so that
// its caches are tested as well.
//
// VIREO_RANDOM_DESCRIPTIONS sets the number of descriptions, VIREO_GENERATED_DESCRIPTIONS the number that is also
// tested as generated code, VIREO_RANDOM_SEED the first seed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "isa/support/disassemblers.h"
#include "isa/support/random_words.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

constexpr std::size_t default_descriptions = 150;
constexpr std::size_t default_generated = 2;
constexpr std::size_t words_of_a_program = 120;

// A field with a name of a pool always has the type of that pool, so no bitset can be passed into itself.
enum class Pool { Scalar, Small, Large };

class DescriptionMaker {
 public:
  explicit DescriptionMaker(std::uint64_t seed) : random_(seed) {}

  std::string run() {
    size_ = pick({16u, 32u, 48u, 64u, 96u, 160u});
    text_ = "<isa>\n<enum name='#e'><value val='0' display=''/><value val='1' display='.one'/>";
    text_ += "<value val='3' display='.three'/></enum>\n";
    root("#small", 4, Pool::Scalar);
    root("#large", 12, Pool::Small);
    root("#instruction", size_, Pool::Large);
    return text_ + "</isa>\n";
  }

  [[nodiscard]] unsigned size() const { return size_; }

 private:
  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }
  unsigned pick(std::initializer_list<unsigned> choices) {
    return choices.begin()[below(static_cast<unsigned>(choices.size()))];
  }

  static std::string number(unsigned value) { return std::to_string(value); }
  std::string scalar_name() { return "S" + number(below(6)); }
  // Bitsets are shown where they can be nested: large ones in instructions, small ones in both.
  std::string any_name(Pool largest) {
    if (largest >= Pool::Small && chance(4)) return "B" + number(below(2));
    if (largest == Pool::Large && chance(4)) return "A" + number(below(2));
    return scalar_name();
  }

  // For a declaration: a name that the case does not define yet.
  std::string unused(const std::string& pool, unsigned count) {
    std::string name = pool + number(below(count));
    if (!declared_.insert(name).second) {
      name = pool + "more" + number(static_cast<unsigned>(declared_.size()));
      declared_.insert(name);
    }
    return name;
  }

  std::string operand() {
    if (chance(3)) return number(below(4));
    if (chance(12)) return "ISA_GPU_ID()";
    return "{" + scalar_name() + "}";
  }
  std::string expression() {
    static constexpr const char* operators[] = {"==",   "!=",         "&amp;", "|", "+", "&lt;&lt;",
                                                "&gt;", "&amp;&amp;", "||",    "-", "*", "^"};
    std::string text = chance(6) ? "!" + operand() : operand();
    for (unsigned i = below(3); i > 0; --i) text += std::string(" ") + operators[below(12)] + " " + operand();
    if (chance(6)) text = "(" + text + ") " + operators[below(12)] + " " + operand();
    if (chance(8)) text = "(" + text + ") ? " + operand() + " : " + number(below(20));
    return text;
  }

  std::string scalar_type(unsigned width) {
    switch (below(width == 16 || width == 32 ? 10 : 9)) {
      case 0: return "type='int'";
      case 1: return "type='hex'";
      case 2: return "type='offset'";
      case 3: return "type='uoffset'";
      case 4: return "type='bool' display='(b)'";
      case 5: return "type='bool_inv' display='(i)'";
      case 6: return "type='#e'";
      case 7: return width <= 32 && chance(4) ? "type='branch'" : "type='bool' display=''";
      case 8: return "type='uint'";
      default: return "type='float'";
    }
  }

  std::string derived() {
    const unsigned width = pick({1u, 4u, 8u, 16u, 32u});
    return "<derived name='" + unused("S", 6) + "' width='" + number(width) + "' " + scalar_type(width) + "><expr>" +
           expression() + "</expr></derived>";
  }

  std::string params(Pool of) {
    std::string text;
    for (unsigned i = below(4); i > 0; --i) {
      const bool passes_bitset = of == Pool::Large && chance(3);
      const std::string outer = passes_bitset ? "B" + number(below(2)) : scalar_name();
      const std::string inner = passes_bitset ? "B" + number(below(2)) : scalar_name();
      text += "<param name='" + outer + "' as='" + inner + "'/>";
    }
    return text;
  }

  std::string field(unsigned low, unsigned width, Pool largest) {
    const std::string place = " low='" + number(low) + "' high='" + number(low + width - 1) + "' ";
    if (largest == Pool::Large && width == 12)
      return "<field name='" + unused("A", 2) + "'" + place + "type='#large'>" + params(Pool::Large) + "</field>";
    if (largest >= Pool::Small && width == 4 && !chance(3))
      return "<field name='" + unused("B", 2) + "'" + place + "type='#small'>" + params(Pool::Small) + "</field>";
    return "<field name='" + unused("S", 6) + "'" + place + scalar_type(width) + "/>";
  }

  // Fields that cover the bits 0 … size-1.
  void cover(unsigned size, Pool largest) {
    for (unsigned low = 0; low < size;) {
      unsigned width = pick({1u, 1u, 2u, 3u, 4u, 4u, 8u, 12u, 12u, 16u, 70u});
      width = std::min(width, size - low);
      text_ += field(low, width, largest);
      low += width;
    }
  }

  void display(Pool largest) {
    text_ += "<display>";
    for (unsigned i = below(6); i > 0; --i) {
      if (chance(8)) text_ += "{NAME}";
      else if (chance(12)) text_ += "{:align=" + number(below(30)) + "}";
      else text_ += "{" + any_name(largest) + (chance(12) ? ":align=" + number(below(30)) : "") + "}";
      if (chance(2)) text_ += ", ";
    }
    text_ += "</display>";
  }

  void overrides(unsigned size, Pool largest) {
    for (unsigned i = below(4); i > 0; --i) {
      declared_.clear();
      text_ += "<override><expr>" + expression() + "</expr>";
      if (chance(2)) display(largest);
      for (unsigned k = below(3); k > 0; --k) {
        if (chance(2)) {
          text_ += derived();
          continue;
        }
        const unsigned width = std::min(size, pick({1u, 2u, 4u, 4u, 12u}));
        text_ += field(below(size - width + 1), width, largest);
      }
      if (chance(5)) text_ += "<assert pos='" + number(below(size)) + "'>" + (chance(2) ? "0" : "1") + "</assert>";
      text_ += "</override>\n";
    }
  }

  // A root with overrides, and leaves that the two highest bits select; one combination can be missing.
  void root(const std::string& name, unsigned size, Pool largest) {
    text_ += "<bitset name='" + name + "' size='" + number(size) + "'>";
    overrides(size, largest);
    declared_.clear();
    for (unsigned i = below(3); i > 0; --i) text_ += derived();
    if (!chance(4)) display(largest);
    text_ += "</bitset>\n";
    for (unsigned leaf = 0; leaf < 4; ++leaf) {
      if (chance(6)) continue;
      text_ += "<bitset name='" + name.substr(1) + number(leaf) + "' extends='" + name + "'>";
      overrides(size, largest);
      declared_.clear();
      if (chance(2)) display(largest);
      for (unsigned i = below(3); i > 0; --i) text_ += derived();
      const std::string low_bit = chance(10) ? "x" : number(leaf & 1);
      text_ += "<pattern low='" + number(size - 2) + "' high='" + number(size - 1) + "'>" + number(leaf >> 1) +
               low_bit + "</pattern>";
      cover(size - 2, largest);
      text_ += "</bitset>\n";
    }
  }

  std::mt19937_64 random_;
  std::string text_;
  std::set<std::string> declared_;  // names in the current case
  unsigned size_ = 0;
};

std::vector<std::uint8_t> random_program(unsigned word_bits, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes;
  for (std::size_t word = 0; word < words_of_a_program; ++word) {
    const bool is_sparse = random() % 3 == 0;
    for (unsigned i = 0; i < word_bits / 8; ++i) {
      const std::uint64_t noise = is_sparse ? random() & random() & random() : random();
      bytes.push_back(static_cast<std::uint8_t>(noise));
    }
  }
  return bytes;
}

void check(const std::vector<Disassembler>& disassemblers, unsigned word_bits, std::uint64_t seed, Manner manner,
           const std::string& text) {
  for (const bool labels : {false, true}) {
    const Request request{.gen = static_cast<std::uint32_t>(seed % 3), .labels = labels};
    const std::vector<std::uint8_t> program = random_program(word_bits, seed);
    const std::string wanted = disassemblers[0].run(program, request);
    for (std::size_t i = 1; i < disassemblers.size(); ++i) {
      const std::string got = disassemblers[i].run(program, request);
      ASSERT_TRUE(got == wanted) << disassemblers[i].name << ", seed " << seed
                                 << (manner == Manner::Mesa ? ", mesa" : "") << (labels ? ", labels" : "")
                                 << difference(wanted, got) << "\n"
                                 << text;
    }
  }
}

/// Compares the disassemblers that `make` returns, for `count` descriptions.
void compare(std::size_t count, std::vector<Disassembler> (*make)(const std::filesystem::path&, Manner)) {
  const std::size_t first = number_from("VIREO_RANDOM_SEED", 1);
  std::size_t loaded = 0;
  for (std::size_t seed = first; seed < first + count; ++seed) {
    DescriptionMaker maker(seed);
    const std::string text = maker.run();
    // The test can run in several processes, and generated code is cached by the name of its description.
    const std::string name = "random-" + std::to_string(getpid()) + "-" + std::to_string(seed) + ".xml";
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / name;
    std::ofstream(file) << text;
    for (const Manner manner : {Manner::Clean, Manner::Mesa}) {
      // With our rules, two definitions of a name in one case (for example) are errors.
      if (!load_model_text("x", text, {.mesa_compat = manner == Manner::Mesa, .read = {}}).ok()) continue;
      ++loaded;
      check(make(file, manner), maker.size(), seed, manner, text);
      if (testing::Test::HasFatalFailure()) return;
    }
    std::filesystem::remove(file);
  }
  EXPECT_GT(loaded, count) << "too few descriptions were valid";
}

TEST(RandomDescriptions, all_decoders_print_the_same) {
  compare(number_from("VIREO_RANDOM_DESCRIPTIONS", default_descriptions), disassemblers_of);
}

// Each description needs four runs of a compiler.
TEST(RandomDescriptions, generated_code_prints_the_same) {
  compare(number_from("VIREO_GENERATED_DESCRIPTIONS", default_generated), all_disassemblers_of);
}

}  // namespace
}  // namespace vireo::isa
