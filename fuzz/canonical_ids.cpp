// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: canonical ids of any words. A second application must change nothing, other ids must give the same
// result, and a module that was valid must stay valid.
#include "vireo/spirv/transform/canonical_ids.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/validate/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  using namespace vireo::spirv;
  WordBuffer words(size / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(Word));
  Diagnostics diagnostics;
  const Result<WordBuffer> result = canonical_ids(words, diagnostics);
  if (result.ok() == diagnostics.has_errors()) std::abort();
  if (!result) return 0;
  const Result<WordBuffer> again = canonical_ids(*result, diagnostics);
  if (!again || *again != *result) std::abort();
  const Result<WordBuffer> compact = compact_ids(words, diagnostics);
  if (compact) {
    const Result<WordBuffer> of_compact = canonical_ids(*compact, diagnostics);
    if (!of_compact || *of_compact != *result) std::abort();
  }
  Diagnostics before, after;
  if (validate(words, {}, before) && !validate(*result, {}, after)) std::abort();
  return 0;
}
