// SPDX-License-Identifier: Apache-2.0
//
// Requirements of "Runtime SPIR-V Validation" on declarations that depend on no device.
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/graph.h"
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

// A pipeline gives no shapes to the inputs, outputs and constants of a graph. Each tensor type is reported once.
void check_graph_shapes(const ModuleCheck& c) {
  std::set<Word> reported;
  const auto lacks_shape = [&](Word type) {
    const TypeRow& tensor = c.types.of(type).innermost();
    return tensor.is(TypeKind::Tensor) && c.soundness.is_sound_type(tensor.id) &&
           !View<Op::OpTypeTensorARM>(c.module.instruction(tensor.declaration)).shape() &&
           reported.insert(tensor.id).second;
  };
  for (const auto& [i, view] : c.module.instructions(c.module.section(Section::Globals))) {
    if (const auto graph = as<Op::OpTypeGraphARM>(view)) {
      for (const auto type : graph->in_out_types()) {
        if (!lacks_shape(type)) continue;
        c.report(Rule::GraphTensorShape, {i, type.word},
                 {"an input or output of " + type_text(c, graph->result()), type});
        c.vuid(9919);
      }
    } else if (const auto constant = as<Op::OpGraphConstantARM>(view);
               constant && lacks_shape(constant->result_type())) {
      c.report(Rule::GraphTensorShape, {i, 1},
               {"graph constant " + id_text(c, constant->result()), constant->result_type()});
      c.vuid(9920);
    }
  }
}

// An input attachment that variables read.
struct AttachmentVariable {
  Word id;
  std::uint64_t first, end;  // range of attachments
  bool is_float;
  std::uint32_t entries;  // bits of the entry points that use it
};

// One variable reads each aspect of an attachment. Floats are of color or depth, integers of color or stencil, and an
// attachment has either color or the other two.
void check_attachments(const ModuleCheck& c) {
  const auto entries = c.module_declarations.entry_points();
  if (entries.size() > 32) return;
  const EntryPointReachability reach(c, [](const ModuleCheck& check, const EntryPointRow& entry) {
    return std::uint32_t{1} << (&entry - check.module_declarations.entry_points().data());
  });
  std::vector<AttachmentVariable> known;
  for (const Word id : module_variables(c)) {
    const DecorationRow* index = c.decorations.find(id, Decoration::InputAttachmentIndex);
    const VariableInfo variable = variable_info(c, id);
    if (index == nullptr || variable.holds == nullptr || !c.soundness.is_sound(id)) continue;
    const TypeRow& type = variable.holds->innermost();
    if (!type.is(TypeKind::Image)) continue;
    const std::uint64_t first = c.decorations.operand_or(*index, 0);
    const auto length = variable.holds->is_array() ? c.constants.as_u64(variable.holds->length) : 1;
    const AttachmentVariable own{id, first, first + length.value_or(1),
                                 c.types.of(c.types.image(type).sampled_type).component().is(TypeKind::Float),
                                 reach.of_global(id)};
    const auto other = std::ranges::find_if(known, [&](const AttachmentVariable& each) {
      return each.first < own.end && own.first < each.end && each.is_float == own.is_float &&
             (each.entries & own.entries) != 0;
    });
    if (other != known.end() && c.budget.spend(known.size())) {
      c.report(Rule::AttachmentTwice, parameter_place(*index), {id, other->id, std::max(first, other->first)});
      c.note({c.module.definition(other->id), 0}, "{id} declared here", {other->id});
    }
    known.push_back(own);
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
  if (c.has(Capability::InputAttachment)) check_attachments(c);
  if (!c.has(Capability::GraphARM)) return;
  check_graph_shapes(c);
  for (const EntryPointRow& entry : c.module_declarations.entry_points())
    c.report(Rule::GraphEntryPoint, model_place(c, entry), {entry.name});
}

}  // namespace vireo::spirv
