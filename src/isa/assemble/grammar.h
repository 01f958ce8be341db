// SPDX-License-Identifier: Apache-2.0
//
// The assembly language of a description, for one generation: displays turned into productions that a parser can follow.
//
// The one idea: a display is a row of tokens. What a token may stand for is known at load: a literal, one of a set of
// strings (flags and enums), a number, the display of a nested bitset, or the choice between several definitions of a
// name. Which productions a line can belong to is read off its *head*, the first word that is no flag: one walk through a
// tree of characters finds it, so a line is compared with a handful of productions out of hundreds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/decode/tables.h"
#include "isa/solve/defaults.h"

namespace vireo::isa {

/// Characters that may come next: a bit for each of the first 128; all others share the last one.
struct FirstSet {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  static constexpr FirstSet all() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  void add(char c) {
    const auto byte = static_cast<unsigned char>(c);
    const std::uint32_t bit = byte < 128 ? byte : 127;
    (bit < 64 ? low : high) |= std::uint64_t{1} << bit % 64;
  }
  void add(const FirstSet& other) {
    low |= other.low;
    high |= other.high;
  }
  [[nodiscard]] bool meets(const FirstSet& other) const { return ((low & other.low) | (high & other.high)) != 0; }
  [[nodiscard]] bool has(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    const std::uint32_t bit = byte < 128 ? byte : 127;
    return ((bit < 64 ? low : high) >> bit % 64 & 1) != 0;
  }
};

/// Many strings in one tree of characters; a string has a list of what it means.
class CharacterTree {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t new_root();
  /// The node at the end of a string, made if there is none.
  std::uint32_t add(std::uint32_t root, std::string_view text);
  [[nodiscard]] std::uint32_t step(std::uint32_t node, char c) const {
    const auto edge = edges_.find(key_of(node, c));
    return edge == edges_.end() ? none : edge->second;
  }
  [[nodiscard]] std::uint32_t size() const { return nodes_; }

 private:
  static std::uint64_t key_of(std::uint32_t node, char c) {
    return std::uint64_t{node} << 8 | static_cast<unsigned char>(c);
  }

  std::unordered_map<std::uint64_t, std::uint32_t> edges_;
  std::uint32_t nodes_ = 0;
};

/// What a string says about a field: one number, or any but 0.
struct Meaning {
  enum class Kind : std::uint8_t { Value, NonZero } kind = Kind::Value;
  BitWord value = 0;
  std::string_view canonical = {};  ///< of an alias: how the decoder writes it; data() null: as it was read
};

/// The strings of a flag or an enum.
struct StringSet {
  std::uint32_t root = 0;     ///< in Grammar::characters
  Run empty;                  ///< meanings of no text at all
  bool has_number = false;    ///< numbers without a row show as numbers
  bool is_blank_led = false;  ///< a string begins with a blank
  FirstSet first;
  std::vector<std::string> examples;  ///< for messages
};

struct Token {
  enum class Kind : std::uint8_t {
    Literal,
    Align,
    Strings,  ///< `index`: definition, whose strings are Grammar::strings_of
    Number,   ///< `index`: definition
    Nested,   ///< `index`: definition
    Resolve,  ///< `index`: resolver
    Nothing,  ///< a field that never shows anything
  } kind = Kind::Literal;
  bool is_prefixed = false;  ///< a hexadecimal number with its 0x, which a literal before it wrote
  std::uint32_t index = 0;
  std::string_view text;            ///< Literal: with single blanks
  std::string_view name;            ///< of the field, as the display calls it
  FirstSet follow;                  ///< how the text from here on may begin …
  bool is_open = false;             ///< … unless it may be empty
  std::uint32_t certain = nowhere;  ///< Strings: first of Grammar::certain, in the order of the set's examples
};

/// A leaf with one of its displays, or with an alias of that.
struct Production {
  std::uint32_t plan = 0;
  std::uint32_t display = 0;    ///< index of the DisplayStep
  bool is_alias = false;        ///< it is proved by printing `segments` and `name` in place of the display and its name
  std::uint8_t preference = 0;  ///< how often the author marked it as canonical: the leaf, the display
  Run segments;
  std::string_view name;  ///< what {NAME} is
  Run tokens;
  Bits known;  ///< the leaf's bits: patterns, bits that do not count (0), asserts of this case that always hold
  Bits value;
  bool is_instruction = false;
  FirstSet core;                     ///< how the text may begin behind flags …
  bool core_is_open = false;         ///< … unless it may be empty
  std::uint32_t required = nowhere;  ///< of instructions: a literal before the head, by its node
  std::string_view head;             ///< of instructions: the word that finds it; empty: it is always tried
};

class Grammar {
 public:
  Grammar(const Model& model, const DecodeTables& tables);

  /// Strings with all that each may mean, in order: sets that are the same read the same.
  using Strings = std::map<std::string, std::vector<Meaning>>;

  [[nodiscard]] const DecodeTables& tables() const { return tables_; }
  [[nodiscard]] const Model& model() const { return model_; }

  std::vector<Token> tokens;
  std::vector<Production> productions;
  std::vector<Run> instruction_productions;  ///< for each instruction root
  std::vector<std::uint32_t> headless;       ///< productions of instructions that are always tried
  std::vector<Run> group_productions;        ///< for each group
  std::vector<StringSet> string_sets;
  std::vector<std::uint32_t> strings_of;  ///< string set of each definition; nowhere: it has none
  std::vector<Meaning> meanings;
  std::vector<std::uint8_t> certain;        ///< whether a string of a token, once read, excludes shorter ones and none
  std::vector<std::uint32_t> node_strings;  ///< which string of its set ends at a node
  std::vector<Run> node_meanings;           ///< of the nodes of `characters` where a string ends
  CharacterTree characters;
  std::vector<std::uint32_t> group_flags;  ///< of each group, the root of all that may stand before a core; or nowhere
  std::uint32_t flag_root = 0;             ///< all that may stand before a head …
  std::vector<std::uint8_t> is_flag;       ///< … by node
  bool has_number_flags = false;
  std::uint32_t head_root = 0;
  std::vector<Run> node_heads;  ///< productions of the head that ends at a node
  std::vector<std::uint32_t> heads;
  std::vector<std::vector<DefaultBits>> defaults;  ///< by plan

 private:
  void compile_group(std::uint32_t group);
  void compile_productions(std::uint32_t plan, std::uint32_t display);
  void compile_production(Production production);
  void add_token(const CompiledSegment& segment);
  FirstSet first_of(const Token& token, bool& is_nullable);
  FirstSet first_of_definition(std::uint32_t index, bool is_prefixed, bool& is_nullable);
  FirstSet first_of_group(std::uint32_t group, bool& is_nullable);
  bool may_begin_with(const Production& production, std::uint32_t index, std::string_view text, int depth);
  void find_certain(const Production& production);
  void find_cores(std::uint32_t group);
  std::string_view normalised(std::string_view text);

  // --- strings.cpp -------------------------------------------------------------------------------------------------------
  // The strings of a definition; nowhere for numbers and nested bitsets.
  std::uint32_t string_set_for(std::uint32_t index);
  Strings strings_of_flag(const Definition& definition);
  Strings strings_of_enum(const Definition& definition);
  void add_string_set(const Strings& strings, bool has_number);

  // --- heads.cpp ---------------------------------------------------------------------------------------------------------
  void find_heads();
  [[nodiscard]] std::uint32_t head_of(const Production& production) const;
  [[nodiscard]] bool may_precede_head(const Token& token) const;
  [[nodiscard]] bool is_plain_number(std::uint32_t definition) const;
  void add_flags(Production& production, std::uint32_t head, std::vector<std::uint32_t>& flag_nodes);

  const Model& model_;
  const DecodeTables& tables_;
  struct GroupState {
    enum : std::uint8_t { New, Open, Done } state = New;
    FirstSet first;
    bool is_nullable = false;
  };
  std::vector<GroupState> groups_;
  std::unordered_map<std::string, std::string_view> texts_;  // normalised literals; the nodes of the map do not move
  std::unordered_map<std::string, std::uint32_t> set_index_;
};

}  // namespace vireo::isa
