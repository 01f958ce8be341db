// SPDX-License-Identifier: Apache-2.0
//
// CandidateTester: finds out which candidates are interesting, and keeps the best one.
//
// The caller's test is expensive. So an invalid candidate is never tested, equal candidates are tested
// once, and the candidates that may come next are offered together with the one that is needed now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "vireo/spirv/transform/shrink.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

class CandidateTester {
 public:
  /// All arguments are borrowed.
  CandidateTester(Words words, const ShrinkOptions& options, const ShrinkTest& test);

  /// Tests the module itself.
  [[nodiscard]] bool test_original();
  /// Makes a candidate; nothing if there is no module for it.
  using Make = std::function<std::optional<WordBuffer>()>;
  /// Whether a candidate is interesting. If so, it becomes the best module if it is smaller, or as small and not needed
  /// before. After a stop the answer is always no. `next` makes the candidates that may come next.
  [[nodiscard]] bool is_interesting(const std::optional<WordBuffer>& candidate, const std::vector<Make>& next = {});
  /// Whether a module can be a candidate: it is valid, or invalid ones are allowed.
  [[nodiscard]] bool is_permitted(Words candidate);

  [[nodiscard]] const WordBuffer& best() const { return best_; }
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }
  /// The candidates whose verdict the search needed so far.
  [[nodiscard]] std::size_t tested() const { return tested_; }
  [[nodiscard]] const ShrinkOptions& options() const { return options_; }
  [[nodiscard]] const Grammar& grammar() const { return grammar_; }
  /// The most candidates of one call of the test.
  [[nodiscard]] std::size_t width() const { return width_; }

 private:
  struct Known {
    ShrinkVerdict verdict = ShrinkVerdict::Unknown;
    bool is_counted = false;
    std::optional<bool> is_permitted;
  };
  enum class Source : std::uint8_t { Original, Step };
  Known& known(Words words);
  bool decide(const WordBuffer& candidate, const std::vector<Make>& next, Source source);
  void ask(const WordBuffer& candidate, const std::vector<Make>& next);
  bool take_guess(const WordBuffer& candidate);
  [[nodiscard]] bool is_improvement(const WordBuffer& candidate) const;

  const ShrinkOptions& options_;
  const ShrinkTest& test_;
  const Grammar& grammar_;
  std::size_t width_;
  bool must_be_valid_ = false;
  bool is_stopped_ = false;
  std::size_t words_before_;
  std::size_t tested_ = 0;
  WordBuffer best_;
  std::unordered_map<std::uint64_t, Known> known_;  // by a hash of the words
  std::vector<WordBuffer> guesses_;                 // interesting candidates that were offered but not yet needed
};

}  // namespace vireo::spirv
