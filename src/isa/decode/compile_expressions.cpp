// SPDX-License-Identifier: Apache-2.0
//
// Compiles expressions: determines whether they are clean, and flattens them to bits. isaspec 1.3 and 2.7.
//
// A clean expression is a pure function of bits, even through derived fields, overrides and params. An
// expression is *clean* if every name it reads is found and it does not depend on itself. Its value then does not
// depend on the evaluation order, and Mesa's per-scope cache is unnecessary. Flattened expressions are matched against
// the most frequent forms.
//
// Unclean expressions keep Mesa's exact order and its faults. The analysis is limited in depth and size. An expression
// beyond these limits counts as unclean, which is slower but correct.
#include <algorithm>

#include "isa/decode/compiler.h"

namespace vireo::isa {
namespace {

constexpr int max_analysis_depth = 200;
constexpr std::size_t max_ordered_expressions = 256;
// Flattening duplicates the expressions that are read. Above this size, that costs more than the lookups it saves.
constexpr std::size_t max_flat_steps = 128;
constexpr std::size_t max_flat_slots = 16;
constexpr int max_flat_depth = 8;

}  // namespace

// Copies the steps of an expression, with the generation inserted and constants folded.
void Compiler::folded_steps(ExpressionId id, std::vector<ExpressionStep>& result) const {
  result.clear();
  for (ExpressionStep step : model_.steps(model_[id])) {
    // A decoder is compiled for one generation, so the generation is a constant.
    if (step.operation == Operation::Generation) step = {Operation::Constant, 0, options_.gen};
    const std::uint32_t count = operand_count(step.operation);
    // In postfix code, the operands directly precede their operation. If all are constants, the operation folds.
    const bool is_constant = count != 0 && result.size() >= count &&
                             std::all_of(result.end() - count, result.end(),
                                         [](const ExpressionStep& s) { return s.operation == Operation::Constant; });
    if (!is_constant) {
      result.push_back(step);
      continue;
    }
    result.push_back(step);
    // Fold with the evaluator itself, so that division by zero, shifts and overflow give the same results.
    const std::int64_t value = evaluate({&*(result.end() - count - 1), count + 1}, nullptr, options_.gen);
    result.resize(result.size() - count - 1);
    result.push_back({Operation::Constant, 0, value});
  }
}

std::optional<std::int64_t> Compiler::constant_value(ExpressionId id) {
  // Fold only expressions without names. `isa check` reports conditions such as `{A} & 0`; the decoder computes them.
  if (!model_.slots(model_[id]).empty()) return std::nullopt;
  folded_steps(id, scratch_);
  return scratch_.empty() ? 0 : scratch_.front().constant;
}

// Returns whether a condition of the plan is unclean. Called once per plan; results for single expressions are cached.
bool Compiler::has_unclean_condition() {
  return std::any_of(cases_.begin(), cases_.end(),
                     [&](const SeenCase& seen) { return seen.condition != nowhere && !is_clean(seen.condition, 0); });
}

// Returns the expressions that an expression needs, and how many cases precede the definitions of its names, for
// order_matters().
Compiler::Uses Compiler::uses_of(std::uint32_t expression) {
  Uses uses;
  for (const NameId name : model_.slots(model_[seen_[expression].id])) {
    std::uint32_t passed_cases = size_of(cases_);
    if (const auto found = defined_.find(name.raw); found != defined_.end()) {
      for (const auto& [position, field] : found->second) {
        const std::uint32_t condition = cases_[position].condition;
        const bool holds = condition == nowhere || condition == expression;
        if (!holds) uses.needed.push_back(condition);
        if (field->is_derived()) uses.needed.push_back(local_expression(field->expression));
        if (!holds) continue;
        passed_cases = position;
        break;
      }
    }
    uses.passed_cases = std::max(uses.passed_cases, passed_cases);
  }
  return uses;
}

// Returns whether the evaluation order can change a value. Mesa evaluates the conditions of all cases before the
// definition that it looks up. If such a condition b needs a value a that is being computed, Mesa computes b without a,
// and caches the result. So this function searches for an expression b that needs a and is evaluated while a is
// computed.
bool Compiler::order_matters() {
  std::vector<Uses> uses;
  for (std::uint32_t i = 0; i < seen_.size(); ++i) {  // the list grows while derived fields are added
    uses.push_back(uses_of(i));
    // A careful plan is always correct, only slower.
    if (uses.size() > max_ordered_expressions) return true;
  }
  // Returns all expressions that `start` needs. If `asks` is set, also returns those that Mesa's order evaluates.
  const auto reached = [&](std::uint32_t start, bool asks) {
    std::vector<bool> seen(uses.size());
    std::vector<std::uint32_t> open{start};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      const auto visit = [&](std::uint32_t next) {
        // is_clean() finds expressions that need themselves.
        if (next == nowhere || next == at || seen[next]) return;
        seen[next] = true;
        open.push_back(next);
      };
      for (const std::uint32_t next : uses[at].needed) visit(next);
      for (std::uint32_t i = 0; asks && i < uses[at].passed_cases; ++i) visit(cases_[i].condition);
    }
    return seen;
  };
  std::vector<std::vector<bool>> asked(uses.size());
  for (std::uint32_t b = 0; b < uses.size(); ++b) {
    if (uses[b].needed.empty()) continue;
    const std::vector<bool> needed = reached(b, false);
    for (std::uint32_t a = 0; a < uses.size(); ++a) {
      if (!needed[a]) continue;
      if (asked[a].empty()) asked[a] = reached(a, true);
      if (asked[a][b]) return true;
    }
  }
  return false;
}

bool Compiler::is_clean(std::uint32_t expression, int depth) {
  if (seen_[expression].known != nullptr) return true;
  const std::uint64_t key = under_facts(expression);
  // Cached per set of facts: a cycle may disappear where a condition is known to fail.
  const auto [entry, is_new] = states_.try_emplace(key, State::Open);
  // An open state means that the expression depends on itself, so it is unclean.
  if (!is_new) return entry->second == State::Clean;
  // Do not cache this result: an analysis that starts at a smaller depth may find the expression clean.
  if (depth > max_analysis_depth) {
    states_.erase(entry);
    return false;
  }
  bool result = true;
  for (const NameId name : model_.slots(model_[seen_[expression].id])) {
    // Check all names even after a failure: the results are cached, and later calls need them.
    result = is_clean_name(name, expression, depth + 1) && result;
  }
  states_[key] = result ? State::Clean : State::Unclean;
  return result;
}

// Returns whether looking up the name and computing its value is clean while `innermost` is evaluated.
bool Compiler::is_clean_name(NameId name, std::uint32_t innermost, int depth) {
  if (const auto found = defined_.find(name.raw); found != defined_.end()) {
    for (const auto& [position, field] : found->second) {
      const std::uint32_t condition = cases_[position].condition;
      // A condition that is being computed is not a fact yet.
      if (is_known_to_fail(condition) && condition != innermost) continue;
      const bool holds = is_known_to_hold(condition) || condition == innermost;
      if (!holds && !is_clean(condition, depth)) return false;
      if (field->is_derived() && !is_clean(local_expression(field->expression), depth)) return false;
      if (holds) return true;
    }
  }
  const std::uint32_t argument = argument_of(name);
  return argument != nowhere && (*signature_)[argument].is_clean;
}

// Returns the expression as a function of bits: names are replaced by their values, and a choice of definitions becomes
// `condition ? value : …`. Returns null if that is impossible or too large. Only clean expressions are flattened, so
// evaluating all operands is safe.
const FlatExpression* Compiler::flatten(std::uint32_t local, int depth) {
  if (seen_[local].known != nullptr) return seen_[local].known;
  const std::uint64_t key = under_facts(local);
  if (const auto known = flat_.find(key); known != flat_.end()) return known->second ? &*known->second : nullptr;
  std::optional<FlatExpression> result;
  // A flat expression uses 64 bits and evaluates all operands at once. Mesa's 32-bit values and its evaluation order
  // need the separate steps.
  const bool may_be_flat = depth < max_flat_depth && !tables_.cuts_derived && !is_careful_;
  if (may_be_flat && is_clean(local, 0)) result = flatten_now(local, depth);
  // Insert after the recursion, which may add entries. Pointers into the map stay valid.
  const auto entry = flat_.insert_or_assign(key, std::move(result)).first;
  return entry->second ? &*entry->second : nullptr;
}

std::optional<FlatExpression> Compiler::flatten_now(std::uint32_t local, int depth) {
  FlatExpression result;
  const ExpressionId id = seen_[local].id;
  std::vector<std::vector<ExpressionStep>> values;  // by slot
  for (const NameId name : model_.slots(model_[id])) {
    const Run run = tables_.resolvers[resolver_of(name, local)].choices;
    // The last definition must be unconditional; otherwise the name is undefined for some words.
    if (run.count == 0 || tables_.choices[run.first + run.count - 1].condition != nowhere) return std::nullopt;
    std::vector<ExpressionStep> value;
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const Choice choice = tables_.choices[run.first + i];
      if (choice.definition == nowhere) return std::nullopt;
      // Postfix order: condition, value, …, last value, then one select per condition. The selects bind from the end.
      if (choice.condition != nowhere && !append_flat(result, value, choice.condition, depth)) return std::nullopt;
      const Definition definition = tables_.definitions[choice.definition];
      if (definition.expression != nowhere) {
        if (!append_flat(result, value, definition.expression, depth)) return std::nullopt;
      } else {
        value.push_back(
            {Operation::Slot, slot_of(result, {definition.low, std::min(definition.width, bits_per_word)}), 0});
      }
    }
    // Values and conditions are pure, so computing unused ones is harmless.
    for (std::uint32_t i = 1; i < run.count; ++i) value.push_back({Operation::Select, 0, 0});
    values.push_back(std::move(value));
  }
  std::vector<ExpressionStep> steps;
  folded_steps(id, steps);
  std::size_t stack = 0;
  for (const ExpressionStep& step : steps) {
    if (step.operation == Operation::Slot) {
      result.steps.insert(result.steps.end(), values[step.slot].begin(), values[step.slot].end());
    } else {
      result.steps.push_back(step);
    }
    if (result.steps.size() > max_flat_steps || result.slots.size() > max_flat_slots) return std::nullopt;
  }
  for (const ExpressionStep& step : result.steps) {
    // The code must fit the evaluator's fixed stack.
    stack = stack + 1 - operand_count(step.operation);
    if (stack > max_expression_depth) return std::nullopt;
  }
  return result;
}

// Limits both steps and depth: nested expressions may double the size at each level.
bool Compiler::append_flat(FlatExpression& whole, std::vector<ExpressionStep>& steps, std::uint32_t local, int depth) {
  const FlatExpression* part = flatten(local, depth + 1);
  if (part == nullptr || steps.size() + part->steps.size() > max_flat_steps) return false;
  for (ExpressionStep step : part->steps) {
    if (step.operation == Operation::Slot) step.slot = slot_of(whole, part->slots[step.slot]);
    steps.push_back(step);
  }
  return true;
}

// A linear search, because max_flat_slots is small.
std::uint32_t Compiler::slot_of(FlatExpression& whole, BitRange bits) {
  const auto found = std::find(whole.slots.begin(), whole.slots.end(), bits);
  if (found == whole.slots.end()) whole.slots.push_back(bits);
  return static_cast<std::uint32_t>(std::find(whole.slots.begin(), whole.slots.end(), bits) - whole.slots.begin());
}

// Returns the operands of an expression, and leaves its steps in scratch_.
std::vector<Operand> Compiler::operands_of(std::uint32_t local) {
  std::vector<Operand> operands;
  if (const FlatExpression* flat = flatten(local, 0)) {
    // A flat expression reads only bits of the scope.
    for (const BitRange& bits : flat->slots) operands.push_back({bits.low, bits.width, nowhere, NameId::none()});
    scratch_ = flat->steps;
    return operands;
  }
  const ExpressionId id = seen_[local].id;
  for (const NameId name : model_.slots(model_[id])) {
    Operand operand;
    operand.name = name;
    const std::uint32_t resolver = resolver_of(name, local);
    const std::uint32_t direct = direct_definition(resolver);
    if (direct != nowhere && tables_.definitions[direct].expression == nowhere) {
      operand.low = tables_.definitions[direct].low;
      operand.width = std::min(tables_.definitions[direct].width, bits_per_word);
    } else {
      // The decoder resolves the name at run time and reports a missing definition.
      operand.resolver = resolver;
    }
    operands.push_back(operand);
  }
  folded_steps(id, scratch_);
  return operands;
}

// Selects the cheapest form: constant, field, comparison, or postfix code.
CompiledExpression Compiler::compile_expression(std::uint32_t local) {
  CompiledExpression result;
  const std::vector<Operand> operands = operands_of(local);
  result.operands = {size_of(tables_.operands), size_of(operands)};
  tables_.operands.insert(tables_.operands.end(), operands.begin(), operands.end());
  result.steps = {size_of(tables_.steps), size_of(scratch_)};
  tables_.steps.insert(tables_.steps.end(), scratch_.begin(), scratch_.end());
  rows_ += operands.size() + scratch_.size();
  const bool only_bits =
      std::all_of(operands.begin(), operands.end(), [](const Operand& operand) { return operand.resolver == nowhere; });
  if (!only_bits) return result;
  find_plain_form(result, operands);
  return result;
}

// Recognizes constants, and expressions that read one field.
void Compiler::find_plain_form(CompiledExpression& result, std::span<const Operand> operands) const {
  using Form = CompiledExpression::Form;
  if (operands.empty()) {
    result.form = Form::Constant;
    result.constant = evaluate(scratch_, nullptr, options_.gen);
    return;
  }
  if (operands.size() != 1) return;
  result.low = operands.front().low;
  result.width = operands.front().width;
  // The field itself, as in the condition `{A}` of a flag.
  if (scratch_.size() == 1) {
    result.form = Form::Field;
    return;
  }
  const bool compares =
      scratch_.size() == 3 && scratch_[0].operation == Operation::Slot && scratch_[1].operation == Operation::Constant;
  if (!compares) return;
  result.constant = scratch_[1].constant;
  switch (scratch_[2].operation) {
    case Operation::Equal: result.form = Form::FieldIsEqual; break;
    case Operation::NotEqual: result.form = Form::FieldIsNotEqual; break;
    default: break;
  }
}

}  // namespace vireo::isa
