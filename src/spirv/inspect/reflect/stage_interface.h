// SPDX-License-Identifier: Apache-2.0
//
// Checks that the outputs of each stage of a pipeline match the inputs of the next one, and the modes of its tessellation
// stages.
//
// Source: Vulkan specification, "Interface Matching", "Location Assignment", VkGraphicsPipelineCreateInfo, the built-in
// PrimitiveId; SPV_EXT_mesh_shader (PerPrimitiveEXT).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/inspect/reflect/type_matcher.h"
#include "vireo/spirv/inspect/pipeline.h"

namespace vireo::spirv {

class StageInterfaces {
 public:
  StageInterfaces(std::span<const Reflection* const> modules, const PipelineFeatures& features, TypeMatcher& matcher,
                  PipelineReflection& result)
      : modules_(modules), features_(features), matcher_(matcher), result_(result) {}

  void run();

 private:
  // A variable, or a member of a block, with a location.
  struct Slot {
    std::uint64_t location = 0;
    Word component = 0;
    bool is_patch = false, is_per_primitive = false;
    Word type = 0;
    std::vector<std::uint64_t> lengths;  // of arrays of a variable, without one for each vertex
    PipelinePlace place;                 // with the name of the member
  };

  [[nodiscard]] std::vector<Slot> slots_of(const PipelineStage& stage, bool are_outputs);
  void add_slots(const PipelineStage& stage, const ReflectedVariable& variable, std::vector<Slot>& slots);
  void add_member_slots(const ReflectedVariable& variable, const Slot& slot, std::vector<Slot>& slots);
  void match(const PipelineStage& producer, const PipelineStage& consumer);
  [[nodiscard]] bool has_more_components(const Slot& output, const Slot& input);
  void check_pair(const PipelineStage& producer, const PipelineStage& consumer, const Slot& output, const Slot& input);
  void report_missing(const PipelineStage& producer, const PipelineStage& consumer, std::span<const Slot> before,
                      const Slot& input);
  [[nodiscard]] const ReflectedVariable* find_built_in(const PipelineStage& stage, BuiltIn built_in,
                                                       bool is_output) const;
  void check_primitive_id(const PipelineStage& producer, const PipelineStage& consumer);
  void check_tessellation(const PipelineStage& control, const PipelineStage& evaluation);
  [[nodiscard]] PipelinePlace place_of(const PipelineStage& stage) const;
  [[nodiscard]] bool covers(const Slot& output, const Slot& input);
  [[nodiscard]] bool have_same_type(const Slot& output, const Slot& input);
  [[nodiscard]] std::string type_text_of(const Slot& slot) const;
  [[nodiscard]] const std::vector<std::uint64_t>& locations_of_types(std::uint32_t module);

  std::span<const Reflection* const> modules_;
  const PipelineFeatures& features_;
  TypeMatcher& matcher_;
  PipelineReflection& result_;
  std::map<std::uint32_t, std::vector<std::uint64_t>> locations_;  // by module and index of the type: how many it takes
};

}  // namespace vireo::spirv
