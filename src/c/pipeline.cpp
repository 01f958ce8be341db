// SPDX-License-Identifier: Apache-2.0
//
// The C interface of pipelines (vireo/vireo_inspect.h).
//
// As for a reflection (reflect.cpp), lists whose elements differ in C are converted once.
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "c/reflect_rows.h"
#include "vireo/spirv/inspect/pipeline.h"

struct vireo_pipeline {
  std::vector<const vireo::spirv::Reflection*> modules;
  vireo::spirv::PipelineReflection pipeline;
  std::vector<std::vector<vireo_reflected_length>> arrays;   // by binding
  std::vector<std::vector<vireo_pipeline_place>> variables;  // by binding
};

namespace vireo::c {
namespace {

vireo_pipeline_place place_to_c(const spirv::PipelinePlace& place) {
  return {place.module, place.id, to_c(place.name)};
}

// Common code of the queries: `convert` makes a row of C from the row with an index.
template <typename Row, typename Out, typename Convert>
vireo_status pipeline_row(const vireo_pipeline* pipeline, std::vector<Row> spirv::PipelineReflection::*rows,
                          std::uint32_t index, Out* out, const Convert& convert) {
  if (pipeline == nullptr || out == nullptr || index >= (pipeline->pipeline.*rows).size()) return VIREO_BAD_ARGUMENT;
  *out = convert((pipeline->pipeline.*rows)[index]);
  return VIREO_OK;
}

template <typename Row>
std::uint32_t pipeline_count(const vireo_pipeline* pipeline, std::vector<Row> spirv::PipelineReflection::*rows) {
  return pipeline == nullptr ? 0 : static_cast<std::uint32_t>((pipeline->pipeline.*rows).size());
}

}  // namespace
}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;
using spirv::PipelineReflection;

vireo_status vireo_pipeline_create(const vireo_reflection* const* modules, std::size_t count, vireo_string entry_point,
                                   vireo_pipeline** out) {
  if (out == nullptr) return VIREO_BAD_ARGUMENT;
  *out = nullptr;
  if (!is_span(modules, count) || !is_span(entry_point.data, entry_point.size)) return VIREO_BAD_ARGUMENT;
  for (const vireo_reflection* module : std::span(modules, count)) {
    if (module == nullptr) return VIREO_BAD_ARGUMENT;
  }
  return guarded([&] {
    auto made = std::make_unique<vireo_pipeline>();
    made->modules.reserve(count);
    for (const vireo_reflection* module : std::span(modules, count)) made->modules.push_back(&module->reflection);
    made->pipeline = spirv::reflect_pipeline(made->modules, {.entry_point = from_c(entry_point)});
    for (const spirv::PipelineBinding& row : made->pipeline.bindings) {
      made->arrays.push_back(lengths_to_c(row.array));
      std::vector<vireo_pipeline_place>& places = made->variables.emplace_back();
      places.reserve(row.variables.size());
      for (const spirv::PipelinePlace& place : row.variables) places.push_back(place_to_c(place));
    }
    *out = made.release();
    return VIREO_OK;
  });
}

void vireo_pipeline_destroy(vireo_pipeline* pipeline) { delete pipeline; }

std::uint32_t vireo_pipeline_stage_count(const vireo_pipeline* pipeline) {
  return pipeline_count(pipeline, &PipelineReflection::stages);
}
std::uint32_t vireo_pipeline_binding_count(const vireo_pipeline* pipeline) {
  return pipeline_count(pipeline, &PipelineReflection::bindings);
}
std::uint32_t vireo_pipeline_push_range_count(const vireo_pipeline* pipeline) {
  return pipeline_count(pipeline, &PipelineReflection::push_constants);
}
std::uint32_t vireo_pipeline_spec_constant_count(const vireo_pipeline* pipeline) {
  return pipeline_count(pipeline, &PipelineReflection::spec_constants);
}
std::uint32_t vireo_pipeline_conflict_count(const vireo_pipeline* pipeline) {
  return pipeline_count(pipeline, &PipelineReflection::conflicts);
}

std::uint32_t vireo_pipeline_heap_access_count(const vireo_pipeline* pipeline) {
  return pipeline_count(pipeline, &PipelineReflection::heap_accesses);
}

vireo_status vireo_pipeline_get_stage(const vireo_pipeline* pipeline, std::uint32_t index, vireo_pipeline_stage* out) {
  return pipeline_row(pipeline, &PipelineReflection::stages, index, out,
                      [](const spirv::PipelineStage& row) -> vireo_pipeline_stage {
                        return {row.module, row.entry_point, static_cast<std::uint32_t>(row.model), row.flag};
                      });
}

vireo_status vireo_pipeline_get_binding(const vireo_pipeline* pipeline, std::uint32_t index,
                                        vireo_pipeline_binding* out) {
  return pipeline_row(pipeline, &PipelineReflection::bindings, index, out, [&](const spirv::PipelineBinding& row) {
    vireo_pipeline_binding made = {};
    made.set = row.set;
    made.binding = row.binding;
    made.descriptor_type = static_cast<std::uint32_t>(row.descriptor);
    made.stages = row.stages;
    return_list(pipeline->arrays[index], &made.array, &made.array_count);
    return_list(pipeline->variables[index], &made.variables, &made.variable_count);
    made.block_size = row.block_size;
    return made;
  });
}

vireo_status vireo_pipeline_get_push_range(const vireo_pipeline* pipeline, std::uint32_t index,
                                           vireo_pipeline_push_range* out) {
  return pipeline_row(pipeline, &PipelineReflection::push_constants, index, out,
                      [](const spirv::PipelinePushConstants& row) -> vireo_pipeline_push_range {
                        return {row.begin, row.end, row.stages};
                      });
}

vireo_status vireo_pipeline_get_spec_constant(const vireo_pipeline* pipeline, std::uint32_t index,
                                              vireo_pipeline_spec_constant* out) {
  return pipeline_row(pipeline, &PipelineReflection::spec_constants, index, out,
                      [](const spirv::PipelineSpecConstant& row) -> vireo_pipeline_spec_constant {
                        return {row.spec_id, row.type, row.stages, place_to_c(row.first)};
                      });
}

vireo_status vireo_pipeline_get_conflict(const vireo_pipeline* pipeline, std::uint32_t index,
                                         vireo_pipeline_conflict* out) {
  return pipeline_row(pipeline, &PipelineReflection::conflicts, index, out,
                      [](const spirv::PipelineConflict& row) -> vireo_pipeline_conflict {
                        return {to_c(row.rule),         to_c(row.message), place_to_c(row.first),
                                place_to_c(row.second), to_c(row.vuid),    static_cast<std::uint32_t>(row.severity)};
                      });
}

vireo_status vireo_pipeline_get_heap_access(const vireo_pipeline* pipeline, std::uint32_t index,
                                            vireo_pipeline_heap_access* out) {
  return pipeline_row(pipeline, &PipelineReflection::heap_accesses, index, out,
                      [](const spirv::PipelineHeapAccess& row) -> vireo_pipeline_heap_access {
                        return {row.module, row.access, row.stages};
                      });
}

vireo_status vireo_pipeline_json(const vireo_pipeline* pipeline, const vireo_string* files, std::size_t file_count,
                                 vireo_write write, void* user) {
  if (pipeline == nullptr || !is_span(files, file_count) || write == nullptr) return VIREO_BAD_ARGUMENT;
  if (file_count != pipeline->modules.size()) return VIREO_BAD_ARGUMENT;
  for (const vireo_string& file : std::span(files, file_count)) {
    if (!is_span(file.data, file.size)) return VIREO_BAD_ARGUMENT;
  }
  return write_to(write, user, nullptr, [&](TextSink& sink, Diagnostics&) {
    std::vector<std::string_view> names;
    names.reserve(file_count);
    for (const vireo_string& file : std::span(files, file_count)) names.push_back(from_c(file));
    spirv::write_pipeline_json(pipeline->pipeline, pipeline->modules, names, sink);
  });
}
