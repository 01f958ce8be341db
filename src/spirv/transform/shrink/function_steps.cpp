// SPDX-License-Identifier: Apache-2.0
//
// Steps over functions: fix_branches(), shorten_signatures().
//
// Source: specification 2.11 (structured control flow), 3.42.9 (functions), 3.42.17 (branches).
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "spirv/transform/shrink/steps.h"
#include "spirv/transform/shrink/subject.h"
#include "spirv/transform/shrink/subset_search.h"
#include "vireo/spirv/edit.h"
#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/views/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Gives conditions constant values, and lets clean() remove the branches.
class BranchFixer {
 public:
  explicit BranchFixer(const ShrinkSubject& subject) : module_(subject.module) {
    for (const BlockRow& block : module_.blocks()) {
      if (block.terminator.is_none()) continue;
      const InstructionView view = module_.instruction(block.terminator);
      const bool is_conditional = view.opcode == OpBranchConditional && view.word(2) != view.word(3);
      if (is_conditional || (view.opcode == OpSwitch && view.word_count > 3)) branches_.push_back(block.terminator);
    }
  }

  [[nodiscard]] std::size_t count() const { return branches_.size(); }

  /// Of a conditional branch the first or the second target remains; of a switch the first case or the default.
  std::optional<WordBuffer> fix(std::span<const std::uint32_t> kept, bool first_target, const Grammar& grammar) const {
    std::vector<bool> is_kept(branches_.size());
    for (const std::uint32_t unit : kept) is_kept[unit] = true;
    Edit edit(module_);
    for (std::size_t b = 0; b < branches_.size(); ++b) {
      if (!is_kept[b]) fix_branch(branches_[b], first_target, edit);
    }
    Diagnostics ignored;
    const Result<WordBuffer> fixed = edit.apply(ignored);
    if (!fixed) return std::nullopt;
    CleanOptions options = no_clean_options;
    options.branches = options.blocks = true;
    Result<WordBuffer> cleaned = clean(*fixed, options, ignored, nullptr, grammar);
    if (!cleaned) return std::nullopt;
    return std::move(*cleaned);
  }

 private:
  void fix_branch(InstructionIndex branch, bool first_target, Edit& edit) const {
    const InstructionView view = module_.instruction(branch);
    const TypeId type(module_.type_of(view.word(1)));
    if (view.opcode == OpBranchConditional) {
      const ValueId value = first_target ? edit.add().OpConstantTrue(type) : edit.add().OpConstantFalse(type);
      return edit.set_word(branch, 1, value.word);
    }
    // A selector of at most 32 bits; wider ones stay.
    const InstructionView declaration = module_.find(type.word);
    if (declaration.opcode != OpTypeInt || declaration.word(2) > 32) return;
    Word value = view.word(3);
    if (!first_target) {
      // A value without a case: there are fewer cases than values from 0 to their number.
      std::vector<Word> cases;
      for (std::size_t word = 3; word + 1 < view.word_count; word += 2) cases.push_back(view.word(word));
      value = 0;
      while (std::ranges::count(cases, value) != 0) ++value;
    }
    const AnyId constant = edit.add().instruction(OpConstant, std::array<Word, 2>{type.word, value});
    edit.set_word(branch, 1, constant.word);
  }

  const Module& module_;
  std::vector<InstructionIndex> branches_;
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
  for (const bool first_target : {true, false}) {
    const ShrinkSubject::Pointer subject = ShrinkSubject::read(tester.best(), tester.grammar());
    if (!subject) return;
    const BranchFixer fixer(*subject);
    const MakeWithUnits make = [&](std::span<const std::uint32_t> kept) {
      return fixer.fix(kept, first_target, tester.grammar());
    };
    find_permitted_and_needed_units(static_cast<std::uint32_t>(fixer.count()), make, tester);
  }
}

void shorten_signatures(CandidateTester& tester) {
  const ShrinkSubject::Pointer subject = ShrinkSubject::read(tester.best(), tester.grammar());
  if (!subject) return;
  const SignatureShortener shortener(*subject);
  const MakeWithUnits make = [&](std::span<const std::uint32_t> kept) { return shortener.shorten(kept); };
  find_permitted_and_needed_units(static_cast<std::uint32_t>(shortener.parts().size()), make, tester);
}

}  // namespace vireo::spirv
