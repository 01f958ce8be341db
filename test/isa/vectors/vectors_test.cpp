// SPDX-License-Identifier: Apache-2.0
//
// Every recorded answer, with every decoder.
//
// A file is a row of a table. The answers of the teaching descriptions are beside them in data/isa; the
// answers of Mesa's decoders are outside the repository, and without them those tests are skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/support/disassemblers.h"
#include "isa/vectors/vectors.h"
#include "outside.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

/// The number of differences shown for a file; the others are only counted.
constexpr std::size_t shown_differences = 8;

/// Checks all vectors of one description (`isa` empty: all of the file) and returns their number.
std::size_t check(const fs::path& description, const fs::path& file, Manner manner, std::string_view isa = "",
                  std::string_view text_key = "text") {
  const std::vector<Disassembler> disassemblers = all_disassemblers_of(description, manner);
  std::size_t count = 0;
  std::map<std::string, std::size_t> differences;
  for (const Vector& vector : read_vectors(file, text_key)) {
    if (!isa.empty() && vector.isa != isa) continue;
    ++count;
    for (const Disassembler& disassembler : disassemblers) {
      const std::string text = disassembler.run(vector.bytes, vector.request);
      if (text == vector.text) continue;
      if (++differences[disassembler.name] <= shown_differences) {
        ADD_FAILURE() << vector.where << ", " << disassembler.name << ", gen " << vector.request.gen << "\n  wanted "
                      << vector.text << "  got    " << text;
      }
    }
  }
  for (const auto& [name, number] : differences) ADD_FAILURE() << name << ": " << number << " of " << count;
  return count;
}

// --- ours ---------------------------------------------------------------------------------------------------------------

TEST(TeachingIsas, print_their_recorded_answers) {
  const std::vector<fs::path> descriptions = teaching_descriptions();
  ASSERT_FALSE(descriptions.empty());
  for (const fs::path& description : descriptions) {
    // The answers for the toy were recorded with Mesa's decoder and follow its rules for errors.
    const Manner manner = description.stem() == "toy" ? Manner::Mesa : Manner::Clean;
    EXPECT_GT(check(description, vectors_of(description), manner), 0u) << description;
  }
}

TEST(TeachingIsas, have_answers_unless_they_are_only_imported) {
  const std::set<std::string> imported = {"toy-inc.xml", "numbers-expressions.xml", "finch-operands.xml"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(outside::source_folder() / "data/isa")) {
    if (entry.path().extension() != ".xml" || imported.count(entry.path().filename().string()) != 0) continue;
    EXPECT_TRUE(fs::exists(vectors_of(entry.path()))) << entry.path();
  }
}

// --- Mesa's ---------------------------------------------------------------------------------------------------------------

struct RecordedWords {
  std::string_view description;  // below isa/
  std::string_view vectors;
  std::string_view isa;
  std::string_view text_key;
};

// clang-format off
constexpr RecordedWords recorded_words[] = {
    {"mesa/ir3.xml",     "vectors/ir3-generated.jsonl",     "ir3",     "text"},
    {"mesa/ir3.xml",     "vectors/ir3.jsonl",               "ir3",     "decoded"},
    {"mesa/ir3.xml",     "vectors/programs.jsonl",          "ir3",     "text"},
    {"mesa/afuc.xml",    "vectors/afuc-generated.jsonl",    "afuc",    "text"},
    {"mesa/afuc.xml",    "vectors/afuc.jsonl",              "afuc",    "text"},
    {"mesa/afuc.xml",    "vectors/programs.jsonl",          "afuc",    "text"},
    {"mesa/etnaviv.xml", "vectors/etnaviv-generated.jsonl", "etnaviv", "text"},
    {"mesa/etnaviv.xml", "vectors/etnaviv.jsonl",           "etnaviv", "decoded"},
    {"mesa/etnaviv.xml", "vectors/programs.jsonl",          "etnaviv", "text"},
    {"toy/toy.xml",      "toy/toy.jsonl",                   "toy",     "text"},
};
// clang-format on

class RecordedAnswers : public testing::TestWithParam<RecordedWords> {};

TEST_P(RecordedAnswers, are_printed_exactly) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const RecordedWords& row = GetParam();
  const fs::path folder = *shared / "isa";
  EXPECT_GT(check(folder / row.description, folder / row.vectors, Manner::Mesa, row.isa, row.text_key), 0u);
}

std::string recorded_name(const testing::TestParamInfo<RecordedWords>& info) {
  const fs::path vectors = info.param.vectors;
  std::string name = std::string(info.param.isa) + "_from_" + vectors.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Isas, RecordedAnswers, testing::ValuesIn(recorded_words), recorded_name);

}  // namespace
}  // namespace vireo::isa
