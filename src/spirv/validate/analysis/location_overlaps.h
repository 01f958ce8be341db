// SPDX-License-Identifier: Apache-2.0
//
// LocationOverlaps: what an entry point has at one location and component twice.
//
// The one idea: the intervals of a lane (location_footprints.h) are sorted and compared with their neighbours.
//
// Many variables may be of one large block, and many entry points may list one variable. So the members of a block are
// placed and compared once, and so are blocks that are listed together; an entry point looks at single members only
// where something else lies in their place, too.
//
// Source: Vulkan, "Location and Component Assignment".
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/location_footprints.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// A block whose members say where they lie.
struct LocationBlock {
  /// Members that lie in one space.
  struct Part {
    std::uint32_t number = 0;                 ///< among all that were placed
    std::vector<LocationInterval> intervals;  ///< by lane, then by begin
    bool is_clean = true;                     ///< no two members lie at one place
  };
  static constexpr Word no_stream = 0xFFFFFFFF;

  std::map<Word, Part> parts;  ///< by the stream that members name, where streams count, or no_stream
  // The first member of each fault.
  std::optional<Word> without_location, without_components;
};

class LocationOverlaps {
 public:
  explicit LocationOverlaps(const Context& context) : context_(context), footprints_(context) {}

  /// Forgets what the entry point before lists.
  void begin();
  /// Adds a variable that lies at a location; false when its type takes none.
  bool add(Word variable, const LocationSpace& space, Word type, Word location, Word component);
  /// Adds a variable that is a block, whose members say where they lie.
  void add(Word variable, const LocationSpace& space, Word structure, const LocationBlock& block);
  /// Calls `found` with two intervals for what has been added and lies at one place with something before it, each
  /// variable and member once.
  template <class Found>
  void find(Found found) {
    std::set<std::pair<Word, Word>> told;    // one component stands for all
    const LocationInterval* last = nullptr;  // the one that reaches furthest in its lane
    for (const LocationInterval& interval : sorted()) {
      // Sorted by begin, an interval overlaps an earlier one exactly when it begins before the furthest end so far.
      const bool is_same_lane = last != nullptr && last->space == interval.space && last->lane == interval.lane;
      if (is_same_lane && interval.begin < last->end && told.emplace(interval.variable, interval.member).second) {
        found(*last, interval);
      }
      if (!is_same_lane || interval.end > last->end) last = &interval;
    }
  }

  /// What each member of a block takes, worked out once.
  const LocationBlock& block(const TypeRow& structure, bool has_streams);

 private:
  // A variable of a block; more than one of these if its members are spread over streams.
  struct Listed {
    LocationSpace space;
    Word structure;
    std::uint32_t order;
    Word variable;
    const LocationBlock::Part* part;
  };
  using ListedBlocks = std::span<const Listed>;

  [[nodiscard]] std::uint32_t next_order() const {
    return static_cast<std::uint32_t>(intervals_.size() + listed_.size());
  }
  // All intervals that may lie at one place with others.
  std::span<const LocationInterval> sorted();
  void open(const Listed& listed, std::size_t count);
  void open_blocks();
  [[nodiscard]] bool are_clean(ListedBlocks together);
  [[nodiscard]] bool may_be_hit(ListedBlocks together, std::size_t count) const;

  const Context& context_;
  const LocationFootprints footprints_;
  std::array<IdMap<LocationBlock>, 2> blocks_;  // whether streams count; by structure
  std::uint32_t part_count_ = 0;
  std::map<std::vector<std::uint32_t>, bool> are_clean_;  // of blocks that were listed together

  // Of one entry point.
  std::vector<LocationInterval> intervals_;
  std::vector<Listed> listed_;
};

}  // namespace vireo::spirv
