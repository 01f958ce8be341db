// SPDX-License-Identifier: Apache-2.0
//
// The value of a float literal's bits.
//
// A double represents every SPIR-V float of up to 64 bits exactly, whatever its encoding. Infinities
// and NaNs become those of double. (literal_text.h converts to text, which must preserve the bits; this header
// converts to the value.)
#pragma once

#include <cstdint>

#include "vireo/support/number.h"

namespace vireo::spirv {

/// The value of a float. Bits above the format's width are ignored. NaN payloads are lost.
double value_of_float(std::uint64_t bits, FloatFormat format);

}  // namespace vireo::spirv
