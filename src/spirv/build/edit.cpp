// SPDX-License-Identifier: Apache-2.0
//
// Records changes (edit.h). edit_calls.cpp records those of typed calls; edit_writer.cpp applies them.
#include "vireo/spirv/build/edit.h"

#include <algorithm>
#include <utility>

#include "spirv/build/edit_state.h"
#include "spirv/module/declaration_order.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/rules.h"
#include "vireo/spirv/build/requirements.h"

namespace vireo::spirv {

// The bound ignores ids that are used but not defined: finding them would need the decoder, and they are invalid.
EditState::EditState(const Module& the_module)
    : CallTarget(the_module.grammar(), "module"),
      module(the_module),
      // If the module defines the largest possible id, no larger bound exists, and the module's own bound has wrapped
      // around to 0.
      first_fresh(module.definition(last_bound).is_none()
                      ? std::max({module.header().bound, module.defined_bound(), Word{1}})
                      : last_bound),
      next_id(first_fresh) {}

Word EditState::fresh_id() {
  if (next_id != last_bound) return next_id++;
  has_run_out = true;
  return 0;
}

void EditState::put(Change change, Words words) {
  if (change.kind == Kind::Insert || change.kind == Kind::Replace) {
    change.first = static_cast<std::uint32_t>(payload.size());
    payload.insert(payload.end(), words.begin(), words.end());
    change.end = static_cast<std::uint32_t>(payload.size());
  }
  // Calls must not reuse a declaration that is removed or changed.
  const bool invalidates = change.kind == Kind::Replace || change.kind == Kind::Remove || change.kind == Kind::SetWord;
  if (invalidates && change.place < module.instruction_count()) {
    if (changed_.empty()) changed_.resize(module.instruction_count());
    changed_[change.place] = true;
  }
  changes.push_back(change);
}

EditState::Change EditState::at_end_of(Section section, Op opcode) const {
  // Numbers of sections are doubled, to leave room for the alias declarations before the annotations.
  const auto order = static_cast<std::uint8_t>(2 * static_cast<unsigned>(section));
  if (is_alias_declaration(opcode)) {
    return {end_of_alias_declarations(module).raw, Phase::Added, static_cast<std::uint8_t>(order - 1), Kind::Insert};
  }
  std::uint32_t gap = module.section(section).end;
  // An OpLine before the gap belongs to the function or other instruction after the gap. If there are several, only the
  // last has an effect, so one step is enough.
  if (gap > 0 && module.instruction(InstructionIndex(gap - 1)).opcode == Op::OpLine) --gap;
  // An empty section ends at the same place as the section before it; the section number keeps their insertions in
  // order.
  return {gap, Phase::Added, order, Kind::Insert};
}

// --- the interface ------------------------------------------------------------------------------------------------------

Edit::Edit(const Module& module) : state_(new EditState(module)) {}
Edit::~Edit() = default;
Edit::Edit(Edit&&) noexcept = default;
Edit& Edit::operator=(Edit&&) noexcept = default;

InstructionCalls Edit::add() { return {*state_, {}}; }
InstructionCalls Edit::before(InstructionIndex place) {
  return {*state_, {.place = place.raw, .kind = CallSite::Kind::Before}};
}
InstructionCalls Edit::after(InstructionIndex place) {
  return {*state_, {.place = place.raw, .kind = CallSite::Kind::After}};
}
InstructionCalls Edit::replace(InstructionIndex place) {
  return {*state_, {.place = place.raw, .kind = CallSite::Kind::Replace}};
}

// Line information and extended instructions (of debug information) may occur among the variables.
InstructionCalls Edit::at_begin(const FunctionRow& function) {
  const Module& module = state_->module;
  if (function.is_declaration()) return before(InstructionIndex::none());
  const InstructionRange block = module.blocks(function).front().all;
  std::uint32_t place = block.first + 1;
  for (std::uint32_t i = place; i < block.end; ++i) {
    const auto opcode = module.instruction(InstructionIndex(i)).opcode;
    if (is_variable(opcode)) place = i + 1;
    else if (!is_line(opcode) && opcode != Op::OpExtInst) break;
  }
  return before(InstructionIndex(place));
}

void Edit::insert_before(InstructionIndex place, Words instructions) {
  state_->put({place.raw, EditState::Phase::Before, 0, EditState::Kind::Insert}, instructions);
}
void Edit::insert_after(InstructionIndex place, Words instructions) {
  // Keep none() as it is: apply() reports it.
  const std::uint32_t next = place.is_none() ? place.raw : place.raw + 1;
  state_->put({next, EditState::Phase::After, 0, EditState::Kind::Insert}, instructions);
}
void Edit::replace(InstructionIndex place, Words instructions) {
  state_->put({place.raw, EditState::Phase::Here, 0, EditState::Kind::Replace}, instructions);
}
void Edit::remove(InstructionIndex place) {
  state_->put({place.raw, EditState::Phase::Here, 0, EditState::Kind::Remove}, {});
}
// A range outside of the module is recorded as one change, so that apply() reports it once and not for each place.
void Edit::remove(InstructionRange range) {
  if (range.end < range.first || range.end > state_->module.instruction_count()) {
    state_->put({range.first, EditState::Phase::Here, 0, EditState::Kind::RemoveRun, range.first, range.end}, {});
    return;
  }
  for (std::uint32_t i = range.first; i < range.end; ++i) remove(InstructionIndex(i));
}
void Edit::remove_with_annotations(InstructionIndex place) {
  const Module& module = state_->module;
  remove(place);
  if (place.is_none() || place.raw >= module.instruction_count()) return;
  if (const Word result = module.result_of(module.instruction(place)); result != 0) state_->dropped.insert(result);
}
// An instruction has at most 65535 words, so a clamped index stays out of range.
void Edit::set_word(InstructionIndex place, std::size_t word, Word value) {
  const auto noted = static_cast<std::uint32_t>(std::min<std::size_t>(word, ~std::uint32_t{0}));
  state_->put({place.raw, EditState::Phase::Here, 0, EditState::Kind::SetWord, noted, value}, {});
}
// Two changes: one writes the range in its new place, the other removes it from the old one.
void Edit::move_before(InstructionRange range, InstructionIndex place) {
  if (range.is_empty()) return;
  state_->put({place.raw, EditState::Phase::Before, 0, EditState::Kind::Move, range.first, range.end}, {});
  state_->put({range.first, EditState::Phase::Here, 0, EditState::Kind::TakeAway, range.first, range.end}, {});
}

void Edit::add(Words instructions) {
  const Grammar& grammar = state_->grammar;
  // The first instruction with a known section decides. Line information may occur anywhere, and the section of an
  // unknown opcode is unknown. If no instruction has a known section, the words go to the functions.
  OpcodeTraits traits;
  Op opcode = Op::OpNop;
  for (const InstructionView instruction : Instructions(instructions, 0)) {
    opcode = instruction.opcode;
    traits = traits_of(grammar, grammar.find_opcode(opcode));
    if (traits.place != SectionPlace::Anywhere) break;
  }
  state_->put(state_->at_end_of(traits.home, opcode), instructions);
}

Word Edit::fresh_id() { return state_->fresh_id(); }
void Edit::add_requirements() { state_->wants_requirements = true; }

Result<WordBuffer> Edit::apply(Diagnostics& diagnostics) const {
  Result<WordBuffer> words = write_edited(*state_, diagnostics);
  if (!words || !state_->wants_requirements) return words;
  // Requirements are computed from the changed module, so they are added by a second edit.
  const Module changed = Module::read(*words, state_->grammar);
  const Requirements missing = missing_requirements(*words, state_->grammar);
  Edit edit(changed);
  for (const Capability capability : missing.capabilities) edit.add().OpCapability(capability);
  for (const std::string_view extension : missing.extensions) edit.add().OpExtension(extension);
  return edit.apply(diagnostics);
}

}  // namespace vireo::spirv
