// SPDX-License-Identifier: Apache-2.0
//
// Typed calls of an edit (edit_state.h): facts about ids, insertion places, and existing declarations.
//
// The facts about an id come from its definition, in the module or among the words of earlier calls. So
// the module is not searched before a call needs it.
#include <algorithm>
#include <utility>

#include "spirv/binary/id_type_table.h"
#include "spirv/build/edit_state.h"
#include "spirv/build/pending_instruction.h"
#include "spirv/grammar/special_cases.h"
#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {
namespace {

InstructionView view_of(Words instruction) { return InstructionView::at(instruction.data(), 0); }

// Sections with declarations that a module contains only once (is_declared_once).
constexpr Section declaring_sections[] = {Section::Capabilities, Section::Extensions, Section::Imports,
                                          Section::Globals};

}  // namespace

void EditState::report(std::string_view rule, std::string message) { faults.report(fault(rule, std::move(message))); }

// --- ids ----------------------------------------------------------------------------------------------------------------

bool EditState::is_known(Word id) const {
  return (id >= first_fresh && id < next_id) || !module.definition(id).is_none();
}

// The instruction that defines an id, including those of earlier calls; a view without words if there is none.
InstructionView EditState::definition(Word id) const {
  const auto made = made_.find(id);
  if (made == made_.end()) return module.find(id);
  return made->second == left_out ? InstructionView{} : view_of(Words(payload).subspan(made->second));
}

IdFacts EditState::facts_of(Word id) const {
  IdFacts facts;
  const auto made = made_.find(id);
  facts.is_invalid = made != made_.end() && made->second == left_out;
  const InstructionView view = definition(id);
  const InstructionRow* row = view.word_count == 0 ? nullptr : grammar.find_opcode(view.opcode);
  facts.is_defined = view.word_count != 0 || facts.is_invalid;
  if (row == nullptr) {
    // A fresh id whose instruction is added later, or as words.
    facts.has_unknown_kind = true;
    return facts;
  }
  facts.kind = result_kind(*row, grammar);
  if (row->type_word() != 0) facts.type = ValueOperands(view).result_type();
  return facts;
}

ScalarType EditState::scalar_type(Word type) const { return declared_scalar(definition(type)); }

std::optional<std::string_view> EditState::import_name(Word set) const {
  const auto import = as<Op::OpExtInstImport>(definition(set));
  return import ? std::optional<std::string_view>(import->name()) : std::nullopt;
}

SetId EditState::find_import(std::string_view prefix) const {
  SetId found;
  const auto take = [&](Word id) {
    if (const auto name = import_name(id); name && name->starts_with(prefix)) found = SetId(id);
  };
  for (const InstructionView view : module.views(module.section(Section::Imports))) take(module.result_of(view));
  for (const Word id : imports_) take(id);
  return found;
}

// --- declarations -------------------------------------------------------------------------------------------------------

bool EditState::is_decorated(Word id) {
  if (!decorations_) decorations_.emplace(Decorations::read(module));
  return decorated_.contains(id) || !decorations_->all_of(id).empty();
}

// A call may reuse an earlier instruction with the same words, unless the edit removes or changes it or it is
// decorated. If it is decorated, its decorations would also apply to the users of the new one.
bool EditState::is_usable(const Declaration& declaration) {
  return !is_changed(declaration.place) && (declaration.result == 0 || !is_decorated(declaration.result));
}

// Runs at the first call that adds a declaration. Linear in the declarations of the module.
void EditState::index_declarations() {
  if (std::exchange(has_indexed_declarations_, true)) return;
  for (const Section section : declaring_sections) {
    for (const auto [index, view] : module.instructions(section)) {
      const InstructionRow* row = grammar.find_opcode(view.opcode);
      if (row == nullptr || !is_declared_once(*row, grammar, false)) continue;
      const std::size_t result_at = opcodes.of(view.opcode).result_word;
      if (result_at >= view.word_count) continue;
      // If several declarations are equal, keep the first one that calls may reuse.
      const Declaration declaration{result_at == 0 ? 0 : view.first[result_at], index.raw};
      const auto [known, is_new] =
          declarations_.try_emplace(words_without_result(view.words(), result_at), declaration);
      if (!is_new && !is_usable(known->second)) known->second = declaration;
    }
  }
}

// --- placing ------------------------------------------------------------------------------------------------------------

// If an instruction belongs outside functions, it goes to the end of its section, unless the place of the call is in
// that section.
EditState::Change EditState::destination(const OpcodeTraits& traits, Words words, CallSite site) const {
  const std::optional<StorageClass> storage = variable_storage(view_of(words));
  const InstructionIndex anchor(site.place);
  const bool is_local = storage == StorageClass::Function;
  const Op opcode = view_of(words).opcode;
  if (site.kind == CallSite::Kind::Usual) return at_end_of(is_local ? Section::Functions : traits.home, opcode);
  const bool is_code = traits.home == Section::Functions || traits.home == Section::Graphs;
  if (!is_local && !is_code && (traits.place == SectionPlace::Home || storage)) {
    if (!module.section(traits.home).contains(anchor)) return at_end_of(traits.home, opcode);
  }
  if (is_local && anchor.raw < module.instruction_count() && !variable_storage(module.instruction(anchor))) {
    // Local variables are the first instructions of their function's first block (2.4), even if other instructions are
    // inserted after the label.
    const FunctionIndex f = module.function_at(anchor);
    if (!f.is_none() && !module.functions()[f.index()].is_declaration()) {
      return {module.blocks(module.functions()[f.index()]).front().all.first + 1, Phase::Hoisted};
    }
  }
  switch (site.kind) {
    case CallSite::Kind::After: return {anchor.is_none() ? anchor.raw : anchor.raw + 1, Phase::After};
    case CallSite::Kind::Replace: return {anchor.raw, Phase::Here, 0, Kind::Replace};
    default: return {anchor.raw, Phase::Before};
  }
}

Word EditState::place(const InstructionRow& row, Words words, std::size_t result_at, IdKind, CallSite site) {
  const OpcodeTraits traits = opcodes.of(row.opcode);
  const Change change = destination(traits, words, site);
  Word result = result_at == 0 ? 0 : words[result_at];
  // A replacement keeps the result id of the instruction, so that its users need no change.
  const bool replaces = change.kind == Kind::Replace;
  if (replaces && result_at != 0 && result == 0 && site.place < module.instruction_count()) {
    result = module.result_of(module.instruction(InstructionIndex(site.place)));
  }

  WordBuffer key;  // empty: the instruction is not shared
  const bool is_declaration = std::ranges::find(declaring_sections, traits.home) != std::end(declaring_sections);
  if (is_declaration && !replaces && is_declared_once(row, grammar, false)) {
    index_declarations();
    key = words_without_result(words, result_at);
    const auto known = declarations_.find(key);
    if (result == 0 && known != declarations_.end() && is_usable(known->second)) return known->second.result;
  }

  WordBuffer whole(words.begin(), words.end());
  if (result_at != 0) {
    if (result == 0) result = fresh_id();
    whole[result_at] = result;
    made_[result] = static_cast<std::uint32_t>(payload.size());
  }
  if (!key.empty()) declarations_.insert_or_assign(std::move(key), Declaration{result, InstructionIndex::none().raw});
  if (row.opcode == Op::OpExtInstImport) imports_.push_back(result);
  // Includes the targets of groups. Also includes id operands of decorations; that only prevents calls from reusing
  // them.
  if (is_annotation_instruction(row.opcode)) decorated_.insert(draft_ids.begin(), draft_ids.end());
  if (traits.home == Section::Globals && result != 0 && change.phase == Phase::Added) {
    added_[result] = {static_cast<std::uint32_t>(changes.size()), static_cast<std::uint32_t>(added_ids_.size()),
                      static_cast<std::uint32_t>(draft_ids.size())};
    added_ids_.insert(added_ids_.end(), draft_ids.begin(), draft_ids.end());
  }
  const bool is_among_globals =
      change.phase != Phase::Added && module.section(Section::Globals).contains(InstructionIndex(site.place));
  if (is_among_globals) hoist(draft_ids, change.place, site.place);
  put(change, whole);
  return result;
}

// If an instruction among the globals uses declarations, they must precede it. This function moves each one that is
// after `gap` to `gap`, together with the declarations that it uses. It moves declarations that calls have added, and
// declarations of the module, but not the instruction at `user`.
void EditState::hoist(std::span<const Word> ids, std::uint32_t gap, std::uint32_t user) {
  std::vector<Word> waiting(ids.begin(), ids.end());
  std::vector<std::uint32_t> later;  // instructions of the module
  IdHashSet seen;
  std::optional<OperandDecoder> decoder;
  while (!waiting.empty()) {
    const Word id = waiting.back();
    waiting.pop_back();
    if (!seen.insert(id).second) continue;
    if (const auto added = added_.find(id); added != added_.end()) {
      const AddedGlobal global = added->second;
      Change& change = changes[global.change];
      if (change.place < gap) continue;
      change.place = gap;
      change.phase = Phase::Hoisted;
      change.section = 1;
      waiting.insert(waiting.end(), added_ids_.begin() + global.first_id,
                     added_ids_.begin() + global.first_id + global.id_count);
      continue;
    }
    const InstructionIndex place = module.definition(id);
    if (!module.section(Section::Globals).contains(place) || place.raw < gap || place.raw == user) continue;
    later.push_back(place.raw);
    if (!decoder) decoder.emplace(grammar, module.header().bound, module.words().size());
    const InstructionView view = module.instruction(place);
    (void)decoder->decode(view);  // operands before a fault are available
    for (const Operand& operand : decoder->operands()) {
      if (operand.uses_id()) waiting.push_back(view.word(operand.word));
    }
  }
  // Keep the order of the module, in which each declaration follows the declarations that it uses.
  std::ranges::sort(later);
  for (const std::uint32_t place : later) {
    if (const auto moved = moved_.find(place); moved != moved_.end()) {
      changes[moved->second].place = std::min(changes[moved->second].place, gap);
      continue;
    }
    moved_[place] = static_cast<std::uint32_t>(changes.size());
    put({gap, Phase::Hoisted, 0, Kind::Move, place, place + 1}, {});
    put({place, Phase::Here, 0, Kind::TakeAway, place, place + 1}, {});
  }
}

// The id is known from then on, so that its uses are not reported.
Word EditState::leave_out(const InstructionRow&, bool has_result, IdKind, CallSite site) {
  if (!has_result) return 0;
  const Word id = site.given != 0 ? site.given : fresh_id();
  if (module.definition(id).is_none()) made_.try_emplace(id, left_out);
  return id;
}

}  // namespace vireo::spirv
