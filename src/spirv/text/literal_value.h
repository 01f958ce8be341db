// SPDX-License-Identifier: Apache-2.0
//
// What the bits of a float literal are worth.
//
// The one idea: every float of SPIR-V, of up to 64 bits and whatever encoding, is exactly a double; infinities and NaNs
// become the double's own. (literal_text.h is about notation, which must give back the bits; this is about the value.)
#pragma once

#include <cstdint>

#include "vireo/support/number.h"

namespace vireo::spirv {

/// The value; bits above the format's width are ignored. NaN payloads are lost.
double value_of_float(std::uint64_t bits, FloatFormat format);

}  // namespace vireo::spirv
