// SPDX-License-Identifier: Apache-2.0
//
// Interface variables of mesh shaders, and of the fragment shaders that follow them.
//
// The requirements on a variable depend on the entry points that list it. A mesh shader has one output
// value for each vertex or primitive, so its outputs are arrays. Fragment shaders read the per-primitive outputs.
//
// Source: SPV_EXT_mesh_shader; the Vulkan appendix on SPIR-V.
#include <fmt/format.h>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/tables/models.h"

namespace vireo::spirv {
namespace {

// The storage class of per-primitive variables in a stage.
struct PerPrimitiveRow {
  ExecutionModel model;
  StorageClass storage;
};
constexpr PerPrimitiveRow per_primitive_rows[] = {
    {ExecutionModel::MeshEXT, StorageClass::Output},
    {ExecutionModel::Fragment, StorageClass::Input},
};

// Whether built_ins.cpp reports the storage class of a variable; the built-in may decorate a member of its block. If so,
// its finding becomes the last one.
bool joins_built_in(const ModuleCheck& c, Word variable) {
  const TypeRow* pointee = pointee_of(c, variable);
  const Word block = pointee == nullptr ? 0 : pointee->innermost().id;
  const std::string cause = fmt::format("per-primitive {}", variable);
  for (const Word target : {variable, block}) {
    for (const Rule rule : {Rule::BuiltInStorage, Rule::BuiltInModel}) {
      if (c.findings.join(rule, cause, std::to_string(target), Rule::PerPrimitiveStorage)) return true;
    }
  }
  return false;
}

void check_variable(const ModuleCheck& c, const EntryPointRow& entry, Word variable, Place place) {
  const TypeRow& pointer = c.type_of(variable);
  if (!pointer.is_pointer()) return;
  for (const PerPrimitiveRow& row : per_primitive_rows) {
    if (row.model != entry.model || row.storage == pointer.storage) continue;
    if (!is_per_primitive(c, variable)) continue;
    // If a built-in already requires the other storage class, the storage class is the one fault.
    if (joins_built_in(c, variable)) {
      c.note(place, "PerPrimitiveEXT variable {id} of {enumerant} needs storage class {enumerant} too",
             {variable, entry.model, row.storage});
      return;
    }
    c.report(Rule::PerPrimitiveStorage, place, {variable, entry.model, entry.name, pointer.storage, row.storage});
    note_target(c, variable);
    return;
  }
  if (entry.model != ExecutionModel::MeshEXT || pointer.storage != StorageClass::Output) return;
  if (!is_variable(c.op_of(variable))) return;  // interface_variables.cpp reports it
  const TypeRow* pointee = pointee_of(c, variable);
  // Built-in variables have other rules. Blocks of built-ins must be arrays, like other blocks.
  if (pointee == nullptr || pointee->is_array() || c.decorations.has(variable, Decoration::BuiltIn)) return;
  c.report(Rule::MeshOutputArray, place, {variable, entry.model, entry.name, pointee->id});
  note_target(c, variable);
}

void check_models(const ModuleCheck& c) {
  const EntryPointRow* older = nullptr;
  const EntryPointRow* newer = nullptr;
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    if (older == nullptr && contains(in(ExecutionModel::MeshNV, ExecutionModel::TaskNV), entry.model)) older = &entry;
    if (newer == nullptr && contains(in(ExecutionModel::MeshEXT, ExecutionModel::TaskEXT), entry.model)) newer = &entry;
  }
  if (older == nullptr || newer == nullptr) return;
  c.report(Rule::MixedMeshModels, model_place(c, *older), {older->model, newer->model});
  c.note(model_place(c, *newer), "other entry point declared here");
}

}  // namespace

void check_mesh_shading(const ModuleCheck& c) {
  if (!c.has(Capability::MeshShadingEXT)) return;
  check_models(c);
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    for (std::size_t i = 0; i < entry.interface_.size(); ++i) {
      check_variable(c, entry, entry.interface_[i], place_in_list(c, entry, i));
    }
  }
}

}  // namespace vireo::spirv
