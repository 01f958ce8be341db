// SPDX-License-Identifier: Apache-2.0
//
// Reads the module declarations before the first type into ModuleDeclarations (module_declarations.h).
//
// Each section has one reader. A conditional form is read like the plain one, with its condition.
#include "vireo/spirv/module/module_declarations.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "spirv/module/section_walk.h"
#include "spirv/module/sorted_rows.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/mode_setting.h"

namespace vireo::spirv {

class ModuleDeclarationsReader {
 public:
  explicit ModuleDeclarationsReader(const Module& module) : module_(module), declarations_(module.grammar()) {}

  // Reads only six short sections; the size of the functions does not matter.
  ModuleDeclarations read() && {
    // These two can have thousands of rows; the others have few.
    declarations_.entry_points_.reserve(module_.section(Section::EntryPoints).size());
    declarations_.modes_.reserve(module_.section(Section::ExecutionModes).size());
    for (const Section section : {Section::Capabilities, Section::Extensions, Section::Imports, Section::MemoryModel,
                                  Section::EntryPoints, Section::ExecutionModes}) {
      walk_section(module_, section,
                   [&](InstructionIndex i, InstructionView instruction) { take(section, i, instruction); });
    }
    // Duplicates do not matter for the search.
    std::ranges::sort(declarations_.far_);
    arrange_modes();
    for (const ExtensionRow& row : declarations_.extensions_) declarations_.extension_names_.push_back(row.name);
    std::ranges::sort(declarations_.extension_names_);
    for (std::uint32_t i = 0; i < declarations_.imports_.size(); ++i) declarations_.imports_by_id_.push_back(i);
    std::ranges::stable_sort(declarations_.imports_by_id_, {},
                             [&](std::uint32_t i) { return declarations_.imports_[i].id; });
    return std::move(declarations_);
  }

 private:
  // Modes keep word order within each function. A function may have thousands, and many are looked up for each entry
  // point. So a second array sorts them by mode for binary search; the first of several equal modes stays first.
  void arrange_modes() {
    std::vector<ExecutionModeRow>& modes = declarations_.modes_;
    std::ranges::stable_sort(modes, {}, &ExecutionModeRow::function);
    declarations_.modes_by_name_.resize(modes.size());
    std::iota(declarations_.modes_by_name_.begin(), declarations_.modes_by_name_.end(), 0u);
    std::ranges::stable_sort(declarations_.modes_by_name_, {}, [&](std::uint32_t i) {
      return std::uint64_t{modes[i].function} << 32 | static_cast<Word>(modes[i].mode);
    });
  }

  // Each section takes only its own instructions: walk_section() passes misplaced ones to every section.
  void take(Section section, InstructionIndex i, InstructionView instruction) {
    switch (section) {
      case Section::Capabilities:
        if (const auto plain = as<Op::OpCapability>(instruction)) {
          capability(i, instruction, plain->capability(), 0);
        } else if (const auto conditional = as<Op::OpConditionalCapabilityINTEL>(instruction)) {
          capability(i, instruction, conditional->capability(), conditional->condition());
        }
        break;
      case Section::Extensions:
        if (const auto plain = as<Op::OpExtension>(instruction)) {
          extension(i, plain->name(), 0);
        } else if (const auto conditional = as<Op::OpConditionalExtensionINTEL>(instruction)) {
          extension(i, conditional->name(), conditional->condition());
        }
        break;
      case Section::Imports:
        if (const auto set = as<Op::OpExtInstImport>(instruction)) import(i, *set);
        break;
      case Section::MemoryModel:
        if (const auto model = as<Op::OpMemoryModel>(instruction)) memory_model(*model);
        break;
      case Section::EntryPoints:
        if (const auto plain = as<Op::OpEntryPoint>(instruction)) {
          entry_point(i, *plain, 0);
        } else if (const auto conditional = as<Op::OpConditionalEntryPointINTEL>(instruction)) {
          entry_point(i, *conditional, conditional->condition());
        }
        break;
      case Section::ExecutionModes:
        if (const auto literal = as<Op::OpExecutionMode>(instruction)) {
          execution_mode(i, literal->entry_point(), literal->mode(), false);
        } else if (const auto by_id = as<Op::OpExecutionModeId>(instruction)) {
          execution_mode(i, by_id->entry_point(), by_id->mode(), true);
        }
        break;
      default: break;
    }
  }

  // A capability that the grammar lacks is recorded as well; the capabilities that it implies are unknown.
  void capability(InstructionIndex i, InstructionView instruction, Located<Capability> capability, Word condition) {
    if (capability.word >= instruction.word_count) return;
    declarations_.capabilities_.push_back({capability, i, condition});
    const Grammar& grammar = declarations_.grammar_;
    const EnumerantRow* row = grammar.capability_kind.is_none()
                                  ? nullptr
                                  : grammar.find_value(grammar.capability_kind, static_cast<Word>(capability.value));
    if (row == nullptr) return note(capability);
    make_available(static_cast<std::size_t>(row - grammar.enumerants.data()));
  }

  // Marks a capability and all that it implies, each once, so cycles are harmless. In a row of the kind Capability, the
  // capabilities are the implied ones (specification 3, Capability).
  void make_available(std::size_t enumerant) {
    pending_.assign(1, enumerant);
    while (!pending_.empty()) {
      const std::size_t at = pending_.back();
      pending_.pop_back();
      if (declarations_.available_[at]) continue;
      declarations_.available_[at] = true;
      const EnumerantRow& row = declarations_.grammar_.enumerants[at];
      note(static_cast<Capability>(row.value));
      for (const std::uint16_t implied : declarations_.grammar_.capabilities(row.capabilities))
        pending_.push_back(implied);
    }
  }

  // Records the number for has(): in a bit set for usual numbers, in a list for larger ones.
  void note(Capability capability) {
    const auto number = static_cast<Word>(capability);
    if (number < declarations_.by_number_.size()) {
      declarations_.by_number_[number] = true;
    } else {
      declarations_.far_.push_back(capability);
    }
  }

  // Like all strings here, names are views of the module's words.
  void extension(InstructionIndex i, std::string_view name, Word condition) {
    declarations_.extensions_.push_back({name, i, condition});
  }

  // A set that the grammar lacks is recorded with a none() set.
  void import(InstructionIndex i, View<Op::OpExtInstImport> import) {
    const std::string_view name = import.name();
    declarations_.imports_.push_back({import.result(), name, declarations_.grammar_.find_set(name), i});
  }

  // Only the first OpMemoryModel is used; the validator reports a second one.
  void memory_model(View<Op::OpMemoryModel> model) {
    if (declarations_.addressing_ || model.memory_model().word >= model.view().word_count) return;
    declarations_.addressing_ = model.addressing_model();
    declarations_.memory_ = model.memory_model();
  }

  // An instruction that is too short to name a function adds no row; after an unterminated name the interface is empty.
  template <Op opcode>
  void entry_point(InstructionIndex i, View<opcode> entry, Word condition) {
    if (entry.entry_point().word >= entry.view().word_count) return;
    EntryPointRow row;
    row.model = entry.execution_model();
    row.function = entry.entry_point();
    row.name = entry.name();
    row.interface_ = entry.interfaces().words();
    row.instruction = i;
    row.condition = condition;
    declarations_.entry_points_.push_back(row);
  }

  // Both forms are in one list. `has_ids`: the operands are ids of constants, not literals.
  void execution_mode(InstructionIndex i, Word function, ExecutionModeView mode, bool has_ids) {
    if (!mode.is_present()) return;
    declarations_.modes_.push_back({function, mode.value(), mode.parameters(), has_ids, i});
  }

  const Module& module_;
  ModuleDeclarations declarations_;
  std::vector<std::size_t> pending_;
};

ModuleDeclarations ModuleDeclarations::read(const Module& module) { return ModuleDeclarationsReader(module).read(); }

// --- queries ------------------------------------------------------------------------------------------------------------

bool ModuleDeclarations::has_far(Capability capability) const { return std::ranges::binary_search(far_, capability); }

bool ModuleDeclarations::has_extension(std::string_view name) const {
  return std::ranges::binary_search(extension_names_, name);
}

const ImportRow* ModuleDeclarations::import_of(Word id) const {
  const auto id_of = [&](std::uint32_t place) { return imports_[place].id; };
  const auto found = std::ranges::lower_bound(imports_by_id_, id, {}, id_of);
  return found == imports_by_id_.end() || id_of(*found) != id ? nullptr : &imports_[*found];
}

// The rows are sorted by function.
std::span<const ExecutionModeRow> ModuleDeclarations::modes_of(Word function) const {
  return rows_with(execution_modes(), function, &ExecutionModeRow::function);
}

const ExecutionModeRow* ModuleDeclarations::mode(Word function, ExecutionMode mode) const {
  const auto name_of = [&](std::uint32_t place) { return std::pair(modes_[place].function, modes_[place].mode); };
  const auto found = std::ranges::lower_bound(modes_by_name_, std::pair(function, mode), {}, name_of);
  return found == modes_by_name_.end() || name_of(*found) != std::pair(function, mode) ? nullptr : &modes_[*found];
}

// --- rows ---------------------------------------------------------------------------------------------------------------
//
// Not in the header: each conversion to a std::span costs its users 10 to 20 ms of compile time.

std::span<const CapabilityRow> ModuleDeclarations::capabilities() const { return capabilities_; }
std::span<const ExtensionRow> ModuleDeclarations::extensions() const { return extensions_; }
std::span<const ImportRow> ModuleDeclarations::imports() const { return imports_; }
std::span<const EntryPointRow> ModuleDeclarations::entry_points() const { return entry_points_; }
std::span<const ExecutionModeRow> ModuleDeclarations::execution_modes() const { return modes_; }

}  // namespace vireo::spirv
