// SPDX-License-Identifier: Apache-2.0
//
// Inverts derived fields: finds the field bits of which a value consists.
//
// An expression is evaluated on bits instead of numbers. A value is a constant plus a list of bit runs,
// each from one field. Shifts, masks, sums and ORs of runs that do not overlap yield such a value again. Other
// operations have no solution here. OFF_HI << 8 | OFF_LO, COUNT_MINUS_ONE + 1 and (REPEAT + 1) * 32 have one.
#include <algorithm>

#include "isa/generate/struct_layout.h"

namespace vireo::isa::generate {
namespace {

using Value = std::optional<Solution>;

bool is_constant(const Solution& value) { return value.parts.empty(); }

// The bits that the parts of a value may set. If two values have no such bit in common, adding them never carries.
std::uint64_t possible_bits(const Solution& value) {
  std::uint64_t bits = 0;
  for (const SolvedPart& part : value.parts) bits |= low_mask(part.width) << part.value_low;
  return bits;
}

// The constant is computed modulo 2^64, as in evaluation.
Value shifted_left(Solution value, std::int64_t by) {
  if (by < 0 || by > 63) return std::nullopt;
  value.constant = apply(Operation::ShiftLeft, value.constant, by);
  for (SolvedPart& part : value.parts) {
    part.value_low += static_cast<std::uint32_t>(by);
    if (part.value_low + part.width > 63) return std::nullopt;  // bits would be lost, or become the sign bit
  }
  return value;
}

// Extracts `width` bits from `low` on. A part may be cut at either end; solve() later rejects the value if a field has
// lost bits.
Value cut_out(const Solution& value, std::uint32_t low, std::uint32_t width) {
  if (value.constant != 0) return std::nullopt;  // adding it may carry into the extracted bits
  Solution result;
  for (SolvedPart part : value.parts) {
    const std::uint32_t begin = std::max(part.value_low, low);
    const std::uint32_t end = std::min(part.value_low + part.width, low + width);
    if (begin >= end) continue;
    part.field_low += begin - part.value_low;
    part.value_low = begin - low;
    part.width = end - begin;
    result.parts.push_back(part);
  }
  return result;
}

// Only contiguous masks have a solution here; a mask with holes would split parts.
Value masked(const Solution& value, std::int64_t mask) {
  const auto bits = static_cast<std::uint64_t>(mask);
  if (bits == 0) return std::nullopt;
  std::uint32_t low = 0;
  while ((bits >> low & 1) == 0) ++low;
  std::uint32_t width = 0;
  while (low + width < 64 && (bits >> (low + width) & 1) != 0) ++width;
  if (bits != low_mask(width) << low) return std::nullopt;
  Value cut = cut_out(value, low, width);
  return cut ? shifted_left(*std::move(cut), low) : std::nullopt;
}

Value combined(Operation operation, Solution a, const Solution& b) {
  if ((possible_bits(a) & possible_bits(b)) != 0) return std::nullopt;
  // Without a constant no bit carries, so addition, OR and XOR are equal. With a constant, only a sum has a solution.
  if (operation != Operation::Add && (a.constant != 0 || b.constant != 0)) return std::nullopt;
  a.constant = apply(Operation::Add, a.constant, b.constant);
  a.parts.insert(a.parts.end(), b.parts.begin(), b.parts.end());
  return a;
}

// Applies an operation symbolically. Returns nothing if the result has no exact Solution.
Value operated(Operation operation, const Solution& a, const Solution& b) {
  if (is_constant(a) && is_constant(b)) return Solution{apply(operation, a.constant, b.constant), {}};
  const bool is_swapped = is_constant(a);
  const Solution& parts = is_swapped ? b : a;
  const std::int64_t number = is_swapped ? a.constant : b.constant;
  const bool has_number = is_constant(a) || is_constant(b);
  switch (operation) {
    case Operation::Add:
    case Operation::BitOr:
    case Operation::BitXor: return combined(operation, a, b);
    case Operation::Subtract:
      if (is_constant(b)) return combined(Operation::Add, a, {apply(Operation::Negate, b.constant, 0), {}});
      return std::nullopt;
    case Operation::BitAnd: return has_number ? masked(parts, number) : std::nullopt;
    case Operation::ShiftLeft: return is_constant(b) ? shifted_left(a, number) : std::nullopt;
    // No part has bit 63 (shifted_left), so the shift inserts no sign bits.
    case Operation::ShiftRight:
      if (!is_constant(b) || number < 0 || number > 62) return std::nullopt;
      return cut_out(a, static_cast<std::uint32_t>(number), 63 - static_cast<std::uint32_t>(number));
    // A multiplication by a power of two is a shift; other factors would overlap bits.
    case Operation::Multiply: {
      if (!has_number || number <= 0 || (number & (number - 1)) != 0) return std::nullopt;
      std::int64_t by = 0;
      while (std::int64_t{1} << by != number) ++by;
      return shifted_left(parts, by);
    }
    default: return std::nullopt;
  }
}

// Returns the only field of this name in a leaf, if it exists in every word and is a plain number. If an override
// defines the name, the value depends on the case.
const Field* only_plain(const Model& model, const Bitset& leaf, NameId name) {
  const Field* found = nullptr;
  for (const BitsetId id : model.chain(leaf)) {
    for (const Case& row : model.cases(model[id])) {
      for (const Field& field : model.fields(row)) {
        if (field.name != name) continue;
        if (found != nullptr || !row.is_default()) return nullptr;
        found = &field;
      }
    }
  }
  if (found == nullptr || found->is_derived() || found->type == FieldType::Bitset || found->width > 32) return nullptr;
  return found;
}

}  // namespace

// Performs the steps of an evaluation on symbolic values.
std::optional<Solution> solve(const Model& model, const Bitset& leaf, const Field& derived) {
  const Expression& expression = model[derived.expression];
  // Each stack entry is a symbolic value. Only binary operations have a solution.
  std::vector<Solution> stack;
  for (const ExpressionStep& step : model.steps(expression)) {
    const std::uint32_t count = operand_count(step.operation);
    if (step.operation == Operation::Constant) {
      stack.push_back({step.constant, {}});
    } else if (step.operation == Operation::Slot) {
      const Field* field = only_plain(model, leaf, model.slots(expression)[step.slot]);
      if (field == nullptr) return std::nullopt;
      stack.push_back({0, {{field, 0, 0, field->width}}});
    } else if (count == 2) {
      Value value = operated(step.operation, stack[stack.size() - 2], stack.back());
      if (!value) return std::nullopt;
      stack.resize(stack.size() - 2);
      stack.push_back(*std::move(value));
    } else {
      return std::nullopt;
    }
  }
  if (stack.size() != 1 || stack.front().parts.empty()) return std::nullopt;
  const Solution& result = stack.front();
  // If the type shows only some bits of the value, no other bits may be set.
  const bool is_flag = derived.type == FieldType::Bool || derived.type == FieldType::BoolInv;
  const bool is_cut = is_signed(derived.type) || derived.type == FieldType::Float;
  const std::uint32_t shown = is_flag ? 1 : is_cut ? derived.width : bits_per_word;
  if ((possible_bits(result) & ~low_mask(shown)) != 0 || (is_flag && result.constant != 0)) return std::nullopt;
  // All bits of all fields must occur in the value, because other bits could not be recovered.
  for (const SolvedPart& part : result.parts) {
    std::uint64_t seen = 0;
    for (const SolvedPart& other : result.parts) {
      if (other.field == part.field) seen |= low_mask(other.width) << other.field_low;
    }
    if (seen != low_mask(part.field->width)) return std::nullopt;
  }
  return result;
}

}  // namespace vireo::isa::generate
