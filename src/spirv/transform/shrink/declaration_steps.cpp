// SPDX-License-Identifier: Apache-2.0
//
// Steps over declarations: tidy(), remove_declarations(), remove_members_of_structures().
//
// Source: specification 2.4 (logical layout, items 1 to 8), 3.42.6 (OpTypeStruct).
#include <algorithm>
#include <utility>
#include <vector>

#include "spirv/transform/clean/members.h"
#include "spirv/transform/shrink/steps.h"
#include "spirv/transform/shrink/subject.h"
#include "spirv/transform/shrink/subset_search.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/grammar/grammar_tools.h"
#include "vireo/spirv/transform/clean.h"

namespace vireo::spirv {
namespace {

// The sections whose instructions can be removed one by one.
constexpr Section declaration_sections[] = {
    Section::Capabilities, Section::Extensions, Section::Imports,         Section::ExecutionModes,
    Section::Sources,      Section::Names,      Section::ModuleProcessed, Section::Annotations,
};

// A declaration, or a variable in the interface of an entry point.
struct Declaration {
  InstructionIndex instruction;
  Word variable = 0;
};

// A candidate of clean(). Returns whether it is interesting or changes nothing.
bool try_clean(const CleanOptions& options, CandidateTester& tester) {
  const WordBuffer before = tester.best();
  Diagnostics ignored;
  Result<WordBuffer> cleaned = clean(before, options, ignored, nullptr, tester.grammar());
  if (!cleaned || *cleaned == before) return true;
  return tester.is_interesting(std::move(*cleaned));
}

}  // namespace

void tidy(CandidateTester& tester) {
  // Branches with a constant condition stay, because cut_operands() makes such conditions; fix_branches() tries them.
  CleanOptions options = no_clean_options;
  options.blocks = options.duplicate_types = options.duplicate_constants = true;
  options.drop_struct_names = options.compact_ids = true;
  if (try_clean(options, tester)) return;
  // The test may depend on the numbers of ids, or on the blocks.
  options.compact_ids = false;
  if (try_clean(options, tester)) return;
  options.blocks = false;
  try_clean(options, tester);
}

void remove_declarations(CandidateTester& tester) {
  const ShrinkSubject::Pointer subject = ShrinkSubject::read(tester.best(), tester.grammar());
  if (!subject) return;
  const Module& module = subject->module;
  std::vector<Declaration> declarations;
  for (const Section section : declaration_sections) {
    for (const auto [index, view] : module.instructions(section)) declarations.push_back({index});
  }
  for (const auto [index, view] : module.instructions(Section::EntryPoints)) {
    const auto entry = as<Op::OpEntryPoint>(view);
    if (!entry) continue;
    for (const Word variable : entry->interfaces().words()) declarations.push_back({index, variable});
  }
  std::vector<bool> is_kept;
  const MakeWithUnits make = [&](std::span<const std::uint32_t> kept) -> std::optional<WordBuffer> {
    is_kept.assign(declarations.size(), false);
    for (const std::uint32_t unit : kept) is_kept[unit] = true;
    Rewrite rewrite(module);
    for (std::size_t d = 0; d < declarations.size(); ++d) {
      if (is_kept[d]) continue;
      const Declaration& each = declarations[d];
      if (each.variable == 0) rewrite.remove(each.instruction);
      else rewrite.remove_from_interface(each.instruction, each.variable);
    }
    return rewrite.write();
  };
  find_permitted_and_needed_units(static_cast<std::uint32_t>(declarations.size()), make, tester);
}

// A capability is as large as one that it implies, and so removing either of them makes a module equally small.
void simplify_capabilities(CandidateTester& tester) {
  const Grammar& grammar = tester.grammar();
  const WordBuffer before = tester.best();
  for (bool is_changed = true; is_changed && !tester.is_stopped();) {
    is_changed = false;
    const ShrinkSubject::Pointer subject = ShrinkSubject::read(tester.best(), grammar);
    if (!subject) return;
    for (const auto [index, view] : subject->module.instructions(Section::Capabilities)) {
      const auto declaration = as<Op::OpCapability>(view);
      const EnumerantRow* const row =
          declaration ? grammar.find_value(grammar.capability_kind, Word(declaration->capability().value)) : nullptr;
      if (row == nullptr) continue;
      const auto number = static_cast<std::uint16_t>(row - grammar.enumerants.data());
      for (const std::uint16_t implied : implied_capabilities(grammar, number)) {
        const Word simpler = grammar.enumerants[implied].value;
        if (simpler == static_cast<Word>(Capability::Matrix)) continue;  // which no API accepts alone
        Rewrite rewrite(subject->module);
        const Word words[] = {view.words()[0], simpler};
        rewrite.replace(index, words);
        const WordBuffer best = tester.best();
        static_cast<void>(tester.is_interesting(rewrite.write()));
        is_changed = tester.best() != best;
        if (is_changed || tester.is_stopped()) break;
      }
      if (is_changed || tester.is_stopped()) break;
    }
  }
  // The extension of a capability that was replaced.
  if (tester.best() != before) remove_declarations(tester);
}

void remove_members_of_structures(CandidateTester& tester) {
  const WordBuffer before = tester.best();
  Diagnostics ignored;
  const Result<std::vector<StructMember>> unused = unused_members(before, ignored, tester.grammar());
  if (!unused) return;
  std::vector<StructMember> members;
  const MakeWithUnits make = [&](std::span<const std::uint32_t> kept) -> std::optional<WordBuffer> {
    members.clear();
    for (const std::uint32_t unit : kept) members.push_back((*unused)[unit]);
    Result<WordBuffer> words = remove_unused_members(before, ignored, tester.grammar(), members);
    if (!words) return std::nullopt;
    return std::move(*words);
  };
  find_permitted_and_needed_units(static_cast<std::uint32_t>(unused->size()), make, tester);
}

}  // namespace vireo::spirv
