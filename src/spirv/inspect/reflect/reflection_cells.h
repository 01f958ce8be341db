// SPDX-License-Identifier: Apache-2.0
//
// The tables of a reflection and of a pipeline, and the texts in their cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
inline std::string optional_text(std::optional<std::uint64_t> value) { return value ? std::to_string(*value) : ""; }
/// "readonly coherent": the names of the flags that are set.
std::string flags_text(std::initializer_list<std::pair<bool, std::string_view>> flags);

/// The cells of an access to a descriptor heap, and its place among the rows: constant places precede others.
TableRow heap_access_cells(const Reflection& reflection, const ReflectedHeapAccess& access);
std::pair<BuiltIn, std::uint64_t> heap_access_key(const ReflectedHeapAccess& access);
/// Appends the table of such rows, which have one more cell with this title.
void append_heap_accesses(std::string& out, std::string_view last_title, const std::vector<TableRow>& rows);
/// Appends the table of mappings.
void append_mappings(std::string& out, const std::vector<ReflectedMapping>& mappings);
/// Appends the list of mappings to a JSON object.
void write_mappings(JsonWriter& json, const std::vector<ReflectedMapping>& mappings);

// Properties of a JSON object. Nothing is written for absent values, flags that are false, and empty numbers.
void write_optional(JsonWriter& json, std::string_view key, std::optional<std::uint64_t> value);
inline void write_flag(JsonWriter& json, std::string_view key, bool value) {
  if (value) json.key(key).boolean(true);
}
/// How a number depends on SpecIds and the device.
template <typename Number>
void write_expression(JsonWriter& json, const Number& number) {
  if (number.expression.empty()) return;
  json.key("expression").string(number.expression).key("spec_ids").begin_array();
  for (const Word spec_id : number.spec_ids) json.number(std::uint64_t{spec_id});
  json.end_array();
}
/// The type as text, and the id of the structure in it.
void write_type(JsonWriter& json, const Reflection& reflection, Word type);
/// The properties of an image type; nothing for other types.
void write_image(JsonWriter& json, const Facts& facts, Word type);
void write_heap_access(JsonWriter& json, const Reflection& reflection, const ReflectedHeapAccess& access);

/// "[16] (SpecId 3)"; empty if there is no array.
std::string array_text(const std::vector<ReflectedLength>& lengths);
/// The default of a specialization constant: "true", "-3", "0.5"; empty if its type has none.
std::string default_text(const Facts& facts, const ReflectedSpecConstant& constant);
/// "inf", "-inf" or "nan" if the default is such a float; else empty.
std::string_view special_default(const Facts& facts, const ReflectedSpecConstant& constant);
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
