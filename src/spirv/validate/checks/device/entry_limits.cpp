// SPDX-License-Identifier: Apache-2.0
//
// Compares the resources that each entry point uses with the limits of the device: modes, workgroup sizes, memory,
// descriptors, arrays of built-ins.
//
// Each function computes a number, which check_device_number() compares with the rows of DEVICE_LIMIT. A number is a
// lower bound of what a pipeline needs: an array of unknown length counts as one descriptor, and other stages are not
// known. So each finding is a real violation. Values that specialization can change have their defaults.
//
// Source: Vulkan, "Limits", "Runtime SPIR-V Validation".
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
#include "spirv/validate/checks/device/device_check.h"
#include "spirv/validate/layouts/layout_requirements.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

// The execution modes whose first operand is limited.
struct LimitedMode {
  ExecutionMode mode;
  DeviceNumber number;
};
constexpr LimitedMode limited_modes[] = {
    {ExecutionMode::OutputVertices, DeviceNumber::OutputVertices},
    {ExecutionMode::OutputPrimitivesEXT, DeviceNumber::OutputPrimitives},  // also OutputPrimitivesNV
    {ExecutionMode::Invocations, DeviceNumber::ShaderInvocations},
};

constexpr DeviceNumber sizes[] = {DeviceNumber::SizeX, DeviceNumber::SizeY, DeviceNumber::SizeZ};

// A workgroup size, and the place that states it.
struct WorkgroupExtent {
  std::array<std::uint64_t, 3> sizes{};
  std::array<Place, 3> places{};
  Place place;
};

class EntryLimits {
 public:
  explicit EntryLimits(const ModuleCheck& c)
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
  bool compare(DeviceNumber number, std::uint64_t value, Place place) {
    return check_device_number(c_, number, value, place, entry_);
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
    for (const LimitedMode& row : limited_modes) {
      const ExecutionModeRow* mode = c_.module_declarations.mode(entry_->function, row.mode);
      if (mode != nullptr && !mode->has_ids && !mode->operands.empty())
        compare(row.number, mode->operands[0], parameter_place(*mode, 0));
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
      if (compare(sizes[i], extent->sizes[i], extent->places[i])) is_within = false;
      product = bounded_product(product, extent->sizes[i]);
    }
    // A size beyond its own limit mostly exceeds the limit of the product too; one finding is enough.
    if (is_within) compare(DeviceNumber::Invocations, product, extent->place);
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
    if (largest != nullptr && compare(DeviceNumber::WorkgroupBytes, total, at_entry())) {
      note_largest();
    } else if (largest != nullptr) {
      const auto reserved = [&](DeviceNumber kind, std::string_view name) {
        const auto number = c_.device->find(name);
        if (number && *number > 0 && compare(kind, total + static_cast<std::uint64_t>(*number), at_entry()))
          note_largest();
      };
      if (has_workgroup_matrix())
        reserved(DeviceNumber::MatrixWorkgroupBytes, "cooperativeMatrixWorkgroupScopeReservedSharedMemory");
      if (c_.has(Capability::SplitBarrierEXT))
        reserved(DeviceNumber::SplitWorkgroupBytes, "splitBarrierReservedSharedMemory");
    }
    if (payload == 0 || compare(DeviceNumber::PayloadBytes, payload, at_entry())) return;
    compare(DeviceNumber::PayloadAndWorkgroupBytes, payload + total, at_entry());
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
      if (compare(DeviceNumber::PushConstantBytes, extent.size, at_entry()) ||
          (c_.has(Capability::DescriptorHeapEXT) &&
           compare(DeviceNumber::HeapPushConstantBytes, extent.size, at_entry())))
        note_variable(variable, "declared here");
    }
  }

  // --- descriptors ---

  // The kinds of descriptors of a variable; None if it has no second kind, or no kind at all.
  std::array<DeviceNumber, 2> kinds_of(const VariableInfo& variable) const {
    const TypeRow& type = variable.holds->innermost();
    switch (type.kind) {
      case TypeKind::Sampler: return {DeviceNumber::Samplers, DeviceNumber::None};
      case TypeKind::SampledImage: return {DeviceNumber::SampledImages, DeviceNumber::Samplers};
      case TypeKind::AccelerationStructure: return {DeviceNumber::AccelerationStructures, DeviceNumber::None};
      case TypeKind::Image: {
        const ImageShape image = c_.types.image(type);
        if (image.dim == Dim::SubpassData) return {DeviceNumber::InputAttachments, DeviceNumber::None};
        return {image.sampled == 2 ? DeviceNumber::StorageImages : DeviceNumber::SampledImages, DeviceNumber::None};
      }
      case TypeKind::Struct: {
        const bool is_storage =
            variable.storage == StorageClass::StorageBuffer || c_.decorations.has(type.id, Decoration::BufferBlock);
        return {is_storage ? DeviceNumber::StorageBuffers : DeviceNumber::UniformBuffers, DeviceNumber::None};
      }
      default: return {DeviceNumber::None, DeviceNumber::None};
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
    std::map<std::tuple<DeviceNumber, Word, Word>, std::uint64_t> counts;
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
      for (const DeviceNumber kind : kinds_of(variable)) {
        if (kind == DeviceNumber::None) continue;
        std::uint64_t& known = counts[{kind, set_number, c_.decorations.operand_or(*binding, 0)}];
        known = std::max(known, count);
      }
    }
    if (last != nullptr && compare(DeviceNumber::DescriptorSets, std::uint64_t{sets} + 1, at_entry()))
      note_variable(*last, fmt::format("is in set {}", sets));
    std::map<DeviceNumber, std::uint64_t> sums;
    for (const auto& [key, count] : counts) {
      const DeviceNumber kind = std::get<0>(key);
      sums[kind] = std::min(sums[kind] + count, TypeLayouts::most);
      if (kind != DeviceNumber::Samplers)
        sums[DeviceNumber::Resources] = std::min(sums[DeviceNumber::Resources] + count, TypeLayouts::most);
    }
    for (const auto& [kind, count] : sums) compare(kind, count, at_entry());
    if (entry_->model == ExecutionModel::Fragment)
      compare(DeviceNumber::FragmentResources,
              sums[DeviceNumber::StorageBuffers] + sums[DeviceNumber::StorageImages] + output_locations(variables),
              at_entry());
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

  static std::string_view limit_of(BuiltIn distances) {
    return distances == BuiltIn::ClipDistance   ? "maxClipDistances"
           : distances == BuiltIn::CullDistance ? "maxCullDistances"
                                                : std::string_view();
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
      if (c_.device->find(limit_of(built_in)) == 0 && accesses(variable, row.member))
        accessed[storage][built_in] = count;
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
      const auto is_limited = [&](std::string_view limit) { return c_.device->find(limit) != 0; };
      compare(DeviceNumber::AccessedClipDistances, accessed[storage][BuiltIn::ClipDistance], at_entry());
      compare(DeviceNumber::AccessedCullDistances, accessed[storage][BuiltIn::CullDistance], at_entry());
      bool is_reported =
          is_limited(limit_of(BuiltIn::ClipDistance)) && compare(DeviceNumber::ClipDistances, clip, at_entry());
      is_reported |=
          is_limited(limit_of(BuiltIn::CullDistance)) && compare(DeviceNumber::CullDistances, cull, at_entry());
      if (!is_reported && is_limited("maxCombinedClipAndCullDistances"))
        compare(DeviceNumber::ClipAndCullDistances, clip + cull, at_entry());
      compare(DeviceNumber::SampleMaskWords, of[BuiltIn::SampleMask], at_entry());
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

void check_entry_limits(const ModuleCheck& c) {
  if (c.device != nullptr) EntryLimits(c).run();
}

}  // namespace vireo::spirv
