// SPDX-License-Identifier: Apache-2.0
//
// ModuleMatcher: pairs the ids and instructions of two modules.
//
// Certain pairs first, then pairs that follow from them. Definitions are paired by content, name and
// interface; functions by name and content; then the operands of paired instructions are paired. Whatever is still
// ambiguous is interchangeable, or is paired in the order of the module.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/inspect/diff/diff_side.h"
#include "spirv/inspect/diff/function_aligner.h"
#include "spirv/inspect/diff/function_keys.h"
#include "spirv/inspect/diff/key_join.h"
#include "spirv/inspect/diff/pairing.h"

namespace vireo::spirv {

class ModuleMatcher {
 public:
  ModuleMatcher(const DiffSide& before, const DiffSide& after, Pairing& pairing);

  /// Pairs all definitions and functions that correspond, and the instructions of the functions. Near-linear in the
  /// words.
  void run();

 private:
  enum class Attributes : bool { Ignored, Included };
  /// The content of a function, and the functions that it calls.
  struct FunctionContent {
    std::uint64_t own = 0;   // without callees
    std::uint64_t full = 0;  // with callees, and theirs, to a small depth
    std::vector<Word> callees = {};
  };
  struct Side {
    const DiffSide& module;
    SidePairs& pairs;
    std::vector<FunctionContent> contents;  // by function
  };

  static const FunctionContent& content_of(const Side& side, Word function) {
    return side.contents[side.module.function_of(side.module.definition(function)).index()];
  }

  // Definitions.
  void compute_tokens(Attributes attributes);
  void compute_tokens(Side& side, Attributes attributes) const;
  void pair_definitions();
  [[nodiscard]] std::uint64_t weak_token(const Side& side, Word id) const;
  template <typename Key>
  bool pair_unique(IdPlace place, Key&& key);
  template <typename Key>
  void pair_in_order(IdPlace place, Key&& key);
  template <typename Key>
  [[nodiscard]] KeyedItems items(const Side& side, IdPlace place, Key&& key) const;

  // Functions.
  void read_contents(Side& side) const;
  void pair_functions();
  void pair_similar_functions();
  void match_bodies(FunctionIndex before, FunctionIndex after);

  // Consequences of pairs.
  void pair_ids(Word x, Word y);
  void follow_pairs();
  void follow_operands(std::uint32_t i, std::uint32_t j);
  bool pair_by_votes();
  void pair_undefined_ids();

  Side before_, after_;
  Pairing& pairing_;
  FunctionAligner aligner_;
  std::vector<std::uint32_t> open_;            // paired definitions whose operands are not yet paired
  std::vector<FunctionIndex> open_functions_;  // paired functions whose instructions are not yet paired
};

}  // namespace vireo::spirv
