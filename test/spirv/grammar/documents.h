// SPDX-License-Identifier: Apache-2.0
//
// Grammar documents for tests: loading from a text or from a file.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"
#include "vireo/spirv/grammar/grammar_loader.h"

namespace vireo::spirv {

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream.good()) << "cannot read " << path;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

inline std::filesystem::path data_folder() { return outside::source_folder() / "test/spirv/grammar/data"; }

/// "severity path message" of each diagnostic.
inline std::string summary(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all()) {
    text.append(d.path).append(": ").append(d.message).append(" [").append(d.rule).append("]\n");
  }
  return text;
}

/// Loads files on top of a base; an error fails the test.
inline std::optional<GrammarData> load_files(const std::vector<std::filesystem::path>& paths, const Grammar* base) {
  std::vector<std::string> names;
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    names.push_back(path.string());
    texts.push_back(read_whole(path));
  }
  std::vector<GrammarFile> files;
  for (std::size_t i = 0; i < paths.size(); ++i) files.push_back({names[i], texts[i], ""});
  Diagnostics diagnostics;
  Result<GrammarData> data = load_grammar(files, base, diagnostics);
  EXPECT_EQ(summary(diagnostics), "");
  if (!data) return std::nullopt;
  return std::move(*data);
}

}  // namespace vireo::spirv
