// SPDX-License-Identifier: Apache-2.0
//
// Assembles the words of a module from text, for tests that read modules. Numeric ids are preserved.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "vireo/spirv/text/assemble.h"

namespace vireo::spirv::test {

inline WordBuffer assembled(std::string_view text) {
  Diagnostics diagnostics;
  AssembleOptions options;
  options.preserve_numeric_ids = true;
  Result<WordBuffer> words = assemble({"case", text}, options, diagnostics);
  EXPECT_TRUE(bool(words)) << text;
  return words ? std::move(words).value() : WordBuffer{};
}

}  // namespace vireo::spirv::test
