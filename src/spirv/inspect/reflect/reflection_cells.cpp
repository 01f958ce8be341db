// SPDX-License-Identifier: Apache-2.0
//
// The tables and cells of reflection_cells.h.
#include "spirv/inspect/reflect/reflection_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "spirv/inspect/reflect/constant_expression.h"
#include "spirv/module/fold.h"
#include "support/printable.h"
#include "support/text_table.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/type_text.h"
#include "vireo/spirv/module/types.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

void append_table(std::string& out, std::string_view title, const TableRow& head, const std::vector<TableRow>& rows) {
  if (rows.empty()) return;
  std::vector<std::size_t> used;  // columns with a text
  std::vector<TextTable::Column> columns;
  for (std::size_t column = 0; column < head.size(); ++column) {
    if (std::ranges::all_of(rows, [&](const TableRow& row) { return row[column].empty(); })) continue;
    used.push_back(column);
    columns.push_back({head[column]});
  }
  TextTable table(std::move(columns), "  ");
  for (const TableRow& row : rows) {
    TableRow cells;
    cells.reserve(used.size());
    for (const std::size_t column : used) cells.push_back(row[column]);
    table.add(std::move(cells));
  }
  out += fmt::format("\n{}\n", title);
  table.append_to(out);
}

std::string flags_text(std::initializer_list<std::pair<bool, std::string_view>> flags) {
  std::string text;
  for (const auto& [is_set, name] : flags) {
    if (is_set) text += fmt::format("{}{}", text.empty() ? "" : " ", name);
  }
  return text;
}

bool has_mappings(const Reflection& reflection, const ReflectionTextOptions& options) {
  return options.mappings || reflection.facts().module_declarations().has(Capability::DescriptorHeapEXT);
}

void append_mappings(std::string& out, const std::vector<ReflectedMapping>& mappings) {
  std::vector<TableRow> rows;
  for (const ReflectedMapping& row : mappings) {
    std::string types;
    for (std::string_view name : resource_type_names(row.resource_mask)) {
      if (constexpr std::string_view prefix = "VK_SPIRV_RESOURCE_TYPE_"; name.starts_with(prefix)) {
        name.remove_prefix(prefix.size());
      }
      types += fmt::format("{}{}", types.empty() ? "" : " | ", name);
    }
    rows.push_back({std::to_string(row.set), std::to_string(row.first_binding), std::to_string(row.count),
                    fmt::format("0x{:x}", row.resource_mask), types});
  }
  append_table(out, "mappings to descriptor heaps", {"set", "first binding", "count", "mask", "resource type"}, rows);
}

void write_mappings(JsonWriter& json, const std::vector<ReflectedMapping>& mappings) {
  json.key("mappings").begin_array();
  for (const ReflectedMapping& row : mappings) {
    json.line_break().begin_object().key("set").number(std::uint64_t{row.set});
    json.key("first_binding").number(std::uint64_t{row.first_binding}).key("count").number(std::uint64_t{row.count});
    json.key("resource_mask").number(std::uint64_t{row.resource_mask}).key("resource_types").begin_array();
    for (const std::string_view name : resource_type_names(row.resource_mask)) json.string(name);
    json.end_array().end_object();
  }
  json.end_array();
}

void write_optional(JsonWriter& json, std::string_view key, std::optional<std::uint64_t> value) {
  if (value) json.key(key).number(*value);
}

void write_type(JsonWriter& json, const Reflection& reflection, Word type) {
  const Facts& facts = reflection.facts();
  json.key("type").string(resource_type_text(facts, type));
  Word innermost = 0;
  (void)reflection.lengths(type, innermost);
  const TypeRow* row = &facts.types().of(innermost);
  if (row->is(TypeKind::Pointer)) {
    (void)reflection.lengths(row->element, innermost);
    row = &facts.types().of(innermost);
  }
  if (row->is(TypeKind::Struct)) json.key("structure").number(std::uint64_t{row->id});
}

void write_image(JsonWriter& json, const Facts& facts, Word type) {
  const TypeRow* row = &facts.types().of(type);
  if (row->is(TypeKind::SampledImage)) row = &row->element_type();
  if (!row->is(TypeKind::Image)) return;
  const ImageShape shape = facts.types().image(*row);
  json.key("image").begin_object().key("dim").string(to_string(shape.dim));
  json.key("sampled_type").string(type_text(facts, shape.sampled_type));
  if (shape.format != ImageFormat::Unknown) json.key("format").string(to_string(shape.format));
  write_flag(json, "depth", shape.depth == 1);
  write_flag(json, "arrayed", shape.arrayed == 1);
  write_flag(json, "multisampled", shape.multisampled == 1);
  json.end_object();
}

std::string array_text(const std::vector<ReflectedLength>& lengths) {
  std::string text;
  for (const ReflectedLength& length : lengths) {
    text += length.count == 0 ? "[]" : fmt::format("[{}]", length.count);
    text += dependence_text(length);
  }
  return text;
}

std::string default_text(const Facts& facts, const ReflectedSpecConstant& constant) {
  const TypeRow& type = facts.types().of(constant.type);
  if (type.is(TypeKind::Bool)) return constant.default_bits != 0 ? "true" : "false";
  char text[max_number_chars];
  if (const auto format = Types::float_format(type)) return {text, print_float(text, constant.default_bits, *format)};
  if (type.width == 0 || type.width > 64) return {};
  // print_integer() expects copies of the sign above the width.
  std::uint64_t bits = constant.default_bits;
  if (type.is_signed) bits = static_cast<std::uint64_t>(sign_extended(bits, type.width));
  return {text, print_integer(text, bits, {type.width, type.is_signed})};
}

std::string_view special_default(const Facts& facts, const ReflectedSpecConstant& constant) {
  const auto format = Types::float_format(facts.types().of(constant.type));
  const std::optional<double> value = format ? double_of(constant.default_bits, *format) : std::nullopt;
  if (!value || std::isfinite(*value)) return {};
  return std::isnan(*value) ? "nan" : *value < 0 ? "-inf" : "inf";
}

std::string sized_type_text(const Reflection& reflection, Word type) {
  constexpr std::size_t most = 8;  // dimensions, as in type_text()
  const Facts& facts = reflection.facts();
  Word innermost = 0;
  const std::vector<ReflectedLength> lengths = reflection.lengths(type, innermost);
  const auto is_fixed = [](const ReflectedLength& length) { return dependence_text(length).empty(); };
  if (lengths.size() > most || std::ranges::all_of(lengths, is_fixed)) return type_text(facts, type);
  std::string text;
  for (std::size_t i = 0; i < lengths.size(); ++i) text += "array<";
  text += type_text(facts, innermost);
  for (std::size_t i = lengths.size(); i-- > 0;) {
    const bool is_open = lengths[i].count == 0 && is_fixed(lengths[i]);
    text += is_open ? ">" : fmt::format(", {}{}>", lengths[i].count, dependence_text(lengths[i]));
  }
  return text;
}

std::vector<std::uint32_t> array_strides(const Facts& facts, Word type, std::size_t count) {
  const Types& types = facts.types();
  const Decorations& decorations = facts.decorations();
  std::vector<std::uint32_t> strides;
  strides.reserve(count);
  for (Word array = type; strides.size() < count; array = types.of(array).element) {
    const DecorationRow* row = decorations.find(array, Decoration::ArrayStride);
    strides.push_back(row == nullptr ? 0 : decorations.operand_or(*row, 0));
  }
  return strides;
}

std::string name_text(std::string_view name, Word id) {
  if (name.empty()) return fmt::format("%{}", id);
  std::string text;
  append_printable(text, shortened(name));
  return text;
}

std::string member_text(std::string_view name, std::uint32_t number) {
  return name.empty() ? fmt::format("member {}", number) : name_text(name, 0);
}

}  // namespace vireo::spirv
