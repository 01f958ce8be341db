// SPDX-License-Identifier: Apache-2.0
//
// Blocks are placed when they are first met; intervals are compared when all of an entry point are there
// (location_overlaps.h).
#include "spirv/validate/analysis/location_overlaps.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vireo::spirv {

// --- intervals ----------------------------------------------------------------------------------------------------------

namespace {

bool comes_before(const LocationInterval& a, const LocationInterval& b) {
  return std::tie(a.space, a.lane, a.begin, a.order) < std::tie(b.space, b.lane, b.begin, b.order);
}

// A function by its address: sorting has the comparison in a dozen places, and intervals are few.
void sort_intervals(std::vector<LocationInterval>& intervals) {
  std::stable_sort(intervals.begin(), intervals.end(), &comes_before);
}

// Whether no two of one space lie at one place; they are sorted.
bool are_apart(std::span<const LocationInterval> sorted) {
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].lane == sorted[i - 1].lane && sorted[i].begin < sorted[i - 1].end) return false;
  }
  return true;
}

// Whether something lies where a member of a block lies, of which no two lie at one place.
bool is_hit(const LocationBlock::Part& block, const LocationInterval& by) {
  // Those that do not overlap end as they begin, one behind the other: the first that ends behind the beginning.
  const auto ends_before = [](const LocationInterval& member, const LocationInterval& at) {
    return std::tie(member.lane, member.end) <= std::tie(at.lane, at.begin);
  };
  const auto member = std::lower_bound(block.intervals.begin(), block.intervals.end(), by, ends_before);
  return member != block.intervals.end() && member->lane == by.lane && member->begin < by.end;
}

}  // namespace

// --- what an entry point has --------------------------------------------------------------------------------------------

void LocationOverlaps::begin() {
  intervals_.clear();
  listed_.clear();
}

bool LocationOverlaps::add(Word variable, const LocationSpace& space, Word type, Word location, Word component) {
  const LocationInterval at{space, 0, 0, 0, variable, no_member, next_order()};
  return footprints_.place(type, at, location, component, intervals_);
}

void LocationOverlaps::add(Word variable, const LocationSpace& space, Word structure, const LocationBlock& block) {
  const std::uint32_t order = next_order();
  for (const auto& [stream, part] : block.parts) {
    if (part.intervals.empty()) continue;
    Listed& listed = listed_.emplace_back(Listed{space, structure, order, variable, &part});
    if (stream != LocationBlock::no_stream) listed.space.stream = stream;
  }
}

const LocationBlock& LocationOverlaps::block(const TypeRow& structure, bool has_streams) {
  const auto [found, is_new] = blocks_[has_streams].try_emplace(structure.id);
  LocationBlock& block = found->second;
  if (!is_new) return block;
  const Words members = context_.types.members(structure);
  LocationInterval at;
  // The rows of members ascend as these do, so each is passed once.
  const std::span<const DecorationRow> rows = context_.decorations.all_of(structure.id);
  auto row = std::find_if(rows.begin(), rows.end(), [](const DecorationRow& each) { return each.member != no_member; });
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
    const auto [at_part, is_new_part] =
        block.parts.try_emplace(has_streams ? stream.value_or(LocationBlock::no_stream) : LocationBlock::no_stream);
    LocationBlock::Part& part = at_part->second;
    if (is_new_part) part.number = part_count_++;
    const bool has_components = footprints_.place(members[i], at, *location, component.value_or(0), part.intervals);
    if (!has_components && !block.without_components) block.without_components = at.member;
  }
  for (auto& [stream, part] : block.parts) {
    sort_intervals(part.intervals);
    part.is_clean = are_apart(part.intervals);
  }
  return block;
}

// --- comparing ----------------------------------------------------------------------------------------------------------

void LocationOverlaps::open(const Listed& listed, std::size_t count) {
  for (LocationInterval interval : std::span(listed.part->intervals).first(count)) {
    interval.space = listed.space;
    interval.variable = listed.variable;
    interval.order = listed.order;
    intervals_.push_back(interval);
  }
}

// Adds the intervals of those blocks that may share a location. The intervals that are there already are sorted.
void LocationOverlaps::open_blocks() {
  const auto key = [](const Listed& b) { return std::tie(b.space, b.structure, b.order); };
  std::sort(listed_.begin(), listed_.end(), [&](const Listed& a, const Listed& b) { return key(a) < key(b); });
  const std::size_t count = intervals_.size();
  for (std::size_t first = 0, end = 0; first < listed_.size(); first = end) {
    while (end < listed_.size() && listed_[end].space == listed_[first].space) ++end;
    const ListedBlocks together = ListedBlocks(listed_).subspan(first, end - first);
    if (are_clean(together) && !may_be_hit(together, count)) continue;
    for (std::size_t i = 0; i < together.size(); ++i) {
      // All of a second one lies on all of the first: one member tells it.
      const bool is_second = i != 0 && together[i].part == together[i - 1].part;
      open(together[i], is_second ? 1 : together[i].part->intervals.size());
    }
  }
  if (intervals_.size() != count) sort_intervals(intervals_);
}

// Whether no members of blocks of one space lie at one place: worked out once for all who list the same blocks.
bool LocationOverlaps::are_clean(ListedBlocks together) {
  if (together.size() == 1) return together[0].part->is_clean;
  std::vector<std::uint32_t> numbers;
  for (const Listed& block : together) numbers.push_back(block.part->number);
  const auto [found, is_new] = are_clean_.try_emplace(std::move(numbers), false);
  if (!is_new) return found->second;
  std::vector<LocationInterval> all;
  for (std::size_t i = 0; i < together.size(); ++i) {
    if (i != 0 && together[i].part == together[i - 1].part) return false;
    all.insert(all.end(), together[i].part->intervals.begin(), together[i].part->intervals.end());
  }
  sort_intervals(all);
  return found->second = are_apart(all);
}

// Whether anything else in the space of clean blocks hits one of them, among so many intervals; or might, where opening
// the blocks is less work than asking.
bool LocationOverlaps::may_be_hit(ListedBlocks together, std::size_t count) const {
  const auto end = intervals_.begin() + static_cast<std::ptrdiff_t>(count);
  const auto first =
      std::lower_bound(intervals_.begin(), end, together[0].space,
                       [](const LocationInterval& at, const LocationSpace& space) { return at.space < space; });
  const auto last = std::find_if(first, end, [&](const LocationInterval& at) { return at.space != together[0].space; });
  std::size_t members = 0;
  for (const Listed& block : together) members += block.part->intervals.size();
  if (together.size() > 1 && static_cast<std::size_t>(last - first) > members / together.size()) return true;
  return std::any_of(first, last, [&](const LocationInterval& at) {
    return std::any_of(together.begin(), together.end(), [&](const Listed& block) { return is_hit(*block.part, at); });
  });
}

std::span<const LocationInterval> LocationOverlaps::sorted() {
  sort_intervals(intervals_);
  open_blocks();
  return intervals_;
}

}  // namespace vireo::spirv
