// SPDX-License-Identifier: Apache-2.0
//
// smith: makes random valid compute shaders, to test what executes or transforms modules.
//
//   const WordBuffer words = smith({.seed = 7});
//
// Equal options give equal words on all hosts. A shader reads and writes storage buffers of set 0: InvocationInput rows at
// binding 0, InvocationOutput rows at binding 1. Each invocation uses the row of its GlobalInvocationId.x alone. Memory that
// invocations share (Workgroup) is accessed between barriers only. So the result does not depend on the order of
// invocations, and all that a shader computes becomes a part of a sum in the output.
//
// By default each result is defined, and equal on all implementations of Vulkan: divisors are not 0, shift amounts are
// below the width, indexes are in range, variables are initialized, calls and loops end. Floats are integers of so small
// magnitude that each operation on them is exact in every rounding mode.
#pragma once

#include <array>
#include <cstdint>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

struct SmithOptions {
  std::uint64_t seed = 1;
  std::uint32_t size = 40;  ///< about the number of statements
  /// Leaves out some of the guards that make results defined.
  bool undefined = false;
  /// Floats of any magnitude, with infinities, NaNs, -0 and inexact results. Outputs contain no bits of NaNs.
  bool any_floats = false;
  Version version = {1, 5};  ///< 1.4 or newer
};

inline constexpr Word smith_local_size = 8;     ///< invocations of a workgroup, in dimension x
inline constexpr Word smith_input_words = 8;    ///< of a row of InvocationInput: u32[8]
inline constexpr Word smith_output_words = 16;  ///< of a row of InvocationOutput: { u32, i32, u64, u32[8], uvec4 }
inline constexpr Word smith_sum_word = 0;       ///< of an output row: the sum

/// A module in host byte order, with one entry point "main".
WordBuffer smith(const SmithOptions& options);

}  // namespace vireo::spirv
