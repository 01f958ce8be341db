// SPDX-License-Identifier: Apache-2.0
//
// The C interface of shrinking (vireo/vireo_transform.h).
#include "vireo/spirv/transform/shrink.h"

#include <span>
#include <utility>

#include "c/handles.h"
#include "vireo/vireo_transform.h"

using namespace vireo;
using namespace vireo::c;

vireo_status vireo_shrink(const std::uint32_t* words, std::size_t count, std::uint32_t flags,
                          const vireo_profile* profile, vireo_shrink_test test, void* user,
                          vireo_diagnostics* diagnostics, vireo_words** out) {
  constexpr std::uint32_t all = VIREO_SHRINK_ALLOW_INVALID | VIREO_SHRINK_NO_UNDEF;
  return create(out, is_span(words, count) && test != nullptr && (flags & ~all) == 0, [&] {
    const spirv::ValidateOptions validation = options_of(profile);
    spirv::ShrinkOptions options;
    options.grammar = validation.grammar;
    options.environment = validation.environment;
    options.features = validation.features;
    options.allow_invalid = (flags & VIREO_SHRINK_ALLOW_INVALID) != 0;
    options.no_undef = (flags & VIREO_SHRINK_NO_UNDEF) != 0;
    bool is_stopped = false;
    const auto ask = [&](std::span<spirv::ShrinkCandidate> candidates) {
      spirv::ShrinkCandidate& candidate = candidates.front();
      const int answer = test(user, candidate.words.data(), candidate.words.size());
      is_stopped |= answer < 0;
      candidate.verdict = answer < 0    ? spirv::ShrinkVerdict::Stop
                          : answer == 0 ? spirv::ShrinkVerdict::Uninteresting
                                        : spirv::ShrinkVerdict::Interesting;
    };
    Diagnostics found;
    Result<spirv::WordBuffer> result = spirv::shrink({words, count}, options, ask, found);
    add(diagnostics, found);
    if (!result) return VIREO_REPORTED;
    *out = new vireo_words{std::move(*result)};
    return is_stopped ? VIREO_STOPPED : VIREO_OK;
  });
}
