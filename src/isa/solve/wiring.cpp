// SPDX-License-Identifier: Apache-2.0
//
// An abstract run: the stack of the expression holds 64 names each, where the real one holds 64 bits. As soon as an
// operation would have to look at a bit to know the result, the expression is said to compute, and is left to the search.
#include "isa/solve/wiring.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace vireo::isa {
namespace {

/// A value whose bits are known by name: the bit of the scope, or a constant.
struct NamedBits {
  static constexpr std::uint64_t zero = ~std::uint64_t{0};  // no bit of a ring has such a number
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
  /// What it is when no bit of the word is in it.
  [[nodiscard]] std::optional<BitWord> number() const {
    BitWord value = 0;
    for (std::uint32_t i = 0; i < bits_per_word; ++i) {
      if (bits[i] == one) value |= BitWord{1} << i;
      else if (bits[i] != zero) return std::nullopt;
    }
    return value;
  }
};

// Only by a constant: by a field, every bit would depend on all bits of the field.
std::optional<NamedBits> shifted(const NamedBits& a, std::optional<BitWord> count, Operation operation) {
  if (!count || *count >= bits_per_word) return std::nullopt;
  const auto by = static_cast<std::uint32_t>(*count);
  NamedBits result = NamedBits::constant(0);
  const bool is_left = operation == Operation::ShiftLeft;
  if (!is_left && a.bits.back() != NamedBits::zero) return std::nullopt;  // the sign would be repeated
  for (std::uint32_t i = 0; i + by < bits_per_word; ++i) {
    if (is_left) result.bits[i + by] = a.bits[i];
    else result.bits[i] = a.bits[i + by];
  }
  return result;
}

// Of two operands, where at most one has anything but 0 at each bit, these three are the same.
std::optional<NamedBits> joined(const NamedBits& a, const NamedBits& b) {
  NamedBits result = a;
  for (std::uint32_t i = 0; i < bits_per_word; ++i) {
    if (b.bits[i] == NamedBits::zero) continue;
    if (a.bits[i] != NamedBits::zero) return std::nullopt;
    result.bits[i] = b.bits[i];
  }
  return result;
}

// Descriptions take single bits out of a field so (`{MODE} & 1`).
std::optional<NamedBits> masked(const NamedBits& a, std::optional<BitWord> mask) {
  if (!mask) return std::nullopt;
  NamedBits result = a;
  for (std::uint32_t i = 0; i < bits_per_word; ++i) {
    if ((*mask >> i & 1) == 0) result.bits[i] = NamedBits::zero;
  }
  return result;
}

// All other operations look at bits to know the result: they compute.
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

const Wiring* Wirings::find(std::uint32_t scope, std::uint32_t local) {
  const std::uint32_t index = scopes_[scope].plan->expressions.first + local;
  const CompiledExpression& expression = tables_.expressions[index];
  std::uint32_t& state = states_[index];
  if (state == unknown) [[unlikely]] {
    const auto operands = std::span(tables_.operands).subspan(expression.operands.first, expression.operands.count);
    // Plain bits lie at the same distance from every scope of the plan, so one wiring serves them all.
    const auto is_name = [](const Operand& operand) { return operand.resolver != nowhere; };
    Wiring wiring;
    if (std::any_of(operands.begin(), operands.end(), is_name)) {
      state = differs;
    } else if (trace(expression, scope, wiring)) {
      state = static_cast<std::uint32_t>(wirings_.size());
      wirings_.push_back(std::move(wiring));
    } else {
      state = computes;
    }
  }
  // Not kept: the same expression is met with few scopes, and each of them once in a line.
  if (state == differs) return trace(expression, scope, here_) ? &here_ : nullptr;
  return state == computes ? nullptr : &wirings_[state];
}

// The definition that a name has without asking a condition; null when there is no such one. The scope becomes the one
// that has it.
const Definition* Wirings::resolved(std::uint32_t& scope, std::uint32_t resolver) const {
  const Definition* found = nullptr;
  find_choice(tables_, scopes_, scope, resolver, [&](const Choice& choice, std::uint32_t owner) {
    // What holds under a condition is another field in other words; then nothing is said for all of them.
    if (choice.condition == nowhere) found = &tables_.definitions[choice.definition];
    scope = owner;
    return true;
  });
  return found;
}

bool Wirings::trace(const CompiledExpression& expression, std::uint32_t scope, Wiring& wiring) const {
  using Form = CompiledExpression::Form;
  std::vector<NamedBits> stack;
  // Comparisons have a form of their own and are none of these: what stays empty computes.
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
          // From the scope that asks. A field of a scope around may lie before it: then this wraps, and comes right
          // when the scope's own place is added.
          low = scopes_[owner].low + definition->low - scopes_[scope].low;
          width = definition->width;
        }
        stack.push_back(NamedBits::field(low, width));
      } else if (operand_count(step.operation) == 0) {
        const std::int64_t value = step.operation == Operation::Generation ? tables_.gen : step.constant;
        stack.push_back(NamedBits::constant(static_cast<BitWord>(value)));
      } else {
        // Unary operators and `?:` are not followed.
        if (operand_count(step.operation) != 2 || stack.size() < 2) return false;
        const std::optional<NamedBits> result = applied(step.operation, stack[stack.size() - 2], stack.back());
        if (!result) return false;
        stack.pop_back();
        stack.back() = *result;
      }
    }
  }
  if (stack.size() != 1) return false;
  // Mesa's derived values have 32 bits where its instructions have no more: what is above is never seen.
  if (tables_.cuts_derived) stack.back() = *masked(stack.back(), low_mask(32));

  // The bits of the value, gathered to wires. A bit that stands in two places is an equation of its own.
  const auto& bits = stack.back().bits;
  wiring = {};
  std::vector<std::uint64_t> used;
  for (std::uint32_t i = 0; i < bits_per_word; ++i) {
    if (bits[i] == NamedBits::zero) continue;
    if (bits[i] == NamedBits::one) {
      wiring.ones |= BitWord{1} << i;
      continue;
    }
    // At most 64 names: a search through them costs less than a set of them.
    if (std::find(used.begin(), used.end(), bits[i]) != used.end()) return false;
    used.push_back(bits[i]);
    wiring.wired |= BitWord{1} << i;
    // Neighbours on both sides go on with the same wire, so a field is one, not as many as it has bits.
    Wire* last = wiring.wires.empty() ? nullptr : &wiring.wires.back();
    if (last != nullptr && last->value_low + last->width == i &&
        last->low + last->width == static_cast<std::uint32_t>(bits[i]))
      ++last->width;
    else wiring.wires.push_back({i, static_cast<std::uint32_t>(bits[i]), 1});
  }
  return true;
}

}  // namespace vireo::isa
