// SPDX-License-Identifier: Apache-2.0
//
// The tables of a reflection and of a pipeline, and the texts in their cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/json_writer.h"
#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/inspect/reflection_text.h"

namespace vireo::spirv {

using TableRow = std::vector<std::string>;

/// Whether the mappings of bindings to heaps are written.
bool has_mappings(const Reflection& reflection, const ReflectionTextOptions& options);

/// Appends a title and aligned columns. Columns without any text are left out, and so is a table without rows.
void append_table(std::string& out, std::string_view title, const TableRow& head, const std::vector<TableRow>& rows);

/// " (SpecId 3)", " (SpecId 3 * SpecId 1)": what the length of an array, or the size of a workgroup, depends on; empty if
/// specialization cannot change it.
template <typename Number>
std::string dependence_text(const Number& number) {
  if (number.spec_id) return " (SpecId " + std::to_string(*number.spec_id) + ")";
  return number.expression.empty() ? std::string() : " (" + number.expression + ")";
}
/// Appends the table of mappings.
void append_mappings(std::string& out, const std::vector<ReflectedMapping>& mappings);
/// Appends the list of mappings to a JSON object.
void write_mappings(JsonWriter& json, const std::vector<ReflectedMapping>& mappings);
/// "[16] (SpecId 3)"; empty if there is no array.
std::string array_text(const std::vector<ReflectedLength>& lengths);
/// The default of a specialization constant: "true", "-3", "0.5"; empty if its type has none.
std::string default_text(const Facts& facts, const ReflectedSpecConstant& constant);
/// The text of a type; "array<vec4, 16 (SpecId 3)>" if specialization can change a length.
std::string sized_type_text(const Reflection& reflection, Word type);
/// The strides of the dimensions of an array type, the outermost first; 0 where none is stated. `count` is the number
/// of Reflection::lengths().
std::vector<std::uint32_t> array_strides(const Facts& facts, Word type, std::size_t count);
/// At most the first 200 bytes of a name. A name can be in many rows, so a long one would make the output large.
inline std::string shortened(std::string_view name) {
  constexpr std::size_t most = 200;
  return name.size() <= most ? std::string(name) : std::string(name.substr(0, most)) + "…";
}
/// The name, shortened and safe to print; without one the id.
std::string name_text(std::string_view name, Word id);
/// The name of a member; without one "member 2".
std::string member_text(std::string_view name, std::uint32_t number);

}  // namespace vireo::spirv
