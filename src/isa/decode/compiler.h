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
    enum class State : std::uint8_t { New, Open, Clean, Unclean } state = State::New;
    const FlatExpression* passed = nullptr;  // an argument's value, not an expression of the chain
  };
  void compile_plan(std::uint32_t index, BitsetId leaf_id, const Signature& signature);
  std::uint32_t local_expression(ExpressionId id);
  void folded_steps(ExpressionId id, std::vector<ExpressionStep>& result) const;
  std::optional<std::int64_t> constant_value(ExpressionId id);

  // --- analysis: can evaluating report a fault, or run in a circle? -------------------------------------------------------
  bool is_clean(std::uint32_t expression, int depth);
  bool is_clean_name(NameId name, std::uint32_t innermost, int depth);

  // --- names -------------------------------------------------------------------------------------------------------------
  std::uint32_t resolver_of(NameId name, std::uint32_t innermost);
  [[nodiscard]] std::uint32_t direct_definition(std::uint32_t resolver) const;
  std::uint32_t definition_of(const Field& field);
  std::uint32_t definition_of_argument(std::uint32_t i);
  std::uint32_t text_class_of(const Definition& definition, const Field& field);
  void compile_params();
  Argument argument_for(const Param& param, std::uint32_t resolver, std::uint32_t origin);
  const EnumTable* enum_table(EnumId id);

  // --- displays ----------------------------------------------------------------------------------------------------------
  void compile_display(const SeenCase& seen);
  bool takes_pieces(std::uint32_t width);
  std::uint32_t text_class_of_literal(std::string_view text);
  void add_skips(std::size_t first);
  std::optional<std::uint32_t> empty_value(const CompiledSegment& flag) const;

  // --- expressions -------------------------------------------------------------------------------------------------------
  const FlatExpression* flatten(std::uint32_t local, int depth);
  std::optional<FlatExpression> flatten_now(std::uint32_t local, int depth);
  bool append_flat(FlatExpression& whole, std::vector<ExpressionStep>& steps, std::uint32_t local, int depth);
  static std::uint32_t slot_of(FlatExpression& whole, BitRange bits);
  CompiledExpression compile_expression(std::uint32_t local);

  const Model& model_;
  const DecodeOptions& options_;
  DecodeTables tables_;
  std::map<std::pair<BitsetId, Signature>, std::uint32_t> group_index_;
  std::unordered_map<std::uint32_t, std::uint32_t> tree_index_;
  std::vector<PendingGroup> pending_;
  std::size_t next_group_ = 0;
  std::vector<bool> enum_is_made_;
  std::map<std::tuple<FieldType, std::uint32_t, std::uint32_t, bool, std::string_view>, std::uint32_t>
      text_class_index_;
  std::unordered_map<std::string_view, std::uint32_t> literal_index_;
  std::map<std::pair<std::vector<ExpressionStep>, std::vector<std::uint32_t>>, std::uint32_t> truth_index_;
  std::size_t rows_ = 0;
  std::size_t pieces_ = 0;

  // Of the plan being compiled.
  const Signature* signature_ = nullptr;
  std::vector<SeenCase> cases_;
  std::vector<SeenExpression> seen_;
  std::unordered_map<std::uint32_t, std::uint32_t> local_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> resolver_index_;
  std::unordered_map<std::uint32_t, std::uint32_t> definition_index_;
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint32_t, const Field*>>> defined_;
  std::vector<std::pair<std::uint32_t, const Field*>> pending_params_;  // definitions still without their group
  std::vector<std::uint32_t> argument_definition_;
  std::unordered_map<std::uint32_t, std::optional<FlatExpression>> flat_;
  std::vector<ExpressionStep> scratch_;
  bool is_careful_ = false;
};

}  // namespace vireo::isa
