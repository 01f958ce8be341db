// SPDX-License-Identifier: Apache-2.0
//
// One instruction → the functions that print it.
//
// The one idea: a scope becomes a function, and everything in it that the description decides is gone: names are bit
// ranges of the word, conditions are C, literals are copied with a constant size. A function of a scope is
//
//   static char* d12(state* s, word w, char* o)      writes from `o` on, gives the end; what is odd goes to `s`
//
// Nothing is checked while writing: how long a text can become is added up here, and the caller's buffer has that much
// room. Three files share the class: displays.cpp has scopes and displays, values.cpp fields, matching.cpp the choice of a
// leaf. Conditions and derived values are written by its base (expression_writer.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/generate/expression_writer.h"
#include "isa/generate/scopes.h"
#include "isa/generate/writer.h"

namespace vireo::isa::generate {

/// Bytes behind the end of a text that may be written to: texts are copied in pieces of fixed size.
inline constexpr std::size_t text_slack = 64;
/// What a caller's function may add to a line in one call.
inline constexpr std::size_t callback_room = 256;

/// Statements that write into `o`.
struct Code {
  std::string text;
  std::size_t longest = 0;  ///< bytes they can write
};

/// Numbers of nodes, leaves and places in lists, in tables of 16 bits.
inline constexpr std::uint32_t narrow_index_limit = 0x3FFF;

/// Children of a tree: below the first are nodes, then leaves, then places in lists.
constexpr std::uint32_t first_leaf_child(const Facts& facts) { return facts.has_wide_index ? 0x40000000 : 0x8000; }
constexpr std::uint32_t first_list_child(const Facts& facts) { return facts.has_wide_index ? 0x60000000 : 0xC000; }

/// The name of a tree that chooses among the leaves of a root: what exists, in the order of matching.
std::string define_tree(Writer& writer, const std::vector<const Bitset*>& leaves, Facts& facts);

class InstructionWriter : private ExpressionWriter {
 public:
  using ExpressionWriter::ExpressionWriter;

  struct Shown {
    std::string function;
    std::size_t longest = 0;
    bool has_branch = false;  ///< it may show the target of a branch
    bool has_memos = false;   ///< it asks something that remembers
  };
  /// Makes the function that prints an instruction of this leaf.
  Shown show(const Bitset& leaf);

 private:
  // --- displays.cpp ------------------------------------------------------------------------------------------------------
  struct ScopeCode {
    Code code;
    bool returns = false;  // it is a function's body: cases end in `return o;`
  };
  ScopeCode scope_code(const StaticScope& scope);
  Code assert_code(const StaticScope& scope, const SeenCase& seen);
  Code display_code(const StaticScope& scope, const Case& row);
  Code field_code(const StaticScope& scope, const Segment& segment);
  std::string name_text(const StaticScope& scope) const;

  // --- values.cpp --------------------------------------------------------------------------------------------------------
  Code shown_code(const StaticScope& shown_in, const Segment& segment, const Candidate& candidate);
  Code value_code(const Segment& segment, const Candidate& candidate);
  std::optional<Code> wide_code(const Candidate& candidate);
  Code enum_code(const Field& field, const std::string& value);
  Code text_if(std::string_view text, const std::string& condition, bool is_bit);

  // --- matching.cpp ------------------------------------------------------------------------------------------------------
  Code nested_code(const StaticScope& shown_in, std::string_view name, const Candidate& candidate);
  Code nested_leaf_code(const StaticScope& scope);
  std::string choice_text(const std::vector<const Bitset*>& leaves, const std::vector<std::string>& shown,
                          std::uint32_t low, const std::string& no_match);
  std::optional<std::string> small_choice(const std::vector<const Bitset*>& leaves, std::uint32_t size);

  bool has_branch_ = false;
  std::size_t depth_ = 0;  // of nested bitsets around the code at hand
};

}  // namespace vireo::isa::generate
