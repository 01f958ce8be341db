// SPDX-License-Identifier: Apache-2.0
//
// shrink(): runs its steps until none of them makes the module smaller (vireo/spirv/transform/shrink.h).
#include "vireo/spirv/transform/shrink.h"

#include <array>
#include <cstddef>
#include <iterator>

#include "spirv/rules.h"
#include "spirv/transform/shrink/candidate_tester.h"
#include "spirv/transform/shrink/steps.h"
#include "spirv/transform/shrink/subject.h"

namespace vireo::spirv {
namespace {

// The steps of a round. The first ones remove the most, so that the others have little to do. Members precede
// declarations, because a structure without offsets keeps all members.
constexpr ShrinkStep steps[] = {
    cut_operands,
    tidy,
    fix_branches,
    flatten_loops,
    remove_members_of_structures,
    remove_declarations,
    simplify_capabilities,
    shorten_signatures,
    remove_sinks,
};

}  // namespace

Result<WordBuffer> shrink(Words words, const ShrinkOptions& options, const ShrinkTest& test, Diagnostics& diagnostics) {
  const Grammar& grammar = options.grammar == nullptr ? builtin_grammar() : *options.grammar;
  const Result<ShrinkSubject::Pointer> subject =
      ShrinkSubject::read(WordBuffer(words.begin(), words.end()), grammar, diagnostics);
  if (!subject) return subject.failure();
  CandidateTester tester(words, options, test);
  if (!tester.test_original() && !tester.is_stopped()) {
    return diagnostics.error(rule::not_interesting, Location::none(),
                             "the test returned Uninteresting for the input module; expected Interesting");
  }
  keep_needed_instructions(tester);
  // Each round ends with a smaller module, or is the last one. A step that did not change a module is not repeated for it.
  std::array<WordBuffer, std::size(steps)> unchanged;
  for (std::size_t size = words.size() + 1; tester.best().size() < size && !tester.is_stopped();) {
    size = tester.best().size();
    for (std::size_t s = 0; s < std::size(steps) && !tester.is_stopped(); ++s) {
      if (tester.best() == unchanged[s]) continue;
      unchanged[s] = tester.best();
      steps[s](tester);
      if (tester.best() != unchanged[s]) unchanged[s].clear();
    }
  }
  return tester.best();
}

}  // namespace vireo::spirv
