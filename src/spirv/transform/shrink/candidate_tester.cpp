// SPDX-License-Identifier: Apache-2.0
//
// Asks the caller's test, and remembers its verdicts (candidate_tester.h).
#include "spirv/transform/shrink/candidate_tester.h"

#include <algorithm>
#include <utility>

#include "support/key_hash.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {
namespace {

// The guesses that are kept for a later need, for each candidate of one call of the test.
constexpr std::size_t kept_guesses = 4;

std::uint64_t hash_of(Words words) {
  KeyHash hash;
  hash.add(words.size());
  for (const Word word : words) hash.add(word);
  return hash.value();
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
    if (each.verdict == ShrinkVerdict::Unknown || each.verdict == ShrinkVerdict::Stop) continue;
    known(each.words).verdict = each.verdict;
  }
  for (std::size_t g = 0; g < guesses.size(); ++g) {
    if (candidates[g + 1].verdict == ShrinkVerdict::Interesting) guesses_.push_back(std::move(guesses[g]));
  }
  // A dropped guess is tested again if the search needs it.
  const std::size_t limit = kept_guesses * width_;
  if (guesses_.size() > limit) guesses_.erase(guesses_.begin(), guesses_.end() - static_cast<std::ptrdiff_t>(limit));
  // The search cannot go on without a verdict for the first one.
  const ShrinkVerdict first = candidates.front().verdict;
  is_stopped_ |= first == ShrinkVerdict::Stop || first == ShrinkVerdict::Unknown;
}

// Removes a candidate from the guesses. Returns whether it was one.
bool CandidateTester::take_guess(const WordBuffer& candidate) {
  const auto guess = std::ranges::find(guesses_, candidate);
  if (guess == guesses_.end()) return false;
  guesses_.erase(guess);
  return true;
}

bool CandidateTester::is_improvement(const WordBuffer& candidate) const {
  return candidate.size() <= best_.size() && candidate != best_;
}

bool CandidateTester::test_original() {
  const WordBuffer original = best_;
  return decide(original, {}, Source::Original);
}

bool CandidateTester::is_interesting(const std::optional<WordBuffer>& candidate, const std::vector<Make>& next) {
  return candidate && !is_stopped_ && decide(*candidate, next, Source::Step);
}

bool CandidateTester::decide(const WordBuffer& candidate, const std::vector<Make>& next, Source source) {
  const Known before = known(candidate);
  // Known verdicts are found by a hash, and hashes can collide. So a module becomes the best one only if these words
  // were tested: now, or as a guess.
  bool is_improvable = false;
  bool must_ask = before.verdict == ShrinkVerdict::Unknown;
  if (before.verdict == ShrinkVerdict::Interesting && !before.is_counted && is_improvement(candidate)) {
    is_improvable = take_guess(candidate);
    must_ask = !is_improvable;
  }
  if (must_ask) {
    if (source == Source::Step && !is_permitted(candidate)) return false;
    is_stopped_ = tested_ >= options_.max_tests;
    if (is_stopped_) return false;
    ask(candidate, next);
    if (is_stopped_) return false;
    is_improvable = true;
  }
  Known& answer = known(candidate);
  if (!answer.is_counted) {
    answer.is_counted = true;
    ++tested_;
  }
  const bool is_interesting = answer.verdict == ShrinkVerdict::Interesting;
  const bool is_better = is_improvable && is_interesting && is_improvement(candidate);
  if (is_better) best_ = candidate;
  if (options_.progress) {
    options_.progress({.best = best_, .words_before = words_before_, .tested = tested_, .is_new_best = is_better});
  }
  return is_interesting;
}

}  // namespace vireo::spirv
