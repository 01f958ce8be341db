// SPDX-License-Identifier: Apache-2.0
//
// Steps over functions: fix_branches(), flatten_loops(), shorten_signatures().
//
// Source: specification 2.11 (structured control flow), 3.42.9 (functions), 3.42.17 (branches).
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "spirv/transform/clean/block_pruner.h"
#include "spirv/transform/shrink/steps.h"
#include "spirv/transform/shrink/subject.h"
#include "spirv/transform/shrink/subset_search.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/spirv/transform/clean.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Lets branches always go to one of their targets.
class BranchFixer {
 public:
  explicit BranchFixer(const ShrinkSubject& subject) : subject_(subject) {
    for (const BlockRow& block : subject.module.blocks()) {
      if (labels_of(block).size() > 1) branches_.push_back(subject.module.index_of(block));
    }
  }

  [[nodiscard]] std::size_t count() const { return branches_.size(); }

  /// All branches except those in `kept` go to their first or second target. The first target of OpSwitch is its default.
  std::optional<WordBuffer> fix(std::span<const std::uint32_t> kept, std::size_t target, const Grammar& grammar) const {
    std::vector<Word> targets(subject_.module.blocks().size(), 0);
    for (const BlockIndex branch : branches_) {
      targets[branch.index()] = labels_of(subject_.module.blocks()[branch.index()])[target];
    }
    for (const std::uint32_t unit : kept) targets[branches_[unit].index()] = 0;
    Rewrite rewrite(subject_.module);
    if (!BlockPruner(subject_.module, subject_.operands).fold_to(rewrite, targets)) return std::nullopt;
    rewrite.remove_annotations();
    const WordBuffer fixed = rewrite.write(subject_.operands);
    Diagnostics ignored;
    CleanOptions options = no_clean_options;
    options.blocks = true;
    Result<WordBuffer> cleaned = clean(fixed, options, ignored, nullptr, grammar);
    if (!cleaned) return std::nullopt;
    return std::move(*cleaned);
  }

 private:
  // The labels in a terminator.
  [[nodiscard]] std::vector<Word> labels_of(const BlockRow& block) const {
    std::vector<Word> labels;
    if (block.terminator.is_none()) return labels;
    const InstructionView view = subject_.module.instruction(block.terminator);
    for (const IdOperandRow& row : subject_.operands.of(block.terminator)) {
      if (row.definition.is_none()) continue;
      if (subject_.module.instruction(row.definition).opcode == OpLabel) labels.push_back(view.word(row.word));
    }
    return labels;
  }

  const ShrinkSubject& subject_;
  std::vector<BlockIndex> branches_;
};

// Runs the body of loops once: without OpLoopMerge, the back edge becomes a branch to the merge block.
class LoopFlattener {
 public:
  explicit LoopFlattener(const ShrinkSubject& subject) : subject_(subject) {
    for (const BlockRow& block : subject.module.blocks()) {
      if (block.merge.is_none()) continue;
      if (subject.module.instruction(block.merge).opcode == OpLoopMerge)
        headers_.push_back(subject.module.index_of(block));
    }
    find_latches();
  }

  [[nodiscard]] std::size_t count() const { return headers_.size(); }

  std::optional<WordBuffer> flatten(std::span<const std::uint32_t> kept) const {
    std::vector<bool> is_kept(headers_.size());
    for (const std::uint32_t unit : kept) is_kept[unit] = true;
    Rewrite rewrite(subject_.module);
    for (std::size_t h = 0; h < headers_.size(); ++h) {
      if (!is_kept[h]) flatten_loop(headers_[h], rewrite);
    }
    return rewrite.write();
  }

 private:
  using Latch = std::pair<BlockIndex, BlockIndex>;  // the header and a block with a branch back to it

  void find_latches() {
    const Module& module = subject_.module;
    for (const BlockRow& block : module.blocks()) {
      if (block.terminator.is_none()) continue;
      for (const IdOperandRow& row : subject_.operands.of(block.terminator)) {
        if (row.definition.is_none() || row.definition.raw > block.all.first) continue;  // not a back edge
        const BlockIndex header = module.block_at(row.definition);
        if (!std::ranges::binary_search(headers_, header)) continue;
        const BlockRow& target = module.blocks()[header.index()];
        if (target.all.first != row.definition.raw || target.function != block.function) continue;
        latches_.emplace_back(header, module.index_of(block));
      }
    }
    std::ranges::sort(latches_);
  }

  void flatten_loop(BlockIndex h, Rewrite& rewrite) const {
    const Module& module = subject_.module;
    const BlockRow& header = module.blocks()[h.index()];
    const Word merge = module.instruction(header.merge).word(1);
    rewrite.remove(header.merge);
    for (auto latch = std::ranges::lower_bound(latches_, h, {}, &Latch::first);
         latch != latches_.end() && latch->first == h; ++latch) {
      const InstructionIndex terminator = module.blocks()[latch->second.index()].terminator;
      rewrite.replace(terminator, std::array<Word, 2>{first_word(2, OpBranch), merge});
    }
    for (const auto [index, view] : module.instructions(header.all)) {
      if (view.opcode != OpPhi) continue;
      WordBuffer phi = {0, view.word(1), view.word(2)};
      for (std::uint32_t word = 3; word + 1 < view.word_count; word += 2) {
        if (std::ranges::binary_search(latches_, Latch(h, module.block_of(view.word(word + 1))))) continue;
        phi.insert(phi.end(), {view.word(word), view.word(word + 1)});
      }
      phi[0] = first_word(phi.size(), OpPhi);
      rewrite.replace(index, phi);
    }
  }

  const ShrinkSubject& subject_;
  std::vector<BlockIndex> headers_;  // ascending
  std::vector<Latch> latches_;       // sorted
};

// Finds and removes unused parameters and results. Functions that are entry points, are exported, or are used other than
// by OpFunctionCall keep theirs.
class SignatureShortener {
 public:
  // A parameter by its number, or the result.
  struct Part {
    FunctionIndex function;
    std::uint32_t parameter = result;
    static constexpr std::uint32_t result = 0xFFFFFFFF;
  };

  explicit SignatureShortener(const ShrinkSubject& subject) : module_(subject.module), uses_(Uses::read(module_)) {
    for (const FunctionRow& function : module_.functions()) add_parts_of(function);
  }

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

  std::optional<WordBuffer> shorten(std::span<const std::uint32_t> kept) const {
    std::vector<bool> is_kept(parts_.size());
    for (const std::uint32_t unit : kept) is_kept[unit] = true;
    Edit edit(module_);
    for (std::size_t p = 0; p < parts_.size();) {
      const FunctionIndex function = parts_[p].function;
      std::vector<std::uint32_t> removed;
      for (; p < parts_.size() && parts_[p].function == function; ++p) {
        if (!is_kept[p]) removed.push_back(parts_[p].parameter);
      }
      if (!removed.empty()) shorten_function(module_.functions()[function.index()], removed, edit);
    }
    Diagnostics ignored;
    Result<WordBuffer> words = edit.apply(ignored);
    if (!words) return std::nullopt;
    CleanOptions options = no_clean_options;
    options.types = true;  // the old function type
    Result<WordBuffer> cleaned = clean(*words, options, ignored, nullptr, module_.grammar());
    if (!cleaned) return std::nullopt;
    return std::move(*cleaned);
  }

 private:
  [[nodiscard]] bool is_used(Word id) const {
    return std::ranges::any_of(uses_.of(id), [](const Use& use) { return use.kind == UseKind::Operand; });
  }

  [[nodiscard]] std::vector<InstructionIndex> parameters_of(const FunctionRow& function) const {
    std::vector<InstructionIndex> parameters;
    for (const auto [index, view] : module_.instructions(function.prologue)) {
      if (view.opcode == OpFunctionParameter) parameters.push_back(index);
    }
    return parameters;
  }

  void add_parts_of(const FunctionRow& function) {
    if (function.is_declaration() || function.id == 0) return;
    bool is_result_used = false;
    for (const Use& use : uses_.of(function.id)) {
      const InstructionView view = module_.instruction(use.instruction);
      if (use.kind == UseKind::Debug) continue;
      if (view.opcode != OpFunctionCall || use.word != 3) return;
      is_result_used |= is_used(view.word(2));
    }
    const FunctionIndex index = module_.index_of(function);
    const std::vector<InstructionIndex> parameters = parameters_of(function);
    for (std::uint32_t p = 0; p < parameters.size(); ++p) {
      if (!is_used(module_.result_of(module_.instruction(parameters[p])))) parts_.push_back({index, p});
    }
    const Word type = module_.type_of(module_.instruction(InstructionIndex(function.all.first)));
    if (!is_result_used && module_.find(type).opcode != OpTypeVoid) parts_.push_back({index});
  }

  void shorten_function(const FunctionRow& function, std::span<const std::uint32_t> removed, Edit& edit) const {
    const auto is_removed = [&](std::uint32_t part) { return std::ranges::count(removed, part) != 0; };
    const InstructionIndex head(function.all.first);
    const bool is_void = is_removed(Part::result);
    const Word result = is_void ? edit.add().OpTypeVoid().word : module_.instruction(head).word(1);
    std::vector<TypeId> types;
    const std::vector<InstructionIndex> parameters = parameters_of(function);
    for (std::uint32_t p = 0; p < parameters.size(); ++p) {
      if (is_removed(p)) edit.remove_with_annotations(parameters[p]);
      else types.push_back(TypeId(module_.instruction(parameters[p]).word(1)));
    }
    edit.set_word(head, 1, result);
    edit.set_word(head, 4, edit.add().OpTypeFunction(TypeId(result), types).word);
    for (const auto [index, view] : module_.instructions(function.all)) {
      if (is_void && view.opcode == OpReturnValue) edit.replace(index, std::array<Word, 1>{first_word(1, OpReturn)});
    }
    for (const Use& use : uses_.of(function.id)) {
      const InstructionView view = module_.instruction(use.instruction);
      if (view.opcode != OpFunctionCall) continue;
      WordBuffer call = {0, result, view.word(2), view.word(3)};
      for (std::uint32_t word = 4; word < view.word_count; ++word) {
        if (!is_removed(word - 4)) call.push_back(view.word(word));
      }
      call[0] = first_word(call.size(), OpFunctionCall);
      edit.replace(use.instruction, call);
    }
  }

  const Module& module_;
  const Uses uses_;
  std::vector<Part> parts_;
};

}  // namespace

void fix_branches(CandidateTester& tester) {
  for (const std::size_t target : {0u, 1u}) {
    const ShrinkSubject::Pointer subject = ShrinkSubject::read(tester.best(), tester.grammar());
    if (!subject) return;
    const BranchFixer fixer(*subject);
    const MakeWithUnits make = [&](std::span<const std::uint32_t> kept) {
      return fixer.fix(kept, target, tester.grammar());
    };
    find_permitted_and_needed_units(static_cast<std::uint32_t>(fixer.count()), make, tester);
  }
}

void flatten_loops(CandidateTester& tester) {
  const ShrinkSubject::Pointer subject = ShrinkSubject::read(tester.best(), tester.grammar());
  if (!subject) return;
  const LoopFlattener flattener(*subject);
  const MakeWithUnits make = [&](std::span<const std::uint32_t> kept) { return flattener.flatten(kept); };
  find_permitted_and_needed_units(static_cast<std::uint32_t>(flattener.count()), make, tester);
}

void shorten_signatures(CandidateTester& tester) {
  const ShrinkSubject::Pointer subject = ShrinkSubject::read(tester.best(), tester.grammar());
  if (!subject) return;
  const SignatureShortener shortener(*subject);
  const MakeWithUnits make = [&](std::span<const std::uint32_t> kept) { return shortener.shorten(kept); };
  find_permitted_and_needed_units(static_cast<std::uint32_t>(shortener.parts().size()), make, tester);
}

}  // namespace vireo::spirv
