// SPDX-License-Identifier: Apache-2.0
//
// Writes a Reflection as JSON (reflection_text.h; docs/reflection.schema.json).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/inspect/reflect/constant_expression.h"
#include "spirv/inspect/reflect/reflection_cells.h"
#include "spirv/inspect/reflect/reflection_selection.h"
#include "spirv/module/fold.h"
#include "spirv/transform/removable_declarations.h"
#include "support/json_writer.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/type_text.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

class ReflectionJson {
 public:
  ReflectionJson(const Reflection& reflection, const ReflectionTextOptions& options, TextSink& sink)
      : reflection_(reflection),
        facts_(reflection.facts()),
        selection_(reflection, options),
        has_mappings_(has_mappings(reflection, options)),
        json_(sink) {}

  bool run(std::string_view file) {
    json_.begin_object().key("file").string(file);
    write_entry_points();
    write_resources();
    write_push_constants();
    write_variables("inputs", false);
    write_variables("outputs", true);
    write_spec_constants();
    if (!reflection_.other_variables().empty()) write_other_variables();
    if (!reflection_.heap_accesses().empty()) write_heap_accesses();
    if (has_mappings_) write_mappings(json_, selection_.mappings());
    write_structures();
    write_declarations();
    json_.end_object();
    json_.end_document();
    return json_.flush();
  }

 private:
  // A list of objects, one on each line.
  template <typename Rows, typename Write>
  void write_list(std::string_view key, const Rows& rows, const Write& write) {
    json_.key(key).begin_array();
    for (const std::uint32_t i : rows) {
      json_.line_break().begin_object();
      write(i);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_optional(std::string_view key, std::optional<std::uint64_t> value) {
    spirv::write_optional(json_, key, value);
  }
  void write_flag(std::string_view key, bool value) { spirv::write_flag(json_, key, value); }
  void write_type(Word type) { spirv::write_type(json_, reflection_, type); }
  void write_image(Word type) { spirv::write_image(json_, facts_, type); }

  // `strides` has a number for each length if the array is in memory; 0 is not written.
  void write_array(const std::vector<ReflectedLength>& lengths, std::span<const std::uint32_t> strides = {}) {
    if (lengths.empty()) return;
    json_.key("array").begin_array();
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      json_.begin_object().key("length").number(lengths[i].count);
      write_optional("spec_id", lengths[i].spec_id);
      write_expression(json_, lengths[i]);
      if (i < strides.size() && strides[i] != 0) json_.key("stride").number(strides[i]);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_entry_points() {
    write_list("entry_points", selection_.entry_points(), [&](std::uint32_t i) {
      const ReflectedEntryPoint& entry = reflection_.entry_points()[i];
      json_.key("name").string(entry.name).key("model").string(to_string(entry.model));
      if (entry.workgroup) {
        json_.key("workgroup_size").begin_array();
        for (const WorkgroupDimension& dimension : *entry.workgroup) {
          json_.begin_object().key("size").number(dimension.size);
          write_optional("spec_id", dimension.spec_id);
          write_expression(json_, dimension);
          json_.end_object();
        }
        json_.end_array();
      }
      json_.key("execution_modes").begin_array();
      for (const ExecutionModeRow& mode : facts_.module_declarations().modes_of(entry.function)) {
        json_.string(to_string(mode.mode));
      }
      json_.end_array();
      // Ids, because the lists below contain only what is written. Several heap accesses can have one id.
      write_ids("resources", reflection_.resources(), entry.resources);
      write_ids("push_constants", reflection_.push_constants(), entry.push_constants);
      write_ids("variables", reflection_.variables(), entry.variables);
      write_ids("spec_constants", reflection_.spec_constants(), entry.spec_constants);
      if (!reflection_.other_variables().empty()) {
        write_ids("other_variables", reflection_.other_variables(), entry.other_variables);
      }
      if (!reflection_.heap_accesses().empty()) {
        json_.key("heap_accesses").begin_array();
        for (const std::uint32_t access : entry.heap_accesses) json_.number(access);
        json_.end_array();
      }
      json_.key("built_ins").begin_array();
      for (const BuiltIn built_in : entry.built_ins) json_.string(to_string(built_in));
      json_.end_array();
    });
  }

  template <typename Rows>
  void write_ids(std::string_view key, const Rows& rows, const std::vector<std::uint32_t>& indexes) {
    json_.key(key).begin_array();
    for (const std::uint32_t i : indexes) json_.number(rows[i].id);
    json_.end_array();
  }

  void write_resources() {
    const auto rows = selection_.rows(reflection_.resources().size(), &ReflectedEntryPoint::resources);
    write_list("resources", rows, [&](std::uint32_t i) {
      const ReflectedResource& resource = reflection_.resources()[i];
      json_.key("id").number(resource.id).key("name").string(resource.name);
      json_.key("descriptor").string(name_of(resource.descriptor));
      if (resource.has_set) json_.key("set").number(resource.set);
      if (resource.has_binding) json_.key("binding").number(resource.binding);
      if (resource.storage == StorageClass::TileAttachmentQCOM) {
        json_.key("storage_class").string(to_string(resource.storage));
      }
      write_array(resource.array);
      write_type(resource.type);
      write_optional("block_size", resource.block_size);
      write_optional("input_attachment_index", resource.input_attachment);
      write_optional("location", resource.location);
      write_optional("offset", resource.offset);
      write_image(resource.type);
      write_flag("readonly", resource.is_readonly);
      write_flag("writeonly", resource.is_writeonly);
      write_flag("coherent", resource.is_coherent);
      write_flag("volatile", resource.is_volatile);
      write_flag("restrict", resource.is_restrict);
    });
  }

  void write_push_constants() {
    const auto rows = selection_.rows(reflection_.push_constants().size(), &ReflectedEntryPoint::push_constants);
    write_list("push_constants", rows, [&](std::uint32_t i) {
      const ReflectedPushConstants& block = reflection_.push_constants()[i];
      json_.key("id").number(block.id).key("name").string(block.name);
      json_.key("begin").number(block.begin).key("end").number(block.end);
      write_type(block.type);
    });
  }

  void write_variables(std::string_view key, bool is_output) {
    auto rows = selection_.rows(reflection_.variables().size(), &ReflectedEntryPoint::variables);
    std::erase_if(rows, [&](std::uint32_t i) { return reflection_.variables()[i].is_output != is_output; });
    write_list(key, rows, [&](std::uint32_t i) {
      const ReflectedVariable& variable = reflection_.variables()[i];
      json_.key("id").number(variable.id).key("name").string(variable.name);
      write_optional("location", variable.location);
      write_optional("component", variable.component);
      write_optional("index", variable.index);
      if (variable.built_in) json_.key("built_in").string(to_string(*variable.built_in));
      write_array(variable.array);
      write_type(variable.type);
      const std::string_view format = vulkan_format(facts_, variable.type);
      if (!format.empty() && !variable.built_in) json_.key("format").string(format);
      write_flag("flat", variable.is_flat);
      write_flag("noperspective", variable.is_noperspective);
      write_flag("centroid", variable.is_centroid);
      write_flag("sample", variable.is_sample);
      write_flag("patch", variable.is_patch);
    });
  }

  void write_other_variables() {
    const auto rows = selection_.rows(reflection_.other_variables().size(), &ReflectedEntryPoint::other_variables);
    write_list("other_variables", rows, [&](std::uint32_t i) {
      const ReflectedOtherVariable& variable = reflection_.other_variables()[i];
      json_.key("id").number(variable.id).key("name").string(variable.name);
      json_.key("storage_class").string(to_string(variable.storage));
      write_optional("location", variable.location);
      write_array(variable.array);
      write_type(variable.type);
      write_optional("block_size", variable.block_size);
      write_image(variable.type);
    });
  }

  void write_heap_accesses() {
    const auto rows = selection_.rows(reflection_.heap_accesses().size(), &ReflectedEntryPoint::heap_accesses);
    write_list("heap_accesses", rows, [&](std::uint32_t i) {
      json_.key("number").number(i);
      write_heap_access(json_, reflection_, reflection_.heap_accesses()[i]);
    });
  }

  void write_spec_constants() {
    const auto rows = selection_.rows(reflection_.spec_constants().size(), &ReflectedEntryPoint::spec_constants);
    write_list("spec_constants", rows, [&](std::uint32_t i) {
      const ReflectedSpecConstant& constant = reflection_.spec_constants()[i];
      json_.key("spec_id").number(constant.spec_id).key("id").number(constant.id).key("name").string(constant.name);
      json_.key("type").string(type_text(facts_, constant.type)).key("default");
      write_value(constant);
    });
  }

  void write_value(const ReflectedSpecConstant& constant) {
    const TypeRow& type = facts_.types().of(constant.type);
    if (const std::string_view special = special_default(facts_, constant); !special.empty()) {
      json_.string(special);  // as in the JSON of modules (docs/json.md)
    } else if (type.is(TypeKind::Bool)) {
      json_.boolean(constant.default_bits != 0);
    } else if (type.is(TypeKind::Int) && type.is_signed && type.width != 0 && type.width <= 64) {
      json_.number(sign_extended(constant.default_bits, type.width));
    } else if (const auto format = Types::float_format(type)) {
      const std::optional<double> value = double_of(constant.default_bits, *format);
      if (value) json_.number(*value);
      else json_.number(constant.default_bits);
    } else {
      json_.number(constant.default_bits);
    }
  }

  void write_structures() {
    json_.key("structures").begin_array();
    for (const Word structure : reflection_.structures()) {
      json_.line_break().begin_object().key("id").number(structure);
      json_.key("name").string(facts_.names().of(structure)).key("members").begin_array();
      for (const ReflectedMember& member : reflection_.members(structure)) write_member(member);
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  void write_member(const ReflectedMember& member) {
    json_.line_break().begin_object().key("name").string(member.name);
    Word innermost = 0;
    const std::vector<ReflectedLength> lengths = reflection_.lengths(member.type, innermost);
    write_array(lengths, array_strides(facts_, member.type, lengths.size()));
    write_type(innermost);
    write_optional("offset", member.offset);
    write_optional("size", member.size);
    if (member.padding != 0) json_.key("padding").number(member.padding);
    if (member.array_stride != 0) json_.key("array_stride").number(member.array_stride);
    if (member.matrix_stride != 0) json_.key("matrix_stride").number(member.matrix_stride);
    write_flag("row_major", member.is_row_major);
    write_flag("readonly", member.is_readonly);
    write_flag("writeonly", member.is_writeonly);
    write_optional("location", member.location);
    write_optional("component", member.component);
    if (member.built_in) json_.key("built_in").string(to_string(*member.built_in));
    json_.end_object();
  }

  // The declarations, and whether `vireo trim` would keep them.
  void write_declarations() {
    const std::vector<InstructionIndex> removable = removable_declarations(facts_.module(), {});
    const auto write_needed = [&](InstructionIndex declaration) {
      json_.key("needed").boolean(!std::ranges::binary_search(removable, declaration)).end_object();
    };
    json_.key("capabilities").begin_array();
    for (const CapabilityRow& row : facts_.module_declarations().capabilities()) {
      json_.begin_object().key("name").string(to_string(row.capability));
      write_needed(row.instruction);
    }
    json_.end_array().key("extensions").begin_array();
    for (const ExtensionRow& row : facts_.module_declarations().extensions()) {
      json_.begin_object().key("name").string(row.name);
      write_needed(row.instruction);
    }
    json_.end_array();
  }

  const Reflection& reflection_;
  const Facts& facts_;
  ReflectionSelection selection_;
  bool has_mappings_;
  JsonWriter json_;
};

}  // namespace

bool write_reflection_json(const Reflection& reflection, std::string_view file, const ReflectionTextOptions& options,
                           TextSink& sink) {
  return ReflectionJson(reflection, options, sink).run(file);
}

}  // namespace vireo::spirv
