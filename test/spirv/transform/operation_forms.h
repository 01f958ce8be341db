// SPDX-License-Identifier: Apache-2.0
//
// The operations of OpSpecConstantOp that compute numbers and Booleans, as a table, and a writer that adds them to a
// generated module.
//
// A row is an operation and the form of its operands. The writer adds a row for each combination of types
// that the form permits.
//
// Source: specification 3.42.7 (the operations, and those that need the capability Kernel or Shader).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "spirv/transform/naive_spec_ops.h"
#include "spirv/transform/operation_module.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv::naive {

/// The types of operands and results: T is an integer type, F a float type.
enum class Form : std::uint8_t {
  IntUnary,       // T → T
  IntBinary,      // T × T → T
  UintBinary,     // the same, only without a sign
  IntShift,       // T × any integer → T
  IntCompare,     // T × T → Bool
  IntResize,      // T → an integer of another width
  UintResize,     // the same, the result without a sign
  FloatUnary,     // F → F
  FloatBinary,    // F × F → F
  FloatResize,    // F → a float of another width
  FloatQuantize,  // 32-bit F → F
  FloatToInt,     // F → T
  FloatToUint,    // F → T without a sign
  IntToFloat,     // T → F
  Recast,         // a number → a number of the same width
  BoolUnary,
  BoolBinary,
  Choice,  // Bool × T × T → T
};

enum class Needs : std::uint8_t { Nothing, Kernel, Shader };

struct OperationRow {
  Op op;
  Form form;
  Needs needs = Needs::Nothing;
};
std::span<const OperationRow> operations();

/// Two operands of one type: scalars or vectors.
struct OperandPair {
  ScalarType scalar;  ///< of the components
  TypeNumber type = 0;
  NodeNumber first = 0, second = 0;
};

/// Adds every operation that `client` permits and that `pairs` have operands for. The pairs have equal component
/// counts; one of them is of Booleans. Skips the operations that `accepts` rejects. Returns the new nodes.
std::vector<NodeNumber> add_operations(
    OperationModule& module, const std::vector<OperandPair>& pairs, Needs client,
    const std::function<bool()>& accepts = [] { return true; });

}  // namespace vireo::spirv::naive
