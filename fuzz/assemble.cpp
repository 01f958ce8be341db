// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: assembles any bytes as text. The result is a module, or diagnostics that point into the text.
//
// The input is the text, and its size selects the options. So all options are covered without a prefix,
// and real texts are usable as seeds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "vireo/spirv/text/assemble.h"

namespace {

void check(bool is_true) {
  if (!is_true) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  using namespace vireo::spirv;

  const std::vector<char> text(data, data + size);  // exact size: the sanitizer detects a read past the end
  AssembleOptions options;
  options.preserve_numeric_ids = (size & 1) != 0;
  options.exact = (size & 2) != 0;
  if ((size & 4) != 0) options.version = {1, 0};

  Diagnostics diagnostics;
  const Result<WordBuffer> plain = assemble({"text", {text.data(), text.size()}}, options, diagnostics);
  check(plain.ok() != diagnostics.has_errors());
  if (plain.ok()) check(plain->size() >= header_word_count && (*plain)[0] == magic_number);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    check(!diagnostic.message.empty() && !diagnostic.rule.empty());
    check(diagnostic.where.begin <= diagnostic.where.end && diagnostic.where.end <= size);
  }

  // With a source map the assembler takes the general path; the result must be the same.
  SourceMap map;
  Diagnostics again;
  const Result<WordBuffer> mapped = assemble({"text", {text.data(), text.size()}}, options, again, &map);
  check(mapped.ok() == plain.ok() && again.error_count() == diagnostics.error_count());
  if (plain.ok()) check(*mapped == *plain);
  for (const Token& token : map.tokens()) check(token.range().end <= size);
  return 0;
}
