// SPDX-License-Identifier: Apache-2.0
//
// The table of built-ins, and the rules of storage classes.
#include "spirv/module/uniformity/sources.h"

#include <algorithm>

#include "spirv/grammar/opcode_families.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

constexpr std::uint16_t possible = Divergence::possible, certain = Divergence::certain;
/// Equal in a primitive and in its quads, different elsewhere.
constexpr std::uint16_t by_primitive = all_grades(subgroup_plane | group_plane);
/// Equal in a command. A subgroup of stages without workgroups may contain invocations of several commands.
constexpr std::uint16_t by_command = subgroup_plane;

constexpr Stages any_stage = ~0u;
constexpr Stages workgroup_stages = WorkgroupStage | MeshStage | TaskStage | wide_modes;

/// The planes of a built-in in some stages. Rows for fewer stages come first.
struct BuiltInPlanes {
  BuiltIn built_in;
  Stages stages;
  std::uint16_t planes;
};
// clang-format off
constexpr BuiltInPlanes built_in_rows[] = {
    {BuiltIn::WorkgroupId,          any_stage,                  0},
    {BuiltIn::NumWorkgroups,        any_stage,                  0},
    {BuiltIn::WorkgroupSize,        any_stage,                  0},
    {BuiltIn::EnqueuedWorkgroupSize, any_stage,                 0},
    {BuiltIn::GlobalSize,           any_stage,                  0},
    {BuiltIn::GlobalOffset,         any_stage,                  0},
    {BuiltIn::WorkDim,              any_stage,                  0},
    {BuiltIn::SubgroupId,           any_stage,                  all_grades(primitive_plane | group_plane)},
    {BuiltIn::NumSubgroups,         any_stage,                  primitive_plane | group_plane},
    {BuiltIn::NumEnqueuedSubgroups, any_stage,                  primitive_plane | group_plane},
    {BuiltIn::SubgroupSize,         any_stage,                  primitive_plane | group_plane},
    {BuiltIn::SubgroupMaxSize,      any_stage,                  0},
    {BuiltIn::DrawIndex,            WorkgroupStage,             0},
    {BuiltIn::DrawIndex,            any_stage,                  by_command},
    {BuiltIn::BaseVertex,           any_stage,                  by_command},
    {BuiltIn::BaseInstance,         any_stage,                  by_command},
    {BuiltIn::PatchVertices,        any_stage,                  by_command},
    {BuiltIn::DeviceIndex,          any_stage,                  0},
    {BuiltIn::ViewIndex,            FragmentStage,              subgroup_plane | group_plane | Divergence::on_view_index},
    {BuiltIn::ViewIndex,            any_stage,                  possible | Divergence::on_view_index},
    {BuiltIn::PrimitiveId,          FragmentStage | TessellationControlStage, by_primitive},
    {BuiltIn::FrontFacing,          FragmentStage,              by_primitive},
    {BuiltIn::Layer,                FragmentStage,              by_primitive},
    {BuiltIn::ViewportIndex,        FragmentStage,              by_primitive},
    {BuiltIn::LaunchSizeKHR,        any_stage,                  0},
    {BuiltIn::SMCountNV,            any_stage,                  0},
    {BuiltIn::WarpsPerSMNV,         any_stage,                  0},
    {BuiltIn::CoreCountARM,         any_stage,                  0},
    {BuiltIn::CoreMaxIDARM,         any_stage,                  0},
    {BuiltIn::WarpMaxIDARM,         any_stage,                  0},
    // The rate may be that of a pipeline, a primitive or a part of the framebuffer.
    {BuiltIn::ShadingRateKHR,       any_stage,                  possible},
    {BuiltIn::FragSizeEXT,          any_stage,                  possible},
    {BuiltIn::FragInvocationCountEXT, any_stage,                possible},
    // Equal in a subgroup, which one multiprocessor executes.
    {BuiltIn::SMIDNV,               any_stage,                  primitive_plane | group_plane},
    {BuiltIn::WarpIDNV,             any_stage,                  primitive_plane | group_plane},
    {BuiltIn::CoreIDARM,            any_stage,                  primitive_plane | group_plane},
    {BuiltIn::WarpIDARM,            any_stage,                  primitive_plane | group_plane},
    // Operands of the instruction that traces the ray, which are often constant.
    {BuiltIn::IncomingRayFlagsKHR,  any_stage,                  possible},
    {BuiltIn::CullMaskKHR,          any_stage,                  possible},
    {BuiltIn::RayTminKHR,           any_stage,                  possible},
};
// clang-format on

std::uint16_t planes_in(BuiltIn built_in, Stages stage) {
  for (const BuiltInPlanes& row : built_in_rows) {
    if (row.built_in == built_in && (row.stages & stage) != 0) return row.planes;
  }
  return certain;  // invocation indexes, coordinates, attributes of vertices, hits
}

/// The planes of memory that one command does not change, at a uniform address.
constexpr std::uint16_t of_constant_memory(Stages stages) { return (stages & ~workgroup_stages) != 0 ? by_command : 0; }

}  // namespace

Stages stages_of(ExecutionModel model) {
  switch (model) {
    case ExecutionModel::GLCompute:
    case ExecutionModel::Kernel: return WorkgroupStage;
    case ExecutionModel::TaskNV:
    case ExecutionModel::TaskEXT: return WorkgroupStage | TaskStage;
    case ExecutionModel::MeshNV:
    case ExecutionModel::MeshEXT: return WorkgroupStage | MeshStage;
    case ExecutionModel::Fragment: return FragmentStage;
    case ExecutionModel::TessellationControl: return TessellationControlStage;
    case ExecutionModel::Vertex:
    case ExecutionModel::Geometry:
    case ExecutionModel::TessellationEvaluation: return OtherGraphicsStage;
    case ExecutionModel::RayGenerationKHR:
    case ExecutionModel::IntersectionKHR:
    case ExecutionModel::AnyHitKHR:
    case ExecutionModel::ClosestHitKHR:
    case ExecutionModel::MissKHR:
    case ExecutionModel::CallableKHR: return RayTracingStage;
    default: return OtherStage;
  }
}

std::uint16_t planes_of(BuiltIn built_in, std::optional<Word> component, Stages stages) {
  // The only value is 0, or that of WorkgroupId.
  const bool is_by_dimension = built_in == BuiltIn::LocalInvocationId || built_in == BuiltIn::GlobalInvocationId;
  if (is_by_dimension && component && *component < 3 && (stages & (WideX << *component)) == 0) return 0;
  if (built_in == BuiltIn::InvocationId && (stages & ManyInvocations) == 0) return 0;
  std::uint16_t planes = 0;
  for (Stages stage = 1; stage <= OtherStage; stage <<= 1) {
    // Task and mesh shaders are among the stages with workgroups, and have no rows of their own.
    if ((stages & stage & ~Stages{MeshStage | TaskStage}) != 0) planes |= planes_in(built_in, stage);
  }
  return planes;
}

bool Sources::is_read_only(Word variable) const {
  const Decorations& decorations = facts_.decorations();
  return variable != 0 && decorations.has(variable, Decoration::NonWritable) &&
         !decorations.has(variable, Decoration::Aliased);
}

bool Sources::is_read_only_buffer(Word variable, std::optional<Word> member) const {
  if (is_read_only(variable)) return true;
  const Decorations& decorations = facts_.decorations();
  if (variable == 0 || decorations.has(variable, Decoration::Aliased)) return false;
  const TypeRow& block = facts_.types().of(module_.type_of(variable)).pointee().innermost();
  if (!block.is(TypeKind::Struct)) return false;
  if (member) return decorations.has(block.id, *member, Decoration::NonWritable);
  for (Word i = 0; i < block.count; ++i) {
    if (!decorations.has(block.id, i, Decoration::NonWritable)) return false;
    if (i > 64) return false;
  }
  return true;
}

std::uint16_t Sources::of_input(Word variable, std::optional<Word> member, Stages stages) const {
  if (variable == 0) return certain;
  const Decorations& decorations = facts_.decorations();
  const Word block = facts_.types().of(module_.type_of(variable)).pointee().innermost().id;
  const auto find = [&](Decoration decoration) -> const DecorationRow* {
    if (const DecorationRow* row = decorations.find(variable, decoration)) return row;
    return member ? decorations.find(block, *member, decoration) : nullptr;
  };
  if (const DecorationRow* row = find(Decoration::BuiltIn)) {
    const auto built_in = static_cast<BuiltIn>(decorations.operand_or(*row, ~Word{0}));
    // Interface blocks of earlier stages, such as gl_in, are arrays; their members are no built-ins of this stage.
    return planes_of(built_in, member, stages);
  }
  if ((stages & ~Stages{FragmentStage}) != 0) return certain;
  const bool is_constant = find(Decoration::Flat) != nullptr || find(Decoration::PerPrimitiveEXT) != nullptr ||
                           find(Decoration::PerVertexKHR) != nullptr;
  return is_constant ? by_primitive : certain;
}

std::uint16_t Sources::of_load(StorageClass storage, Word variable, std::optional<Word> member, Stages stages) const {
  if ((stages & OtherStage) != 0 && storage != StorageClass::Input) {
    // No stage is known, so no source is certain.
    return possible;
  }
  switch (storage) {
    case StorageClass::UniformConstant:
    case StorageClass::PushConstant: return of_constant_memory(stages);
    case StorageClass::Uniform: {
      const Decorations& decorations = facts_.decorations();
      const Word block = facts_.types().of(module_.type_of(variable)).pointee().innermost().id;
      if (variable != 0 && !decorations.has(block, Decoration::BufferBlock)) return of_constant_memory(stages);
      return is_read_only_buffer(variable, member) ? of_constant_memory(stages) : possible;
    }
    case StorageClass::StorageBuffer:
      return is_read_only_buffer(variable, member) ? of_constant_memory(stages) : possible;
    case StorageClass::TaskPayloadWorkgroupEXT:
      return (stages & ~Stages{wide_modes}) == (WorkgroupStage | MeshStage) ? 0 : possible;
    case StorageClass::Workgroup: return possible | Divergence::on_workgroup_memory;
    case StorageClass::Input: return of_input(variable, member, stages);
    case StorageClass::HitAttributeKHR:
    case StorageClass::HitObjectAttributeNV:
    case StorageClass::TileImageEXT: return certain;
    // Payloads and shader records may hold equal values, as other writable memory may.
    default: return possible;
  }
}

}  // namespace vireo::spirv
