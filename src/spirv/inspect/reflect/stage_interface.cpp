// SPDX-License-Identifier: Apache-2.0
//
// Matches outputs with inputs (stage_interface.h).
#include "spirv/inspect/reflect/stage_interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "spirv/inspect/reflect/pipeline_stages.h"
#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/type_text.h"

namespace vireo::spirv {
namespace {

// Real stages have at most some 128 components. Those beyond are not compared, so that types cannot take much time.
constexpr std::size_t most_components = 1 << 14, most_steps = 1 << 16;

// "location 3, component 1"
template <typename Place>
std::string place_text(const Place& place) {
  return fmt::format("location {}{}", place.location,
                     place.component == 0 ? "" : fmt::format(", component {}", place.component));
}

template <typename Place>
auto place_key(const Place& place) {
  return std::tuple(place.location, place.component);
}

constexpr std::uint64_t max_locations = 0xffffffff;

// The product, at most max_locations.
std::uint64_t locations_of_array(std::uint64_t element, std::uint64_t length) {
  return element != 0 && length > max_locations / element ? max_locations : length * element;
}

}  // namespace

void StageInterfaces::run() {
  const PipelineStage* producer = nullptr;
  std::vector<const PipelineStage*> stages;
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
    if (stage.model != ExecutionModel::Fragment) stages.push_back(&stage);
  }
  check_viewports(stages);
}

// The number of locations of each type. A type is declared after its parts.
const std::vector<std::uint64_t>& StageSlots::locations_of_types(std::uint32_t module) {
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

StageSlots::Interface StageSlots::read(const PipelineStage& stage, bool are_outputs, const StaticUses* uses) {
  const Reflection& module = *modules_[stage.module];
  Interface found;
  for (const std::uint32_t i : module.entry_points()[stage.entry_point].variables) {
    const ReflectedVariable& variable = module.variables()[i];
    if (variable.is_output != are_outputs || variable.built_in) continue;
    if (uses == nullptr || uses->has(variable.id)) add_slots(stage, variable, uses, found.slots);
  }
  std::ranges::stable_sort(found.slots, {}, [](const Slot& slot) { return place_key(slot); });
  for (std::size_t i = 0; i < found.slots.size(); ++i)
    add_components(found.slots[i], static_cast<std::uint32_t>(i), found.components);
  return found;
}

void StageSlots::sort(std::vector<Component>& components) {
  std::ranges::stable_sort(components, {}, [](const Component& each) { return place_key(each); });
}

void StageSlots::add_slots(const PipelineStage& stage, const ReflectedVariable& variable, const StaticUses* uses,
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
    return add_member_slots(
        variable, slot,
        uses == nullptr ? StaticUses::Members{.are_all = true} : uses->members(variable.id, variable.array.size()),
        slots);
  }
  if (!variable.location) return;
  slot.location = *variable.location;
  slots.push_back(std::move(slot));
}

// The members of a block have locations of their own, or follow each other from that of the variable.
void StageSlots::add_member_slots(const ReflectedVariable& variable, const Slot& slot, const StaticUses::Members& used,
                                  std::vector<Slot>& slots) {
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
    row.component = member.component.value_or(0);
    const TypeIndex type = module.facts().types().index_of(member.type);
    next = row.location + (type.is_none() ? 1 : counts[type.index()]);
    if (used.has(member.number)) slots.push_back(std::move(row));
  }
}

// Appends the components of a slot. Each element of an array, and each column of a matrix, begins at the component of the
// slot.
void StageSlots::add_components(const Slot& slot, std::uint32_t number, std::vector<Component>& components) const {
  const Types& types = modules_[slot.place.module]->facts().types();
  struct Part {
    Word type;
    std::uint64_t count;  // how many are left
  };
  std::uint64_t elements = 1, location = slot.location;
  for (const std::uint64_t length : slot.lengths) elements = locations_of_array(elements, length);
  std::vector<Part> parts = {{slot.type, elements}};
  for (std::size_t step = 0; !parts.empty() && step < most_steps && components.size() < most_components; ++step) {
    if (parts.back().count == 0) {
      parts.pop_back();
      continue;
    }
    --parts.back().count;
    const TypeRow& row = types.of(parts.back().type);
    if (row.is(TypeKind::Matrix)) {
      parts.push_back({row.element, row.count});
    } else if (row.is(TypeKind::Array)) {
      parts.push_back({row.element, matcher_.length_of(slot.place.module, row)});
    } else if (row.is(TypeKind::Struct)) {
      const Words members = types.members(row);
      for (std::size_t i = members.size(); i-- > 0;) parts.push_back({members[i], 1});
    } else if (row.is(TypeKind::Vector) || row.is_scalar()) {
      const std::uint64_t count = (row.is(TypeKind::Vector) ? row.count : 1) * (row.component().width == 64 ? 2 : 1);
      for (std::uint64_t i = 0; i < count && components.size() < most_components; ++i) {
        const std::uint64_t component = slot.component + i;
        components.push_back({location + component / components_of_location,
                              static_cast<Word>(component % components_of_location), number, &row.component(),
                              component >= components_of_location && row.component().width == 64});
      }
      location += count > components_of_location ? 2 : 1;
    }
  }
}

StaticUses StageInterfaces::uses_of(const PipelineStage& stage) const {
  const Reflection& module = *modules_[stage.module];
  return {module.facts(), module.entry_points()[stage.entry_point].function};
}

std::string StageInterfaces::type_text_of(const Slot& slot) const {
  std::string text = type_text(modules_[slot.place.module]->facts(), slot.type);
  if (text.starts_with('%')) text = "a structure";  // an id says nothing about another module
  for (std::size_t i = 0; i < std::min<std::size_t>(slot.lengths.size(), 8); ++i) {
    text += fmt::format("[{}]", slot.lengths[i]);
  }
  return text;
}

void StageInterfaces::conflict(const Pair& pair, std::string message, std::string_view vuid) {
  const std::string output =
      fmt::format("the output of the {} stage at {}", to_string(pair.producer.model), place_text(pair.output));
  result_.conflicts.push_back({stanza_of(Rule::PipelineInterface).name.text, output + " " + std::move(message),
                               pair.output.place, pair.input.place, vuid});
}

bool StageInterfaces::check_decorations(const Pair& pair) {
  const auto compare = [&](std::string_view name, bool is_out, bool is_in) {
    if (is_out == is_in) return true;
    conflict(pair,
             fmt::format("{} the decoration {}, but the input of the {} stage {} it", is_out ? "has" : "lacks", name,
                         to_string(pair.consumer.model), is_in ? "has" : "lacks"),
             "VUID-RuntimeSpirv-OpVariable-08746");
    return false;
  };
  return compare("Patch", pair.output.is_patch, pair.input.is_patch) &&
         compare("PerPrimitiveEXT", pair.output.is_per_primitive, pair.input.is_per_primitive);
}

// Compares the scalar types of a component.
bool StageInterfaces::check_type(const Pair& pair, const TypeRow& output, const TypeRow& input) {
  if (matcher_.are_equal(pair.output.place.module, output.id, pair.input.place.module, input.id)) return true;
  const bool begins_there = place_key(pair.output) == place_key(pair.input);
  conflict(pair,
           fmt::format("is {}, but the input of the {} stage{} is {}", type_text_of(pair.output),
                       to_string(pair.consumer.model), begins_there ? "" : " at " + place_text(pair.input),
                       type_text_of(pair.input)),
           "VUID-RuntimeSpirv-OpEntryPoint-07754");
  return false;
}

// Without maintenance4, an output vector has no more components than the input vector that it matches.
void StageInterfaces::check_length(const Pair& pair) {
  const TypeRow& output = modules_[pair.output.place.module]->facts().types().of(pair.output.type);
  const TypeRow& input = modules_[pair.input.place.module]->facts().types().of(pair.input.type);
  const bool are_vectors = output.is(TypeKind::Vector) && input.is(TypeKind::Vector);
  if (options_.maintenance4 || !are_vectors || output.count <= input.count) return;
  conflict(pair,
           fmt::format("is {}, but the input of the {} stage is {} (legal with the feature maintenance4: "
                       "--allow-localsizeid, or --target-env vulkan1.3)",
                       type_text_of(pair.output), to_string(pair.consumer.model), type_text_of(pair.input)),
           "VUID-RuntimeSpirv-maintenance4-06817");
}

// Reports at most one conflict for each input.
void StageInterfaces::match(const PipelineStage& producer, const PipelineStage& consumer) {
  using Component = StageSlots::Component;
  StageSlots::Interface outputs = slots_.read(producer, true, nullptr);
  const StaticUses uses = uses_of(consumer);
  const StageSlots::Interface inputs = slots_.read(consumer, false, &uses);
  const auto key = [](const Component& each) { return place_key(each); };
  StageSlots::sort(outputs.components);
  constexpr std::uint32_t no_slot = 0xFFFFFFFF;
  std::uint32_t reported = no_slot;
  for (std::size_t i = 0; i < inputs.components.size(); ++i) {
    const Component& component = inputs.components[i];
    if (component.slot == reported) continue;
    const Slot& input = inputs.slots[component.slot];
    const auto begin = std::ranges::lower_bound(outputs.components, place_key(component), {}, key);
    const auto end = std::ranges::upper_bound(outputs.components, place_key(component), {}, key);
    const std::span<const Component> same_place(begin, end);
    if (same_place.empty()) {
      reported = component.slot;
      result_.conflicts.push_back(
          {stanza_of(Rule::PipelineInterface).name.text,
           fmt::format("the {} stage reads {}, but the {} stage has no output there", to_string(consumer.model),
                       place_text(component), to_string(producer.model)),
           place_of(producer), input.place, "VUID-RuntimeSpirv-OpEntryPoint-08743"});
      continue;
    }
    // Outputs for each vertex and for each patch or primitive may have one location.
    const auto same = std::ranges::find_if(same_place, [&](const Component& each) {
      const Slot& output = outputs.slots[each.slot];
      return output.is_patch == input.is_patch && output.is_per_primitive == input.is_per_primitive;
    });
    const Component& found = same == same_place.end() ? same_place.front() : *same;
    const Pair pair = {producer, consumer, outputs.slots[found.slot], input};
    if (!check_decorations(pair) || !check_type(pair, *found.scalar, *component.scalar)) {
      reported = component.slot;
      continue;
    }
    const bool is_first = i == 0 || inputs.components[i - 1].slot != component.slot;
    if (is_first && place_key(pair.output) == place_key(input)) check_length(pair);
  }
}

// --- built-ins -------------------------------------------------------------------------------------------------------

PipelinePlace StageInterfaces::place_of(const PipelineStage& stage) const {
  const ReflectedEntryPoint& entry = modules_[stage.module]->entry_points()[stage.entry_point];
  return {stage.module, entry.function, entry.name};
}

StageInterfaces::BuiltInUse StageInterfaces::find_built_in(const PipelineStage& stage, BuiltIn built_in,
                                                           bool is_output) const {
  const Reflection& module = *modules_[stage.module];
  for (const std::uint32_t i : module.entry_points()[stage.entry_point].variables) {
    const ReflectedVariable& variable = module.variables()[i];
    if (variable.is_output != is_output) continue;
    if (variable.built_in == built_in) return {&variable, uses_of(stage).has(variable.id)};
    const auto members = module.members(variable.type);
    const auto member = std::ranges::find(members, built_in, &ReflectedMember::built_in);
    if (member == members.end()) continue;
    return {&variable, uses_of(stage).members(variable.id, variable.array.size()).has(member->number)};
  }
  return {};
}

// A geometry or mesh stage writes the PrimitiveId that the fragment stage reads; other stages leave it to the device.
void StageInterfaces::check_primitive_id(const PipelineStage& producer, const PipelineStage& consumer) {
  const bool is_geometry = producer.model == ExecutionModel::Geometry;
  const bool is_mesh = producer.model == ExecutionModel::MeshEXT || producer.model == ExecutionModel::MeshNV;
  if (consumer.model != ExecutionModel::Fragment || (!is_geometry && !is_mesh)) return;
  const BuiltInUse input = find_built_in(consumer, BuiltIn::PrimitiveId, false);
  if (!input.is_used) return;
  const BuiltInUse output = find_built_in(producer, BuiltIn::PrimitiveId, true);
  if (output.is_used) return;
  const bool is_declared = output.variable != nullptr;
  result_.conflicts.push_back(
      {stanza_of(Rule::PipelineInterface).name.text,
       fmt::format("the Fragment stage reads PrimitiveId, but the {} stage {}", to_string(producer.model),
                   is_declared ? "never writes its output PrimitiveId" : "has no output PrimitiveId"),
       is_declared ? PipelinePlace{producer.module, output.variable->id, output.variable->name} : place_of(producer),
       {consumer.module, input.variable->id, input.variable->name},
       is_geometry ? "VUID-PrimitiveId-Fragment-04331" : "VUID-PrimitiveId-Fragment-04332"});
}

// A rule of the validator reports a stage that uses both.
void StageInterfaces::check_viewports(std::span<const PipelineStage* const> stages) {
  struct Use {
    const PipelineStage* stage = nullptr;
    PipelinePlace place = {};
  } mask, index;
  for (const PipelineStage* stage : stages) {
    const auto find = [&](BuiltIn built_in, Use& use) {
      const BuiltInUse found = find_built_in(*stage, built_in, true);
      if (found.is_used && use.stage == nullptr)
        use = {stage, {stage->module, found.variable->id, found.variable->name}};
    };
    find(BuiltIn::ViewportMaskNV, mask);
    find(BuiltIn::ViewportIndex, index);
  }
  if (mask.stage == nullptr || index.stage == nullptr || mask.stage == index.stage) return;
  result_.conflicts.push_back({stanza_of(Rule::PipelineInterface).name.text,
                               fmt::format("the {} stage uses ViewportMaskNV, but the {} stage uses ViewportIndex",
                                           to_string(mask.stage->model), to_string(index.stage->model)),
                               mask.place, index.place, "VUID-StandaloneSpirv-ViewportMaskNV-04674"});
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
    result_.conflicts.push_back({stanza_of(Rule::PipelineStage).name.text, fmt::format("{} {}", problem, property.name),
                                 place_of(control), place_of(evaluation),
                                 is_missing ? property.missing_vuid : property.different_vuid});
  }
}

}  // namespace vireo::spirv
