// SPDX-License-Identifier: Apache-2.0
//
// Requirements of entry points that a device decides: modes that must agree, streams of a geometry shader, captured
// outputs, outputs and payloads of mesh shaders, payloads of execution graphs.
//
// The numbers are lower bounds, as in entry_limits.cpp, so each finding is a real violation.
//
// Source: Vulkan, "Runtime SPIR-V Validation", "Limits"; "Mesh Shader Output".
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "spirv/module/layouts/type_layouts.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/device/device_check.h"
#include "vireo/spirv/binary/views/primitive.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

// A property that states for which widths of floats an execution mode may differ.
struct Independence {
  std::string_view property;
  ExecutionMode modes[2];
  std::uint16_t vuid_16_64, vuid_all;
};
constexpr Independence independences[] = {
    {"denormBehaviorIndependence", {ExecutionMode::DenormPreserve, ExecutionMode::DenormFlushToZero}, 6289, 6290},
    {"roundingModeIndependence", {ExecutionMode::RoundingModeRTE, ExecutionMode::RoundingModeRTZ}, 6291, 6292},
};
// VkShaderFloatControlsIndependence.
constexpr std::int64_t only_32_bits = 0, all_independent = 1;

class EntryNeeds {
 public:
  explicit EntryNeeds(const DeviceCheck& device)
      : device_(device),
        c_(device.c),
        layouts_(device.c.facts, LayoutKind::Implicit),
        walk_(device.c.facts.call_graph(), device.c.module) {}

  void run() {
    for (const EntryPointRow& entry : c_.module_declarations.entry_points()) {
      entry_ = &entry;
      for (const Independence& row : independences) check_independence(row);
      check_captures();
      check_built_ins();
      if (entry.model == ExecutionModel::MeshEXT) check_mesh_outputs();
      check_instructions();
      if (c_.budget.is_exceeded()) return;
    }
  }

 private:
  [[nodiscard]] Place at_entry() const { return model_place(c_, *entry_); }
  bool compare(DeviceNumber number, std::uint64_t value) {
    return check_device_number(c_, number, value, at_entry(), entry_);
  }

  // The mode of the entry point for floats of a width; nullptr if it has none.
  [[nodiscard]] const ExecutionModeRow* mode_for(const Independence& row, Word width) const {
    for (const ExecutionModeRow& mode : c_.module_declarations.modes_of(entry_->function)) {
      if (is_one_of(row.modes, mode.mode) && !mode.has_ids && !mode.operands.empty() && mode.operands[0] == width)
        return &mode;
    }
    return nullptr;
  }

  void check_independence(const Independence& row) {
    const auto independence = device_.values.find(row.property);
    if (!independence || *independence == all_independent) return;
    const ExecutionModeRow *half = mode_for(row, 16), *single = mode_for(row, 32), *wide = mode_for(row, 64);
    const auto differ = [&](const ExecutionModeRow* a, const ExecutionModeRow* b) {
      if (a == nullptr || b == nullptr || a->mode == b->mode) return false;
      c_.report(Rule::DeviceFloatModes, mode_place(*b),
                {entry_->name, a->mode, a->operands[0], b->mode, b->operands[0], row.property});
      c_.vuid(*independence == only_32_bits ? row.vuid_16_64 : row.vuid_all);
      c_.note(mode_place(*a), "{enumerant} set here", {a->mode});
      return true;
    };
    if (*independence == only_32_bits) {
      differ(half, wide);
      return;
    }
    if (!differ(half, single) && !differ(half, wide)) differ(single, wide);
  }

  // --- transform feedback -------------------------------------------------------------------------------------------------

  // More than any device captures. Sums of two such sizes do not overflow.
  static constexpr std::uint64_t most_bytes = TypeRow::unknown_bits / 8;

  // The size of a type; most_bytes if 64 bits cannot count its bits. Nothing if it has no known size.
  static std::optional<std::uint64_t> captured_bytes(const TypeRow& type) {
    if (type.has_known_size()) return type.bits / 8;
    using enum TypeTrait;
    const bool is_unsized = type.contains.has_any(Bool | Pointer | Opaque | RuntimeArray | SpecSized | Void | Unknown);
    return is_unsized ? std::nullopt : std::optional(most_bytes);
  }

  // The ends of captured outputs, for each stream and buffer. Sizes have no padding.
  void check_captures() {
    std::map<Word, std::map<Word, std::uint64_t>> ends;
    std::uint64_t most = 0;
    const auto add = [&](Word target, Word member, Word owner, Word type_id) {
      const DecorationRow* offset = c_.decorations.find(target, member, Decoration::Offset);
      const DecorationRow* buffer = c_.decorations.find(target, member, Decoration::XfbBuffer);
      if (buffer == nullptr) buffer = c_.decorations.find(owner, Decoration::XfbBuffer);
      const TypeRow& type = c_.types.of(type_id);
      const std::optional<std::uint64_t> size = captured_bytes(type);
      if (offset == nullptr || buffer == nullptr || !size) return;
      const DecorationRow* stream = c_.decorations.find(target, member, Decoration::Stream);
      if (stream == nullptr) stream = c_.decorations.find(owner, Decoration::Stream);
      const Word number = stream == nullptr ? 0 : c_.decorations.operand_or(*stream, 0);
      std::uint64_t& end = ends[number][c_.decorations.operand_or(*buffer, 0)];
      end = std::max(end, c_.decorations.operand_or(*offset, 0) + *size);
      most = std::max(most, end);
    };
    for (const Word id : entry_->interface_) {
      const VariableInfo variable = variable_info(c_, id);
      if (variable.storage != StorageClass::Output || variable.holds == nullptr || !c_.soundness.is_sound(id)) continue;
      add(id, no_member, id, variable.holds->id);
      const TypeRow& type = variable.holds->innermost();
      if (!type.is(TypeKind::Struct) || !c_.decorations.has_on_member(type.id, Decoration::Offset)) continue;
      const Words members = c_.types.members(type);
      if (!c_.budget.spend(members.size())) return;
      for (Word member = 0; member < members.size(); ++member) add(type.id, member, id, members[member]);
    }
    if (ends.empty()) return;
    compare(DeviceNumber::CapturedBytes, most);
    std::uint64_t largest = 0;
    for (const auto& [stream, buffers] : ends) {
      std::uint64_t sum = 0;
      for (const auto& [buffer, end] : buffers) sum = std::min(sum + end, most_bytes);
      largest = std::max(largest, sum);
    }
    compare(DeviceNumber::StreamBytes, largest);
  }

  // --- built-ins ----------------------------------------------------------------------------------------------------------

  // Whether a variable of the interface, or a member of its block, has the built-in.
  [[nodiscard]] bool has_built_in(BuiltIn built_in) const {
    const auto is_it = [&](const DecorationRow& row) {
      return row.decoration == Decoration::BuiltIn &&
             static_cast<BuiltIn>(c_.decorations.operand_or(row, 0)) == built_in;
    };
    return std::ranges::any_of(entry_->interface_, [&](Word id) {
      const VariableInfo variable = variable_info(c_, id);
      return std::ranges::any_of(c_.decorations.all_of(id), is_it) ||
             (variable.holds != nullptr &&
              std::ranges::any_of(c_.decorations.all_of(variable.holds->innermost().id), is_it));
    });
  }

  void check_built_ins() {
    const ExecutionModeRow* coverage = c_.module_declarations.mode(entry_->function, ExecutionMode::PostDepthCoverage);
    if (coverage != nullptr && has_built_in(BuiltIn::FullyCoveredEXT))
      device_.need(DeviceUse::CoverageAfterTests, mode_place(*coverage), bit_of(entry_->model));
    if (entry_->model != ExecutionModel::MeshEXT) return;
    const ExecutionModeRow* points = c_.module_declarations.mode(entry_->function, ExecutionMode::OutputPoints);
    if (points != nullptr && !has_built_in(BuiltIn::PointSize))
      device_.need(DeviceUse::MissingPointSize, mode_place(*points), bit_of(entry_->model));
    if (has_built_in(BuiltIn::PrimitiveShadingRateKHR))
      device_.need(DeviceUse::MeshShadingRate, at_entry(), bit_of(entry_->model));
  }

  // --- mesh shaders -------------------------------------------------------------------------------------------------------

  [[nodiscard]] std::uint64_t mode_number(ExecutionMode mode) const {
    const ExecutionModeRow* row = c_.module_declarations.mode(entry_->function, mode);
    return row == nullptr || row->has_ids || row->operands.empty() ? 0 : row->operands[0];
  }

  // The bytes of user-defined outputs for one view; built-ins and padding are not counted.
  void check_mesh_outputs() {
    std::uint64_t per_vertex = 0, per_primitive = 0, payload = 0;
    for (const Word id : entry_->interface_) {
      const VariableInfo variable = variable_info(c_, id);
      if (variable.holds == nullptr || !c_.soundness.is_sound(id)) continue;
      if (variable.storage == StorageClass::TaskPayloadWorkgroupEXT) payload += layouts_.size_of(variable.holds->id);
      if (variable.storage != StorageClass::Output || !variable.holds->is_array()) continue;
      const TypeRow& element = variable.holds->element_type();
      if (!element.has_known_size() || c_.decorations.has(id, Decoration::BuiltIn) ||
          c_.decorations.has_on_member(element.id, Decoration::BuiltIn))
        continue;
      const bool is_primitive = c_.decorations.has(id, Decoration::PerPrimitiveEXT) ||
                                c_.decorations.has_on_member(element.id, Decoration::PerPrimitiveEXT);
      (is_primitive ? per_primitive : per_vertex) += element.bits / 8;
    }
    const auto granularity = [&](std::string_view name) {
      return static_cast<std::uint64_t>(std::max<std::int64_t>(device_.values.find(name).value_or(1), 1));
    };
    const std::uint64_t bytes =
        bounded_product(per_vertex, round_up(mode_number(ExecutionMode::OutputVertices),
                                             granularity("meshOutputPerVertexGranularity"))) +
        bounded_product(per_primitive, round_up(mode_number(ExecutionMode::OutputPrimitivesEXT),
                                                granularity("meshOutputPerPrimitiveGranularity")));
    if (!compare(DeviceNumber::MeshOutputBytes, bytes)) compare(DeviceNumber::PayloadAndOutputBytes, payload + bytes);
  }

  // --- instructions -------------------------------------------------------------------------------------------------------

  void check_instructions() {
    const FunctionIndex function = c_.module.function_of(entry_->function);
    const bool has_streams = c_.has(Capability::GeometryStreams), has_nodes = c_.has(Capability::ShaderEnqueueAMDX);
    if (function.is_none() || (!has_streams && !has_nodes)) return;
    std::set<std::uint64_t> streams;
    Place later;  // the first use of a second stream
    std::uint64_t outputs = 0, payloads = 0, bytes = 0, largest = 0;
    for (const FunctionIndex each : walk_.below(function)) {
      const InstructionRange range = c_.module.functions()[each.index()].all;
      for (std::uint32_t i = range.first; i < range.end; ++i) {
        if (!c_.budget.spend()) return;
        const InstructionView view = c_.module.instruction(InstructionIndex(i));
        if (const auto emit = as<Op::OpEmitStreamVertex>(view)) {
          const auto stream = c_.constants.as_u64(emit->stream());
          if (stream && streams.insert(*stream).second && streams.size() == 2) later = {InstructionIndex(i), 0};
        }
        const auto allocation = as<Op::OpAllocateNodePayloadsAMDX>(view);
        if (!allocation) continue;
        const TypeRow& array = c_.types.of(allocation->result_type()).pointee();
        const std::uint64_t count = c_.constants.as_u64(allocation->payload_count()).value_or(1);
        ++outputs;
        payloads += count;
        largest = std::max(largest, layouts_.size_of(array.element));
        bytes += bounded_product(count, layouts_.size_of(array.element));
      }
    }
    if (streams.size() > 1 && c_.module_declarations.mode(entry_->function, ExecutionMode::OutputPoints) == nullptr)
      device_.need(DeviceUse::SeveralStreams, later, bit_of(entry_->model),
                   "more than one stream without OutputPoints");
    if (outputs == 0) return;
    compare(DeviceNumber::OutputNodes, outputs);
    compare(DeviceNumber::NodePayloads, payloads);
    // A payload that is too large by itself has its own finding.
    const auto limit = device_.values.find("maxExecutionGraphShaderPayloadSize");
    if (limit && largest <= static_cast<std::uint64_t>(std::max<std::int64_t>(*limit, 0)))
      compare(DeviceNumber::AllOutputPayloadBytes, bytes);
  }

  const DeviceCheck& device_;
  const ModuleCheck& c_;
  const TypeLayouts layouts_;
  CallWalk walk_;
  const EntryPointRow* entry_ = nullptr;
};

}  // namespace

void check_entry_needs(const DeviceCheck& device) { EntryNeeds(device).run(); }

}  // namespace vireo::spirv
