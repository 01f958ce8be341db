// SPDX-License-Identifier: Apache-2.0
//
// Expressions: whether they are clean, and what they come down to.
//
// The one idea: an expression that can neither fail nor run in a circle is a function of bits, through whatever derived
// fields, overrides and params. Written out, it is compared with the commonest forms.
//
// isaspec 1.3 and 2.7. Clean means: every name on the way is found, and nothing needs itself. Then it does not matter
// when, how often or in which order anything is evaluated, and the memory that Mesa keeps for each scope is not needed.
// Unclean expressions keep the exact order, with their faults. Analysis is bounded in depth and size; what it gives up
// on is unclean, which is slower and never wrong.
#include <algorithm>

#include "isa/decode/compiler.h"

namespace vireo::isa {
namespace {

constexpr int max_analysis_depth = 200;
constexpr std::size_t max_ordered_expressions = 256;
// Written out, an expression repeats what it reads. Beyond this size that costs more than the names it spares.
constexpr std::size_t max_flat_steps = 128;
constexpr std::size_t max_flat_slots = 16;
constexpr int max_flat_depth = 8;

}  // namespace

// The steps of an expression with the generation put in and folded.
void Compiler::folded_steps(ExpressionId id, std::vector<ExpressionStep>& result) const {
  result.clear();
  for (ExpressionStep step : model_.steps(model_[id])) {
    // A decoder is made for one generation, so it is a number like any other.
    if (step.operation == Operation::Generation) step = {Operation::Constant, 0, options_.gen};
    const std::uint32_t count = operand_count(step.operation);
    // Postfix code: an operation whose operands are the constants right before it is one itself.
    const bool is_constant = count != 0 && result.size() >= count &&
                             std::all_of(result.end() - count, result.end(),
                                         [](const ExpressionStep& s) { return s.operation == Operation::Constant; });
    if (!is_constant) {
      result.push_back(step);
      continue;
    }
    result.push_back(step);
    // By the evaluator itself, so that folding cannot differ from computing: division by 0, shifts and overflow
    // included.
    const std::int64_t value = evaluate({&*(result.end() - count - 1), count + 1}, nullptr, options_.gen);
    result.resize(result.size() - count - 1);
    result.push_back({Operation::Constant, 0, value});
  }
}

std::optional<std::int64_t> Compiler::constant_value(ExpressionId id) {
  // Nothing is guessed from `{A} & 0`: `isa check` reports such conditions, the decoder computes them.
  if (!model_.slots(model_[id]).empty()) return std::nullopt;
  folded_steps(id, scratch_);
  return scratch_.empty() ? 0 : scratch_.front().constant;
}

// Asked once for a plan; the answers for single expressions are kept.
bool Compiler::has_unclean_condition() {
  return std::any_of(cases_.begin(), cases_.end(),
                     [&](const SeenCase& seen) { return seen.condition != nowhere && !is_clean(seen.condition, 0); });
}

// For order_matters(): what an expression needs, and how far into the cases its lookups go.
Compiler::Uses Compiler::uses_of(std::uint32_t expression) {
  Uses uses;
  for (const NameId name : model_.slots(model_[seen_[expression].id])) {
    std::uint32_t way = size_of(cases_);
    if (const auto found = defined_.find(name.raw); found != defined_.end()) {
      for (const auto& [position, field] : found->second) {
        const std::uint32_t condition = cases_[position].condition;
        const bool holds = condition == nowhere || condition == expression;
        if (!holds) uses.needed.push_back(condition);
        if (field->is_derived()) uses.needed.push_back(local_expression(field->expression));
        if (!holds) continue;
        way = position;
        break;
      }
    }
    uses.way = std::max(uses.way, way);
  }
  return uses;
}

// Mesa's decoder asks a condition as soon as a name is looked up behind it. Should a condition that is being computed,
// or a value, be needed by one that is asked on its way, the latter is computed without it, and that stays. Here: is
// there an expression b that needs a, and that is asked while a is computed?
bool Compiler::order_matters() {
  std::vector<Uses> uses;
  for (std::uint32_t i = 0; i < seen_.size(); ++i) {  // the list grows while derived fields are met
    uses.push_back(uses_of(i));
    // To be careful without need is slow and never wrong.
    if (uses.size() > max_ordered_expressions) return true;
  }
  // Everything that is reached from `start`, by need alone or by way of asking as well.
  const auto reached = [&](std::uint32_t start, bool asks) {
    std::vector<bool> seen(uses.size());
    std::vector<std::uint32_t> open{start};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      const auto visit = [&](std::uint32_t next) {
        // An expression that asks for itself is found by is_clean(), not here.
        if (next == nowhere || next == at || seen[next]) return;
        seen[next] = true;
        open.push_back(next);
      };
      for (const std::uint32_t next : uses[at].needed) visit(next);
      for (std::uint32_t i = 0; asks && i < uses[at].way; ++i) visit(cases_[i].condition);
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
  // Kept under the facts: what is a circle in general may be none where a condition is known to fail.
  const auto [entry, is_new] = states_.try_emplace(key, State::Open);
  // Open counts as unclean: an expression that is met while it is looked at needs itself.
  if (!is_new) return entry->second == State::Clean;
  // Forgotten rather than noted as unclean: asked from nearer it may well be clean.
  if (depth > max_analysis_depth) {
    states_.erase(entry);
    return false;
  }
  bool result = true;
  for (const NameId name : model_.slots(model_[seen_[expression].id])) {
    // All names, also after one has failed: each answer is kept and will be asked for again.
    result = is_clean_name(name, expression, depth + 1) && result;
  }
  states_[key] = result ? State::Clean : State::Unclean;
  return result;
}

// Looking the name up, and taking its value, while `innermost` is evaluated.
bool Compiler::is_clean_name(NameId name, std::uint32_t innermost, int depth) {
  if (const auto found = defined_.find(name.raw); found != defined_.end()) {
    for (const auto& [position, field] : found->second) {
      const std::uint32_t condition = cases_[position].condition;
      // A condition that is being computed is no fact yet, whatever the display says.
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

// The expression over bits alone: what it reads is put in its place, a choice of definitions as `condition ? value :
// …`. Null when that cannot be done, or is not worth it. Only for what is clean, so nothing is lost by reading it all.
const FlatExpression* Compiler::flatten(std::uint32_t local, int depth) {
  if (seen_[local].known != nullptr) return seen_[local].known;
  const std::uint64_t key = under_facts(local);
  if (const auto known = flat_.find(key); known != flat_.end()) return known->second ? &*known->second : nullptr;
  std::optional<FlatExpression> result;
  // A flat expression has 64 bits throughout and evaluates everything at once: Mesa's 32 bits and Mesa's order need the
  // steps one by one.
  const bool may_be_flat = depth < max_flat_depth && !tables_.cuts_derived && !is_careful_;
  if (may_be_flat && is_clean(local, 0)) result = flatten_now(local, depth);
  // Written after the work, since flattening what it reads has added entries in between; pointers into this map stay
  // valid.
  const auto entry = flat_.insert_or_assign(key, std::move(result)).first;
  return entry->second ? &*entry->second : nullptr;
}

std::optional<FlatExpression> Compiler::flatten_now(std::uint32_t local, int depth) {
  FlatExpression result;
  const ExpressionId id = seen_[local].id;
  std::vector<std::vector<ExpressionStep>> values;  // of each slot
  for (const NameId name : model_.slots(model_[id])) {
    const Run run = tables_.resolvers[resolver_of(name, local)].choices;
    // The last definition must be one that always counts, or there would be words for which the name means nothing.
    if (run.count == 0 || tables_.choices[run.first + run.count - 1].condition != nowhere) return std::nullopt;
    std::vector<ExpressionStep> value;
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const Choice choice = tables_.choices[run.first + i];
      if (choice.definition == nowhere) return std::nullopt;
      // Postfix: condition, value, condition, value, last value; then as many selections as there are conditions, which
      // take them from the end.
      if (choice.condition != nowhere && !append_flat(result, value, choice.condition, depth)) return std::nullopt;
      const Definition definition = tables_.definitions[choice.definition];
      if (definition.expression != nowhere) {
        if (!append_flat(result, value, definition.expression, depth)) return std::nullopt;
      } else {
        value.push_back(
            {Operation::Slot, slot_of(result, {definition.low, std::min(definition.width, bits_per_word)}), 0});
      }
    }
    // A definition's value and a condition are both pure, so computing those that are not chosen does no harm.
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
    // The evaluator has a stack of fixed size, and its code is promised to fit.
    stack = stack + 1 - operand_count(step.operation);
    if (stack > max_expression_depth) return std::nullopt;
  }
  return result;
}

// Bounded by steps and by depth: written out, expressions of expressions double at each level.
bool Compiler::append_flat(FlatExpression& whole, std::vector<ExpressionStep>& steps, std::uint32_t local, int depth) {
  const FlatExpression* part = flatten(local, depth + 1);
  if (part == nullptr || steps.size() + part->steps.size() > max_flat_steps) return false;
  for (ExpressionStep step : part->steps) {
    if (step.operation == Operation::Slot) step.slot = slot_of(whole, part->slots[step.slot]);
    steps.push_back(step);
  }
  return true;
}

// Slots are few (max_flat_slots), so they are searched.
std::uint32_t Compiler::slot_of(FlatExpression& whole, BitRange bits) {
  const auto found = std::find(whole.slots.begin(), whole.slots.end(), bits);
  if (found == whole.slots.end()) whole.slots.push_back(bits);
  return static_cast<std::uint32_t>(std::find(whole.slots.begin(), whole.slots.end(), bits) - whole.slots.begin());
}

// What an expression computes with; its steps are left in scratch_.
std::vector<Operand> Compiler::operands_of(std::uint32_t local) {
  std::vector<Operand> operands;
  if (const FlatExpression* flat = flatten(local, 0)) {
    // Over bits of the scope alone: no name is left to look up.
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
      // What could not be written out is looked up when it is computed, with its remarks.
      operand.resolver = resolver;
    }
    operands.push_back(operand);
  }
  folded_steps(id, scratch_);
  return operands;
}

// From the cheapest form to the dearest: a constant, a field, one comparison, postfix code.
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

// A constant, or what looks at one field only.
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
  // The field itself: `{A}`, the condition of a flag.
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
