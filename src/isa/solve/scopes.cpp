// SPDX-License-Identifier: Apache-2.0
//
// Computes values and supports of expressions. A value uses the first definition of a name that holds, as in the
// decoder; a support includes all definitions that may hold.
#include "isa/solve/scopes.h"

#include <algorithm>

namespace vireo::isa {

using Form = CompiledExpression::Form;

Evaluator::Evaluator(const DecodeTables& tables, const std::vector<OpenScope>& scopes)
    : tables_(tables), scopes_(scopes) {}

// Marks an expression as being evaluated. Returns false if its evaluation is already in progress or a bound is reached;
// the value of the expression is then 0.
bool Evaluator::enter(std::uint32_t scope, std::uint32_t local) {
  // The linear search for cycles is fast, because the list has at most max_depth entries.
  if (budget_ == 0 || busy_.size() >= max_depth) return false;
  --budget_;
  for (const Busy& at : busy_) {
    if (at.scope == scope && at.local == local) return false;
  }
  busy_.push_back({scope, local});
  return true;
}

std::int64_t Evaluator::evaluate(std::uint32_t scope, std::uint32_t local, const BitWord* words) {
  const CompiledExpression& expression = row(scope, local);
  const std::uint32_t base = scopes_[scope].low;
  const auto bits = [&](std::uint32_t low, std::uint32_t width) {
    return static_cast<std::int64_t>(slice_of(words, base + low, width));
  };
  switch (expression.form) {
    case Form::Constant: return expression.constant;
    case Form::Field: return bits(expression.low, expression.width);
    case Form::FieldIsEqual: return bits(expression.low, expression.width) == expression.constant;
    case Form::FieldIsNotEqual: return bits(expression.low, expression.width) != expression.constant;
    case Form::General: break;
  }
  // An expression that reads names may be part of a cycle, so enter() marks it. Values are not cached, because the word
  // changes between calls.
  if (!enter(scope, local)) return 0;
  std::int64_t slots[max_expression_slots];
  for (std::uint32_t i = 0; i < expression.operands.count; ++i) {
    const Operand& operand = tables_.operands[expression.operands.first + i];
    slots[i] =
        operand.resolver == nowhere ? bits(operand.low, operand.width) : value_of_name(scope, operand.resolver, words);
  }
  busy_.pop_back();
  return vireo::isa::evaluate({tables_.steps.data() + expression.steps.first, expression.steps.count}, slots,
                              tables_.gen);
}

// Takes the first definition that holds, searching outwards through params. A name without a definition counts as 0, as
// in the decoder.
std::int64_t Evaluator::value_of_name(std::uint32_t scope, std::uint32_t resolver, const BitWord* words) {
  std::int64_t value = 0;
  find_choice(tables_, scopes_, scope, resolver, [&](const Choice& choice, std::uint32_t owner) {
    if (choice.condition != nowhere && evaluate(owner, choice.condition, words) == 0) return false;
    const Definition& definition = tables_.definitions[choice.definition];
    value = definition.expression != nowhere
                ? derived_value(owner, definition.expression, words)
                : static_cast<std::int64_t>(
                      slice_of(words, scopes_[owner].low + definition.low, std::min(definition.width, bits_per_word)));
    return true;
  });
  return value;
}

// --- supports -----------------------------------------------------------------------------------------------------------

// The support includes the bits of all definitions that may apply, and of the conditions that select among them. So it
// is valid for every word.
template <typename Visitor>
bool Evaluator::visit_support(std::uint32_t scope, std::uint32_t local, const Visitor& visit) {
  const CompiledExpression& expression = row(scope, local);
  const std::uint32_t base = scopes_[scope].low;
  switch (expression.form) {
    case Form::Constant: return true;
    case Form::Field:
    case Form::FieldIsEqual:
    case Form::FieldIsNotEqual: return visit(base + expression.low, expression.width);
    default: break;
  }
  // Plain bits are visited first, because they are cheap and the visit often ends there.
  bool has_names = false;
  for (std::uint32_t i = 0; i < expression.operands.count; ++i) {
    const Operand& operand = tables_.operands[expression.operands.first + i];
    if (operand.resolver != nowhere) has_names = true;
    else if (!visit(base + operand.low, operand.width)) return false;
  }
  if (!has_names || !enter(scope, local)) return true;
  bool goes_on = true;
  for (std::uint32_t i = 0; i < expression.operands.count && goes_on; ++i) {
    const Operand& operand = tables_.operands[expression.operands.first + i];
    if (operand.resolver != nowhere) goes_on = visit_support_of_name(scope, operand.resolver, visit);
  }
  busy_.pop_back();
  return goes_on;
}

template <typename Visitor>
bool Evaluator::visit_support_of_name(std::uint32_t scope, std::uint32_t resolver, const Visitor& visit) {
  bool goes_on = true;
  find_choice(tables_, scopes_, scope, resolver, [&](const Choice& choice, std::uint32_t owner) {
    if (choice.condition != nowhere) goes_on = visit_support(owner, choice.condition, visit);
    if (!goes_on) return true;
    const Definition& definition = tables_.definitions[choice.definition];
    if (definition.expression != nowhere) goes_on = visit_support(owner, definition.expression, visit);
    else goes_on = visit(scopes_[owner].low + definition.low, std::min(definition.width, bits_per_word));
    // Definitions after an unconditional one are never reached.
    return !goes_on || choice.condition == nowhere;
  });
  return goes_on;
}

// An expression such as 0 & x has a value although a bit of its support is unknown. The solver handles this by
// enumeration.
bool Evaluator::is_known(std::uint32_t scope, std::uint32_t local, const BitWord* known) {
  return visit_support(scope, local, [&](std::uint32_t low, std::uint32_t width) {
    return slice_of(known, low, width) == low_mask(width);
  });
}

void Evaluator::add_support(std::uint32_t scope, std::uint32_t local, BitWord* mask) {
  visit_support(scope, local, [&](std::uint32_t low, std::uint32_t width) {
    add_range(mask, low, width);
    return true;
  });
}

// The conditions of displays select the text, and the conditions of names select the fields that it shows.
void Evaluator::add_control(std::uint32_t scope, BitWord* mask) {
  const Plan& plan = *scopes_[scope].plan;
  for (std::uint32_t i = 0; i < plan.displays.count; ++i) {
    const DisplayStep& step = tables_.displays[plan.displays.first + i];
    if (step.condition != nowhere) add_support(scope, step.condition, mask);
  }
  for (std::uint32_t i = 0; i < plan.fields.count; ++i) {
    const NameResolver& names = tables_.resolvers[tables_.plan_fields[plan.fields.first + i]];
    for (std::uint32_t k = 0; k < names.choices.count; ++k) {
      const Choice& choice = tables_.choices[names.choices.first + k];
      if (choice.condition != nowhere) add_support(scope, choice.condition, mask);
    }
  }
}

}  // namespace vireo::isa
