// SPDX-License-Identifier: Apache-2.0
//
// Asks the caller's test, and remembers its verdicts (candidate_tester.h).
#include "spirv/transform/shrink/candidate_tester.h"

#include <algorithm>
#include <utility>

#include "vireo/spirv/validate.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {
namespace {

// 64 bits of FNV-1a over words, with a final mix. A collision only skips a candidate.
std::uint64_t hash_of(Words words) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const Word word : words) hash = (hash ^ word) * 0x100000001B3u;
  hash ^= hash >> 32;
  return (hash ^ words.size()) * 0x9E3779B97F4A7C15u;
}

bool is_valid(Words words, const ShrinkOptions& options) {
  ValidateOptions validation;
  validation.grammar = options.grammar;
  validation.environment = options.environment;
  validation.features = options.features;
  validation.max_findings = 1;
  Diagnostics found(1);
  return validate(words, validation, found);
}

}  // namespace

CandidateTester::CandidateTester(Words words, const ShrinkOptions& options, const ShrinkTest& test)
    : options_(options),
      test_(test),
      grammar_(options.grammar == nullptr ? builtin_grammar() : *options.grammar),
      width_(std::max<std::size_t>(options.candidates, 1)),
      must_be_valid_(!options.allow_invalid && is_valid(words, options)),
      words_before_(words.size()),
      best_(words.begin(), words.end()) {}

bool CandidateTester::is_permitted(Words candidate) {
  if (!must_be_valid_) return true;
  std::optional<bool>& answer = known(candidate).is_permitted;
  if (!answer) answer = is_valid(candidate, options_);
  return *answer;
}

CandidateTester::Known& CandidateTester::known(Words words) { return known_[hash_of(words)]; }

// Asks for the verdict on a candidate, and offers those that may come next.
void CandidateTester::ask(const WordBuffer& candidate, const std::vector<Make>& next) {
  std::vector<WordBuffer> guesses;
  guesses.reserve(next.size());
  for (const Make& make : next) {
    if (guesses.size() + 1 >= width_) break;
    std::optional<WordBuffer> guess = make();
    if (!guess || known(*guess).verdict != ShrinkVerdict::Unknown || !is_permitted(*guess)) continue;
    if (*guess == candidate || std::ranges::count(guesses, *guess) != 0) continue;
    guesses.push_back(std::move(*guess));
  }
  std::vector<ShrinkCandidate> candidates = {{candidate}};
  candidates.reserve(guesses.size() + 1);
  for (const WordBuffer& guess : guesses) candidates.push_back({guess});
  test_(candidates);
  for (const ShrinkCandidate& each : candidates) {
    if (each.verdict != ShrinkVerdict::Unknown && each.verdict != ShrinkVerdict::Stop) {
      known(each.words).verdict = each.verdict;
    }
  }
  // The search cannot go on without a verdict for the first one.
  const ShrinkVerdict first = candidates.front().verdict;
  is_stopped_ |= first == ShrinkVerdict::Stop || first == ShrinkVerdict::Unknown;
}

bool CandidateTester::test_original() {
  const WordBuffer original = best_;
  return is_interesting(original);
}

bool CandidateTester::is_interesting(const std::optional<WordBuffer>& candidate, const std::vector<Make>& next) {
  if (!candidate || is_stopped_) return false;
  const bool is_original = known_.empty();
  if (known(*candidate).verdict == ShrinkVerdict::Unknown) {
    if (!is_original && !is_permitted(*candidate)) return false;
    is_stopped_ = tested_ >= options_.max_tests;
    if (is_stopped_) return false;
    ask(*candidate, next);
  }
  Known& answer = known(*candidate);
  if (!answer.is_counted && answer.verdict != ShrinkVerdict::Unknown) {
    answer.is_counted = true;
    ++tested_;
  }
  const bool is_interesting = answer.verdict == ShrinkVerdict::Interesting;
  const bool is_better = is_interesting && candidate->size() <= best_.size() && *candidate != best_;
  if (is_better) best_ = *candidate;
  if (options_.progress) {
    options_.progress({.best = best_, .words_before = words_before_, .tested = tested_, .is_smaller = is_better});
  }
  return is_interesting;
}

}  // namespace vireo::spirv
