// SPDX-License-Identifier: Apache-2.0
//
// Locations: where inputs and outputs lie between stages, and that no two lie at one place.
//
// The one idea: a type takes a run of locations, and the same components of each; only vectors of three and four 64-bit
// numbers take all of one location and some of the next. So there are eight lanes, four components of even locations
// and four of odd ones, and what a variable takes is one interval in each of its lanes. The intervals of a lane are
// sorted and compared with their neighbours: the largest array costs no more than a scalar.
//
// Many variables may be of one large block, and many entry points may list one variable. So the members of a block are
// placed and compared once, and so are blocks that are listed together; an entry point looks at single members only
// where something else lies in their place, too.
//
// Source: Vulkan, "Location and Component Assignment" and "Shader Interfaces"; GLSL for arrays of the vertices of a
// primitive.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "spirv/validate/checks.h"
#include "spirv/validate/pointers.h"
#include "spirv/validate/variable_uses.h"
#include "vireo/support/id_map.h"

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

/// Variables of different spaces never share a location. A space is: direction, Index, Patch, Stream.
using Space = std::tuple<bool, Word, bool, Word>;

/// One component of every second location, from `begin` to `end`: the locations 2n or 2n + 1, counted by n.
struct Interval {
  Space space;
  unsigned lane;             // component, and parity of the location
  std::uint64_t begin, end;  // halves of locations
  Word variable;
  Word member;
  std::uint32_t order;  // of the variable among those that the entry point lists
};

/// A variable as all entry points see it that list it.
struct PlacedVariable {
  VariableInfo info;
  std::uint32_t entry = 0;  ///< the last entry point that listed it
  // Where a decoration stands twice the first counts; the second one is a finding of the rules of decorations.
  std::optional<Word> location, component, index, stream;
  bool is_built_in = false, is_patch = false, is_per_vertex = false;  ///< itself, or a member of the structure in it
  bool has_member_locations = false;
  Word structure = 0;  ///< that it holds, in arrays or not
};

/// Members of a block that lie in one space.
struct BlockPart {
  std::uint32_t number = 0;         ///< among all that were placed
  std::vector<Interval> intervals;  ///< by lane, then by begin
  bool is_clean = true;             ///< no two members lie at one place
};

/// A block whose members say where they lie.
struct PlacedBlock {
  std::map<Word, BlockPart> parts;  ///< by the stream that members name, where streams count, or no_stream
  // The first member of each fault.
  std::optional<Word> without_location, without_components;
};
constexpr Word no_stream = 0xFFFFFFFF;

/// A variable of a block, of one entry point; more than one of these if its members are spread over streams.
struct ListedBlock {
  Space space;
  Word structure;
  std::uint32_t order;
  Word variable;
  const BlockPart* part;
};
using ListedBlocks = std::span<const ListedBlock>;

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
      blocks_.clear();
      ++number_;
      for (const Word id : entry.interface_) {
        const auto [at, is_new] = known_.try_emplace(id);
        PlacedVariable& variable = at->second;
        if (is_new) read(variable, id);
        // A variable that is listed twice is taken once; listed_variables.cpp reports it.
        if (variable.info.id == 0 || variable.info.holds == nullptr || variable.entry == number_) continue;
        variable.entry = number_;
        const StorageClass storage = variable.info.storage;
        if (storage == StorageClass::Input || storage == StorageClass::Output) look_at(variable);
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
    // A bit for each component; `odd` is for the next element, should this be one of an array.
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

  // Reads off a variable's decorations, and those of its structure, what is asked at each entry point that lists it.
  void read(PlacedVariable& variable, Word id) {
    variable.info = variable_info(context_, id);
    if (variable.info.id == 0 || variable.info.holds == nullptr) return;
    for (const DecorationRow& row : context_.decorations.of(id)) {
      const auto number = [&](std::optional<Word>& to) {
        if (!to) to = context_.decorations.operand_or(row, 0);
      };
      switch (row.decoration) {
        case Decoration::Location: number(variable.location); break;
        case Decoration::Component: number(variable.component); break;
        case Decoration::Index: number(variable.index); break;
        case Decoration::Stream: number(variable.stream); break;
        case Decoration::BuiltIn: variable.is_built_in = true; break;
        case Decoration::Patch: variable.is_patch = true; break;
        case Decoration::PerVertexKHR: variable.is_per_vertex = true; break;
        default: break;
      }
    }
    const TypeRow& inner = without_arrays(context_, *variable.info.holds);
    if (!inner.is(TypeKind::Struct)) return;
    variable.structure = inner.id;
    const auto has_on_member = [&](Decoration each) { return context_.decorations.has_on_member(inner.id, each); };
    variable.is_built_in |= has_on_member(Decoration::BuiltIn);
    variable.is_patch |= has_on_member(Decoration::Patch);
    variable.is_per_vertex |= has_on_member(Decoration::PerVertexKHR);
    variable.has_member_locations = has_on_member(Decoration::Location);
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

  void look_at(const PlacedVariable& from) {
    const VariableInfo& variable = from.info;
    if (from.is_built_in) return;  // built-ins lie where they lie
    const bool is_output = variable.storage == StorageClass::Output;
    // Index tells apart the two colours of one attachment that blending takes: what is not the second is the first.
    const Word colour = from.index == Word{1} ? 1 : 0;
    if (from.index && (model_ != ExecutionModel::Fragment || !is_output)) {
      wrong(Rule::IndexModel, variable, {id_text(context_, variable.id), model_text()});
    }
    if (from.is_per_vertex && (model_ != ExecutionModel::Fragment || is_output)) {
      wrong(Rule::PerVertexModel, variable, {id_text(context_, variable.id), model_text()});
    } else if (from.is_per_vertex && !variable.holds->is_array()) {
      wrong(Rule::PerVertexArray, variable, {id_text(context_, variable.id), type_text(context_, variable.holds->id)});
    }
    const TypeRow& type = of_one_vertex(variable, from.is_patch, from.is_per_vertex);
    if (without_arrays(context_, type).is(TypeKind::None)) return;  // a type that is missing was told
    // A geometry shader's streams are outputs of their own, each with all locations.
    const bool has_streams = model_ == ExecutionModel::Geometry && is_output;
    const Word stream = has_streams ? from.stream.value_or(0) : 0;
    const auto order = static_cast<std::uint32_t>(intervals_.size() + blocks_.size());
    Interval at{{is_output, colour, from.is_patch, stream}, 0, 0, 0, variable.id, no_member, order};
    // A block without a location says them by its members.
    if (type.is(TypeKind::Struct) && !from.location) return look_at_members(variable, type, at, has_streams);
    if (!from.location) {
      wrong(Rule::LocationMissing, variable,
            {id_text(context_, variable.id), enumerant_text(context_, variable.storage)});
      return;
    }
    // Vulkan wants locations of the variable, or of the members: of both, one would have to win.
    if (from.has_member_locations) {
      wrong(Rule::LocationOfMembers, variable, {id_text(context_, variable.id), id_text(context_, from.structure)});
      return;
    }
    if (place(type.id, at, *from.location, from.component.value_or(0), intervals_)) return;
    wrong(Rule::LocationType, variable, {id_text(context_, variable.id), type_text(context_, type.id)});
  }

  // A block has a location for each member, or one for all of them, from which they follow each other.
  void look_at_members(const VariableInfo& variable, const TypeRow& type, const Interval& at, bool has_streams) {
    if (!context_.decorations.has(type.id, Decoration::Block)) {
      wrong(Rule::LocationMissing, variable,
            {id_text(context_, variable.id), enumerant_text(context_, variable.storage)});
      return;
    }
    const PlacedBlock& block = placed(type, has_streams);
    if (const auto member = block.without_location) {
      wrong(Rule::MemberLocation, variable, {std::to_string(*member), id_text(context_, type.id)});
    }
    if (const auto member = block.without_components) {
      wrong(Rule::LocationType, variable,
            {id_text(context_, type.id), type_text(context_, context_.types.members(type)[*member])});
    }
    for (const auto& [stream, part] : block.parts) {
      Space space = at.space;
      if (stream != no_stream) std::get<3>(space) = stream;
      if (!part.intervals.empty()) blocks_.push_back({space, type.id, at.order, variable.id, &part});
    }
  }

  // What each member of a block takes, worked out once.
  const PlacedBlock& placed(const TypeRow& type, bool has_streams) {
    const auto [found, is_new] = placed_[has_streams].try_emplace(type.id);
    PlacedBlock& block = found->second;
    if (!is_new) return block;
    const Words members = context_.types.members(type);
    Interval at{};
    // The rows of members ascend as these do, so each is passed once.
    const std::span<const DecorationRow> rows = context_.decorations.all_of(type.id);
    auto row =
        std::find_if(rows.begin(), rows.end(), [](const DecorationRow& each) { return each.member != no_member; });
    for (std::size_t i = 0; i < members.size(); ++i) {
      at.member = static_cast<Word>(i);
      std::optional<Word> location, component, stream;
      for (; row != rows.end() && row->member <= at.member; ++row) {
        std::optional<Word>* const to = row->decoration == Decoration::Location    ? &location
                                        : row->decoration == Decoration::Component ? &component
                                        : row->decoration == Decoration::Stream    ? &stream
                                                                                   : nullptr;
        if (to != nullptr && !*to) *to = context_.decorations.operand_or(*row, 0);
      }
      if (!location) {
        if (!block.without_location) block.without_location = at.member;
        continue;
      }
      const auto [at_part, is_new_part] = block.parts.try_emplace(has_streams ? stream.value_or(no_stream) : no_stream);
      BlockPart& part = at_part->second;
      if (is_new_part) part.number = part_count_++;
      const bool has_components = place(members[i], at, *location, component.value_or(0), part.intervals);
      if (!has_components && !block.without_components) block.without_components = at.member;
    }
    for (auto& [stream, part] : block.parts) {
      sort(part.intervals);
      part.is_clean = are_apart(part.intervals);
    }
    return block;
  }

  // --- intervals ---

  // Takes the components of a type from a location on; false when the type takes none.
  bool place(Word type, Interval at, Word location, Word component, std::vector<Interval>& intervals) const {
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
        intervals.push_back(at);
      }
    }
    return true;
  }

  [[nodiscard]] std::string owner_text(const Interval& interval) const {
    const std::string name = id_text(context_, interval.variable);
    return interval.member == no_member ? name : fmt::format("member {} of {}", interval.member, name);
  }

  static void sort(std::vector<Interval>& intervals) {
    const auto key = [](const Interval& i) { return std::tie(i.space, i.lane, i.begin, i.order); };
    std::stable_sort(intervals.begin(), intervals.end(),
                     [&](const Interval& a, const Interval& b) { return key(a) < key(b); });
  }

  // Whether no two of one space lie at one place; they are sorted.
  static bool are_apart(std::span<const Interval> sorted) {
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i].lane == sorted[i - 1].lane && sorted[i].begin < sorted[i - 1].end) return false;
    }
    return true;
  }

  // Whether something lies where a member of a block lies, of which no two lie at one place.
  static bool is_hit(const BlockPart& block, const Interval& by) {
    // Those that do not overlap end as they begin, one behind the other: the first that ends behind the beginning.
    const auto ends_before = [](const Interval& member, const Interval& at) {
      return std::tie(member.lane, member.end) <= std::tie(at.lane, at.begin);
    };
    const auto member = std::lower_bound(block.intervals.begin(), block.intervals.end(), by, ends_before);
    return member != block.intervals.end() && member->lane == by.lane && member->begin < by.end;
  }

  void open(const ListedBlock& listed, std::size_t count) {
    for (Interval interval : std::span(listed.part->intervals).first(count)) {
      interval.space = listed.space;
      interval.variable = listed.variable;
      interval.order = listed.order;
      intervals_.push_back(interval);
    }
  }

  // Adds the intervals of those blocks that may share a location. The intervals that are there already are sorted.
  void open_blocks() {
    const auto key = [](const ListedBlock& b) { return std::tie(b.space, b.structure, b.order); };
    std::sort(blocks_.begin(), blocks_.end(),
              [&](const ListedBlock& a, const ListedBlock& b) { return key(a) < key(b); });
    const std::size_t count = intervals_.size();
    for (std::size_t first = 0, end = 0; first < blocks_.size(); first = end) {
      while (end < blocks_.size() && blocks_[end].space == blocks_[first].space) ++end;
      const ListedBlocks together = ListedBlocks(blocks_).subspan(first, end - first);
      if (are_clean(together) && !may_be_hit(together, count)) continue;
      for (std::size_t i = 0; i < together.size(); ++i) {
        // All of a second one lies on all of the first: one member tells it.
        const bool is_second = i != 0 && together[i].part == together[i - 1].part;
        open(together[i], is_second ? 1 : together[i].part->intervals.size());
      }
    }
    if (intervals_.size() != count) sort(intervals_);
  }

  // Whether no members of blocks of one space lie at one place: worked out once for all who list the same blocks.
  bool are_clean(ListedBlocks together) {
    if (together.size() == 1) return together[0].part->is_clean;
    std::vector<std::uint32_t> numbers;
    for (const ListedBlock& block : together) numbers.push_back(block.part->number);
    const auto [found, is_new] = are_clean_.try_emplace(std::move(numbers), false);
    if (!is_new) return found->second;
    std::vector<Interval> all;
    for (std::size_t i = 0; i < together.size(); ++i) {
      if (i != 0 && together[i].part == together[i - 1].part) return false;
      all.insert(all.end(), together[i].part->intervals.begin(), together[i].part->intervals.end());
    }
    sort(all);
    return found->second = are_apart(all);
  }

  // Whether anything else in the space of clean blocks hits one of them, among so many intervals; or might, where opening
  // the blocks is less work than asking.
  [[nodiscard]] bool may_be_hit(ListedBlocks together, std::size_t count) const {
    const auto end = intervals_.begin() + static_cast<std::ptrdiff_t>(count);
    const auto first = std::lower_bound(intervals_.begin(), end, together[0].space,
                                        [](const Interval& at, const Space& space) { return at.space < space; });
    const auto last = std::find_if(first, end, [&](const Interval& at) { return at.space != together[0].space; });
    std::size_t members = 0;
    for (const ListedBlock& block : together) members += block.part->intervals.size();
    if (together.size() > 1 && static_cast<std::size_t>(last - first) > members / together.size()) return true;
    return std::any_of(first, last, [&](const Interval& at) {
      return std::any_of(together.begin(), together.end(),
                         [&](const ListedBlock& block) { return is_hit(*block.part, at); });
    });
  }

  void compare(const EntryPointRow& entry) {
    // What would only be counted is not looked for.
    if (!report_.has_room_for(Rule::InputLocationShared) && !report_.has_room_for(Rule::OutputLocationShared)) return;
    sort(intervals_);
    open_blocks();
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
  IdMap<PlacedVariable> known_;
  std::array<IdMap<PlacedBlock>, 2> placed_;  // whether streams count; by structure
  std::uint32_t part_count_ = 0;
  std::map<std::vector<std::uint32_t>, bool> are_clean_;  // of blocks that were listed together
  std::set<std::pair<Rule, Word>> faults_;                // of variables
  std::uint32_t number_ = 0;

  // Of one entry point.
  ExecutionModel model_ = ExecutionModel::Vertex;
  std::vector<Interval> intervals_;
  std::vector<ListedBlock> blocks_;
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
