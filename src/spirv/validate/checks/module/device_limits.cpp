// SPDX-License-Identifier: Apache-2.0
//
// Compares the resources that each entry point uses with the limits of the device profile.
//
// Each function here computes a number of an entry point (Quantity), and one function compares it with
// all rows of device_limits.def for this number. A number is a lower bound of what a pipeline needs: an array of
// unknown length counts as one descriptor, and other stages are not known. So each finding is a real violation. Values
// that specialization can change have their defaults.
//
// Source: Vulkan, "Limits", "Runtime SPIR-V Validation".
#include "spirv/validate/checks/module/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "spirv/binary/access_chain.h"
#include "spirv/module/layouts/type_layouts.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/layouts/layout_requirements.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

// The execution modes whose first operand is limited.
struct ModeQuantity {
  ExecutionMode mode;
  Quantity quantity;
};
constexpr ModeQuantity mode_quantities[] = {
    {ExecutionMode::OutputVertices, Quantity::OutputVertices},
    {ExecutionMode::OutputPrimitivesEXT, Quantity::OutputPrimitives},  // also OutputPrimitivesNV
    {ExecutionMode::Invocations, Quantity::ShaderInvocations},
};

constexpr Quantity size_quantities[] = {Quantity::SizeX, Quantity::SizeY, Quantity::SizeZ};

// The value of a limit; nullopt if the profile does not state it.
std::optional<std::int64_t> limit_of(const DeviceSupport& device, std::string_view name) {
  const auto found = std::ranges::find(device.limits, name, &DeviceLimit::name);
  return found == device.limits.end() ? std::nullopt : std::optional(found->value);
}

bool has_limits(const ModuleCheck& c) {
  const DeviceSupport* device = c.options.device;
  return c.is_vulkan() && device != nullptr && !device->limits.empty();
}

// A workgroup size, and the place that states it.
struct WorkgroupExtent {
  std::array<std::uint64_t, 3> sizes{};
  std::array<Place, 3> places{};
  Place place;
};

class LimitCheck {
 public:
  explicit LimitCheck(const ModuleCheck& c)
      : c_(c), uses_(c), calls_(c.facts.call_graph()), walk_(calls_, c.module), size_constant_(find_size_constant()) {}

  void run() {
    for (const EntryPointRow& entry : c_.module_declarations.entry_points()) {
      if (!c_.has_room_for(Rule::DeviceLimit)) return;
      entry_ = &entry;
      check_modes();
      check_workgroup_size();
      const std::vector<VariableInfo> variables = used_variables();
      check_built_ins();
      check_workgroup_memory(variables);
      check_push_constants(variables);
      check_descriptors(variables);
      if (c_.budget.is_exceeded()) return;
    }
  }

 private:
  bool compare(Quantity quantity, std::uint64_t number, Place place) {
    return check_device_limit(c_, quantity, number, *entry_, place);
  }
  [[nodiscard]] Place at_entry() const { return model_place(c_, *entry_); }
  static Place declaration_of(const VariableInfo& variable) { return {variable.declaration, 0}; }
  void note_variable(const VariableInfo& variable, std::string_view text) {
    c_.note(declaration_of(variable), "{id} {text}", {variable.id, text});
  }

  // The variables that the functions of the entry point use, in the order of their declaration.
  std::vector<VariableInfo> used_variables() {
    const FunctionIndex function = c_.module.function_of(entry_->function);
    functions_.clear();
    if (function.is_none()) return {};
    std::vector<Word> ids;
    const auto below = walk_.below(function);
    functions_.assign(below.begin(), below.end());
    for (const FunctionIndex each : functions_) {
      const auto used = uses_.of(each);
      if (!c_.budget.spend(1 + used.size())) return {};
      ids.insert(ids.end(), used.begin(), used.end());
    }
    std::ranges::sort(ids, {}, [&](Word id) { return std::pair(c_.module.definition(id).raw, id); });
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::vector<VariableInfo> variables;
    for (const Word id : ids) {
      const VariableInfo variable = variable_info(c_, id);
      if (variable.holds != nullptr && c_.soundness.is_sound(id)) variables.push_back(variable);
    }
    return variables;
  }

  // --- execution modes and workgroup sizes ---

  void check_modes() {
    for (const ModeQuantity& row : mode_quantities) {
      const ExecutionModeRow* mode = c_.module_declarations.mode(entry_->function, row.mode);
      if (mode != nullptr && !mode->has_ids && !mode->operands.empty())
        compare(row.quantity, mode->operands[0], parameter_place(*mode, 0));
    }
  }

  // A constant with the built-in WorkgroupSize overrides the modes of all entry points.
  [[nodiscard]] const DecorationRow* find_size_constant() const {
    const auto rows = c_.decorations.rows();
    const auto row = std::ranges::find_if(rows, [&](const DecorationRow& each) {
      return each.decoration == Decoration::BuiltIn && each.member == no_member &&
             static_cast<BuiltIn>(c_.decorations.operand_or(each, 0)) == BuiltIn::WorkgroupSize &&
             c_.constants.of(each.target).has_parts();
    });
    return row == rows.end() ? nullptr : &*row;
  }

  [[nodiscard]] std::optional<WorkgroupExtent> extent_of_constant() const {
    WorkgroupExtent extent;
    extent.place = {c_.module.definition(size_constant_->target), 0};
    extent.places.fill(extent.place);
    const auto parts = c_.constants.parts(c_.constants.of(size_constant_->target));
    for (std::size_t i = 0; i < extent.sizes.size(); ++i) {
      // A replicated composite has one part for all dimensions.
      const ConstantRow& part = c_.constants.row(parts[std::min(i, parts.size() - 1)]);
      if (part.kind != ConstantKind::Int || part.status == ConstantStatus::Unknown) return std::nullopt;
      extent.sizes[i] = part.bits;
    }
    return extent;
  }

  [[nodiscard]] std::optional<WorkgroupExtent> workgroup_extent() const {
    if (size_constant_ != nullptr) return extent_of_constant();
    const ExecutionModeRow* mode = c_.module_declarations.mode(entry_->function, ExecutionMode::LocalSize);
    if (mode == nullptr) mode = c_.module_declarations.mode(entry_->function, ExecutionMode::LocalSizeId);
    if (mode == nullptr || mode->operands.size() < 3) return std::nullopt;
    WorkgroupExtent extent;
    extent.place = mode_place(*mode);
    for (std::size_t i = 0; i < extent.sizes.size(); ++i) {
      extent.places[i] = parameter_place(*mode, i);
      const auto value = mode->has_ids ? c_.constants.as_u64(mode->operands[i], ValueUse::OrDefault)
                                       : std::optional<std::uint64_t>(mode->operands[i]);
      if (!value) return std::nullopt;
      extent.sizes[i] = *value;
    }
    return extent;
  }

  void check_workgroup_size() {
    const std::optional<WorkgroupExtent> extent = workgroup_extent();
    if (!extent) return;
    bool is_within = true;
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < extent->sizes.size(); ++i) {
      if (compare(size_quantities[i], extent->sizes[i], extent->places[i])) is_within = false;
      product = bounded_product(product, extent->sizes[i]);
    }
    // A size beyond its own limit mostly exceeds the limit of the product too; one finding is enough.
    if (is_within) compare(Quantity::Invocations, product, extent->place);
  }

  // --- memory ---

  void check_workgroup_memory(std::span<const VariableInfo> variables) {
    std::uint64_t bytes = 0, block_bytes = 0, largest_bytes = 0, payload = 0;
    const VariableInfo* largest = nullptr;
    for (const VariableInfo& variable : variables) {
      if (variable.storage == StorageClass::TaskPayloadWorkgroupEXT)
        payload += implicit_layouts().extent(c_.types.index_of(variable.holds->id)).size;
      if (variable.storage != StorageClass::Workgroup) continue;
      std::uint64_t size = 0;
      if (is_block(c_, variable.holds->id)) {
        // Blocks with an explicit layout share their memory.
        size = layouts().extent(c_.types.index_of(variable.holds->id)).size;
        block_bytes = std::max(block_bytes, size);
      } else {
        const Extent& extent = implicit_layouts().extent(c_.types.index_of(variable.holds->id));
        size = extent.size;
        bytes = std::min(round_up(bytes, extent.aligned(LayoutRules::Base)) + size, TypeLayouts::most);
      }
      if (largest == nullptr || size > largest_bytes) largest = &variable, largest_bytes = size;
    }
    const std::uint64_t total = bytes + block_bytes;
    const auto note_largest = [&] {
      if (largest != nullptr) note_variable(*largest, fmt::format("takes {} bytes", largest_bytes));
    };
    if (largest != nullptr && compare(Quantity::WorkgroupBytes, total, at_entry())) {
      note_largest();
    } else if (largest != nullptr) {
      const auto reserved = [&](Quantity quantity, std::string_view name) {
        const auto number = limit_of(*c_.options.device, name);
        if (number && *number > 0 && compare(quantity, total + static_cast<std::uint64_t>(*number), at_entry()))
          note_largest();
      };
      if (has_workgroup_matrix())
        reserved(Quantity::MatrixWorkgroupBytes, "cooperativeMatrixWorkgroupScopeReservedSharedMemory");
      if (c_.has(Capability::SplitBarrierEXT))
        reserved(Quantity::SplitWorkgroupBytes, "splitBarrierReservedSharedMemory");
    }
    if (payload == 0 || compare(Quantity::PayloadBytes, payload, at_entry())) return;
    compare(Quantity::PayloadAndWorkgroupBytes, payload + total, at_entry());
  }

  // Whether the module has cooperative matrices that a workgroup shares.
  [[nodiscard]] bool has_workgroup_matrix() const {
    return std::ranges::any_of(c_.types.rows(), [&](const TypeRow& type) {
      if (!type.is(TypeKind::CooperativeMatrix)) return false;
      const auto scope =
          c_.constants.as_u64(View<Op::OpTypeCooperativeMatrixKHR>(c_.module.instruction(type.declaration)).scope());
      return scope && static_cast<Scope>(*scope) == Scope::Workgroup;
    });
  }

  void check_push_constants(std::span<const VariableInfo> variables) {
    for (const VariableInfo& variable : variables) {
      if (variable.storage != StorageClass::PushConstant) continue;
      const Extent& extent = layouts().extent(c_.types.index_of(variable.holds->id));
      if (!extent.is_known) continue;
      if (compare(Quantity::PushConstantBytes, extent.size, at_entry()) ||
          (c_.has(Capability::DescriptorHeapEXT) && compare(Quantity::HeapPushConstantBytes, extent.size, at_entry())))
        note_variable(variable, "declared here");
    }
  }

  // --- descriptors ---

  // The kinds of descriptors of a variable; None if it has no second kind, or no kind at all.
  std::array<Quantity, 2> kinds_of(const VariableInfo& variable) const {
    const TypeRow& type = variable.holds->innermost();
    switch (type.kind) {
      case TypeKind::Sampler: return {Quantity::Samplers, Quantity::None};
      case TypeKind::SampledImage: return {Quantity::SampledImages, Quantity::Samplers};
      case TypeKind::AccelerationStructure: return {Quantity::AccelerationStructures, Quantity::None};
      case TypeKind::Image: {
        const ImageShape image = c_.types.image(type);
        if (image.dim == Dim::SubpassData) return {Quantity::InputAttachments, Quantity::None};
        return {image.sampled == 2 ? Quantity::StorageImages : Quantity::SampledImages, Quantity::None};
      }
      case TypeKind::Struct: {
        const bool is_storage =
            variable.storage == StorageClass::StorageBuffer || c_.decorations.has(type.id, Decoration::BufferBlock);
        return {is_storage ? Quantity::StorageBuffers : Quantity::UniformBuffers, Quantity::None};
      }
      default: return {Quantity::None, Quantity::None};
    }
  }

  // The number of elements of an array, with the default of a specialization constant; 1 if it is not known.
  std::uint64_t element_count(const TypeRow& array) const {
    return c_.constants.as_u64(array.length, ValueUse::OrDefault).value_or(1);
  }

  // The number of descriptors of a variable: the product of the lengths of its arrays.
  std::uint64_t descriptor_count(const VariableInfo& variable) const {
    std::uint64_t count = 1;
    for (const TypeRow* type = variable.holds; type->is_array(); type = &type->element_type()) {
      count = bounded_product(count, element_count(*type));
      if (!c_.budget.spend()) break;
    }
    return count;
  }

  void check_descriptors(std::span<const VariableInfo> variables) {
    // Variables with one set and binding use the same descriptors.
    std::map<std::tuple<Quantity, Word, Word>, std::uint64_t> counts;
    const VariableInfo* last = nullptr;
    Word sets = 0;
    for (const VariableInfo& variable : variables) {
      const bool is_descriptor = variable.storage == StorageClass::UniformConstant ||
                                 variable.storage == StorageClass::Uniform ||
                                 variable.storage == StorageClass::StorageBuffer;
      const DecorationRow* set = c_.decorations.find(variable.id, Decoration::DescriptorSet);
      const DecorationRow* binding = c_.decorations.find(variable.id, Decoration::Binding);
      if (!is_descriptor || set == nullptr || binding == nullptr) continue;
      const Word set_number = c_.decorations.operand_or(*set, 0);
      if (last == nullptr || set_number > sets) last = &variable, sets = set_number;
      const std::uint64_t count = descriptor_count(variable);
      for (const Quantity kind : kinds_of(variable)) {
        if (kind == Quantity::None) continue;
        std::uint64_t& known = counts[{kind, set_number, c_.decorations.operand_or(*binding, 0)}];
        known = std::max(known, count);
      }
    }
    if (last != nullptr && compare(Quantity::DescriptorSets, std::uint64_t{sets} + 1, at_entry()))
      note_variable(*last, fmt::format("is in set {}", sets));
    std::map<Quantity, std::uint64_t> sums;
    for (const auto& [key, count] : counts) {
      const Quantity kind = std::get<0>(key);
      sums[kind] = std::min(sums[kind] + count, TypeLayouts::most);
      if (kind != Quantity::Samplers)
        sums[Quantity::Resources] = std::min(sums[Quantity::Resources] + count, TypeLayouts::most);
    }
    for (const auto& [kind, count] : sums) compare(kind, count, at_entry());
    if (entry_->model == ExecutionModel::Fragment)
      compare(Quantity::FragmentResources,
              sums[Quantity::StorageBuffers] + sums[Quantity::StorageImages] + output_locations(variables), at_entry());
  }

  // The locations of the outputs that the entry point uses.
  std::uint64_t output_locations(std::span<const VariableInfo> variables) const {
    std::set<std::uint64_t> locations;
    for (const VariableInfo& variable : variables) {
      const DecorationRow* location = c_.decorations.find(variable.id, Decoration::Location);
      if (variable.storage != StorageClass::Output || location == nullptr) continue;
      const std::uint64_t count = std::min<std::uint64_t>(descriptor_count(variable), 1024);
      if (!c_.budget.spend(count)) break;
      for (std::uint64_t i = 0; i < count; ++i) locations.insert(c_.decorations.operand_or(*location, 0) + i);
    }
    return locations.size();
  }

  // --- built-ins ---

  // The elements of the innermost array of a type: the outer one may have an element for each vertex.
  std::uint64_t innermost_count(Word type_id) const {
    std::uint64_t count = 0;
    for (const TypeRow* type = &c_.types.of(type_id); type->is_array(); type = &type->element_type()) {
      count = element_count(*type);
      if (!c_.budget.spend()) break;
    }
    return count;
  }

  // Whether a function of the entry point accesses a member of an interface variable, or the whole variable. An access
  // to an element of an array of structures is followed.
  bool accesses(Word variable, Word member) {
    const auto is_below = [&](const Use& use) {
      const FunctionIndex user = c_.module.function_at(use.instruction);
      return !user.is_none() && std::ranges::find(functions_, user) != functions_.end();
    };
    std::vector<Word> waiting{variable};
    while (!waiting.empty()) {
      const Word pointer = waiting.back();
      waiting.pop_back();
      for (const Use& use : c_.facts.uses().of(pointer)) {
        if (!c_.budget.spend()) return false;
        if (use.kind != UseKind::Operand || !is_below(use)) continue;
        const InstructionView view = c_.module.instruction(use.instruction);
        const auto chain = access_chain(view);
        if (member == no_member || !chain || chain->base != pointer) return true;
        const TypeRow* type = pointee_of(c_, pointer);
        const std::size_t skipped = type == nullptr || !type->is_array() ? 0 : 1;
        if (chain->indexes.size() <= skipped) waiting.push_back(c_.module.result_of(view));
        else if (c_.constants.as_u64(chain->indexes[skipped]) == member) return true;
      }
    }
    return false;
  }

  void check_built_ins() {
    // By storage class: inputs and outputs have separate arrays.
    std::map<StorageClass, std::map<BuiltIn, std::uint64_t>> counts, accessed;
    const auto add = [&](StorageClass storage, const DecorationRow& row, Word type, Word variable) {
      const auto built_in = static_cast<BuiltIn>(c_.decorations.operand_or(row, 0));
      if (!is_one_of({BuiltIn::ClipDistance, BuiltIn::CullDistance, BuiltIn::SampleMask}, built_in)) return;
      std::uint64_t& count = counts[storage][built_in];
      count = std::max(count, innermost_count(type));
      const bool is_without =
          limit_of(*c_.options.device, built_in == BuiltIn::ClipDistance   ? "maxClipDistances"
                                       : built_in == BuiltIn::CullDistance ? "maxCullDistances"
                                                                           : std::string_view()) == 0;
      if (is_without && accesses(variable, row.member)) accessed[storage][built_in] = count;
    };
    for (const Word id : entry_->interface_) {
      const VariableInfo variable = variable_info(c_, id);
      if (variable.holds == nullptr || !c_.soundness.is_sound(id)) continue;
      if (const DecorationRow* row = c_.decorations.find(id, Decoration::BuiltIn))
        add(variable.storage, *row, variable.holds->id, id);
      const TypeRow& type = variable.holds->innermost();
      if (!type.is(TypeKind::Struct) || !c_.decorations.has_on_member(type.id, Decoration::BuiltIn)) continue;
      const auto rows = c_.decorations.all_of(type.id);
      if (!c_.budget.spend(rows.size())) return;
      for (const DecorationRow& row : rows) {
        if (row.decoration == Decoration::BuiltIn && row.member != no_member)
          add(variable.storage, row, c_.types.member_type(type, row.member), id);
      }
    }
    for (auto& [storage, of] : counts) {
      const std::uint64_t clip = of[BuiltIn::ClipDistance], cull = of[BuiltIn::CullDistance];
      // Without the feature, the limit is 0, and the API allows arrays that are not accessed.
      compare(Quantity::AccessedClipDistances, accessed[storage][BuiltIn::ClipDistance], at_entry());
      compare(Quantity::AccessedCullDistances, accessed[storage][BuiltIn::CullDistance], at_entry());
      const bool is_reported = compare(Quantity::ClipDistances, clip, at_entry());
      if (!compare(Quantity::CullDistances, cull, at_entry()) && !is_reported)
        compare(Quantity::ClipAndCullDistances, clip + cull, at_entry());
      compare(Quantity::SampleMaskWords, of[BuiltIn::SampleMask], at_entry());
    }
  }

  // Computed for modules that need them.
  const TypeLayouts& layouts() {
    if (!layouts_) layouts_.emplace(explicit_layouts(c_));
    return *layouts_;
  }
  const TypeLayouts& implicit_layouts() {
    if (!implicit_layouts_) implicit_layouts_.emplace(c_.facts, LayoutKind::Implicit);
    return *implicit_layouts_;
  }

  const ModuleCheck& c_;
  const VariableUses uses_;
  const CallGraph& calls_;
  CallWalk walk_;
  const DecorationRow* const size_constant_;  // nullptr: none
  std::optional<TypeLayouts> layouts_, implicit_layouts_;
  const EntryPointRow* entry_ = nullptr;
  std::vector<FunctionIndex> functions_;  // that the entry point reaches
};

}  // namespace

bool check_device_limit(const ModuleCheck& c, Quantity quantity, std::uint64_t number, const EntryPointRow& entry,
                        Place place) {
  const auto rows = device_limit_checks();
  bool is_exceeded = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const DeviceLimitCheck& row = rows[i];
    if (row.quantity != quantity || !contains(row.models, entry.model)) continue;
    std::string_view name = device_limits()[i].name;
    std::optional<std::int64_t> limit = limit_of(*c.options.device, name);
    if (!limit ||
        (*limit == 0 &&
         is_one_of({Quantity::ClipDistances, Quantity::CullDistances, Quantity::ClipAndCullDistances}, quantity)))
      continue;
    if (*limit != 0 && is_one_of({Quantity::AccessedClipDistances, Quantity::AccessedCullDistances}, quantity))
      continue;
    if (const auto larger = limit_of(*c.options.device, row.raised_by); larger > limit) {
      limit = larger;
      name = row.raised_by;
    }
    const std::uint64_t found = number * row.factor;
    if (*limit >= 0 && found <= static_cast<std::uint64_t>(*limit)) continue;
    std::string text(device_limits()[i].meaning);
    text.replace(text.find("{}"), 2, std::to_string(found));
    c.report(Rule::DeviceLimit, place, {entry.name, text, name, *limit});
    c.vuid(std::string(row.vuid));
    is_exceeded = true;
  }
  return is_exceeded;
}

void check_location_limits(const ModuleCheck& c, const EntryPointRow& entry,
                           std::span<const LocationInterval> intervals) {
  if (!has_limits(c)) return;
  // For each quantity, the interval with the largest location, and the number of locations up to it.
  std::map<Quantity, std::pair<std::uint64_t, const LocationInterval*>> largest;
  for (const LocationInterval& interval : intervals) {
    // A patch input has no limit of its own.
    if (interval.space.is_patch && !interval.space.is_output) continue;
    const Quantity quantity = interval.space.is_patch    ? Quantity::PatchOutputLocations
                              : interval.space.is_output ? Quantity::OutputLocations
                                                         : Quantity::InputLocations;
    const std::uint64_t count = (interval.end - 1) * 2 + interval.lane % 2 + 1;
    auto& [most, at] = largest[quantity];
    if (count > most) most = count, at = &interval;
  }
  for (const auto& [quantity, found] : largest) {
    const auto& [count, interval] = found;
    const Place place = place_in_list(c, entry, interval->order);
    if (check_device_limit(c, quantity, count, entry, place))
      c.note({c.module.definition(interval->variable), 0}, "{id} declared here", {interval->variable});
  }
}

namespace {

// A limit for components of texel offsets.
struct TexelOffsetLimit {
  std::string_view name;
  bool is_gather;
  bool is_least;  ///< false: the limit is the largest value
  std::uint16_t vuid;
};
constexpr TexelOffsetLimit texel_offset_limits[] = {
    {"minTexelOffset", false, true, 6435},
    {"maxTexelOffset", false, false, 6436},
    {"minTexelGatherOffset", true, true, 6376},
    {"maxTexelGatherOffset", true, false, 6377},
};

// Adds the values of the integers in a constant: a scalar, a vector, or an array of vectors.
void add_components(const ModuleCheck& c, const ConstantRow& constant, std::vector<std::int64_t>& values) {
  std::vector<const ConstantRow*> waiting{&constant};
  while (!waiting.empty() && c.budget.spend()) {
    const ConstantRow& row = *waiting.back();
    waiting.pop_back();
    for (const ConstantIndex part : c.constants.parts(row)) waiting.push_back(&c.constants.row(part));
    if (row.kind != ConstantKind::Int || row.status == ConstantStatus::Unknown) continue;
    // Image instructions take offsets as signed numbers, whatever the signedness of the type.
    const std::uint32_t unused_bits = 64 - std::min(std::max(c.types.row(row.type).width, 1u), 64u);
    values.push_back(static_cast<std::int64_t>(row.bits << unused_bits) >> unused_bits);
  }
}

}  // namespace

void check_texel_offset(const InstructionCheck& c, AnyOperand offset, bool is_gather) {
  if (!has_limits(c)) return;
  std::vector<std::int64_t> values;
  add_components(c, c.constants.of(offset), values);
  if (values.empty()) return;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  for (const TexelOffsetLimit& row : texel_offset_limits) {
    const auto limit = limit_of(*c.options.device, row.name);
    const std::int64_t value = row.is_least ? *least : *most;
    if (row.is_gather != is_gather || !limit || (row.is_least ? value >= *limit : value <= *limit)) continue;
    c.report(Rule::DeviceTexelOffset, c.at(offset), {offset, c.op(), value, row.name, *limit});
    c.vuid(row.vuid);
  }
}

void check_device_limits(const ModuleCheck& c) {
  if (has_limits(c)) LimitCheck(c).run();
}

}  // namespace vireo::spirv
