// SPDX-License-Identifier: Apache-2.0
//
// VisitedIds: what a walk remembers of the definitions that it has passed.
//
// The one idea: one number for each id answers what nearly every operand asks: whether the id is a type, a value from
// outside of functions, or a value of some block. Where these answers settle all operands of an instruction, ids.h and
// dominance.h would have nothing to report and are not called; all other instructions they look at as if nothing was
// known. So this saves work and decides nothing.
//
//   0                  not passed yet, or of a kind that takes more than a glance (labels, functions, what only describes)
//   1                  a type
//   2                  a value outside of functions
//   3 + block          a value of that block of the module; parameters are in their function's first block
//   the same | hidden  a result of that block that is no value (what describes, of non-semantic sets)
//   1 | hidden         an import of extended instructions
//
// Four bytes an id. Source: specification 2.16.1 (definitions and uses).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "spirv/binary/seen_ids.h"
#include "spirv/validate/alike.h"
#include "spirv/validate/context.h"
#include "spirv/validate/extended_sets.h"

namespace vireo::spirv {

class VisitedIds {
 public:
  /// Ids are below the bound, honest ones are fewer than the words; of others nothing is known.
  explicit VisitedIds(const Module& module)
      : places_(std::min<std::size_t>(module.defined_bound(), module.words().size())) {}

  /// Instructions of a function follow; `flow` is its control flow, and stays until the next one begins.
  void enter(const FunctionRow& function, const ControlFlow& flow) {
    flow_ = &flow;
    entry_ = first_block + function.first_block;
    end_ = entry_ + function.block_count;
  }

  /// What an operand may be that is neither a value nor a result type: a type that was passed; or something that was not
  /// passed, or has no place, such as a label.
  enum class Unsettled : std::uint8_t { Type, Unknown };

  /// Whether there is nothing to say of the instruction's ids: all have been passed, are what is asked for, and dominate.
  /// `may_be(unsettled, operand)` answers whether an operand may be what it is. Operands are handed on to `alike`, which
  /// is told to refuse the instruction where the answer is no.
  template <typename MayBe>
  [[nodiscard]] bool settle(const Visit& visit, const SeenIds& seen, Alike& alike, MayBe&& may_be) const {
    const bool is_settled = look_at(visit, seen, alike, may_be);
    if (!is_settled) alike.refuse();
    return is_settled;
  }

  /// The instruction was looked at.
  void pass(const Context& context, const Visit& visit) {
    if (visit.result == 0 || visit.result >= places_.size()) return;
    if (context.module.definition(visit.result) != visit.index) return;  // the first definition counts
    places_[visit.result] = place_behind(context, visit);
  }

  /// Whether an id stands for a type that was passed.
  [[nodiscard]] bool is_type(Word id) const { return place_of(id) == type; }
  /// Whether an id stands for a value that was passed.
  [[nodiscard]] bool is_value(Word id) const {
    const Word place = place_of(id);
    return place >= value && (place & hidden) == 0;
  }
  /// The block of the function at hand that defines an id; none for those of no block, and of other functions.
  [[nodiscard]] LocalBlock block_of(Word id) const {
    const Word place = place_of(id) & ~hidden;
    return place >= entry_ && place < end_ ? LocalBlock(place - entry_) : LocalBlock::none();
  }

 private:
  static constexpr Word unknown = 0, type = 1, value = 2, first_block = 3, hidden = 0x80000000, imported = hidden | 1;

  template <typename MayBe>
  [[nodiscard]] bool look_at(const Visit& visit, const SeenIds& seen, Alike& alike, MayBe&& may_be) const {
    // What OpPhi takes is looked at when the function ends.
    if (visit.op() == Op::OpPhi) return false;
    const Word here = visit.block.is_none() ? value : entry_ + visit.block.raw;
    const std::span<const Word> places = places_;  // read once, not once an operand
    const bool is_alike = alike.basis() != RestsOn::Anything;
    for (const Operand& operand : visit.operands) {
      const Word word = visit.view.first[operand.word];
      if (operand.shape > OperandShape::IdMemorySemantics) {
        if (!is_alike) continue;
        if (operand.word_count == 1) alike.take(word);
        else alike.refuse();
        continue;
      }
      if (operand.shape == OperandShape::IdResult) continue;
      const Word place = word < places.size() ? places[word] : unknown;
      if (operand.shape == OperandShape::IdResultType) {
        if (place != type) return false;
        continue;
      }
      if (place != value && place != here && !dominates(place, visit)) {
        // That it is an import, and of which set, was checked when the extended instruction was decoded.
        const bool is_set = place == imported && is_extended(visit.op()) && operand.word == 3;
        const bool is_settled = is_set || (place == unknown && is_target(visit, operand));
        if (!is_settled && place != type && place != unknown) return false;
        if (!is_settled && !may_be(place == type ? Unsettled::Type : Unsettled::Unknown, operand)) return false;
      }
      if (is_alike) alike.take(known_by(word, place, seen, alike.basis()));
    }
    return true;
  }

  // By what alike instructions know an operand. The type of a value, which is no constant if it is of a block; else the
  // id (a function's, too), marked so that it is not taken for a type of values.
  [[nodiscard]] static Word known_by(Word id, Word place, const SeenIds& seen, RestsOn basis) {
    if (basis == RestsOn::Literals) return 0;
    const bool is_itself = basis == RestsOn::Constants && place <= value;
    const Word type_of_value = is_itself ? 0 : seen.type_of(id);
    return type_of_value != 0 ? type_of_value : id | hidden;
  }

  [[nodiscard]] Word place_of(Word id) const { return id < places_.size() ? places_[id] : unknown; }

  // The first block dominates all others that matter, and has most of what is used elsewhere.
  [[nodiscard]] bool dominates(Word place, const Visit& visit) const {
    if (place < entry_ || place >= end_ || visit.block.is_none()) return false;
    return place == entry_ || flow_->plain().dominators().dominates(LocalBlock(place - entry_), visit.block);
  }

  // Whether an operand is a block of the function to branch to or to merge at: those of a block's terminator, and of the
  // merge instruction that counts, were looked up when the control flow was read.
  [[nodiscard]] bool is_target(const Visit& visit, const Operand& operand) const {
    if (visit.block.is_none() || !flow_->bad_targets().empty()) return false;
    const BlockRow& block = flow_->block(visit.block);
    if (visit.index != block.terminator && visit.index != block.merge) return false;
    switch (visit.op()) {
      case Op::OpBranch:
      case Op::OpLoopMerge:
      case Op::OpSelectionMerge: return true;
      case Op::OpBranchConditional:
      case Op::OpSwitch: return operand.word != 1;  // which is what they choose by
      default: return false;
    }
  }

  [[nodiscard]] Word place_behind(const Context& context, const Visit& visit) const {
    const Op op = visit.op();
    // As nearly all results are.
    if (visit.type != 0 && !visit.block.is_none() && !is_extended(op)) [[likely]] { return entry_ + visit.block.raw; }
    // No value is of a function type: who asks for one is looked at.
    if (op == Op::OpTypeFunction) return unknown;
    if (visit.type == 0 && context.types.find(visit.result) != nullptr) return type;
    if (op == Op::OpFunction || op == Op::OpLabel) return unknown;
    if (op == Op::OpExtInstImport) return imported;
    const bool is_value = visit.type != 0 && !(is_extended(op) && is_non_semantic(context, visit));
    if (visit.function.is_none()) return is_value ? value : unknown;
    const bool is_parameter = op == Op::OpFunctionParameter && entry_ < end_;
    if (visit.block.is_none() && !is_parameter) return unknown;
    const Word block = entry_ + (visit.block.is_none() ? 0 : visit.block.raw);
    return is_value ? block : block | hidden;
  }

  std::vector<Word> places_;  // by id
  const ControlFlow* flow_ = nullptr;
  Word entry_ = first_block, end_ = first_block;  // of the function's blocks
};

}  // namespace vireo::spirv
