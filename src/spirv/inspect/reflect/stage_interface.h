// SPDX-License-Identifier: Apache-2.0
//
// Checks that the outputs of each stage of a pipeline match the inputs of the next one, and the modes of its tessellation
// stages.
//
// Inputs and outputs are compared component by component: an output may be an array or a longer vector, and several outputs
// may share the location of one input. Only inputs that the stage uses count.
//
// Source: Vulkan specification, "Interface Matching", "Location Assignment", VkGraphicsPipelineCreateInfo, the built-ins
// PrimitiveId and ViewportMaskNV; SPV_EXT_mesh_shader (PerPrimitiveEXT).
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/inspect/reflect/type_matcher.h"
#include "spirv/inspect/static_uses.h"
#include "vireo/spirv/inspect/pipeline.h"

namespace vireo::spirv {

/// A location has four components of 32 bits; a scalar of 64 bits takes two of them.
inline constexpr Word components_of_location = 4;

/// Reads the locations of the inputs or outputs of a stage.
class StageSlots {
 public:
  /// A variable, or a member of a block, with a location.
  struct Slot {
    std::uint64_t location = 0;
    Word component = 0;
    bool is_patch = false, is_per_primitive = false;
    Word type = 0;
    std::vector<std::uint64_t> lengths;  ///< of arrays of a variable, without one for each vertex
    PipelinePlace place;                 ///< with the name of the member
  };
  /// A component of a location.
  struct Component {
    std::uint64_t location = 0;
    Word component = 0;
    std::uint32_t slot = 0;  ///< index of the slot that it belongs to
    const TypeRow* scalar = nullptr;
    bool is_continued = false;  ///< of a vector that begins at the location before
  };
  struct Interface {
    std::vector<Slot> slots;            ///< by location and component
    std::vector<Component> components;  ///< of all slots
  };

  StageSlots(std::span<const Reflection* const> modules, TypeMatcher& matcher) : modules_(modules), matcher_(matcher) {}

  /// With `uses`, only those that the stage uses.
  [[nodiscard]] Interface read(const PipelineStage& stage, bool are_outputs, const StaticUses* uses);
  /// By location and component.
  static void sort(std::vector<Component>& components);

 private:
  void add_slots(const PipelineStage& stage, const ReflectedVariable& variable, const StaticUses* uses,
                 std::vector<Slot>& slots);
  void add_member_slots(const ReflectedVariable& variable, const Slot& slot, const StaticUses::Members& used,
                        std::vector<Slot>& slots);
  void add_components(const Slot& slot, std::uint32_t number, std::vector<Component>& components) const;
  [[nodiscard]] const std::vector<std::uint64_t>& locations_of_types(std::uint32_t module);

  std::span<const Reflection* const> modules_;
  TypeMatcher& matcher_;
  std::map<std::uint32_t, std::vector<std::uint64_t>> locations_;  // by module and index of the type: how many it takes
};

class StageInterfaces {
 public:
  StageInterfaces(std::span<const Reflection* const> modules, const PipelineOptions& options, TypeMatcher& matcher,
                  PipelineReflection& result)
      : modules_(modules), options_(options), matcher_(matcher), slots_(modules, matcher), result_(result) {}

  void run();

 private:
  using Slot = StageSlots::Slot;

  [[nodiscard]] StaticUses uses_of(const PipelineStage& stage) const;
  void match(const PipelineStage& producer, const PipelineStage& consumer);
  struct Pair {
    const PipelineStage &producer, &consumer;
    const Slot &output, &input;
  };
  bool check_decorations(const Pair& pair);
  bool check_type(const Pair& pair, const TypeRow& output, const TypeRow& input);
  void check_length(const Pair& pair);
  void conflict(const Pair& pair, std::string message, std::string_view vuid);
  void check_primitive_id(const PipelineStage& producer, const PipelineStage& consumer);
  void check_viewports(std::span<const PipelineStage* const> stages);
  void check_tessellation(const PipelineStage& control, const PipelineStage& evaluation);
  [[nodiscard]] PipelinePlace place_of(const PipelineStage& stage) const;
  [[nodiscard]] std::string type_text_of(const Slot& slot) const;

  // A variable that has a built-in, or whose block has a member with it.
  struct BuiltInUse {
    const ReflectedVariable* variable = nullptr;  // none: the stage does not declare it
    bool is_used = false;
  };
  [[nodiscard]] BuiltInUse find_built_in(const PipelineStage& stage, BuiltIn built_in, bool is_output) const;

  std::span<const Reflection* const> modules_;
  const PipelineOptions& options_;
  TypeMatcher& matcher_;
  StageSlots slots_;
  PipelineReflection& result_;
};

}  // namespace vireo::spirv
