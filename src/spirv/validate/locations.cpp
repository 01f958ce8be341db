// SPDX-License-Identifier: Apache-2.0
//
// Locations: where inputs and outputs lie between stages, and that no two lie at one place.
//
// The one idea: a type takes a number of locations, and of each the same components; only vectors of three and four
// 64-bit numbers take all of one location and some of the next. So the components of a location are lanes, those of even
// and odd locations lanes of their own, and whatever a variable takes is one interval in each of its lanes. Intervals of
// a lane are sorted and compared with their neighbours: the largest array costs no more than a scalar.
//
// Source: Vulkan, "Location and Component Assignment" and "Shader Interfaces"; GLSL for arrays of the vertices of a
// primitive.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "spirv/validate/checks.h"
#include "spirv/validate/pointers.h"
#include "spirv/validate/variable_uses.h"

namespace vireo::spirv {
namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 40;  // locations, beyond all numbers of 32 bits
constexpr unsigned whole = 0b1111;                      // all components of a location

/// What a type takes.
struct Footprint {
  bool is_numeric = false;  ///< else it takes no locations at all
  /// Capped at `most`: more would not change a finding.
  std::uint64_t locations = 0;
  unsigned even = 0, odd = 0;  ///< components of the first location, and of the next; equal but for long 64-bit vectors
};

/// Components of neighbouring locations of one parity.
struct Interval {
  // What does not share locations with anything else: direction, Index, Patch, Stream.
  std::tuple<bool, Word, bool, Word> space;
  unsigned lane;             // component, and parity of the location
  std::uint64_t begin, end;  // halves of locations
  Word variable;
  Word member;
};

class LocationCheck {
 public:
  // Types in their order: parts stand in front of what they are parts of, so each footprint is made of earlier ones.
  LocationCheck(const Context& context, Report& report)
      : context_(context), report_(report), footprints_(context.types.rows().size()) {
    for (std::size_t i = 0; i < footprints_.size(); ++i) footprints_[i] = read(TypeIndex(i));
  }

  void run() {
    for (const EntryPointRow& entry : context_.preamble.entry_points()) {
      if (!has_locations(entry.model)) continue;
      model_ = entry.model;
      intervals_.clear();
      std::set<Word> seen;
      for (const Word id : entry.interface_) {
        const VariableInfo variable = variable_info(context_, id);
        // Twice in a list is one variable, and told elsewhere.
        if (variable.id == 0 || variable.holds == nullptr || !seen.insert(id).second) continue;
        if (variable.storage == StorageClass::Input || variable.storage == StorageClass::Output) look_at(variable);
      }
      compare(entry);
    }
  }

 private:
  // Stages that hand numbers on. (What mesh shaders hand on has other rules.)
  [[nodiscard]] static bool has_locations(ExecutionModel model) {
    return model == ExecutionModel::Vertex || model == ExecutionModel::TessellationControl ||
           model == ExecutionModel::TessellationEvaluation || model == ExecutionModel::Geometry ||
           model == ExecutionModel::Fragment;
  }

  // --- types ---

  // Four components a location; what does not go into one begins at the next.
  static Footprint of_components(std::uint64_t count) {
    // A bit a component; the second number is of the next location, should an array go on there.
    if (count <= 4) return {true, 1, (1u << count) - 1, (1u << count) - 1};
    return {true, (count + 3) / 4, whole, count % 4 == 0 ? whole : (1u << count % 4) - 1};
  }

  // Of a part; nothing for one that is not declared before the whole, which is told elsewhere.
  [[nodiscard]] Footprint of(TypeIndex whole_type, Word part) const {
    const TypeIndex index = context_.types.index_of(part);
    return index.is_none() || index >= whole_type ? Footprint{} : footprints_[index.index()];
  }

  [[nodiscard]] Footprint read(TypeIndex index) const {
    const TypeRow& type = context_.types.row(index);
    switch (type.kind) {
      case TypeKind::Bool: return of_components(1);  // a fault of its own
      case TypeKind::Int:
      case TypeKind::Float: return of_components(type.width == 64 ? 2 : 1);
      case TypeKind::Pointer:
      case TypeKind::UntypedPointer:
        // An address is a number of 64 bits, two components; other pointers are handed to nobody.
        return type.storage == StorageClass::PhysicalStorageBuffer ? of_components(2) : Footprint{};
      case TypeKind::Vector:
      case TypeKind::LongVector: {
        const TypeRow& component = context_.types.row(type.component);
        // A length that only specialization knows counts as one: nothing is told of what may not be.
        const std::uint64_t count = type.count != 0 ? type.count : context_.constants.as_u64(type.length).value_or(1);
        return of_components(std::min(count, most) * (component.width == 64 ? 2 : 1));
      }
      case TypeKind::Matrix:
      case TypeKind::Array:
      case TypeKind::RuntimeArray: {
        // Elements follow each other at whole locations, and each takes the same components: a longer interval of the
        // same lanes.
        Footprint footprint = of(index, type.element);
        const std::uint64_t count =
            type.count != 0 ? type.count : context_.constants.as_u64(type.length, ValueUse::OrDefault).value_or(1);
        // Types may say any count, so what is more than `most` is found by dividing.
        const bool is_more = count != 0 && footprint.locations > most / count;
        footprint.locations = is_more ? most : footprint.locations * count;
        return footprint;
      }
      case TypeKind::Struct: {
        // Members begin at locations of their own, so nothing else lies between them.
        Footprint sum{true, 0, whole, whole};
        for (const Word member : context_.types.members(type)) {
          const Footprint part = of(index, member);
          sum.is_numeric = sum.is_numeric && part.is_numeric;
          sum.locations = std::min(sum.locations + part.locations, most);
        }
        return sum;
      }
      // Handles, and whatever else has no components.
      default: return {};
    }
  }

  // --- one variable ---

  // What a decoration says; of two the first, as the second is told by the rules of decorations.
  [[nodiscard]] std::optional<Word> number(Word id, Word member, Decoration decoration) const {
    for (const DecorationRow& row : context_.decorations.of(id, member)) {
      if (row.decoration == decoration) return context_.decorations.operand_or(row, 0);
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has(const VariableInfo& variable, const TypeRow& block, Decoration decoration) const {
    return context_.decorations.has(variable.id, decoration) ||
           (block.is(TypeKind::Struct) && context_.decorations.has_on_member(block.id, decoration));
  }

  [[nodiscard]] std::string model_text() const { return enumerant_text(context_, model_); }

  // Says a fault of a variable once, however many entry points have it.
  void wrong(Rule rule, const VariableInfo& variable, std::initializer_list<std::string_view> texts) {
    if (faults_.emplace(rule, variable.id).second) report_.add(rule, {variable.declaration, 0}, texts);
  }

  // The type of one vertex, of what is there for each vertex of a primitive.
  [[nodiscard]] const TypeRow& of_one_vertex(const VariableInfo& variable, bool is_patch, bool is_per_vertex) const {
    const bool is_input = variable.storage == StorageClass::Input;
    // These stages see all vertices of a primitive at once: the outermost array counts them, and takes no locations.
    const bool is_arrayed = (model_ == ExecutionModel::TessellationControl && !is_patch) ||
                            (model_ == ExecutionModel::TessellationEvaluation && is_input && !is_patch) ||
                            (model_ == ExecutionModel::Geometry && is_input) ||
                            (model_ == ExecutionModel::Fragment && is_input && is_per_vertex);
    const TypeRow& type = *variable.holds;
    const TypeRow* element = is_arrayed && type.is_array() ? context_.types.find(type.element) : nullptr;
    return element == nullptr ? type : *element;
  }

  void look_at(const VariableInfo& variable) {
    const TypeRow& inner = without_arrays(context_, *variable.holds);
    if (has(variable, inner, Decoration::BuiltIn)) return;  // built-ins lie where they lie
    const bool is_output = variable.storage == StorageClass::Output;
    const auto index = number(variable.id, no_member, Decoration::Index);
    // Index tells apart the two colours of one attachment that blending takes.
    if (index && (model_ != ExecutionModel::Fragment || !is_output)) {
      wrong(Rule::IndexModel, variable, {id_text(context_, variable.id), model_text()});
    }
    const bool is_per_vertex = has(variable, inner, Decoration::PerVertexKHR);
    if (is_per_vertex && (model_ != ExecutionModel::Fragment || is_output)) {
      wrong(Rule::PerVertexModel, variable, {id_text(context_, variable.id), model_text()});
    } else if (is_per_vertex && !variable.holds->is_array()) {
      wrong(Rule::PerVertexArray, variable, {id_text(context_, variable.id), type_text(context_, variable.holds->id)});
    }
    const bool is_patch = has(variable, inner, Decoration::Patch);
    const TypeRow& type = of_one_vertex(variable, is_patch, is_per_vertex);
    // A geometry shader's streams are outputs of their own, each with all locations.
    const bool has_streams = model_ == ExecutionModel::Geometry && is_output;
    const Word stream = has_streams ? number(variable.id, no_member, Decoration::Stream).value_or(0) : 0;
    Interval at{{is_output, index.value_or(0), is_patch, stream}, 0, 0, 0, variable.id, no_member};
    const auto location = number(variable.id, no_member, Decoration::Location);
    // A block without a location says them by its members.
    if (type.is(TypeKind::Struct) && !location) return look_at_members(variable, type, at, has_streams);
    if (!location) {
      wrong(Rule::LocationMissing, variable,
            {id_text(context_, variable.id), enumerant_text(context_, variable.storage)});
      return;
    }
    // Vulkan wants locations of the variable, or of the members: of both, one would have to win.
    if (inner.is(TypeKind::Struct) && context_.decorations.has_on_member(inner.id, Decoration::Location)) {
      wrong(Rule::LocationOfMembers, variable, {id_text(context_, variable.id), id_text(context_, inner.id)});
      return;
    }
    const Word component = number(variable.id, no_member, Decoration::Component).value_or(0);
    if (place(type.id, at, *location, component)) return;
    wrong(Rule::LocationType, variable, {id_text(context_, variable.id), type_text(context_, type.id)});
  }

  // A block has a location for each member, or one for all of them, from which they follow each other.
  void look_at_members(const VariableInfo& variable, const TypeRow& type, Interval at, bool has_streams) {
    if (!context_.decorations.has(type.id, Decoration::Block)) {
      wrong(Rule::LocationMissing, variable,
            {id_text(context_, variable.id), enumerant_text(context_, variable.storage)});
      return;
    }
    const Word stream = std::get<3>(at.space);
    const Words members = context_.types.members(type);
    for (std::size_t i = 0; i < members.size(); ++i) {
      at.member = static_cast<Word>(i);
      const auto location = number(type.id, at.member, Decoration::Location);
      if (!location) {
        wrong(Rule::MemberLocation, variable, {std::to_string(i), id_text(context_, type.id)});
        continue;
      }
      if (has_streams) std::get<3>(at.space) = number(type.id, at.member, Decoration::Stream).value_or(stream);
      const Word component = number(type.id, at.member, Decoration::Component).value_or(0);
      if (!place(members[i], at, *location, component)) {
        wrong(Rule::LocationType, variable, {id_text(context_, type.id), type_text(context_, members[i])});
      }
    }
  }

  // --- intervals ---

  // Takes the components of a type from a location on; false when the type takes none.
  bool place(Word type, Interval at, Word location, Word component) {
    const TypeIndex index = context_.types.index_of(type);
    if (index.is_none()) return true;  // reported elsewhere
    const Footprint& footprint = footprints_[index.index()];
    if (!footprint.is_numeric) return false;
    // A component beyond 3 is told elsewhere; shifted by four nothing is left to compare.
    const unsigned shift = std::min<Word>(component, 4);
    for (unsigned parity = 0; parity < 2; ++parity) {
      // Of the two parities one has the first location, and with it the components of `even`.
      const bool is_first = parity == location % 2;
      const unsigned components = ((is_first ? footprint.even : footprint.odd) << shift) & whole;
      const std::uint64_t end = std::uint64_t{location} + footprint.locations;
      // Locations 2n + parity, by n.
      at.begin = (std::uint64_t{location} + (is_first ? 0 : 1)) / 2;
      // The numbers n with 2n + parity below the end.
      at.end = end > parity ? (end - parity + 1) / 2 : 0;
      for (unsigned c = 0; c < 4 && at.begin < at.end; ++c) {
        if ((components >> c & 1) == 0) continue;
        at.lane = c * 2 + parity;
        intervals_.push_back(at);
      }
    }
    return true;
  }

  [[nodiscard]] std::string owner_text(const Interval& interval) const {
    const std::string name = id_text(context_, interval.variable);
    return interval.member == no_member ? name : fmt::format("member {} of {}", interval.member, name);
  }

  void compare(const EntryPointRow& entry) {
    const auto key = [](const Interval& i) { return std::tie(i.space, i.lane, i.begin); };
    std::stable_sort(intervals_.begin(), intervals_.end(),
                     [&](const Interval& a, const Interval& b) { return key(a) < key(b); });
    std::set<std::pair<Word, Word>> told;  // one component stands for all
    const Interval* last = nullptr;        // the one that reaches furthest in its lane
    for (const Interval& interval : intervals_) {
      // Sorted by begin, an interval overlaps an earlier one exactly when it begins before the furthest end so far.
      const bool is_same_lane =
          last != nullptr && std::tie(last->space, last->lane) == std::tie(interval.space, interval.lane);
      if (is_same_lane && interval.begin < last->end && told.emplace(interval.variable, interval.member).second) {
        // Told at the entry point: it is what brings the two together, and another may list only one of them.
        const bool is_output = std::get<0>(interval.space);
        report_.add(is_output ? Rule::OutputLocationShared : Rule::InputLocationShared, {entry.instruction, 0},
                    {owner_text(*last), owner_text(interval), std::to_string(interval.lane / 2),
                     std::to_string(interval.begin * 2 + interval.lane % 2)});
        report_.note({context_.module.definition(interval.variable), 0}, "declared here");
      }
      if (!is_same_lane || interval.end > last->end) last = &interval;
    }
  }

  const Context& context_;
  Report& report_;
  std::vector<Footprint> footprints_;  // by type
  ExecutionModel model_ = ExecutionModel::Vertex;
  std::vector<Interval> intervals_;         // of one entry point
  std::set<std::pair<Rule, Word>> faults_;  // of variables
};

// Members that are built in have no locations; only a block may leave them out. (Arrays of such structures are what stages
// between others take and give, and nobody asks it of those.)
// Not only of Vulkan: the specification itself wants the block.
void check_built_in_structures(const Context& context, Report& report) {
  std::set<Word> seen;
  for (const EntryPointRow& entry : context.preamble.entry_points()) {
    for (const Word id : entry.interface_) {
      const VariableInfo variable = variable_info(context, id);
      if (variable.holds == nullptr || !variable.holds->is(TypeKind::Struct)) continue;
      if (variable.storage != StorageClass::Input && variable.storage != StorageClass::Output) continue;
      const Word type = variable.holds->id;
      if (context.decorations.has(type, Decoration::Block)) continue;
      if (!context.decorations.has_on_member(type, Decoration::BuiltIn) || !seen.insert(id).second) continue;
      report.add(Rule::BuiltInBlock, {variable.declaration, 0}, {id_text(context, id), id_text(context, type)});
    }
  }
}

}  // namespace

void check_locations(const Context& context, Report& report) {
  check_built_in_structures(context, report);
  if (context.is_vulkan()) LocationCheck(context, report).run();
}

}  // namespace vireo::spirv
