// SPDX-License-Identifier: Apache-2.0
//
// Matches outputs with inputs (stage_interface.h).
#include "spirv/inspect/reflect/stage_interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "spirv/inspect/reflect/pipeline_stages.h"
#include "spirv/rules.h"
#include "support/printable.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/type_text.h"

namespace vireo::spirv {
namespace {

// A slot that begins further before an input is not looked for; real stages have at most some 32 locations.
constexpr std::size_t most_covering_slots = 256;

// "location 3, component 1"
template <typename Slot>
std::string slot_text(const Slot& slot) {
  return fmt::format("location {}{}", slot.location,
                     slot.component == 0 ? "" : fmt::format(", component {}", slot.component));
}

template <typename Slot>
auto place_key(const Slot& slot) {
  return std::tuple(slot.location, slot.component);
}
template <typename Slot>
auto full_key(const Slot& slot) {
  return std::tuple(slot.location, slot.component, slot.is_patch, slot.is_per_primitive);
}

constexpr std::uint64_t max_locations = 0xffffffff;

// The product, at most max_locations.
std::uint64_t locations_of_array(std::uint64_t element, std::uint64_t length) {
  return element != 0 && length > max_locations / element ? max_locations : length * element;
}

}  // namespace

void StageInterfaces::run() {
  const PipelineStage* producer = nullptr;
  for (const PipelineStage& stage : result_.stages) {
    if (!pipeline_stage_row(stage.model).passes_values) continue;
    // Two stages of one model, or of different kinds of pipelines, are a conflict of their own.
    if (producer != nullptr && producer->model != stage.model &&
        (pipeline_stage_row(producer->model).kinds & pipeline_stage_row(stage.model).kinds) != 0) {
      match(*producer, stage);
      check_primitive_id(*producer, stage);
      if (stage.model == ExecutionModel::TessellationEvaluation) check_tessellation(*producer, stage);
    }
    producer = &stage;
  }
}

// The number of locations of each type. A type is declared after its parts.
const std::vector<std::uint64_t>& StageInterfaces::locations_of_types(std::uint32_t module) {
  std::vector<std::uint64_t>& counts = locations_[module];
  const Types& types = modules_[module]->facts().types();
  if (counts.size() == types.rows().size()) return counts;
  const auto count_of = [&](Word type) {
    const TypeIndex i = types.index_of(type);
    return i.is_none() || i.index() >= counts.size() ? 0 : counts[i.index()];
  };
  for (const TypeRow& row : types.rows()) {
    std::uint64_t count = 1;
    if (row.is(TypeKind::Vector)) {
      // Vectors of three or four 64-bit components.
      count = row.count > 2 && row.component().width == 64 ? 2 : 1;
    } else if (row.is(TypeKind::Matrix)) {
      count = row.count * count_of(row.element);
    } else if (row.is(TypeKind::Array)) {
      const std::uint64_t element = count_of(row.element), length = matcher_.length_of(module, row);
      count = locations_of_array(element, length);
    } else if (row.is(TypeKind::Struct)) {
      count = 0;
      for (const Word member : types.members(row)) count += count_of(member);
    }
    counts.push_back(std::min(count, max_locations));
  }
  return counts;
}

std::vector<StageInterfaces::Slot> StageInterfaces::slots_of(const PipelineStage& stage, bool are_outputs) {
  const Reflection& module = *modules_[stage.module];
  std::vector<Slot> slots;
  for (const std::uint32_t i : module.entry_points()[stage.entry_point].variables) {
    const ReflectedVariable& variable = module.variables()[i];
    if (variable.is_output == are_outputs && !variable.built_in) add_slots(stage, variable, slots);
  }
  std::ranges::stable_sort(slots, {}, [](const Slot& slot) { return full_key(slot); });
  return slots;
}

void StageInterfaces::add_slots(const PipelineStage& stage, const ReflectedVariable& variable,
                                std::vector<Slot>& slots) {
  const Decorations& decorations = modules_[stage.module]->facts().decorations();
  Slot slot;
  slot.component = variable.component.value_or(0);
  slot.type = variable.type;
  slot.place = {stage.module, variable.id, variable.name};
  const PipelineStageRow& row = pipeline_stage_row(stage.model);
  const bool is_array = variable.is_output ? row.has_arrays_out : row.has_arrays_in;
  slot.is_patch = variable.is_patch || decorations.has_on_member(variable.type, Decoration::Patch);
  slot.is_per_primitive = decorations.has(variable.id, Decoration::PerPrimitiveEXT) ||
                          decorations.has_on_member(variable.type, Decoration::PerPrimitiveEXT);
  // Outputs of a mesh stage are arrays with one value for each vertex or primitive.
  const bool is_per_vertex = (is_array && !slot.is_patch) || decorations.has(variable.id, Decoration::PerVertexKHR);
  for (std::size_t i = is_per_vertex ? 1 : 0; i < variable.array.size(); ++i) {
    slot.lengths.push_back(variable.array[i].count);
  }
  const std::span<const ReflectedMember> members = modules_[stage.module]->members(variable.type);
  const bool has_member_locations =
      std::ranges::any_of(members, [](const ReflectedMember& member) { return member.location.has_value(); });
  if (has_member_locations || decorations.has(variable.type, Decoration::Block)) {
    return add_member_slots(variable, slot, slots);
  }
  if (!variable.location) return;
  slot.location = *variable.location;
  slots.push_back(std::move(slot));
}

// The members of a block have locations of their own, or follow each other from that of the variable.
void StageInterfaces::add_member_slots(const ReflectedVariable& variable, const Slot& slot, std::vector<Slot>& slots) {
  const Reflection& module = *modules_[slot.place.module];
  const std::vector<std::uint64_t>& counts = locations_of_types(slot.place.module);
  std::uint64_t next = variable.location.value_or(0);
  for (const ReflectedMember& member : module.members(variable.type)) {
    const bool has_location = member.location || variable.location;
    if (member.built_in || !has_location) continue;
    Slot row = slot;
    row.location = member.location ? *member.location : next;
    row.type = member.type;
    if (!member.name.empty()) row.place.name = member.name;
    const Decorations& decorations = module.facts().decorations();
    const DecorationRow* component = decorations.find(variable.type, member.number, Decoration::Component);
    row.component = component == nullptr ? 0 : decorations.operand_or(*component, 0);
    const TypeIndex type = module.facts().types().index_of(member.type);
    next = row.location + (type.is_none() ? 1 : counts[type.index()]);
    slots.push_back(std::move(row));
  }
}

bool StageInterfaces::have_same_type(const Slot& output, const Slot& input) {
  return output.lengths == input.lengths &&
         matcher_.are_equal(output.place.module, output.type, input.place.module, input.type);
}

// Whether both are vectors with one component type, and the output has more components.
bool StageInterfaces::has_more_components(const Slot& output, const Slot& input) {
  const TypeRow& out = modules_[output.place.module]->facts().types().of(output.type);
  const TypeRow& in = modules_[input.place.module]->facts().types().of(input.type);
  return output.lengths == input.lengths && out.is(TypeKind::Vector) && in.is(TypeKind::Vector) &&
         out.count > in.count && matcher_.are_equal(output.place.module, out.element, input.place.module, in.element);
}

std::string StageInterfaces::type_text_of(const Slot& slot) const {
  std::string text = type_text(modules_[slot.place.module]->facts(), slot.type);
  for (std::size_t i = 0; i < std::min<std::size_t>(slot.lengths.size(), 8); ++i) {
    text += fmt::format("[{}]", slot.lengths[i]);
  }
  return text;
}

// Whether an output covers the location and component of an input, possibly from a lower location on.
bool StageInterfaces::covers(const Slot& output, const Slot& input) {
  const Types& types = modules_[output.place.module]->facts().types();
  const TypeIndex type = types.index_of(output.type);
  if (type.is_none()) return false;
  std::uint64_t count = locations_of_types(output.place.module)[type.index()];
  for (const std::uint64_t length : output.lengths) { count = locations_of_array(count, length); }
  if (input.location < output.location || input.location - output.location >= count) return false;
  // Each location of an array or matrix has the same components. Structures take all of them.
  const TypeRow* element = &types.row(type).innermost();
  if (element->is(TypeKind::Matrix)) element = &element->element_type();
  if (!element->is(TypeKind::Vector) && !element->is_scalar()) return true;
  const std::uint64_t width = element->component().width;
  const std::uint64_t components = (element->is(TypeKind::Vector) ? element->count : 1) * (width == 64 ? 2 : 1);
  return input.component >= output.component && input.component < output.component + components;
}

// `before` are the outputs that precede the location and component of the input.
void StageInterfaces::report_missing(const PipelineStage& producer, const PipelineStage& consumer,
                                     std::span<const Slot> before, const Slot& input) {
  const std::string reads = fmt::format("the {} stage reads {}", to_string(consumer.model), slot_text(input));
  for (std::size_t i = before.size(); i > before.size() - std::min(before.size(), most_covering_slots);) {
    const Slot& output = before[--i];
    if (!covers(output, input)) continue;
    result_.conflicts.push_back({rule::pipeline_interface,
                                 fmt::format("{}, but the output of the {} stage there is {}, which begins at {}",
                                             reads, to_string(producer.model), type_text_of(output), slot_text(output)),
                                 output.place, input.place, "VUID-RuntimeSpirv-OpEntryPoint-08743"});
    return;
  }
  result_.conflicts.push_back(
      {rule::pipeline_interface,
       fmt::format("{}, but the {} stage has no output there", reads, to_string(producer.model)), place_of(producer),
       input.place, "VUID-RuntimeSpirv-OpEntryPoint-08743"});
}

// Checks an output and an input with the same location and component.
void StageInterfaces::check_pair(const PipelineStage& producer, const PipelineStage& consumer, const Slot& output,
                                 const Slot& input) {
  const std::string out = fmt::format("the output of the {} stage at {}", to_string(producer.model), slot_text(output));
  const std::string in = fmt::format("but the input of the {} stage", to_string(consumer.model));
  const auto conflict = [&](std::string message, std::string_view vuid) {
    result_.conflicts.push_back({rule::pipeline_interface, std::move(message), output.place, input.place, vuid});
  };
  const auto compare_decorations = [&](std::string_view name, bool is_out, bool is_in) {
    if (is_out == is_in) return true;
    conflict(fmt::format("{} {} the decoration {}, {} {} it", out, is_out ? "has" : "lacks", name, in,
                         is_in ? "has" : "lacks"),
             "VUID-RuntimeSpirv-OpVariable-08746");
    return false;
  };
  if (!compare_decorations("Patch", output.is_patch, input.is_patch) ||
      !compare_decorations("PerPrimitiveEXT", output.is_per_primitive, input.is_per_primitive)) {
    return;
  }
  const bool is_longer = has_more_components(output, input);
  if (is_longer ? features_.maintenance4 : have_same_type(output, input)) return;
  conflict(fmt::format("{} is {}, {} is {}{}", out, type_text_of(output), in, type_text_of(input),
                       is_longer ? " (legal with maintenance4)" : ""),
           is_longer ? "VUID-RuntimeSpirv-maintenance4-06817" : "VUID-RuntimeSpirv-OpEntryPoint-07754");
}

// --- built-ins -------------------------------------------------------------------------------------------------------

PipelinePlace StageInterfaces::place_of(const PipelineStage& stage) const {
  const ReflectedEntryPoint& entry = modules_[stage.module]->entry_points()[stage.entry_point];
  return {stage.module, entry.function, entry.name};
}

// The variable that has a built-in, or whose block has a member with it; nullptr if there is none.
const ReflectedVariable* StageInterfaces::find_built_in(const PipelineStage& stage, BuiltIn built_in,
                                                        bool is_output) const {
  const Reflection& module = *modules_[stage.module];
  for (const std::uint32_t i : module.entry_points()[stage.entry_point].variables) {
    const ReflectedVariable& variable = module.variables()[i];
    const auto members = module.members(variable.type);
    const bool has_it = variable.built_in == built_in ||
                        std::ranges::find(members, built_in, &ReflectedMember::built_in) != members.end();
    if (variable.is_output == is_output && has_it) return &variable;
  }
  return nullptr;
}

// A geometry or mesh stage writes the PrimitiveId that the fragment stage reads; other stages leave it to the device.
void StageInterfaces::check_primitive_id(const PipelineStage& producer, const PipelineStage& consumer) {
  const bool is_geometry = producer.model == ExecutionModel::Geometry;
  const bool is_mesh = producer.model == ExecutionModel::MeshEXT || producer.model == ExecutionModel::MeshNV;
  if (consumer.model != ExecutionModel::Fragment || (!is_geometry && !is_mesh)) return;
  const ReflectedVariable* input = find_built_in(consumer, BuiltIn::PrimitiveId, false);
  if (input == nullptr || find_built_in(producer, BuiltIn::PrimitiveId, true) != nullptr) return;
  result_.conflicts.push_back(
      {rule::pipeline_interface,
       fmt::format("the Fragment stage reads PrimitiveId, but the {} stage has no output PrimitiveId",
                   to_string(producer.model)),
       place_of(producer),
       {consumer.module, input->id, input->name},
       is_geometry ? "VUID-PrimitiveId-Fragment-04331" : "VUID-PrimitiveId-Fragment-04332"});
}

// --- tessellation ----------------------------------------------------------------------------------------------------

namespace {

// A property of tessellation that one of both stages states, or both alike.
struct TessellationProperty {
  std::string_view name;
  std::array<ExecutionMode, 3> modes;  ///< the first one repeated if there are fewer
  std::string_view missing_vuid, different_vuid;
};
constexpr TessellationProperty tessellation_properties[] = {
    {"subdivision (Triangles, Quads or Isolines)",
     {ExecutionMode::Triangles, ExecutionMode::Quads, ExecutionMode::Isolines},
     "VUID-VkGraphicsPipelineCreateInfo-pStages-00732",
     "VUID-VkGraphicsPipelineCreateInfo-pStages-00733"},
    {"patch size (OutputVertices)",
     {ExecutionMode::OutputVertices, ExecutionMode::OutputVertices, ExecutionMode::OutputVertices},
     "VUID-VkGraphicsPipelineCreateInfo-pStages-00734",
     "VUID-VkGraphicsPipelineCreateInfo-pStages-00735"},
};

}  // namespace

void StageInterfaces::check_tessellation(const PipelineStage& control, const PipelineStage& evaluation) {
  if (control.model != ExecutionModel::TessellationControl) return;
  const auto find_mode = [&](const PipelineStage& stage, const TessellationProperty& property) {
    const Reflection& module = *modules_[stage.module];
    const ModuleDeclarations& declarations = module.facts().module_declarations();
    const ExecutionModeRow* row = nullptr;
    for (const ExecutionMode mode : property.modes) {
      if (row == nullptr) row = declarations.mode(module.entry_points()[stage.entry_point].function, mode);
    }
    return row;
  };
  for (const TessellationProperty& property : tessellation_properties) {
    const ExecutionModeRow *first = find_mode(control, property), *second = find_mode(evaluation, property);
    const bool is_missing = first == nullptr && second == nullptr;
    if (!is_missing && (first == nullptr || second == nullptr ||
                        (first->mode == second->mode && std::ranges::equal(first->operands, second->operands))))
      continue;
    const std::string_view problem =
        is_missing ? "no tessellation stage states the" : "the tessellation stages differ in the";
    result_.conflicts.push_back({rule::pipeline_stage, fmt::format("{} {}", problem, property.name), place_of(control),
                                 place_of(evaluation), is_missing ? property.missing_vuid : property.different_vuid});
  }
}

void StageInterfaces::match(const PipelineStage& producer, const PipelineStage& consumer) {
  const std::vector<Slot> outputs = slots_of(producer, true), inputs = slots_of(consumer, false);
  const auto place = [](const Slot& slot) { return place_key(slot); };
  const auto full = [](const Slot& slot) { return full_key(slot); };
  for (const Slot& input : inputs) {
    const auto first = std::ranges::lower_bound(outputs, place_key(input), {}, place);
    if (first == outputs.end() || place_key(*first) != place_key(input)) {
      report_missing(producer, consumer, {outputs.begin(), first}, input);
      continue;
    }
    // Outputs for each vertex and for each patch or primitive may have one location.
    const auto same = std::ranges::lower_bound(outputs, full_key(input), {}, full);
    const bool is_found = same != outputs.end() && full_key(*same) == full_key(input);
    check_pair(producer, consumer, is_found ? *same : *first, input);
  }
}

}  // namespace vireo::spirv
