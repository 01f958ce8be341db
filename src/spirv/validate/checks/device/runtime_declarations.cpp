// SPDX-License-Identifier: Apache-2.0
//
// Requirements of "Runtime SPIR-V Validation" on declarations that depend on no device.
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <algorithm>

#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

void check_variable(const ModuleCheck& c, const VariableInfo& variable) {
  const Place place{variable.declaration, 0};
  const TypeRow& type = variable.holds->innermost();
  if (type.is(TypeKind::Image) && variable.holds->is_array() && c.types.image(type).dim == Dim::SubpassData &&
      !c.decorations.has(variable.id, Decoration::InputAttachmentIndex))
    c.report(Rule::InputAttachmentArray, place, {variable.id});
  if ((variable.storage == StorageClass::Input || variable.storage == StorageClass::Output) &&
      variable.holds->contains.has_any(TypeTrait::Int8))
    c.report(Rule::InterfaceWidth, place, {variable.id, variable.storage});
}

// A shader gets the shapes of its tensors from the API; a graph states them.
void check_tensors(const ModuleCheck& c) {
  ModelReachability reach(c);
  for (const TypeRow& type : c.types.rows()) {
    if (!type.is(TypeKind::Tensor) || !c.soundness.is_sound_type(type.id)) continue;
    const View<Op::OpTypeTensorARM> tensor(c.module.instruction(type.declaration));
    const auto rank = tensor.rank(), shape = tensor.shape();
    const bool has_rank = rank.has_value(), has_shape = shape.has_value();
    if ((has_rank && !has_shape) || reach.of_global(type.id) == 0) continue;
    c.report(Rule::VulkanTensor, {type.declaration, 0}, {type, has_shape ? "has a Shape" : "has no Rank"});
    c.vuid(has_shape ? 9902 : 9907);
  }
}

// An entry point of another model must not use node payloads; the VUID of the variable takes precedence.
void check_enqueue(const ModuleCheck& c) {
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    if (entry.model == ExecutionModel::GLCompute || entry.model == ExecutionModel::MeshEXT) continue;
    const bool has_payload = std::ranges::any_of(
        entry.interface_, [&](Word id) { return variable_info(c, id).storage == StorageClass::NodePayloadAMDX; });
    c.report(Rule::EnqueueModel, model_place(c, entry), {entry.name, entry.model});
    c.vuid(has_payload ? 9192 : 9191);
  }
}

}  // namespace

void check_runtime_declarations(const ModuleCheck& c) {
  if (!c.is_vulkan()) return;
  for (const InstructionView view : c.module.views(c.module.section(Section::Globals))) {
    if (!is_variable(view.opcode)) continue;
    const VariableInfo variable = variable_info(c, c.module.result_of(view));
    if (variable.holds != nullptr && c.soundness.is_sound(variable.id)) check_variable(c, variable);
  }
  if (c.has(Capability::TensorsARM)) check_tensors(c);
  if (c.has(Capability::ShaderEnqueueAMDX)) check_enqueue(c);
  if (!c.has(Capability::GraphARM)) return;
  for (const EntryPointRow& entry : c.module_declarations.entry_points())
    c.report(Rule::GraphEntryPoint, model_place(c, entry), {entry.name});
}

}  // namespace vireo::spirv
