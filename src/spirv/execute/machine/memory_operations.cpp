// SPDX-License-Identifier: Apache-2.0
//
// Steps that compute addresses, read and write memory (machine.h).
//
// Source: Vulkan, "Shader Memory Access Bounds"; specification 3.42.8.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "spirv/execute/machine/machine.h"
#include "spirv/execute/machine/operations.h"
#include "spirv/execute/program/step_rows.h"
#include "spirv/execute/report/element_path.h"
#include "spirv/module/fold.h"

namespace vireo::spirv {
namespace {

std::uint32_t bytes_of(CellType type) {
  if (type.kind == CellType::Kind::Bool) return 4;
  if (type.kind == CellType::Kind::Pointer || type.kind == CellType::Kind::Opaque) return 8;
  return type.width / 8;
}

Cell read_bytes(const std::byte* from, std::uint32_t bytes, bool is_bool) {
  Cell value = 0;
  std::memcpy(&value, from, bytes);
  return is_bool ? value & 1 : value;
}

// The offset of the pointer operand in the instruction.
std::uint16_t pointer_word(const Machine& m, const Step& s) {
  (void)m;
  return s.result.is_none() ? 1 : 3;
}

bool is_buffer(StorageClass storage) {
  return storage == StorageClass::StorageBuffer || storage == StorageClass::Uniform ||
         storage == StorageClass::PhysicalStorageBuffer;
}

void report_out_of_bounds(Machine& m, const Step& s, const Object& object, Pointer pointer, std::uint64_t size,
                          std::uint32_t lane) {
  if (!m.begins(Rule::OutOfBounds, s)) return;
  const ModuleCheck& c = m.state().report->check();
  const ProgramVariable& variable = m.program().variables[object.variable];
  const std::string path = m.state().report->path_of(variable, object.element, pointer.signed_offset());
  const std::string what = fmt::format("{} ({} bytes at offset {})", path, size, pointer.signed_offset());
  m.report(Rule::OutOfBounds, s, pointer_word(m, s), lane,
           {op_text(c, c.module.instruction(s.source).opcode), what,
            fmt::format("{}, which has {} bytes", id_text(c, variable.id), object.size)});
}

}  // namespace

void check_pointers(Machine& m, const Step& s) {
  if (m.undefined(s.a)->any()) m.require_defined(Rule::UndefinedAddress, s, pointer_word(m, s), s.a, 1);
  if ((s.flags & is_non_uniform) != 0 || !m.active().any()) return;
  const Cell* const pointers = m.cells(s.a);
  const std::uint32_t first = Pointer{pointers[m.active().lowest()]}.object();
  if (first == 0 || first >= Machine::first_own) return;
  const Object* const object = m.find(Pointer{pointers[m.active().lowest()]});
  if (object == nullptr || m.program().variables[object->variable].descriptors == 1) return;
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    if (Pointer{pointers[lane]}.object() == first || !m.begins(Rule::NonUniformResource, s)) return;
    const ModuleCheck& c = m.state().report->check();
    const InstructionView view = c.module.instruction(s.source);
    m.report(Rule::NonUniformResource, s, pointer_word(m, s), lane,
             {view.word(pointer_word(m, s)), op_text(c, view.opcode)});
  });
}

MemoryPlace find_place(Machine& m, const Step& s, Pointer pointer, std::uint64_t size, std::uint32_t lane) {
  Object* const object = m.find(pointer);
  if (object == nullptr) {
    if (!pointer.is_reported() && m.begins(Rule::NullAccess, s)) {
      const ModuleCheck& c = m.state().report->check();
      const InstructionView view = c.module.instruction(s.source);
      m.report(Rule::NullAccess, s, pointer_word(m, s), lane,
               {op_text(c, view.opcode), id_text(c, view.word(pointer_word(m, s)))});
    }
    return {};
  }
  const std::uint64_t offset = pointer.offset();
  if (offset > object->size || object->size - offset < size) {
    if (!pointer.is_reported()) report_out_of_bounds(m, s, *object, pointer, size, lane);
    return {};
  }
  const std::uint64_t at = (object->is_of_lane ? lane * object->size : 0) + offset;
  return {object->bytes + at, object, at};
}

void load(Machine& m, const Step& s) {
  const MemoryShape& shape = m.program().shapes[s.extra];
  if (m.has_checks()) check_pointers(m, s);
  const Cell* const pointers = m.cells(s.a);
  const std::size_t width = m.width();
  const bool has_checks = m.has_checks();
  for (std::size_t i = 0; i < shape.scalars.size(); ++i) {
    const MemoryScalar& scalar = shape.scalars[i];
    const std::uint32_t bytes = bytes_of(scalar.type);
    const bool is_bool = scalar.type.kind == CellType::Kind::Bool;
    Cell* const to = m.cells(s.result) + i * width;
    LaneMask undefined;
    std::uint32_t origin = 0;
    for_each_lane(m.active(), [&](std::uint32_t lane) {
      const Pointer pointer = Pointer{pointers[lane]}.moved(scalar.offset);
      const MemoryPlace place = find_place(m, s, pointer, bytes, lane);
      if (place.bytes == nullptr) {
        to[lane] = m.state().robustness == Robustness::Off ? m.arbitrary(scalar.type) : 0;
        return;
      }
      to[lane] = read_bytes(place.bytes, bytes, is_bool);
      if (has_checks) m.note_access(s, place, bytes, lane, false, true);
      if (!has_checks || place.object->shadow == nullptr) return;
      const ByteState* const shadow = place.shadow();
      for (std::uint32_t byte = 0; byte < bytes; ++byte) {
        if (shadow[byte] == ByteState::Defined) continue;
        undefined.set(lane);
        origin = shadow[byte] == ByteState::Unwritten ? origin_of(s)
                                                      : m.owner_of(*place.object).origin(*place.object, place.at);
        break;
      }
    });
    if (has_checks) set_undefined(m, s.result.plus(static_cast<std::uint32_t>(i)), undefined, origin);
  }
}

void store(Machine& m, const Step& s) {
  const MemoryShape& shape = m.program().shapes[s.extra];
  if (m.has_checks()) check_pointers(m, s);
  const Cell* const pointers = m.cells(s.a);
  const std::size_t width = m.width();
  bool changes = false;
  for (std::size_t i = 0; i < shape.scalars.size(); ++i) {
    const MemoryScalar& scalar = shape.scalars[i];
    const std::uint32_t bytes = bytes_of(scalar.type);
    const CellRef cell = s.b.plus(static_cast<std::uint32_t>(i));
    const Cell* const from = m.cells(cell);
    for_each_lane(m.active(), [&](std::uint32_t lane) {
      const Pointer pointer = Pointer{pointers[lane]}.moved(scalar.offset);
      const MemoryPlace place = find_place(m, s, pointer, bytes, lane);
      if (place.bytes == nullptr) return;
      const bool keeps_value = std::memcmp(place.bytes, &from[lane], bytes) == 0;
      changes |= !keeps_value;
      if (m.has_checks()) m.note_access(s, place, bytes, lane, true, keeps_value);
      std::memcpy(place.bytes, &from[lane], bytes);
      if (!m.has_checks()) return;
      const bool is_undefined = m.undefined(cell)->has(lane);
      if (is_undefined && (is_buffer(place.object->storage) || place.object->storage == StorageClass::Output))
        return m.report_undefined(Rule::UndefinedOutput, s, 2, cell, lane);
      if (place.object->shadow == nullptr) return;
      std::memset(place.shadow(), static_cast<int>(is_undefined ? ByteState::Undefined : ByteState::Defined), bytes);
      if (is_undefined) m.owner_of(*place.object).set_origin(*place.object, place.at, *m.origins(cell));
    });
  }
  m.state().changes += changes;
  (void)width;
}

namespace {

// Whether the index selects a part of what is indexed. Reports it if not.
bool is_in_range(Machine& m, const Step& s, const ChainStep& step, std::int64_t index, std::uint64_t limit,
                 std::uint32_t lane) {
  if (index >= 0 && static_cast<std::uint64_t>(index) < limit) return true;
  const Rule rule = step.selects_descriptor ? Rule::DescriptorIndex : Rule::AccessIndex;
  if (m.begins(rule, s)) {
    const std::string last = fmt::format("{}", limit == 0 ? 0 : limit - 1);
    const Word base = m.state().report->check().module.instruction(s.source).word(3);
    m.report(rule, s, step.word, lane, {fmt::format("{}", index), step.selects_descriptor ? base : step.type, last});
  }
  return false;
}

}  // namespace

void access_chain(Machine& m, const Step& s) {
  const Cell* const base = m.cells(s.a);
  Cell* const to = m.cells(s.result);
  const ChainStep* const steps = m.program().chains.data() + s.extra;
  LaneMask excluded;
  if (m.has_checks()) {
    set_undefined(m, s.result, *m.undefined(s.a), *m.origins(s.a));
    for (std::uint32_t i = 0; i < s.count; ++i) {
      if (steps[i].index.is_none()) continue;
      excluded |= *m.undefined(steps[i].index) & m.active();
      m.require_defined(Rule::UndefinedAddress, s, steps[i].word, steps[i].index, 1);
    }
  }
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    Pointer pointer{base[lane]};
    for (std::uint32_t i = 0; i < s.count; ++i) {
      const ChainStep& step = steps[i];
      std::uint64_t bytes = step.offset;
      if (!step.index.is_none()) {
        // Indexes are signed, whatever their type says.
        const std::int64_t index = sign_extended(m.cells(step.index)[lane], step.index_width);
        if (step.selects_descriptor) {
          const Object* const first = m.find(pointer);
          const std::uint64_t count = first == nullptr ? 0 : step.limit != 0 ? step.limit : m.bound_descriptors(*first);
          pointer = first != nullptr && is_in_range(m, s, step, index, count, lane)
                        ? Pointer::to(pointer.object() +
                                          static_cast<std::uint32_t>(static_cast<std::uint64_t>(index) * step.scale),
                                      0)
                        : Pointer{}.reported();
          continue;
        }
        if (step.limit != 0 && m.has_checks() && !excluded.has(lane) &&
            !is_in_range(m, s, step, index, step.limit, lane))
          excluded.set(lane);
        bytes += static_cast<std::uint64_t>(index) * step.scale;
      }
      pointer = pointer.moved(bytes);
    }
    to[lane] = (excluded.has(lane) ? pointer.reported() : pointer).raw;
  });
}

void array_length(Machine& m, const Step& s) {
  const Cell* const base = m.cells(s.a);
  Cell* const to = m.cells(s.result);
  const ChainStep& array = m.program().chains[s.extra];
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    const Pointer pointer{base[lane]};
    const Object* const object = m.find(pointer);
    const std::uint64_t size = object == nullptr ? 0 : object->size, begin = pointer.offset() + array.offset;
    to[lane] = size <= begin || array.scale == 0 ? 0 : (size - begin) / array.scale;
  });
  if (m.has_checks()) set_undefined(m, s.result, *m.undefined(s.a), *m.origins(s.a));
}

}  // namespace vireo::spirv
