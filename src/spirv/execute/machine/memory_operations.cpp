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

// The offset of the pointer operand in the instruction.
std::uint16_t pointer_word(const Step& s) { return s.result.is_none() ? 1 : 3; }

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
  m.report(Rule::OutOfBounds, s, pointer_word(s), lane,
           {op_text(c, c.module.instruction(s.source).opcode), what,
            fmt::format("{}, which has {} bytes", m.state().report->name_of(variable), object.size)});
}

}  // namespace

void check_pointers(Machine& m, const Step& s) {
  if (m.undefined(s.a)->any()) m.require_defined(Rule::UndefinedAddress, s, pointer_word(s), s.a, 1);
  if (!m.program().has_descriptor_arrays || (s.flags & is_non_uniform) != 0 || !m.active().any()) return;
  const Cell* const pointers = m.cells(s.a);
  const std::uint32_t first = Pointer{pointers[m.active().lowest()]}.object();
  if (first == 0 || first >= Machine::first_own) return;
  const Object* const object = m.find(Pointer{pointers[m.active().lowest()]});
  if (object == nullptr || m.program().variables[object->variable].descriptors == 1) return;
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    if (Pointer{pointers[lane]}.object() == first || !m.begins(Rule::NonUniformResource, s)) return;
    const ModuleCheck& c = m.state().report->check();
    const InstructionView view = c.module.instruction(s.source);
    m.report(Rule::NonUniformResource, s, pointer_word(s), lane, {view.word(pointer_word(s)), op_text(c, view.opcode)});
  });
}

MemoryPlace find_place(Machine& m, const Step& s, Pointer pointer, std::uint64_t size, std::uint32_t lane) {
  Object* const object = m.find(pointer);
  if (object == nullptr) {
    if (!pointer.is_reported() && m.begins(Rule::NullAccess, s)) {
      const ModuleCheck& c = m.state().report->check();
      const InstructionView view = c.module.instruction(s.source);
      m.report(Rule::NullAccess, s, pointer_word(s), lane,
               {op_text(c, view.opcode), id_text(c, view.word(pointer_word(s)))});
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

namespace {

// The bytes of one scalar in each lane. Most lanes access the same object, so it is looked up once.
class ScalarAccess {
 public:
  ScalarAccess(Machine& m, const Step& s, const MemoryScalar& scalar)
      : m_(m), s_(s), offset_(scalar.offset), bytes_(bytes_of(scalar.type)) {}

  /// A place without bytes after a finding.
  MemoryPlace place(Cell cell, std::uint32_t lane) {
    const Pointer pointer = Pointer{cell}.moved(offset_);
    if (pointer.object() != known_) {
      known_ = pointer.object();
      object_ = m_.find(pointer);
    }
    const std::uint64_t offset = pointer.offset();
    if (object_ == nullptr || offset > object_->size || object_->size - offset < bytes_) [[unlikely]]
      return find_place(m_, s_, pointer, bytes_, lane);
    const std::uint64_t at = (object_->is_of_lane ? lane * object_->size : 0) + offset;
    return {object_->bytes + at, object_, at};
  }
  [[nodiscard]] std::uint32_t bytes() const { return bytes_; }

 private:
  Machine& m_;
  const Step& s_;
  std::uint64_t offset_;
  std::uint32_t bytes_;
  std::uint32_t known_ = ~std::uint32_t{0};
  Object* object_ = nullptr;
};

// Copies of a constant size are one instruction.
Cell read_cell(const std::byte* from, std::uint32_t bytes) {
  Cell value = 0;
  if (bytes == 4) std::memcpy(&value, from, 4);
  else if (bytes == 8) std::memcpy(&value, from, 8);
  else std::memcpy(&value, from, bytes);
  return value;
}

bool are_defined(const ByteState* shadow, std::uint32_t bytes) {
  constexpr std::uint64_t defined = 0x0101010101010101 * static_cast<std::uint64_t>(ByteState::Defined);
  return read_cell(reinterpret_cast<const std::byte*>(shadow), bytes) == (defined & mask_of(bytes * 8));
}

}  // namespace

void load(Machine& m, const Step& s) {
  const MemoryShape& shape = m.program().shapes[s.extra];
  const bool has_checks = m.has_checks();
  if (has_checks) check_pointers(m, s);
  const Cell* const pointers = m.cells(s.a);
  for (std::uint32_t i = 0; i < shape.scalars.size(); ++i) {
    const CellType type = shape.scalars[i].type;
    ScalarAccess access(m, s, shape.scalars[i]);
    Cell* const to = m.cells(s.result.plus(i));
    LaneMask undefined;
    std::uint32_t origin = 0;
    for_each_lane(m.active(), [&](std::uint32_t lane) {
      const MemoryPlace place = access.place(pointers[lane], lane);
      if (place.bytes == nullptr) {
        to[lane] = m.state().robustness == Robustness::Off ? m.arbitrary(type) : 0;
        return;
      }
      const Cell value = read_cell(place.bytes, access.bytes());
      to[lane] = type.kind == CellType::Kind::Bool ? value & 1 : value;
      if (!has_checks) return;
      m.note_access(s, place, access.bytes(), lane, false, true);
      if (place.object->shadow == nullptr || are_defined(place.shadow(), access.bytes())) return;
      undefined.set(lane);
      origin = m.owner_of(*place.object).origin(*place.object, place.at);
      if (origin == 0) origin = origin_of(s);
    });
    if (has_checks) set_undefined(m, s.result.plus(i), undefined, origin);
  }
}

namespace {

// Loads of one scalar that is no boolean: most of all loads.
template <typename Bits, bool has_checks>
void load_scalar(Machine& m, const Step& s) {
  if constexpr (has_checks) check_pointers(m, s);
  const Cell* const pointers = m.cells(s.a);
  Cell* const to = m.cells(s.result);
  LaneMask undefined;
  std::uint32_t origin = 0, known = ~std::uint32_t{0};
  Object* object = nullptr;
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    const Pointer pointer{pointers[lane]};
    if (pointer.object() != known) {
      known = pointer.object();
      object = m.find(pointer);
    }
    const std::uint64_t offset = pointer.offset();
    if (object == nullptr || offset + sizeof(Bits) > object->size) [[unlikely]] {
      find_place(m, s, pointer, sizeof(Bits), lane);  // reports it
      const CellType type = m.program().shapes[s.extra].scalars.front().type;
      to[lane] = m.state().robustness == Robustness::Off ? m.arbitrary(type) : 0;
      return;
    }
    const std::uint64_t at = object->is_of_lane ? lane * object->size + offset : offset;
    Bits bits;
    std::memcpy(&bits, object->bytes + at, sizeof bits);
    to[lane] = bits;
    if constexpr (has_checks) {
      const MemoryPlace place{object->bytes + at, object, at};
      m.note_access(s, place, sizeof(Bits), lane, false, true);
      if (object->shadow == nullptr || are_defined(place.shadow(), sizeof(Bits))) return;
      undefined.set(lane);
      origin = m.owner_of(*object).origin(*object, at);
      if (origin == 0) origin = origin_of(s);
    }
  });
  if constexpr (has_checks) set_undefined(m, s.result, undefined, origin);
}

}  // namespace

StepFunction* load_of(const Program& program, const Step& s, bool has_checks) {
  const MemoryShape& shape = program.shapes[s.extra];
  if (shape.scalars.size() != 1 || shape.scalars.front().offset != 0) return load;
  const CellType type = shape.scalars.front().type;
  if (type.kind != CellType::Kind::Int && type.kind != CellType::Kind::Float) return load;
  if (type.width == 32) return has_checks ? load_scalar<std::uint32_t, true> : load_scalar<std::uint32_t, false>;
  if (type.width == 64) return has_checks ? load_scalar<std::uint64_t, true> : load_scalar<std::uint64_t, false>;
  return load;
}

void store(Machine& m, const Step& s) {
  const MemoryShape& shape = m.program().shapes[s.extra];
  const bool has_checks = m.has_checks();
  if (has_checks) check_pointers(m, s);
  const Cell* const pointers = m.cells(s.a);
  bool changes = false;
  for (std::uint32_t i = 0; i < shape.scalars.size(); ++i) {
    ScalarAccess access(m, s, shape.scalars[i]);
    const CellRef cell = s.b.plus(i);
    const Cell* const from = m.cells(cell);
    const Cell mask = mask_of(access.bytes() * 8);
    for_each_lane(m.active(), [&](std::uint32_t lane) {
      const MemoryPlace place = access.place(pointers[lane], lane);
      if (place.bytes == nullptr) return;
      const bool keeps_value = read_cell(place.bytes, access.bytes()) == (from[lane] & mask);
      changes |= !keeps_value;
      if (access.bytes() == 4) std::memcpy(place.bytes, &from[lane], 4);
      else std::memcpy(place.bytes, &from[lane], access.bytes());
      if (!has_checks) return;
      m.note_access(s, place, access.bytes(), lane, true, keeps_value);
      const bool is_undefined = m.undefined(cell)->has(lane);
      if (is_undefined && (is_buffer(place.object->storage) || place.object->storage == StorageClass::Output))
        return m.report_undefined(Rule::UndefinedOutput, s, 2, cell, lane);
      if (place.object->shadow == nullptr) return;
      std::memset(place.shadow(), static_cast<int>(is_undefined ? ByteState::Undefined : ByteState::Defined),
                  access.bytes());
      if (is_undefined) m.owner_of(*place.object).set_origin(*place.object, place.at, *m.origins(cell));
    });
  }
  m.state().changes += changes;
}

namespace {

// Whether the index selects a part of what is indexed. Reports it if not.
bool is_in_range(Machine& m, const Step& s, const ChainStep& step, std::int64_t index, std::uint64_t limit,
                 std::uint32_t lane) {
  if (index >= 0 && static_cast<std::uint64_t>(index) < limit) return true;
  const Rule rule = step.selects_descriptor ? Rule::DescriptorIndex : Rule::AccessIndex;
  if (m.begins(rule, s)) {
    const std::string last = fmt::format("{}", limit == 0 ? 0 : limit - 1);
    const Word base = nth_operand(m.state().report->check().module.instruction(s.source), 0);
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
