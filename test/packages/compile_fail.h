// SPDX-License-Identifier: Apache-2.0
//
// Code that must not compile: the compiler of this build checks a small source with our headers.
//
// Each source that must not compile differs in one line from one that compiles. Otherwise any misspelling
// would pass the test.
//
//   EXPECT_EQ(compile_fault(includes, "b.OpDecorate(id, Decoration::Block);"), "");
//   EXPECT_NE(compile_fault(includes, "b.OpDecorate(id, Decoration::Location);"), "");
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "command.h"

namespace vireo::packages {

/// The compiler's errors for a C++20 source; empty: it compiles. Only the syntax and semantics are checked, no file is
/// written.
inline std::string compile_fault(std::string_view before, std::string_view body) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("vireo_compiles_" + std::to_string(getpid()) + ".cpp");
  std::ofstream(path) << before << "void test() {\n" << body << "\n}\n";
  const Said said = run(VIREO_CXX_COMPILER " -std=c++20 -fsyntax-only -I" VIREO_SOURCE_DIR "/include " + path.string());
  std::filesystem::remove(path);
  return said.status == 0 ? std::string() : said.text + " ";
}

}  // namespace vireo::packages
