// SPDX-License-Identifier: Apache-2.0
//
// UnitGraph: the parts of a module that can change places, and the references between them.
//
// A unit is a declaration or a whole function. Its references are the other units that its operands
// mention, each once, in the order of the words. This order does not depend on ids, so a walk along references from an
// ordered set of units gives an order that does not depend on ids either.
//
// Source: specification 2.4 (logical layout).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

using UnitIndex = std::uint32_t;
inline constexpr UnitIndex no_unit = ~UnitIndex{0};

/// One instruction outside functions with those that continue it, or one function. A unit without instructions is an id
/// that no instruction defines.
struct Unit {
  InstructionRange instructions;
  InstructionIndex line;        ///< the OpLine in effect at the first instruction; none before the globals
  InstructionIndex line_after;  ///< the OpLine in effect after the last instruction
};

/// Edges between units, by the unit where they begin.
class UnitEdges {
 public:
  void reserve(std::size_t units) { begins_.reserve(units + 1); }
  /// Begins the edges of the next unit.
  void next_unit() { begins_.push_back(static_cast<std::uint32_t>(ends_.size())); }
  /// Adds an edge to the last unit.
  void add(UnitIndex to) { ends_.push_back(to); }

  [[nodiscard]] std::size_t unit_count() const { return begins_.size(); }
  [[nodiscard]] std::span<const UnitIndex> from(UnitIndex u) const {
    const std::size_t end = u + std::size_t{1} < begins_.size() ? begins_[u + std::size_t{1}] : ends_.size();
    return std::span(ends_).subspan(begins_[u], end - begins_[u]);
  }

 private:
  std::vector<UnitIndex> ends_;
  std::vector<std::uint32_t> begins_;  // by unit, in ends_
};

/// A unit and an operand of its decorations.
struct DecorationOperand {
  UnitIndex target = no_unit;
  UnitIndex operand = no_unit;
};

class UnitGraph {
 public:
  UnitGraph(UnitGraph&&) = default;  // a moved vector keeps its elements in place, so the module remains valid
  UnitGraph(const UnitGraph&) = delete;

  /// Copies the words and renumbers the ids in the order of first occurrence. Errors: those of for_each_id().
  static Result<UnitGraph> read(Words words, Diagnostics& diagnostics, const Grammar& grammar);

  /// The copy. Its ids are 1 … id_count().
  [[nodiscard]] const Module& module() const { return module_; }
  [[nodiscard]] WordBuffer& words() { return words_; }
  /// The instructions of a section. Line information before the first global belongs to the globals.
  [[nodiscard]] InstructionRange section(Section section) const {
    InstructionRange range = module_.section(section);
    if (section == Section::Globals) range.first = globals_begin_;
    if (section < Section::Globals)
      range = {std::min(range.first, globals_begin_), std::min(range.end, globals_begin_)};
    return range;
  }
  [[nodiscard]] Word id_count() const { return id_count_; }
  [[nodiscard]] bool is_id(std::size_t offset) const { return is_id_[offset]; }
  /// Whether units may change places: the module has no layout violation, and no line information before the globals.
  /// If not, there are no units.
  [[nodiscard]] bool is_ordered() const { return is_ordered_; }

  [[nodiscard]] std::size_t size() const { return units_.size(); }
  [[nodiscard]] const Unit& unit(UnitIndex u) const { return units_[u]; }
  [[nodiscard]] UnitIndex unit_of(Word id) const { return unit_of_id_[id]; }
  /// The number of an id's definition within its unit.
  [[nodiscard]] std::uint32_t place_in_unit(Word id) const {
    const Unit& unit = units_[unit_of_id_[id]];
    return unit.instructions.is_empty() ? 0 : module_.definition(id).raw - unit.instructions.first;
  }
  [[nodiscard]] const UnitEdges& references() const { return references_; }
  [[nodiscard]] std::span<const UnitIndex> references(UnitIndex u) const { return references_.from(u); }
  /// The operands of OpDecorateId and its kind, which are not references of the target. They have no canonical order.
  [[nodiscard]] std::span<const DecorationOperand> decoration_operands() const { return decoration_operands_; }

  /// Constants that state the workgroup size, each once, and the types that must follow all of them.
  [[nodiscard]] std::span<const UnitIndex> workgroup_sizes() const { return workgroup_sizes_; }
  [[nodiscard]] std::span<const UnitIndex> sized_types() const { return sized_types_; }

  // --- units by their role, in the order of the module ---
  [[nodiscard]] std::span<const UnitIndex> imports() const { return imports_; }
  /// Units that keep their order: source information, entry points, …
  [[nodiscard]] std::span<const UnitIndex> fixed() const { return fixed_; }
  [[nodiscard]] std::span<const UnitIndex> globals() const { return globals_; }
  /// Extended instructions outside functions: reflection and debug information. They keep their order.
  [[nodiscard]] std::span<const UnitIndex> extended() const { return extended_; }
  /// Functions. If other instructions are between them, a single unit contains all of them.
  [[nodiscard]] std::span<const UnitIndex> functions() const { return functions_; }
  /// The instructions after the last function; none: no_unit.
  [[nodiscard]] UnitIndex after_functions() const { return after_functions_; }
  /// Instructions outside units: names, and decorations and execution modes without further ids. Each belongs to the
  /// unit of its only id.
  [[nodiscard]] std::span<const InstructionIndex> attributes() const { return attributes_; }

  /// Calls take(word, is_id) for each word of an instruction.
  template <typename Take>
  void for_each_word(InstructionIndex index, Take&& take) const {
    const InstructionView view = module_.instruction(index);
    for (std::uint16_t i = 0; i < view.word_count; ++i) take(view.first[i], is_id(view.offset + std::size_t{i}));
  }

 private:
  explicit UnitGraph(WordBuffer words, const Grammar& grammar)
      : words_(std::move(words)), module_(Module::read(Words(words_), grammar)) {}

  UnitIndex add(InstructionRange instructions, InstructionIndex line = {}, InstructionIndex line_after = {});
  void read_section(Section section);
  void read_globals();
  void read_functions();
  void read_references();
  void read_size_order();
  /// Whether an instruction is line information; if so, sets `line` to the OpLine that is then in effect.
  bool follow_line(InstructionIndex index, InstructionIndex& line) const;

  WordBuffer words_;
  Module module_;  // of words_
  std::vector<bool> is_id_;
  Word id_count_ = 0;
  bool is_ordered_ = true;
  std::uint32_t globals_begin_ = 0;
  InstructionIndex line_;  // in effect at the end of the globals read so far
  std::vector<Unit> units_;
  std::vector<UnitIndex> unit_of_id_;
  UnitEdges references_;
  std::vector<DecorationOperand> decoration_operands_;
  std::vector<UnitIndex> imports_, fixed_, globals_, extended_, functions_, id_decorations_;
  std::vector<UnitIndex> workgroup_sizes_, sized_types_;
  UnitIndex after_functions_ = no_unit;
  std::vector<InstructionIndex> attributes_;
};

}  // namespace vireo::spirv
