// SPDX-License-Identifier: Apache-2.0
//
// Rows of tests of specialization constants: a module before and after a transform.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::spirv::spec_constants_test {

inline WordBuffer words_of(std::string_view text) {
  Diagnostics diagnostics;
  AssembleOptions options;
  options.preserve_numeric_ids = true;
  Result<WordBuffer> words = assemble({"case", text}, options, diagnostics);
  EXPECT_TRUE(bool(words)) << text << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  return words ? std::move(words).value() : WordBuffer{};
}

inline std::string text_of(Words words) {
  DisassembleOptions options;
  options.header = false;
  options.indent = false;
  options.friendly_names = false;
  Diagnostics diagnostics;
  StringSink sink;
  disassemble(words, options, sink, diagnostics);
  return std::move(sink).text();
}

struct Row {
  std::string_view name;
  std::string_view before;
  std::string_view after;  ///< empty: no change
};

// The instructions of the result are those of `after`; the bound is above all of its ids.
template <typename Transform>
void check(const Row& row, std::string_view prefix, const Transform& transform) {
  const WordBuffer before = words_of(std::string(prefix) + std::string(row.before));
  const WordBuffer after = words_of(std::string(prefix) + std::string(row.after.empty() ? row.before : row.after));
  Diagnostics diagnostics;
  const Result<WordBuffer> result = transform(before, diagnostics);
  ASSERT_TRUE(bool(result)) << row.name << ": " << diagnostics.all().front().message;
  EXPECT_EQ(text_of(*result), text_of(after)) << row.name;
  EXPECT_GE((*result)[3], after[3]) << row.name;
  const Result<WordBuffer> again = transform(*result, diagnostics);
  ASSERT_TRUE(bool(again)) << row.name;
  EXPECT_EQ(*again, *result) << row.name;
}

}  // namespace vireo::spirv::spec_constants_test
