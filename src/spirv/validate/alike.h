// SPDX-License-Identifier: Apache-2.0
//
// Alike: instructions that are like one that was found right.
//
// The one idea: most instructions of a module repeat another one, with other values of the same types. What a verdict
// rests on is said by each check (RestsOn, context.h). Where that is no more than types, literals and constants, the
// verdict of one instruction is that of all that agree in these, so it is asked for once. Only what was found right is
// remembered: what is wrong is told at each place where it stands.
//
//   alike.begin(visit, basis);  … alike.take(word) for each operand, which settle() does (visited_ids.h) …
//   if (!alike.knows()) { judge; if (nothing was told) alike.learn(); }
//
// Memory is bounded: a small table without chains, in which a newcomer takes the place of what was there; so a look is
// one compare. In builds with assertions what is remembered is judged all the same, and has to be right (walk.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "spirv/validate/context.h"

namespace vireo::spirv {

class Alike {
 public:
  explicit Alike(const Module& module)
      : known_(module.instruction_count() < small_module ? fewest_places : most_places) {}

  /// An instruction whose checks rest on that. With RestsOn::Anything nothing is like it.
  void begin(const Visit& visit, RestsOn basis) {
    basis_ = basis;
    wanted_[0] = Word{visit.view.word_count} << 16 | visit.view.opcode;
    wanted_[1] = visit.type;
    end_ = first_operand;
    hash_ = std::uint64_t{wanted_[0]} << 32 | visit.type;
  }
  /// What its next operand is known by: a literal as it is, a value by its type, a constant by its id where a check asks
  /// which one it is.
  void take(Word word) {
    if (end_ == wanted_.size()) return refuse();  // long instructions are not remembered
    wanted_[end_++] = word;
    hash_ = (hash_ ^ word) * multiplier;
  }
  /// Nothing is like it.
  void refuse() { basis_ = RestsOn::Anything; }
  [[nodiscard]] RestsOn basis() const { return basis_; }

  /// Whether it is like one that was learned.
  [[nodiscard]] bool knows() const {
    if (basis_ == RestsOn::Anything) return false;
    // How many operands there are follows from the first word and from the literals, so it agrees when these do.
    return std::equal(wanted_.begin(), wanted_.begin() + end_, place().begin());
  }
  /// It was found right.
  void learn() {
    if (basis_ != RestsOn::Anything) std::copy_n(wanted_.begin(), end_, known_[place_number()].begin());
  }

 private:
  static constexpr std::size_t first_operand = 2, most_operands = 10;
  // Places of the table, a power of two. Clearing them is felt by the smallest modules.
  static constexpr std::size_t most_places = 256, fewest_places = 32;
  static constexpr std::uint32_t small_module = 2000;  // instructions
  // Odd, with its bits well mixed, so that the top byte of the hash depends on all words.
  static constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15u;

  /// What an instruction is known by: opcode and length, or 0 when nothing is known; the type of the result; operands.
  using Known = std::array<Word, first_operand + most_operands>;

  [[nodiscard]] std::size_t place_number() const { return hash_ >> 56 & (known_.size() - 1); }
  [[nodiscard]] const Known& place() const { return known_[place_number()]; }

  std::vector<Known> known_;  // by a hash
  Known wanted_{};
  std::size_t end_ = first_operand;  // of what is in it
  std::uint64_t hash_ = 0;
  RestsOn basis_ = RestsOn::Anything;
};

}  // namespace vireo::spirv
