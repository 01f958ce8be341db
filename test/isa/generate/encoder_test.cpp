// SPDX-License-Identifier: Apache-2.0
//
// Generated encoders: the decoded fields of a random word, stored in the generated structs, encode to the same word.
//
// Different code generates encoder and decoder from one description, so the test compares them for each
// leaf in each generation. VIREO_RANDOM_WORDS sets the number of words for each leaf. encoding_faults_test.cpp tests
// invalid values.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "isa/generate/compiled.h"
#include "isa/support/flat.h"
#include "isa/vectors/vectors.h"
#include "outside.h"
#include "vireo/isa/generate.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

encoding_function encoder_of(const fs::path& description, const Model& model) {
  Diagnostics diagnostics;
  // Each one has its own namespace, because inline definitions of a header are shared in the whole process.
  const std::string name = "made_" + description.stem().string();
  const Result<std::string> source = generate_encoder(model, {.name = name}, diagnostics);
  if (!source) throw std::runtime_error("no encoder: " + diagnostics.all()[0].message);
  const std::string adapter = "namespace made = " + name + ";\n#include \"isa/generate/encoder_adapter.inc\"\n// " +
                              std::to_string(std::hash<std::string>{}(
                                  text_of(outside::source_folder() / "test/isa/generate/encoder_adapter.inc") +
                                  text_of(outside::source_folder() / "test/isa/generate/encoding_face.h"))) +
                              "\n";
  std::string macro = name;
  std::transform(macro.begin(), macro.end(), macro.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
  const bool is_large = source->size() > 100'000;
  const SourceCode code{.stem = description.stem().string() + "_encoder",
                        .text = "#define " + macro + "_IMPLEMENTATION\n" + *source + adapter,
                        .flags = is_large ? quick_flags : strict_flags};
  return *static_cast<const encoding_function*>(compiled_symbol(code, "encoding_entry"));
}

Tally check_encoder(const fs::path& description) {
  const LoadedModel loaded = load_model(description.string());
  EXPECT_TRUE(loaded.model.is_sound()) << description;
  const Tally tally = remake_random_words(loaded.model, encoder_of(description, loaded.model));
  EXPECT_EQ(tally.failures, 0u) << description << tally.shown;
  return tally;
}

TEST(GeneratedEncoder, round_trips_words_of_teaching_isas) {
  for (const fs::path& description : teaching_descriptions()) {
    const Tally tally = check_encoder(description);
    EXPECT_GT(tally.words, 0u) << description;
  }
}

class GeneratedEncoderOf : public testing::TestWithParam<std::string_view> {};

TEST_P(GeneratedEncoderOf, round_trips_random_words) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const Tally tally = check_encoder(*shared / "isa/mesa" / (std::string(GetParam()) + ".xml"));
  std::string missing;
  for (const std::string& name : tally.missing) missing += " " + name;
  EXPECT_GT(tally.leaves, 20 * tally.missing.size()) << missing;
  RecordProperty("words", std::to_string(tally.words));
  RecordProperty("leaves", std::to_string(tally.leaves));
}

INSTANTIATE_TEST_SUITE_P(Isas, GeneratedEncoderOf, testing::Values("afuc", "etnaviv", "ir3"),
                         [](const auto& row) { return std::string(row.param); });

}  // namespace
}  // namespace vireo::isa
