// SPDX-License-Identifier: Apache-2.0
//
// shrink: finds a small module that is still interesting, for example one that still makes a compiler crash.
//
//   const ShrinkTest test = [&](std::span<ShrinkCandidate> candidates) {
//     candidates[0].verdict = crashes(candidates[0].words) ? ShrinkVerdict::Interesting : ShrinkVerdict::Uninteresting;
//   };
//   Result<WordBuffer> small = shrink(words, {}, test, diagnostics);
//
// A candidate keeps some instructions and everything on which they depend. A binary search over the
// instructions finds those that the test needs, so it takes few runs of the test. See docs/shrink.md.
//
// Source: specification 2.4 (logical layout), 2.11 (structured control flow), 2.16 (validation rules).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "vireo/spirv/environment.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

enum class ShrinkVerdict : std::uint8_t {
  Unknown,        ///< not tested; for the first candidate the same as Stop
  Uninteresting,  ///< the candidate does not show the behaviour
  Interesting,    ///< the candidate shows the behaviour
  Stop,           ///< shrink() must return its best module now
};

/// A module to test.
struct VIREO_API ShrinkCandidate {
  Words words;  ///< a whole module in host byte order; valid during the call
  ShrinkVerdict verdict = ShrinkVerdict::Unknown;
};

/// Tests candidates and sets their verdicts. The first candidate needs a verdict. The others are those that may come
/// next; a verdict for them is optional and saves a later call. There are at most ShrinkOptions::candidates.
using ShrinkTest = Function<void(std::span<ShrinkCandidate> candidates)>;

/// The state of a search.
struct VIREO_API ShrinkProgress {
  Words best;  ///< the smallest interesting module so far; valid during the call
  std::size_t words_before = 0;
  std::size_t tested = 0;    ///< candidates with a verdict, except those that the search did not need
  bool is_new_best = false;  ///< `best` has changed since the last call; it may be as large as before
};

/// Options of shrink().
struct VIREO_API ShrinkOptions {
  const Grammar* grammar = nullptr;  ///< nullptr: the built-in one; borrowed during the call
  /// If the module is valid in this environment, candidates that are not are never tested.
  Environment environment = {};
  FeatureSet features = {};
  bool allow_invalid = false;  ///< also tests invalid candidates
  /// Never inserts OpUndef. Operands can become constants in any case.
  bool no_undef = false;
  std::size_t candidates = 1;  ///< the most candidates of one call of the test
  /// After so many needed verdicts, shrink() returns its best module.
  std::size_t max_tests = SIZE_MAX;
  /// Called after each verdict that the search needs, also if an earlier call of the test gave it. Optional.
  Function<void(const ShrinkProgress&)> progress = {};
};

/// Returns the best module of the search, in host byte order. It is valid if `words` are, unless invalid
/// candidates are allowed. The result depends only on the module, the options other than `candidates`, and the verdicts, if
/// equal words always get equal verdicts. Shrinking the result again tests few candidates.
///
/// Errors: the header is invalid; an instruction cannot be decoded; the layout is invalid (an instruction in a wrong
/// section and an id beyond the bound are permitted); the verdict on the module itself is Uninteresting. After
/// ShrinkVerdict::Stop the best module so far is returned; that is no error.
///
/// A round takes about m · log2(n) tests if the test needs m of n instructions, and at most a number proportional to n.
/// Rounds repeat while the module gets smaller. Between two tests, a step makes and validates a bounded number of
/// candidates (some hundred), each in near-linear time.
VIREO_API Result<WordBuffer> shrink(Words words, const ShrinkOptions& options, const ShrinkTest& test,
                                    Diagnostics& diagnostics);

}  // namespace vireo::spirv
