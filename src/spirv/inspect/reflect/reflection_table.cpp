// SPDX-License-Identifier: Apache-2.0
//
// Writes a Reflection as tables for readers (reflection_text.h).
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "spirv/inspect/reflect/constant_expression.h"
#include "spirv/inspect/reflect/descriptor_types.h"
#include "spirv/inspect/reflect/reflection_cells.h"
#include "spirv/inspect/reflect/reflection_selection.h"
#include "support/printable.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/type_text.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

class ReflectionTable {
 public:
  ReflectionTable(const Reflection& reflection, const ReflectionTextOptions& options)
      : reflection_(reflection),
        facts_(reflection.facts()),
        selection_(reflection, options),
        has_mappings_(has_mappings(reflection, options)) {}

  std::string run(std::string_view file) {
    append_printable(text_, file);
    text_ += "\n";
    add_entry_points();
    add_resources();
    add_push_constants();
    add_variables("inputs", false);
    add_variables("outputs", true);
    add_other_variables();
    add_spec_constants();
    add_heap_accesses();
    if (has_mappings_) append_mappings(text_, selection_.mappings());
    add_structures();
    return std::move(text_);
  }

 private:
  using RowList = std::vector<std::uint32_t> ReflectedEntryPoint::*;

  // The names of the entry points that use any of the rows, if there are several entry points; with their execution
  // models if two have one name.
  std::string users_of(std::span<const std::uint32_t> rows, RowList list) const {
    const std::vector<std::uint32_t>& selected = selection_.entry_points();
    if (selected.size() < 2) return {};
    std::string text;
    for (const std::uint32_t e : selected) {
      const ReflectedEntryPoint& entry = reflection_.entry_points()[e];
      const auto is_used = [&](std::uint32_t row) { return std::ranges::binary_search(entry.*list, row); };
      if (std::ranges::none_of(rows, is_used)) continue;
      if (!text.empty()) text += ", ";
      append_printable(text, entry.name);
      if (has_common_names_) text += fmt::format(" ({})", to_string(entry.model));
    }
    return text.empty() ? "-" : text;
  }
  std::string users_of(std::uint32_t row, RowList list) const { return users_of(std::span(&row, 1), list); }

  [[nodiscard]] bool has_common_names() const {
    std::vector<std::string_view> names;
    for (const std::uint32_t e : selection_.entry_points()) names.push_back(reflection_.entry_points()[e].name);
    std::ranges::sort(names);
    return std::ranges::adjacent_find(names) != names.end();
  }

  // The selected rows, ascending by a key; rows with equal keys are in the order of declaration.
  template <typename Rows, typename Key>
  [[nodiscard]] std::vector<std::uint32_t> sorted_rows(const Rows& rows, RowList list, const Key& key) const {
    std::vector<std::uint32_t> selected = selection_.rows(rows.size(), list);
    std::ranges::stable_sort(selected, {}, [&](std::uint32_t i) { return key(rows[i]); });
    return selected;
  }
  // Rows without a number follow those with one.
  static std::uint64_t or_last(std::optional<Word> number) { return number ? *number : ~std::uint64_t{0}; }

  void add_entry_points() {
    std::vector<TableRow> rows;
    for (const std::uint32_t e : selection_.entry_points()) {
      const ReflectedEntryPoint& entry = reflection_.entry_points()[e];
      std::string workgroup, built_ins;
      for (std::size_t i = 0; entry.workgroup && i < 3; ++i) {
        const WorkgroupDimension& dimension = (*entry.workgroup)[i];
        workgroup += fmt::format("{}{}", i == 0 ? "" : " x ", dimension.size);
        workgroup += dependence_text(dimension);
      }
      for (const BuiltIn built_in : entry.built_ins) {
        built_ins += fmt::format("{}{}", built_ins.empty() ? "" : ", ", to_string(built_in));
      }
      rows.push_back({name_text(entry.name, entry.function), to_string(entry.model), workgroup, built_ins});
    }
    append_table(text_, "entry points", {"name", "model", "workgroup", "built-ins"}, rows);
  }

  void add_resources() {
    std::vector<TableRow> rows;
    const auto list = &ReflectedEntryPoint::resources;
    const auto key = [](const ReflectedResource& row) {
      return std::tuple(!row.has_set, row.set, !row.has_binding, row.binding, or_last(row.location));
    };
    for (const std::uint32_t i : sorted_rows(reflection_.resources(), list, key)) {
      const ReflectedResource& resource = reflection_.resources()[i];
      const bool is_tile = resource.storage == StorageClass::TileAttachmentQCOM;
      rows.push_back({resource.has_set ? std::to_string(resource.set) : "",
                      resource.has_binding ? std::to_string(resource.binding) : "",
                      std::string(short_name_of(resource.descriptor)), is_tile ? to_string(resource.storage) : "",
                      name_text(resource.name, resource.id), resource_type_text(facts_, resource.type),
                      array_text(resource.array), optional_text(resource.block_size),
                      flags_text({{resource.is_readonly, "readonly"},
                                  {resource.is_writeonly, "writeonly"},
                                  {resource.is_coherent, "coherent"},
                                  {resource.is_volatile, "volatile"},
                                  {resource.is_restrict, "restrict"}}),
                      users_of(i, list)});
    }
    append_table(
        text_, "resources",
        {"set", "binding", "descriptor", "storage class", "name", "type", "array", "bytes", "access", "entry points"},
        rows);
  }

  void add_push_constants() {
    std::vector<TableRow> rows;
    const auto list = &ReflectedEntryPoint::push_constants;
    const auto key = [](const ReflectedPushConstants& row) { return row.begin; };
    for (const std::uint32_t i : sorted_rows(reflection_.push_constants(), list, key)) {
      const ReflectedPushConstants& block = reflection_.push_constants()[i];
      rows.push_back({name_text(block.name, block.id), type_text(facts_, block.type), std::to_string(block.begin),
                      std::to_string(block.end), users_of(i, list)});
    }
    append_table(text_, "push constants", {"name", "type", "begin", "end", "entry points"}, rows);
  }

  void add_variables(std::string_view title, bool is_output) {
    std::vector<TableRow> rows;
    const auto list = &ReflectedEntryPoint::variables;
    const auto key = [](const ReflectedVariable& row) {
      return std::tuple(or_last(row.location), row.component.value_or(0), row.index.value_or(0));
    };
    for (const std::uint32_t i : sorted_rows(reflection_.variables(), list, key)) {
      const ReflectedVariable& variable = reflection_.variables()[i];
      if (variable.is_output != is_output || variable.built_in) continue;
      std::string_view format = vulkan_format(facts_, variable.type);
      if (constexpr std::string_view prefix = "VK_FORMAT_"; format.starts_with(prefix)) {
        format.remove_prefix(prefix.size());
      }
      rows.push_back({optional_text(variable.location), optional_text(variable.component),
                      optional_text(variable.index), name_text(variable.name, variable.id),
                      type_text(facts_, variable.type), array_text(variable.array), std::string(format),
                      flags_text({{variable.is_flat, "flat"},
                                  {variable.is_noperspective, "noperspective"},
                                  {variable.is_centroid, "centroid"},
                                  {variable.is_sample, "sample"},
                                  {variable.is_patch, "patch"}}),
                      users_of(i, list)});
    }
    append_table(text_, title,
                 {"location", "component", "index", "name", "type", "array", "format", "interpolation", "entry points"},
                 rows);
  }

  void add_other_variables() {
    std::vector<TableRow> rows;
    const auto list = &ReflectedEntryPoint::other_variables;
    const auto key = [](const ReflectedOtherVariable& row) { return std::tuple(row.storage, or_last(row.location)); };
    for (const std::uint32_t i : sorted_rows(reflection_.other_variables(), list, key)) {
      const ReflectedOtherVariable& variable = reflection_.other_variables()[i];
      rows.push_back({to_string(variable.storage), optional_text(variable.location),
                      name_text(variable.name, variable.id), type_text(facts_, variable.type),
                      array_text(variable.array), optional_text(variable.block_size), users_of(i, list)});
    }
    append_table(text_, "other variables",
                 {"storage class", "location", "name", "type", "array", "bytes", "entry points"}, rows);
  }

  // Front ends can repeat a constant. Rows that readers cannot distinguish are one row.
  void add_spec_constants() {
    std::vector<TableRow> rows;
    const auto list = &ReflectedEntryPoint::spec_constants;
    const auto constants = reflection_.spec_constants();
    const auto key = [](const ReflectedSpecConstant& row) { return row.spec_id; };
    const std::vector<std::uint32_t> sorted = sorted_rows(constants, list, key);
    for (std::size_t first = 0; first < sorted.size();) {
      const ReflectedSpecConstant& constant = constants[sorted[first]];
      std::string_view name = constant.name;
      std::size_t end = first + 1;
      for (; end < sorted.size(); ++end) {
        const ReflectedSpecConstant& other = constants[sorted[end]];
        const bool is_same = other.spec_id == constant.spec_id && other.type == constant.type &&
                             other.default_bits == constant.default_bits &&
                             (other.name == name || other.name.empty() || name.empty());
        if (!is_same) break;
        if (name.empty()) name = other.name;
      }
      rows.push_back({std::to_string(constant.spec_id), name_text(name, constant.id), type_text(facts_, constant.type),
                      default_text(facts_, constant), users_of(std::span(sorted).subspan(first, end - first), list)});
      first = end;
    }
    append_table(text_, "specialization constants", {"SpecId", "name", "type", "default", "entry points"}, rows);
  }

  void add_heap_accesses() {
    std::vector<TableRow> rows;
    const auto list = &ReflectedEntryPoint::heap_accesses;
    for (const std::uint32_t i : sorted_rows(reflection_.heap_accesses(), list, heap_access_key)) {
      rows.push_back(heap_access_cells(reflection_, reflection_.heap_accesses()[i]));
      rows.back().push_back(users_of(i, list));
    }
    append_heap_accesses(text_, "entry points", rows);
  }

  // "64, 16": the stride of each dimension, the outermost first; "-" where none is stated.
  [[nodiscard]] std::string stride_text(const ReflectedMember& member) const {
    constexpr std::size_t most = 8;
    Word innermost = 0;
    const std::size_t count = std::min(reflection_.lengths(member.type, innermost).size(), most);
    if (count < 2) return member.array_stride == 0 ? "" : std::to_string(member.array_stride);
    const std::vector<std::uint32_t> strides = array_strides(facts_, member.type, count);
    if (std::ranges::all_of(strides, [](std::uint32_t stride) { return stride == 0; })) return {};
    std::string text;
    for (const std::uint32_t stride : strides) {
      text += text.empty() ? "" : ", ";
      text += stride == 0 ? "-" : std::to_string(stride);
    }
    return text;
  }

  void add_structures() {
    for (const Word structure : reflection_.structures()) {
      std::vector<TableRow> rows;
      for (const ReflectedMember& member : reflection_.members(structure)) {
        rows.push_back({optional_text(member.offset), optional_text(member.size),
                        member.padding == 0 ? "" : std::to_string(member.padding), stride_text(member),
                        member.matrix_stride == 0
                            ? ""
                            : fmt::format("{}{}", member.matrix_stride, member.is_row_major ? " row-major" : ""),
                        member_text(member.name, member.number), sized_type_text(reflection_, member.type),
                        optional_text(member.location), optional_text(member.component),
                        member.built_in ? to_string(*member.built_in) : ""});
      }
      append_table(text_, fmt::format("structure {}", name_text(facts_.names().of(structure), structure)),
                   {"offset", "bytes", "padding", "array stride", "matrix stride", "name", "type", "location",
                    "component", "built-in"},
                   rows);
    }
  }

  const Reflection& reflection_;
  const Facts& facts_;
  ReflectionSelection selection_;
  bool has_mappings_;
  bool has_common_names_ = has_common_names();
  std::string text_;
};

}  // namespace

bool write_reflection_table(const Reflection& reflection, std::string_view file, const ReflectionTextOptions& options,
                            TextSink& sink) {
  return sink.write(ReflectionTable(reflection, options).run(file));
}

}  // namespace vireo::spirv
