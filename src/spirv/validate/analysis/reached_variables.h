// SPDX-License-Identifier: Apache-2.0
//
// ReachedVariables: which variables outside of functions an entry point uses, over all functions that it leads to.
//
// The one idea: many entry points lead to the same functions, and most functions use what the functions below them use
// anyway. So lists are handed from callees to callers: each function has a list of all that is used from there on, and
// shares it with a callee wherever it adds nothing. An entry point then asks for one list, however many functions there
// are.
//
// A list for each function could be quadratic in total, so their sum is bounded: functions beyond it stay open, with
// what they use themselves, and a question walks through them to those that have lists.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spirv/validate/analysis/variable_uses.h"

namespace vireo::spirv {

class ReachedVariables {
 public:
  /// Which storage classes count.
  using IsWanted = bool (*)(const Context& context, StorageClass storage);

  /// What it is given must outlive it.
  ReachedVariables(const Context& context, const VariableUses& uses, IsWanted is_wanted);

  /// What a function uses, and those that it leads to. Good until the next question; a variable may stand there twice
  /// where functions stayed open.
  std::span<const Word> of(FunctionIndex function);
  /// The number of the list that is the answer; nothing when it is put together of several.
  [[nodiscard]] std::optional<std::uint32_t> list_of(FunctionIndex function) const;
  [[nodiscard]] std::size_t list_count() const { return begins_.size() - 1; }

 private:
  static constexpr std::uint32_t empty = 0, open = 0xFFFFFFFF;

  void fold(ComponentIndex component);
  void take_own(ComponentIndex component, std::vector<Word>& into) const;
  [[nodiscard]] std::span<const Word> list(std::uint32_t number) const;

  const Context& context_;
  const CallGraph& graph_;
  const VariableUses& uses_;
  IsWanted is_wanted_;
  std::size_t budget_;                 // variables that folding may still look at
  std::vector<std::uint32_t> folded_;  // by component: the number of its list, or open
  std::vector<std::size_t> begins_;    // of lists, by number, and the end
  std::vector<Word> ids_;              // of all lists; each ascends
  // Of one fold.
  std::vector<std::uint32_t> below_;
  std::vector<Word> together_;
  // Of one question.
  std::uint32_t question_ = 0;
  std::vector<std::uint32_t> asked_components_, asked_lists_;  // the last question that came by
  std::vector<ComponentIndex> waiting_;
  std::vector<Word> found_;
};

}  // namespace vireo::spirv
