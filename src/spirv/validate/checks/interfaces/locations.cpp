// SPDX-License-Identifier: Apache-2.0
//
// Locations: inputs and outputs must have locations, and no two may share a location slot.
//
// The decorations of a variable are read once, and are checked for each entry point that lists it. The
// execution model determines which decorations are allowed and whether the outermost array counts vertices. The
// location slots of a type are intervals (location_slots.h), which are sorted and compared with their neighbors.
//
// Source: Vulkan, "Location and Component Assignment" and "Shader Interfaces"; GLSL for arrays with an element for each
// vertex.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/device/device_limits.h"
#include "spirv/validate/layouts/location_slots.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

/// The properties of an interface variable that do not depend on the entry point.
struct PlacedVariable {
  VariableInfo info;
  std::uint32_t entry = 0;  ///< number of the last entry point that listed it
  // If a decoration is repeated, the first one is used; the decoration checks report the second.
  std::optional<Word> location, component, index, stream;
  bool is_built_in = false, is_patch = false, is_per_vertex = false;  ///< also if a member has it
  bool is_per_task = false;                                           ///< the same
  bool is_per_view = false;                                           ///< has another array, by view
  bool has_per_view_members = false;
  bool has_member_locations = false;
  Word structure = 0;  ///< the structure that it contains, directly or in arrays
  Word nested = 0;     ///< a structure within that structure whose members have locations
};

class LocationCheck {
 public:
  explicit LocationCheck(const ModuleCheck& c) : c_(c), slots_(c) {}

  void run() {
    for (const EntryPointRow& entry : c_.module_declarations.entry_points()) {
      if (!has_locations(entry.model)) continue;
      model_ = entry.model;
      intervals_.clear();
      ++number_;
      for (std::size_t i = 0; i < entry.interface_.size(); ++i) {
        const Word id = entry.interface_[i];
        const auto [at, is_new] = known_.try_emplace(id);
        PlacedVariable& variable = at->second;
        if (is_new) read(variable, id);
        // A variable that is listed twice is checked once; interface_variables.cpp reports the repetition.
        if (variable.info.id == 0 || variable.info.holds == nullptr || variable.entry == number_) continue;
        variable.entry = number_;
        const StorageClass storage = variable.info.storage;
        if (storage == StorageClass::Input || storage == StorageClass::Output) {
          place_variable(variable, static_cast<std::uint32_t>(i));
        }
      }
      compare(entry);
      check_location_limits(c_, entry, intervals_);
      if (model_ == ExecutionModel::Fragment) compare_interpolation(entry);
    }
  }

 private:
  // Whether the inputs and outputs of the stage have locations. Data from task to mesh shaders has none.
  [[nodiscard]] static bool has_locations(ExecutionModel model) {
    return is_mesh(model) || model == ExecutionModel::Vertex || model == ExecutionModel::TessellationControl ||
           model == ExecutionModel::TessellationEvaluation || model == ExecutionModel::Geometry ||
           model == ExecutionModel::Fragment;
  }

  [[nodiscard]] static bool is_mesh(ExecutionModel model) {
    return model == ExecutionModel::MeshEXT || model == ExecutionModel::MeshNV;
  }

  // --- one variable ---

  // Reads the decorations of a variable and of its structure once, for the checks at each entry point.
  void read(PlacedVariable& variable, Word id) {
    variable.info = variable_info(c_, id);
    if (variable.info.id == 0 || variable.info.holds == nullptr) return;
    for (const DecorationRow& row : c_.decorations.of(id)) {
      const auto number = [&](std::optional<Word>& to) {
        if (!to) to = c_.decorations.operand_or(row, 0);
      };
      switch (row.decoration) {
        case Decoration::Location: number(variable.location); break;
        case Decoration::Component: number(variable.component); break;
        case Decoration::Index: number(variable.index); break;
        case Decoration::Stream: number(variable.stream); break;
        case Decoration::BuiltIn: variable.is_built_in = true; break;
        case Decoration::Patch: variable.is_patch = true; break;
        case Decoration::PerVertexKHR: variable.is_per_vertex = true; break;
        case Decoration::PerTaskNV: variable.is_per_task = true; break;
        case Decoration::PerViewNV: variable.is_per_view = true; break;
        default: break;
      }
    }
    const TypeRow& inner = variable.info.holds->innermost();
    if (!inner.is(TypeKind::Struct)) return;
    variable.structure = inner.id;
    const auto has_on_member = [&](Decoration each) { return c_.decorations.has_on_member(inner.id, each); };
    variable.is_built_in |= has_on_member(Decoration::BuiltIn);
    variable.is_patch |= has_on_member(Decoration::Patch);
    variable.is_per_vertex |= has_on_member(Decoration::PerVertexKHR);
    variable.is_per_task |= has_on_member(Decoration::PerTaskNV);
    variable.has_per_view_members = has_on_member(Decoration::PerViewNV);
    variable.has_member_locations = has_on_member(Decoration::Location);
    // Many variables may have the same structure.
    const auto [nested, is_new] = nested_.try_emplace(inner.id);
    if (is_new) nested->second = nested_with_locations(inner);
    variable.nested = nested->second;
  }

  // A structure within a structure, at any depth, whose own members have locations; 0: none.
  [[nodiscard]] Word nested_with_locations(const TypeRow& structure) const {
    const TypeRow* nested = find_part(c_, structure, [&](const TypeRow& part) {
      return part.id != structure.id && part.is(TypeKind::Struct) &&
             c_.decorations.has_on_member(part.id, Decoration::Location);
    });
    return nested == nullptr ? 0 : nested->id;
  }

  [[nodiscard]] std::string model_text() const { return enumerant_text(c_, model_); }
  [[nodiscard]] std::string storage_text(const VariableInfo& variable) const {
    return enumerant_text(c_, variable.storage);
  }

  [[nodiscard]] static Place declaration_of(const VariableInfo& variable) { return {variable.declaration, 0}; }

  // Whether no entry point before had this error of the variable. An error is reported once, however many entry points
  // list the variable.
  bool is_new(Rule rule, const VariableInfo& variable) { return faults_.emplace(rule, variable.id).second; }

  // Reports a decoration that the execution model does not allow.
  // Drops the finding if the decoration itself is wrong.
  void report_decoration(Rule rule, const VariableInfo& variable, Decoration decoration) {
    const DecorationRow* row = c_.decorations.find(variable.id, decoration);
    if (row != nullptr && !c_.soundness.is_sound_word(target_place(*row))) return;
    if (!is_new(rule, variable)) return;
    c_.report(rule, declaration_of(variable), {storage_text(variable), id_text(c_, variable.id), model_text()});
    // A member may have the decoration instead of the variable.
    if (row != nullptr) note_decoration(c_, *row);
  }

  // The type of one vertex, if the variable has an element for each vertex of a primitive; else its whole type.
  [[nodiscard]] const TypeRow& of_one_vertex(const PlacedVariable& from) const {
    const VariableInfo& variable = from.info;
    const bool is_patch = from.is_patch, is_per_vertex = from.is_per_vertex;
    const bool is_input = variable.storage == StorageClass::Input;
    // These stages receive all vertices of a primitive: the outermost array counts them and takes no locations.
    const bool is_arrayed = (model_ == ExecutionModel::TessellationControl && !is_patch) ||
                            (model_ == ExecutionModel::TessellationEvaluation && is_input && !is_patch) ||
                            (model_ == ExecutionModel::Geometry && is_input) ||
                            (model_ == ExecutionModel::Fragment && is_input && is_per_vertex) ||
                            (is_mesh(model_) && !is_input);
    const TypeRow& type = *variable.holds;
    const TypeRow& of_one = is_arrayed && type.is_array() ? type.element_type() : type;
    return from.is_per_view && of_one.is_array() ? of_one.element_type() : of_one;
  }

  void place_variable(const PlacedVariable& from, std::uint32_t order) {
    const VariableInfo& variable = from.info;
    if (from.is_built_in || from.is_per_task) return;  // these have no locations
    const bool is_output = variable.storage == StorageClass::Output;
    // Index distinguishes the two colors of one attachment for dual-source blending. Any value other than 1 is treated
    // as the first color.
    const Word colour = from.index == Word{1} ? 1 : 0;
    if (from.index && (model_ != ExecutionModel::Fragment || !is_output)) {
      report_decoration(Rule::IndexModel, variable, Decoration::Index);
    }
    if (from.is_per_vertex && (model_ != ExecutionModel::Fragment || is_output)) {
      report_decoration(Rule::PerVertexModel, variable, Decoration::PerVertexKHR);
    } else if (from.is_per_vertex && !variable.holds->is_array() && is_new(Rule::PerVertexArray, variable)) {
      c_.report(Rule::PerVertexArray, declaration_of(variable), {variable.id, variable.holds->id});
    }
    if (from.nested != 0 && is_new(Rule::VariableAndMemberLocation, variable)) {
      const DecorationRow& member = *find_on_member(c_, from.nested, Decoration::Location);
      c_.report(Rule::VariableAndMemberLocation, declaration_of(variable), {target_text(c_, member), variable.id});
      c_.note(parameter_place(member), "Location of the member");
    }
    const TypeRow& type = of_one_vertex(from);
    if (from.component) check_component_array(variable, type);
    // Each stream of a geometry shader has its own set of locations.
    const bool has_streams = model_ == ExecutionModel::Geometry && is_output;
    const Word stream = has_streams ? from.stream.value_or(0) : 0;
    LocationInterval at;
    at.space = {is_output, colour, from.is_patch, stream};
    at.variable = variable.id;
    at.order = order;
    // If a block has no location, its members have the locations. Those of views are not placed.
    if (type.is(TypeKind::Struct) && !from.location) return place_members(variable, type, at, has_streams);
    if (!from.location) {
      if (!is_new(Rule::LocationMissing, variable)) return;
      if (report_missing(c_,
                         {missing_decoration(Decoration::Location, variable.id),
                          missing_decoration(Decoration::BuiltIn, variable.id)},
                         Rule::LocationMissing, declaration_of(variable),
                         {storage_text(variable), variable.id, "Location or BuiltIn"}))
        c_.vuid(4916);
      return;
    }
    // In Vulkan, either the variable or its members may have locations, not both.
    if (from.has_member_locations) {
      report_both_locations(from);
      return;
    }
    if (from.has_per_view_members) return;  // each has an array of its own that takes no locations
    if (slots_.place(type.id, at, *from.location, from.component.value_or(0), intervals_)) return;
    if (!is_new(Rule::LocationType, variable)) return;
    c_.report(Rule::LocationType, declaration_of(variable), {variable.id, type.id});
  }

  // The stages that receive all vertices, and MeshNV with its views, are exempt.
  void check_component_array(const VariableInfo& variable, const TypeRow& of_one) {
    const bool is_output = variable.storage == StorageClass::Output;
    const bool is_exempt = is_output
                               ? model_ == ExecutionModel::MeshNV
                               : model_ == ExecutionModel::TessellationControl || model_ == ExecutionModel::Geometry;
    if (is_exempt || !of_one.is_array() || !of_one.element_type().is_array()) return;
    if (!is_new(Rule::ComponentArray, variable)) return;
    c_.report(Rule::ComponentArray, declaration_of(variable),
              {storage_text(variable), variable.id, variable.holds->id});
    c_.vuid(is_output ? 10585 : 10584);
  }

  void report_both_locations(const PlacedVariable& from) {
    const VariableInfo& variable = from.info;
    constexpr Rule rule = Rule::VariableAndMemberLocation;
    if (!is_new(rule, variable)) return;
    // The search for the member is linear in the decorations of the structure, so only findings that are kept need it.
    if (!c_.has_room_for(rule)) return c_.report(rule, declaration_of(variable));
    const DecorationRow& member = *find_on_member(c_, from.structure, Decoration::Location);
    const DecorationRow& own = *c_.decorations.find(variable.id, Decoration::Location);
    c_.report(rule, declaration_of(variable), {target_text(c_, member), id_text(c_, variable.id)});
    c_.note(parameter_place(own), "Location of the variable");
    c_.note(parameter_place(member), "Location of the member");
  }

  // Checks a block without a location of its own: each member needs one.
  void place_members(const VariableInfo& variable, const TypeRow& type, LocationInterval at, bool has_streams) {
    if (!c_.decorations.has(type.id, Decoration::Block)) {
      if (!is_new(Rule::LocationMissing, variable)) return;
      if (!report_missing(
              c_,
              {missing_decoration(Decoration::Block, type.id), missing_decoration(Decoration::Location, variable.id),
               missing_decoration(Decoration::BuiltIn, variable.id)},
              Rule::LocationMissing, declaration_of(variable),
              {storage_text(variable), variable.id, "one, or a Block decoration on " + id_text(c_, type.id)}))
        return;
      c_.vuid(4917);
      note_target(c_, type.id);
      return;
    }
    const Words members = c_.types.members(type);
    const std::span<const DecorationRow> rows = c_.decorations.all_of(type.id);
    if (!c_.budget.spend(members.size() + rows.size())) return;
    at.block = type.id;
    const Word stream = at.space.stream;
    // The rows are sorted by member, so each is visited once.
    auto row = std::ranges::find_if(rows, [](const DecorationRow& each) { return each.member != no_member; });
    for (at.member = 0; at.member < members.size(); ++at.member) {
      std::optional<Word> location, component, own_stream;
      for (; row != rows.end() && row->member <= at.member; ++row) {
        std::optional<Word>* const to = row->decoration == Decoration::Location    ? &location
                                        : row->decoration == Decoration::Component ? &component
                                        : row->decoration == Decoration::Stream    ? &own_stream
                                                                                   : nullptr;
        if (to != nullptr && !*to) *to = c_.decorations.operand_or(*row, 0);
      }
      at.space.stream = has_streams ? own_stream.value_or(stream) : stream;
      if (!location) {
        if (!is_new(Rule::MemberLocation, variable)) continue;
        if (report_missing(c_,
                           {missing_decoration(Decoration::Location, type.id, at.member),
                            missing_decoration(Decoration::BuiltIn, type.id, at.member)},
                           Rule::MemberLocation, declaration_of(variable),
                           {member_text(c_, type.id, at.member), variable.id}))
          note_target(c_, type.id, at.member);
      } else if (is_mesh(model_) && c_.decorations.has(type.id, at.member, Decoration::PerViewNV)) {
        continue;
      } else if (!slots_.place(members[at.member], at, *location, component.value_or(0), intervals_)) {
        if (!is_new(Rule::LocationType, variable)) continue;
        c_.report(Rule::LocationType, declaration_of(variable),
                  {member_text(c_, type.id, at.member), members[at.member]});
        note_target(c_, type.id, at.member);
      }
    }
  }

  // --- overlapping variables ---

  [[nodiscard]] std::string owner_text(const LocationInterval& interval) const {
    std::string name = id_text(c_, interval.variable);
    if (interval.member == no_member) return name;
    return fmt::format("{} in {}", member_text(c_, interval.block, interval.member), name);
  }

  void compare(const EntryPointRow& entry) {
    // Skips the comparison if both rules have reached their limit of findings.
    if (!c_.has_room_for(Rule::InputLocationShared) && !c_.has_room_for(Rule::OutputLocationShared)) return;
    std::ranges::stable_sort(intervals_, {}, [](const LocationInterval& each) {
      return std::tie(each.space, each.lane, each.begin, each.order);
    });
    std::set<std::pair<Word, Word>> reported;  // one finding for each variable or member
    const LocationInterval* last = nullptr;    // the interval with the largest end in its lane
    for (const LocationInterval& interval : intervals_) {
      // Intervals are sorted by begin, so one overlaps an earlier one exactly if it begins before the largest end so
      // far.
      const bool is_same_lane = last != nullptr && last->space == interval.space && last->lane == interval.lane;
      if (is_same_lane && interval.begin < last->end) {
        // If two variables have the same block type, all their members overlap; only the first overlap is reported.
        const bool is_second = interval.block != 0 && interval.block == last->block && interval.order != last->order;
        if (reported.emplace(interval.variable, is_second ? no_member : interval.member).second)
          report_overlap(entry, *last, interval);
      }
      if (!is_same_lane || interval.end > last->end) last = &interval;
    }
  }

  // Inputs in other components of one location are interpolated together. Locations of one parity are sorted by their
  // begin, so that those that meet are adjacent.
  void compare_interpolation(const EntryPointRow& entry) {
    if (!c_.has_room_for(Rule::LocationInterpolation)) return;
    const auto key = [](const LocationInterval& each) {
      return std::tuple(each.space.is_output, each.lane % 2, each.begin, each.order, each.member);
    };
    std::ranges::stable_sort(intervals_, {}, key);
    std::set<std::pair<Word, Word>> reported;
    const LocationInterval* last = nullptr;  // the interval with the largest end so far
    for (const LocationInterval& each : intervals_) {
      if (each.space.is_output) break;
      const bool is_same_lane = last != nullptr && last->lane % 2 == each.lane % 2;
      const bool is_other = last != nullptr && (last->variable != each.variable || last->member != each.member);
      if (is_same_lane && is_other && each.begin < last->end && !reported.contains({each.variable, each.member})) {
        const std::optional<Decoration> differing = differing_interpolation(*last, each);
        if (differing) {
          reported.emplace(each.variable, each.member);
          c_.report(Rule::LocationInterpolation, place_in_list(c_, entry, each.order),
                    {owner_text(*last), owner_text(each), each.location(), *differing});
        }
      }
      if (!is_same_lane || each.end > last->end) last = &each;
    }
  }

  [[nodiscard]] std::optional<Decoration> differing_interpolation(const LocationInterval& a,
                                                                  const LocationInterval& b) const {
    const auto has = [&](const LocationInterval& each, Decoration decoration) {
      return c_.decorations.has(each.variable, decoration) ||
             (each.member != no_member && c_.decorations.has(each.block, each.member, decoration));
    };
    for (const Decoration decoration : {Decoration::PerVertexKHR, Decoration::Flat, Decoration::NoPerspective,
                                        Decoration::Sample, Decoration::Centroid}) {
      if (has(a, decoration) != has(b, decoration)) return decoration;
    }
    return std::nullopt;
  }

  // 08721 and 08722 are about all stages. Others repeat them for all outputs, and for the inputs of later stages.
  [[nodiscard]] std::uint16_t vuid_of_overlap(bool is_output) const {
    if (is_output) return model_ == ExecutionModel::Fragment ? 10587 : is_mesh(model_) ? 8722 : 10586;
    return model_ == ExecutionModel::Vertex || is_mesh(model_) ? 8721 : 10588;
  }

  // Reported at the entry point, because another entry point may list only one of the variables.
  void report_overlap(const EntryPointRow& entry, const LocationInterval& first, const LocationInterval& second) {
    const Rule rule = second.space.is_output ? Rule::OutputLocationShared : Rule::InputLocationShared;
    if (!report_missing(c_,
                        {missing_decoration(Decoration::Component, second.variable),
                         missing_decoration(Decoration::Index, second.variable)},
                        rule, place_in_list(c_, entry, second.order),
                        {owner_text(first), owner_text(second), second.component(), second.location()}))
      return;
    c_.vuid(vuid_of_overlap(second.space.is_output));
    c_.note({c_.module.definition(second.variable), 0}, "{id} declared here", {second.variable});
    if (first.variable == second.variable) return;
    c_.note({c_.module.definition(first.variable), 0}, "{id} declared here", {first.variable});
  }

  const ModuleCheck& c_;
  const LocationSlots slots_;
  IdMap<PlacedVariable> known_;
  IdMap<Word> nested_;                      // nested_with_locations() by structure
  std::set<std::pair<Rule, Word>> faults_;  // by rule and variable
  std::uint32_t number_ = 0;
  // State of the current entry point.
  ExecutionModel model_ = ExecutionModel::Vertex;
  std::vector<LocationInterval> intervals_;
};

// Built-in members have no locations, so their structure must be a block. The specification requires this in all
// environments. The requirement does not apply to arrays of such structures, as in tessellation stages.
void check_built_in_structures(const ModuleCheck& c) {
  std::set<Word> seen;
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    for (const Word id : entry.interface_) {
      const VariableInfo variable = variable_info(c, id);
      if (variable.holds == nullptr || !variable.holds->is(TypeKind::Struct)) continue;
      if (variable.storage != StorageClass::Input && variable.storage != StorageClass::Output) continue;
      const Word type = variable.holds->id;
      if (c.decorations.has(type, Decoration::Block)) continue;
      if (!c.decorations.has_on_member(type, Decoration::BuiltIn) || !seen.insert(id).second) continue;
      if (c.findings.join_counterpart({Report::DecorationFault::Missing, Decoration::Block, type},
                                      Rule::BuiltInBlock)) {
        c.note({variable.declaration, 0}, "structure {id} of {id} has no Block decoration", {type, id});
        continue;
      }
      c.report(Rule::BuiltInBlock, {variable.declaration, 0}, {type, variable.storage, id});
      note_target(c, type);
      hint_decoration(c, Decoration::Block, type);
    }
  }
}

}  // namespace

void check_locations(const ModuleCheck& c) {
  check_built_in_structures(c);
  if (c.is_vulkan()) LocationCheck(c).run();
}

}  // namespace vireo::spirv
