// SPDX-License-Identifier: Apache-2.0
//
// Generated packers and unpackers with mock IR: random words are unpacked and packed again, in both languages, without
// compiler warnings.
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <stdexcept>

#include "isa/generate/compiled.h"
#include "isa/support/flat.h"
#include "outside.h"
#include "vireo/isa/generate.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

using Generate = Result<std::string> (*)(const Model&, const GenerateOptions&, Diagnostics&);

std::string made(Generate generate, const Model& model, const GenerateOptions& options) {
  Diagnostics diagnostics;
  const Result<std::string> source = generate(model, options, diagnostics);
  if (!source) throw std::runtime_error(options.name + ": " + diagnostics.all()[0].message);
  return *source;
}

/// Includes `part.h` or `part.inc` of the tests' folder. The hash of the file makes the source change with it.
std::string included(const std::string& name) {
  const std::string text = text_of(outside::source_folder() / "test/isa/generate" / name);
  return "#include \"isa/generate/" + name + "\"\n// " + std::to_string(std::hash<std::string>{}(text)) + "\n";
}

/// Unpacks and packs the words of a description, with the mock IR of its name.
encoding_function repacker_of(const std::string& stem, const Model& model, bool is_cpp) {
  GenerateOptions options{.language = is_cpp ? GeneratedLanguage::Cpp : GeneratedLanguage::C, .name = "mock_pack"};
  std::string text = included("mock_ir/" + stem + ".h") + included("encoding_face.h");
  for (const std::string name : {"MOCK_PACK", "MOCK_UNPACK"}) {
    text += "#define " + name + "_STATE MOCK_STATE\n#define " + name + "_IMPLEMENTATION\n";
  }
  text += "#define MOCK_PACK_LABELS\n" + made(generate_packer, model, options);
  options.name = "mock_unpack";
  text += made(generate_unpacker, model, options);
  const std::string join = is_cpp ? "::" : "_##";
  text += "#define PACK(part) mock_pack" + join + "part\n#define UNPACK(part) mock_unpack" + join + "part\n";
  text += included("repack_adapter.inc");
  const SourceCode code{.stem = stem + "_packer",
                        .text = text,
                        .is_cpp = is_cpp,
                        .standard = is_cpp ? "-std=c++17" : "-std=c11",
                        .flags = strict_flags};
  return *static_cast<const encoding_function*>(compiled_symbol(code, "encoding_entry"));
}

Tally check_packer(const fs::path& description) {
  const LoadedModel loaded = load_model(description.string());
  EXPECT_TRUE(loaded.model.is_sound()) << description;
  Tally last;
  for (const bool is_cpp : {true, false}) {
    last = remake_random_words(loaded.model, repacker_of(description.stem().string(), loaded.model, is_cpp));
    EXPECT_EQ(last.failures, 0u) << description << last.shown;
    EXPECT_TRUE(last.missing.empty()) << *last.missing.begin();
  }
  return last;
}

// Leaf names → enumerators, as C++: the labels defined in section 3.1 of the language's description.
std::string labels_table(const Model& model) {
  std::string rows;
  std::set<std::string> known;
  for (const Bitset& leaf : model.bitsets()) {
    const Bitset& root = model[leaf.root];
    if (!leaf.is_leaf || root.encode_type.empty() || model.leaves(root).size() < 2) continue;
    std::string label(root.encode_prefix);
    for (const char c : model.text(leaf.name)) {
      if (c != '#')
        label.push_back(c == '.' || c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
    }
    const std::string name(model.text(leaf.name));
    if (known.insert(name).second) rows += "  {\"" + name + "\", " + label + "},\n";
  }
  return "static const std::map<std::string, int> labels = {\n" + rows + "};\n";
}

/// Packs words of a description from mock IR that the adapter fills.
encoding_function packer_of(const std::string& stem, const Model& model) {
  std::string text = included("mock_ir/" + stem + ".h") + included("encoding_face.h");
  text += "#define MOCK_PACK_IMPLEMENTATION\n#define MOCK_PACK_LABELS\n";
  text += made(generate_packer, model, {.name = "mock_pack"}) + labels_table(model) + included("fill_adapter.inc");
  // Without -Wconversion: a Cell is wider than the encode types of operands that are numbers.
  const SourceCode code{.stem = stem + "_packer",
                        .text = text,
                        .standard = "-std=c++17",
                        .flags = "-O0 -Wall -Wextra -Wpedantic -Wshadow -Werror"};
  return *static_cast<const encoding_function*>(compiled_symbol(code, "encoding_entry"));
}

TEST(GeneratedPacker, round_trips_words_of_the_teaching_isa) {
  EXPECT_GT(check_packer(outside::source_folder() / "data/isa/maps.xml").words, 0u);
}

// With instructions of three sizes and the structures of an example. All leaves of both generations are covered.
TEST(GeneratedPacker, round_trips_words_of_finch) {
  const Tally tally = check_packer(outside::source_folder() / "data/isa/finch.xml");
  EXPECT_GE(tally.leaves, 66u);
  EXPECT_EQ(tally.unrepresentable, 0u);
}

TEST(GeneratedPacker, round_trips_words_of_afuc) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const Tally tally = check_packer(*shared / "isa/mesa/afuc.xml");
  RecordProperty("words", std::to_string(tally.words));
}

class GeneratedPackerOf : public testing::TestWithParam<std::string_view> {};

// The display determines the packed fields; bits that it does not show may differ.
TEST_P(GeneratedPackerOf, packs_structures_filled_from_random_words) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::string stem(GetParam());
  const LoadedModel loaded = load_model((*shared / "isa/mesa" / (stem + ".xml")).string());
  const Tally tally = remake_random_words(loaded.model, packer_of(stem, loaded.model), Compared::Shown);
  EXPECT_EQ(tally.failures, 0u) << tally.shown;
  EXPECT_GT(tally.words, 2 * tally.unrepresentable);
  RecordProperty("words", std::to_string(tally.words));
  RecordProperty("unrepresentable", std::to_string(tally.unrepresentable));
}

INSTANTIATE_TEST_SUITE_P(Isas, GeneratedPackerOf, testing::Values("etnaviv", "ir3"),
                         [](const auto& row) { return std::string(row.param); });

}  // namespace
}  // namespace vireo::isa
