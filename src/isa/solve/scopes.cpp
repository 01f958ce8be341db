// SPDX-License-Identifier: Apache-2.0
#include "isa/solve/scopes.h"

#include <algorithm>

namespace vireo::isa {

using Form = CompiledExpression::Form;

// Notes that an expression is being evaluated. False: it already is (then it counts as 0), or the bounds are reached.
bool Evaluator::enter(std::uint32_t scope, std::uint32_t local) {
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
    case Form::FieldIsGreaterEqual: return bits(expression.low, expression.width) >= expression.constant;
    case Form::Table: {
      std::uint32_t index = 0;
      std::uint32_t shift = 0;
      for (std::uint32_t i = 0; i < expression.operands.count; ++i) {
        const Operand& operand = tables_.operands[expression.operands.first + i];
        index |= static_cast<std::uint32_t>(bits(operand.low, operand.width)) << shift;
        shift += operand.width;
      }
      return tables_.truth[expression.table + index];
    }
    case Form::General: break;
  }
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

std::int64_t Evaluator::value_of_name(std::uint32_t scope, std::uint32_t resolver, const BitWord* words) {
  while (true) {
    const NameResolver& names = tables_.resolvers[resolver];
    for (std::uint32_t i = 0; i < names.choices.count; ++i) {
      const Choice& choice = tables_.choices[names.choices.first + i];
      if (choice.definition == nowhere) continue;  // asking alone changes nothing
      if (choice.condition != nowhere && evaluate(scope, choice.condition, words) == 0) continue;
      const Definition& definition = tables_.definitions[choice.definition];
      if (definition.expression != nowhere) return derived_value(scope, definition.expression, words);
      return static_cast<std::int64_t>(
          slice_of(words, scopes_[scope].low + definition.low, std::min(definition.width, bits_per_word)));
    }
    if (names.argument == nowhere || scopes_[scope].parent == nowhere) return 0;
    resolver = scopes_[scope].arguments[names.argument];
    scope = scopes_[scope].parent;
  }
}

bool Evaluator::is_known(std::uint32_t scope, std::uint32_t local, const BitWord* known) {
  const CompiledExpression& expression = row(scope, local);
  const std::uint32_t base = scopes_[scope].low;
  const auto knows = [&](std::uint32_t low, std::uint32_t width) {
    return slice_of(known, base + low, width) == low_mask(width);
  };
  switch (expression.form) {
    case Form::Constant: return true;
    case Form::Field:
    case Form::FieldIsEqual:
    case Form::FieldIsNotEqual:
    case Form::FieldIsGreaterEqual: return knows(expression.low, expression.width);
    default: break;
  }
  bool only_bits = true;
  for (std::uint32_t i = 0; i < expression.operands.count; ++i) {
    const Operand& operand = tables_.operands[expression.operands.first + i];
    if (operand.resolver != nowhere) only_bits = false;
    else if (!knows(operand.low, operand.width)) return false;
  }
  if (only_bits) return true;
  scratch_.assign(words_for(tables_.max_bits) + 1, 0);
  add_support(scope, local, scratch_.data());
  BitWord unknown = 0;
  for (std::size_t i = 0; i < scratch_.size(); ++i) unknown |= scratch_[i] & ~known[i];
  return unknown == 0;
}

void Evaluator::add_support(std::uint32_t scope, std::uint32_t local, BitWord* mask) {
  const CompiledExpression& expression = row(scope, local);
  const std::uint32_t base = scopes_[scope].low;
  switch (expression.form) {
    case Form::Constant: return;
    case Form::Field:
    case Form::FieldIsEqual:
    case Form::FieldIsNotEqual:
    case Form::FieldIsGreaterEqual: add_range(mask, base + expression.low, expression.width); return;
    default: break;
  }
  if (!enter(scope, local)) return;
  for (std::uint32_t i = 0; i < expression.operands.count; ++i) {
    const Operand& operand = tables_.operands[expression.operands.first + i];
    if (operand.resolver == nowhere) add_range(mask, base + operand.low, operand.width);
    else add_support_of_name(scope, operand.resolver, mask);
  }
  busy_.pop_back();
}

void Evaluator::add_support_of_name(std::uint32_t scope, std::uint32_t resolver, BitWord* mask) {
  while (true) {
    const NameResolver& names = tables_.resolvers[resolver];
    for (std::uint32_t i = 0; i < names.choices.count; ++i) {
      const Choice& choice = tables_.choices[names.choices.first + i];
      if (choice.definition == nowhere) continue;
      if (choice.condition != nowhere) add_support(scope, choice.condition, mask);
      const Definition& definition = tables_.definitions[choice.definition];
      if (definition.expression != nowhere) add_support(scope, definition.expression, mask);
      else add_range(mask, scopes_[scope].low + definition.low, std::min(definition.width, bits_per_word));
      if (choice.condition == nowhere) return;
    }
    if (names.argument == nowhere || scopes_[scope].parent == nowhere) return;
    resolver = scopes_[scope].arguments[names.argument];
    scope = scopes_[scope].parent;
  }
}

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
