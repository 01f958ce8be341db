// SPDX-License-Identifier: Apache-2.0
//
// The sections before the first type → Preamble (preamble.h).
//
// The one idea: each section has one reader, which knows the words of its instructions by their position; a conditional
// form is the plain one, a word further on.
#include "vireo/spirv/facts/preamble.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "spirv/binary/literal_string.h"
#include "spirv/module/section_walk.h"
#include "spirv/module/sorted_rows.h"

namespace vireo::spirv {

class PreambleReader {
 public:
  explicit PreambleReader(const Module& module) : module_(module), preamble_(module.grammar()) {}

  // Six short sections and no more: what functions hold costs nothing here.
  Preamble read() && {
    // There may be thousands of these; of the others there are few.
    preamble_.entry_points_.reserve(module_.section(Section::EntryPoints).size());
    preamble_.modes_.reserve(module_.section(Section::ExecutionModes).size());
    for (const Section section : {Section::Capabilities, Section::Extensions, Section::Imports, Section::MemoryModel,
                                  Section::EntryPoints, Section::ExecutionModes}) {
      walk_section(module_, section,
                   [&](InstructionIndex i, InstructionView instruction) { take(section, i, instruction); });
    }
    // The same capability may stand there twice; a search does not mind.
    std::ranges::sort(preamble_.far_);
    arrange_modes();
    for (const ExtensionRow& row : preamble_.extensions_) preamble_.extension_names_.push_back(row.name);
    std::ranges::sort(preamble_.extension_names_);
    for (std::uint32_t i = 0; i < preamble_.imports_.size(); ++i) preamble_.imports_by_id_.push_back(i);
    std::ranges::stable_sort(preamble_.imports_by_id_, {}, [&](std::uint32_t i) { return preamble_.imports_[i].id; });
    return std::move(preamble_);
  }

 private:
  // Modes keep the order of the words within each function. A function may have thousands, and each of its entry points
  // is asked for some of them: so they are searched in an order of their own, where the first of equal ones stays first.
  void arrange_modes() {
    std::vector<ExecutionModeRow>& modes = preamble_.modes_;
    std::ranges::stable_sort(modes, {}, &ExecutionModeRow::function);
    preamble_.modes_by_name_.resize(modes.size());
    std::iota(preamble_.modes_by_name_.begin(), preamble_.modes_by_name_.end(), 0u);
    std::ranges::stable_sort(preamble_.modes_by_name_, {}, [&](std::uint32_t i) {
      return std::uint64_t{modes[i].function} << 32 | static_cast<Word>(modes[i].mode);
    });
  }

  // An instruction counts where its own section is read: those out of place are offered to every section.
  void take(Section section, InstructionIndex i, InstructionView instruction) {
    switch (instruction.opcode) {
      case Op::OpCapability:
      case Op::OpConditionalCapabilityINTEL:
        if (section == Section::Capabilities) capability(i, instruction);
        break;
      case Op::OpExtension:
      case Op::OpConditionalExtensionINTEL:
        if (section == Section::Extensions) extension(i, instruction);
        break;
      case Op::OpExtInstImport:
        if (section == Section::Imports) import(i, instruction);
        break;
      case Op::OpMemoryModel:
        if (section == Section::MemoryModel) memory_model(instruction);
        break;
      case Op::OpEntryPoint:
      case Op::OpConditionalEntryPointINTEL:
        if (section == Section::EntryPoints) entry_point(i, instruction);
        break;
      case Op::OpExecutionMode:
      case Op::OpExecutionModeId:
        if (section == Section::ExecutionModes) execution_mode(i, instruction);
        break;
      default: break;
    }
  }

  // The word behind the condition of a conditional form, and the condition itself.
  struct Start {
    std::size_t word;
    Word condition;
  };
  static Start start_of(InstructionView instruction, Op conditional) {
    const bool has_condition = instruction.opcode == conditional;
    return has_condition ? Start{2, instruction.word(1)} : Start{1, 0};
  }

  // A number that the grammar does not know is declared all the same; it implies nothing that anybody could know.
  void capability(InstructionIndex i, InstructionView instruction) {
    const Start start = start_of(instruction, Op::OpConditionalCapabilityINTEL);
    if (start.word >= instruction.word_count) return;
    const auto value = static_cast<Capability>(instruction.word(start.word));
    preamble_.capabilities_.push_back({value, i, start.condition});
    const Grammar& grammar = preamble_.grammar_;
    const EnumerantRow* row = grammar.capability_kind.is_none()
                                  ? nullptr
                                  : grammar.find_value(grammar.capability_kind, instruction.word(start.word));
    if (row == nullptr) return note(value);
    make_available(static_cast<std::size_t>(row - grammar.enumerants.data()));
  }

  // Marks a capability and all that it implies. Each is visited once, whatever implies whatever.
  // (Of an enumerant of the kind Capability, the capabilities in its row are those that it implies: specification 3,
  // Capability.)
  void make_available(std::size_t enumerant) {
    pending_.assign(1, enumerant);
    while (!pending_.empty()) {
      const std::size_t at = pending_.back();
      pending_.pop_back();
      if (preamble_.available_[at]) continue;
      preamble_.available_[at] = true;
      const EnumerantRow& row = preamble_.grammar_.enumerants[at];
      note(static_cast<Capability>(row.value));
      for (const std::uint16_t implied : preamble_.grammar_.capabilities(row.capabilities)) pending_.push_back(implied);
    }
  }

  // Keeps the number, which is what has() is asked for: a bit where numbers are usual, a list beyond.
  void note(Capability capability) {
    const auto number = static_cast<Word>(capability);
    if (number < preamble_.by_number_.size()) {
      preamble_.by_number_[number] = true;
    } else {
      preamble_.far_.push_back(capability);
    }
  }

  // Names are looks into the words of the module, as all strings here.
  void extension(InstructionIndex i, InstructionView instruction) {
    const Start start = start_of(instruction, Op::OpConditionalExtensionINTEL);
    preamble_.extensions_.push_back({literal_string(instruction, start.word), i, start.condition});
  }

  // A set that the grammar lacks is an import like any other, with no rows behind it.
  void import(InstructionIndex i, InstructionView instruction) {
    const std::string_view name = literal_string(instruction, 2);
    preamble_.imports_.push_back({instruction.word(1), name, preamble_.grammar_.find_set(name), i});
  }

  // The first one counts; that there is a second is for a validator to say.
  void memory_model(InstructionView instruction) {
    if (preamble_.addressing_ || instruction.word_count < 3) return;
    preamble_.addressing_ = static_cast<AddressingModel>(instruction.word(1));
    preamble_.memory_ = static_cast<MemoryModel>(instruction.word(2));
  }

  // Words: execution model, function, name, and up to the end the ids of the interface. One that is too short to name a
  // function gives no row; a name without an end leaves no interface.
  void entry_point(InstructionIndex i, InstructionView instruction) {
    const Start start = start_of(instruction, Op::OpConditionalEntryPointINTEL);
    if (start.word + 1 >= instruction.word_count) return;
    EntryPointRow row;
    row.model = static_cast<ExecutionModel>(instruction.word(start.word));
    row.function = instruction.word(start.word + 1);
    row.name = literal_string(instruction, start.word + 2);
    row.interface_ = words_from(instruction, word_behind_string(instruction, start.word + 2));
    row.instruction = i;
    row.condition = start.condition;
    preamble_.entry_points_.push_back(row);
  }

  // Both forms say the same of a function, so they are one list; has_ids tells whether the operands are numbers or ids
  // of constants.
  void execution_mode(InstructionIndex i, InstructionView instruction) {
    if (instruction.word_count < 3) return;
    preamble_.modes_.push_back({instruction.word(1), static_cast<ExecutionMode>(instruction.word(2)),
                                words_from(instruction, 3), instruction.opcode == Op::OpExecutionModeId, i});
  }

  const Module& module_;
  Preamble preamble_;
  std::vector<std::size_t> pending_;
};

Preamble Preamble::read(const Module& module) { return PreambleReader(module).read(); }

// --- asking -------------------------------------------------------------------------------------------------------------

bool Preamble::has_far(Capability capability) const { return std::ranges::binary_search(far_, capability); }

bool Preamble::has_extension(std::string_view name) const { return std::ranges::binary_search(extension_names_, name); }

const ImportRow* Preamble::import_of(Word id) const {
  const auto id_of = [&](std::uint32_t place) { return imports_[place].id; };
  const auto found = std::ranges::lower_bound(imports_by_id_, id, {}, id_of);
  return found == imports_by_id_.end() || id_of(*found) != id ? nullptr : &imports_[*found];
}

// Sorted by function when they were read.
std::span<const ExecutionModeRow> Preamble::modes_of(Word function) const {
  return rows_with(execution_modes(), function, &ExecutionModeRow::function);
}

const ExecutionModeRow* Preamble::mode(Word function, ExecutionMode mode) const {
  const auto name_of = [&](std::uint32_t place) { return std::pair(modes_[place].function, modes_[place].mode); };
  const auto found = std::ranges::lower_bound(modes_by_name_, std::pair(function, mode), {}, name_of);
  return found == modes_by_name_.end() || name_of(*found) != std::pair(function, mode) ? nullptr : &modes_[*found];
}

}  // namespace vireo::spirv
