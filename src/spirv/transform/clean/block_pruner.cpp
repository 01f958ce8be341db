// SPDX-License-Identifier: Apache-2.0
//
// Folds branches with a constant condition and removes the blocks that nothing reaches.
//
// Fold first, then keep what the remaining branches reach. A merge block or continue target that nothing
// reaches stays as a label with a terminator, because its header names it. An OpPhi keeps the values of the remaining
// predecessors.
//
// A folded header needs no OpSelectionMerge, unless a branch inside of the construct still leaves it conditionally. Then
// the merge instruction moves to that branch, or an OpSwitch with only a default keeps it in place.
//
// Source: specification 2.11 (structured control flow), 3.42.17 (control-flow instructions).
#include "spirv/transform/clean/block_pruner.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "spirv/transform/clean/constant_branches.h"
#include "spirv/transform/clean/removable_constructs.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Where the merge instruction of a folded header is needed.
struct MergePlace {
  enum class Kind { Nowhere, AtBranch, AtHeader };
  Kind kind = Kind::Nowhere;
  BlockIndex branch;  // for AtBranch
};

}  // namespace

class BlockPruner::Work {
 public:
  Work(const Module& module, const OperandIndex& operands)
      : module_(module),
        operands_(operands),
        merges_(module.blocks().size()),
        continues_(module.blocks().size()),
        is_loop_exit_(module.blocks().size()),
        header_counts_(module.blocks().size()) {
    successor_begins_.reserve(module.blocks().size() + 1);
    for (const BlockRow& block : module.blocks()) {
      const std::size_t b = module.index_of(block).index();
      successor_begins_.push_back(static_cast<std::uint32_t>(successors_.size()));
      read_successors(block);
      if (block.merge.is_none()) continue;
      const InstructionView merge = module.instruction(block.merge);
      merges_[b] = block_of(merge.word(1), block.function);
      if (!merges_[b].is_none()) ++header_counts_[merges_[b].index()];
      if (merge.opcode != OpLoopMerge) continue;
      continues_[b] = block_of(merge.word(2), block.function);
      if (!merges_[b].is_none()) is_loop_exit_[merges_[b].index()] = true;
      if (!continues_[b].is_none()) is_loop_exit_[continues_[b].index()] = true;
    }
    successor_begins_.push_back(static_cast<std::uint32_t>(successors_.size()));
  }

  /// `values`: those of conditions; nullptr: those of constant instructions. `chosen`: the targets of blocks, which then
  /// replace both; empty: none.
  bool run(Rewrite& rewrite, bool folds, const KnownValues* values, std::span<const Word> chosen = {}) {
    rewrite_ = &rewrite;
    values_ = values;
    chosen_ = chosen;
    folds_ = folds;
    // Each type has at most one OpUndef, and there are as many types as words at most.
    if (!rewrite.has_fresh_ids(static_cast<Word>(module_.instruction_count()) + 2)) return false;
    const std::size_t count = module_.blocks().size();
    targets_.assign(count, BlockIndex());
    is_reached_.assign(count, false);
    is_stub_.assign(count, false);
    follower_.assign(count, BlockIndex());
    undefined_.clear();
    integer_ = 0;
    bool is_pruned = false;
    for (const FunctionRow& function : module_.functions()) {
      if (function.block_count != 0) is_pruned |= prune(function);
    }
    return !is_pruned || replace_removed_values();
  }

 private:
  [[nodiscard]] const BlockRow& row(BlockIndex b) const { return module_.blocks()[b.index()]; }
  [[nodiscard]] InstructionView terminator(BlockIndex b) const { return module_.instruction(row(b).terminator); }
  // The block with a label; none if it is in another function.
  [[nodiscard]] BlockIndex block_of(Word label, FunctionIndex function) const {
    const BlockIndex b = module_.block_of(label);
    return !b.is_none() && row(b).function == function ? b : BlockIndex();
  }
  // The blocks of the same function that a terminator names.
  void read_successors(const BlockRow& block) {
    if (block.terminator.is_none()) return;
    for (const IdOperandRow& operand : operands_.of(block.terminator)) {
      if (operand.definition.is_none() || module_.instruction(operand.definition).opcode != OpLabel) continue;
      const BlockIndex to = module_.block_at(operand.definition);
      if (!to.is_none() && row(to).function == block.function) successors_.push_back(to);
    }
  }
  [[nodiscard]] std::span<const BlockIndex> successors(BlockIndex b) const {
    const std::uint32_t begin = successor_begins_[b.index()];
    return std::span(successors_).subspan(begin, successor_begins_[b.index() + 1] - begin);
  }

  // --- folding ---

  // Returns whether the function changes.
  bool prune(const FunctionRow& function) {
    const FunctionIndex number = module_.index_of(function);
    const std::uint32_t end = function.first_block + function.block_count;
    for (std::uint32_t b = function.first_block; folds_ && b < end; ++b) {
      const Word target = chosen_.empty() ? constant_target(module_, values_, terminator(BlockIndex(b))) : chosen_[b];
      if (target == 0 || leaves_loop(BlockIndex(b)) || shares_merge_block(BlockIndex(b))) continue;
      targets_[b] = block_of(target, number);
    }
    reach(function);
    if (loses_back_edge(function) || cuts_continue_construct(function)) {
      for (std::uint32_t b = function.first_block; b < end; ++b) {
        targets_[b] = {};
        is_reached_[b] = false;
      }
      reach(function);
      if (loses_back_edge(function)) return false;
    }
    const bool has_removed_merge = remove_loop_merges(function);
    bool has_folded = false, has_unreached = false;
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      has_folded |= is_reached_[b] && !targets_[b].is_none();
      has_unreached |= !is_reached_[b];
    }
    if (!has_folded && !has_unreached) return has_removed_merge;
    find_predecessors(function);
    if (has_folded) fold(function);
    remove_unreached(function);
    if (has_folded) order_blocks(function);
    return true;
  }

  [[nodiscard]] bool is_loop_header(BlockIndex b) const {
    return !row(b).merge.is_none() && module_.instruction(row(b).merge).opcode == OpLoopMerge;
  }

  // True for a branch that is the back edge of a loop under a condition, as at the end of `do … while (false)`. It stays,
  // because each loop has one back edge.
  [[nodiscard]] bool leaves_loop(BlockIndex block) const {
    bool goes_back = false, goes_on = false;
    for (const BlockIndex to : successors(block)) {
      const bool is_back = to <= block && is_loop_header(to);
      goes_back |= is_back;
      goes_on |= !is_back;
    }
    return goes_back && goes_on;
  }

  // True if a merge block in a continue construct became unreachable. It would not lead to the back edge, which must
  // post-dominate the continue construct.
  [[nodiscard]] bool cuts_continue_construct(const FunctionRow& function) {
    bool is_read = false;
    for (std::uint32_t b = function.first_block; b < function.first_block + function.block_count; ++b) {
      const BlockRow& header = row(BlockIndex(b));
      if (!is_reached_[b] || header.merge.is_none() || !folds_) continue;
      const BlockIndex merge = merges_[b];
      if (merge.is_none() || is_reached_[merge.index()]) continue;
      if (!is_read) read_continue_constructs(function);
      is_read = true;
      const ConstructIndex c = flow_.innermost(LocalBlock(merge.index() - function.first_block));
      if (!c.is_none() && is_in_continue_[c.index()]) return true;
    }
    return false;
  }

  void read_continue_constructs(const FunctionRow& function) {
    flow_.read(module_, function, PostDominators::OfLoops);
    is_in_continue_.clear();
    for (const Construct& each : flow_.constructs()) {  // each follows its parent
      const bool is_in_parent = !each.parent.is_none() && is_in_continue_[each.parent.index()];
      is_in_continue_.push_back(is_in_parent || each.kind == Construct::Kind::Continue);
    }
  }

  // True if another header names the same merge block, in an invalid module.
  [[nodiscard]] bool shares_merge_block(BlockIndex block) const {
    const BlockIndex merge = merges_[block.index()];
    return !merge.is_none() && header_counts_[merge.index()] > 1;
  }

  // True if a loop has no reachable back edge although its continue target is reachable.
  [[nodiscard]] bool loses_back_edge(const FunctionRow& function) {
    const std::uint32_t end = function.first_block + function.block_count;
    has_back_edge_.assign(function.block_count, false);
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (!is_reached_[b]) continue;
      for_targets(BlockIndex(b), [&](BlockIndex to) {
        if (to.raw <= b) has_back_edge_[to.raw - function.first_block] = true;
      });
    }
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (!is_reached_[b] || !is_loop_header(BlockIndex(b)) || has_back_edge_[b - function.first_block]) continue;
      const BlockIndex back = continues_[b];
      if (!back.is_none() && is_reached_[back.index()]) return true;
    }
    return false;
  }

  // A header that only branches to its merge block begins no loop.
  bool remove_loop_merges(const FunctionRow& function) {
    bool has_removed = false;
    for (std::uint32_t b = function.first_block; b < function.first_block + function.block_count; ++b) {
      const BlockRow& block = row(BlockIndex(b));
      if (!is_reached_[b] || block.merge.is_none()) continue;
      const InstructionView merge = module_.instruction(block.merge);
      if (merge.opcode != OpLoopMerge || branches(BlockIndex(b))) continue;
      BlockIndex to;
      for_targets(BlockIndex(b), [&](BlockIndex target) { to = target; });
      const BlockIndex back = continues_[b];
      if (!to.is_none() && to == merges_[b] && !back.is_none() && !is_reached_[back.index()]) {
        rewrite_->remove(block.merge);
        has_removed = true;
      }
    }
    return has_removed;
  }

  template <typename Take>
  void for_targets(BlockIndex block, Take&& take) const {
    if (!targets_[block.index()].is_none()) return take(targets_[block.index()]);
    for (const BlockIndex to : successors(block)) take(to);
  }
  // Marks what the branches reach from the first block.
  void reach(const FunctionRow& function) {
    const auto enter = [&](BlockIndex b) {
      if (is_reached_[b.index()]) return;
      is_reached_[b.index()] = true;
      waiting_.push_back(b);
    };
    enter(BlockIndex(function.first_block));
    while (!waiting_.empty()) {
      const BlockIndex b = waiting_.back();
      waiting_.pop_back();
      for_targets(b, enter);
    }
  }

  void fold(const FunctionRow& function) {
    if (!constructs_) constructs_.emplace(module_);
    for (std::uint32_t b = function.first_block; b < function.first_block + function.block_count; ++b) {
      if (is_reached_[b] && !targets_[b].is_none()) fold_branch(BlockIndex(b));
    }
  }

  // Sources of the remaining branches, for the blocks of one function.
  void find_predecessors(const FunctionRow& function) {
    const std::uint32_t first = function.first_block, count = function.block_count;
    const auto for_edges = [&](const auto& take) {
      for (std::uint32_t b = first; b < first + count; ++b) {
        if (is_reached_[b]) for_targets(BlockIndex(b), [&](BlockIndex to) { take(BlockIndex(b), to.raw - first); });
      }
    };
    first_predecessor_of_ = first;
    predecessor_ends_.assign(count, 0);
    for_edges([&](BlockIndex, std::uint32_t to) { ++predecessor_ends_[to]; });
    std::uint32_t edges = 0;
    for (std::uint32_t& end : predecessor_ends_) edges += std::exchange(end, edges);
    predecessors_.resize(edges);
    // The begin of each list moves to its end, which is the begin of the next one.
    for_edges([&](BlockIndex from, std::uint32_t to) { predecessors_[predecessor_ends_[to]++] = from; });
  }
  [[nodiscard]] std::span<const BlockIndex> predecessors(BlockIndex b) const {
    const std::uint32_t local = b.raw - first_predecessor_of_;
    const std::uint32_t begin = local == 0 ? 0 : predecessor_ends_[local - 1];
    return std::span(predecessors_).subspan(begin, predecessor_ends_[local] - begin);
  }

  void fold_branch(BlockIndex block) {
    const BlockRow& header = row(block);
    const Word target = row(targets_[block.index()]).label;
    const Word branch[] = {first_word(2, OpBranch), target};
    if (header.merge.is_none() || module_.instruction(header.merge).opcode == OpLoopMerge) {
      rewrite_->replace(header.terminator, branch);
      return;
    }
    const BlockIndex merge = merges_[block.index()];
    const MergePlace place = place_of_merge(block, merge);
    if (place.kind == MergePlace::Kind::AtHeader) {
      const InstructionView old = module_.instruction(header.terminator);
      if (old.word_count == 3) return;  // an OpSwitch with only a default
      const Word selector = old.opcode == OpSwitch ? old.word(1) : any_integer();
      const Word with_default[] = {first_word(3, OpSwitch), selector, target};
      return rewrite_->replace(header.terminator, with_default);
    }
    rewrite_->remove(header.merge);
    rewrite_->replace(header.terminator, branch);
    if (place.kind == MergePlace::Kind::AtBranch) {
      rewrite_->insert_before(row(place.branch).terminator, module_.instruction(header.merge).words());
    }
  }

  // A conditional branch in the selection of a folded header that exits to the merge block needs the merge instruction,
  // which moves to the first such branch if all of them follow it.
  [[nodiscard]] MergePlace place_of_merge(BlockIndex header, BlockIndex merge) const {
    using Kind = MergePlace::Kind;
    if (merge.is_none()) return {};
    const auto number = constructs_->headed_by(header);
    bool is_needed = false, is_nested = false;
    for (const BlockIndex from : predecessors(merge)) {
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
    if (type == 0) type = rewrite_->declare_before(place, std::array<Word, 4>{first_word(4, OpTypeInt), 0, 32, 0}, 1);
    return integer_ = rewrite_->declare_before(place, std::array<Word, 4>{first_word(4, OpConstant), type, 0, 0}, 2);
  }

  // --- removing ---

  void remove_unreached(const FunctionRow& function) {
    const std::uint32_t end = function.first_block + function.block_count;
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (!is_reached_[b] || row(BlockIndex(b)).merge.is_none()) continue;
      if (rewrite_->is_removed(row(BlockIndex(b)).merge)) continue;
      make_stubs(BlockIndex(b));
    }
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (is_reached_[b] || is_stub_[b]) continue;
      const BlockRow& block = row(BlockIndex(b));
      for (std::uint32_t i = block.all.first; i < block.all.end; ++i) rewrite_->remove(InstructionIndex(i));
    }
    for (std::uint32_t b = function.first_block; b < end; ++b) {
      if (is_reached_[b]) repair_phis(BlockIndex(b));
    }
  }

  // An unreachable block that a header names keeps only its label and a terminator.
  void make_stubs(BlockIndex header) {
    const Word unreachable[] = {first_word(1, OpUnreachable)};
    const Word back[] = {first_word(2, OpBranch), row(header).label};
    const auto make = [&](BlockIndex block, Words terminator) {
      if (block.is_none() || is_reached_[block.index()]) return;
      is_stub_[block.index()] = true;
      const InstructionRange all = row(block).all;
      const InstructionView last = module_.instruction(InstructionIndex(all.end - 1));
      if (all.size() == 2 && std::ranges::equal(last.words(), terminator)) return;
      for (std::uint32_t i = all.first + 1; i + 1 < all.end; ++i) rewrite_->remove(InstructionIndex(i));
      rewrite_->replace(InstructionIndex(all.end - 1), terminator);
    };
    // A block that is both becomes the back edge.
    make(continues_[header.index()], back);
    const BlockIndex merge_block = merges_[header.index()];
    if (!merge_block.is_none() && !is_stub_[merge_block.index()]) make(merge_block, unreachable);
  }

  // The values of an OpPhi are those from the remaining predecessors.
  void repair_phis(BlockIndex block) {
    const FunctionIndex function = row(block).function;
    // The continue target of this loop, if only the back edge remains of it.
    BlockIndex stub;
    if (const BlockIndex to = continues_[block.index()]; !to.is_none() && is_stub_[to.index()]) stub = to;
    for (const BlockIndex from : predecessors(block)) follower_[from.index()] = block;
    for (const auto [index, phi] : module_.instructions(row(block).all)) {
      if (phi.opcode != OpPhi) continue;
      WordBuffer& words = phi_;
      words.assign({phi.first[0], phi.word(1), phi.word(2)});
      for (std::size_t word = 3; word + 1 < phi.word_count; word += 2) {
        const BlockIndex parent = block_of(phi.word(word + 1), function);
        if (parent.is_none() || follower_[parent.index()] != block) continue;
        const InstructionIndex value = module_.definition(phi.word(word));
        const bool is_gone = !value.is_none() && rewrite_->is_removed(value) && !block_is_kept(value);
        words.push_back(is_gone ? undefined(value) : phi.word(word));
        words.push_back(phi.word(word + 1));
      }
      if (!stub.is_none() && words.size() == 5 && is_before(words[3], index)) {
        // The back edge is unreachable.
        rewrite_->remove(index);
        rewrite_->rename(index, words[3]);
        continue;
      }
      if (!stub.is_none() && words.size() > 3) {
        words.push_back(value_from_stub(phi, row(stub).label, words[3]));
        words.push_back(row(stub).label);
      }
      words[0] = first_word(words.size(), OpPhi);
      if (!std::ranges::equal(words, phi.words())) rewrite_->replace(index, words);
    }
  }

  [[nodiscard]] bool is_before(Word value, InstructionIndex place) const {
    const InstructionIndex definition = module_.definition(value);
    return definition.is_none() ? value >= module_.header().bound : definition < place;
  }

  [[nodiscard]] Word value_from_stub(InstructionView phi, Word label, Word otherwise) const {
    for (std::size_t word = 3; word + 1 < phi.word_count; word += 2) {
      if (phi.word(word + 1) == label && !rewrite_->is_removed_id(phi.word(word))) return phi.word(word);
    }
    return otherwise;
  }

  // A value from a block that nothing reaches can be an operand of an instruction that remains, since such a block has no
  // dominators. It becomes OpUndef. Returns false if another kind of id is used so, in an invalid module.
  bool replace_removed_values() {
    for (const auto [index, view] : module_.instructions(Section::Functions)) {
      if (!rewrite_->is_kept(index)) continue;
      for (const IdOperandRow& operand : operands_.of(index)) {
        if (operand.definition.is_none() || !rewrite_->is_removed(operand.definition)) continue;
        const InstructionView definition = module_.instruction(operand.definition);
        if (definition.opcode == OpPhi && block_is_kept(operand.definition)) continue;  // it is renamed
        if (module_.type_of(definition) == 0) return false;
        undefined(operand.definition);
      }
    }
    return true;
  }

  // --- order ---

  // A block follows its dominators if each block follows one of its predecessors: the dominators of a block also
  // dominate its predecessors. Blocks that do not are moved.
  void order_blocks(const FunctionRow& function) {
    const std::uint32_t first = function.first_block, end = first + function.block_count;
    const auto is_ordered = [&](std::uint32_t b) {
      if (b == first || !is_reached_[b]) return true;
      return std::ranges::any_of(predecessors(BlockIndex(b)), [&](BlockIndex from) { return from.raw < b; });
    };
    std::uint32_t ordered = first;
    while (ordered < end && is_ordered(ordered)) ++ordered;
    if (ordered == end) return;
    order_.clear();
    is_placed_.assign(function.block_count, false);
    // A heap with the blocks after which a predecessor was placed; the first one in the module is taken first.
    waiting_.assign(1, BlockIndex(first));
    const auto add = [&](BlockIndex b) {
      if (b.is_none() || is_placed_[b.raw - first]) return;
      is_placed_[b.raw - first] = true;
      waiting_.push_back(b);
      std::ranges::push_heap(waiting_, std::ranges::greater());
    };
    is_placed_[0] = true;
    while (!waiting_.empty()) {
      std::ranges::pop_heap(waiting_, std::ranges::greater());
      const BlockIndex b = waiting_.back();
      waiting_.pop_back();
      order_.push_back(b);
      if (!is_reached_[b.index()]) continue;
      for_targets(b, add);
      // Unreachable blocks that the header names follow it.
      for (const BlockIndex named : {merges_[b.index()], continues_[b.index()]}) {
        if (!named.is_none() && is_stub_[named.index()]) add(named);
      }
    }
    for (std::uint32_t b = first; b < end; ++b) {
      if (!is_placed_[b - first]) order_.emplace_back(b);
    }
    rewrite_->set_block_order(module_.index_of(function), order_);
  }

  [[nodiscard]] bool block_is_kept(InstructionIndex i) const {
    const BlockIndex block = module_.block_at(i);
    return !block.is_none() && is_reached_[block.index()];
  }

  // An OpUndef for a removed value.
  Word undefined(InstructionIndex definition) {
    const Word type = module_.type_of(module_.instruction(definition));
    auto row = std::ranges::find(undefined_, type, &std::pair<Word, Word>::first);
    if (row == undefined_.end()) {
      const std::array<Word, 3> words = {first_word(3, OpUndef), type, 0};
      const InstructionIndex place(module_.section(Section::Functions).first);
      row = undefined_.emplace(row, type, rewrite_->declare_before(place, words, 2));
    }
    rewrite_->rename(definition, row->second);
    return row->second;
  }

  const Module& module_;
  const OperandIndex& operands_;
  std::vector<std::uint32_t> successor_begins_;  // one entry more than blocks
  std::vector<BlockIndex> successors_;
  std::vector<BlockIndex> merges_, continues_;  // by block: the merge block and continue target that it names
  std::vector<bool> is_loop_exit_;              // by block: the merge block or continue target of a loop
  std::vector<std::uint32_t> header_counts_;    // by block: the number of headers whose merge block it is
  std::optional<RemovableConstructs> constructs_;

  // One run.
  Rewrite* rewrite_ = nullptr;
  const KnownValues* values_ = nullptr;
  std::span<const Word> chosen_;  // by block
  bool folds_ = false;
  std::vector<BlockIndex> targets_;   // by block: where a folded branch goes
  std::vector<bool> is_reached_;      // by block
  std::vector<bool> is_stub_;         // by block: named by a header, but not reached
  std::vector<BlockIndex> follower_;  // by block: a block that its branch goes to
  std::vector<bool> has_back_edge_;   // by block of the function
  std::vector<bool> is_placed_;       // by block of the function
  std::vector<BlockIndex> waiting_, order_;
  std::vector<BlockIndex> predecessors_;  // over the remaining branches of the function
  std::vector<std::uint32_t> predecessor_ends_;
  std::uint32_t first_predecessor_of_ = 0;  // the block of predecessor_ends_[0]
  WordBuffer phi_;
  ControlFlow flow_;
  std::vector<bool> is_in_continue_;  // by construct of flow_
  Word integer_ = 0;
  std::vector<std::pair<Word, Word>> undefined_;  // types, each with its OpUndef
};

BlockPruner::BlockPruner(const Module& module, const OperandIndex& operands)
    : work_(std::make_unique<Work>(module, operands)) {}
BlockPruner::~BlockPruner() = default;

bool BlockPruner::fold(Rewrite& rewrite) { return work_->run(rewrite, true, nullptr); }
bool BlockPruner::fold(Rewrite& rewrite, const KnownValues& values) { return work_->run(rewrite, true, &values); }
bool BlockPruner::fold_to(Rewrite& rewrite, std::span<const Word> targets) {
  return work_->run(rewrite, true, nullptr, targets);
}

bool BlockPruner::remove_unreachable(Rewrite& rewrite) { return work_->run(rewrite, false, nullptr); }

}  // namespace vireo::spirv
