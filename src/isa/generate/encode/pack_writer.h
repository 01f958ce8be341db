// SPDX-License-Identifier: Apache-2.0
//
// Generates the functions that pack one instruction from a user's structure.
//
// Packing is the reverse of displaying. The bits of an instruction are determined by the fields that its
// display shows. So the packer *puts* these fields: it evaluates their maps and writes the values into the word. It
// also puts the fields on which they depend: params, parts of derived fields, and fields that conditions read. A
// condition is never computed from the structure. The packer first puts the fields that the condition reads. Then it
// evaluates the condition on the unfinished word, with the code of a disassembler, so the word always satisfies the
// condition of its case. docs/isa-tools.md, "generate --what packer". The order of steps is in pack.cpp, and the code
// for single fields is in pack_fields.cpp.
//
// A condition may read a field that only its own override defines (`{SPECIAL} >= 28`). Such a field is put tentatively:
// if the condition does not hold, all changes since then are undone.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/generate/expression_writer.h"
#include "isa/generate/maps.h"

namespace vireo::isa::generate {

/// Fields without a map. Each is reported once for all roots and generations.
class MissingMaps {
 public:
  explicit MissingMaps(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  /// `owner` is the bitset that defines the field; `shown` is the leaf whose display needs it.
  void report(std::string_view field, std::string_view owner, std::string_view shown);

 private:
  Diagnostics& diagnostics_;
  std::set<std::pair<std::string_view, std::string_view>> reported_;  // names of the model
};

class PackWriter : private ExpressionWriter {
 public:
  PackWriter(Writer& writer, Scopes& scopes, Facts& facts, const Maps& maps, MissingMaps& missing_maps)
      : ExpressionWriter(writer, scopes, facts), maps_(maps), missing_maps_(missing_maps) {}

  /// Generates the function that packs any instruction of a root in the current generations; returns its name.
  std::string pack(const Bitset& root);

 private:
  /// Statements, and the facts that hold after them. A branch inherits the facts of the enclosing block; its own facts
  /// are dropped at its end. Names of variables contain `@`, which is escaped in maps (maps.cpp), so they never collide
  /// with user code.
  struct Block {
    std::string text;
    const Block* around = nullptr;
    std::set<std::pair<std::uint32_t, std::uint32_t>> done =
        {};                                           // names that were put, with their innermost expression
    std::map<std::uint32_t, std::string> known = {};  // expressions → the variable that has their value

    [[nodiscard]] Block branch() const { return {{}, this}; }
    [[nodiscard]] bool is_done(const std::pair<std::uint32_t, std::uint32_t>& name) const;
    [[nodiscard]] const std::string* find(ExpressionId condition) const;  // null: not evaluated yet
  };
  /// An if-else chain of cases. The generated branches are not nested, because a description may have any number of
  /// cases.
  class Ladder {
   public:
    explicit Ladder(Block& block) : block_(block), rest_(block.branch()) {}
    /// The block that receives the condition of the next case, or the code of the final `else`.
    [[nodiscard]] Block& here() { return rungs_.empty() ? block_ : rest_; }
    /// Returns the number of bytes that it adds to the text.
    std::size_t add(ExpressionId condition, std::string holds, std::string taken);
    void finish();

   private:
    struct Rung {
      std::string setup;  // statements that compute `holds`
      std::string holds;
      std::string taken;
    };
    Block& block_;
    Block rest_;  // the facts if no previous rung holds
    std::vector<Rung> rungs_;
  };
  /// Cases with asserts that precede the display, each with its condition in C; an empty condition always holds.
  using PassedAsserts = std::vector<std::pair<std::string, const SeenCase*>>;

  // --- pack.cpp ----------------------------------------------------------------------------------------------------------
  std::string choice_function(const Bitset& root, const StaticScope* parent, const Field* opened_by, std::uint32_t low);
  std::string leaf_function(const StaticScope& scope);
  void put_pattern(const StaticScope& scope, Block& block) const;
  void put_cases(const StaticScope& scope, Block& block);
  void put_ladder(const StaticScope& scope, Ladder& ladder);
  void put_asserts(const StaticScope& scope, const PassedAsserts& passed, Block& block) const;

  // --- pack_fields.cpp ---------------------------------------------------------------------------------------------------
  /// Puts all fields that determine the value of a name.
  void put_name(const StaticScope& scope, NameId name, ExpressionId innermost, Block& block);
  void put_candidates(const StaticScope& scope, const std::vector<Candidate>& candidates, Ladder& ladder);
  void add_rung(Ladder& ladder, ExpressionId condition, std::string holds, Block taken);
  void put_field(const StaticScope& scope, const Field& field, Block& block);
  void put_number(const StaticScope& scope, const Field& field, const EncodeMap& map, Block& block) const;
  void put_bitset(const StaticScope& scope, const Field& field, const EncodeMap& map, Block& block);
  std::string param_text(const StaticScope& scope, const Param& param);
  /// Returns the value of a condition: "true", "false" or a variable of the block.
  std::string condition_value(const StaticScope& scope, ExpressionId condition, Block& block);
  [[nodiscard]] bool is_tentative(const StaticScope& scope, NameId name, ExpressionId condition) const;
  [[nodiscard]] bool is_part_only(const StaticScope& scope, const Field& field) const;
  std::string condition_function(const std::string& text);
  void report_missing_map(const StaticScope& scope, const Field& field, Block& block);

  const Maps& maps_;
  MissingMaps& missing_maps_;
  std::set<std::uint32_t> evaluating_;  // conditions of the current scope
  std::uint32_t variables_ = 0;         // of the current function
  std::size_t branch_bytes_ = 0;        // of the current function: code in branches, counted at each level
};

/// Splits a width into chunks of at most 64 bits. Returns the first bit and the width of each.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces_of(std::uint32_t width);

/// The bits that an assert expects, lowest word first.
std::vector<std::uint64_t> expected_bits(const Assert& row);

}  // namespace vireo::isa::generate
