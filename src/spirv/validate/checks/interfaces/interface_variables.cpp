// SPDX-License-Identifier: Apache-2.0
//
// Checks each interface variable of an entry point by itself: whether it may be listed, its interpolation, its offsets.
//
// The interface of each entry point is read once, and each variable is checked by itself.
// whole_interfaces.cpp checks missing variables and combinations of variables; locations.cpp checks locations.
//
// Source: specification 2.16.1, 3.42.5 (OpEntryPoint); Vulkan, "Shader Interfaces" and "Interpolation Decorations".
#include <fmt/format.h>

#include <map>
#include <set>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/tables/models.h"

namespace vireo::spirv {
namespace {

using Storage = StorageClass;

// The interpolation decorations of fragment inputs.
constexpr Decoration interpolations[] = {Decoration::Flat, Decoration::NoPerspective, Decoration::Sample,
                                         Decoration::Centroid};

// Task and mesh shaders, whose interface variables may have offsets.
constexpr Models models_with_offsets =
    in(ExecutionModel::TaskNV, ExecutionModel::MeshNV, ExecutionModel::TaskEXT, ExecutionModel::MeshEXT);

/// An interface variable of an entry point.
struct Listed {
  const EntryPointRow& entry;
  Word id = 0;
  Place place;
  Storage storage = Storage::Input;
  const TypeRow* holds = nullptr;  ///< pointee type; nullptr: unknown
};

class ListCheck {
 public:
  // From SPIR-V 1.4 on, entry points list all module-scope variables that they use; before, only inputs and outputs.
  explicit ListCheck(const ModuleCheck& c) : c_(c), lists_all_(c.version() >= Version{1, 4}) {}

  void check(const EntryPointRow& entry) {
    std::map<Word, std::size_t> seen;  // the position in the interface
    for (std::size_t i = 0; i < entry.interface_.size(); ++i) {
      const Word id = entry.interface_[i];
      const Place place = place_in_list(c_, entry, i);
      if (c_.module.definition(id).is_none()) continue;
      if (c_.op_of(id) == Op::OpDecorationGroup) continue;  // check_group_uses() reports it
      if (!is_variable(c_.op_of(id))) {
        c_.report(Rule::InterfaceVariable, place, {id, c_.op_of(id)});
        c_.findings.name_cause(Rule::InterfaceVariable, std::to_string(entry.instruction.raw));
        c_.note({c_.module.definition(id), 0}, "defined here");
        continue;
      }
      if (const auto [first, is_new] = seen.try_emplace(id, i); !is_new) {
        // Before SPIR-V 1.4, a variable may be listed several times.
        if (!lists_all_) continue;
        c_.report(Rule::InterfaceTwice, place, {id});
        c_.note(place_in_list(c_, entry, first->second), "first listed here");
        fix_by_removal_of_word(c_, place);
        continue;
      }
      const TypeRow& type = c_.type_of(id);
      if (!type.is_pointer() || !may_be_listed(id, type.storage, place)) continue;
      if (!contains(models_with_offsets, entry.model)) check_offsets(id, type.storage);
      const Listed listed{entry, id, place, type.storage, pointee_of(c_, id)};
      check_patch(listed);
      if (c_.is_vulkan()) check_interpolation(listed);
    }
  }

 private:
  [[nodiscard]] bool has(Word id, Decoration decoration) const { return c_.decorations.has(id, decoration); }

  bool may_be_listed(Word id, Storage storage, Place place) {
    const bool is_fine =
        lists_all_ ? storage != Storage::Function : storage == Storage::Input || storage == Storage::Output;
    if (is_fine) return true;
    if (!c_.soundness.is_sound(id)) return false;  // the storage class of the variable and of its type differ
    c_.report(Rule::InterfaceStorage, place,
              {id, storage, lists_all_ ? "a variable outside of functions" : "Input or Output before SPIR-V 1.4"});
    note_target(c_, id);
    return false;
  }

  // The structure in a type, itself or nested in arrays and structures, that has a member with an Offset; nullptr if
  // there is none. Each type is searched once, because entry points may share many variables.
  const TypeRow* find_offset(const TypeRow& type) {
    if (!type.is_composite()) return nullptr;
    const auto [found, is_new] = offsets_.try_emplace(type.id, nullptr);
    if (is_new) {
      found->second = find_part(c_, type, [&](const TypeRow& part) {
        return part.is(TypeKind::Struct) && c_.decorations.has_on_member(part.id, Decoration::Offset);
      });
    }
    return found->second;
  }

  // Only outputs that transform feedback writes to memory may have offsets. Other values are passed by location.
  void check_offsets(Word id, Storage storage) {
    const bool is_input = storage == Storage::Input;
    if (!is_input && (storage != Storage::Output || c_.has(Capability::TransformFeedback))) return;
    const TypeRow* holds = pointee_of(c_, id);
    if (holds == nullptr) return;
    const TypeRow* structure = find_offset(*holds);
    if (structure == nullptr || !with_offsets_.insert(id).second) return;  // reported at another entry point
    const Rule rule = is_input ? Rule::InputOffset : Rule::OutputOffset;
    if (!c_.has_room_for(rule)) return c_.report(rule, {c_.module.definition(id), 0});  // only counted
    const DecorationRow& offset = *find_on_member(c_, structure->id, Decoration::Offset);
    const Place place{c_.module.definition(id), 0};
    if (!is_input && c_.join_missing(Capability::TransformFeedback, fmt::format("offset {}", id), rule)) {
      c_.note(place, rule, {target_text(c_, offset), id_text(c_, id)});
      return;
    }
    c_.report(rule, place, {target_text(c_, offset), id_text(c_, id)});
    note_decoration(c_, offset);
  }

  // Only tessellation has patches. If a built-in decorates the variable, built_ins.cpp checks its model in Vulkan.
  void check_patch(const Listed& variable) {
    const ExecutionModel model = variable.entry.model;
    if (model == ExecutionModel::TessellationControl || model == ExecutionModel::TessellationEvaluation) return;
    if (variable.storage != Storage::Input && variable.storage != Storage::Output) return;
    const DecorationRow* row = c_.decorations.find(variable.id, Decoration::Patch);
    if (row == nullptr && variable.holds != nullptr) {
      const Word structure = variable.holds->innermost().id;
      if (c_.decorations.has_on_member(structure, Decoration::Patch)) {
        row = find_on_member(c_, structure, Decoration::Patch);
      }
    }
    if (row == nullptr) return;
    if (c_.is_vulkan() && c_.decorations.find(row->target, row->member, Decoration::BuiltIn) != nullptr) return;
    c_.report(Rule::PatchModel, variable.place, {target_text(c_, *row), model, variable.entry.name});
    note_decoration(c_, *row);
  }

  // --- interpolation ---

  // Vertex inputs and fragment outputs are not interpolated, so they cannot have interpolation decorations.
  void check_interpolation(const Listed& variable) {
    const bool into_vertex = variable.entry.model == ExecutionModel::Vertex && variable.storage == Storage::Input;
    const bool is_fragment = variable.entry.model == ExecutionModel::Fragment;
    if (into_vertex || (is_fragment && variable.storage == Storage::Output)) {
      for (const Decoration decoration : interpolations) {
        if (!has(variable.id, decoration)) continue;
        c_.report(into_vertex ? Rule::VertexInterpolation : Rule::FragmentInterpolation, variable.place,
                  {enumerant_text(c_, decoration), id_text(c_, variable.id)});
        note_decoration(c_, *c_.decorations.find(variable.id, decoration));
        note_target(c_, variable.id);
        return;
      }
    }
    if (is_fragment && variable.storage == Storage::Input) check_flat(variable);
  }

  void check_flat(const Listed& variable) {
    if (variable.holds == nullptr || has(variable.id, Decoration::Flat)) return;
    // Inputs with these decorations are not interpolated either: they have the values of all vertices.
    if (has(variable.id, Decoration::PerVertexKHR) || has(variable.id, Decoration::ExplicitInterpAMD)) return;
    // Integers and doubles cannot be interpolated, so they must be Flat. Structures have no shape; their members are
    // not checked here.
    const Shape shape = c_.types.shape(*variable.holds);
    if (shape.scalar != TypeKind::Int && (shape.scalar != TypeKind::Float || shape.width != 64)) return;
    if (!report_missing(c_, {missing_decoration(Decoration::Flat, variable.id)}, Rule::FlatInput, variable.place,
                        {variable.id, variable.holds->id}))
      return;
    hint_decoration(c_, Decoration::Flat, variable.id);
    note_target(c_, variable.id);
  }

  const ModuleCheck& c_;
  const bool lists_all_;
  std::set<Word> with_offsets_;             // reported variables
  std::map<Word, const TypeRow*> offsets_;  // results of find_offset(), by type
};

}  // namespace

void check_interface_variables(const ModuleCheck& c) {
  ListCheck check(c);
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) check.check(entry);
}

}  // namespace vireo::spirv
