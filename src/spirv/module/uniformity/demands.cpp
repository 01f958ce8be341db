// SPDX-License-Identifier: Apache-2.0
//
// The demands of a function: the instructions whose operands or whose control flow must be uniform.
//
// Source: the descriptions of the instructions; the Vulkan chapters on derivative operations and mesh shading, and the
// appendix on SPIR-V (RuntimeSpirv).
#include <algorithm>
#include <initializer_list>

#include "spirv/grammar/opcode_families.h"
#include "spirv/module/uniformity/function_uniformity.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// Instructions of the class of images that access no image.
constexpr std::initializer_list<Op> without_access = {OpSampledImage,
                                                      OpImage,
                                                      OpImageTexelPointer,
                                                      OpImageSparseTexelsResident,
                                                      OpColorAttachmentReadEXT,
                                                      OpDepthAttachmentReadEXT,
                                                      OpStencilAttachmentReadEXT};

/// The operands that name resources, for instructions outside of the classes of images and atomics.
struct AccessRow {
  Op opcode;
  OperandName operand;
};
constexpr AccessRow access_rows[] = {
    {OpLoad, OperandName::pointer},
    {OpStore, OperandName::pointer},
    {OpCopyMemory, OperandName::target},
    {OpCopyMemory, OperandName::source},
    {OpCopyMemorySized, OperandName::target},
    {OpCopyMemorySized, OperandName::source},
    {OpArrayLength, OperandName::structure},
    {OpUntypedArrayLengthKHR, OperandName::pointer},
    {OpCooperativeMatrixLoadKHR, OperandName::pointer},
    {OpCooperativeMatrixStoreKHR, OperandName::pointer},
    {OpCooperativeVectorLoadNV, OperandName::pointer},
    {OpCooperativeVectorStoreNV, OperandName::pointer},
    {OpImageWrite, OperandName::image},
    {OpFragmentMaskFetchAMD, OperandName::image},
    {OpFragmentFetchAMD, OperandName::image},
    {OpRayQueryInitializeKHR, OperandName::accel},
    {OpTraceRayKHR, OperandName::accel},
    {OpTraceRayMotionNV, OperandName::accel},
    {OpHitObjectTraceRayNV, OperandName::acceleration_structure},
    {OpHitObjectTraceRayEXT, OperandName::acceleration_structure},
};

/// Operands that must be uniform in the quad.
constexpr AccessRow processing_rows[] = {
    {OpImageSampleWeightedQCOM, OperandName::texture},
    {OpImageSampleWeightedQCOM, OperandName::weights},
    {OpImageBoxFilterQCOM, OperandName::texture},
    {OpImageBoxFilterQCOM, OperandName::box_size},
    {OpImageBlockMatchSSDQCOM, OperandName::target},
    {OpImageBlockMatchSSDQCOM, OperandName::reference},
    {OpImageBlockMatchSSDQCOM, OperandName::block_size},
    {OpImageBlockMatchSADQCOM, OperandName::target},
    {OpImageBlockMatchSADQCOM, OperandName::reference},
    {OpImageBlockMatchSADQCOM, OperandName::block_size},
    {OpImageBlockMatchWindowSSDQCOM, OperandName::target_sampled_image},
    {OpImageBlockMatchWindowSSDQCOM, OperandName::reference_sampled_image},
    {OpImageBlockMatchWindowSSDQCOM, OperandName::block_size},
    {OpImageBlockMatchWindowSADQCOM, OperandName::target_sampled_image},
    {OpImageBlockMatchWindowSADQCOM, OperandName::reference_sampled_image},
    {OpImageBlockMatchWindowSADQCOM, OperandName::block_size},
    {OpImageBlockMatchGatherSSDQCOM, OperandName::target_sampled_image},
    {OpImageBlockMatchGatherSSDQCOM, OperandName::reference_sampled_image},
    {OpImageBlockMatchGatherSSDQCOM, OperandName::block_size},
    {OpImageBlockMatchGatherSADQCOM, OperandName::target_sampled_image},
    {OpImageBlockMatchGatherSADQCOM, OperandName::reference_sampled_image},
    {OpImageBlockMatchGatherSADQCOM, OperandName::block_size},
};

}  // namespace

bool FunctionUniformity::is_primitive_indices(Word pointer) const {
  const Word root = root_of(pointer);
  const DecorationRow* row = root == 0 ? nullptr : c_.decorations.find(root, Decoration::BuiltIn);
  return row != nullptr && is_one_of({BuiltIn::PrimitivePointIndicesEXT, BuiltIn::PrimitiveLineIndicesEXT,
                                      BuiltIn::PrimitiveTriangleIndicesEXT},
                                     static_cast<BuiltIn>(c_.decorations.operand_or(*row, 0)));
}

void FunctionUniformity::demand_control(Demand kind, InstructionIndex i, LocalBlock b, std::uint16_t planes) {
  NodeIndex node = control_.control(b);
  if (calls_so_far_[b.index()] != uniform_node) {
    node = graph_.add(NodeKind::Join, i, regions_.loop_of(b));
    graph_.connect(control_.control(b), node);
    graph_.connect(calls_so_far_[b.index()], node);
  }
  demands_.push_back({kind, planes, i, 0, 0, b, node});
}

void FunctionUniformity::demand_value(Demand kind, InstructionIndex i, std::size_t word, InstructionView view,
                                      LocalBlock b, std::uint16_t planes) {
  const NodeIndex node = use(view.word(word), b);
  if (node == uniform_node) return;
  demands_.push_back({kind, planes, i, static_cast<std::uint16_t>(word), view.word(word), b, node});
}

void FunctionUniformity::demand_resource(InstructionIndex i, std::size_t word, InstructionView view, LocalBlock b) {
  const Word id = view.word(word);
  const NodeIndex node = control_.seen_from(resource_of(id), b);
  const bool is_decorated = c_.decorations.has(id, Decoration::NonUniform);
  if (node == uniform_node && !is_decorated) return;
  demands_.push_back(
      {Demand::Resource, subgroup_plane | group_plane, i, static_cast<std::uint16_t>(word), id, b, node, is_decorated});
}

void FunctionUniformity::demand_accesses(InstructionIndex i, InstructionView view, LocalBlock b) {
  if (c_.has_heap) return;
  const InstructionRow* row = c_.module.grammar().find_opcode(view.opcode);
  const ResultKind kind = row == nullptr ? ResultKind::Other : c_.kinds[row->printing_class];
  if (kind == ResultKind::Image && view.opcode != OpImageWrite) {
    if (!is_one_of(without_access, view.opcode)) demand_resource(i, row->result_word() + std::size_t{1}, view, b);
  } else if (kind == ResultKind::Atomic) {
    demand_resource(i, word_of(view.opcode, OperandName::pointer), view, b);
  } else {
    // Loading a handle accesses no resource.
    if (view.opcode == OpLoad && c_.types.of(c_.module.type_of(view)).is_opaque()) return;
    for (const AccessRow& access : access_rows) {
      if (access.opcode == view.opcode) demand_resource(i, word_of(access.opcode, access.operand), view, b);
    }
  }
}

// Indexes into arrays of push constants, and those that must not depend on the view.
void FunctionUniformity::demand_indexes(InstructionIndex i, InstructionView view, LocalBlock b) {
  const TypeRow& result = c_.types.of(c_.module.type_of(view));
  const auto chain = access_chain(view);
  if (!chain) return;
  if (result.storage == StorageClass::PushConstant) {
    const TypeRow* type = walked_type(*chain);
    for (const auto index : chain->indexes) {
      if (type->is_array()) demand_value(Demand::PushConstantIndex, i, index.word, view, b, group_plane);
      type = &c_.types.of(c_.types.member_type(*type, c_.constants.as_u64(index).value_or(0)));
    }
  }
  if (!c_.has_view_index || (summary_->stages & MeshStage) == 0) return;
  Demand kind = Demand::ViewIndexIndex;
  if (result.storage == StorageClass::Output) {
    if (!is_primitive_indices(chain->base)) return;
    kind = Demand::ViewIndexPlace;
  } else if (result.storage != StorageClass::Workgroup && result.storage != StorageClass::Private) {
    return;
  }
  for (const auto index : chain->indexes) demand_value(kind, i, index.word, view, b, Divergence::on_view_index);
}

void FunctionUniformity::demand_view_independence(InstructionIndex i, InstructionView view, LocalBlock b) {
  if (!c_.has_view_index || (summary_->stages & MeshStage) == 0) return;
  if (view.opcode == OpSetMeshOutputsEXT) {
    for (std::size_t word = 1; word < view.word_count; ++word) {
      demand_value(Demand::ViewIndexCount, i, word, view, b, Divergence::on_view_index);
    }
    return demand_control(Demand::ViewIndexControl, i, b, Divergence::on_view_index);
  }
  if (!is_primitive_indices(View<OpStore>(view).pointer())) return;
  demand_value(Demand::ViewIndexValue, i, View<OpStore>(view).object().word, view, b, Divergence::on_view_index);
}

void FunctionUniformity::demand_all(InstructionIndex i, InstructionView view, LocalBlock b) {
  const NodeIndex value = values_[i.raw - row_->all.first];
  if (value != uniform_node) connect_resource(view, b, value);
  if (wants_demands_) demand(i, view, b);
}

void FunctionUniformity::demand(InstructionIndex i, InstructionView view, LocalBlock b) {
  const InstructionRow* row = c_.module.grammar().find_opcode(view.opcode);
  const ResultKind kind = row == nullptr ? ResultKind::Other : c_.kinds[row->printing_class];
  if (kind == ResultKind::Pure) return;  // most instructions
  demand_accesses(i, view, b);
  if (is_access_chain(view.opcode)) return demand_indexes(i, view, b);
  const std::uint16_t barrier_planes =
      (summary_->stages & TessellationControlStage) != 0 ? primitive_plane : group_plane;
  switch (view.opcode) {
    case OpStore: return demand_view_independence(i, view, b);
    case OpSetMeshOutputsEXT:
      demand_view_independence(i, view, b);
      return demand_control(Demand::MeshOutputs, i, b, group_plane);
    case OpEmitMeshTasksEXT: return demand_control(Demand::MeshTasks, i, b, group_plane);
    case OpControlBarrier:
    case OpControlBarrierArriveEXT:
    case OpControlBarrierWaitEXT: {
      const auto scope = c_.constants.as_u64(named_operand(view, OperandName::execution));
      const bool is_wide = scope && (*scope <= static_cast<std::uint64_t>(Scope::Workgroup) ||
                                     *scope == static_cast<std::uint64_t>(Scope::QueueFamily));
      if (!is_wide) return;
      const bool is_split = view.opcode != OpControlBarrier;
      return demand_control(is_split ? Demand::SplitBarrier : Demand::Barrier, i, b, barrier_planes);
    }
    case OpGroupNonUniformBroadcast:
      demand_value(Demand::BroadcastId, i, word_of(view.opcode, OperandName::invocation_id), view, b, subgroup_plane);
      break;
    case OpGroupNonUniformQuadBroadcast:
      demand_value(Demand::QuadIndex, i, word_of(view.opcode, OperandName::index), view, b, quad_plane);
      break;
    default: break;
  }
  if (kind == ResultKind::Image) {
    for (const AccessRow& each : processing_rows) {
      if (each.opcode != view.opcode) continue;
      demand_value(Demand::ProcessedImage, i, word_of(each.opcode, each.operand), view, b, quad_plane);
    }
  }
  if (kind == ResultKind::Derivative) {
    demand_control(Demand::Derivative, i, b, summary_->derivative_scopes);
  } else if (is_one_of(implicit_derivatives, view.opcode)) {
    demand_control(Demand::ImplicitDerivative, i, b, summary_->derivative_scopes);
  } else if (kind == ResultKind::Group) {
    demand_control(Demand::Tangle, i, b, subgroup_plane);
  }
}

}  // namespace vireo::spirv
