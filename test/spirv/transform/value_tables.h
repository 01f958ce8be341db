// SPDX-License-Identifier: Apache-2.0
//
// Values for specialization constants: the extremes of each type, and random values that are often near to them.
//
// Source: specification 2.2.1 (literals); IEEE 754.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "spirv/transform/naive_spec_ops.h"

namespace vireo::spirv::naive {

/// The beginnings of generated modules. In a kernel integer types have no sign.
inline constexpr std::string_view kernel_head =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Vector16\nOpCapability Int8\n"
    "OpCapability Int16\nOpCapability Int64\nOpCapability Float16\nOpCapability Float64\n"
    "OpMemoryModel Physical64 OpenCL\n";
inline constexpr std::string_view shader_head =
    "OpCapability Shader\nOpCapability Linkage\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\n"
    "OpCapability Float16\nOpCapability Float64\nOpMemoryModel Logical GLSL450\n";
inline constexpr std::string_view both_heads =
    "OpCapability Shader\nOpCapability Kernel\nOpCapability Linkage\nOpCapability Int8\nOpCapability Int16\n"
    "OpCapability Int64\nOpCapability Float16\nOpCapability Float64\nOpMemoryModel Logical GLSL450\n";

/// Bool, then all widths of integers and floats.
std::vector<ScalarType> scalar_types(bool with_signed);

/// The extreme values of a type, as bits: zeros, ones, limits, and their neighbours; for floats also subnormals,
/// infinities, NaNs, and the limits of integers and of narrower floats.
const std::vector<std::uint64_t>& extremes_of(ScalarType type);
/// An extreme value or its neighbour, random bits, or a moderate value.
std::uint64_t random_value(ScalarType type, std::mt19937_64& random);
/// A value for which most operations are defined: not zero; floats from 0.5 to 100 with either sign.
std::uint64_t moderate_value(ScalarType type, std::mt19937_64& random);
/// A float of 32 or 64 bits that is at most a few units from a half, or from the middle between two halves.
std::uint64_t near_half(ScalarType type, std::uint64_t half, std::mt19937_64& random);

/// With sanitizers a test is ten times slower, so it compares fewer values.
extern const bool is_slow_build;

}  // namespace vireo::spirv::naive
