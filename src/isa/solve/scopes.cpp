// SPDX-License-Identifier: Apache-2.0
//
// Values, and supports. Both follow a name through its definitions as the decoder does; a value takes the first one that
// holds, a support all that might.
#include "isa/solve/scopes.h"

#include <algorithm>

namespace vireo::isa {

using Form = CompiledExpression::Form;

Evaluator::Evaluator(const DecodeTables& tables, const std::vector<OpenScope>& scopes)
    : tables_(tables), scopes_(scopes), size_(words_for(tables.max_bits) + 1) {}

// Notes that an expression is being evaluated. False: it already is (then it counts as 0), or the bounds are reached.
bool Evaluator::enter(std::uint32_t scope, std::uint32_t local) {
  // A circle is found by looking at what is busy: a handful, as deep as expressions name each other.
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
  // What names other values may come round to itself, so it is entered. Nothing is kept, unlike in the decoder's walk:
  // from one question to the next the word is another.
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

// The first definition that holds, then outwards through params. A name that means nothing counts as 0, as in the
// decoder.
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

// A value may be known though some of its bits are not (0 & x); that is for the solver to find out, by trying.
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
  // The operands that are plain bits are looked at first: most unknown expressions are known to be so by them alone,
  // and their support need not be found.
  bool only_bits = true;
  for (std::uint32_t i = 0; i < expression.operands.count; ++i) {
    const Operand& operand = tables_.operands[expression.operands.first + i];
    if (operand.resolver != nowhere) only_bits = false;
    else if (!knows(operand.low, operand.width)) return false;
  }
  if (only_bits) return true;
  const BitWord* support = support_of(scope, local);
  // Without a branch: masks of most instruction sets have two or three words.
  BitWord unknown = 0;
  for (std::size_t i = 0; i < size_; ++i) unknown |= support[i] & ~known[i];
  return unknown == 0;
}

// The commonest forms say their bits themselves; all else is remembered by site.
void Evaluator::add_support(std::uint32_t scope, std::uint32_t local, BitWord* mask) {
  const CompiledExpression& expression = row(scope, local);
  switch (expression.form) {
    case Form::Constant: return;
    case Form::Field:
    case Form::FieldIsEqual:
    case Form::FieldIsNotEqual:
    case Form::FieldIsGreaterEqual: add_range(mask, scopes_[scope].low + expression.low, expression.width); return;
    default: break;
  }
  const BitWord* support = support_of(scope, local);
  for (std::size_t i = 0; i < size_; ++i) mask[i] |= support[i];
}

void Evaluator::add_control(std::uint32_t scope, BitWord* mask) {
  const BitWord* control = support_of(scope, scopes_[scope].plan->expressions.count);
  for (std::size_t i = 0; i < size_; ++i) mask[i] |= control[i];
}

// --- supports -----------------------------------------------------------------------------------------------------------

// Addresses are multiples of the alignment, so their lowest bits say nothing.
std::size_t Evaluator::SiteHash::operator()(const Site& site) const {
  std::size_t hash = reinterpret_cast<std::uintptr_t>(site.plan) / alignof(Plan);
  for (const std::size_t part : {reinterpret_cast<std::uintptr_t>(site.arguments) / alignof(std::uint32_t),
                                 std::size_t{site.parent}, std::size_t{site.low}}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

// All at once: what is needed is soon found again, and to know what is old would cost more than that.
void Evaluator::forget() {
  seen_.clear();
  sites_.clear();
  found_.clear();
  masks_.clear();
}

// The first row of found_ of a scope. Scopes are opened and closed behind our back, so what is remembered of one is compared.
std::uint32_t Evaluator::site_of(std::uint32_t scope) {
  const OpenScope& open = scopes_[scope];
  // As deep as scopes are nested, which the description bounds.
  const std::uint32_t parent = open.parent == nowhere ? nowhere : site_of(open.parent);
  const Site site{open.plan, open.arguments, parent, open.low};
  if (scope >= seen_.size()) seen_.resize(scope + 1);
  Seen& seen = seen_[scope];
  if (seen.index != nowhere && seen.site == site) return seen.index;
  const auto [row, is_new] = sites_.try_emplace(site, static_cast<std::uint32_t>(found_.size()));
  if (is_new) found_.resize(found_.size() + open.plan->expressions.count + 1);
  seen = {site, row->second};
  return row->second;
}

// Valid until the next call.
const BitWord* Evaluator::support_of(std::uint32_t scope, std::uint32_t local) {
  // What steers the text stands behind the expressions of a plan, as if it were one more of them.
  const auto find = [&](BitWord* mask) {
    if (local == scopes_[scope].plan->expressions.count) find_control(scope, mask);
    else find_support(scope, local, mask);
  };
  const std::uint32_t index = site_of(scope) + local;
  // Who cannot pay for it finds as much of it as the first one would have found with as little.
  if (found_[index].is_known && found_[index].cost <= budget_) {
    budget_ -= found_[index].cost;
    return masks_.data() + found_[index].mask;
  }
  scratch_.assign(size_, 0);
  const std::uint32_t before = budget_;
  find(scratch_.data());
  // Where the budget ends, something may be missing.
  if (budget_ == 0 || found_[index].is_known) return scratch_.data();
  found_[index] = {masks_.size(), before - budget_, true};
  masks_.insert(masks_.end(), scratch_.begin(), scratch_.end());
  return scratch_.data();
}

// All that a value may depend on: the bits of every definition that could apply, and of the conditions that choose. That
// is more than one word needs, and right for every word.
void Evaluator::find_support(std::uint32_t scope, std::uint32_t local, BitWord* mask) {
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
    else find_support_of_name(scope, operand.resolver, mask);
  }
  busy_.pop_back();
}

void Evaluator::find_support_of_name(std::uint32_t scope, std::uint32_t resolver, BitWord* mask) {
  while (true) {
    const NameResolver& names = tables_.resolvers[resolver];
    for (std::uint32_t i = 0; i < names.choices.count; ++i) {
      const Choice& choice = tables_.choices[names.choices.first + i];
      if (choice.definition == nowhere) continue;
      if (choice.condition != nowhere) find_support(scope, choice.condition, mask);
      const Definition& definition = tables_.definitions[choice.definition];
      if (definition.expression != nowhere) find_support(scope, definition.expression, mask);
      else add_range(mask, scopes_[scope].low + definition.low, std::min(definition.width, bits_per_word));
      // What stands behind it is never reached.
      if (choice.condition == nowhere) return;
    }
    if (names.argument == nowhere || scopes_[scope].parent == nowhere) return;
    resolver = scopes_[scope].arguments[names.argument];
    scope = scopes_[scope].parent;
  }
}

// Conditions of displays and of names: what they say decides which text is printed, and of which fields.
void Evaluator::find_control(std::uint32_t scope, BitWord* mask) {
  const Plan& plan = *scopes_[scope].plan;
  for (std::uint32_t i = 0; i < plan.displays.count; ++i) {
    const DisplayStep& step = tables_.displays[plan.displays.first + i];
    if (step.condition != nowhere) find_support(scope, step.condition, mask);
  }
  for (std::uint32_t i = 0; i < plan.fields.count; ++i) {
    const NameResolver& names = tables_.resolvers[tables_.plan_fields[plan.fields.first + i]];
    for (std::uint32_t k = 0; k < names.choices.count; ++k) {
      const Choice& choice = tables_.choices[names.choices.first + k];
      if (choice.condition != nowhere) find_support(scope, choice.condition, mask);
    }
  }
}

}  // namespace vireo::isa
