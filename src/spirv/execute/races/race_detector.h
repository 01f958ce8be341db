// SPDX-License-Identifier: Apache-2.0
//
// RaceDetector: accesses of different invocations to one byte that nothing orders.
//
// Each four bytes of shared memory remember their last accesses, each with the invocation and the barriers that it had
// passed. A later access of another invocation is ordered after it by
//
//   a control barrier that both pass, whose semantics include the storage class of the memory;
//   memory barriers on both sides of a control barrier;
//   atomics: a release that is read by an acquire (Clock).
//
// The order in which the invocations really run has no influence: a pair of accesses is reported if and only if nothing
// orders it.
//
// Source: Vulkan, "Memory Model": "Data Race", "Location-Ordered", "Synchronizes-With".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "spirv/execute/races/clocks.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

/// The classes of memory that semantics of barriers name separately.
enum class MemoryClass : std::uint8_t { Buffer, Workgroup, Image };
inline constexpr std::size_t memory_class_count = 3;

/// The bits of MemorySemantics.
struct Semantics {
  std::uint32_t bits = 0;
  [[nodiscard]] bool releases() const { return (bits & 0x1C) != 0; }
  [[nodiscard]] bool acquires() const { return (bits & 0x1A) != 0; }
  [[nodiscard]] bool has(MemoryClass memory) const {
    constexpr std::uint32_t class_bits[] = {0x40, 0x100, 0x800};
    return (bits & class_bits[static_cast<std::size_t>(memory)]) != 0;
  }
};

/// What the detector knows about an invocation. The invocations of a workgroup are numbered from 0.
struct Agent {
  std::uint32_t number = 0;    ///< in the dispatch
  std::uint32_t time = 1;      ///< counts releases
  std::uint32_t barriers = 0;  ///< control barriers of the workgroup that it passed
  std::array<std::uint32_t, memory_class_count>
      acquired{};  ///< those that an acquire followed: the number of the last, plus 1
  /// The number of barriers before each memory barrier that releases.
  std::array<std::vector<std::uint32_t>, memory_class_count> releases{};
  std::array<Knowledge, memory_class_count> known{}, released{}, pending{};
};

/// An access of an invocation.
struct AccessEvent {
  const std::byte* bytes = nullptr;
  std::uint32_t size = 4;  ///< 1 to 16
  std::uint32_t instruction = 0;
  std::uint32_t object = 0;  ///< the descriptor or variable: a reference of the memory model
  MemoryClass memory = MemoryClass::Buffer;
  Scope scope = Scope::Device;  ///< of an atomic
  bool is_write = false, is_atomic = false;
  bool is_private = false;   ///< neither coherent nor marked as non-private
  bool keeps_value = false;  ///< a write of the value that the memory has
};

enum class RaceKind : std::uint8_t { None, Race, SameValue, Atomicity, Alias, HalfBarrier, NotVisible };

struct RaceFound {
  RaceKind kind = RaceKind::None;
  std::uint32_t instruction = 0;  ///< of the earlier access
  std::uint32_t agent = 0;        ///< of the earlier access
  bool was_write = false;
  bool passed_barrier = false;  ///< a control barrier is between them, without the class of the memory
};

class RaceDetector {
 public:
  /// `max_bytes`: of memory for this purpose. Accesses that have no room are not compared.
  explicit RaceDetector(std::uint64_t max_bytes)
      : max_pages_(static_cast<std::size_t>(max_bytes / sizeof(Page)) + 1), spare_(std::make_unique<Page>()) {}
  /// A workgroup begins: its invocations have accessed nothing.
  void begin_group(std::uint32_t group, std::uint32_t invocations, std::uint32_t subgroup_size);

  /// Records an access. Returns the worst conflict with an earlier one.
  RaceFound access(std::uint32_t invocation, const AccessEvent& event);
  /// An atomic operation, after its access: it may acquire, release, or continue a release sequence.
  void synchronize(std::uint32_t invocation, const AccessEvent& event, Semantics semantics, bool is_read,
                   bool is_store);
  void memory_barrier(std::uint32_t invocation, Semantics semantics);
  /// All invocations of the workgroup pass a control barrier; or those of a subgroup.
  void group_barrier(Semantics semantics);
  void subgroup_barrier(std::uint32_t subgroup, Semantics semantics);

  /// The invocation of its workgroup, and the workgroup, of an agent.
  [[nodiscard]] std::uint32_t invocation_of(std::uint32_t agent) const { return agent % invocations_; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t agent) const { return agent / invocations_; }

 private:
  struct Record {
    std::uint32_t agent = 0, instruction = 0, object = 0;
    std::uint32_t time = 0;      // 0: no access
    std::uint32_t barriers = 0;  // of the workgroup
    std::uint32_t interval = 0;  // barriers with the class of the memory
    std::uint32_t sub_interval = 0;
    std::uint32_t releases = 0;  // memory barriers that released
    std::uint8_t bytes = 0;      // a bit for each of the four
    bool is_write = false, is_atomic = false, is_private = false;
    Scope scope = Scope::Device;
  };
  struct Granule {
    std::array<Record, 2> writes, reads;
  };
  static constexpr std::size_t page_granules = 256;
  using Page = std::array<Granule, page_granules>;

  Granule& granule_at(std::uint64_t number);
  [[nodiscard]] RaceKind kind_of(const Record& earlier, const Record& now, const AccessEvent& event,
                                 bool& passed_barrier) const;
  [[nodiscard]] bool is_ordered(const Record& earlier, const Record& now, MemoryClass memory) const;
  [[nodiscard]] bool are_fenced(const Record& earlier, const Agent& now, MemoryClass memory, bool& is_half) const;
  static void remember(std::array<Record, 2>& records, const Record& now);
  [[nodiscard]] std::uint32_t subgroup_of(std::uint32_t agent) const { return invocation_of(agent) / subgroup_size_; }

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::size_t max_pages_;
  std::unique_ptr<Page> spare_;
  std::uint64_t last_page_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
  std::unordered_map<std::uint64_t, std::array<Knowledge, memory_class_count>> sequences_;  // of atomics, by address
  std::uint32_t group_ = 0, invocations_ = 1, subgroup_size_ = 1;
  std::vector<Agent> agents_;  // of the workgroup
  std::array<std::uint32_t, memory_class_count> intervals_{};
  std::vector<std::array<std::uint32_t, memory_class_count>> sub_intervals_;  // by subgroup
};

}  // namespace vireo::spirv
