// SPDX-License-Identifier: Apache-2.0
//
// Decorations and Names: the decorations and names of each id of a module.
//
// One array, sorted by target, contains the decorations of all seven annotation instructions; the rows of
// an id are contiguous. The decorations of a group are copied to each of its targets, so users need not handle groups.
// Names are stored in the same way.
//
//   const Decorations decorations = Decorations::read(module);
//   if (const DecorationRow* row = decorations.find(variable, Decoration::Location))
//     … decorations.operands(*row)[0] …
//   decorations.find(structure, 2, Decoration::Offset)   // of a member
//
// Accepts invalid modules: the targets may be undefined, and member numbers are not checked.
//
// Source: specification 3.42.3, "Annotation Instructions", 3.20 (decorations); 3.42.2, "Debug Instructions".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

inline constexpr Word no_member = 0xFFFFFFFF;  ///< as a member number: the id itself, not a member

/// The kind of the operands after a decoration.
enum class DecorationForm : std::uint8_t { Literal, Id, String };

/// One decoration of one id, or of one member of a structure type.
struct VIREO_API DecorationRow {
  Word target = 0;                                       ///< id
  Word member = no_member;                               ///< number of the member, from 0
  Decoration decoration = Decoration::RelaxedPrecision;  ///< as in the instruction; may be unknown to the grammar
  InstructionIndex instruction;                          ///< OpDecorate… or OpMemberDecorate…
  InstructionIndex group_use;  ///< the OpGroupDecorate or OpGroupMemberDecorate that applied it; none: not by a group
  std::uint16_t first_operand = 0;  ///< index of its first word; the word count of the instruction if there is none
  DecorationForm form = DecorationForm::Literal;
};

/// The decorations of a module by target, including those of groups. Spans and pointers are valid as long as this
/// object; operands and strings are borrowed from the module's words.
class VIREO_API Decorations {
 public:
  /// Reads all annotations of a module, which must outlive the result and must not move. Near-linear in their words
  /// and in the number of rows.
  ///
  /// A group of n decorations with m targets needs n·m rows, so a small module could need billions. Therefore groups
  /// create at most as many rows as the module has words, plus 4,096. unexpanded() lists the uses of groups beyond this
  /// limit. Groups of groups, which the specification forbids, are not expanded.
  static Decorations read(const Module& module);
  static Decorations read(const Module&& temporary) = delete;

  /// Sorted by target. For each target: first the rows of the id itself, then those of its members by number. Rows of
  /// one id or member are in the order of the words.
  [[nodiscard]] std::span<const DecorationRow> rows() const;
  /// All rows of an id, including those of its members.
  [[nodiscard]] std::span<const DecorationRow> all_of(Word target) const;
  /// The rows of an id without its members, or of one member.
  [[nodiscard]] std::span<const DecorationRow> of(Word target, Word member = no_member) const;
  /// The first row of an id, or of one member, with a decoration; nullptr if there is none. Logarithmic.
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

  /// The words of the decoration's operands: literals, ids or a string, depending on the form. May be empty.
  [[nodiscard]] Words operands(const DecorationRow& row) const;
  /// The first word of the operands, or `otherwise` if there are none.
  [[nodiscard]] Word operand_or(const DecorationRow& row, Word otherwise) const {
    const Words words = operands(row);
    return words.empty() ? otherwise : words[0];
  }
  /// The first string of a row of form String. Borrowed from the module's words.
  [[nodiscard]] std::string_view text(const DecorationRow& row) const;

  /// The instructions that apply a group to targets, but whose rows are missing because of the limit; see read().
  [[nodiscard]] std::span<const InstructionIndex> unexpanded() const;

  /// Allocated bytes.
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class DecorationReader;
  explicit Decorations(const Module& module) : module_(&module) {}
  /// A fast test, because most ids have no decorations: if true, the target has no rows. If false, it may have rows.
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
  // By target: index of its first row. Ids far above the number of words have no entry; their rows are at the end.
  std::vector<std::uint32_t> begins_;
  std::vector<InstructionIndex> unexpanded_;
};

/// The names of a module's ids and of the members of its structures.
class VIREO_API Names {
 public:
  /// Reads OpName and OpMemberName of a module, whose words must outlive the result. Near-linear in their words.
  static Names read(const Module& module);

  /// The first name of an id, or of one member; empty if there is none. Borrowed from the module's words.
  [[nodiscard]] std::string_view of(Word id, Word member = no_member) const;

  /// One name.
  struct Row {
    Word id = 0;
    Word member = no_member;
    InstructionIndex instruction;
    std::string_view name;
  };
  /// Sorted by id. For each id: first the id itself, then its members by number. Names of one id or member are in the
  /// order of the words.
  [[nodiscard]] std::span<const Row> rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

}  // namespace vireo::spirv
