// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: shrinks any words with any verdicts. If the module is valid, so is each candidate and the result. The last
// eight bytes determine the verdicts and the options.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "vireo/spirv/transform/shrink.h"
#include "vireo/spirv/validate/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  using namespace vireo::spirv;
  std::uint64_t verdicts = 0;
  if (size < sizeof verdicts) return 0;
  const std::size_t rest = size - sizeof verdicts;
  std::memcpy(&verdicts, data + rest, sizeof verdicts);
  WordBuffer words(rest / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(Word));

  const auto is_valid = [](Words module) {
    Diagnostics found;
    return validate(module, {}, found);
  };
  ShrinkOptions options;
  options.max_tests = 100;
  options.allow_invalid = verdicts % 4 == 3;
  options.no_undef = verdicts % 8 >= 4;
  options.candidates = 1 + verdicts % 3;
  const bool must_be_valid = !options.allow_invalid && is_valid(words);
  std::uint64_t state = verdicts;
  bool is_first = true;
  const ShrinkTest test = [&](std::span<ShrinkCandidate> candidates) {
    if (candidates.empty() || candidates.size() > options.candidates) std::abort();
    for (ShrinkCandidate& each : candidates) {
      if (must_be_valid && !is_valid(each.words)) std::abort();
      // Equal modules may get different verdicts: the library asks only once.
      state = state * 6364136223846793005u + 1442695040888963407u;
      each.verdict = is_first || state >> 62 != 0 ? ShrinkVerdict::Interesting : ShrinkVerdict::Uninteresting;
      if (state >> 50 == 0) each.verdict = ShrinkVerdict::Stop;
    }
    is_first = false;
  };
  Diagnostics diagnostics;
  const Result<WordBuffer> result = shrink(words, options, test, diagnostics);
  if (result.ok() == diagnostics.has_errors()) std::abort();
  if (!result) return 0;
  if (result->size() > words.size()) std::abort();
  if (must_be_valid && !is_valid(*result)) std::abort();
  return 0;
}
