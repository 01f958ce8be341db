// SPDX-License-Identifier: Apache-2.0
//
// A model compiled for one generation. compile.cpp builds these tables; walk.h interprets them.
//
// A *plan* is a leaf compiled for the fields that may contain it. Each name in its displays and
// expressions becomes a resolver: the possible definitions in order, with their conditions. Impossible definitions are
// removed: those excluded by the generation, and those after an unconditional one. Most resolvers then have one
// definition, to which the display refers directly.
//
// A nested bitset reads fields of the enclosing scope through params. Its plan refers to argument i, a resolver of the
// outer plan that is supplied when the scope is opened. One plan therefore serves all fields with the same inner names.
// Most arguments are plain bits at a constant distance from the nested bits, and are compiled into the nested plan like
// its own fields. Expressions whose operands are all bits become straight-line code, even through derived fields and
// overrides (compile_expressions.cpp, `flatten`).
//
// Evaluation order: a lookup evaluates the conditions of the cases that define the name. Mesa evaluates the conditions
// of all earlier cases too. Such a condition may report a missing field, or may need a value that is being computed.
// Usually no condition of a plan can do either, so these evaluations are omitted. Otherwise, under mesa_compat, the
// plan is *careful* and evaluates all conditions in Mesa's order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/decode/match_tree.h"
#include "vireo/isa/decode.h"

namespace vireo::isa {

inline constexpr std::uint32_t nowhere = ~std::uint32_t{0};

/// Displays of an enum's numbers: a dense table for small numbers, a sorted list for the others.
struct EnumTable {
  static constexpr std::uint64_t dense_limit = 1024;
  struct Entry {
    std::uint64_t number;
    std::string_view display;
  };
  std::vector<std::string_view> dense;  ///< null data(): no row
  std::vector<Entry> sparse;

  /// Returns the display; data() is null if there is no row.
  [[nodiscard]] std::string_view find(std::uint64_t number) const;
};

/// A field of a plan.
struct Definition {
  FieldType type = FieldType::Uint;
  bool has_display = false;
  bool is_call = false;
  bool is_passed = false;  ///< passed as a param: the field belongs to an outer scope
  std::uint32_t low = 0;   ///< relative to the scope; for passed fields modulo 2^32
  std::uint32_t width = 1;
  std::uint32_t expression = nowhere;  ///< index in the plan; nowhere: the field has bits
  std::uint32_t group = nowhere;       ///< type Bitset: index of the group
  std::uint32_t arguments = 0;         ///< type Bitset: first index in DecodeTables::arguments
  const EnumTable* enumeration = nullptr;
  std::string_view display;
  FieldId field;
};

struct Choice {
  std::uint32_t condition = nowhere;   ///< index of an expression in the plan; nowhere: always
  std::uint32_t definition = nowhere;  ///< nowhere: only evaluate the condition
};

struct NameResolver {
  Run choices;
  std::uint32_t argument = nowhere;  ///< used if no choice applies: an argument of the scope
};

/// An operand of an expression.
struct Operand {
  std::uint32_t low = 0;  ///< bits of the scope, if `resolver` is nowhere
  std::uint32_t width = 0;
  std::uint32_t resolver = nowhere;
  NameId name;  ///< for the fault if it has no definition
};

struct CompiledExpression {
  /// General, or a frequent form that needs neither slots nor a stack.
  enum class Form : std::uint8_t { General, Constant, Field, FieldIsEqual, FieldIsNotEqual } form = Form::General;
  Run operands;
  Run steps;
  std::uint32_t low = 0;  ///< Field…: position of the bits
  std::uint32_t width = 0;
  std::int64_t constant = 0;
  std::uint32_t memo = 0;  ///< General: index of the cached value in the scope
};

struct AssertCheck {
  std::uint32_t low = 0;
  std::uint32_t width = 1;
  BitWord expected = 0;         ///< the value of an assert of up to 64 bits
  const Assert* row = nullptr;  ///< for wider asserts: compare with its text
  std::string_view owner;       ///< display name of the bitset
};

struct CompiledSegment {
  enum class Kind : std::uint8_t {
    Literal,
    Align,
    Name,
    Direct,    ///< the only definition
    Resolved,  ///< the definition found by a resolver
  } kind = Kind::Literal;
  bool has_align = false;  ///< only for Resolved: pad only if there is a definition
  std::uint32_t align = 0;
  std::uint32_t index = 0;  ///< Direct: definition. Resolved: resolver
  NameId name;
  std::string_view text;  ///< Literal: the text; otherwise the text between the braces
};

/// An alternative display of a case, which only the assembler uses.
struct AliasDisplay {
  Run segments;
  const Alias* row = nullptr;
};

struct Plan;

/// A case in the search for the display.
struct DisplayStep {
  std::uint32_t condition = nowhere;
  Run asserts;
  bool has_display = false;
  Run segments;
  Run aliases;  ///< range of DecodeTables::alias_displays
  CaseId row;
};

/// Replaces the display of one scope. The assembler uses it to verify a line that contains an alias.
struct WrittenAs {
  std::uint32_t low = 0;  ///< position of the scope
  const Plan* plan = nullptr;
  const DisplayStep* display = nullptr;  ///< the replaced display
  Run segments;                          ///< the segments to print instead
  std::string_view name;                 ///< value of {NAME}
};

struct Plan {
  BitsetId leaf;
  std::string_view name;  ///< display name of the leaf
  std::uint32_t size = 0;
  Run expressions;
  std::uint32_t memos = 0;  ///< number of cached values per scope
  Run displays;
  Run fields;               ///< resolvers of all fields of the cases, for Decoded
  Run adopted;              ///< range of DecodeTables::adopted
  Run refusals;             ///< range of DecodeTables::refusals: the assembler rejects a word if one of these holds
  bool is_refused = false;  ///< the assembler rejects all words of the leaf
  bool is_careful = false;
};

/// Under mesa_compat, a passed bitset belongs to the scope that shows it, and its params are looked up there. The plan
/// that shows it therefore has its own definition of the field.
struct Adopted {
  FieldId field;
  std::uint32_t definition = 0;
};

/// The leaves of a root, compiled for fields with the same signature.
struct Group {
  std::uint32_t tree = 0;
  std::uint32_t first_plan = 0;  ///< plans are in the order of the tree's leaves
  std::uint32_t size = 0;        ///< bits
  bool is_certain = false;       ///< the group has one leaf, and it matches all values
};

struct DecodeTables {
  struct Root {
    std::uint32_t group = 0;
    std::uint32_t size = 0;
    const InstructionRoot* row = nullptr;
  };
  std::vector<Root> roots;  ///< the instruction roots
  std::uint32_t unit_bits = 0;
  std::uint32_t max_bits = 0;   ///< size of the longest instruction
  std::uint32_t max_memos = 0;  ///< largest Plan::memos
  std::int64_t gen = 0;
  bool cuts_derived = false;     ///< truncates derived values to 32 bits
  bool is_unusable = false;      ///< the model has errors or exceeds max_model_rows: nothing matches
  std::vector<MatchTree> trees;  ///< one for each root bitset in use
  std::vector<Group> groups;
  std::vector<Plan> plans;
  std::vector<Definition> definitions;
  std::vector<Choice> choices;
  std::vector<NameResolver> resolvers;
  std::vector<std::uint32_t> arguments;
  std::vector<Adopted> adopted;
  std::vector<std::uint32_t> plan_fields;  ///< resolvers
  std::vector<NameId> plan_field_names;
  std::vector<CompiledExpression> expressions;
  std::vector<Operand> operands;
  std::vector<ExpressionStep> steps;
  std::vector<DisplayStep> displays;
  std::vector<AliasDisplay> alias_displays;
  std::vector<std::uint32_t> refusals;  ///< expressions of a plan
  std::vector<AssertCheck> asserts;
  std::vector<CompiledSegment> segments;
  std::vector<EnumTable> enums;
};

/// Compiles a model. The tables refer to the model's strings.
DecodeTables compile(const Model& model, const DecodeOptions& options);

}  // namespace vireo::isa
