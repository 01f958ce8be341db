// SPDX-License-Identifier: Apache-2.0
//
// DiffSide: one of the two modules that are compared.
//
// The words are copied with ids that are dense, so all tables of a comparison are arrays. Outside
// functions, an instruction with a result is a definition, and every other instruction is an attribute: of the id that
// it mentions first, or of the module.
//
// Source: specification 2.4 (logical layout).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vireo/spirv/inspect/diff.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// An instruction without result outside functions. A line is an attribute of each definition that it precedes.
struct Attribute {
  InstructionIndex instruction;
  Word owner = 0;                   ///< 0: the module
  InstructionIndex continued = {};  ///< the instruction that it continues; none: it is no continuation
  std::uint32_t ordinal = 0;        ///< of a continuation, from 1
};

/// The place of an id's definition.
enum class IdPlace : std::uint8_t { Undefined, Global, Function, Local };

class DiffSide {
 public:
  DiffSide(DiffSide&&) = default;  // a moved vector keeps its elements in place, so the module remains valid
  DiffSide(const DiffSide&) = delete;

  /// Errors: those of for_each_id().
  static Result<DiffSide> read(Words words, const DiffOptions& options, Diagnostics& diagnostics);

  /// The copy. Its ids are 1 … id_count().
  [[nodiscard]] const Module& module() const { return module_; }
  [[nodiscard]] Word id_count() const { return static_cast<Word>(original_ids_.size() - 1); }
  [[nodiscard]] Word original_id(Word id) const { return original_ids_[id]; }

  [[nodiscard]] InstructionView instruction(std::uint32_t i) const { return module_.instruction(InstructionIndex(i)); }
  /// Whether a word of an instruction is an id.
  [[nodiscard]] bool is_id(const InstructionView& view, std::size_t word) const { return is_id_[view.offset + word]; }
  [[nodiscard]] IdPlace place_of(Word id) const { return places_[id]; }
  /// The instruction that defines an id. Precondition: there is one.
  [[nodiscard]] std::uint32_t definition(Word id) const { return module_.definition(id).raw; }
  [[nodiscard]] Op opcode_of(Word id) const { return module_.find(id).opcode; }
  [[nodiscard]] Word result_of(std::uint32_t i) const { return results_[i]; }
  /// The function that contains an instruction; none outside functions.
  [[nodiscard]] FunctionIndex function_of(std::uint32_t i) const { return functions_[i]; }

  /// Ids of definitions outside functions, and of functions, in the order of the module.
  [[nodiscard]] std::span<const Word> globals() const { return globals_; }
  [[nodiscard]] std::span<const Attribute> attributes() const { return attributes_; }

  // Hashes of the attributes of an id; 0 if there are none.

  /// All attributes, without the ids that they mention.
  [[nodiscard]] std::uint64_t attribute_key(Word id) const { return attribute_keys_[id]; }
  /// The name: of an entry point, for the linker, or of OpName.
  [[nodiscard]] std::uint64_t name_key(Word id) const { return name_keys_[id]; }
  /// Location, set, binding, built-in, SpecId.
  [[nodiscard]] std::uint64_t interface_key(Word id) const { return interface_keys_[id]; }

 private:
  DiffSide(WordBuffer words, const Grammar& grammar)
      : words_(std::move(words)), module_(Module::read(Words(words_), grammar)) {}

  void read_places();
  void read_attributes(const DiffOptions& options);
  void add_attribute(Attribute attribute);
  [[nodiscard]] Word first_id(const InstructionView& view) const;

  WordBuffer words_;
  Module module_;  // of words_
  std::vector<bool> is_id_;
  std::vector<Word> original_ids_;        // by id
  std::vector<IdPlace> places_;           // by id
  std::vector<Word> results_;             // by instruction; 0: none, or an id that an earlier instruction defines
  std::vector<FunctionIndex> functions_;  // by instruction
  std::vector<Word> globals_;
  std::vector<Attribute> attributes_;
  std::vector<std::uint64_t> attribute_keys_, name_keys_, interface_keys_;  // by id
};

}  // namespace vireo::spirv
