// SPDX-License-Identifier: Apache-2.0
//
// A model compiled for one generation. compile.cpp makes it, walk.h runs it.
//
// The one idea: a *plan* is a leaf as seen from the fields that open it. In it every name that a display or an expression
// mentions is a resolver: the definitions that may apply, in order, each with the condition under which it does. What
// cannot happen is gone: conditions that the generation decides, definitions behind an unconditional one. Most resolvers
// have one definition left, and the display then refers to it directly.
//
// A nested bitset reaches fields of the scope around it through params. Its plan knows them by number only: argument i is
// a resolver of the outer plan, given when the scope is opened. So one plan serves all fields with the same inner names.
// Most arguments, though, are plain bits, and their distance from the nested bits is always the same: those are compiled
// into the nested plan as if they were its own. Likewise an expression whose operands come down to bits, through whatever
// derived fields and overrides, becomes one piece of straight code over bits (compile.cpp, `flatten`).
//
// Evaluation order. To look a name up is to ask the conditions of the cases that define it. Mesa's decoder asks those of
// all cases on the way, and a condition may report a missing field, or be asked while one is computed that it needs. Where
// no condition of a plan can do either (by far the usual case), the others change nothing and are left out. Otherwise, under
// mesa_compat, the plan is *careful* and asks them all, in order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/decode/match_tree.h"
#include "vireo/isa/decode.h"

namespace vireo::isa {

inline constexpr std::uint32_t nowhere = ~std::uint32_t{0};

/// How an enum's numbers are displayed: a dense table for the small ones, a sorted list for the others.
struct EnumTable {
  static constexpr std::uint64_t dense_limit = 1024;
  struct Entry {
    std::uint64_t number;
    std::string_view display;
  };
  std::vector<std::string_view> dense;  ///< data() null: no row
  std::vector<Entry> sparse;

  /// The display; data() null when there is no row.
  [[nodiscard]] std::string_view find(std::uint64_t number) const;
};

/// A field as a plan sees it.
struct Definition {
  FieldType type = FieldType::Uint;
  bool has_display = false;
  bool is_call = false;
  bool is_passed = false;  ///< a param's: the field belongs to a scope further out
  std::uint32_t low = 0;   ///< relative to the scope; of what a param passes modulo 2^32, as it may lie before it
  std::uint32_t width = 1;
  std::uint32_t expression = nowhere;  ///< of the plan; nowhere: the field has bits
  std::uint32_t group = nowhere;       ///< type Bitset
  std::uint32_t arguments = 0;         ///< type Bitset: the first of DecodeTables::arguments
  const EnumTable* enumeration = nullptr;
  std::string_view display;
  FieldId field;
};

struct Choice {
  std::uint32_t condition = nowhere;   ///< expression of the plan; nowhere: always
  std::uint32_t definition = nowhere;  ///< nowhere: the condition is asked, and no more
};

struct NameResolver {
  Run choices;
  std::uint32_t argument = nowhere;  ///< where no choice applies: an argument of the scope
};

/// What an expression reads.
struct Operand {
  std::uint32_t low = 0;  ///< bits of the scope, when `resolver` is nowhere
  std::uint32_t width = 0;
  std::uint32_t resolver = nowhere;
  NameId name;  ///< for the report that it resolves to nothing
};

struct CompiledExpression {
  /// The commonest forms are recognised; they need neither slots nor a stack.
  enum class Form : std::uint8_t { General, Constant, Field, FieldIsEqual, FieldIsNotEqual } form = Form::General;
  Run operands;
  Run steps;
  std::uint32_t low = 0;  ///< Field…: the bits
  std::uint32_t width = 0;
  std::int64_t constant = 0;
  std::uint32_t memo = 0;  ///< General: where the scope keeps the value
};

struct AssertCheck {
  std::uint32_t low = 0;
  std::uint32_t width = 1;
  BitWord expected = 0;         ///< of at most 64 bits
  const Assert* row = nullptr;  ///< wider ones compare with its text
  std::string_view owner;       ///< display name of the bitset
};

struct CompiledSegment {
  enum class Kind : std::uint8_t {
    Literal,
    Align,
    Name,
    Direct,    ///< the only definition
    Resolved,  ///< what a resolver gives
  } kind = Kind::Literal;
  bool has_align = false;  ///< of Resolved alone: who is not found is not padded for either
  std::uint32_t align = 0;
  std::uint32_t index = 0;  ///< Direct: definition. Resolved: resolver
  NameId name;
  std::string_view text;  ///< Literal: the text; else what stood between the braces
};

/// Another display of a case, which only assemblers read.
struct AliasDisplay {
  Run segments;
  const Alias* row = nullptr;
};

struct Plan;

/// A case on the search for the display.
struct DisplayStep {
  std::uint32_t condition = nowhere;
  Run asserts;
  bool has_display = false;
  Run segments;
  Run aliases;  ///< of DecodeTables::alias_displays
  CaseId row;
};

/// Says that a scope is to be shown otherwise than its plan has it: how the assembler proves what it read by an alias.
struct WrittenAs {
  std::uint32_t low = 0;  ///< of the scope
  const Plan* plan = nullptr;
  const DisplayStep* display = nullptr;  ///< the one that is replaced
  Run segments;                          ///< what is shown instead
  std::string_view name;                 ///< what {NAME} is
};

struct Plan {
  BitsetId leaf;
  std::string_view name;  ///< display name of the leaf
  std::uint32_t size = 0;
  Run expressions;
  std::uint32_t memos = 0;  ///< expressions whose value a scope keeps
  Run displays;
  Run fields;    ///< resolvers of all names that the cases define, for Decoded
  Run adopted;   ///< of DecodeTables::adopted
  Run refusals;  ///< of DecodeTables::refusals: an assembler makes no word for which one of these conditions holds …
  bool is_refused = false;  ///< … and of this leaf none at all
  bool is_careful = false;
};

/// Under mesa_compat, a bitset that a param passes in belongs to the scope that shows it: its own params are looked up
/// there. So the plan that shows it has a definition of its own for the field.
struct Adopted {
  FieldId field;
  std::uint32_t definition = 0;
};

/// The alternatives of a root for fields that pass the same inner names.
struct Group {
  std::uint32_t tree = 0;
  std::uint32_t first_plan = 0;  ///< plans stand in the order of the tree's leaves
  std::uint32_t size = 0;        ///< bits
  bool is_certain = false;       ///< one leaf, which matches whatever the bits are
};

struct DecodeTables {
  struct Root {
    std::uint32_t group = 0;
    std::uint32_t size = 0;
    const InstructionRoot* row = nullptr;
  };
  std::vector<Root> roots;  ///< of instructions
  std::uint32_t unit_bits = 0;
  std::uint32_t max_bits = 0;   ///< of an instruction
  std::uint32_t max_memos = 0;  ///< of a plan
  std::int64_t gen = 0;
  bool cuts_derived = false;     ///< to 32 bits
  bool is_unusable = false;      ///< the model has errors, or multiplies out beyond max_model_rows: nothing matches
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

/// Compiles. The tables refer to the model's texts.
DecodeTables compile(const Model& model, const DecodeOptions& options);

}  // namespace vireo::isa
