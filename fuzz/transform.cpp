// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: transforms of any words. A second application must change nothing, and a module that was valid must stay
// valid. The last byte selects the parts of strip and trim.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"
#include "vireo/spirv/validate/validate.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

template <typename Transform>
void check(Words words, const Transform& transform) {
  Diagnostics diagnostics;
  TransformReport report;
  const Result<WordBuffer> result = transform(words, diagnostics, report);
  if (result.ok() == diagnostics.has_errors()) std::abort();
  if (!result) return;
  if (report.words_before != words.size() || report.words_after != result->size()) std::abort();
  const Result<WordBuffer> again = transform(*result, diagnostics, report);
  if (!again || *again != *result) std::abort();
  Diagnostics before, after;
  if (validate(words, {}, before) && !validate(*result, {}, after)) std::abort();
}

// Values of specialization constants may make a module invalid; a folded one stays valid.
void check_specialization(Words words) {
  Diagnostics diagnostics;
  const SpecDefault value{.spec_id = 3, .value = WordBuffer{7}};
  if (const auto set = set_spec_defaults(words, {&value, 1}, {.skip_unfit_values = true}, diagnostics)) {
    const auto again = set_spec_defaults(*set, {&value, 1}, {.skip_unfit_values = true}, diagnostics);
    if (!again || *again != *set) std::abort();
  }
  if (const auto frozen = freeze_spec_constants(words, diagnostics)) {
    const auto again = freeze_spec_constants(*frozen, diagnostics);
    if (!again || *again != *frozen) std::abort();
  }
  const auto folded = fold_spec_constants(words, {}, diagnostics);
  Diagnostics before, after;
  if (folded && validate(words, {}, before) && !validate(*folded, {}, after)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  WordBuffer words(size / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(Word));
  const auto has = [&](unsigned bit) { return (data[size - 1] >> bit & 1) != 0; };
  const StripOptions parts{.debug = has(0), .names = has(1), .nonsemantic = has(2), .reflection = has(3)};
  check(words, [&](Words module, Diagnostics& diagnostics, TransformReport& report) {
    return strip(module, parts, diagnostics, &report);
  });
  const TrimOptions declarations{.capabilities = has(4), .extensions = has(5)};
  check(words, [&](Words module, Diagnostics& diagnostics, TransformReport& report) {
    return trim(module, declarations, diagnostics, &report);
  });
  // The second last byte selects parts of clean.
  const auto has_part = [&](unsigned bit) { return size > 1 && (data[size - 2] >> bit & 1) != 0; };
  const CleanOptions unused{.functions = has_part(0),
                            .branches = has_part(1),
                            .blocks = has_part(1),
                            .code = has_part(2),
                            .variables = has_part(3),
                            .types = has_part(4),
                            .constants = has_part(4),
                            .duplicate_types = has_part(5),
                            .duplicate_constants = has_part(5),
                            .members = has_part(6),
                            .compact_ids = has_part(7),
                            .canonical_ids = has(6),
                            .drop_bindings = has(7),
                            .drop_specs = has(7)};
  check(words, [&](Words module, Diagnostics& diagnostics, TransformReport& report) {
    return clean(module, unused, diagnostics, &report);
  });
  check_specialization(words);
  return 0;
}
