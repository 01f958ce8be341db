// SPDX-License-Identifier: Apache-2.0
//
// Numbers that specialization or the device determines, as texts: "SpecId 3 * SpecId 1", "align(4, sizeof(sampler))".
//
// Source: specification 3.42.7 (OpSpecConstantOp); SPV_EXT_descriptor_heap (OpConstantSizeOfEXT).
#pragma once

#include <string>
#include <string_view>

#include "vireo/spirv/inspect/reflection.h"

namespace vireo::spirv {

/// The number of a constant with an integer type: its value, and its expression unless the value cannot change. No
/// constant: an empty number. Bounded time and text.
[[nodiscard]] ReflectedNumber number_of_constant(const Facts& facts, Word constant);
[[nodiscard]] inline ReflectedNumber number_of(std::uint64_t value) { return {.value = value}; }

/// Arithmetic with the expressions; a number without a value and an expression makes the result such a number.
[[nodiscard]] ReflectedNumber sum_of(const ReflectedNumber& a, const ReflectedNumber& b);
[[nodiscard]] ReflectedNumber product_of(const ReflectedNumber& a, const ReflectedNumber& b);

/// "40", "40 (SpecId 3 * SpecId 1)", "sizeof(sampler)"; empty for an empty number.
[[nodiscard]] std::string number_text(const ReflectedNumber& number);
/// The text of a type; "tensor<f32, 4 x 2>" for a tensor.
[[nodiscard]] std::string resource_type_text(const Facts& facts, Word type);
/// "texture2D", "storage buffer": a type that a heap can contain.
[[nodiscard]] std::string descriptor_type_text(const Facts& facts, Word type);

}  // namespace vireo::spirv
