// SPDX-License-Identifier: Apache-2.0
//
// Words of a module written as assembly, for tests of what is read from them. Numbers of ids are kept.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "vireo/spirv/assemble.h"

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
