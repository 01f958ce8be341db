// SPDX-License-Identifier: Apache-2.0
//
// One instruction → the functions that pack it from a user's structure.
//
// The one idea: the display runs backwards. What it would show must be enough to rebuild the bits, so the maps of the names
// in it are asked, and those of what these depend on: params, parts of derived fields, fields that conditions read. A
// condition is never computed from the structure. The fields it reads are put first, and then the word that is being
// made is asked, by the very code that a disassembler would use; so a word and the case it was made for cannot disagree.
// docs/isa-tools.md, "A packer"; pack.cpp has the order of things, pack_fields.cpp single fields.
//
// A condition may read a field that only its own override defines (`{SPECIAL} >= 28`). Such a field is put on trial: should
// the condition not hold, all that was put since is taken back.
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

/// Fields without a map, each of which is told once, whatever is packed and in however many generations.
class MissedMaps {
 public:
  explicit MissedMaps(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  /// `owner` is the bitset that has the field, `shown` the one whose display needs it.
  void tell(std::string_view field, std::string_view owner, std::string_view shown);

 private:
  Diagnostics& diagnostics_;
  std::set<std::pair<std::string_view, std::string_view>> told_;  // names of the model
};

class PackWriter : private ExpressionWriter {
 public:
  PackWriter(Writer& writer, Scopes& scopes, Facts& facts, const Maps& maps, MissedMaps& missed)
      : ExpressionWriter(writer, scopes, facts), maps_(maps), missed_(missed) {}

  /// Makes the function that packs any instruction of a root in the generations at hand; gives its name.
  std::string pack(const Bitset& root);

 private:
  /// Statements, and what holds where they end. A branch sees what holds around it, and what it finds out stays in it.
  /// Variables are spelled with `@`, which no code of a user has here (maps.cpp): so they are never mistaken.
  struct Block {
    std::string text;
    const Block* around = nullptr;
    std::set<std::pair<std::uint32_t, std::uint32_t>> done =
        {};                                           // names that were put, each for an innermost expression
    std::map<std::uint32_t, std::string> known = {};  // expressions → the variable that has their value

    [[nodiscard]] Block branch() const { return {{}, this}; }
    [[nodiscard]] bool is_done(const std::pair<std::uint32_t, std::uint32_t>& name) const;
    [[nodiscard]] const std::string* find(ExpressionId condition) const;  // null: it was not asked
  };
  /// Cases of which the first that holds is taken. Their code stands one behind the other and not one within the other:
  /// how many there are a description decides.
  class Ladder {
   public:
    explicit Ladder(Block& block) : block_(block), rest_(block.branch()) {}
    /// Where the next case is asked, or what is behind the last one put.
    [[nodiscard]] Block& here() { return rungs_.empty() ? block_ : rest_; }
    /// Gives the bytes that it adds to the text.
    std::size_t add(ExpressionId condition, std::string holds, std::string taken);
    void finish();

   private:
    struct Rung {
      std::string asked;  // statements that find out whether it holds
      std::string holds;
      std::string taken;
    };
    Block& block_;
    Block rest_;  // where no rung so far holds
    std::vector<Rung> rungs_;
  };
  /// Asserts that lie on the way to the display: whether they hold, as C; empty: they do.
  using PassedAsserts = std::vector<std::pair<std::string, const SeenCase*>>;

  // --- pack.cpp ----------------------------------------------------------------------------------------------------------
  std::string choice_function(const Bitset& root, const StaticScope* parent, const Field* opened_by, std::uint32_t low);
  std::string leaf_function(const StaticScope& scope);
  void put_pattern(const StaticScope& scope, Block& block) const;
  void put_cases(const StaticScope& scope, Block& block);
  void put_ladder(const StaticScope& scope, Ladder& ladder);
  void put_asserts(const StaticScope& scope, const PassedAsserts& passed, Block& block) const;

  // --- pack_fields.cpp ---------------------------------------------------------------------------------------------------
  /// Puts all that decides what a name is in a scope.
  void put_name(const StaticScope& scope, NameId name, ExpressionId innermost, Block& block);
  void put_candidates(const StaticScope& scope, const std::vector<Candidate>& candidates, Ladder& ladder);
  void add_rung(Ladder& ladder, ExpressionId condition, std::string holds, Block taken);
  void put_field(const StaticScope& scope, const Field& field, Block& block);
  void put_number(const StaticScope& scope, const Field& field, const EncodeMap& map, Block& block) const;
  void put_bitset(const StaticScope& scope, const Field& field, const EncodeMap& map, Block& block);
  std::string param_text(const StaticScope& scope, const Param& param);
  /// Whether a condition holds: "true", "false" or a variable of the block.
  std::string asked(const StaticScope& scope, ExpressionId condition, Block& block);
  [[nodiscard]] bool is_on_trial(const StaticScope& scope, NameId name, ExpressionId condition) const;
  [[nodiscard]] bool is_part_only(const StaticScope& scope, const Field& field) const;
  std::string condition_function(const std::string& text);
  void miss(const StaticScope& scope, const Field& field, Block& block);

  const Maps& maps_;
  MissedMaps& missed_;
  std::set<std::uint32_t> being_asked_;  // conditions, of the scope at hand
  std::uint32_t variables_ = 0;          // of the function at hand
  std::size_t branch_bytes_ = 0;         // of the function at hand: all that stands in branches, at each level
};

/// Pieces of at most 64 bits: where each begins, and how wide it is.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces_of(std::uint32_t width);

/// The bits that an assert wants, lowest word first.
std::vector<std::uint64_t> wanted_bits(const Assert& row);

}  // namespace vireo::isa::generate
