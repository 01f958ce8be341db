// SPDX-License-Identifier: Apache-2.0
//
// Random words: decode, assemble, decode again. The text must be the same.
//
// Words are made from the patterns of leaves with random other bits. Words that the decoder prints
// without an annotation must assemble. VIREO_RANDOM_WORDS sets the number of words for each description and generation,
// VIREO_RANDOM_SEED the seed.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "isa/assemble/assemblers.h"
#include "isa/support/random_words.h"
#include "outside.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

/// The text of `operators` contains only five results of arithmetic on 24 bits, which the solver does not search.
bool is_out_of_reach(const BothWays& both, const Bits& word) {
  const BitsetId leaf = both.decoder().match(both.model().instruction_roots().front().root, word.words());
  return leaf && both.model()[leaf].display_name == "operators";
}

// Whether the description marks the word as never assembled, so that even its text need not assemble.
bool is_never_made(BothWays& both, const Bits& word) {
  Decoded decoded;
  if (!both.decoder().decode(word, decoded)) return false;
  return std::any_of(decoded.scopes().begin(), decoded.scopes().end(), [&](const DecodedScope& scope) {
    return both.model().assembly_mark(both.model()[scope.leaf]) == AssemblyMark::Never;
  });
}

struct AssembleTally {
  std::size_t clean = 0;
  std::size_t same = 0;
};

AssembleTally check(const fs::path& description, std::uint32_t gen, bool mesa_compat) {
  BothWays both(description, gen, mesa_compat);
  std::mt19937_64 random(number_from("VIREO_RANDOM_SEED", 1) + gen);
  AssembleTally tally;
  const std::size_t count = number_from("VIREO_RANDOM_WORDS", usual_words);
  for (std::size_t i = 0; i < count; ++i) {
    const Bits word = random_word(both.decoder(), random);
    const std::optional<std::string> text = both.clean_text(word);
    if (!text || text->find_first_not_of(' ') == std::string::npos) continue;  // an empty line is not an instruction
    if (is_out_of_reach(both, word) || is_never_made(both, word)) continue;
    ++tally.clean;
    const std::string hex = both.word_of(*text);
    const std::optional<Bits> again = parse_hex(hex, word.width());
    if (again && both.clean_text(*again) == text) {
      ++tally.same;
    } else if (tally.clean - tally.same <= shown_failures) {
      ADD_FAILURE() << description.filename() << ", gen " << gen << ", " << to_hex(word) << ": " << *text << "\n  "
                    << hex;
    }
  }
  return tally;
}

TEST(AssemblerOnRandomWords, round_trips_text_of_teaching_isas) {
  for (const Described& isa : teaching_isas()) {
    const AssembleTally tally = check(isa.path, isa.gen, isa.mesa_compat);
    EXPECT_EQ(tally.same, tally.clean) << isa.path.filename() << ", gen " << isa.gen;
  }
}

class AssemblerOnRandomWordsOf : public testing::TestWithParam<Recorded> {};

TEST_P(AssemblerOnRandomWordsOf, round_trips_text) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const Recorded& row = GetParam();
  const AssembleTally tally = check(*shared / "isa/mesa" / (std::string(row.name) + ".xml"), row.gen, true);
  EXPECT_GT(tally.clean, 0u);
  EXPECT_EQ(tally.same, tally.clean);
  RecordProperty("clean", std::to_string(tally.clean));
}

INSTANTIATE_TEST_SUITE_P(Isas, AssemblerOnRandomWordsOf, testing::ValuesIn(recorded), [](const auto& row) {
  return std::string(row.param.name) + "_" + std::to_string(row.param.gen);
});

}  // namespace
}  // namespace vireo::isa
