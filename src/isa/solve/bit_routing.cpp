// SPDX-License-Identifier: Apache-2.0
//
// Abstract interpretation: each stack entry holds the names of 64 bits instead of a 64-bit value. If an operation
// depends on the value of a bit, the expression cannot be routed and is left to the search.
#include "isa/solve/bit_routing.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace vireo::isa {
namespace {

/// A value in which each bit is the name of a bit of the scope, or a constant.
struct NamedBits {
  static constexpr std::uint64_t zero = ~std::uint64_t{0};  // larger than any bit number
  static constexpr std::uint64_t one = zero - 1;
  std::array<std::uint64_t, bits_per_word> bits;

  static NamedBits constant(BitWord value) {
    NamedBits result;
    for (std::uint32_t i = 0; i < bits_per_word; ++i) result.bits[i] = (value >> i & 1) != 0 ? one : zero;
    return result;
  }
  static NamedBits field(std::uint32_t low, std::uint32_t width) {
    NamedBits result = constant(0);
    for (std::uint32_t i = 0; i < std::min(width, bits_per_word); ++i) result.bits[i] = std::uint64_t{low} + i;
    return result;
  }
  /// The value, if all its bits are constants.
  [[nodiscard]] std::optional<BitWord> number() const {
    BitWord value = 0;
    for (std::uint32_t i = 0; i < bits_per_word; ++i) {
      if (bits[i] == one) value |= BitWord{1} << i;
      else if (bits[i] != zero) return std::nullopt;
    }
    return value;
  }
};

// Only shifts by a constant are routable. In a shift by a field, every bit of the result depends on all bits of the
// field.
std::optional<NamedBits> shifted(const NamedBits& a, std::optional<BitWord> count, Operation operation) {
  if (!count || *count >= bits_per_word) return std::nullopt;
  const auto by = static_cast<std::uint32_t>(*count);
  NamedBits result = NamedBits::constant(0);
  const bool is_left = operation == Operation::ShiftLeft;
  if (!is_left && a.bits.back() != NamedBits::zero) return std::nullopt;  // the shift would repeat the sign bit
  for (std::uint32_t i = 0; i + by < bits_per_word; ++i) {
    if (is_left) result.bits[i + by] = a.bits[i];
    else result.bits[i] = a.bits[i + by];
  }
  return result;
}

// `|`, `^` and `+` give the same result if no bit is nonzero in both operands.
std::optional<NamedBits> joined(const NamedBits& a, const NamedBits& b) {
  NamedBits result = a;
  for (std::uint32_t i = 0; i < bits_per_word; ++i) {
    if (b.bits[i] == NamedBits::zero) continue;
    if (a.bits[i] != NamedBits::zero) return std::nullopt;
    result.bits[i] = b.bits[i];
  }
  return result;
}

// A mask clears bits and keeps the others: `{MODE} & 1`.
std::optional<NamedBits> masked(const NamedBits& a, std::optional<BitWord> mask) {
  if (!mask) return std::nullopt;
  NamedBits result = a;
  for (std::uint32_t i = 0; i < bits_per_word; ++i) {
    if ((*mask >> i & 1) == 0) result.bits[i] = NamedBits::zero;
  }
  return result;
}

// The results of all other operations depend on the values of bits.
std::optional<NamedBits> applied(Operation operation, const NamedBits& a, const NamedBits& b) {
  switch (operation) {
    case Operation::ShiftLeft:
    case Operation::ShiftRight: return shifted(a, b.number(), operation);
    case Operation::BitOr:
    case Operation::BitXor:
    case Operation::Add: return joined(a, b);
    case Operation::BitAnd: return b.number() ? masked(a, b.number()) : masked(b, a.number());
    default: return std::nullopt;
  }
}

}  // namespace

const BitRouting* BitRoutings::find(std::uint32_t scope, std::uint32_t local) {
  const std::uint32_t index = scopes_[scope].plan->expressions.first + local;
  const CompiledExpression& expression = tables_.expressions[index];
  std::uint32_t& state = states_[index];
  if (state == unknown) [[unlikely]] {
    const auto operands = std::span(tables_.operands).subspan(expression.operands.first, expression.operands.count);
    // Plain bits have the same offset in every scope of the plan, so one routing serves them all.
    const auto is_name = [](const Operand& operand) { return operand.resolver != nowhere; };
    BitRouting routing;
    if (std::any_of(operands.begin(), operands.end(), is_name)) {
      state = differs_by_scope;
    } else if (trace(expression, scope, routing)) {
      state = static_cast<std::uint32_t>(routings_.size());
      routings_.push_back(std::move(routing));
    } else {
      state = not_routable;
    }
  }
  // Not cached: few scopes share an expression, and each scope uses it once in a line.
  if (state == differs_by_scope) return trace(expression, scope, uncached_) ? &uncached_ : nullptr;
  return state == not_routable ? nullptr : &routings_[state];
}

// Returns the definition of a name if it has no condition, otherwise null. Sets `scope` to the scope that owns the
// definition.
const Definition* BitRoutings::resolved(std::uint32_t& scope, std::uint32_t resolver) const {
  const Definition* found = nullptr;
  find_choice(tables_, scopes_, scope, resolver, [&](const Choice& choice, std::uint32_t owner) {
    // A conditional definition depends on the word, so no single routing exists.
    if (choice.condition == nowhere) found = &tables_.definitions[choice.definition];
    scope = owner;
    return true;
  });
  return found;
}

bool BitRoutings::trace(const CompiledExpression& expression, std::uint32_t scope, BitRouting& routing) const {
  using Form = CompiledExpression::Form;
  std::vector<NamedBits> stack;
  // Comparisons have their own form and leave the stack empty, so they are not routable.
  if (expression.form == Form::Field) {
    stack.push_back(NamedBits::field(expression.low, expression.width));
  } else if (expression.form == Form::General) {
    for (std::uint32_t i = expression.steps.first; i < expression.steps.first + expression.steps.count; ++i) {
      const ExpressionStep& step = tables_.steps[i];
      if (step.operation == Operation::Slot) {
        const Operand& operand = tables_.operands[expression.operands.first + step.slot];
        std::uint32_t low = operand.low;
        std::uint32_t width = operand.width;
        if (operand.resolver != nowhere) {
          std::uint32_t owner = scope;
          const Definition* definition = resolved(owner, operand.resolver);
          if (definition == nullptr || definition->expression != nowhere) return false;
          // The position is relative to the evaluating scope. If a field of an outer scope precedes that scope, the
          // difference wraps around; adding the scope's offset later corrects this.
          low = scopes_[owner].low + definition->low - scopes_[scope].low;
          width = definition->width;
        }
        stack.push_back(NamedBits::field(low, width));
      } else if (operand_count(step.operation) == 0) {
        const std::int64_t value = step.operation == Operation::Generation ? tables_.gen : step.constant;
        stack.push_back(NamedBits::constant(static_cast<BitWord>(value)));
      } else {
        // Unary operators and `?:` are not routed.
        if (operand_count(step.operation) != 2 || stack.size() < 2) return false;
        const std::optional<NamedBits> result = applied(step.operation, stack[stack.size() - 2], stack.back());
        if (!result) return false;
        stack.pop_back();
        stack.back() = *result;
      }
    }
  }
  if (stack.size() != 1) return false;
  // As in Mesa, derived values have 32 bits if no instruction is longer.
  if (tables_.cuts_derived) stack.back() = *masked(stack.back(), low_mask(32));

  // Collects the bits of the value into runs. If a bit of the word occurs twice in the value, the expression is not
  // routable, because the two occurrences must be equal.
  const auto& bits = stack.back().bits;
  routing = {};
  std::vector<std::uint64_t> used;
  for (std::uint32_t i = 0; i < bits_per_word; ++i) {
    if (bits[i] == NamedBits::zero) continue;
    if (bits[i] == NamedBits::one) {
      routing.ones |= BitWord{1} << i;
      continue;
    }
    // There are at most 64 names, so a linear search costs less than a set.
    if (std::find(used.begin(), used.end(), bits[i]) != used.end()) return false;
    used.push_back(bits[i]);
    routing.routed |= BitWord{1} << i;
    // Bits that are adjacent in both value and word extend the last run, so a field is one run.
    RoutedBits* last = routing.runs.empty() ? nullptr : &routing.runs.back();
    if (last != nullptr && last->value_low + last->width == i &&
        last->low + last->width == static_cast<std::uint32_t>(bits[i]))
      ++last->width;
    else routing.runs.push_back({i, static_cast<std::uint32_t>(bits[i]), 1});
  }
  return true;
}

}  // namespace vireo::isa
