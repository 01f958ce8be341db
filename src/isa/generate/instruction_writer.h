// SPDX-License-Identifier: Apache-2.0
//
// Generates the functions that print one instruction.
//
// Each scope becomes a C function. Names are resolved to bit ranges of the word, conditions become C
// expressions, and literals are copied with a constant size. The function of a scope has the form
//
//   static char* d12(state* s, word w, char* o)      writes at `o`, returns the end; reports faults in `s`
//
// The generated code has no bounds checks: the generator adds up how long a text can become, and the caller's buffer
// has that size. Three files implement the class: displays.cpp (scopes and displays), values.cpp (fields) and
// matching.cpp (selection of a leaf). The base class writes conditions and derived values (expression_writer.h).
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

/// Writable bytes after the end of a text, because texts are copied in blocks of fixed size.
inline constexpr std::size_t text_slack = 64;
/// Bytes that a callback may add to a line in one call.
inline constexpr std::size_t callback_room = 256;

/// Statements that write into `o`.
struct Code {
  std::string text;
  std::size_t longest = 0;  ///< the maximum number of bytes that they write
};

/// The largest index of a node, a leaf or a list position in tables with 16-bit indexes.
inline constexpr std::uint32_t narrow_index_limit = 0x3FFF;

/// Child numbers of a tree: numbers below the first function's result are nodes, those below the second's are leaves,
/// and the rest are list positions.
constexpr std::uint32_t first_leaf_child(const Facts& facts) { return facts.has_wide_index ? 0x40000000 : 0x8000; }
constexpr std::uint32_t first_list_child(const Facts& facts) { return facts.has_wide_index ? 0x60000000 : 0xC000; }

/// Defines the tree that selects among `leaves`, which are in the order of matching. Returns its name.
std::string define_tree(Writer& writer, const std::vector<const Bitset*>& leaves, Facts& facts);

class InstructionWriter : private ExpressionWriter {
 public:
  using ExpressionWriter::ExpressionWriter;

  struct Shown {
    std::string function;
    std::size_t longest = 0;
    bool has_branch = false;  ///< it may print the target of a branch
    bool has_memos = false;   ///< it evaluates an expression with a memo
  };
  /// Generates the function that prints an instruction of this leaf.
  Shown show(const Bitset& leaf);

 private:
  // --- displays.cpp ------------------------------------------------------------------------------------------------------
  struct ScopeCode {
    Code code;
    bool returns = false;  // the code is a function body: cases end with `return o;`
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
  std::size_t depth_ = 0;  // nesting depth of bitsets at the current code
};

}  // namespace vireo::isa::generate
