// SPDX-License-Identifier: Apache-2.0
//
// New objects (objects.h).
#include "spirv/execute/memory/objects.h"

#include <cstring>

namespace vireo::spirv {

std::uint32_t Objects::add(Object object, std::uint32_t lanes) {
  const auto size = static_cast<std::size_t>(object.size * lanes);
  object.bytes = memory_.take(size + sizeof fill_);
  for (std::size_t at = 0; at < size; at += sizeof fill_) std::memcpy(object.bytes + at, &fill_, sizeof fill_);
  if (has_shadow_) {
    std::byte* const shadow = memory_.take(size + 1);
    std::memset(shadow, static_cast<int>(ByteState::Unwritten), size);
    object.shadow = reinterpret_cast<ByteState*>(shadow);
  }
  object.number = ++made_;
  objects_.push_back(object);
  return static_cast<std::uint32_t>(objects_.size() - 1);
}

}  // namespace vireo::spirv
