// SPDX-License-Identifier: Apache-2.0
//
// Clocks: what an invocation knows about the progress of others.
//
// An invocation that acquires from an atomic knows what the releasing one knew: the invocations up to some time, and the
// workgroups up to some barrier. Most invocations never acquire, so a clock is a short sorted list.
//
// Source: Vulkan, "Memory Model", "Synchronizes-With"; FastTrack (Flanagan, Freund, 2009) for the representation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace vireo::spirv {

class Clock {
 public:
  /// The time up to which an agent is known; 0: not at all.
  [[nodiscard]] std::uint32_t at(std::uint32_t agent) const {
    const auto found = std::ranges::lower_bound(times_, agent, {}, &Entry::first);
    return found == times_.end() || found->first != agent ? 0 : found->second;
  }
  void raise(std::uint32_t agent, std::uint32_t time) {
    const auto found = std::ranges::lower_bound(times_, agent, {}, &Entry::first);
    if (found != times_.end() && found->first == agent) found->second = std::max(found->second, time);
    else times_.insert(found, {agent, time});
  }
  void join(const Clock& other) {
    if (times_.empty()) {
      times_ = other.times_;
      return;
    }
    for (const auto& [agent, time] : other.times_) raise(agent, time);
  }
  [[nodiscard]] bool is_empty() const { return times_.empty(); }
  [[nodiscard]] std::size_t size() const { return times_.size(); }
  void clear() { times_.clear(); }

 private:
  using Entry = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<Entry> times_;  // ascending by agent
};

/// The clocks of invocations and of workgroups (as times: the number of a barrier plus 1).
struct Knowledge {
  Clock invocations, groups;
  void join(const Knowledge& other) {
    invocations.join(other.invocations);
    groups.join(other.groups);
  }
  [[nodiscard]] bool is_empty() const { return invocations.is_empty() && groups.is_empty(); }
  [[nodiscard]] std::size_t size() const { return invocations.size() + groups.size(); }
};

}  // namespace vireo::spirv
