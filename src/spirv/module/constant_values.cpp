// SPDX-License-Identifier: Apache-2.0
//
// Queries of Constants: the values of scalar constants as numbers, and the words of literals (constants.h).
#include <algorithm>
#include <cstdint>
#include <optional>

#include "spirv/grammar/opcode_families.h"
#include "spirv/module/fold.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/module/constants.h"

namespace vireo::spirv {

const ConstantRow& Constants::nothing() {
  static constexpr ConstantRow row;
  return row;
}

// Returns the constant with an id, if its type and status match the query; else null. OpConstantNull is zero.
const ConstantRow* Constants::usable(Word id, TypeKind kind, ValueUse use) const {
  const ConstantRow* row = find(id);
  if (row == nullptr || (!row->is_scalar() && row->kind != ConstantKind::Null)) return nullptr;
  const bool is_good = row->status == ConstantStatus::Known ||
                       (use == ValueUse::OrDefault && row->status == ConstantStatus::SpecDependent);
  return is_good && types_->row(row->type).is(kind) ? row : nullptr;
}

std::optional<std::uint64_t> Constants::as_u64(Word id, ValueUse use) const {
  const ConstantRow* row = usable(id, TypeKind::Int, use);
  if (row == nullptr) return std::nullopt;
  const TypeRow& type = types_->row(row->type);
  if (type.width > 64) {
    // The words above the lowest two must be zero. In a negative number the highest word is not zero.
    const Words words = literal(*row);
    if (words.empty() && row->kind != ConstantKind::Null) return std::nullopt;  // a copy has only the lowest 64 bits
    if (std::any_of(words.begin() + std::min<std::ptrdiff_t>(2, std::ssize(words)), words.end(),
                    [](Word w) { return w != 0; })) {
      return std::nullopt;
    }
    return row->bits;
  }
  if (type.is_signed && type.width != 0 && sign_extended(row->bits, type.width) < 0) return std::nullopt;
  return row->bits;
}

// A value that is unsigned or wider than 64 bits has to be below 2^63.
std::optional<std::int64_t> Constants::as_i64(Word id, ValueUse use) const {
  const ConstantRow* row = usable(id, TypeKind::Int, use);
  if (row == nullptr) return std::nullopt;
  const TypeRow& type = types_->row(row->type);
  if (type.is_signed && type.width != 0 && type.width <= 64) return sign_extended(row->bits, type.width);
  const std::optional<std::uint64_t> value = as_u64(id, use);
  if (!value || *value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<bool> Constants::as_bool(Word id, ValueUse use) const {
  const ConstantRow* row = usable(id, TypeKind::Bool, use);
  if (row == nullptr) return std::nullopt;
  return row->bits != 0;
}

std::optional<double> Constants::as_double(Word id, ValueUse use) const {
  const ConstantRow* row = usable(id, TypeKind::Float, use);
  if (row == nullptr) return std::nullopt;
  const std::optional<FloatFormat> format = Types::float_format(types_->row(row->type));
  return format ? double_of(row->bits, *format) : std::nullopt;
}

// Parts and evaluated constants have no literal words.
Words Constants::literal(const ConstantRow& constant) const {
  if (constant.instruction.is_none()) return {};
  const InstructionView instruction = module_->instruction(constant.instruction);
  const auto opcode = instruction.opcode;
  const bool has_literal = is_literal_constant(opcode);  // both have the same operands
  return has_literal ? View<Op::OpConstant>(instruction).value().words() : Words{};
}

std::size_t Constants::memory() const {
  return rows_.capacity() * sizeof(ConstantRow) + parts_.capacity() * sizeof(ConstantIndex) + by_id_.memory();
}

}  // namespace vireo::spirv
