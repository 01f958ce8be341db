// SPDX-License-Identifier: Apache-2.0
//
// Writes a Reflection as tables for readers (reflection_text.h).
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "spirv/inspect/reflect/reflection_cells.h"
#include "spirv/inspect/reflect/reflection_selection.h"
#include "spirv/module/fold.h"
#include "support/printable.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/type_text.h"
#include "vireo/spirv/module/types.h"
#include "vireo/support/number.h"

namespace vireo::spirv {
namespace {

std::string optional_text(std::optional<std::uint64_t> value) { return value ? std::to_string(*value) : std::string(); }

std::string joined(std::initializer_list<std::pair<bool, std::string_view>> flags) {
  std::string text;
  for (const auto& [is_set, name] : flags) {
    if (is_set) text += fmt::format("{}{}", text.empty() ? "" : " ", name);
  }
  return text;
}

class ReflectionTable {
 public:
  ReflectionTable(const Reflection& reflection, const ReflectionTextOptions& options)
      : reflection_(reflection), facts_(reflection.facts()), selection_(reflection, options) {}

  std::string run(std::string_view file) {
    append_printable(text_, file);
    text_ += "\n";
    add_entry_points();
    add_resources();
    add_push_constants();
    add_variables("inputs", false);
    add_variables("outputs", true);
    add_spec_constants();
    add_structures();
    return std::move(text_);
  }

 private:
  // The names of the entry points that use a row, if there are several entry points.
  std::string users_of(std::uint32_t row, std::vector<std::uint32_t> ReflectedEntryPoint::*list) const {
    if (selection_.entry_points().size() < 2) return {};
    std::string text;
    for (const std::uint32_t e : selection_.entry_points()) {
      const ReflectedEntryPoint& entry = reflection_.entry_points()[e];
      if (!std::ranges::binary_search(entry.*list, row)) continue;
      if (!text.empty()) text += ", ";
      append_printable(text, entry.name);
    }
    return text.empty() ? "-" : text;
  }

  void add_entry_points() {
    std::vector<TableRow> rows;
    for (const std::uint32_t e : selection_.entry_points()) {
      const ReflectedEntryPoint& entry = reflection_.entry_points()[e];
      std::string workgroup, built_ins;
      for (std::size_t i = 0; entry.workgroup && i < 3; ++i) {
        const WorkgroupDimension& dimension = (*entry.workgroup)[i];
        workgroup += fmt::format("{}{}", i == 0 ? "" : " x ", dimension.size);
        if (dimension.spec_id) workgroup += fmt::format(" (SpecId {})", *dimension.spec_id);
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
    for (const std::uint32_t i : selection_.rows(reflection_.resources().size(), &ReflectedEntryPoint::resources)) {
      const ReflectedResource& resource = reflection_.resources()[i];
      std::string_view descriptor = name_of(resource.descriptor);
      if (constexpr std::string_view prefix = "VK_DESCRIPTOR_TYPE_"; descriptor.starts_with(prefix)) {
        descriptor.remove_prefix(prefix.size());
      }
      rows.push_back({resource.has_set ? std::to_string(resource.set) : "",
                      resource.has_binding ? std::to_string(resource.binding) : "", std::string(descriptor),
                      name_text(resource.name, resource.id), type_text(facts_, resource.type),
                      array_text(resource.array), optional_text(resource.block_size),
                      joined({{resource.is_readonly, "readonly"},
                              {resource.is_writeonly, "writeonly"},
                              {resource.is_coherent, "coherent"},
                              {resource.is_volatile, "volatile"},
                              {resource.is_restrict, "restrict"}}),
                      users_of(i, &ReflectedEntryPoint::resources)});
    }
    append_table(text_, "resources",
                 {"set", "binding", "descriptor", "name", "type", "array", "bytes", "access", "entry points"}, rows);
  }

  void add_push_constants() {
    std::vector<TableRow> rows;
    const auto list = &ReflectedEntryPoint::push_constants;
    for (const std::uint32_t i : selection_.rows(reflection_.push_constants().size(), list)) {
      const ReflectedPushConstants& block = reflection_.push_constants()[i];
      rows.push_back({name_text(block.name, block.id), type_text(facts_, block.type), std::to_string(block.begin),
                      std::to_string(block.end), users_of(i, list)});
    }
    append_table(text_, "push constants", {"name", "type", "begin", "end", "entry points"}, rows);
  }

  void add_variables(std::string_view title, bool is_output) {
    std::vector<TableRow> rows;
    const auto list = &ReflectedEntryPoint::variables;
    for (const std::uint32_t i : selection_.rows(reflection_.variables().size(), list)) {
      const ReflectedVariable& variable = reflection_.variables()[i];
      if (variable.is_output != is_output || variable.built_in) continue;
      std::string_view format = vulkan_format(facts_, variable.type);
      if (constexpr std::string_view prefix = "VK_FORMAT_"; format.starts_with(prefix)) {
        format.remove_prefix(prefix.size());
      }
      rows.push_back({optional_text(variable.location), optional_text(variable.component),
                      name_text(variable.name, variable.id), type_text(facts_, variable.type),
                      array_text(variable.array), std::string(format),
                      joined({{variable.is_flat, "flat"},
                              {variable.is_noperspective, "noperspective"},
                              {variable.is_centroid, "centroid"},
                              {variable.is_sample, "sample"},
                              {variable.is_patch, "patch"}}),
                      users_of(i, list)});
    }
    append_table(text_, title,
                 {"location", "component", "name", "type", "array", "format", "interpolation", "entry points"}, rows);
  }

  void add_spec_constants() {
    std::vector<TableRow> rows;
    const auto list = &ReflectedEntryPoint::spec_constants;
    for (const std::uint32_t i : selection_.rows(reflection_.spec_constants().size(), list)) {
      const ReflectedSpecConstant& constant = reflection_.spec_constants()[i];
      rows.push_back({std::to_string(constant.spec_id), name_text(constant.name, constant.id),
                      type_text(facts_, constant.type), default_text(constant), users_of(i, list)});
    }
    append_table(text_, "specialization constants", {"SpecId", "name", "type", "default", "entry points"}, rows);
  }

  [[nodiscard]] std::string default_text(const ReflectedSpecConstant& constant) const {
    const TypeRow& type = facts_.types().of(constant.type);
    if (type.is(TypeKind::Bool)) return constant.default_bits != 0 ? "true" : "false";
    char text[max_number_chars];
    if (const auto format = Types::float_format(type)) return {text, print_float(text, constant.default_bits, *format)};
    if (type.width == 0 || type.width > 64) return {};
    // print_integer() expects copies of the sign above the width.
    std::uint64_t bits = constant.default_bits;
    if (type.is_signed) bits = static_cast<std::uint64_t>(sign_extended(bits, type.width));
    return {text, print_integer(text, bits, {type.width, type.is_signed})};
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
                        member.name.empty() ? fmt::format("member {}", member.number) : name_text(member.name, 0),
                        type_text(facts_, member.type), optional_text(member.location),
                        member.built_in ? to_string(*member.built_in) : ""});
      }
      append_table(
          text_, fmt::format("structure {}", name_text(facts_.names().of(structure), structure)),
          {"offset", "bytes", "padding", "array stride", "matrix stride", "name", "type", "location", "built-in"},
          rows);
    }
  }

  const Reflection& reflection_;
  const Facts& facts_;
  ReflectionSelection selection_;
  std::string text_;
};

}  // namespace

bool write_reflection_table(const Reflection& reflection, std::string_view file, const ReflectionTextOptions& options,
                            TextSink& sink) {
  return sink.write(ReflectionTable(reflection, options).run(file));
}

}  // namespace vireo::spirv
