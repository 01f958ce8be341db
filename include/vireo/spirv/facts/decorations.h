// SPDX-License-Identifier: Apache-2.0
//
// Decorations and Names: the annotations and names of each id of a module.
//
// The one idea: one flat array, sorted by target, contains the decorations of all seven annotation instructions; the
// rows of an id are contiguous. The decorations of a group are copied to each of its targets, so no user of this
// class has to handle groups. Names are stored in the same way.
//
//   const Decorations decorations = Decorations::read(module);
//   if (const DecorationRow* row = decorations.find(variable, Decoration::Location))
//     … decorations.operands(*row)[0] …
//   decorations.find(structure, 2, Decoration::Offset)   // of a member
//
// Accepts invalid modules: undefined ids have rows like all others, and member numbers are not checked.
//
// Source: specification 3.42.3, "Annotation Instructions", 3.20 (decorations); 3.42.2, "Debug Instructions".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

inline constexpr Word no_member = 0xFFFFFFFF;  ///< the row is about the id itself, not about a member

/// The operands after a decoration.
enum class DecorationForm : std::uint8_t { Literal, Id, String };

/// One decoration of one id, or of one member of a structure type.
struct VIREO_API DecorationRow {
  Word target = 0;
  Word member = no_member;
  Decoration decoration = Decoration::RelaxedPrecision;  ///< the number in the instruction, known or not
  InstructionIndex instruction;                          ///< OpDecorate… or OpMemberDecorate…
  InstructionIndex
      group_use;  ///< the OpGroupDecorate or OpGroupMemberDecorate that brought it here; none: no group did
  std::uint16_t first_operand = 0;  ///< word index within the instruction; the instruction's length if there is none
  DecorationForm form = DecorationForm::Literal;
};

/// The decorations of a module by target, including those of groups.
class VIREO_API Decorations {
 public:
  /// Reads all annotations of a module, which must outlive the result and must not move. Near-linear in their words
  /// and in the rows that groups make.
  ///
  /// A group of n decorations with m targets makes n·m rows; a small module could make billions. Groups therefore
  /// make at most as many rows as the module has words, plus 4,096. The uses of groups beyond this limit are listed
  /// in unexpanded(). Groups of groups, which the specification forbids, are not expanded.
  static Decorations read(const Module& module);
  static Decorations read(const Module&& temporary) = delete;

  /// Sorted by target; for each target first the rows of the id itself, then those of its members by number; then in
  /// the order of the words.
  [[nodiscard]] std::span<const DecorationRow> rows() const { return rows_; }
  /// All rows of an id, including those of its members.
  [[nodiscard]] std::span<const DecorationRow> all_of(Word target) const;
  /// The rows of an id itself, or of a member of it.
  [[nodiscard]] std::span<const DecorationRow> of(Word target, Word member = no_member) const;
  /// The first row of an id, or of a member of it, with a decoration; nullptr if there is none. Logarithmic, even if
  /// the id has many rows.
  [[nodiscard]] const DecorationRow* find(Word target, Decoration decoration) const {
    return is_plain(target) ? nullptr : find(target, no_member, decoration);
  }
  [[nodiscard]] const DecorationRow* find(Word target, Word member, Decoration decoration) const;
  [[nodiscard]] bool has(Word target, Decoration decoration) const { return find(target, decoration) != nullptr; }
  [[nodiscard]] bool has(Word target, Word member, Decoration decoration) const {
    return find(target, member, decoration) != nullptr;
  }
  /// Whether any member of a structure type has the decoration.
  [[nodiscard]] bool has_on_member(Word target, Decoration decoration) const;

  /// The operands of the decoration: literals or ids, depending on the form.
  [[nodiscard]] Words operands(const DecorationRow& row) const;
  /// The first operand, or `otherwise` if there is none.
  [[nodiscard]] Word operand_or(const DecorationRow& row, Word otherwise) const {
    const Words words = operands(row);
    return words.empty() ? otherwise : words[0];
  }
  /// The string of a row of form String. Borrowed from the module's words.
  [[nodiscard]] std::string_view text(const DecorationRow& row) const;

  /// The uses of groups with missing rows, because groups had reached the limit of rows.
  [[nodiscard]] std::span<const InstructionIndex> unexpanded() const { return unexpanded_; }

  /// Allocated bytes.
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class DecorationReader;
  explicit Decorations(const Module& module) : module_(&module) {}
  /// Whether a target has no rows, by one table lookup: most ids have no decorations. May return false for targets
  /// without rows.
  [[nodiscard]] bool is_plain(Word target) const {
    return rows_.empty() || (target + std::size_t{1} < begins_.size() && begins_[target] == begins_[target + 1]);
  }
  [[nodiscard]] const DecorationRow* first_from(std::span<const DecorationRow> rows, Decoration decoration,
                                                Word member_rank) const;

  const Module* module_;
  std::vector<DecorationRow> rows_;
  /// Indexes into rows_. Those of a target with many rows are sorted by decoration, then member. Empty if no target
  /// has that many.
  std::vector<std::uint32_t> by_decoration_;
  std::vector<std::uint32_t> begins_;  // by target; rows of far targets are at the end and found by search
  std::vector<InstructionIndex> unexpanded_;
};

/// The names of a module's ids and of the members of its structures.
class VIREO_API Names {
 public:
  /// Reads OpName and OpMemberName of a module, whose words must outlive the result. Near-linear in their words.
  static Names read(const Module& module);

  /// The first name of an id, or of a member; empty if there is none. Borrowed from the module's words.
  [[nodiscard]] std::string_view of(Word id, Word member = no_member) const;

  /// One name.
  struct Row {
    Word id = 0;
    Word member = no_member;
    InstructionIndex instruction;
    std::string_view name;
  };
  /// Sorted by id; for each id first the id itself, then its members; then in the order of the words.
  [[nodiscard]] std::span<const Row> rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

}  // namespace vireo::spirv
