// SPDX-License-Identifier: Apache-2.0
//
// ModuleDeclarations: the module declarations (specification 2.4, items 1 to 6).
//
// Capabilities, extensions, imports and entry points are lists in the order of the words; execution modes are sorted by
// function. Strings and interfaces are borrowed from the module's words.
//
//   const ModuleDeclarations module_declarations = ModuleDeclarations::read(module);
//   for (const EntryPointRow& entry : module_declarations.entry_points())
//     … entry.name, entry.interface_, module_declarations.modes_of(entry.function) …
//
// Source: specification 2.4, items 1 to 6 of the logical layout; 3.31 (implied capabilities).
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// One OpCapability or OpConditionalCapabilityINTEL.
struct VIREO_API CapabilityRow {
  Capability capability = Capability::Matrix;  ///< as in the instruction; may be unknown to the grammar
  InstructionIndex instruction;
  Word condition = 0;  ///< id of a boolean constant; 0: unconditional
};

/// One OpExtension or OpConditionalExtensionINTEL.
struct VIREO_API ExtensionRow {
  std::string_view name;
  InstructionIndex instruction;
  Word condition = 0;  ///< id of a boolean constant; 0: unconditional
};

/// One OpExtInstImport.
struct VIREO_API ImportRow {
  Word id = 0;
  std::string_view name;
  ExtInstSetId set;  ///< the set in the module's grammar; none if the grammar does not define it
  InstructionIndex instruction;
};

/// One OpEntryPoint or OpConditionalEntryPointINTEL.
struct VIREO_API EntryPointRow {
  ExecutionModel model = ExecutionModel::Vertex;
  Word function = 0;
  std::string_view name;
  Words interface_;  ///< ids of variables
  InstructionIndex instruction;
  Word condition = 0;  ///< id of a boolean constant; 0: unconditional
};

/// One OpExecutionMode or OpExecutionModeId.
struct VIREO_API ExecutionModeRow {
  Word function = 0;
  ExecutionMode mode = ExecutionMode::Invocations;
  Words operands;        ///< literals; ids if has_ids
  bool has_ids = false;  ///< whether the instruction is OpExecutionModeId
  InstructionIndex instruction;
};

/// The module declarations: capabilities, extensions, imports, memory model, entry points, execution modes.
class VIREO_API ModuleDeclarations {
 public:
  /// Reads the declarations. The words and the grammar of the module must outlive the result.
  static ModuleDeclarations read(const Module& module);
  static ModuleDeclarations read(const Module&& temporary) = delete;

  [[nodiscard]] std::span<const CapabilityRow> capabilities() const;
  [[nodiscard]] std::span<const ExtensionRow> extensions() const;
  [[nodiscard]] std::span<const ImportRow> imports() const;
  /// In the order of the words.
  [[nodiscard]] std::span<const EntryPointRow> entry_points() const;
  /// Sorted by function, then in the order of the words.
  [[nodiscard]] std::span<const ExecutionModeRow> execution_modes() const;

  /// Whether the module declares a capability, or one that implies it. Includes conditional declarations. Constant time
  /// for registered capabilities.
  [[nodiscard]] bool has(Capability capability) const {
    const auto number = static_cast<Word>(capability);
    return number < by_number_.size() ? by_number_[number] : has_far(capability);
  }
  /// Whether the module declares or implies the capability with this index in Grammar::enumerants.
  [[nodiscard]] bool has_enumerant(std::size_t enumerant) const {
    return enumerant < available_.size() && available_[enumerant];
  }
  /// Whether the module declares an extension, conditionally or not. Logarithmic, like the functions below.
  [[nodiscard]] bool has_extension(std::string_view name) const;
  /// The first import with this result id; nullptr if there is none.
  [[nodiscard]] const ImportRow* import_of(Word id) const;
  /// The execution modes of a function, from OpExecutionMode and OpExecutionModeId.
  [[nodiscard]] std::span<const ExecutionModeRow> modes_of(Word function) const;
  /// The first row with this function and mode; nullptr if there is none.
  [[nodiscard]] const ExecutionModeRow* mode(Word function, ExecutionMode mode) const;

  /// The operands of the first OpMemoryModel; none if the module has no OpMemoryModel.
  [[nodiscard]] std::optional<AddressingModel> addressing_model() const { return addressing_; }
  [[nodiscard]] std::optional<MemoryModel> memory_model() const { return memory_; }

 private:
  friend class ModuleDeclarationsReader;
  // Registered capabilities have numbers below this: the registry has assigned blocks of 64 up to here. So one kilobyte
  // of bits suffices for has() without a search; the validator calls it for each load and store. Higher numbers are in
  // far_.
  static constexpr std::size_t usual_numbers = 8192;

  explicit ModuleDeclarations(const Grammar& grammar) : grammar_(grammar), available_(grammar.enumerants.size()) {}
  [[nodiscard]] bool has_far(Capability capability) const;

  Grammar grammar_;
  std::vector<CapabilityRow> capabilities_;
  std::vector<bool> available_;           // by index in Grammar::enumerants
  std::bitset<usual_numbers> by_number_;  // by the capability's number; includes declared capabilities that are unknown
  std::vector<Capability> far_;           // available capabilities with higher numbers, ascending
  std::vector<ExtensionRow> extensions_;
  std::vector<std::string_view> extension_names_;  // ascending
  std::vector<ImportRow> imports_;
  std::vector<std::uint32_t> imports_by_id_;  // indexes into imports_, ascending by id
  std::vector<EntryPointRow> entry_points_;
  std::vector<ExecutionModeRow> modes_;
  std::vector<std::uint32_t> modes_by_name_;  // indexes into modes_, ascending by function, mode, and index
  std::optional<AddressingModel> addressing_;
  std::optional<MemoryModel> memory_;
};

}  // namespace vireo::spirv
