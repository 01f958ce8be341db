// SPDX-License-Identifier: Apache-2.0
//
// Follows the dependencies of the roots and marks the rest as removed (slicer.h).
#include "spirv/transform/shrink/slicer.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "spirv/module/opcode_traits.h"
#include "spirv/module/sorted_rows.h"
#include "vireo/spirv/binary/views/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Parts of functions that are no units: they remain with their function or block.
bool is_frame(Op opcode) {
  switch (opcode) {
    case OpFunctionParameter:
    case OpFunctionEnd:
    case OpLabel:
    case OpBranch:
    case OpReturn: return true;
    default: return false;
  }
}

}  // namespace

Slicer::Slicer(const Module& module, const OperandIndex& operands)
    : Liveness(module, RemovableConstructs(module)),
      operands_(operands),
      begins_(module.instruction_count()),
      function_of_(module.instruction_count()),
      block_of_(module.instruction_count()),
      is_plain_(module.functions().size()),
      path_(module.blocks().size()) {
  for (std::uint32_t i = 0; i < module.instruction_count(); ++i) {
    begins_[i] = operand_count_;
    operand_count_ += operands.of(InstructionIndex(i)).size();
  }
  for (const FunctionRow& function : module.functions()) {
    for (std::uint32_t i = function.all.first; i < function.all.end; ++i) function_of_[i] = module.index_of(function);
  }
  for (const BlockRow& block : module.blocks()) {
    for (std::uint32_t i = block.all.first; i < block.all.end; ++i) block_of_[i] = module.index_of(block);
  }
  find_units();
  find_attached();
  read_plain_functions();
}

void Slicer::find_units() {
  for (const auto [index, view] : module_.instructions(Section::Globals)) {
    if (!is_continuation(view.opcode) && view.opcode != OpTypeForwardPointer) units_.push_back(index);
  }
  for (const auto [index, view] : module_.instructions(Section::Functions)) {
    if (!is_continuation(view.opcode) && !is_frame(view.opcode)) units_.push_back(index);
  }
  for (const auto [index, view] : module_.instructions(Section::EntryPoints)) {
    units_.push_back(index);
    entry_points_.push_back(index);
  }
}

void Slicer::find_attached() {
  const auto attach = [&](InstructionView view, InstructionIndex index) {
    const InstructionIndex target = module_.definition(view.word(1));
    if (!target.is_none()) attached_.emplace_back(target, index);
  };
  for (const auto [index, view] : module_.instructions(Section::ExecutionModes)) attach(view, index);
  for (const auto [index, view] : module_.instructions(Section::Globals)) {
    if (view.opcode == OpTypeForwardPointer) attach(view, index);
  }
  for (const auto [index, view] : module_.instructions(Section::Annotations)) {
    if (view.opcode == OpDecorateId || view.opcode == OpMemberDecorateIdEXT) attach(view, index);
  }
  std::ranges::sort(attached_);
}

template <typename Take>
void Slicer::for_labels_of(InstructionIndex i, Take&& take) const {
  if (i.is_none()) return;
  for (const IdOperandRow& row : operands_.of(i)) {
    if (row.definition.is_none() || module_.instruction(row.definition).opcode != OpLabel) continue;
    if (const BlockIndex to = block_of(row.definition); !to.is_none()) take(to);
  }
}

bool Slicer::has_labels(InstructionIndex i) const {
  bool has_any = false;
  for_labels_of(i, [&](BlockIndex) { has_any = true; });
  return has_any;
}

// Without merge instructions any part of the graph is valid, if each of its blocks can still be reached. A search from
// the entry block gives each block one predecessor.
void Slicer::read_plain_functions() {
  std::vector<BlockIndex> order;
  for (const FunctionRow& function : module_.functions()) {
    const std::span<const BlockRow> blocks = module_.blocks(function);
    const bool is_plain = !blocks.empty() && std::ranges::all_of(blocks, [](const BlockRow& block) {
      return block.merge.is_none() && !block.terminator.is_none();
    });
    is_plain_[module_.index_of(function).index()] = is_plain;
    if (!is_plain) continue;
    const BlockIndex entry = module_.index_of(blocks.front());
    path_[entry.index()] = entry;
    order.assign(1, entry);
    for (std::size_t next = 0; next < order.size(); ++next) {
      const BlockIndex from = order[next];
      for_labels_of(module_.blocks()[from.index()].terminator, [&](BlockIndex to) {
        if (!path_[to.index()].is_none()) return;
        path_[to.index()] = from;
        order.push_back(to);
      });
    }
  }
}

std::vector<InstructionIndex> Slicer::sinks() const {
  std::vector<bool> is_used(module_.instruction_count());
  for (const InstructionIndex unit : units_) {
    for (const IdOperandRow& row : operands_.of(unit)) {
      // The interface of an entry point only lists variables.
      const bool is_listed = module_.instruction(unit).opcode == OpEntryPoint && row.word > 2;
      if (!row.definition.is_none() && row.definition != unit && !is_listed) is_used[row.definition.index()] = true;
    }
  }
  std::vector<InstructionIndex> result;
  for (const InstructionIndex unit : units_) {
    if (!is_used[unit.index()]) result.push_back(unit);
  }
  return result;
}

void Slicer::slice(std::span<const InstructionIndex> roots, const OperandCuts& cuts, Rewrite& rewrite) {
  cuts_ = &cuts;
  restart();
  is_block_needed_.assign(module_.blocks().size(), false);
  kept_target_.assign(module_.blocks().size(), {});
  has_branches_.assign(module_.blocks().size(), false);
  edges_.clear();
  for (const InstructionIndex root : roots) need_root(root);
  follow();
  need_entry_point();
  follow();
  write(rewrite);
}

// A terminator or a merge instruction that is a root keeps its targets.
void Slicer::need_root(InstructionIndex i) {
  need(i);
  const BlockIndex b = block_of(i);
  if (b.is_none()) return;
  need_block(b);
  const BlockRow& block = module_.blocks()[b.index()];
  if (block.terminator == i && is_plain(block.function)) need_all_edges(b);
  if (block.terminator == i || block.merge == i) need_construct(constructs_.headed_by(b));
}

void Slicer::visit(InstructionIndex i) {
  const BlockIndex b = block_of(i);
  // The value of a branch counts only while it has several targets.
  const bool is_plain_branch = !b.is_none() && module_.blocks()[b.index()].terminator == i &&
                               is_plain(module_.blocks()[b.index()].function) && has_labels(i);
  if (!is_plain_branch || has_branches_[b.index()]) need_operands(i);
  for (const Attached& each : rows_with<Attached>(attached_, i, &Attached::first)) need(each.second);
  need_continuation(i);
  if (const FunctionIndex f = function_of_[i.index()]; !f.is_none()) need_function(f);
  if (!b.is_none()) need_block(b);
}

void Slicer::need_operands(InstructionIndex i) {
  const InstructionView view = module_.instruction(i);
  const std::span<const IdOperandRow> rows = operands_.of(i);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const InstructionIndex definition = rows[r].definition;
    if (definition.is_none()) continue;
    if (view.opcode == OpEntryPoint && rows[r].word > 2) continue;  // the interface only lists variables
    if (module_.instruction(definition).opcode == OpLabel) {
      if (view.opcode != OpPhi) continue;
      // The value comes along this edge.
      const BlockIndex from = block_of(definition);
      if (from.is_none()) continue;
      need_block(from);
      if (is_plain(module_.blocks()[from.index()].function)) need_edge(from, block_of(i));
      continue;
    }
    const Word value = cuts_->value(operand_number(i, r));
    if (value == 0) {
      need(definition);
    } else if (value == OperandCuts::fresh_null || value == OperandCuts::fresh_undef) {
      need(module_.definition(module_.type_of(module_.instruction(definition))));
    } else {
      need(module_.definition(value));
    }
  }
}

bool Slicer::is_live(InstructionIndex, InstructionView view) {
  return view.opcode == OpFunction || view.opcode == OpFunctionParameter || view.opcode == OpFunctionEnd;
}

void Slicer::need_blocks(const FunctionRow& function) {
  if (is_plain(module_.index_of(function))) need_block(BlockIndex(function.first_block));
  else Liveness::need_blocks(function);
}

void Slicer::need_block(BlockIndex b) {
  const FunctionIndex f = module_.blocks()[b.index()].function;
  if (!is_plain(f)) {
    need_function(f);
    return need_construct(constructs_.owner(b));
  }
  // The path to it.
  for (BlockIndex at = b; !at.is_none() && !is_block_needed_[at.index()];) {
    is_block_needed_[at.index()] = true;
    const BlockRow& block = module_.blocks()[at.index()];
    need(InstructionIndex(block.all.first));
    need(block.terminator);
    const BlockIndex before = path_[at.index()];
    if (before.is_none() || before == at) break;
    need_edge(before, at);
    at = before;
  }
}

void Slicer::need_edge(BlockIndex from, BlockIndex to) {
  edges_.emplace_back(from, to);
  BlockIndex& first = kept_target_[from.index()];
  if (first.is_none()) {
    first = to;
  } else if (first != to && !has_branches_[from.index()]) {
    has_branches_[from.index()] = true;
    need_operands(module_.blocks()[from.index()].terminator);
  }
}

void Slicer::need_all_edges(BlockIndex from) {
  for_labels_of(module_.blocks()[from.index()].terminator, [&](BlockIndex to) {
    need_block(to);
    need_edge(from, to);
  });
}

// A module with entry points keeps one of them: that of a needed function, or the one with the shortest function.
void Slicer::need_entry_point() {
  InstructionIndex best;
  std::uint32_t best_size = 0;
  for (const InstructionIndex each : entry_points_) {
    if (is_needed(each)) return;
    const FunctionIndex f = module_.function_of(module_.instruction(each).word(2));
    if (f.is_none()) continue;
    const std::uint32_t size = is_needed(f) ? 0 : module_.functions()[f.index()].all.size();
    if (!best.is_none() && size >= best_size) continue;
    best = each;
    best_size = size;
  }
  if (!best.is_none()) need(best);
}

bool Slicer::is_block_kept(BlockIndex b) const {
  return is_plain(module_.blocks()[b.index()].function) ? is_block_needed_[b.index()] : Liveness::is_block_kept(b);
}

// --- the result -----------------------------------------------------------------------------------------------------

void Slicer::write(Rewrite& rewrite) {
  std::ranges::sort(edges_);
  const auto remove_from = [&](Section section) {
    for (const auto [index, view] : module_.instructions(section)) {
      if (!is_needed(index)) rewrite.remove(index);
    }
  };
  remove_from(Section::EntryPoints);
  remove_from(Section::ExecutionModes);
  remove_from(Section::Globals);
  for (const FunctionRow& function : module_.functions()) write_function(function, rewrite);
  replace_constructs(rewrite);
  // Execution modes belong to entry points, whose function may remain without them.
  std::vector<bool> has_entry_point(module_.functions().size());
  for (const InstructionIndex each : entry_points_) {
    const FunctionIndex f = module_.function_of(module_.instruction(each).word(2));
    if (is_needed(each) && !f.is_none()) has_entry_point[f.index()] = true;
  }
  for (const auto [index, view] : module_.instructions(Section::ExecutionModes)) {
    const FunctionIndex f = module_.function_of(view.word(1));
    if (f.is_none() || !has_entry_point[f.index()]) rewrite.remove(index);
  }
  write_cuts(rewrite);
  rewrite.remove_annotations();
}

void Slicer::write_function(const FunctionRow& function, Rewrite& rewrite) {
  const FunctionIndex f = module_.index_of(function);
  for (const auto [index, view] : module_.instructions(function.all)) {
    if (!is_needed(f) || !is_needed(index)) rewrite.remove(index);
  }
  if (!is_needed(f)) return;
  for (const BlockRow& block : module_.blocks(function)) {
    const BlockIndex b = module_.index_of(block);
    if (!is_block_kept(b)) continue;
    rewrite.keep(InstructionIndex(block.all.first));
    if (is_plain(f)) write_plain_terminator(b, rewrite);
  }
}

void Slicer::write_plain_terminator(BlockIndex b, Rewrite& rewrite) {
  const BlockRow& block = module_.blocks()[b.index()];
  const InstructionView view = module_.instruction(block.terminator);
  const BlockIndex first = kept_target_[b.index()];
  if (!has_labels(block.terminator)) return;  // it ends the function or the invocation
  if (first.is_none()) {
    // Nothing after this block is needed. A function that returns a value ends without one.
    const FunctionRow& function = module_.functions()[block.function.index()];
    const Word type = module_.type_of(module_.instruction(InstructionIndex(function.all.first)));
    const Op end = module_.find(type).opcode == OpTypeVoid ? OpReturn : OpUnreachable;
    return rewrite.replace(block.terminator, std::array<Word, 1>{first_word(1, end)});
  }
  const Word label = module_.blocks()[first.index()].label;
  if (!has_branches_[b.index()]) {
    return rewrite.replace(block.terminator, std::array<Word, 2>{first_word(2, OpBranch), label});
  }
  // Unneeded targets become the first needed one.
  words_.assign(view.words().begin(), view.words().end());
  const std::span<const IdOperandRow> rows = operands_.of(block.terminator);
  for (const IdOperandRow& row : rows) {
    if (row.definition.is_none()) continue;
    if (module_.instruction(row.definition).opcode == OpLabel &&
        !std::ranges::binary_search(edges_, std::pair(b, block_of(row.definition)))) {
      words_[row.word] = label;
    }
  }
  rewrite.replace(block.terminator, words_);
}

// The new values of cut operands. New constants are declared once for each type, after the other globals.
void Slicer::write_cuts(Rewrite& rewrite) {
  std::unordered_map<std::uint64_t, Word> declared;
  const InstructionRange functions = module_.section(Section::Functions);
  const auto value_of = [&](Word value, InstructionIndex definition) {
    if (value != OperandCuts::fresh_null && value != OperandCuts::fresh_undef) return value;
    const Word type = module_.type_of(module_.instruction(definition));
    Word& id = declared[std::uint64_t{value} << 32 | type];
    if (id == 0 && rewrite.has_fresh_ids(1)) {
      const Op opcode = value == OperandCuts::fresh_null ? OpConstantNull : OpUndef;
      id = rewrite.declare_before(InstructionIndex(functions.first),
                                  std::array<Word, 3>{first_word(3, opcode), type, 0}, 2);
    }
    return id;
  };
  for (const auto [index, view] : module_.instructions(functions)) {
    if (rewrite.is_removed(index)) continue;
    const Words now = rewrite.is_kept(index) ? view.words() : rewrite.replacement(index);
    if (now.size() != view.word_count) continue;  // a branch without a condition
    words_.assign(now.begin(), now.end());
    bool is_changed = false;
    const std::span<const IdOperandRow> rows = operands_.of(index);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Word value = cuts_->value(operand_number(index, r));
      if (value == 0 || rows[r].definition.is_none()) continue;
      const Word id = value_of(value, rows[r].definition);
      if (id == 0) continue;
      words_[rows[r].word] = id;
      is_changed = true;
    }
    if (is_changed) rewrite.replace(index, WordBuffer(words_));
  }
}

}  // namespace vireo::spirv
