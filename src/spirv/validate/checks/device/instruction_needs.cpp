// SPDX-License-Identifier: Apache-2.0
//
// The instructions of functions for which a device needs features, stages or limits.
//
// One pass over the functions; each function of this file reads one group of instructions. The execution models are
// those of the entry points that reach the function. Values that specialization can change are not compared.
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "spirv/binary/named_operand.h"
#include "spirv/module/layouts/type_layouts.h"
#include "spirv/validate/analysis/constant_components.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/device/device_check.h"
#include "vireo/spirv/binary/views/all.h"

namespace vireo::spirv {
namespace {

using enum Op;
using enum DeviceUse;

constexpr Op quad_operations[] = {OpGroupNonUniformQuadBroadcast, OpGroupNonUniformQuadSwap,
                                  OpGroupNonUniformQuadAllKHR, OpGroupNonUniformQuadAnyKHR};
constexpr Op image_processing[] = {OpImageSampleWeightedQCOM,      OpImageBoxFilterQCOM,
                                   OpImageBlockMatchSSDQCOM,       OpImageBlockMatchSADQCOM,
                                   OpImageBlockMatchWindowSSDQCOM, OpImageBlockMatchWindowSADQCOM,
                                   OpImageBlockMatchGatherSSDQCOM, OpImageBlockMatchGatherSADQCOM};

class InstructionNeeds {
 public:
  explicit InstructionNeeds(const DeviceCheck& device)
      : device_(device), c_(device.c), layouts_(device.c.facts, LayoutKind::Implicit) {}

  void run() {
    const auto functions = c_.module.functions();
    for (std::size_t f = 0; f < functions.size(); ++f) {
      models_ = device_.models_of(FunctionIndex(static_cast<std::uint32_t>(f)));
      for (std::uint32_t i = functions[f].all.first; i < functions[f].all.end; ++i) {
        index_ = InstructionIndex(i);
        view_ = c_.module.instruction(index_);
        const InstructionRow* row = c_.grammar().find_opcode(op());
        if (row == nullptr) continue;
        name_ = c_.grammar().text(row->name);
        if (const Word result = c_.module.result_of(view_); result == 0 || c_.soundness.is_sound(result)) visit();
      }
    }
  }

 private:
  [[nodiscard]] Op op() const { return view_.opcode; }
  [[nodiscard]] Place here() const { return {index_, 0}; }
  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] AnyOperand operand(OperandName name) const { return named_operand(view_, name); }
  [[nodiscard]] Place at(AnyOperand operand) const { return {index_, operand.word}; }
  bool need(DeviceUse use, std::string_view subject = {}) const { return device_.need(use, here(), models_, subject); }
  void bound(DeviceNumber number, OperandName name) const {
    const AnyOperand value = operand(name);
    if (const auto known = c_.constants.as_u64(value)) device_.bound(number, *known, at(value));
  }

  void visit() {
    visit_group();
    visit_atomic();
    visit_matrix();
    visit_texel_pointer();
    switch (op()) {
      case OpReadClockKHR: return visit_clock();
      case OpExtInstWithForwardRefsKHR: need(ForwardReferences); return;
      case OpFmaKHR: return visit_fma();
      case OpEmitStreamVertex:
      case OpEndStreamPrimitive: return bound(DeviceNumber::EmittedStream, OperandName::stream);
      case OpCooperativeVectorReduceSumAccumulateNV: return visit_reduce_sum();
      case OpCooperativeVectorOuterProductAccumulateNV: return visit_outer_product();
      case OpTensorReadARM:
      case OpTensorWriteARM: return visit_tensor();
      case OpEmitMeshTasksEXT: return visit_mesh_tasks();
      case OpHitObjectSetShaderBindingTableRecordIndexEXT:
        return bound(DeviceNumber::RecordIndex, OperandName::sbt_record_index);
      case OpImageBoxFilterQCOM: return visit_box_filter();
      case OpAllocateNodePayloadsAMDX: return visit_payloads();
      case OpLoopMerge: return visit_loop();
      default: return visit_block_match();
    }
  }

  // --- groups ---------------------------------------------------------------------------------------------------------

  // The names of all group instructions start with OpGroup; those with an execution scope are group operations.
  void visit_group() {
    const AnyOperand scope = operand(OperandName::execution);
    if (scope.id == 0 || !name().starts_with("OpGroup")) return;
    const auto value = c_.constants.as_u64(scope);
    if (value && static_cast<Scope>(*value) == Scope::Subgroup)
      device_.staged(StagedUse::SubgroupOperation, here(), models_, name());
    if (is_one_of(quad_operations, op()) && need(QuadOperation, name())) return;
    if (const AnyOperand operated = operand(OperandName::value); operated.id != 0) visit_group_type(operated);
    if (op() == OpGroupNonUniformRotateKHR && operand(OperandName::cluster_size).id != 0) need(ClusteredRotate);
    // Before SPIR-V 1.5 the operand must be a constant on all devices (rule broadcast-constant).
    if (op() == OpGroupNonUniformQuadBroadcast) visit_dynamic(OperandName::index, DynamicQuadIndex);
    if (op() == OpGroupNonUniformBroadcast) visit_dynamic(OperandName::invocation_id, DynamicBroadcastId);
  }

  void visit_dynamic(OperandName name, DeviceUse use) {
    const AnyOperand value = operand(name);
    if (c_.version() >= Version{1, 5} && value.id != 0 && !c_.is_constant(value)) device_.need(use, at(value), models_);
  }

  void visit_group_type(AnyOperand value) {
    const TypeRow* type = c_.find_type_of(value);
    if (type == nullptr) return;
    const TypeRow& scalar = type->component();
    const bool is_extended = scalar.is(TypeKind::Int)     ? scalar.width != 32
                             : scalar.is(TypeKind::Float) ? scalar.width == 16
                                                          : false;
    if (is_extended)
      device_.need(ExtendedSubgroupType, at(value), models_, std::string(name()) + " on " + type_name(c_, type->id));
  }

  // --- atomics --------------------------------------------------------------------------------------------------------

  void visit_atomic() {
    if (!name().starts_with("OpAtomic")) return;
    if (need(Atomic, name())) return;
    const AnyOperand pointer = operand(OperandName::pointer);
    const TypeRow* pointer_type = c_.find_type_of(pointer);
    if (pointer_type == nullptr || !pointer_type->is_pointer()) return;
    // An untyped pointer does not state the type: the value has it.
    const AnyOperand stored = operand(OperandName::value);
    const Word type_id = view_.opcode == OpAtomicStore || view_.opcode == OpAtomicFlagClear
                             ? c_.type_id_of(stored)
                             : c_.type_id_of(c_.module.result_of(view_));
    const TypeRow& type = c_.types.of(type_id);
    const StorageClass storage = pointer_type->storage;
    const bool is_buffer = storage == StorageClass::StorageBuffer || storage == StorageClass::Uniform;
    const bool is_shared = storage == StorageClass::Workgroup, is_image = storage == StorageClass::Image;
    if (type.is_int(64)) {
      if (is_buffer || is_shared || is_image)
        need(is_buffer ? BufferInt64Atomic : is_shared ? SharedInt64Atomic : ImageInt64Atomic, name());
      return;
    }
    const TypeRow& scalar = type.component();
    if (!scalar.is(TypeKind::Float)) return;
    if (type.is_vector()) {
      need(VectorAtomic, name());
      return;
    }
    if (storage == StorageClass::StorageBuffer && need(BufferFloatAtomic, name())) return;
    if (is_shared && need(SharedFloatAtomic, name())) return;
    if (is_image && scalar.width == 32 && need(ImageFloatAtomic, name())) return;
    if (scalar.width == 16) need(Float16Atomic, name());
    if (scalar.width == 32) need(Float32Atomic, name());
    if (scalar.width == 64) need(Float64Atomic, name());
  }

  // --- matrices and tensors ---------------------------------------------------------------------------------------------

  void visit_matrix() {
    const Word result = c_.module.result_of(view_);
    const TypeRow* type = result == 0 ? nullptr : c_.find_type_of(result);
    const std::string_view text = name();
    const auto is = [&](std::string_view prefix, std::string_view suffix) {
      return text.starts_with(prefix) && text.ends_with(suffix);
    };
    const bool is_matrix = is("OpCooperativeMatrix", "") || (type != nullptr && type->is_cooperative_matrix());
    if (is_matrix) {
      const bool is_nv = type != nullptr && type->is_cooperative_matrix() ? type->is(TypeKind::CooperativeMatrixNV)
                         : c_.has(Capability::CooperativeMatrixNV)        ? !c_.has(Capability::CooperativeMatrixKHR)
                                                                          : false;
      device_.staged(is_nv ? StagedUse::CooperativeMatrixNV : StagedUse::CooperativeMatrix, here(), models_, text);
    }
    // The same type is a long vector if the module lacks the capability.
    if (c_.has(Capability::CooperativeVectorNV) &&
        (is("OpCooperativeVector", "") || (type != nullptr && type->is(TypeKind::LongVector))))
      device_.staged(StagedUse::CooperativeVector, here(), models_, text);
    if (is("OpTensor", "ARM")) device_.staged(StagedUse::Tensor, here(), models_, text);
  }

  void visit_reduce_sum() {
    const TypeRow& scalar = c_.type_of(operand(OperandName::v)).component();
    if (scalar.is(TypeKind::Float) && scalar.width == 16) need(ReduceSum16);
    if (scalar.is(TypeKind::Float) && scalar.width == 32) need(ReduceSum32);
  }

  void visit_outer_product() {
    const auto value = c_.constants.as_u64(operand(OperandName::matrix_interpretation));
    if (!value) return;
    if (static_cast<ComponentType>(*value) == ComponentType::Float16NV) need(OuterProduct16);
    if (static_cast<ComponentType>(*value) == ComponentType::Float32NV) need(OuterProduct32);
  }

  void visit_tensor() {
    const Word value = op() == OpTensorReadARM ? c_.module.result_of(view_) : operand(OperandName::object).id;
    const TypeRow* type = c_.find_type_of(value);
    if (type == nullptr) return;
    if (type->is_array())
      device_.bound(DeviceNumber::TensorElements, c_.constants.as_u64(type->length, ValueUse::OrDefault).value_or(1),
                    here());
    if (type->has_known_size()) device_.bound(DeviceNumber::TensorBytes, type->bits / 8, here());
  }

  // --- other instructions -------------------------------------------------------------------------------------------------

  void visit_clock() {
    const auto scope = c_.constants.as_u64(operand(OperandName::scope));
    if (!scope) return;
    if (static_cast<Scope>(*scope) == Scope::Subgroup) need(SubgroupClock);
    if (static_cast<Scope>(*scope) == Scope::Device) need(DeviceClock);
  }

  void visit_fma() {
    const std::uint32_t width = c_.type_of(c_.module.result_of(view_)).component().width;
    if (width == 16) need(Fma16);
    if (width == 32) need(Fma32);
    if (width == 64) need(Fma64);
  }

  void visit_texel_pointer() {
    const bool is_pointer = op() == OpImageTexelPointer || op() == OpUntypedImageTexelPointerEXT;
    const bool is_processing = is_one_of(image_processing, op());
    if (!is_pointer && !is_processing) return;
    for (const OperandName name :
         {OperandName::image, OperandName::texture, OperandName::weights, OperandName::target, OperandName::reference,
          OperandName::target_sampled_image, OperandName::reference_sampled_image}) {
      if (const AnyOperand image = operand(name); image.id != 0 && is_tile_attachment(image)) {
        need(is_pointer ? TileTexelPointer : TileImageProcessing, this->name());
        return;
      }
    }
  }

  // Whether a value, or the object that it was loaded from, is in TileAttachmentQCOM.
  [[nodiscard]] bool is_tile_attachment(Word id) const {
    for (int steps = 0; steps < 8; ++steps) {
      const TypeRow* type = c_.find_type_of(id);
      if (type != nullptr && type->is_pointer()) return type->storage == StorageClass::TileAttachmentQCOM;
      const InstructionView source = c_.module.find(id);
      if (const auto load = as<OpLoad>(source)) id = load->pointer();
      else if (const auto combined = as<OpSampledImage>(source)) id = combined->image();
      else if (const auto copy = as<OpCopyObject>(source)) id = copy->operand();
      else return false;
    }
    return false;
  }

  void visit_mesh_tasks() {
    constexpr std::pair<OperandName, DeviceNumber> counts[] = {{OperandName::group_count_x, DeviceNumber::MeshGroupsX},
                                                               {OperandName::group_count_y, DeviceNumber::MeshGroupsY},
                                                               {OperandName::group_count_z, DeviceNumber::MeshGroupsZ}};
    std::uint64_t product = 1;
    bool is_within = true;
    for (const auto& [name, number] : counts) {
      const AnyOperand count = operand(name);
      const auto value = c_.constants.as_u64(count);
      if (!value) return;
      is_within &= !device_.bound(number, *value, at(count));
      product = bounded_product(product, *value);
    }
    if (is_within) device_.bound(DeviceNumber::MeshGroups, product, here());
  }

  void visit_box_filter() {
    const AnyOperand size = operand(OperandName::box_size);
    if (const auto height = float_component(c_, size, 1); height && *height >= 0 && *height < 1e9)
      device_.bound(DeviceNumber::BoxHeight, static_cast<std::uint64_t>(*height), at(size));
  }

  void visit_block_match() {
    if (!name().starts_with("OpImageBlockMatch")) return;
    const bool is_window = !name().ends_with("MatchSSDQCOM") && !name().ends_with("MatchSADQCOM");
    const AnyOperand size = operand(OperandName::block_size);
    if (constant_component_count(c_, size) != 2) return;
    const auto width = component_bits(c_, size, 0), height = component_bits(c_, size, 1);
    using enum DeviceNumber;
    if (width && device_.bound(is_window ? WindowWidth : MatchWidth, *width, at(size))) return;
    if (height) device_.bound(is_window ? WindowHeight : MatchHeight, *height, at(size));
  }

  void visit_payloads() {
    const TypeRow& pointer = c_.type_of(c_.module.result_of(view_));
    if (pointer.is_pointer() && pointer.pointee().is(TypeKind::NodePayloadArray))
      device_.bound(DeviceNumber::OutputPayloadBytes, layouts_.size_of(pointer.pointee().element), here());
  }

  // The parameters of loop controls are in the order of their bits; the one of MultipleWaitQueuesQCOM is the last but
  // for those of higher bits, which have none in shaders.
  void visit_loop() {
    const auto control = static_cast<Word>(as<OpLoopMerge>(view_)->loop_control().value());
    constexpr auto queues = static_cast<Word>(LoopControl::MultipleWaitQueuesQCOM);
    if ((control & queues) == 0 || (control & ~(queues | (queues - 1))) != 0) return;
    const auto last = static_cast<std::uint16_t>(view_.word_count - 1);
    device_.bound(DeviceNumber::WaitQueues, view_.word(last), {index_, last});
  }

  const DeviceCheck& device_;
  const ModuleCheck& c_;
  const TypeLayouts layouts_;
  Models models_ = 0;  // of the current function
  InstructionIndex index_;
  InstructionView view_;
  std::string_view name_;  // "OpLoad"
};

}  // namespace

void check_instruction_needs(const DeviceCheck& device) { InstructionNeeds(device).run(); }

}  // namespace vireo::spirv
