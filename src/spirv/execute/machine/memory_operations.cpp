// SPDX-License-Identifier: Apache-2.0
//
// Steps that compute addresses, read and write memory (machine.h).
//
// Source: Vulkan, "Shader Memory Access Bounds"; specification 3.42.8.
#include <cstring>

#include "spirv/execute/machine/machine.h"
#include "spirv/execute/machine/operations.h"
#include "spirv/module/fold.h"

namespace vireo::spirv {
namespace {

std::uint32_t bytes_of(ScalarType type) {
  if (type.kind == ScalarType::Kind::Bool) return 4;
  if (type.kind == ScalarType::Kind::Pointer || type.kind == ScalarType::Kind::Opaque) return 8;
  return type.width / 8;
}

Cell read_bytes(const std::byte* from, std::uint32_t bytes) {
  Cell value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

}  // namespace

MemoryPlace place_of(Objects& objects, Pointer pointer, std::uint64_t size, std::uint32_t lane) {
  if (pointer.object() == 0 || pointer.object() >= objects.count()) return {};
  Object& object = objects[pointer.object()];
  const std::uint64_t offset = pointer.offset();
  if (offset > object.size || object.size - offset < size) return {};
  const std::uint64_t at = (object.is_of_lane ? lane * object.size : 0) + offset;
  return {object.bytes + at, object.shadow == nullptr ? nullptr : object.shadow + at};
}

void load(Machine& m, const Step& s) {
  const MemoryShape& shape = m.program().shapes[s.extra];
  const Cell* const pointers = m.cells(s.a);
  Cell* const to = m.cells(s.result);
  const std::size_t width = m.width();
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    const Pointer pointer{pointers[lane]};
    for (std::size_t i = 0; i < shape.scalars.size(); ++i) {
      const MemoryScalar& scalar = shape.scalars[i];
      const std::uint32_t bytes = bytes_of(scalar.type);
      const MemoryPlace place = place_of(m.objects(), pointer.moved(scalar.offset), bytes, lane);
      to[i * width + lane] = place.bytes == nullptr ? 0 : read_bytes(place.bytes, bytes);
      if (place.bytes == nullptr) m.out_of_bounds(s, lane, pointer.moved(scalar.offset), bytes);
    }
  });
}

void store(Machine& m, const Step& s) {
  const MemoryShape& shape = m.program().shapes[s.extra];
  const Cell* const pointers = m.cells(s.a);
  const Cell* const from = m.cells(s.b);
  const std::size_t width = m.width();
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    const Pointer pointer{pointers[lane]};
    for (std::size_t i = 0; i < shape.scalars.size(); ++i) {
      const MemoryScalar& scalar = shape.scalars[i];
      const std::uint32_t bytes = bytes_of(scalar.type);
      const MemoryPlace place = place_of(m.objects(), pointer.moved(scalar.offset), bytes, lane);
      if (place.bytes == nullptr) {
        m.out_of_bounds(s, lane, pointer.moved(scalar.offset), bytes);
        continue;
      }
      std::memcpy(place.bytes, &from[i * width + lane], bytes);
      if (place.shadow != nullptr) std::memset(place.shadow, 1, bytes);
    }
  });
}

void access_chain(Machine& m, const Step& s) {
  const Cell* const base = m.cells(s.a);
  Cell* const to = m.cells(s.result);
  const ChainStep* const steps = m.program().chains.data() + s.extra;
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    Pointer pointer{base[lane]};
    for (std::uint32_t i = 0; i < s.count; ++i) {
      const ChainStep& step = steps[i];
      std::uint64_t bytes = step.offset;
      // Indexes are signed, whatever their type says.
      if (!step.index.is_none())
        bytes += static_cast<std::uint64_t>(sign_extended(m.cells(step.index)[lane], step.index_width)) * step.scale;
      pointer = pointer.moved(bytes);
    }
    to[lane] = pointer.raw;
  });
}

void array_length(Machine& m, const Step& s) {
  const Cell* const base = m.cells(s.a);
  Cell* const to = m.cells(s.result);
  const ChainStep& array = m.program().chains[s.extra];
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    const Pointer pointer{base[lane]};
    const std::uint64_t size = pointer.object() < m.objects().count() ? m.objects()[pointer.object()].size : 0;
    const std::uint64_t begin = pointer.offset() + array.offset;
    to[lane] = size <= begin || array.scale == 0 ? 0 : (size - begin) / array.scale;
  });
}

}  // namespace vireo::spirv
