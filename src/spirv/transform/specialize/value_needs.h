// SPDX-License-Identifier: Apache-2.0
//
// ValueNeeds: the constants on whose values a rule of the validator can depend.
//
// Most uses of a constant are valid for every value, such as in an addition or a branch. For array
// lengths, indexes and workgroup sizes a simple test tells that a value is valid. Only after any other use the whole
// module must be validated.
//
// Source: specification 2.16.1 (universal validation rules), 3.42.6 (OpTypeArray), 3.42.8 (OpAccessChain), 3.6
// (LocalSizeId), 3.21 (WorkgroupSize).
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/transform/operand_index.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// What a value must satisfy to be valid; bits.
enum ValueNeed : std::uint8_t {
  NotNegative = 1,  ///< an index
  Positive = 2,     ///< an array length, a size of a workgroup
  Validated = 4,    ///< unknown: the validator decides
};

/// A constant with a need.
struct NeededValue {
  InstructionIndex constant;
  std::uint8_t needs = 0;  ///< ValueNeed
};

/// The specialization constants with a need, also operations and composites of them, in the order of declaration.
std::vector<NeededValue> read_value_needs(const Module& module, const OperandIndex& operands,
                                          const Decorations& decorations);

}  // namespace vireo::spirv
