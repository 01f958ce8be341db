// SPDX-License-Identifier: Apache-2.0
//
// Where the operands of each kind of access chain stand.
//
// The one idea: all kinds are one walk over a type, from a base by indexes; who walks asks here for the words, and not
// which kind it is.
#pragma once

#include <cstddef>

#include "vireo/spirv/enums.h"

namespace vireo::spirv {

/// Where a chain's operands stand.
struct ChainRow {
  Op opcode;
  bool is_untyped;      ///< the type to walk is operand 1, and the result an untyped pointer
  std::size_t base;     ///< word
  std::size_t element;  ///< word; 0: none
  std::size_t first_index;
};

/// The row of a chain; nullptr when the opcode is none.
const ChainRow* find_chain(Op op);

}  // namespace vireo::spirv
