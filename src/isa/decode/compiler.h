// SPDX-License-Identifier: Apache-2.0
//
// Implements compile(), which turns a model into decode tables.
//
// A work list of groups. A field of bitset type in a plan needs a group: the leaves of its root, compiled
// for the signature of its params. A new group is added to the list and compiled later. The class has three source
// files: compile.cpp for groups, plans and names; compile_displays.cpp for displays and enums; compile_expressions.cpp
// for expressions.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/decode/tables.h"
#include "vireo/isa/load.h"

namespace vireo::isa {

// A range of bits relative to a scope, modulo 2^32.
struct BitRange {
  std::uint32_t low = 0;
  std::uint32_t width = 0;
  friend auto operator<=>(const BitRange&, const BitRange&) = default;
};

// An expression that reads only bits.
struct FlatExpression {
  std::vector<ExpressionStep> steps;
  std::vector<BitRange> slots;
  friend auto operator<=>(const FlatExpression&, const FlatExpression&) = default;
};

// An argument of a nested plan. `inner` is the name by which the plan refers to it. `is_clean` is set if its lookup
// always succeeds without faults. If the argument is always the same field, `field` is that field. Then `low` and
// `value` are its bits or its value, relative to the nested scope.
struct Argument {
  NameId inner;
  bool is_clean = false;
  FieldId field;
  std::uint32_t low = 0;
  FlatExpression value;
  std::vector<FieldId> bitsets;  // under mesa_compat: possible fields of bitset type
  friend auto operator<=>(const Argument&, const Argument&) = default;
};
using Signature = std::vector<Argument>;

inline std::uint32_t size_of(const auto& table) { return static_cast<std::uint32_t>(table.size()); }

class Compiler {
 public:
  Compiler(const Model& model, const DecodeOptions& options) : model_(model), options_(options) {
    tables_.gen = options.gen;
    tables_.unit_bits = model.unit_bits();
    tables_.enums.resize(model.enums().size());
    enum_is_made_.resize(model.enums().size());
  }

  DecodeTables run();

 private:
  struct PendingGroup {
    std::uint32_t tree;
    Signature signature;
  };
  std::uint32_t group_of(BitsetId root, const Signature& signature);
  void compile_group(std::size_t group);

  // --- one plan ----------------------------------------------------------------------------------------------------------

  struct SeenCase {
    const Case* row;
    std::uint32_t condition;  // expression of the plan; nowhere: the case always holds in this generation
    const Bitset* owner;
  };
  struct SeenExpression {
    ExpressionId id;
    const FlatExpression* known = nullptr;  // a flat argument, or an expression flattened under facts
  };
  enum class State : std::uint8_t { Open, Clean, Unclean };
  void compile_plan(std::uint32_t index, BitsetId leaf_id);
  void begin_plan();
  void gather_cases(const Bitset& leaf);
  void compile_displays(Plan& plan);
  void compile_refusals(Plan& plan);
  void compile_fields(Plan& plan);
  void compile_expressions(Plan& plan);
  std::uint32_t local_expression(ExpressionId id);
  void folded_steps(ExpressionId id, std::vector<ExpressionStep>& result) const;
  std::optional<std::int64_t> constant_value(ExpressionId id);

  // --- analysis: can an evaluation fail, recurse, or depend on the order? --------------------------------------------
  [[nodiscard]] bool has_unclean_condition();
  [[nodiscard]] bool order_matters();
  struct Uses {
    std::vector<std::uint32_t> needed;  // conditions and derived fields that determine its value
    std::uint32_t passed_cases = 0;     // most cases that precede a definition of its names
  };
  Uses uses_of(std::uint32_t expression);
  bool is_clean(std::uint32_t expression, int depth);
  bool is_clean_name(NameId name, std::uint32_t innermost, int depth);

  // --- facts: conditions known while a display is shown --------------------------------------------------------------

  // The facts under which a display is chosen: its condition holds, and those of earlier displays do not. Under these
  // facts, a name that only the display's case defines has one definition, and params pass plain bits.
  struct Facts {
    std::uint32_t holds = nowhere;
    std::uint32_t position = 0;  // the display's case; the conditions of earlier displays fail
  };
  [[nodiscard]] bool is_known_to_hold(std::uint32_t condition) const;
  [[nodiscard]] bool is_known_to_fail(std::uint32_t condition) const;
  [[nodiscard]] std::uint64_t under_facts(std::uint32_t index) const { return std::uint64_t{facts_} << 32 | index; }
  std::uint32_t value_expression(const Field& field);

  // --- names -------------------------------------------------------------------------------------------------------------
  std::uint32_t resolver_of(NameId name, std::uint32_t innermost);
  [[nodiscard]] std::uint32_t direct_definition(std::uint32_t resolver) const;
  std::uint32_t definition_of(const Field& field);
  std::uint32_t definition_of_argument(std::uint32_t i);
  void compile_params();
  Argument argument_for(const Param& param, std::uint32_t resolver, std::uint32_t origin);
  [[nodiscard]] std::uint32_t argument_of(NameId inner) const;
  Run adopt_bitsets();
  const EnumTable* enum_table(EnumId id);

  // --- displays ----------------------------------------------------------------------------------------------------------
  void compile_display(const SeenCase& seen);
  Run compile_segments(std::span<const Segment> rows);

  // --- expressions -------------------------------------------------------------------------------------------------------
  const FlatExpression* flatten(std::uint32_t local, int depth);
  std::optional<FlatExpression> flatten_now(std::uint32_t local, int depth);
  bool append_flat(FlatExpression& whole, std::vector<ExpressionStep>& steps, std::uint32_t local, int depth);
  static std::uint32_t slot_of(FlatExpression& whole, BitRange bits);
  CompiledExpression compile_expression(std::uint32_t local);
  std::vector<Operand> operands_of(std::uint32_t local);
  void find_plain_form(CompiledExpression& result, std::span<const Operand> operands) const;

  const Model& model_;
  const DecodeOptions& options_;
  DecodeTables tables_;
  std::map<std::pair<BitsetId, Signature>, std::uint32_t> group_index_;
  std::unordered_map<std::uint32_t, std::uint32_t> tree_index_;
  std::vector<PendingGroup> pending_;
  std::size_t next_group_ = 0;
  std::vector<bool> enum_is_made_;
  std::size_t rows_ = 0;

  // State of the current group. Tables that depend on the signature are built once for all its leaves, because both
  // params and leaves may be numerous.
  const Signature* signature_ = nullptr;
  std::unordered_map<std::uint32_t, std::uint32_t> argument_index_;  // key: inner name
  std::vector<FieldId> passed_bitsets_;                              // of all arguments, without duplicates

  // State of the current plan.
  std::vector<SeenCase> cases_;
  std::vector<SeenExpression> seen_;
  std::unordered_map<std::uint32_t, std::uint32_t> local_;
  std::vector<Facts> all_facts_;                                    // the first is empty
  std::uint32_t facts_ = 0;                                         // index of the current facts
  std::unordered_map<std::uint32_t, std::uint32_t> first_display_;  // for each condition: position of its first display
  int value_depth_ = 0;                                             // recursion depth of value_expression()
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> resolver_index_;  // key: facts, name; innermost
  std::unordered_map<std::uint64_t, std::uint32_t> definition_index_;                // key: facts and field
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint32_t, const Field*>>> defined_;
  struct PendingParams {
    std::uint32_t definition;
    const Field* field;
    std::uint32_t facts;
    bool is_adopted;
  };
  std::vector<PendingParams> pending_params_;                             // definitions whose group is not compiled yet
  std::unordered_map<std::uint32_t, std::uint32_t> argument_definition_;  // key: argument; only those used
  std::unordered_map<std::uint64_t, std::optional<FlatExpression>> flat_;  // key: facts and expression
  std::unordered_map<std::uint64_t, State> states_;                        // likewise
  std::vector<ExpressionStep> scratch_;
  bool is_careful_ = false;
  bool uses_facts_ = false;
};

}  // namespace vireo::isa
