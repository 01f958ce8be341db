// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: validates any words. The validator must terminate, and its result must agree with its diagnostics.
//
// A custom mutator changes the meaning of instructions, not bits (test/spirv/mutations.h). One seed in
// four, and any input that is not a module, still gets byte mutations, because meaningless bytes must be handled too.
// The last byte selects the environment.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "spirv/mutations.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/one_call/fixes.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/validate/validate.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace vireo;
using namespace vireo::spirv;

WordBuffer words_of(const std::uint8_t* data, std::size_t size) {
  WordBuffer words(size / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(Word));
  return words;
}

// With all fixes, the module has exactly the findings without a fix, also through its text.
void check_fixes(const WordBuffer& words, ValidateOptions options, std::size_t count) {
  options.fixes = true;
  Diagnostics found(200);
  validate(words, options, found);
  if (count < 200 && found.all().size() != count) std::abort();
  std::size_t expected = 0;
  for (const Diagnostic& finding : found.all()) expected += finding.fix.empty() ? 1 : 0;
  if (expected == found.all().size() || found.error_count() + found.warning_count() > found.all().size()) return;
  options.fixes = false;
  Diagnostics after(200);
  validate(apply_fixes(words, found.all()), options, after);
  if (after.all().size() != expected) std::abort();
  StringSink sink;
  Diagnostics problems;
  SourceMap map;
  if (!disassemble(words, {.friendly_names = false}, sink, problems)) return;
  const std::string text = std::move(sink).text();
  const AssembleOptions assembly{.preserve_numeric_ids = true, .exact = true};
  const Result<WordBuffer> assembled = assemble({"text", text}, assembly, problems, &map);
  if (!assembled || *assembled != words) return;
  if (!assemble({"fixed", apply_fixes(text, map, words, found.all())}, assembly, problems)) std::abort();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  WordBuffer words = words_of(data, size);
  Diagnostics diagnostics;
  if (seed % 4 == 0 || words.size() <= header_word_count || words[0] != magic_number) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  Mutations mutations(seed);
  words = mutations.apply(words);
  for (unsigned more = seed / 4 % 4; more != 0; --more) words = mutations.apply(words);
  const std::size_t bytes = words.size() * sizeof(Word);
  if (bytes + 1 > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, words.data(), bytes);
  data[bytes] = static_cast<std::uint8_t>(seed >> 8);
  return bytes + 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const WordBuffer words = words_of(data, size);
  ValidateOptions options;
  options.environment = environments()[data[size - 1] % environments().size()];
  Diagnostics diagnostics(200);
  const bool is_valid = validate(words, options, diagnostics);
  if (is_valid == diagnostics.has_errors()) std::abort();
  if (!diagnostics.all().empty()) check_fixes(words, options, diagnostics.all().size());
  return 0;
}
