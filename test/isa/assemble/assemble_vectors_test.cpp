// SPDX-License-Identifier: Apache-2.0
//
// Recorded vectors in reverse: text → words.
//
// The text of each vector is assembled. If the recording marks the word as the only correct one, the
// result must be this word. Otherwise any word with the same text is correct. The assembler has verified this already,
// but the test decodes the word again.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "isa/assemble/assemblers.h"
#include "isa/vectors/vectors.h"
#include "outside.h"
#include "support/json.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

Bits word_of_bytes(const std::vector<std::uint8_t>& bytes) {
  Bits word(static_cast<std::uint32_t>(bytes.size() * 8));
  for (std::size_t i = 0; i < bytes.size(); ++i) word.insert(static_cast<std::uint32_t>(i * 8), Bits(8, bytes[i]));
  return word;
}

// One assembler for each generation of a description.
class Assemblers {
 public:
  Assemblers(fs::path description, bool mesa_compat)
      : description_(std::move(description)), mesa_compat_(mesa_compat) {}
  BothWays& of(std::uint32_t gen) {
    std::unique_ptr<BothWays>& made = made_[gen];
    if (!made) made = std::make_unique<BothWays>(description_, gen, mesa_compat_);
    return *made;
  }

 private:
  fs::path description_;
  bool mesa_compat_;
  std::map<std::uint32_t, std::unique_ptr<BothWays>> made_;
};

TEST(TeachingIsas, assemble_to_words_with_the_same_text) {
  std::size_t count = 0;
  for (const fs::path& description : teaching_descriptions()) {
    Assemblers assemblers(description, description.stem() == "toy");
    for (const Vector& vector : read_vectors(vectors_of(description))) {
      std::string_view text = vector.text;
      text.remove_suffix(1);
      const bool is_word = text.find('\n') == std::string_view::npos && !vector.request.labels;
      if (!is_word || text.find("\t; ") != std::string_view::npos || text.starts_with("no match")) continue;
      if (text.empty()) continue;
      BothWays& both = assemblers.of(vector.request.gen);
      // A listener of the recording may have changed the text; then it is not the text of the word.
      if (both.clean_text(word_of_bytes(vector.bytes)) != text) continue;
      if (text.find(" | ") != std::string_view::npos)
        continue;  // five results of arithmetic, which the solver does not search
      const std::string hex = both.word_of(text);
      const auto word = parse_hex(hex, static_cast<std::uint32_t>(vector.bytes.size() * 8));
      ++count;
      ASSERT_TRUE(word.has_value()) << vector.where << ": " << text << ": " << hex;
      EXPECT_EQ(both.clean_text(*word), text) << vector.where;
    }
  }
  EXPECT_GT(count, 300u);
}

struct Recorded {
  std::string_view name;
  std::string_view description;
};
constexpr Recorded recorded[] = {{"ir3", "ir3.xml"}, {"afuc", "afuc.xml"}, {"etnaviv", "etnaviv.xml"}};

class RecordedTexts : public testing::TestWithParam<Recorded> {};

// Vectors marked `same_bits`: the assemblers of other tools and vendors give the same word.
TEST_P(RecordedTexts, assemble_to_the_recorded_bits) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  Assemblers assemblers(*shared / "isa/mesa" / GetParam().description, true);
  std::ifstream stream(*shared / "isa/vectors" / (std::string(GetParam().name) + ".jsonl"));
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line);) {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(line, fault);
    ASSERT_TRUE(document.has_value()) << fault.message;
    const JsonValue root = document->root();
    if (root.find("asm").text() != "same_bits") continue;
    ++count;
    const auto gen = static_cast<std::uint32_t>(root.find("gen").integer().value_or(0));
    EXPECT_EQ(assemblers.of(gen).word_of(root.find("text").text()), root.find("hex").text())
        << root.find("text").text();
  }
  EXPECT_GT(count, 50u);
}

// Random words with the texts that Mesa's decoder prints for them.
TEST_P(RecordedTexts, assemble_to_words_that_print_them) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  Assemblers assemblers(*shared / "isa/mesa" / GetParam().description, true);
  std::size_t count = 0;
  std::size_t missed = 0;
  for (const Vector& vector :
       read_vectors(*shared / "isa/vectors" / (std::string(GetParam().name) + "-generated.jsonl"))) {
    const std::string_view text = std::string_view(vector.text).substr(0, vector.text.size() - 1);
    if (text.find("\t; ") != std::string_view::npos || text.starts_with("no match")) continue;
    BothWays& both = assemblers.of(vector.request.gen);
    const auto word = parse_hex(both.word_of(text), static_cast<std::uint32_t>(vector.bytes.size() * 8));
    ++count;
    if (!word || both.clean_text(*word) != text) {
      ++missed;
      ADD_FAILURE() << vector.where << ": " << text << ": " << both.word_of(text);
    }
  }
  EXPECT_GT(count, 500u);
  EXPECT_EQ(missed, 0u);
}

INSTANTIATE_TEST_SUITE_P(Isas, RecordedTexts, testing::ValuesIn(recorded),
                         [](const auto& row) { return std::string(row.param.name); });

// --- firmware -----------------------------------------------------------------------------------------------------------

// Names of registers from the table of a firmware: `@NAME` and `%NAME`, followed by an offset.
class RegisterTable final : public PrintListener, public CustomReader {
 public:
  void load(const fs::path& file) {
    std::ifstream stream(file);
    std::string kind;
    std::string number;
    std::string name;
    while (stream >> kind >> number >> name) rows_.push_back({kind, std::stoull(number, nullptr, 16), name});
  }
  void custom(std::string_view field, std::uint64_t value, std::string& text) override {
    const std::string kind = kind_of(field);
    for (const Row& row : rows_) {
      if (row.kind != kind || row.value != value) continue;
      text += (kind == "sqe" ? "%" : "@") + row.name;
      return;
    }
    ThreeDigits().custom(field, value, text);
  }
  void read(std::string_view field, std::string_view text, std::vector<Reading>& readings) override {
    ThreeDigits().read(field, text, readings);
    const std::string kind = kind_of(field);
    for (const Row& row : rows_) {
      const std::string name = (kind == "sqe" ? "%" : "@") + row.name;
      if (row.kind != kind || !text.starts_with(name)) continue;
      readings.push_back({name.size(), row.value});
      if (text.substr(name.size()).starts_with("+1]")) readings.push_back({name.size() + 2, row.value + 1});
    }
  }
  [[nodiscard]] std::vector<std::vector<std::string>> packets() const {
    std::vector<std::vector<std::string>> names(128);
    for (const Row& row : rows_) {
      if (row.kind == "pm4") names.at(row.value).push_back(row.name);
    }
    for (std::size_t i = 0; i < names.size(); ++i) names[i].push_back("UNKN" + std::to_string(i));
    return names;
  }

 private:
  struct Row {
    std::string kind;
    std::uint64_t value;
    std::string name;
  };
  static std::string kind_of(std::string_view field) { return field.starts_with("SQE") ? "sqe" : "control"; }
  std::vector<Row> rows_;
};

struct Firmware {
  std::string_view name;
  std::uint32_t gen;
  std::string_view table;
};
// The second firmware also handles packets whose names are only in the tables of the first one.
constexpr Firmware firmware[] = {{"afuc_test", 6, "regs-6ee.tsv"}, {"afuc_test_a7xx", 7, "regs-730.tsv"}};

class FirmwareSources : public testing::TestWithParam<Firmware> {};

TEST_P(FirmwareSources, assemble_byte_for_byte) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const fs::path folder = *shared / "isa/vectors/afuc";
  const Firmware& row = GetParam();
  RegisterTable names;
  names.load(folder / row.table);
  RegisterTable packets = names;
  packets.load(folder / "regs-6ee.tsv");
  const LoadedModel loaded = load_model((*shared / "isa/mesa/afuc.xml").string(), {.mesa_compat = true, .read = {}});
  const Decoder decoder(loaded.model, {.gen = row.gen});
  Assembler assembler(decoder,
                      {.custom = &names, .listener = &names, .tables = {{".jumptbl", packets.packets(), "UNKN0"}}});
  const std::vector<std::uint8_t> wanted = read_bytes(folder / (std::string(row.name) + ".fw"));
  for (const std::string prefix : {"", "source_"}) {
    const std::vector<std::uint8_t> source = read_bytes(folder / (prefix + std::string(row.name) + ".asm"));
    Diagnostics diagnostics;
    const AssembledProgram program =
        assembler.assemble({reinterpret_cast<const char*>(source.data()), source.size()}, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      EXPECT_NE(diagnostic.severity, Severity::Error) << diagnostic.where.begin << ": " << diagnostic.message;
    }
    // A firmware file begins with a word that is not part of the program.
    const std::vector<std::uint8_t> bytes(program.bytes.begin(), program.bytes.end());
    EXPECT_EQ(bytes, std::vector<std::uint8_t>(wanted.begin() + 4, wanted.end())) << prefix << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Afuc, FirmwareSources, testing::ValuesIn(firmware),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace vireo::isa
