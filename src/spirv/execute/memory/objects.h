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
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The value of a cell that holds a pointer: an object in the upper 24 bits, an offset in bytes in the lower 40, which
/// wraps. 0 is the null pointer.
struct Pointer {
  static constexpr std::uint32_t offset_bits = 40;
  static constexpr std::uint64_t offset_mask = (std::uint64_t{1} << offset_bits) - 1;
  std::uint64_t raw = 0;

  static constexpr Pointer to(std::uint32_t object, std::uint64_t offset) {
    return {std::uint64_t{object} << offset_bits | (offset & offset_mask)};
  }
  [[nodiscard]] constexpr std::uint32_t object() const { return static_cast<std::uint32_t>(raw >> offset_bits); }
  [[nodiscard]] constexpr std::uint64_t offset() const { return raw & offset_mask; }
  [[nodiscard]] constexpr Pointer moved(std::uint64_t bytes) const { return to(object(), offset() + bytes); }
};

struct Object {
  Word variable = 0;  ///< id of the variable; 0: a buffer without one
  StorageClass storage = StorageClass::Function;
  std::uint64_t size = 0;  ///< bytes, of one lane
  bool is_of_lane = false;
  std::byte* bytes = nullptr;           ///< not owned for buffers of the caller
  std::uint8_t* shadow = nullptr;       ///< one for each byte: 0 undefined, 1 defined; nullptr: all defined
  std::vector<std::byte> own_bytes;     ///< of objects of the run
  std::vector<std::uint8_t> own_shadow;
};

class Objects {
 public:
  Objects() { objects_.emplace_back(); }  // the null pointer has no object

  /// Makes an object with undefined contents. `lanes`: the number of its copies, 1 for a shared object.
  std::uint32_t add(Word variable, StorageClass storage, std::uint64_t size, std::uint32_t lanes, bool is_of_lane) {
    Object object;
    object.variable = variable;
    object.storage = storage;
    object.size = size;
    object.is_of_lane = is_of_lane;
    object.own_bytes.resize(static_cast<std::size_t>(size * lanes));
    object.own_shadow.resize(static_cast<std::size_t>(size * lanes));
    objects_.push_back(std::move(object));
    Object& made = objects_.back();
    made.bytes = made.own_bytes.data();
    made.shadow = made.own_shadow.data();
    return static_cast<std::uint32_t>(objects_.size() - 1);
  }
  /// Makes an object of the caller's bytes, all defined.
  std::uint32_t add_buffer(Word variable, StorageClass storage, std::byte* bytes, std::uint64_t size) {
    Object object;
    object.variable = variable;
    object.storage = storage;
    object.size = size;
    object.bytes = bytes;
    objects_.push_back(std::move(object));
    return static_cast<std::uint32_t>(objects_.size() - 1);
  }
  /// Removes the objects from an index on: those of a frame that returns.
  void shrink(std::size_t count) { objects_.resize(count); }

  [[nodiscard]] std::size_t count() const { return objects_.size(); }
  [[nodiscard]] Object& operator[](std::uint32_t index) { return objects_[index]; }

 private:
  std::vector<Object> objects_;
};

}  // namespace vireo::spirv
