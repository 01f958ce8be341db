// SPDX-License-Identifier: Apache-2.0
//
// Prints the bytes of a buffer as values: for people, and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cli/run/value_layout.h"
#include "support/json_writer.h"

namespace vireo::cli {

/// The bits of a scalar in memory. The bytes contain it.
std::uint64_t read_scalar(std::span<const std::byte> bytes, std::uint64_t offset, const ScalarType& type);
/// Writes the low bits. The bytes contain the scalar.
void write_scalar(std::span<std::byte> bytes, std::uint64_t offset, const ScalarType& type, std::uint64_t bits);

/// The number that bits denote; of a float its exact value.
double number_of(std::uint64_t bits, const ScalarType& type);
/// "10", "-0.5", "nan": the shortest text that denotes the bits.
std::string scalar_text(std::uint64_t bits, const ScalarType& type);

/// Values in brackets and braces: "{n: 3, data: [1, 2, …]}". At most `limit` scalars; then an ellipsis.
std::string value_text(const ValueLayout& layout, std::span<const std::byte> bytes, std::uint64_t limit);

/// Writes values in the syntax of inputs (value_input.h): all, or the first `limit` elements of each list.
void write_value(JsonWriter& json, const ValueLayout& layout, std::span<const std::byte> bytes,
                 std::uint64_t limit = ~std::uint64_t{0});

}  // namespace vireo::cli
