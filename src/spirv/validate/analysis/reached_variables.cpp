// SPDX-License-Identifier: Apache-2.0
//
// Lists of variables, handed from callees to callers (reached_variables.h). Functions that call each other share one
// list.
#include "spirv/validate/analysis/reached_variables.h"

#include <algorithm>

namespace vireo::spirv {
namespace {

// Folding pays where many ask. A few entry points walk the calls faster than lists are made.
constexpr std::size_t entry_points_that_pay = 4;

}  // namespace

ReachedVariables::ReachedVariables(const Context& context, const VariableUses& uses, IsWanted is_wanted)
    : context_(context),
      graph_(context.facts.call_graph()),
      uses_(uses),
      is_wanted_(is_wanted),
      budget_(8 * context.module.words().size()),
      folded_(graph_.component_count(), open),
      begins_{0, 0},  // of the empty list: most functions use no variables at all
      asked_components_(graph_.component_count()) {
  // Components are numbered from callees to callers.
  if (context.preamble.entry_points().size() >= entry_points_that_pay) {
    for (std::size_t c = 0; c < folded_.size(); ++c) fold(ComponentIndex(c));
  }
  asked_lists_.resize(list_count());
}

std::span<const Word> ReachedVariables::list(std::uint32_t number) const {
  return std::span(ids_).subspan(begins_[number], begins_[number + 1] - begins_[number]);
}

void ReachedVariables::take_own(ComponentIndex component, std::vector<Word>& into) const {
  for (const FunctionIndex function : graph_.functions_of(component)) {
    for (const Word id : uses_.of(function)) {
      const InstructionView view = context_.module.find(id);
      if (view.word_count > 3 && is_wanted_(context_, static_cast<StorageClass>(view.word(3)))) into.push_back(id);
    }
  }
}

void ReachedVariables::fold(ComponentIndex component) {
  below_.clear();
  for (const FunctionIndex function : graph_.functions_of(component)) {
    for (const CallRow& call : graph_.calls(function)) {
      const ComponentIndex callee = graph_.component(call.callee);
      if (callee == component) continue;
      const std::uint32_t folded = folded_[callee.index()];
      if (folded == open) return;
      if (folded != empty) below_.push_back(folded);
    }
  }
  std::sort(below_.begin(), below_.end());
  below_.erase(std::unique(below_.begin(), below_.end()), below_.end());
  together_.clear();
  take_own(component, together_);
  std::uint32_t longest = empty;
  std::size_t cost = together_.size();
  for (const std::uint32_t number : below_) {
    cost += list(number).size();
    if (list(number).size() > list(longest).size()) longest = number;
  }
  std::uint32_t& folded = folded_[component.index()];
  // All that is used comes from one callee.
  if (cost == list(longest).size()) {
    folded = longest;
    return;
  }
  if (cost > budget_) return;
  budget_ -= cost;
  for (const std::uint32_t number : below_) together_.insert(together_.end(), list(number).begin(), list(number).end());
  std::sort(together_.begin(), together_.end());
  together_.erase(std::unique(together_.begin(), together_.end()), together_.end());
  // What holds a list and is as long is that list.
  if (together_.size() == list(longest).size()) {
    folded = longest;
    return;
  }
  folded = static_cast<std::uint32_t>(list_count());
  ids_.insert(ids_.end(), together_.begin(), together_.end());
  begins_.push_back(ids_.size());
}

std::optional<std::uint32_t> ReachedVariables::list_of(FunctionIndex function) const {
  const std::uint32_t number = folded_[graph_.component(function).index()];
  return number == open ? std::nullopt : std::optional(number);
}

std::span<const Word> ReachedVariables::of(FunctionIndex function) {
  if (const auto number = list_of(function)) return list(*number);
  ++question_;
  found_.clear();
  waiting_.clear();
  const auto reach = [&](ComponentIndex component) {
    if (asked_components_[component.index()] == question_) return;
    asked_components_[component.index()] = question_;
    const std::uint32_t number = folded_[component.index()];
    if (number == open) return waiting_.push_back(component);
    if (asked_lists_[number] == question_) return;
    asked_lists_[number] = question_;
    found_.insert(found_.end(), list(number).begin(), list(number).end());
  };
  reach(graph_.component(function));
  // Nearest first.
  for (std::size_t next = 0; next < waiting_.size();) {  // reaching adds to them
    const ComponentIndex component = waiting_[next++];
    take_own(component, found_);
    for (const FunctionIndex member : graph_.functions_of(component)) {
      for (const CallRow& call : graph_.calls(member)) reach(graph_.component(call.callee));
    }
  }
  return found_;
}

}  // namespace vireo::spirv
