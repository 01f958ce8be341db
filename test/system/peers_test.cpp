// SPDX-License-Identifier: Apache-2.0
//
// The reference programs as oracles, if installed: identical words and text for our own modules.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>

#include "outside.h"
#include "spirv/grammar/special_cases.h"
#include "system/corpus.h"
#include "system/instance_builder.h"
#include "system/round_trip.h"
#include "vireo/spirv/binary/writer.h"

namespace vireo::system_test {
namespace {

/// Modules to compare: the shader of the repository, and every eighth instruction of the grammar with all its operands.
/// The reference programs reject instructions of newer grammars; those are not compared.
std::vector<WordBuffer> samples() {
  const spirv::Grammar& grammar = spirv::builtin_grammar();
  std::vector<WordBuffer> modules;
  Diagnostics diagnostics;
  const std::string text = bytes_of_file(outside::source_folder() / "data" / "spirv" / "mandelbrot.comp.spvasm");
  Result<WordBuffer> shader = spirv::assemble({"mandelbrot", text}, {}, diagnostics);
  if (shader) modules.push_back(std::move(shader).value());
  for (std::size_t i = 0; i < grammar.instructions.size(); i += 8) {
    modules.push_back(instance_of(grammar, grammar.instructions[i], {.optionals = 9, .stars = 2}));
  }
  return modules;
}

struct Style {
  std::string_view flags;
  spirv::DisassembleOptions options;
};
const Style styles[] = {
    {"", {}},
    {"--raw-id --no-indent", {.indent = false, .friendly_names = false}},
    {"--offsets --comment --nested-indent", {.offsets = true, .comments = true, .nested_indent = true}},
};

class Peers : public testing::Test {
 protected:
  void SetUp() override {
    const auto peers = outside::peers_folder();
    if (!peers) GTEST_SKIP() << outside::no_peers;
    programs_ = *peers / "bin";
    if (!std::filesystem::exists(programs_ / "spirv-dis")) GTEST_SKIP() << outside::no_peers;
    std::string pattern = (std::filesystem::temp_directory_path() / "vireo-peers-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  std::string call(std::string_view program, std::string_view flags, const std::filesystem::path& input, int& status) {
    return output_of(
        "'" + (programs_ / program).string() + "' " + std::string(flags) + " '" + input.string() + "' 2>/dev/null",
        status);
  }
  std::filesystem::path put(std::string_view name, std::string_view bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  std::filesystem::path programs_;
  std::filesystem::path folder_;
};

TEST_F(Peers, print_the_same_text) {
  std::size_t compared = 0;
  for (const WordBuffer& words : samples()) {
    const std::filesystem::path module = put("module.spv", spirv::bytes_of(words));
    for (const Style& style : styles) {
      int status = 0;
      const std::string theirs = call("spirv-dis", style.flags, module, status);
      if (status != 0) continue;
      std::string fault;
      EXPECT_EQ(text_of(words, style.options, fault), theirs) << style.flags;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100u);
  std::cout << "             " << compared << " texts compared\n";
}

TEST_F(Peers, make_the_same_words) {
  std::size_t compared = 0;
  for (const WordBuffer& words : samples()) {
    std::string fault;
    const std::string text = text_of(words, {}, fault);
    const std::filesystem::path file = put("module.spvasm", text);
    int status = 0;
    const std::string bytes = call("spirv-as", "--target-env spv1.6 -o -", file, status);
    if (status != 0) continue;
    WordBuffer theirs = words_of_bytes(bytes);
    Diagnostics diagnostics;
    const Result<WordBuffer> ours = spirv::assemble({"module", text}, {.version = {1, 6}}, diagnostics);
    ASSERT_TRUE(ours) << text;
    ASSERT_GE(theirs.size(), spirv::header_word_count);
    theirs[2] = (*ours)[2];  // the generator word may differ
    EXPECT_EQ(*ours, theirs) << text;
    ++compared;
  }
  EXPECT_GT(compared, 50u);
  std::cout << "             " << compared << " modules compared\n";
}

}  // namespace
}  // namespace vireo::system_test
