// SPDX-License-Identifier: Apache-2.0
//
// Vectors generated from descriptions: they cover every leaf and case, and replaying them succeeds.
#include "vireo/isa/vectors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "isa/model/rules.h"
#include "isa/vectors/vectors.h"
#include "outside.h"
#include "vireo/isa/isa.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

// The generations at which a range begins or ends, and 0.
std::set<std::uint32_t> gens_of(const Model& model) {
  std::set<std::uint32_t> gens{0};
  for (const Bitset& bitset : model.bitsets()) {
    gens.insert(bitset.gens.min);
    if (bitset.gens.max != GenRange{}.max) gens.insert(bitset.gens.max);
  }
  return gens;
}

// Roots that a shown field uses, so that their leaves can occur in a word.
std::set<std::uint32_t> roots_in_use(const Model& model) {
  std::set<std::uint32_t> roots;
  for (const InstructionRoot& row : model.instruction_roots()) roots.insert(row.root.raw);
  for (const Field& field : model.rows().fields) {
    if (field.type == FieldType::Bitset) roots.insert(field.bitset.raw);
  }
  return roots;
}

struct Made {
  std::string lines;
  std::set<std::uint32_t> leaves;  // of all scopes, also nested ones
  std::set<std::uint32_t> cases;   // whose display was shown
  std::size_t count = 0;
};

void make(const Model& model, std::uint32_t gen, bool mesa_compat, bool includes_faulty_words, Made& made) {
  const Decoder decoder(model, {.gen = gen, .mesa_compat = mesa_compat});
  Decoded decoded;
  make_vectors(decoder, {.includes_faulty_words = includes_faulty_words}, [&](const TestVector& vector) {
    append_json_line(made.lines, vector);
    ++made.count;
    ASSERT_TRUE(decoder.decode(vector.word, decoded));
    EXPECT_EQ(model.text(model[decoded.instruction().leaf].name), vector.leaf);
    EXPECT_TRUE(includes_faulty_words || decoded.faults().empty()) << vector.text;
    for (const DecodedScope& scope : decoded.scopes()) {
      made.leaves.insert(scope.leaf.raw);
      if (scope.display) made.cases.insert(scope.display.raw);
    }
  });
}

TEST(MadeVectors, cover_every_leaf_and_replay) {
  for (const fs::path& path : teaching_descriptions()) {
    const bool is_toy = path.stem() == "toy";  // its words were recorded by Mesa's decoder
    const LoadedModel loaded = load_model(path.string(), {.mesa_compat = is_toy, .read = {}});
    ASSERT_TRUE(loaded.ok()) << path;
    Made made;
    for (const std::uint32_t gen : gens_of(loaded.model)) make(loaded.model, gen, is_toy, true, made);
    const std::set<std::uint32_t> roots = roots_in_use(loaded.model);
    for (const Bitset& leaf : loaded.model.bitsets()) {
      if (!leaf.is_leaf || leaf.gens.is_empty() || !roots.contains(leaf.root.raw)) continue;
      const bool is_shown = made.leaves.contains(loaded.model.id_of(leaf).raw);
      // These descriptions have unreachable leaves on purpose.
      const std::string name(loaded.model.text(leaf.name));
      EXPECT_TRUE(is_shown || path.stem() == "faults" || is_toy) << path << ": " << name;
    }
    Diagnostics diagnostics;
    const Replay replay = replay_vectors(loaded.model, is_toy, made.lines, diagnostics);
    EXPECT_EQ(replay.held, made.count) << path;
    EXPECT_EQ(replay.differ + replay.skipped, 0u);
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << path << ": " << diagnostic.message;
  }
}

TEST(MadeVectors, show_fields_at_their_limits_and_overrides_both_ways) {
  const LoadedModel loaded = load_model((outside::source_folder() / "data/isa/spellings.xml").string());
  Made made;
  make(loaded.model, 0, false, false, made);
  for (const std::string_view text :
       {"add r0, r0",    "add r7, r0",    "add r0, r1",           // rows of an enum
        "b.ne 0",        "b3 0",          "b7 0",                 // and numbers that are not in the enum
        "b -1",          "b 127",         "b -128",     "b 1",    // both signs
        "cmp #7, r0",    "cmp r5, r0",    "cmp r0, #3",           // leaves of a nested root, and their fields
        "wait 0",        "wait 255",      "mul r3",     "jr r7",  // overrides that are selected or not
        "get r0, 0x0ff", "get r0, 0x080", "halt"}) {              // numbers of custom fields; a leaf marked `never`
    EXPECT_NE(made.lines.find("\"text\":\"" + std::string(text) + "\""), std::string::npos) << text;
  }
  const Bitset& wait = loaded.model[loaded.model.find_bitset("wait")];
  for (const Case& row : loaded.model.cases(wait)) EXPECT_TRUE(made.cases.contains(loaded.model.id_of(row).raw));
  EXPECT_NE(made.lines.find(R"({"gen":0,"hex":"1080","text":"add r0, r0","leaf":"add","asm":"same_bits"})"),
            std::string::npos);
  EXPECT_NE(made.lines.find(R"({"gen":0,"hex":"1000","text":"add r0, r0","leaf":"add","asm":"same_text"})"),
            std::string::npos);
  EXPECT_NE(made.lines.find(R"({"gen":0,"hex":"6000","text":"halt","leaf":"halt"})"), std::string::npos);
}

TEST(MadeVectors, are_deterministic_and_few) {
  for (const fs::path& path : teaching_descriptions()) {
    const LoadedModel loaded = load_model(path.string(), {.mesa_compat = true, .read = {}});
    Made first;
    Made second;
    make(loaded.model, 0, true, true, first);
    make(load_model(path.string(), {.mesa_compat = true, .read = {}}).model, 0, true, true, second);
    EXPECT_EQ(first.lines, second.lines) << path;
    EXPECT_LE(first.count, loaded.model.bitsets().size() * 2048);
  }
}

TEST(ReplayedVectors, report_each_difference) {
  const LoadedModel loaded = load_model((outside::source_folder() / "data/isa/spellings.xml").string());
  const struct {
    std::string_view line;
    std::string_view rule;  // empty: passes
    std::string_view message;
  } rows[] = {
      {R"({"gen": 0, "hex": "4ff9", "text": "inc r1", "asm": "same_bits"})", "", ""},
      {R"({"hex": "3001", "text": "inc r1", "asm": "same_text"})", "", ""},
      {R"({"hex": ["9008", "4ff9"], "text": "b l1\nl1:\ninc r1\n", "options": ["-l"]})", "", ""},
      {R"({"hex": ["3001"], "text": "", "options": ["-n"]})", "", ""},  // skipped
      {R"({"hex": "3001", "text": "inc r1", "asm": "same_bits"})", rule::vector_differs,
       "'inc r1' assembles to 4ff9; expected 3001"},
      {R"({"hex": "3001", "text": "inc r2"})", rule::vector_differs, "the word prints as 'inc r1'; expected 'inc r2'"},
      {R"({"hex": "6000", "text": "halt", "asm": "same_text"})", rule::vector_differs,
       "'halt' cannot be assembled: unknown instruction 'halt'"},
      {R"({"hex": "xyz", "text": ""})", rule::malformed_input, "expected hexadecimal digits in 'hex'"},
      {R"({"text": ""})", rule::malformed_input, "expected an object with 'hex' and 'text'"},
      {R"([1, 2])", rule::malformed_input, "expected an object with 'hex' and 'text'"},
  };
  std::string lines;
  std::vector<std::size_t> begins;
  for (const auto& row : rows) {
    begins.push_back(lines.size());
    lines.append(row.line).append("\n");
  }
  Diagnostics diagnostics;
  const Replay replay = replay_vectors(loaded.model, false, lines, diagnostics);
  EXPECT_EQ(replay.held, 3u);
  EXPECT_EQ(replay.skipped, 1u);
  EXPECT_EQ(replay.differ, 6u);
  std::size_t at = 0;
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    if (rows[i].rule.empty()) continue;
    ASSERT_LT(at, diagnostics.all().size());
    const Diagnostic& found = diagnostics.all()[at++];
    EXPECT_EQ(found.rule, rows[i].rule) << rows[i].line;
    EXPECT_EQ(found.message, rows[i].message);
    EXPECT_EQ(found.where.begin, begins[i]);
  }
}

TEST(ReplayedVectors, of_the_teaching_descriptions_pass) {
  for (const fs::path& path : teaching_descriptions()) {
    const bool is_toy = path.stem() == "toy";
    const LoadedModel loaded = load_model(path.string(), {.mesa_compat = is_toy, .read = {}});
    fs::path answers = path;
    Diagnostics diagnostics;
    const std::vector<std::uint8_t> lines = read_bytes(answers.replace_extension(".jsonl"));
    const Replay replay =
        replay_vectors(loaded.model, is_toy, {reinterpret_cast<const char*>(lines.data()), lines.size()}, diagnostics);
    EXPECT_GT(replay.held, 5u) << path;
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << path << ": " << diagnostic.message;
  }
}

}  // namespace
}  // namespace vireo::isa
