// SPDX-License-Identifier: Apache-2.0
//
// Checks each interface variable of an entry point by itself: whether it may be listed, its interpolation, its offsets.
//
// The interface of each entry point is read once, and each variable is checked by itself.
// whole_interfaces.cpp checks missing variables and combinations of variables; locations.cpp checks locations.
//
// Source: specification 2.16.1, 3.42.5 (OpEntryPoint); Vulkan, "Shader Interfaces" and "Interpolation Decorations".
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string_view>

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

// Task and mesh shaders, whose interface variables may have offsets in universal SPIR-V.
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
      if (c_.is_vulkan() || !contains(models_with_offsets, entry.model)) check_offsets(id, type.storage);
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

  // What an output with an Offset lacks; empty: nothing. Universal SPIR-V requires the capability only. Decorations of
  // the variable and of its structure apply to the members.
  [[nodiscard]] std::string_view missing_for_capture(Word id, const DecorationRow& offset) const {
    if (!c_.has(Capability::TransformFeedback)) return "capability TransformFeedback";
    if (!c_.is_vulkan()) return {};
    const auto is_decorated = [&](Decoration decoration) {
      return has(id, decoration) || has(offset.target, decoration) ||
             c_.decorations.has(offset.target, offset.member, decoration);
    };
    const bool has_buffer = is_decorated(Decoration::XfbBuffer), has_stride = is_decorated(Decoration::XfbStride);
    if (has_buffer) return has_stride ? "" : "XfbStride";
    return has_stride ? "XfbBuffer" : "XfbBuffer and XfbStride";
  }

  // The first Offset that breaks the rule: of the variable, or of a member of its structure. nullptr if there is none.
  // Data from task to mesh shaders (PerTaskNV) is in memory, so it has offsets.
  const DecorationRow* find_wrong_offset(Word id, const TypeRow* holds, bool is_input) {
    const auto is_wrong = [&](const DecorationRow& row) {
      if (row.decoration != Decoration::Offset) return false;
      if (has(id, Decoration::PerTaskNV) || c_.decorations.has(row.target, row.member, Decoration::PerTaskNV))
        return false;
      return is_input || !missing_for_capture(id, row).empty();
    };
    const auto find = [&](std::span<const DecorationRow> rows) -> const DecorationRow* {
      const auto wrong = std::ranges::find_if(rows, is_wrong);
      return wrong == rows.end() ? nullptr : &*wrong;
    };
    if (const DecorationRow* own = find(c_.decorations.of(id))) return own;
    const TypeRow* structure = holds == nullptr ? nullptr : find_offset(*holds);
    if (structure == nullptr || !c_.budget.spend(c_.decorations.all_of(structure->id).size())) return nullptr;
    // Within a structure in a block, offsets are relative, and the member of the block is captured.
    if (!is_input && structure->id != holds->innermost().id && c_.has(Capability::TransformFeedback)) return nullptr;
    return find(c_.decorations.all_of(structure->id));
  }

  // Only outputs that transform feedback writes to memory may have offsets. Other values are passed by location.
  void check_offsets(Word id, Storage storage) {
    const bool is_input = storage == Storage::Input;
    if (!is_input && storage != Storage::Output) return;
    if (!with_offsets_.insert(id).second) return;  // checked at another entry point
    const DecorationRow* offset = find_wrong_offset(id, pointee_of(c_, id), is_input);
    if (offset == nullptr) return;
    const Rule rule = is_input ? Rule::InputOffset : Rule::OutputOffset;
    const Place place{c_.module.definition(id), 0};
    const std::string_view missing = is_input ? "" : missing_for_capture(id, *offset);
    const bool is_capability = !is_input && !c_.has(Capability::TransformFeedback);
    if (is_capability && c_.join_missing(Capability::TransformFeedback, fmt::format("offset {}", id), rule)) {
      c_.note(place, rule, {target_text(c_, *offset), id_text(c_, id), missing});
      return;
    }
    c_.report(rule, place, {target_text(c_, *offset), id_text(c_, id), missing});
    note_decoration(c_, *offset);
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

  // Integers and doubles cannot be interpolated.
  [[nodiscard]] static bool needs_flat(const TypeRow& type) {
    return type.contains.has_any(TypeTrait::Int8 | TypeTrait::Int16 | TypeTrait::Int32 | TypeTrait::Int64 |
                                 TypeTrait::Float64);
  }
  // Inputs with PerVertexKHR and ExplicitInterpAMD are not interpolated either: they have the values of all vertices.
  [[nodiscard]] bool is_uninterpolated(Word id, Word member = no_member) const {
    return std::ranges::any_of(
        std::initializer_list<Decoration>{Decoration::Flat, Decoration::PerVertexKHR, Decoration::ExplicitInterpAMD},
        [&](Decoration each) { return c_.decorations.has(id, member, each); });
  }

  void check_flat(const Listed& variable) {
    if (variable.holds == nullptr || !needs_flat(*variable.holds) || is_uninterpolated(variable.id)) return;
    if (variable.holds->innermost().is(TypeKind::Struct)) return check_flat_members(variable);
    // An array that is a built-in, such as SampleMask, has a value for each fragment.
    if (variable.holds->is_array() && has(variable.id, Decoration::BuiltIn)) return;
    if (!report_missing(c_, {missing_decoration(Decoration::Flat, variable.id)}, Rule::FlatInput, variable.place,
                        {id_text(c_, variable.id), variable.holds->id}))
      return;
    hint_decoration(c_, Decoration::Flat, variable.id);
    note_target(c_, variable.id);
  }

  // A member is Flat itself, with all that it contains. One finding for each variable.
  void check_flat_members(const Listed& variable) {
    const TypeRow& structure = variable.holds->innermost();
    const Words members = c_.types.members(structure);
    if (!c_.budget.spend(members.size())) return;
    for (Word member = 0; member < members.size(); ++member) {
      const TypeRow& type = c_.types.of(members[member]);
      if (!needs_flat(type) || is_uninterpolated(structure.id, member)) continue;
      if (c_.decorations.has(structure.id, member, Decoration::BuiltIn)) continue;
      if (!report_missing(c_, {missing_decoration(Decoration::Flat, structure.id, member)}, Rule::FlatInput,
                          variable.place, {member_text(c_, structure.id, member), type.id}))
        return;
      hint_decoration(c_, Decoration::Flat, structure.id, member);
      note_target(c_, structure.id, member);
      return;
    }
  }

  const ModuleCheck& c_;
  const bool lists_all_;
  std::set<Word> with_offsets_;             // checked variables
  std::map<Word, const TypeRow*> offsets_;  // results of find_offset(), by type
};

}  // namespace

void check_interface_variables(const ModuleCheck& c) {
  ListCheck check(c);
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) check.check(entry);
}

}  // namespace vireo::spirv
