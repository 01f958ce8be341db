// SPDX-License-Identifier: Apache-2.0
//
// Objects: the memory of a run, as objects with bounds.
//
// A pointer is an object and a byte offset, so an access cannot leave its object unnoticed. Objects of one invocation
// (Function, Private, Input, Output) have a copy for each lane, which the same pointer selects. Each byte has a shadow:
// whether it was written, and whether what was written is undefined.
//
// Source: specification 2.18 (memory), Vulkan, "Shader Memory Access Ordering".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The value of a cell that holds a pointer: an object in the upper 24 bits, a flag, and an offset in bytes in the lower 39,
/// which wraps. 0 is the null pointer.
struct Pointer {
  static constexpr std::uint32_t offset_bits = 39;
  static constexpr std::uint64_t offset_mask = (std::uint64_t{1} << offset_bits) - 1;
  static constexpr std::uint64_t reported_bit = std::uint64_t{1} << offset_bits;
  std::uint64_t raw = 0;

  static constexpr Pointer to(std::uint32_t object, std::uint64_t offset) {
    return {std::uint64_t{object} << (offset_bits + 1) | (offset & offset_mask)};
  }
  [[nodiscard]] constexpr std::uint32_t object() const { return static_cast<std::uint32_t>(raw >> (offset_bits + 1)); }
  [[nodiscard]] constexpr std::uint64_t offset() const { return raw & offset_mask; }
  /// The offset as a signed number: negative if it is before the object.
  [[nodiscard]] constexpr std::int64_t signed_offset() const {
    return static_cast<std::int64_t>(raw << (64 - offset_bits)) >> (64 - offset_bits);
  }
  [[nodiscard]] constexpr Pointer moved(std::uint64_t bytes) const {
    return {(raw & ~offset_mask) | ((raw + bytes) & offset_mask)};
  }
  /// A finding has been reported about the address, so an access outside the object is no further one.
  [[nodiscard]] constexpr Pointer reported() const { return {raw | reported_bit}; }
  [[nodiscard]] constexpr bool is_reported() const { return (raw & reported_bit) != 0; }
};

/// The shadow of a byte.
enum class ByteState : std::uint8_t {
  Unwritten,  ///< no invocation has written it
  Defined,
  Undefined,  ///< an undefined value was written
};

struct Object {
  std::uint32_t variable = 0;  ///< index in Program::variables
  std::uint32_t element = 0;   ///< of an array of descriptors
  StorageClass storage = StorageClass::Function;
  bool is_of_lane = false;
  std::uint64_t size = 0;       ///< bytes, of one lane
  std::byte* bytes = nullptr;   ///< of the objects' own memory, or of the caller
  ByteState* shadow = nullptr;  ///< one for each byte; nullptr: all are defined, or nobody asks
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  std::uint32_t image = none, sampler = none;  ///< of a descriptor: indexes in RunResources
  std::uint32_t number = 0;                    ///< of the object, never reused: for origins
};

/// Memory that is taken and given back in the order of a stack. Addresses are stable.
class MemoryStack {
 public:
  struct Mark {
    std::size_t block = 0, used = 0;
  };
  [[nodiscard]] Mark mark() const { return {block_, used_}; }
  void release(Mark mark) { block_ = mark.block, used_ = mark.used; }
  std::byte* take(std::size_t size) {
    size = (size + 15) & ~std::size_t{15};
    while (block_ < blocks_.size() && blocks_[block_].size - used_ < size) ++block_, used_ = 0;
    if (block_ == blocks_.size()) {
      const std::size_t length = size > block_size ? size : block_size;
      blocks_.push_back({std::make_unique<std::byte[]>(length), length});
      used_ = 0;
    }
    std::byte* const bytes = blocks_[block_].bytes.get() + used_;
    used_ += size;
    return bytes;
  }

 private:
  static constexpr std::size_t block_size = std::size_t{1} << 16;
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size;
  };
  std::vector<Block> blocks_;
  std::size_t block_ = 0, used_ = 0;
};

class Objects {
 public:
  /// `has_shadow`: whether undefined bytes are tracked. `fill`: the bytes of new objects, eight at a time.
  Objects(bool has_shadow, std::uint64_t fill) : has_shadow_(has_shadow), fill_(fill) { objects_.emplace_back(); }

  /// Makes an object with undefined contents. `lanes`: the number of its copies, 1 for a shared object.
  std::uint32_t add(Object object, std::uint32_t lanes);
  /// Makes an object of the caller's bytes, all defined.
  std::uint32_t add_buffer(Object object, std::byte* bytes) {
    object.bytes = bytes;
    object.number = ++made_;
    objects_.push_back(object);
    return static_cast<std::uint32_t>(objects_.size() - 1);
  }

  /// Objects that are made after a mark are removed together: those of a frame, those of a workgroup.
  struct Mark {
    std::size_t count = 1;
    MemoryStack::Mark memory;
  };
  [[nodiscard]] Mark mark() const { return {objects_.size(), memory_.mark()}; }
  void release(Mark mark) {
    objects_.resize(mark.count);
    memory_.release(mark.memory);
  }

  [[nodiscard]] std::size_t count() const { return objects_.size(); }
  [[nodiscard]] Object& operator[](std::uint32_t index) { return objects_[index]; }
  /// The object of a pointer; nullptr if there is none.
  [[nodiscard]] Object* find(Pointer pointer) {
    return pointer.object() == 0 || pointer.object() >= objects_.size() ? nullptr : &objects_[pointer.object()];
  }
  [[nodiscard]] std::uint64_t fill() const { return fill_; }

  /// The step that gave an undefined value, by the bytes where it was stored. Only the last ones are kept.
  void set_origin(const Object& object, std::uint64_t at, std::uint32_t origin) {
    if (origins_.size() >= max_origins) origins_.clear();
    origins_[std::uint64_t{object.number} << 32 | (at & 0xFFFFFFFF)] = origin;
  }
  [[nodiscard]] std::uint32_t origin(const Object& object, std::uint64_t at) const {
    const auto found = origins_.find(std::uint64_t{object.number} << 32 | (at & 0xFFFFFFFF));
    return found == origins_.end() ? 0 : found->second;
  }

 private:
  static constexpr std::size_t max_origins = 1u << 16;
  bool has_shadow_;
  std::uint64_t fill_;
  std::uint32_t made_ = 0;
  std::vector<Object> objects_;
  MemoryStack memory_;
  std::unordered_map<std::uint64_t, std::uint32_t> origins_;
};

}  // namespace vireo::spirv
