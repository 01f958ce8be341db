// SPDX-License-Identifier: Apache-2.0
//
// Interface variables of mesh shaders, and of the fragment shaders that follow them.
//
// The requirements on a variable depend on the entry points that list it. A mesh shader has one output
// value for each vertex or primitive, so its outputs are arrays. Fragment shaders read the per-primitive outputs.
//
// Source: SPV_EXT_mesh_shader; the Vulkan appendix on SPIR-V.
#include <fmt/format.h>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/decorations/decoration_places.h"
#include "spirv/validate/checks/interfaces/places.h"
#include "spirv/validate/engine/checks.h"
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

// Whether a variable, or a member of its block, is decorated PerPrimitiveEXT.
bool is_per_primitive(const Context& context, Word variable) {
  if (context.decorations.has(variable, Decoration::PerPrimitiveEXT)) return true;
  const TypeRow* pointee = pointee_of(context, variable);
  return pointee != nullptr &&
         context.decorations.has_on_member(innermost_element(context, *pointee).id, Decoration::PerPrimitiveEXT);
}

// Whether built_ins.cpp reports the storage class of a variable; the built-in may decorate a member of its block. If so,
// its finding becomes the last one.
bool joins_built_in(const Context& context, Word variable, Report& report) {
  const TypeRow* pointee = pointee_of(context, variable);
  const Word block = pointee == nullptr ? 0 : innermost_element(context, *pointee).id;
  const std::string cause = fmt::format("per-primitive {}", variable);
  for (const Word target : {variable, block}) {
    for (const Rule rule : {Rule::BuiltInStorage, Rule::BuiltInModel}) {
      if (report.join(rule, cause, std::to_string(target))) return true;
    }
  }
  return false;
}

void check_variable(const Context& context, const EntryPointRow& entry, Word variable, Place place, Report& report) {
  const TypeRow& pointer = context.type_of(variable);
  if (!pointer.is_pointer()) return;
  for (const PerPrimitiveRow& row : per_primitive_rows) {
    if (row.model != entry.model || row.storage == pointer.storage) continue;
    if (!is_per_primitive(context, variable)) continue;
    // If a built-in already requires the other storage class, the storage class is the one fault.
    if (joins_built_in(context, variable, report)) {
      report.note(
          place, fmt::format("PerPrimitiveEXT variable {} of {} needs storage class {} too", id_text(context, variable),
                             enumerant_text(context, entry.model), enumerant_text(context, row.storage)));
      return;
    }
    report.add(Rule::PerPrimitiveStorage, place,
               {id_text(context, variable), enumerant_text(context, entry.model), entry.name,
                enumerant_text(context, pointer.storage), enumerant_text(context, row.storage)});
    note_target(context, report, variable);
    return;
  }
  if (entry.model != ExecutionModel::MeshEXT || pointer.storage != StorageClass::Output) return;
  const TypeRow* pointee = pointee_of(context, variable);
  // Built-in variables have other rules. Blocks of built-ins must be arrays, like other blocks.
  if (pointee == nullptr || pointee->is_array() || context.decorations.has(variable, Decoration::BuiltIn)) return;
  report.add(
      Rule::MeshOutputArray, place,
      {id_text(context, variable), enumerant_text(context, entry.model), entry.name, type_text(context, pointee->id)});
  note_target(context, report, variable);
}

void check_models(const Context& context, Report& report) {
  const EntryPointRow* older = nullptr;
  const EntryPointRow* newer = nullptr;
  for (const EntryPointRow& entry : context.module_declarations.entry_points()) {
    if (older == nullptr && contains(in(ExecutionModel::MeshNV, ExecutionModel::TaskNV), entry.model)) older = &entry;
    if (newer == nullptr && contains(in(ExecutionModel::MeshEXT, ExecutionModel::TaskEXT), entry.model)) newer = &entry;
  }
  if (older == nullptr || newer == nullptr) return;
  report.add(Rule::MixedMeshModels, model_place(context, *older),
             {enumerant_text(context, older->model), enumerant_text(context, newer->model)});
  report.note(model_place(context, *newer), "other entry point declared here");
}

}  // namespace

void check_mesh_shading(const Context& context, Report& report) {
  if (!context.has(Capability::MeshShadingEXT)) return;
  check_models(context, report);
  for (const EntryPointRow& entry : context.module_declarations.entry_points()) {
    for (std::size_t i = 0; i < entry.interface_.size(); ++i) {
      check_variable(context, entry, entry.interface_[i], place_in_list(context, entry, i), report);
    }
  }
}

}  // namespace vireo::spirv
