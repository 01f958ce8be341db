// SPDX-License-Identifier: Apache-2.0
//
// The door for assembly text: any bytes give a module or diagnostics that point into the text.
//
// The one idea: the input is the text; its size picks the options, so that all of them are reached without a header
// that would make real texts useless as seeds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "vireo/spirv/assemble.h"

namespace {

void check(bool is_true) {
  if (!is_true) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  using namespace vireo::spirv;

  const std::vector<char> text(data, data + size);  // ends where it ends: a read behind it is seen
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

  // With a source map everything takes the general path; nothing else may differ.
  SourceMap map;
  Diagnostics again;
  const Result<WordBuffer> mapped = assemble({"text", {text.data(), text.size()}}, options, again, &map);
  check(mapped.ok() == plain.ok() && again.error_count() == diagnostics.error_count());
  if (plain.ok()) check(*mapped == *plain);
  for (const Token& token : map.tokens()) check(token.range().end <= size);
  return 0;
}
