// SPDX-License-Identifier: Apache-2.0
//
// Folds branches with a constant condition and removes the blocks that nothing reaches.
//
// The one idea: fold first, then keep what the remaining branches reach. A merge block or continue target that nothing
// reaches stays as a label with a terminator, because its header names it. An OpPhi keeps the values of the remaining
// predecessors.
//
// A folded header needs no OpSelectionMerge, unless a branch inside of the construct still leaves it conditionally. Then
// the merge instruction moves to that branch, or an OpSwitch with only a default keeps it in place.
//
// Source: specification 2.11 (structured control flow), 3.42.17 (control-flow instructions).
#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "spirv/transform/clean/passes.h"
#include "spirv/transform/clean/removable_constructs.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/facts/control_flow.h"
#include "vireo/spirv/views/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Where the merge instruction of a folded header is needed.
struct MergePlace {
  enum class Kind { Nowhere, AtBranch, AtHeader };
  Kind kind = Kind::Nowhere;
  BlockIndex branch;  // for AtBranch
};

class BlockPruner {
 public:
  BlockPruner(const PassInput& input, bool folds)
      : input_(input),
        module_(input.module),
        folds_(folds),
        rewrite_(module_),
        targets_(module_.blocks().size()),
        is_reached_(module_.blocks().size()),
        is_stub_(module_.blocks().size()),
        is_loop_exit_(module_.blocks().size()),
        header_counts_(module_.blocks().size()) {
    for (const BlockRow& block : module_.blocks()) {
      if (block.merge.is_none()) continue;
      const BlockIndex merge = block_of(module_.instruction(block.merge).word(1), block.function);
      if (!merge.is_none()) ++header_counts_[merge.index()];
      if (module_.instruction(block.merge).opcode != OpLoopMerge) continue;
      for_named(block.merge, block.function, [&](BlockIndex to) { is_loop_exit_[to.index()] = true; });
    }
  }

  std::optional<WordBuffer> run() {
    // Each type has at most one OpUndef, and there are as many types as words at most.
    if (!rewrite_.has_fresh_ids(static_cast<Word>(module_.instruction_count()) + 2)) return std::nullopt;
    for (const FunctionRow& function : module_.functions()) {
      if (function.block_count != 0) prune(function);
    }
    if (!rewrite_.is_changed()) return std::nullopt;
    if (!replace_removed_values()) return std::nullopt;
    rewrite_.remove_annotations();
    return rewrite_.write(input_.operands);
  }

 private:
  [[nodiscard]] const BlockRow& row(BlockIndex b) const { return module_.blocks()[b.index()]; }
  [[nodiscard]] InstructionView terminator(BlockIndex b) const { return module_.instruction(row(b).terminator); }
  // The block with a label; none if it is in another function.
  [[nodiscard]] BlockIndex block_of(Word label, FunctionIndex function) const {
    const BlockIndex b = module_.block_of(label);
    return !b.is_none() && row(b).function == function ? b : BlockIndex();
  }
  // The blocks of the same function that a terminator or merge instruction names.
  template <typename Take>
  void for_named(InstructionIndex instruction, FunctionIndex function, Take&& take) const {
    for_labels(input_, instruction, [&](BlockIndex to) {
      if (row(to).function == function) take(to);
    });
  }

  // --- folding ---

  // The value of a constant condition or selector, of at most 32 bits.
  [[nodiscard]] std::optional<Word> constant(Word id) const {
    const InstructionView view = module_.find(id);
    switch (view.opcode) {
      case OpConstantTrue: return 1;
      case OpConstantFalse:
      case OpConstantNull: return 0;
      case OpConstant: return view.word_count == 4 ? std::optional(view.word(3)) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // The label to which a branch always goes; 0 if it depends on the execution, or if the branch is an OpBranch.
  [[nodiscard]] Word constant_target(InstructionView view) const {
    if (const auto branch = as<OpBranchConditional>(view)) {
      if (branch->true_label() == branch->false_label()) return branch->true_label();
      const std::optional<Word> value = constant(branch->condition());
      return !value ? 0 : *value != 0 ? Word{branch->true_label()} : Word{branch->false_label()};
    }
    if (view.opcode != OpSwitch) return 0;
    if (view.word_count == 3) return view.word(2);
    const std::optional<Word> value = constant(view.word(1));
    const InstructionView type = module_.find(module_.type_of(view.word(1)));
    if (!value || type.word(2) > 32) return 0;
    for (std::size_t word = 3; word + 1 < view.word_count; word += 2) {
      if (view.word(word) == *value) return view.word(word + 1);
    }
    return view.word(2);
  }

  void prune(const FunctionRow& function) {
    const FunctionIndex number = module_.index_of(function);
    const std::uint32_t end = function.first_block + function.block_count;
    for (std::uint32_t b = function.first_block; folds_ && b < end; ++b) {
      if (leaves_loop(BlockIndex(b)) || shares_merge_block(BlockIndex(b))) continue;
      targets_[b] = block_of(constant_target(terminator(BlockIndex(b))), number);
    }
    reach(function);
    if (loses_back_edge(function) || cuts_continue_construct(function)) {
      for (std::uint32_t b = function.first_block; b < end; ++b) {
        targets_[b] = {};
        is_reached_[b] = false;
      }
      reach(function);
      if (loses_back_edge(function)) return;
    }
    remove_loop_merges(function);
    bool has_folded = false, has_unreached = false;
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      has_folded |= is_reached_[b] && !targets_[b].is_none();
      has_unreached |= !is_reached_[b];
    }
    if (!has_folded && !has_unreached) return;
    find_predecessors(function);
    if (has_folded) fold(function);
    remove_unreached(function);
  }

  [[nodiscard]] bool is_loop_header(BlockIndex b) const {
    return !row(b).merge.is_none() && module_.instruction(row(b).merge).opcode == OpLoopMerge;
  }

  // True for a branch that is the back edge of a loop under a condition, as at the end of `do … while (false)`. It stays,
  // because each loop has one back edge.
  [[nodiscard]] bool leaves_loop(BlockIndex block) const {
    bool goes_back = false, goes_on = false;
    for_named(row(block).terminator, row(block).function, [&](BlockIndex to) {
      const bool is_back = to <= block && is_loop_header(to);
      goes_back |= is_back;
      goes_on |= !is_back;
    });
    return goes_back && goes_on;
  }

  // True if a merge block in a continue construct became unreachable. It would not lead to the back edge, which must
  // post-dominate the continue construct.
  [[nodiscard]] bool cuts_continue_construct(const FunctionRow& function) const {
    ControlFlow flow;
    bool is_read = false;
    for (std::uint32_t b = function.first_block; b < function.first_block + function.block_count; ++b) {
      const BlockRow& header = row(BlockIndex(b));
      if (!is_reached_[b] || header.merge.is_none() || !folds_) continue;
      const BlockIndex merge = block_of(module_.instruction(header.merge).word(1), header.function);
      if (merge.is_none() || is_reached_[merge.index()]) continue;
      if (!is_read) flow.read(module_, function, PostDominators::OfLoops);
      is_read = true;
      ConstructIndex c = flow.innermost(LocalBlock(merge.index() - function.first_block));
      for (; !c.is_none(); c = flow.construct(c).parent) {
        if (flow.construct(c).kind == Construct::Kind::Continue) return true;
      }
    }
    return false;
  }

  // True if another header names the same merge block, in an invalid module.
  [[nodiscard]] bool shares_merge_block(BlockIndex block) const {
    if (row(block).merge.is_none()) return false;
    const BlockIndex merge = block_of(module_.instruction(row(block).merge).word(1), row(block).function);
    return !merge.is_none() && header_counts_[merge.index()] > 1;
  }

  // True if a loop has no reachable back edge although its continue target is reachable.
  [[nodiscard]] bool loses_back_edge(const FunctionRow& function) const {
    const std::uint32_t end = function.first_block + function.block_count;
    std::vector<bool> has_back_edge(function.block_count);
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (!is_reached_[b]) continue;
      for_targets(BlockIndex(b), [&](BlockIndex to) {
        if (to.raw <= b) has_back_edge[to.raw - function.first_block] = true;
      });
    }
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (!is_reached_[b] || !is_loop_header(BlockIndex(b)) || has_back_edge[b - function.first_block]) continue;
      const BlockIndex back =
          block_of(module_.instruction(row(BlockIndex(b)).merge).word(2), row(BlockIndex(b)).function);
      if (!back.is_none() && is_reached_[back.index()]) return true;
    }
    return false;
  }

  // A header that only branches to its merge block begins no loop.
  void remove_loop_merges(const FunctionRow& function) {
    for (std::uint32_t b = function.first_block; b < function.first_block + function.block_count; ++b) {
      const BlockRow& block = row(BlockIndex(b));
      if (!is_reached_[b] || block.merge.is_none()) continue;
      const InstructionView merge = module_.instruction(block.merge);
      if (merge.opcode != OpLoopMerge || branches(BlockIndex(b))) continue;
      BlockIndex to;
      for_targets(BlockIndex(b), [&](BlockIndex target) { to = target; });
      const BlockIndex back = block_of(merge.word(2), block.function);
      if (!to.is_none() && row(to).label == merge.word(1) && !back.is_none() && !is_reached_[back.index()]) {
        rewrite_.remove(block.merge);
      }
    }
  }

  template <typename Take>
  void for_targets(BlockIndex block, Take&& take) const {
    if (!targets_[block.index()].is_none()) return take(targets_[block.index()]);
    for_named(row(block).terminator, row(block).function, take);
  }
  // Marks what the branches reach from the first block.
  void reach(const FunctionRow& function) {
    std::vector<BlockIndex> waiting;
    const auto enter = [&](BlockIndex b) {
      if (is_reached_[b.index()]) return;
      is_reached_[b.index()] = true;
      waiting.push_back(b);
    };
    enter(BlockIndex(function.first_block));
    while (!waiting.empty()) {
      const BlockIndex b = waiting.back();
      waiting.pop_back();
      for_targets(b, enter);
    }
  }

  void fold(const FunctionRow& function) {
    if (!constructs_) constructs_.emplace(module_);
    for (std::uint32_t b = function.first_block; b < function.first_block + function.block_count; ++b) {
      if (is_reached_[b] && !targets_[b].is_none()) fold_branch(BlockIndex(b));
    }
  }

  void find_predecessors(const FunctionRow& function) {
    predecessors_.resize(module_.blocks().size());
    for (std::uint32_t b = function.first_block; b < function.first_block + function.block_count; ++b) {
      if (is_reached_[b]) for_targets(BlockIndex(b), [&](BlockIndex to) { predecessors_[to.index()].emplace_back(b); });
    }
  }

  void fold_branch(BlockIndex block) {
    const BlockRow& header = row(block);
    const Word target = row(targets_[block.index()]).label;
    const Word branch[] = {first_word(2, OpBranch), target};
    if (header.merge.is_none() || module_.instruction(header.merge).opcode == OpLoopMerge) {
      rewrite_.replace(header.terminator, branch);
      return;
    }
    const BlockIndex merge = block_of(module_.instruction(header.merge).word(1), header.function);
    const MergePlace place = place_of_merge(block, merge);
    if (place.kind == MergePlace::Kind::AtHeader) {
      const InstructionView old = module_.instruction(header.terminator);
      if (old.word_count == 3) return;  // an OpSwitch with only a default
      const Word selector = old.opcode == OpSwitch ? old.word(1) : any_integer();
      const Word with_default[] = {first_word(3, OpSwitch), selector, target};
      return rewrite_.replace(header.terminator, with_default);
    }
    rewrite_.remove(header.merge);
    rewrite_.replace(header.terminator, branch);
    if (place.kind == MergePlace::Kind::AtBranch) {
      rewrite_.insert_before(row(place.branch).terminator, module_.instruction(header.merge).words());
    }
  }

  // A conditional branch in the selection of a folded header that exits to the merge block needs the merge instruction,
  // which moves to the first such branch if all of them follow it.
  [[nodiscard]] MergePlace place_of_merge(BlockIndex header, BlockIndex merge) const {
    using Kind = MergePlace::Kind;
    if (merge.is_none()) return {};
    const auto number = constructs_->headed_by(header);
    bool is_needed = false, is_nested = false;
    for (const BlockIndex from : predecessors_[merge.index()]) {
      if (from == header) continue;
      const auto headed = constructs_->headed_by(from);
      const bool is_own = constructs_->owner(from) == number &&
                          (headed == RemovableConstructs::none || !targets_[from.index()].is_none());
      is_nested |= !is_own;
      is_needed |= !is_own || needs_merge(from, merge);
    }
    if (!is_needed) return {};
    if (is_nested) return {Kind::AtHeader, {}};
    // From the target on, the blocks form a line up to the first conditional exit.
    BlockIndex at = targets_[header.index()];
    for (std::uint32_t steps = 0; steps < module_.functions()[row(header).function.index()].block_count; ++steps) {
      const auto headed = constructs_->headed_by(at);
      const bool is_inside = constructs_->owner(at) == number ||
                             (headed != RemovableConstructs::none && constructs_->row(headed).parent == number);
      if (!is_inside) break;
      if (headed != RemovableConstructs::none) {
        at = constructs_->row(headed).merge;
      } else if (needs_merge(at, merge)) {
        return {Kind::AtBranch, at};
      } else if (branches(at)) {
        break;
      } else {
        BlockIndex next;
        for_targets(at, [&](BlockIndex to) { next = to; });
        at = next;
      }
      if (at.is_none() || at == merge) break;
    }
    return {Kind::AtHeader, {}};
  }

  [[nodiscard]] bool branches(BlockIndex block) const {
    return targets_[block.index()].is_none() && terminator(block).opcode != OpBranch;
  }
  // A conditional branch to a merge block needs a merge instruction, unless all its other targets are exits of a loop.
  [[nodiscard]] bool needs_merge(BlockIndex from, BlockIndex merge) const {
    bool has_other = false;
    for_targets(from, [&](BlockIndex to) { has_other |= to != merge && !is_loop_exit_[to.index()]; });
    return branches(from) && has_other;
  }

  // Any 32-bit integer constant, as the selector of an OpSwitch that has only a default.
  [[nodiscard]] Word any_integer() {
    if (integer_ != 0) return integer_;
    Word type = 0;
    for (const InstructionView view : module_.views(module_.section(Section::Globals))) {
      if (view.opcode == OpTypeInt && view.word(2) == 32) type = view.word(1);
      if (view.opcode == OpConstant && type != 0 && view.word(1) == type) return integer_ = view.word(2);
    }
    const InstructionIndex place(module_.section(Section::Functions).first);
    if (type == 0) {
      type = rewrite_.fresh_id();
      const Word declaration[] = {first_word(4, OpTypeInt), type, 32, 0};
      rewrite_.insert_before(place, declaration);
    }
    integer_ = rewrite_.fresh_id();
    const Word zero[] = {first_word(4, OpConstant), type, integer_, 0};
    rewrite_.insert_before(place, zero);
    return integer_;
  }

  // --- removing ---

  void remove_unreached(const FunctionRow& function) {
    const std::uint32_t end = function.first_block + function.block_count;
    follower_.resize(module_.blocks().size());
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (!is_reached_[b] || row(BlockIndex(b)).merge.is_none() || rewrite_.is_removed(row(BlockIndex(b)).merge))
        continue;
      make_stubs(BlockIndex(b));
    }
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (is_reached_[b] || is_stub_[b]) continue;
      const BlockRow& block = row(BlockIndex(b));
      for (std::uint32_t i = block.all.first; i < block.all.end; ++i) rewrite_.remove(InstructionIndex(i));
    }
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (is_reached_[b]) repair_phis(BlockIndex(b));
    }
  }

  // An unreachable block that a header names keeps only its label and a terminator.
  void make_stubs(BlockIndex header) {
    const InstructionView merge = module_.instruction(row(header).merge);
    const FunctionIndex function = row(header).function;
    const Word unreachable[] = {first_word(1, OpUnreachable)};
    const Word back[] = {first_word(2, OpBranch), row(header).label};
    const auto make = [&](BlockIndex block, Words terminator) {
      if (block.is_none() || is_reached_[block.index()]) return;
      is_stub_[block.index()] = true;
      const InstructionRange all = row(block).all;
      const InstructionView last = module_.instruction(InstructionIndex(all.end - 1));
      if (all.size() == 2 && std::ranges::equal(last.words(), terminator)) return;
      for (std::uint32_t i = all.first + 1; i < all.end; ++i) rewrite_.remove(InstructionIndex(i));
      rewrite_.insert_before(InstructionIndex(all.end - 1), terminator);
    };
    // A block that is both becomes the back edge.
    if (merge.opcode == OpLoopMerge) make(block_of(merge.word(2), function), back);
    const BlockIndex merge_block = block_of(merge.word(1), function);
    if (!merge_block.is_none() && !is_stub_[merge_block.index()]) make(merge_block, unreachable);
  }

  // The values of an OpPhi are those from the remaining predecessors.
  void repair_phis(BlockIndex block) {
    const FunctionIndex function = row(block).function;
    // The continue target of this loop, if only the back edge remains of it.
    BlockIndex stub;
    if (!row(block).merge.is_none() && module_.instruction(row(block).merge).opcode == OpLoopMerge) {
      const BlockIndex to = block_of(module_.instruction(row(block).merge).word(2), function);
      if (!to.is_none() && is_stub_[to.index()]) stub = to;
    }
    for (const BlockIndex from : predecessors_[block.index()]) follower_[from.index()] = block;
    for (const auto [index, phi] : module_.instructions(row(block).all)) {
      if (phi.opcode != OpPhi) continue;
      WordBuffer words = {phi.first[0], phi.word(1), phi.word(2)};
      for (std::size_t word = 3; word + 1 < phi.word_count; word += 2) {
        const BlockIndex parent = block_of(phi.word(word + 1), function);
        if (parent.is_none() || follower_[parent.index()] != block) continue;
        const InstructionIndex value = module_.definition(phi.word(word));
        const bool is_gone = !value.is_none() && rewrite_.is_removed(value) && !block_is_kept(value);
        words.push_back(is_gone ? undefined(value) : phi.word(word));
        words.push_back(phi.word(word + 1));
      }
      if (!stub.is_none() && words.size() == 5 && is_before(words[3], index)) {
        // The back edge is unreachable.
        rewrite_.remove(index);
        rewrite_.rename(index, words[3]);
        continue;
      }
      if (!stub.is_none() && words.size() > 3) {
        words.push_back(value_from_stub(phi, row(stub).label, words[3]));
        words.push_back(row(stub).label);
      }
      words[0] = first_word(words.size(), OpPhi);
      if (!std::ranges::equal(words, phi.words())) rewrite_.replace(index, words);
    }
  }

  [[nodiscard]] bool is_before(Word value, InstructionIndex place) const {
    const InstructionIndex definition = module_.definition(value);
    return definition.is_none() ? value >= module_.header().bound : definition < place;
  }

  [[nodiscard]] Word value_from_stub(InstructionView phi, Word label, Word otherwise) const {
    for (std::size_t word = 3; word + 1 < phi.word_count; word += 2) {
      if (phi.word(word + 1) == label && !rewrite_.is_removed_id(phi.word(word))) return phi.word(word);
    }
    return otherwise;
  }

  // A value from a block that nothing reaches can be an operand of an instruction that remains, since such a block has no
  // dominators. It becomes OpUndef. Returns false if another kind of id is used so, in an invalid module.
  bool replace_removed_values() {
    for (const auto [index, view] : module_.instructions(Section::Functions)) {
      if (rewrite_.is_removed(index)) continue;
      for (const IdOperandRow& operand : input_.operands.of(index)) {
        if (operand.definition.is_none() || !rewrite_.is_removed(operand.definition)) continue;
        const InstructionView definition = module_.instruction(operand.definition);
        if (definition.opcode == OpPhi && block_is_kept(operand.definition)) continue;  // it is rewritten
        if (module_.type_of(definition) == 0) return false;
        undefined(operand.definition);
      }
    }
    return true;
  }

  [[nodiscard]] bool block_is_kept(InstructionIndex i) const {
    const BlockIndex block = module_.block_at(i);
    return !block.is_none() && is_reached_[block.index()];
  }

  // An OpUndef for a removed value.
  Word undefined(InstructionIndex definition) {
    const Word type = module_.type_of(module_.instruction(definition));
    Word& id = undefined_[type];
    if (id == 0) {
      id = rewrite_.fresh_id();
      const Word words[] = {first_word(3, OpUndef), type, id};
      rewrite_.insert_before(InstructionIndex(module_.section(Section::Functions).first), words);
    }
    rewrite_.rename(definition, id);
    return id;
  }

  const PassInput& input_;
  const Module& module_;
  bool folds_;
  Rewrite rewrite_;
  std::vector<BlockIndex> targets_;           // by block: where a folded branch goes
  std::vector<bool> is_reached_;              // by block
  std::vector<bool> is_stub_;                 // by block: named by a header, but not reached
  std::vector<bool> is_loop_exit_;            // by block: the merge block or continue target of a loop
  std::vector<std::uint32_t> header_counts_;  // by block: the number of headers whose merge block it is
  std::optional<RemovableConstructs> constructs_;
  std::vector<std::vector<BlockIndex>> predecessors_;  // by block, over the remaining branches
  std::vector<BlockIndex> follower_;                   // by block: a block that its branch goes to
  Word integer_ = 0;
  std::map<Word, Word> undefined_;  // by type: its OpUndef
};

}  // namespace

std::optional<WordBuffer> fold_branches(const PassInput& input) { return BlockPruner(input, true).run(); }

std::optional<WordBuffer> remove_unreachable_blocks(const PassInput& input) { return BlockPruner(input, false).run(); }

}  // namespace vireo::spirv
