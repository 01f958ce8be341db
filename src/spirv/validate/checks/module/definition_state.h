// SPDX-License-Identifier: Apache-2.0
//
// DefinitionState: records the definitions that the walk has visited.
//
// One integer for each id states whether the id is a type, a value outside functions, or a value in some
// block. This integer answers nearly all queries of ids.h and dominance.h.
//
//   0                  not visited yet, or not in the list below (labels, functions, imports)
//   1                  a type
//   2                  a value outside functions
//   3 + block          a value of that block of the module; parameters count as values of the first block
//   the same | hidden  a result in that block that is not a value (non-semantic instructions)
//
// Memory: four bytes for each id. Source: specification 2.16.1 (definitions and uses).
#pragma once

#include <algorithm>
#include <vector>

#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/core/check.h"

namespace vireo::spirv {

class DefinitionState {
 public:
  /// Valid ids are below the bound, and a valid module has fewer ids than words. Larger ids are not recorded.
  explicit DefinitionState(const Module& module)
      : places_(std::min<std::size_t>(module.defined_bound(), module.words().size())) {}

  /// Begins a function.
  void enter(const FunctionRow& function) {
    entry_ = first_block + function.first_block;
    end_ = entry_ + function.block_count;
  }

  /// Records the result of an instruction.
  void pass(const InstructionCheck& c) {
    if (c.result == 0 || c.result >= places_.size()) return;
    if (c.module.definition(c.result) != c.index) return;  // only the first definition is recorded
    // Nearly all results are values of ordinary instructions in a block.
    const bool is_ordinary = c.type != 0 && !c.block.is_none() && !is_extended(c.op());
    places_[c.result] = is_ordinary ? entry_ + c.block.raw : place_after(c);
  }

  /// Whether an id is a type that the walk has visited.
  [[nodiscard]] bool is_type(Word id) const { return place_of(id) == type; }
  /// Whether an id is a value that the walk has visited.
  [[nodiscard]] bool is_value(Word id) const {
    const Word place = place_of(id);
    return place >= value && (place & hidden) == 0;
  }
  /// Whether an operand needs no further check. The id is a valid result type, or a value that is defined outside
  /// functions or in the same block.
  [[nodiscard]] bool is_plain(const Operand& operand, Word id, LocalBlock block) const {
    const Word place = place_of(id);
    if (operand.shape == OperandShape::IdResultType) return place == type;
    return place == value || (!block.is_none() && place == entry_ + block.raw);
  }
  /// The block of the current function that defines an id; none for ids that are defined outside it.
  [[nodiscard]] LocalBlock block_of(Word id) const {
    const Word place = place_of(id) & ~hidden;
    return place >= entry_ && place < end_ ? LocalBlock(place - entry_) : LocalBlock::none();
  }

 private:
  static constexpr Word unknown = 0, type = 1, value = 2, first_block = 3, hidden = 0x80000000;

  [[nodiscard]] Word place_of(Word id) const { return id < places_.size() ? places_[id] : unknown; }

  [[nodiscard]] Word place_after(const InstructionCheck& c) const {
    const Op op = c.op();
    // No value has a function type, so a function type that is used as a result type takes the slow path of the check.
    if (op == Op::OpTypeFunction) return unknown;
    if (c.type == 0 && c.types.find(c.result) != nullptr) return type;
    if (op == Op::OpFunction || op == Op::OpLabel) return unknown;
    const bool is_value = c.type != 0 && !(is_extended(op) && is_non_semantic(c));
    if (c.function.is_none()) return is_value ? value : unknown;
    const bool is_parameter = op == Op::OpFunctionParameter && entry_ < end_;
    if (c.block.is_none() && !is_parameter) return unknown;
    const Word block = entry_ + (c.block.is_none() ? 0 : c.block.raw);
    return is_value ? block : block | hidden;
  }

  std::vector<Word> places_;                      // by id
  Word entry_ = first_block, end_ = first_block;  // range of the current function's blocks
};

}  // namespace vireo::spirv
