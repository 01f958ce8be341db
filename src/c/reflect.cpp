// SPDX-License-Identifier: Apache-2.0
//
// The C interface of reflection (vireo/vireo_inspect.h).
//
// A row of C borrows the lists of a row of C++. Lists whose elements differ in C are converted when the
// handle is created, so that no query needs memory.
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>

#include "c/reflect_rows.h"
#include "vireo/spirv/inspect/reflection_text.h"
#include "vireo/vireo_inspect.h"

namespace vireo::c {
namespace {

using spirv::DescriptorType;
static_assert(VIREO_DESCRIPTOR_UNIFORM_BUFFER == static_cast<int>(DescriptorType::UniformBuffer) &&
              VIREO_DESCRIPTOR_INPUT_ATTACHMENT == static_cast<int>(DescriptorType::InputAttachment) &&
              VIREO_DESCRIPTOR_UNKNOWN == static_cast<int>(DescriptorType::Unknown));

std::uint32_t or_none(const std::optional<spirv::BuiltIn>& value) {
  return value ? static_cast<std::uint32_t>(*value) : VIREO_NONE;
}

std::uint32_t flags_of(std::initializer_list<std::pair<bool, vireo_reflected_flags>> rows) {
  std::uint32_t flags = 0;
  for (const auto& [is_set, flag] : rows) flags |= is_set ? static_cast<std::uint32_t>(flag) : 0u;
  return flags;
}

vireo_reflected_number number_to_c(const spirv::ReflectedNumber& number) {
  vireo_reflected_number made = {};
  made.has_value = number.value ? 1 : 0;
  made.value = number.value.value_or(0);
  made.expression = to_c(number.expression);
  return_list(number.spec_ids, &made.spec_ids, &made.spec_id_count);
  return made;
}

// The number of rows; 0 without a reflection.
template <typename Rows>
std::uint32_t row_count(const vireo_reflection* reflection, Rows rows) {
  return reflection == nullptr ? 0 : static_cast<std::uint32_t>((reflection->reflection.*rows)().size());
}

// Checks the arguments of a query for a row. If they are valid, clears `*out` and returns true.
template <typename Rows, typename Out>
bool begin_row(const vireo_reflection* reflection, Rows rows, std::uint32_t index, Out* out) {
  if (out == nullptr || index >= row_count(reflection, rows)) return false;
  *out = {};
  return true;
}

}  // namespace
}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;
using spirv::Reflection;

vireo_status vireo_reflection_create(const std::uint32_t* words, std::size_t count, const vireo_grammar* grammar,
                                     vireo_reflection** out) {
  return create(out, is_span(words, count), [&] {
    auto made = std::make_unique<vireo_reflection>(spirv::Words(words, count), grammar_of(grammar));
    for (const spirv::ReflectedResource& row : made->reflection.resources()) {
      made->resource_arrays.push_back(lengths_to_c(row.array));
    }
    for (const spirv::ReflectedVariable& row : made->reflection.variables()) {
      made->variable_arrays.push_back(lengths_to_c(row.array));
    }
    for (const spirv::ReflectedOtherVariable& row : made->reflection.other_variables()) {
      made->other_arrays.push_back(lengths_to_c(row.array));
    }
    for (const spirv::ReflectedEntryPoint& row : made->reflection.entry_points()) {
      std::vector<std::uint32_t>& list = made->built_ins.emplace_back();
      for (const spirv::BuiltIn built_in : row.built_ins) list.push_back(static_cast<std::uint32_t>(built_in));
    }
    *out = made.release();
    return VIREO_OK;
  });
}

void vireo_reflection_destroy(vireo_reflection* reflection) { delete reflection; }
const vireo_module* vireo_reflection_module(const vireo_reflection* reflection) {
  return reflection == nullptr ? nullptr : &reflection->module;
}

vireo_string vireo_descriptor_type_name(std::uint32_t type) {
  return to_c(type > VIREO_DESCRIPTOR_UNKNOWN ? "" : name_of(static_cast<DescriptorType>(type)));
}

// --- rows ---------------------------------------------------------------------------------------------------------------

std::uint32_t vireo_reflection_entry_point_count(const vireo_reflection* reflection) {
  return row_count(reflection, &Reflection::entry_points);
}
std::uint32_t vireo_reflection_resource_count(const vireo_reflection* reflection) {
  return row_count(reflection, &Reflection::resources);
}
std::uint32_t vireo_reflection_push_constant_count(const vireo_reflection* reflection) {
  return row_count(reflection, &Reflection::push_constants);
}
std::uint32_t vireo_reflection_variable_count(const vireo_reflection* reflection) {
  return row_count(reflection, &Reflection::variables);
}
std::uint32_t vireo_reflection_spec_constant_count(const vireo_reflection* reflection) {
  return row_count(reflection, &Reflection::spec_constants);
}
std::uint32_t vireo_reflection_structure_count(const vireo_reflection* reflection) {
  return row_count(reflection, &Reflection::structures);
}

std::uint32_t vireo_reflection_other_variable_count(const vireo_reflection* reflection) {
  return row_count(reflection, &Reflection::other_variables);
}
std::uint32_t vireo_reflection_heap_access_count(const vireo_reflection* reflection) {
  return row_count(reflection, &Reflection::heap_accesses);
}

vireo_status vireo_reflection_entry_point(const vireo_reflection* reflection, std::uint32_t index,
                                          vireo_reflected_entry_point* out) {
  if (!begin_row(reflection, &Reflection::entry_points, index, out)) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedEntryPoint& row = reflection->reflection.entry_points()[index];
  out->name = to_c(row.name);
  out->execution_model = static_cast<std::uint32_t>(row.model);
  out->function_id = row.function;
  out->has_workgroup = row.workgroup ? 1 : 0;
  for (std::size_t i = 0; row.workgroup && i < 3; ++i) {
    out->workgroup[i] = {(*row.workgroup)[i].size, or_none((*row.workgroup)[i].spec_id)};
  }
  return_list(row.resources, &out->resources, &out->resource_count);
  return_list(row.push_constants, &out->push_constants, &out->push_constant_count);
  return_list(row.variables, &out->variables, &out->variable_count);
  return_list(row.spec_constants, &out->spec_constants, &out->spec_constant_count);
  return_list(reflection->built_ins[index], &out->built_ins, &out->built_in_count);
  return_list(row.heap_accesses, &out->heap_accesses, &out->heap_access_count);
  return_list(row.other_variables, &out->other_variables, &out->other_variable_count);
  return VIREO_OK;
}

vireo_status vireo_reflection_resource(const vireo_reflection* reflection, std::uint32_t index,
                                       vireo_reflected_resource* out) {
  if (!begin_row(reflection, &Reflection::resources, index, out)) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedResource& row = reflection->reflection.resources()[index];
  out->name = to_c(row.name);
  out->id = row.id;
  out->descriptor_type = static_cast<std::uint32_t>(row.descriptor);
  out->type = row.type;
  out->set = row.has_set ? row.set : VIREO_NONE;
  out->binding = row.has_binding ? row.binding : VIREO_NONE;
  out->input_attachment = or_none(row.input_attachment);
  out->location = or_none(row.location);
  out->offset = or_none(row.offset);
  out->flags = flags_of({{row.is_readonly, VIREO_REFLECTED_READONLY},
                         {row.is_writeonly, VIREO_REFLECTED_WRITEONLY},
                         {row.is_coherent, VIREO_REFLECTED_COHERENT},
                         {row.is_volatile, VIREO_REFLECTED_VOLATILE},
                         {row.is_restrict, VIREO_REFLECTED_RESTRICT}});
  return_list(reflection->resource_arrays[index], &out->array, &out->array_count);
  out->block_size = row.block_size.value_or(0);
  return VIREO_OK;
}

vireo_status vireo_reflection_push_constants(const vireo_reflection* reflection, std::uint32_t index,
                                             vireo_reflected_push_constants* out) {
  if (!begin_row(reflection, &Reflection::push_constants, index, out)) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedPushConstants& row = reflection->reflection.push_constants()[index];
  *out = {to_c(row.name), row.id, row.type, row.begin, row.end};
  return VIREO_OK;
}

vireo_status vireo_reflection_variable(const vireo_reflection* reflection, std::uint32_t index,
                                       vireo_reflected_variable* out) {
  if (!begin_row(reflection, &Reflection::variables, index, out)) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedVariable& row = reflection->reflection.variables()[index];
  out->name = to_c(row.name);
  out->id = row.id;
  out->type = row.type;
  out->location = or_none(row.location);
  out->component = or_none(row.component);
  out->index = or_none(row.index);
  out->built_in = or_none(row.built_in);
  out->flags = flags_of({{row.is_output, VIREO_REFLECTED_OUTPUT},
                         {row.is_flat, VIREO_REFLECTED_FLAT},
                         {row.is_noperspective, VIREO_REFLECTED_NOPERSPECTIVE},
                         {row.is_centroid, VIREO_REFLECTED_CENTROID},
                         {row.is_sample, VIREO_REFLECTED_SAMPLE},
                         {row.is_patch, VIREO_REFLECTED_PATCH}});
  return_list(reflection->variable_arrays[index], &out->array, &out->array_count);
  out->vulkan_format = to_c(vulkan_format(reflection->module.facts, row.type));
  return VIREO_OK;
}

vireo_status vireo_reflection_spec_constant(const vireo_reflection* reflection, std::uint32_t index,
                                            vireo_reflected_spec_constant* out) {
  if (!begin_row(reflection, &Reflection::spec_constants, index, out)) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedSpecConstant& row = reflection->reflection.spec_constants()[index];
  *out = {to_c(row.name), row.spec_id, row.id, row.type, row.default_bits};
  return VIREO_OK;
}

vireo_status vireo_reflection_structure(const vireo_reflection* reflection, std::uint32_t index,
                                        vireo_reflected_structure* out) {
  if (!begin_row(reflection, &Reflection::structures, index, out)) return VIREO_BAD_ARGUMENT;
  const spirv::Word id = reflection->reflection.structures()[index];
  // The names were read with the reflection.
  *out = {to_c(reflection->module.facts.names().of(id)), id,
          static_cast<std::uint32_t>(reflection->reflection.members(id).size())};
  return VIREO_OK;
}

std::uint32_t vireo_reflection_find_structure(const vireo_reflection* reflection, std::uint32_t id) {
  if (reflection == nullptr) return VIREO_NONE;
  // In the order of declaration.
  const std::span<const spirv::Word> structures = reflection->reflection.structures();
  const auto place_of = [&](spirv::Word structure) { return reflection->module.module.definition(structure); };
  const auto row = std::ranges::lower_bound(structures, place_of(id), {}, place_of);
  return row == structures.end() || *row != id ? VIREO_NONE : static_cast<std::uint32_t>(row - structures.begin());
}

vireo_status vireo_reflection_member(const vireo_reflection* reflection, std::uint32_t structure, std::uint32_t member,
                                     vireo_reflected_member* out) {
  if (!begin_row(reflection, &Reflection::structures, structure, out)) return VIREO_BAD_ARGUMENT;
  const auto rows = reflection->reflection.members(reflection->reflection.structures()[structure]);
  if (member >= rows.size()) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedMember& row = rows[member];
  out->name = to_c(row.name);
  out->type = row.type;
  out->offset = or_none(row.offset);
  out->location = or_none(row.location);
  out->component = or_none(row.component);
  out->built_in = or_none(row.built_in);
  out->array_stride = row.array_stride;
  out->matrix_stride = row.matrix_stride;
  out->flags = flags_of({{row.is_readonly, VIREO_REFLECTED_READONLY},
                         {row.is_writeonly, VIREO_REFLECTED_WRITEONLY},
                         {row.is_row_major, VIREO_REFLECTED_ROW_MAJOR}});
  out->has_size = row.size ? 1 : 0;
  out->size = row.size.value_or(0);
  out->padding = row.padding;
  return VIREO_OK;
}

vireo_status vireo_reflection_other_variable(const vireo_reflection* reflection, std::uint32_t index,
                                             vireo_reflected_other_variable* out) {
  if (!begin_row(reflection, &Reflection::other_variables, index, out)) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedOtherVariable& row = reflection->reflection.other_variables()[index];
  out->name = to_c(row.name);
  out->id = row.id;
  out->storage_class = static_cast<std::uint32_t>(row.storage);
  out->type = row.type;
  out->location = or_none(row.location);
  return_list(reflection->other_arrays[index], &out->array, &out->array_count);
  out->block_size = row.block_size.value_or(0);
  return VIREO_OK;
}

vireo_status vireo_reflection_heap_access(const vireo_reflection* reflection, std::uint32_t index,
                                          vireo_reflected_heap_access* out) {
  if (!begin_row(reflection, &Reflection::heap_accesses, index, out)) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedHeapAccess& row = reflection->reflection.heap_accesses()[index];
  out->id = row.id;
  out->heap = row.heap;
  out->built_in = static_cast<std::uint32_t>(row.built_in);
  out->descriptor_type = static_cast<std::uint32_t>(row.descriptor);
  out->type = row.type;
  out->flags = flags_of({{row.is_readonly, VIREO_REFLECTED_READONLY}, {row.is_writeonly, VIREO_REFLECTED_WRITEONLY}});
  out->step_count = static_cast<std::uint32_t>(row.steps.size());
  return_list(row.blocks, &out->blocks, &out->block_count);
  out->block_size = row.block_size.value_or(0);
  out->offset = number_to_c(row.offset);
  return VIREO_OK;
}

vireo_status vireo_reflection_heap_step(const vireo_reflection* reflection, std::uint32_t access, std::uint32_t step,
                                        vireo_reflected_heap_step* out) {
  if (!begin_row(reflection, &Reflection::heap_accesses, access, out)) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedHeapAccess& row = reflection->reflection.heap_accesses()[access];
  if (step >= row.steps.size()) return VIREO_BAD_ARGUMENT;
  const spirv::ReflectedHeapStep& found = row.steps[step];
  out->type = found.type;
  out->member = or_none(found.member);
  if (found.index) out->index = number_to_c(*found.index);
  out->bytes = number_to_c(found.bytes);
  return VIREO_OK;
}

// --- texts --------------------------------------------------------------------------------------------------------------

vireo_status vireo_reflection_json(const vireo_reflection* reflection, vireo_string file, vireo_string entry_point,
                                   vireo_write write, void* user) {
  const bool are_texts = is_span(file.data, file.size) && is_span(entry_point.data, entry_point.size);
  if (reflection == nullptr || !are_texts || write == nullptr) return VIREO_BAD_ARGUMENT;
  return write_to(write, user, nullptr, [&](TextSink& sink, Diagnostics&) {
    write_reflection_json(reflection->reflection, from_c(file), {.entry_point = from_c(entry_point)}, sink);
  });
}

vireo_status vireo_reflection_header(const vireo_reflection* reflection, vireo_string file, vireo_string scope,
                                     std::uint32_t language, vireo_write write, void* user) {
  const bool are_texts = is_span(file.data, file.size) && is_span(scope.data, scope.size);
  if (reflection == nullptr || !are_texts || language > VIREO_HEADER_CPP || write == nullptr) {
    return VIREO_BAD_ARGUMENT;
  }
  return write_to(write, user, nullptr, [&](TextSink& sink, Diagnostics&) {
    const bool is_cpp = language == VIREO_HEADER_CPP;
    const spirv::ReflectionHeaderOptions options = {
        .language = is_cpp ? spirv::HeaderLanguage::Cpp : spirv::HeaderLanguage::C, .scope = from_c(scope)};
    write_reflection_header(reflection->reflection, from_c(file), options, sink);
  });
}
