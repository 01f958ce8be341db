// SPDX-License-Identifier: Apache-2.0
//
// Pairs of accesses, and what orders them (race_detector.h).
#include "spirv/execute/races/race_detector.h"

#include <algorithm>

namespace vireo::spirv {
namespace {

// A clock with more entries is not extended: then accesses count as ordered, which hides races but reports no false ones.
constexpr std::size_t max_known = 1u << 14;

constexpr std::size_t index_of(MemoryClass memory) { return static_cast<std::size_t>(memory); }

}  // namespace

void RaceDetector::begin_group(std::uint32_t group, std::uint32_t invocations, std::uint32_t subgroup_size) {
  group_ = group;
  invocations_ = invocations;
  subgroup_size_ = subgroup_size;
  agents_.assign(invocations, {});
  for (std::uint32_t i = 0; i < invocations; ++i) agents_[i].number = group * invocations + i;
  intervals_ = {};
  sub_intervals_.assign((invocations + subgroup_size - 1) / subgroup_size, {});
}

RaceDetector::Granule& RaceDetector::granule_at(std::uint64_t number) {
  const std::uint64_t page = number / page_granules;
  if (page != last_page_) {
    // Beyond the limit one page stands for all others, and is forgotten each time.
    const auto known = pages_.find(page);
    if (known == pages_.end() && pages_.size() >= max_pages_) {
      *spare_ = {};
      return (*spare_)[number % page_granules];
    }
    std::unique_ptr<Page>& made = pages_[page];
    if (made == nullptr) made = std::make_unique<Page>();
    last_ = made.get();
    last_page_ = page;
  }
  return (*last_)[number % page_granules];
}

// Whether the earlier access happens before an access of the current invocation.
bool RaceDetector::is_ordered(const Record& earlier, const Record& now, MemoryClass memory) const {
  if (group_of(earlier.agent) == group_) {
    if (earlier.interval != now.interval) return true;
    if (subgroup_of(earlier.agent) == subgroup_of(now.agent) && earlier.sub_interval != now.sub_interval) return true;
  }
  const Knowledge& known = agents_[invocation_of(now.agent)].known[index_of(memory)];
  if (known.is_empty()) return false;
  return known.size() >= max_known || known.invocations.at(earlier.agent) >= earlier.time ||
         known.groups.at(group_of(earlier.agent)) > earlier.interval;
}

// Whether memory barriers on both sides of a control barrier order the accesses. `is_half`: only the first side has one.
bool RaceDetector::are_fenced(const Record& earlier, const Agent& now, MemoryClass memory, bool& is_half) const {
  if (group_of(earlier.agent) != group_ || earlier.barriers >= now.barriers) return false;
  const auto& releases = agents_[invocation_of(earlier.agent)].releases[index_of(memory)];
  // The first one after the access, which a control barrier follows.
  if (earlier.releases >= releases.size() || releases[earlier.releases] >= now.barriers) return false;
  const bool is_acquired = now.acquired[index_of(memory)] > releases[earlier.releases];
  is_half = !is_acquired;
  return is_acquired;
}

RaceKind RaceDetector::kind_of(const Record& earlier, const Record& now, const AccessEvent& event,
                               bool& passed_barrier) const {
  const Agent& agent = agents_[invocation_of(now.agent)];
  if (earlier.object != now.object) return RaceKind::Alias;
  bool is_half = false;
  if (is_ordered(earlier, now, event.memory) || are_fenced(earlier, agent, event.memory, is_half)) {
    const bool is_seen = !earlier.is_private && !now.is_private;
    return is_seen || !earlier.is_write ? RaceKind::None : RaceKind::NotVisible;
  }
  passed_barrier = group_of(earlier.agent) == group_ && earlier.barriers < now.barriers;
  if (earlier.is_atomic && now.is_atomic) {
    const bool is_far = group_of(earlier.agent) != group_;
    const auto covers = [&](Scope scope) {
      return scope == Scope::Device || scope == Scope::QueueFamily || scope == Scope::CrossDevice ||
             (scope == Scope::Workgroup && !is_far) ||
             (scope == Scope::Subgroup && !is_far && subgroup_of(earlier.agent) == subgroup_of(now.agent));
    };
    return covers(earlier.scope) && covers(now.scope) && earlier.bytes == now.bytes ? RaceKind::None
                                                                                    : RaceKind::Atomicity;
  }
  if (earlier.is_atomic || now.is_atomic) return RaceKind::Atomicity;
  if (is_half) return RaceKind::HalfBarrier;
  return earlier.is_write && now.is_write && event.keeps_value ? RaceKind::SameValue : RaceKind::Race;
}

// Keeps the accesses of two invocations. One invocation needs only its last access, for all its bytes.
void RaceDetector::remember(std::array<Record, 2>& records, const Record& now) {
  Record& last = records[0];
  const bool is_own = last.time != 0 && last.agent == now.agent;
  const bool is_same_time = last.time == now.time && last.barriers == now.barriers && last.interval == now.interval &&
                            last.sub_interval == now.sub_interval && last.releases == now.releases;
  if (is_own && ((now.bytes & last.bytes) == last.bytes || is_same_time)) {
    const auto bytes = static_cast<std::uint8_t>(now.bytes | last.bytes);
    last = now;
    last.bytes = bytes;
    return;
  }
  records[1] = last;
  last = now;
}

RaceFound RaceDetector::access(std::uint32_t invocation, const AccessEvent& event) {
  const Agent& agent = agents_[invocation];
  const std::size_t memory = index_of(event.memory);
  Record now{.agent = agent.number,
             .instruction = event.instruction,
             .object = event.object,
             .time = agent.time,
             .barriers = agent.barriers,
             .interval = intervals_[memory],
             .sub_interval = sub_intervals_[invocation / subgroup_size_][memory],
             .releases = static_cast<std::uint32_t>(agent.releases[memory].size()),
             .is_write = event.is_write,
             .is_atomic = event.is_atomic,
             .is_private = event.is_private,
             .scope = event.scope};
  RaceFound found;
  const auto address = reinterpret_cast<std::uintptr_t>(event.bytes);
  for (std::uint64_t at = address; at < address + event.size;) {
    const std::uint64_t number = at / 4, end = std::min<std::uint64_t>((number + 1) * 4, address + event.size);
    now.bytes = static_cast<std::uint8_t>(((1u << (end - at)) - 1) << (at % 4));
    Granule& granule = granule_at(number);
    const auto compare = [&](const Record& earlier) {
      if (earlier.time == 0 || earlier.agent == now.agent || (earlier.bytes & now.bytes) == 0) return;
      // Workgroup memory is another one in each workgroup.
      if (event.memory == MemoryClass::Workgroup && group_of(earlier.agent) != group_) return;
      bool passed_barrier = false;
      const RaceKind kind = kind_of(earlier, now, event, passed_barrier);
      if (kind == RaceKind::None || (found.kind != RaceKind::None && found.kind <= kind)) return;
      found = {kind, earlier.instruction, earlier.agent, earlier.is_write, passed_barrier};
    };
    for (const Record& each : granule.writes) compare(each);
    if (event.is_write) {
      for (const Record& each : granule.reads) compare(each);
      remember(granule.writes, now);
    } else {
      remember(granule.reads, now);
    }
    at = end;
  }
  return found;
}

void RaceDetector::synchronize(std::uint32_t invocation, const AccessEvent& event, Semantics semantics, bool is_read,
                               bool is_store) {
  Agent& agent = agents_[invocation];
  const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(event.bytes));
  for (std::size_t k = 0; k < memory_class_count; ++k) {
    const bool is_named = semantics.has(static_cast<MemoryClass>(k));
    if (is_read) {
      const auto sequence = sequences_.find(address);
      if (sequence != sequences_.end() && !sequence->second[k].is_empty()) {
        const Knowledge& read = sequence->second[k];
        if (agent.known[k].size() < max_known && is_named && semantics.acquires()) agent.known[k].join(read);
        else if (agent.pending[k].size() < max_known) agent.pending[k].join(read);
      }
    }
    if (!event.is_write) continue;
    // A store begins a new release sequence; other operations continue the one that they read.
    if (is_store && sequences_.contains(address)) sequences_[address][k] = {};
    if (is_named && semantics.releases()) {
      Knowledge& sequence = sequences_[address][k];
      sequence.join(agent.known[k]);
      sequence.invocations.raise(agent.number, agent.time);
      if (intervals_[k] != 0) sequence.groups.raise(group_, intervals_[k]);
    } else if (!agent.released[k].is_empty()) {
      sequences_[address][k].join(agent.released[k]);
    }
  }
  if (event.is_write && semantics.releases()) ++agent.time;
}

void RaceDetector::memory_barrier(std::uint32_t invocation, Semantics semantics) {
  Agent& agent = agents_[invocation];
  for (std::size_t k = 0; k < memory_class_count; ++k) {
    if (!semantics.has(static_cast<MemoryClass>(k))) continue;
    if (semantics.acquires()) {
      agent.acquired[k] = agent.barriers;
      agent.known[k].join(agent.pending[k]);
    }
    if (!semantics.releases()) continue;
    agent.releases[k].push_back(agent.barriers);
    agent.released[k] = agent.known[k];
    agent.released[k].invocations.raise(agent.number, agent.time);
    if (intervals_[k] != 0) agent.released[k].groups.raise(group_, intervals_[k]);
  }
  if (semantics.releases()) ++agent.time;
}

void RaceDetector::group_barrier(Semantics semantics) {
  for (std::size_t k = 0; k < memory_class_count; ++k) {
    if (!semantics.has(static_cast<MemoryClass>(k)) || !semantics.releases() || !semantics.acquires()) continue;
    ++intervals_[k];
    // What one invocation knows, all know now.
    Knowledge all;
    for (const Agent& agent : agents_) all.join(agent.known[k]);
    if (all.is_empty()) continue;
    for (Agent& agent : agents_) agent.known[k] = all;
  }
  for (Agent& agent : agents_) {
    ++agent.barriers;
    for (std::size_t k = 0; k < memory_class_count; ++k)
      if (semantics.has(static_cast<MemoryClass>(k)) && semantics.acquires()) agent.acquired[k] = agent.barriers;
  }
}

void RaceDetector::subgroup_barrier(std::uint32_t subgroup, Semantics semantics) {
  for (std::size_t k = 0; k < memory_class_count; ++k) {
    if (!semantics.has(static_cast<MemoryClass>(k)) || !semantics.releases() || !semantics.acquires()) continue;
    ++sub_intervals_[subgroup][k];
  }
}

}  // namespace vireo::spirv
