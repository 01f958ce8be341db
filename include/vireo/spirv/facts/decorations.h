// SPDX-License-Identifier: Apache-2.0
//
// Decorations and Names: what a module's annotations say of each id.
//
// The one idea: one flat array, sorted by what is decorated, whichever of the seven instructions said so; the rows of an
// id are neighbours. What a group is decorated with stands at each of its targets as well, so nobody else has to know
// of groups. Names are kept in the same way.
//
//   const Decorations decorations = Decorations::read(module);
//   if (const DecorationRow* row = decorations.find(variable, Decoration::Location))
//     … decorations.operands(*row)[0] …
//   decorations.find(structure, 2, Decoration::Offset)   // of a member
//
// Total on broken input: ids that nothing defines have rows like all others, and numbers of members are not checked.
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

inline constexpr Word no_member = 0xFFFFFFFF;  ///< the id itself is meant, not a member of it

/// What the operands behind a decoration are.
enum class DecorationForm : std::uint8_t { Literal, Id, String };

/// One decoration of one id, or of one member of a structure type.
struct VIREO_API DecorationRow {
  Word target = 0;
  Word member = no_member;
  Decoration decoration = Decoration::RelaxedPrecision;  ///< the number that stands there, known or not
  InstructionIndex instruction;                          ///< OpDecorate… or OpMemberDecorate…
  InstructionIndex
      group_use;  ///< the OpGroupDecorate or OpGroupMemberDecorate that brought it here; none: no group did
  std::uint16_t first_operand = 0;  ///< word within the instruction; as long as the instruction when there is none
  DecorationForm form = DecorationForm::Literal;
};

/// The decorations of a module by their targets, those of groups included.
class VIREO_API Decorations {
 public:
  /// Reads all annotations of a module, which must outlive the result and stay in its place. Near-linear in their words
  /// and in the rows that groups make.
  ///
  /// A group of n decorations with m targets makes n·m rows, which a small module can drive into the billions. So
  /// groups make at most as many rows as the module has words, and 4,096 more; further uses are listed (unexpanded()).
  /// Groups of groups, which the specification forbids, are not followed.
  static Decorations read(const Module& module);
  static Decorations read(const Module&& temporary) = delete;

  /// Sorted by target; those of the target itself, then those of its members by number; then in the order of the words.
  [[nodiscard]] std::span<const DecorationRow> rows() const { return rows_; }
  /// All rows of an id, those of its members included.
  [[nodiscard]] std::span<const DecorationRow> all_of(Word target) const;
  /// The rows of an id itself, or of a member of it.
  [[nodiscard]] std::span<const DecorationRow> of(Word target, Word member = no_member) const;
  /// The first row that gives an id, or a member of it, a decoration; nullptr when none does. However many rows an id
  /// has, this is logarithmic.
  [[nodiscard]] const DecorationRow* find(Word target, Decoration decoration) const {
    return is_plain(target) ? nullptr : find(target, no_member, decoration);
  }
  [[nodiscard]] const DecorationRow* find(Word target, Word member, Decoration decoration) const;
  [[nodiscard]] bool has(Word target, Decoration decoration) const { return find(target, decoration) != nullptr; }
  [[nodiscard]] bool has(Word target, Word member, Decoration decoration) const {
    return find(target, member, decoration) != nullptr;
  }
  /// Whether any member of a structure type has it.
  [[nodiscard]] bool has_on_member(Word target, Decoration decoration) const;

  /// The words behind the decoration: literals or ids, as the form says.
  [[nodiscard]] Words operands(const DecorationRow& row) const;
  /// The first operand, or a value instead when there is none.
  [[nodiscard]] Word operand_or(const DecorationRow& row, Word otherwise) const {
    const Words words = operands(row);
    return words.empty() ? otherwise : words[0];
  }
  /// The string of form String: a look into the module's words.
  [[nodiscard]] std::string_view text(const DecorationRow& row) const;

  /// The uses of groups of which some or all rows are missing, because groups had made too many already.
  [[nodiscard]] std::span<const InstructionIndex> unexpanded() const { return unexpanded_; }

  /// Bytes that are held.
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class DecorationReader;
  explicit Decorations(const Module& module) : module_(&module) {}
  /// Whether nothing is said of a target, as far as one look tells: most ids have no decorations.
  [[nodiscard]] bool is_plain(Word target) const {
    return rows_.empty() || (target + std::size_t{1} < begins_.size() && begins_[target] == begins_[target + 1]);
  }
  [[nodiscard]] const DecorationRow* first_from(std::span<const DecorationRow> rows, Decoration decoration,
                                                Word member_rank) const;

  const Module* module_;
  std::vector<DecorationRow> rows_;
  /// Indexes of rows_. Those of a target with many rows are sorted by decoration, then member; empty when no target has
  /// that many.
  std::vector<std::uint32_t> by_decoration_;
  std::vector<std::uint32_t> begins_;  // by target; far targets stand at the end and are searched for
  std::vector<InstructionIndex> unexpanded_;
};

/// The names that a module gives its ids and the members of its structures.
class VIREO_API Names {
 public:
  /// Reads OpName and OpMemberName of a module, whose words must outlive the result. Near-linear in their words.
  static Names read(const Module& module);

  /// The first name of an id, or of a member; empty when there is none. Looks into the module's words.
  [[nodiscard]] std::string_view of(Word id, Word member = no_member) const;

  /// One name.
  struct Row {
    Word id = 0;
    Word member = no_member;
    InstructionIndex instruction;
    std::string_view name;
  };
  /// Sorted by id; the id itself, then its members; then in the order of the words.
  [[nodiscard]] std::span<const Row> rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

}  // namespace vireo::spirv
