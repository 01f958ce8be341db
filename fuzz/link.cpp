// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: links any two modules. A result is valid if both modules were, and linking it again changes nothing. The
// last word has the options, and the number of words of the first module above them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/validate/validate.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

bool is_valid(Words words) {
  Diagnostics findings;
  return validate(words, {}, findings);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < sizeof(Word)) return 0;
  WordBuffer words(size / sizeof(Word));
  std::memcpy(words.data(), data, words.size() * sizeof(Word));
  const Word choice = words.back();
  words.pop_back();
  LinkOptions options;
  options.library = (choice & 1) != 0;
  options.partial = (choice & 2) != 0;
  options.only_needed = (choice & 4) != 0;
  options.use_highest_version = (choice & 8) != 0;
  options.allow_pointer_mismatch = (choice & 16) != 0;
  const std::size_t first = std::min<std::size_t>(choice >> 8, words.size());
  const LinkInput inputs[] = {{Words(words).first(first), "first"}, {Words(words).subspan(first)}};

  Diagnostics diagnostics;
  const Result<WordBuffer> linked = link(inputs, options, diagnostics);
  if (linked.ok() == diagnostics.has_errors()) std::abort();
  for (const Diagnostic& each : diagnostics.all()) {
    if (each.where.input > 1) std::abort();
  }
  if (!linked) return 0;
  // Calls with converted pointers are only as valid as the conversions, and a version may forbid what another permits.
  const bool keeps_validity = !options.allow_pointer_mismatch && !options.use_highest_version;
  if (keeps_validity && is_valid(inputs[0].words) && is_valid(inputs[1].words) && !is_valid(*linked)) std::abort();
  const LinkInput again[] = {{*linked}};
  Diagnostics found;
  const Result<WordBuffer> same = link(again, options, found);
  if (!same || *same != *linked) std::abort();
  return 0;
}
