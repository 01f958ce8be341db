// SPDX-License-Identifier: Apache-2.0
//
// What an assembler remembers must not be seen: each line gives the word that a search gives.
//
// The one idea: one assembler that remembers, and one that always searches, since it is to name all encodings, read the same
// lines. The lines are texts of random words with other numbers and letters put in, over and over, so that most of them
// meet something remembered, and some of them its bounds. VIREO_RANDOM_LINES says how many of each description and
// generation.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "isa/assemblers.h"
#include "isa/random_words.h"
#include "outside.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t default_lines = 2000;
constexpr std::size_t lines_of_a_text = 24;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// A number near those that fields end at, or any other.
std::string other_number(std::mt19937_64& random) {
  const std::uint64_t bits = random() % 14;
  const std::uint64_t edge = std::uint64_t{1} << bits;
  switch (random() % 4) {
    case 0: return std::to_string(edge - 1);
    case 1: return std::to_string(edge);
    default: return std::to_string(random() % (random() % 8 == 0 ? 100'000 : 64));
  }
}

/// The line with some of its numbers and single letters exchanged.
std::string varied(const std::string& line, std::mt19937_64& random) {
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    if (is_digit(line[at])) {
      const std::size_t begin = at;
      while (at < line.size() && is_digit(line[at])) ++at;
      result += random() % 2 == 0 ? other_number(random) : line.substr(begin, at - begin);
      continue;
    }
    const bool is_alone = is_letter(line[at]) && at != 0 && line[at - 1] == '.' &&
                          (at + 1 == line.size() || (!is_letter(line[at + 1]) && !is_digit(line[at + 1])));
    result += is_alone && random() % 2 == 0 ? "xyzwabe"[random() % 7] : line[at];
    ++at;
  }
  return result;
}

std::string answer_of(BothWays& both, std::string_view text) {
  AssembledLine line;
  return both.assembler().assemble_line(text, line) ? to_hex(line.word) : std::string(line.fault.rule);
}

/// How many of the lines gave a word. Wrong ones fail the test.
std::size_t check_remembered(const fs::path& description, std::uint32_t gen, bool mesa_compat) {
  BothWays remembering(description, gen, mesa_compat);
  BothWays searching(description, gen, mesa_compat, true);
  std::mt19937_64 random(number_from("VIREO_RANDOM_SEED", 1) + gen);
  const std::size_t count = number_from("VIREO_RANDOM_LINES", default_lines);
  std::size_t words = 0;
  std::size_t failures = 0;
  for (std::size_t done = 0; done < count;) {
    const std::optional<std::string> text = remembering.clean_text(random_word(remembering.decoder(), random));
    if (!text) {
      ++done;  // a description may have nothing but such words
      continue;
    }
    for (std::size_t i = 0; i < lines_of_a_text && done < count; ++i, ++done) {
      const std::string line = i == 0 ? *text : varied(*text, random);
      const std::string found = answer_of(remembering, line);
      words += found.find('-') == std::string::npos ? 1 : 0;
      const std::string wanted = answer_of(searching, line);
      if (found == wanted || ++failures > shown_failures) continue;
      ADD_FAILURE() << description.filename() << ", gen " << gen << ", '" << line << "': " << found << ", but "
                    << wanted;
    }
  }
  EXPECT_EQ(failures, 0u);
  return words;
}

TEST(RememberedLines, give_what_a_search_gives_for_teaching_isas) {
  for (const Described& isa : teaching_isas())
    EXPECT_GT(check_remembered(isa.path, isa.gen, isa.mesa_compat), 0u) << isa.path;
}

class RememberedLinesOf : public testing::TestWithParam<Recorded> {};

TEST_P(RememberedLinesOf, give_what_a_search_gives) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const Recorded& row = GetParam();
  const std::size_t words = check_remembered(*shared / "isa/mesa" / (std::string(row.name) + ".xml"), row.gen, true);
  EXPECT_GT(words, 0u);
  RecordProperty("words", std::to_string(words));
}

INSTANTIATE_TEST_SUITE_P(Isas, RememberedLinesOf, testing::ValuesIn(recorded), [](const auto& row) {
  return std::string(row.param.name) + "_" + std::to_string(row.param.gen);
});

}  // namespace
}  // namespace vireo::isa
