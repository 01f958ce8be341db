// SPDX-License-Identifier: Apache-2.0
//
// The table of operations, and the combinations of types of each form (operation_forms.h).
#include "spirv/transform/operation_forms.h"

#include <utility>

namespace vireo::spirv::naive {
namespace {

using enum Op;

// clang-format off
constexpr OperationRow rows[] = {
    {OpSConvert, Form::IntResize},              {OpUConvert, Form::UintResize},  // without Kernel since version 1.4
    {OpFConvert, Form::FloatResize},            {OpQuantizeToF16, Form::FloatQuantize, Needs::Shader},
    {OpConvertFToS, Form::FloatToInt, Needs::Kernel},  {OpConvertFToU, Form::FloatToUint, Needs::Kernel},
    {OpConvertSToF, Form::IntToFloat, Needs::Kernel},  {OpConvertUToF, Form::IntToFloat, Needs::Kernel},
    {OpBitcast, Form::Recast, Needs::Kernel},
    {OpSNegate, Form::IntUnary},                {OpNot, Form::IntUnary},
    {OpIAdd, Form::IntBinary},                  {OpISub, Form::IntBinary},
    {OpIMul, Form::IntBinary},                  {OpSDiv, Form::IntBinary},
    {OpUDiv, Form::UintBinary},                 {OpUMod, Form::UintBinary},
    {OpSRem, Form::IntBinary},                  {OpSMod, Form::IntBinary},
    {OpShiftRightLogical, Form::IntShift},      {OpShiftRightArithmetic, Form::IntShift},
    {OpShiftLeftLogical, Form::IntShift},       {OpBitwiseOr, Form::IntBinary},
    {OpBitwiseXor, Form::IntBinary},            {OpBitwiseAnd, Form::IntBinary},
    {OpLogicalOr, Form::BoolBinary},            {OpLogicalAnd, Form::BoolBinary},
    {OpLogicalEqual, Form::BoolBinary},         {OpLogicalNotEqual, Form::BoolBinary},
    {OpLogicalNot, Form::BoolUnary},            {OpSelect, Form::Choice},
    {OpIEqual, Form::IntCompare},               {OpINotEqual, Form::IntCompare},
    {OpULessThan, Form::IntCompare},            {OpSLessThan, Form::IntCompare},
    {OpULessThanEqual, Form::IntCompare},       {OpSLessThanEqual, Form::IntCompare},
    {OpUGreaterThan, Form::IntCompare},         {OpSGreaterThan, Form::IntCompare},
    {OpUGreaterThanEqual, Form::IntCompare},    {OpSGreaterThanEqual, Form::IntCompare},
    {OpFNegate, Form::FloatUnary, Needs::Kernel},
    {OpFAdd, Form::FloatBinary, Needs::Kernel}, {OpFSub, Form::FloatBinary, Needs::Kernel},
    {OpFMul, Form::FloatBinary, Needs::Kernel}, {OpFDiv, Form::FloatBinary, Needs::Kernel},
    {OpFRem, Form::FloatBinary, Needs::Kernel}, {OpFMod, Form::FloatBinary, Needs::Kernel},
};
// clang-format on

// The loops of one row. The functions in `fits` say which types the other operand or the result may have.
class FormWriter {
 public:
  FormWriter(OperationModule& module, const std::vector<OperandPair>& pairs, Needs client,
             const std::function<bool()>& accepts)
      : module_(module), pairs_(pairs), client_(client), accepts_(accepts) {
    for (const OperandPair& pair : pairs_) {
      if (pair.scalar.kind == ScalarType::Kind::Bool) booleans_ = pair;
    }
  }

  std::vector<NodeNumber> write() {
    for (const OperationRow& row : rows) {
      if (row.needs != Needs::Nothing && row.needs != client_) continue;
      for (const OperandPair& pair : pairs_) write(row, pair);
    }
    return std::move(added_);
  }

 private:
  static bool is_int(const OperandPair& pair) { return pair.scalar.kind == ScalarType::Kind::Int; }
  static bool is_float(const OperandPair& pair) { return pair.scalar.kind == ScalarType::Kind::Float; }
  static bool is_bool(const OperandPair& pair) { return pair.scalar.kind == ScalarType::Kind::Bool; }

  void add(Op op, TypeNumber result, const std::vector<NodeNumber>& operands) {
    if (accepts_()) added_.push_back(module_.operation(op, result, operands));
  }
  void unary(Op op, const OperandPair& result, const OperandPair& operand) { add(op, result.type, {operand.first}); }
  void binary(Op op, TypeNumber result, const OperandPair& a, const OperandPair& b) {
    add(op, result, {a.first, b.second});
  }

  // All operations of a row whose first operand is `pair`.
  void write(const OperationRow& row, const OperandPair& pair) {
    const auto for_each = [&](auto fits, auto add_with) {
      for (const OperandPair& other : pairs_) {
        if (fits(other)) add_with(other);
      }
    };
    const auto same_width = [&](const OperandPair& other) {
      return is_int(other) && other.scalar.width == pair.scalar.width;
    };
    const auto other_width = [&](const OperandPair& other) {
      return other.scalar.kind == pair.scalar.kind && other.scalar.width != pair.scalar.width;
    };
    const auto to = [&](const OperandPair& other) { unary(row.op, other, pair); };
    switch (row.form) {
      case Form::IntUnary:
        if (is_int(pair)) for_each(same_width, to);
        break;
      case Form::IntBinary:  // every combination of signs, also of the result
        if (!is_int(pair)) break;
        for_each(same_width, [&](const OperandPair& second) {
          for_each(same_width, [&](const OperandPair& result) { binary(row.op, result.type, pair, second); });
        });
        break;
      case Form::UintBinary:
        if (is_int(pair) && !pair.scalar.is_signed) binary(row.op, pair.type, pair, pair);
        break;
      case Form::IntShift:
        if (is_int(pair)) for_each(is_int, [&](const OperandPair& second) { binary(row.op, pair.type, pair, second); });
        break;
      case Form::IntCompare:
        if (!is_int(pair)) break;
        for_each(same_width, [&](const OperandPair& second) { binary(row.op, booleans_.type, pair, second); });
        break;
      case Form::IntResize:
        if (is_int(pair)) for_each(other_width, to);
        break;
      case Form::UintResize:
        if (!is_int(pair)) break;
        for_each([&](const OperandPair& other) { return other_width(other) && !other.scalar.is_signed; }, to);
        break;
      case Form::FloatUnary:
        if (is_float(pair)) to(pair);
        break;
      case Form::FloatBinary:
        if (is_float(pair)) binary(row.op, pair.type, pair, pair);
        break;
      case Form::FloatResize:
        if (is_float(pair)) for_each(other_width, to);
        break;
      case Form::FloatQuantize:
        if (is_float(pair) && pair.scalar.width == 32) to(pair);
        break;
      case Form::FloatToInt:
        if (is_float(pair)) for_each(is_int, to);
        break;
      case Form::FloatToUint:
        if (!is_float(pair)) break;
        for_each([](const OperandPair& other) { return is_int(other) && !other.scalar.is_signed; }, to);
        break;
      case Form::IntToFloat:
        if (is_int(pair)) for_each(is_float, to);
        break;
      case Form::Recast:
        if (is_bool(pair)) break;
        for_each(
            [&](const OperandPair& other) {
              return other.scalar.width == pair.scalar.width && other.type != pair.type;
            },
            to);
        break;
      case Form::BoolUnary:
        if (is_bool(pair)) to(pair);
        break;
      case Form::BoolBinary:
        if (is_bool(pair)) binary(row.op, pair.type, pair, pair);
        break;
      case Form::Choice: add(row.op, pair.type, {booleans_.first, pair.first, pair.second}); break;
    }
  }

  OperationModule& module_;
  const std::vector<OperandPair>& pairs_;
  const Needs client_;
  const std::function<bool()>& accepts_;
  OperandPair booleans_;
  std::vector<NodeNumber> added_;
};

}  // namespace

std::span<const OperationRow> operations() { return rows; }

std::vector<NodeNumber> add_operations(OperationModule& module, const std::vector<OperandPair>& pairs, Needs client,
                                       const std::function<bool()>& accepts) {
  return FormWriter(module, pairs, client, accepts).write();
}

}  // namespace vireo::spirv::naive
