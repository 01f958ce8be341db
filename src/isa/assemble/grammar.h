// SPDX-License-Identifier: Apache-2.0
//
// The assembly language of a description for one generation: displays compiled into productions for the parser.
//
// A display is a sequence of tokens whose possible texts are known at load time. A token is a literal, a
// set of strings (flags and enums), a number, a nested display, or a choice between definitions of a name. The
// *mnemonic* of a production is its name or first word that is not a flag. One walk through a tree of characters finds
// the mnemonics of a line, so the parser tries only a few of several hundred productions.
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

/// A set of characters that may come next: one bit for each of the first 127; all others share the last bit.
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

/// A trie of many strings with several roots.
class CharacterTree {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t new_root();
  /// Returns the node at the end of a string, creating it if needed.
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

/// The field values that a string denotes: one number, or any number but 0.
struct Meaning {
  enum class Kind : std::uint8_t { Value, NonZero } kind = Kind::Value;
  BitWord value = 0;
  std::string_view canonical = {};  ///< for an alias, the decoder's spelling; data() is null if the string is no alias
};

/// The strings of a flag or an enum.
struct StringSet {
  std::uint32_t root = 0;     ///< in Grammar::characters
  Run empty;                  ///< meanings of the empty text
  bool has_number = false;    ///< values without an enum row are written as numbers
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
    Nothing,  ///< a field that always prints nothing
  } kind = Kind::Literal;
  bool is_prefixed = false;  ///< a number that includes the `0x` from the end of the preceding literal
  std::uint32_t index = 0;
  std::string_view text;             ///< Literal: with runs of blanks shortened
  std::string_view name;             ///< field name as the display spells it
  FirstSet follow;                   ///< first set of the text from this token to the end of the production
  bool is_open = false;              ///< that text may be empty, so `follow` is incomplete
  std::uint32_t decisive = nowhere;  ///< Strings: index into Grammar::decisive; one row for each of the set's examples
};

/// A leaf with one of its displays, or with an alias of a display.
struct Production {
  std::uint32_t plan = 0;
  std::uint32_t display = 0;    ///< index of the DisplayStep
  bool is_alias = false;        ///< verification prints `segments` and `name`, not the display and leaf name
  std::uint8_t preference = 0;  ///< how many of the leaf and the display are marked canonical
  Run segments;
  std::string_view name;  ///< value of {NAME}
  Run tokens;
  Bits known;  ///< fixed bits: patterns, don't-care bits (0), asserts that hold whenever the display is shown
  Bits value;
  bool is_instruction = false;
  FirstSet core;                     ///< first set of the text after the flags
  bool core_is_open = false;         ///< that text may be empty, so `core` is incomplete
  std::uint32_t required = nowhere;  ///< instructions: node of a required literal before the mnemonic
  std::string_view mnemonic;         ///< instructions: if empty, the parser always tries the production
};

class Grammar {
 public:
  Grammar(const Model& model, const DecodeTables& tables);

  /// Strings with their meanings, sorted by string, so that equal sets compare equal.
  using Strings = std::map<std::string, std::vector<Meaning>>;

  [[nodiscard]] const DecodeTables& tables() const { return tables_; }
  [[nodiscard]] const Model& model() const { return model_; }

  std::vector<Token> tokens;
  std::vector<Production> productions;
  std::vector<Run> instruction_productions;     ///< for each instruction root
  std::vector<std::uint32_t> without_mnemonic;  ///< instruction productions without a mnemonic; always tried
  std::vector<Run> group_productions;           ///< for each group
  std::vector<StringSet> string_sets;
  std::vector<std::uint32_t> strings_of;  ///< string set of each definition, or nowhere
  std::vector<Meaning> meanings;
  std::vector<std::uint8_t> decisive;       ///< for each string of a token: 1 if it is decisive (find_decisive())
  std::vector<std::uint32_t> node_strings;  ///< for each node: index of its string in the set's examples
  std::vector<Run> node_meanings;           ///< for each node of `characters`: meanings of the string that ends there
  CharacterTree characters;
  std::vector<std::uint32_t> group_flags;  ///< for each group: root of the flags that may precede a core, or nowhere
  std::uint32_t flag_root = 0;             ///< root of the texts that may precede a mnemonic
  std::vector<std::uint8_t> is_flag;       ///< for each node: whether such a text ends there
  bool has_number_flags = false;
  std::uint32_t mnemonic_root = 0;
  std::vector<Run> node_mnemonics;  ///< for each node: productions of the mnemonic that ends there
  std::vector<std::uint32_t> mnemonic_productions;
  std::vector<std::vector<DefaultBits>> defaults;  ///< for each plan

 private:
  void compile_group(std::uint32_t group);
  void compile_productions(std::uint32_t plan, std::uint32_t display);
  void compile_production(Production production);
  void add_token(const CompiledSegment& segment);
  FirstSet first_of(const Token& token, bool& is_nullable);
  FirstSet first_of_definition(std::uint32_t index, bool is_prefixed, bool& is_nullable);
  FirstSet first_of_group(std::uint32_t group, bool& is_nullable);
  bool may_begin_with(const Production& production, std::uint32_t index, std::string_view text, int depth);
  void find_decisive(const Production& production);
  void find_cores(std::uint32_t group);
  std::string_view normalised(std::string_view text);

  // --- strings.cpp -------------------------------------------------------------------------------------------------------
  // Returns the string set of a definition; nowhere for numbers and nested bitsets.
  std::uint32_t string_set_for(std::uint32_t index);
  Strings strings_of_flag(const Definition& definition);
  Strings strings_of_enum(const Definition& definition);
  void add_string_set(const Strings& strings, bool has_number);

  // --- mnemonics.cpp -------------------------------------------------------------------------------------------------
  void find_mnemonics();
  [[nodiscard]] std::uint32_t mnemonic_of(const Production& production) const;
  [[nodiscard]] bool may_precede_mnemonic(const Token& token) const;
  [[nodiscard]] bool is_plain_number(std::uint32_t definition) const;
  void add_flags(Production& production, std::uint32_t mnemonic, std::vector<std::uint32_t>& flag_nodes);

  const Model& model_;
  const DecodeTables& tables_;
  struct GroupState {
    enum : std::uint8_t { New, Open, Done } state = New;
    FirstSet first;
    bool is_nullable = false;
  };
  std::vector<GroupState> groups_;
  std::unordered_map<std::string, std::string_view> texts_;  // normalised literals; map nodes are stable
  std::unordered_map<std::string, std::uint32_t> set_index_;
};

}  // namespace vireo::isa
