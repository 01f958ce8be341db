// SPDX-License-Identifier: Apache-2.0
//
// The compiler behind compile(): model → tables.
//
// The one idea: a work list of groups. Compiling the plan of a leaf meets fields of bitset type; each asks for the group of
// (root, what its params pass in), which is compiled later unless it exists. Three files share the class: compile.cpp
// has groups, plans and names; compile_displays.cpp displays and texts; compile_expressions.cpp expressions.
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

// Bits relative to a scope, modulo 2^32.
struct BitRange {
  std::uint32_t low = 0;
  std::uint32_t width = 0;
  friend auto operator<=>(const BitRange&, const BitRange&) = default;
};

// An expression over bits alone.
struct FlatExpression {
  std::vector<ExpressionStep> steps;
  std::vector<BitRange> slots;
  friend auto operator<=>(const FlatExpression&, const FlatExpression&) = default;
};

// What a nested plan knows of an argument: the name it has inside, and whether looking it up always succeeds in silence.
// If it always is one field, that field, and its bits or its value seen from the nested scope.
struct Argument {
  NameId inner;
  bool is_clean = false;
  FieldId field;
  std::uint32_t low = 0;
  FlatExpression value;
  std::vector<FieldId> bitsets;  // under mesa_compat: the fields of bitset type that it may be
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
    std::uint32_t condition;  // expression of the plan; nowhere: holds in this generation
    const Bitset* owner;
  };
  struct SeenExpression {
    ExpressionId id;
    const FlatExpression* known = nullptr;  // over bits alone: an argument's value, or what facts have made of it
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

  // --- analysis: can evaluating report a fault, run in a circle, or depend on what is asked first? ------------------------
  [[nodiscard]] bool has_unclean_condition();
  [[nodiscard]] bool order_matters();
  struct Uses {
    std::vector<std::uint32_t> needed;  // expressions that decide its value: of conditions and of derived fields
    std::uint32_t way = 0;              // cases that looking its names up passes
  };
  Uses uses_of(std::uint32_t expression);
  bool is_clean(std::uint32_t expression, int depth);
  bool is_clean_name(NameId name, std::uint32_t innermost, int depth);

  // --- facts: what is certain of conditions while a display is shown ------------------------------------------------------

  // Which condition chose the display, and which it comes behind: those did not hold. While a display is compiled, names
  // that only its own case defines have one definition, and params that pass them on pass on bits.
  struct Facts {
    std::uint32_t holds = nowhere;
    std::uint32_t position = 0;  // of the display's case: a condition that has a display before it fails
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

  // Of the group being compiled. What depends on the signature is made once for all its leaves: a field may have as many
  // params as a file has room for, and a root as many leaves.
  const Signature* signature_ = nullptr;
  std::unordered_map<std::uint32_t, std::uint32_t> argument_index_;  // by inner name
  std::vector<FieldId> passed_bitsets_;                              // of all arguments, each once

  // Of the plan being compiled.
  std::vector<SeenCase> cases_;
  std::vector<SeenExpression> seen_;
  std::unordered_map<std::uint32_t, std::uint32_t> local_;
  std::vector<Facts> all_facts_;                                    // the first: nothing is known
  std::uint32_t facts_ = 0;                                         // those that count now
  std::unordered_map<std::uint32_t, std::uint32_t> first_display_;  // by condition: position of its first display
  int value_depth_ = 0;                                             // of value_expression()
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> resolver_index_;  // by facts and name, innermost
  std::unordered_map<std::uint64_t, std::uint32_t> definition_index_;                // by facts and field
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint32_t, const Field*>>> defined_;
  struct PendingParams {
    std::uint32_t definition;
    const Field* field;
    std::uint32_t facts;
    bool is_adopted;
  };
  std::vector<PendingParams> pending_params_;                              // definitions still without their group
  std::unordered_map<std::uint32_t, std::uint32_t> argument_definition_;   // by argument; those that were asked for
  std::unordered_map<std::uint64_t, std::optional<FlatExpression>> flat_;  // by facts and expression
  std::unordered_map<std::uint64_t, State> states_;                        // likewise
  std::vector<ExpressionStep> scratch_;
  bool is_careful_ = false;
  bool uses_facts_ = false;
};

}  // namespace vireo::isa
