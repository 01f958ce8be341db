// SPDX-License-Identifier: Apache-2.0
//
// Steps over instructions and operands: keep_needed_instructions(), cut_operands().
//
// Source: specification 2.4 (logical layout), 3.42.7 (OpConstantNull), 3.42.1 (OpUndef).
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/module/opcode_traits.h"
#include "spirv/transform/shrink/slicer.h"
#include "spirv/transform/shrink/steps.h"
#include "spirv/transform/shrink/subject.h"
#include "spirv/transform/shrink/subset_search.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/transform/strip.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Whether the search keeps a definition when it removes the instruction that uses it: a computed value, a variable, a
// type with parts.
bool is_worth_keeping(const Module& module, InstructionIndex i) {
  const InstructionView view = module.instruction(i);
  switch (view.opcode) {
    case OpVariable:
    case OpTypeStruct:
    case OpTypeArray:
    case OpTypePointer: return true;
    case OpFunction:
    case OpFunctionParameter: return false;
    default: return module.section(Section::Functions).contains(i) && module.type_of(view) != 0;
  }
}

// Entry points, calls, merge instructions, and terminators other than OpBranch and OpReturn.
bool is_control(Op opcode, OpcodeTable& opcodes) {
  if (opcode == OpBranch || opcode == OpReturn) return false;
  if (opcode == OpEntryPoint || opcode == OpFunctionCall) return true;
  const BodyPart part = opcodes.of(opcode).part;
  return part == BodyPart::Merge || part == BodyPart::Terminator;
}

void keep_needed_instructions_of(const WordBuffer& words, CandidateTester& tester) {
  const ShrinkSubject::Pointer subject = ShrinkSubject::read(words, tester.grammar());
  if (!subject) return;
  Slicer slicer(subject->module, subject->operands);
  std::vector<InstructionIndex> units(slicer.units().begin(), slicer.units().end());
  std::vector<InstructionIndex> roots;
  const auto make = [&](std::span<const std::uint32_t> kept) -> std::optional<WordBuffer> {
    roots.clear();
    for (const std::uint32_t unit : kept) roots.push_back(units[unit]);
    Rewrite rewrite(subject->module);
    slicer.slice(roots, OperandCuts(), rewrite);
    return rewrite.write();
  };
  // If calls and branches suffice, there are few units to search.
  OpcodeTable opcodes(tester.grammar());
  std::vector<std::uint32_t> control;
  for (std::uint32_t unit = 0; unit < units.size(); ++unit) {
    if (is_control(subject->module.instruction(units[unit]).opcode, opcodes)) control.push_back(unit);
  }
  if (control.size() * 2 < units.size() && tester.is_interesting(make(control))) {
    std::vector<InstructionIndex> fewer_units;
    fewer_units.reserve(control.size());
    for (const std::uint32_t unit : control) fewer_units.push_back(units[unit]);
    units = std::move(fewer_units);
  }
  find_needed_units(static_cast<std::uint32_t>(units.size()), make, tester, FirstTry::Half);
}

// An operand that can be replaced, and the value in its place.
struct Cut {
  std::size_t operand = 0;
  Word value = 0;
};

// Finds operands that are values computed in functions.
class CutFinder {
 public:
  CutFinder(const ShrinkSubject& subject, const Slicer& slicer, bool no_undef)
      : module_(subject.module),
        operands_(subject.operands),
        slicer_(slicer),
        types_(Types::read(subject.module)),
        no_undef_(no_undef) {
    const ModuleDeclarations declarations = ModuleDeclarations::read(module_);
    has_null_pointers_ = declarations.addressing_model() != AddressingModel::Logical;
    for (const auto [index, view] : module_.instructions(Section::Globals)) {
      const bool is_constant = view.opcode == OpConstant || view.opcode == OpConstantNull ||
                               view.opcode == OpConstantFalse || view.opcode == OpConstantTrue;
      if (is_constant) constants_.try_emplace(module_.type_of(view), module_.result_of(view));
    }
  }

  std::vector<Cut> run() const {
    std::vector<Cut> cuts;
    for (const auto [index, view] : module_.instructions(Section::Functions)) {
      const std::span<const IdOperandRow> rows = operands_.of(index);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        if (const Word value = value_for(rows[r].definition); value != 0) {
          cuts.push_back({slicer_.operand_number(index, r), value});
        }
      }
    }
    return cuts;
  }

 private:
  // The value that can replace a definition; 0 if it is not a computed value.
  [[nodiscard]] Word value_for(InstructionIndex definition) const {
    if (definition.is_none() || !module_.section(Section::Functions).contains(definition)) return 0;
    const InstructionView view = module_.instruction(definition);
    if (view.opcode == OpFunction || view.opcode == OpVariable) return 0;
    const Word type = module_.type_of(view);
    const TypeRow& row = types_.of(type);
    if (!row.has_values() || (row.is_pointer() && !has_null_pointers_)) return 0;
    const auto constant = constants_.find(type);
    if (constant != constants_.end()) return constant->second;
    if (!row.contains.has_any(TypeTrait::WithoutNull)) return OperandCuts::fresh_null;
    return no_undef_ ? 0 : OperandCuts::fresh_undef;
  }

  const Module& module_;
  const OperandIndex& operands_;
  const Slicer& slicer_;
  const Types types_;
  const bool no_undef_;
  bool has_null_pointers_ = false;
  std::unordered_map<Word, Word> constants_;  // by type
};

}  // namespace

void keep_needed_instructions(CandidateTester& tester) {
  const WordBuffer before = tester.best();
  // Debug information goes in the same candidates. Only if it is needed, they are made with it.
  Diagnostics ignored;
  const Result<WordBuffer> stripped = strip(before, {}, ignored, nullptr, tester.grammar());
  if (stripped) keep_needed_instructions_of(*stripped, tester);
  if (tester.best() == before && (!stripped || *stripped != before)) keep_needed_instructions_of(before, tester);
}

void remove_sinks(CandidateTester& tester) {
  const ShrinkSubject::Pointer subject = ShrinkSubject::read(tester.best(), tester.grammar());
  if (!subject) return;
  Slicer slicer(subject->module, subject->operands);
  const std::vector<InstructionIndex> sinks = slicer.sinks();
  std::vector<InstructionIndex> roots;
  std::vector<bool> is_kept;
  bool keeps_operands = false;
  const MakeWithUnits make = [&](std::span<const std::uint32_t> kept) -> std::optional<WordBuffer> {
    roots.clear();
    is_kept.assign(sinks.size(), false);
    for (const std::uint32_t unit : kept) {
      roots.push_back(sinks[unit]);
      is_kept[unit] = true;
    }
    // The operands of a removed sink can become sinks.
    for (std::size_t unit = 0; keeps_operands && unit < sinks.size(); ++unit) {
      if (is_kept[unit]) continue;
      for (const IdOperandRow& row : subject->operands.of(sinks[unit])) {
        if (!row.definition.is_none() && is_worth_keeping(subject->module, row.definition)) {
          roots.push_back(row.definition);
        }
      }
    }
    Rewrite rewrite(subject->module);
    slicer.slice(roots, OperandCuts(), rewrite);
    return rewrite.write();
  };
  const std::size_t size = tester.best().size();
  remove_unneeded_units(static_cast<std::uint32_t>(sinks.size()), make, tester);
  if (tester.best().size() < size) return;
  keeps_operands = true;
  remove_unneeded_units(static_cast<std::uint32_t>(sinks.size()), make, tester);
}

void cut_operands(CandidateTester& tester) {
  const ShrinkSubject::Pointer subject = ShrinkSubject::read(tester.best(), tester.grammar());
  if (!subject) return;
  Slicer slicer(subject->module, subject->operands);
  const std::vector<InstructionIndex> roots = slicer.sinks();
  const std::vector<Cut> cuts = CutFinder(*subject, slicer, tester.options().no_undef).run();
  const MakeWithUnits make = [&](std::span<const std::uint32_t> kept) -> std::optional<WordBuffer> {
    OperandCuts values(slicer.operand_count());
    for (const Cut& cut : cuts) values.cut(cut.operand, cut.value);
    for (const std::uint32_t unit : kept) values.cut(cuts[unit].operand, 0);
    Rewrite rewrite(subject->module);
    slicer.slice(roots, values, rewrite);
    return rewrite.write();
  };
  find_permitted_and_needed_units(static_cast<std::uint32_t>(cuts.size()), make, tester);
}

}  // namespace vireo::spirv
