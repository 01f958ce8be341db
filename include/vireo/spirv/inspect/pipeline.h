// SPDX-License-Identifier: Apache-2.0
//
// Reflection of a pipeline: what several shaders need together, and where they contradict each other.
//
//   const Reflection* const modules[] = {&vertex, &fragment};
//   const PipelineReflection pipeline = reflect_pipeline(modules, {});
//   for (const PipelineBinding& row : pipeline.bindings) … row.set, row.binding, row.stages …
//
// Each entry point is a stage. The rows of all stages are sorted by what the API calls them, and equal ones
// are one row with a set of stages.
//
// Source: Vulkan specification, "Descriptor Set Interface", "Push Constant Interface", "Interface Matching".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/inspect/reflection_text.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// A declaration in one of several modules.
struct VIREO_API PipelinePlace {
  std::uint32_t module = 0;  ///< its index
  Word id = 0;
  std::string_view name;  ///< of a block that of its type; may be empty
};

/// An entry point of a module.
struct VIREO_API PipelineStage {
  std::uint32_t module = 0;
  std::uint32_t entry_point = 0;  ///< index in Reflection::entry_points()
  ExecutionModel model = ExecutionModel::Vertex;
  std::uint32_t flag = 0;  ///< VkShaderStageFlagBits; 0 if Vulkan has none
};

/// A binding of a descriptor set.
struct VIREO_API PipelineBinding {
  Word set = 0, binding = 0;
  DescriptorType descriptor = DescriptorType::Unknown;
  std::vector<ReflectedLength> array;    ///< the outermost dimension first
  std::uint64_t block_size = 0;          ///< of the largest block, in bytes; 0: no block, or no size
  std::uint32_t stages = 0;              ///< VkShaderStageFlags
  std::vector<PipelinePlace> variables;  ///< that use it, each once
};

/// A range of push constants. Each stage has at most one; stages with equal ranges have one row.
struct VIREO_API PipelinePushConstants {
  std::uint64_t begin = 0, end = 0;  ///< bytes
  std::uint32_t stages = 0;          ///< VkShaderStageFlags
};

/// A SpecId.
struct VIREO_API PipelineSpecConstant {
  Word spec_id = 0;
  Word type = 0;             ///< of the first constant, in its module
  std::uint32_t stages = 0;  ///< VkShaderStageFlags
  PipelinePlace first;       ///< the first constant with it
};

/// An access to a descriptor in a heap.
struct VIREO_API PipelineHeapAccess {
  std::uint32_t module = 0;
  std::uint32_t access = 0;  ///< index in Reflection::heap_accesses()
  std::uint32_t stages = 0;  ///< VkShaderStageFlags
};

/// Two declarations that contradict each other.
struct VIREO_API PipelineConflict {
  std::string_view rule;                ///< "pipeline-binding", a name of validation_rules()
  std::string message;                  ///< one sentence, lower case, no full stop
  PipelinePlace first, second;          ///< equal if one declaration contradicts the pipeline
  std::string_view vuid = {};           ///< of Vulkan; empty if none states the requirement
  Severity severity = Severity::Error;  ///< the usual one of the rule
};

/// The stages of the pipeline, and a feature of its device.
struct VIREO_API PipelineOptions {
  /// Only entry points with one of these names are stages; empty: all. Borrowed during the call.
  std::span<const std::string_view> entry_points = {};
  bool maintenance4 = true;  ///< an input vector may have fewer components than the output (Vulkan 1.3)
};

/// What several shaders need together.
struct VIREO_API PipelineReflection {
  std::vector<PipelineStage> stages;      ///< in the order of the pipeline
  std::vector<PipelineBinding> bindings;  ///< ascending by set and binding
  std::vector<PipelinePushConstants> push_constants;
  std::vector<PipelineSpecConstant> spec_constants;  ///< ascending
  std::vector<PipelineConflict> conflicts;
  std::vector<ReflectedMapping> mappings;         ///< of all bindings to descriptor heaps
  std::vector<PipelineHeapAccess> heap_accesses;  ///< by heap and index; constant indexes precede others
};

/// Merges what the entry points of modules use. With `options.entry_point`, only entry points with this name are
/// stages. Conflicts are: two stages of one model, or of models that are in different pipelines; a stage that needs
/// another one, which is missing; a binding whose variables differ in descriptor type, or whose blocks differ in the
/// offsets or strides of a member; a component of an input that the stage uses and that no output of the previous stage
/// has, or one of another type, Patch or PerPrimitiveEXT; PrimitiveId in a fragment stage that the geometry or mesh stage
/// does not write; ViewportMaskNV and ViewportIndex in different stages; tessellation stages that state different
/// subdivisions or patch sizes, or none; a SpecId with different types or defaults. Variables of one stage may share a
/// binding, also an image and a sampler. Time is near-linear; after a million pairs of types that differ in their ids,
/// types are assumed to be equal.
VIREO_API PipelineReflection reflect_pipeline(std::span<const Reflection* const> modules,
                                              const ReflectionTextOptions& options,
                                              const PipelineOptions& pipeline_options = {});

/// What one entry point of a module needs (its index in Reflection::entry_points()). Other stages of its pipeline are not
/// compared with it.
VIREO_API PipelineReflection reflect_stage(const Reflection& module, std::uint32_t entry_point);
/// The conflicts of a module that no other stage can explain: those of reflect_stage() for the selected entry points, and
/// SpecIds with several defaults. Entry points may differ from each other, because they can be in different pipelines.
VIREO_API std::vector<PipelineConflict> module_conflicts(const Reflection& module,
                                                         const ReflectionTextOptions& options = {});

/// A module of reflect_pipeline(), for reports.
struct VIREO_API PipelineModule {
  const Reflection* reflection = nullptr;
  std::string_view file;                      ///< its name for readers
  std::span<const AllowedRule> allowed = {};  ///< rules that are not reported for a declaration (ValidateOptions)
};
/// Reports the conflicts as findings without a location, with the severities that `options` choose for rules and VUIDs. A
/// finding is dropped if a row of `allowed` names its rule at one of its declarations.
VIREO_API void report_conflicts(const PipelineReflection& pipeline, std::span<const PipelineModule> modules,
                                const ValidateOptions& options, Diagnostics& diagnostics);

/// Writes a header for all modules, as write_reflection_header() does for one. Structures, bindings and constants that
/// several modules declare alike are written once. Of the locations, those of the inputs of the vertex stage and of the
/// outputs of the fragment stage.
VIREO_API bool write_pipeline_header(const PipelineReflection& pipeline, std::span<const Reflection* const> modules,
                                     std::span<const std::string_view> files, const ReflectionHeaderOptions& options,
                                     TextSink& sink);
/// Writes tables, or one JSON document (docs/pipeline.schema.json), for the modules of reflect_pipeline(). `files` are
/// their names for readers; of the options, only `mappings` has an effect. Returns false if the sink rejects a chunk.
VIREO_API bool write_pipeline_table(const PipelineReflection& pipeline, std::span<const Reflection* const> modules,
                                    std::span<const std::string_view> files, TextSink& sink,
                                    const ReflectionTextOptions& options = {});
VIREO_API bool write_pipeline_json(const PipelineReflection& pipeline, std::span<const Reflection* const> modules,
                                   std::span<const std::string_view> files, TextSink& sink,
                                   const ReflectionTextOptions& options = {});
/// The message of a conflict with its places: "…: 'camera' (%12) in a.spv and 'camera' (%9) in b.spv".
VIREO_API std::string pipeline_conflict_text(const PipelineConflict& conflict, std::span<const std::string_view> files);

}  // namespace vireo::spirv
