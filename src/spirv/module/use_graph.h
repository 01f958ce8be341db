// SPDX-License-Identifier: Apache-2.0
//
// UseGraph: the declarations and functions that each declaration and function uses.
//
// A node is an instruction outside functions, or a whole function: an instruction of a function can only use
// nodes outside and its own function. Nodes have the order of the module, and each instruction belongs to one. A search
// along the uses takes a Worklist.
//
// Source: specification 2.4 (logical layout).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

using UseNode = std::uint32_t;
inline constexpr UseNode no_node = ~UseNode{0};

class UseGraph {
 public:
  /// The instructions whose operands are uses. Names and annotations take long to decode.
  enum class Scope : std::uint8_t { Module, GlobalsAndFunctions };
  /// Receives a node outside functions with the ids that it uses, in the order of the words. The nodes of the graph are
  /// complete, its uses are not.
  using Take =
      std::function<void(const UseGraph& graph, UseNode node, InstructionView instruction, std::span<const Word> ids)>;

  /// Decodes the instructions once. If an instruction does not match the grammar, each of its words can be an id;
  /// `take` does not receive it. Memory: about four bytes for each operand and eight for each instruction.
  explicit UseGraph(const Module& module, Scope scope = Scope::Module, const Take& take = {});

  [[nodiscard]] UseNode size() const { return static_cast<UseNode>(firsts_.size() - 1); }
  [[nodiscard]] UseNode node_of(InstructionIndex i) const { return nodes_[i.index()]; }
  [[nodiscard]] InstructionRange instructions_of(UseNode n) const { return {firsts_[n], firsts_[n + 1]}; }
  /// The other nodes that define operands of a node, each once, in the order of the words.
  [[nodiscard]] std::span<const UseNode> uses_of(UseNode n) const {
    return std::span(uses_).subspan(begins_[n], begins_[n + 1] - begins_[n]);
  }

 private:
  std::vector<UseNode> nodes_;         // by instruction
  std::vector<std::uint32_t> firsts_;  // by node: its first instruction; one entry more
  std::vector<UseNode> uses_;
  std::vector<std::uint32_t> begins_;  // by node, in uses_; one entry more
};

/// The numbers that a search has found, each once. A number waits until run() follows it.
class Worklist {
 public:
  /// The numbers are less than `count`.
  explicit Worklist(std::size_t count = 0) : rounds_(count, 0) {}

  /// Begins another search, in constant time. No number waits.
  void restart() { ++round_; }
  void add(std::uint32_t number) {
    if (has(number)) return;
    rounds_[number] = round_;
    waiting_.push_back(number);
  }
  void add_all(std::span<const std::uint32_t> numbers) {
    for (const std::uint32_t number : numbers) add(number);
  }
  [[nodiscard]] bool has(std::uint32_t number) const { return rounds_[number] == round_; }

  /// Calls follow(number) for each number that waits, also for those that `follow` adds.
  template <typename Follow>
  void run(Follow&& follow) {
    while (!waiting_.empty()) {
      const std::uint32_t number = waiting_.back();
      waiting_.pop_back();
      follow(number);
    }
  }

 private:
  std::vector<std::uint32_t> rounds_;  // by number: the last search that found it
  std::uint32_t round_ = 1;
  std::vector<std::uint32_t> waiting_;
};

}  // namespace vireo::spirv
