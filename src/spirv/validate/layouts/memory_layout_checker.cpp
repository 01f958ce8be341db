// SPDX-License-Identifier: Apache-2.0
//
// Checks offsets and strides (memory_layout_checker.h): of structures in memory order, of matrices and of arrays.
#include "spirv/validate/layouts/memory_layout_checker.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_parts.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

// Numbers in decorations have 32 bits. Returns 0, which means unknown, for a larger number.
constexpr std::uint64_t encodable(std::uint64_t number) {
  return number <= std::numeric_limits<Word>::max() ? number : 0;
}

// The smallest stride of at least `size` bytes that is a multiple of `unit`.
constexpr std::uint64_t next_stride(std::uint64_t size, std::uint64_t unit) {
  return encodable(round_up(std::max<std::uint64_t>(size, 1), unit));
}

}  // namespace

void MemoryLayoutChecker::check(TypeIndex index, LayoutRules rules, std::vector<MemoryLayoutViolation>& found) {
  requirement_ = requirements_.of(index, rules);
  if (requirement_.residues == 0) return;
  const TypeRow& type = c_.types.row(index);
  rules_ = rules;
  found_ = &found;
  if (type.is(TypeKind::Struct)) {
    check_struct(index, type);
  } else if (type.is(TypeKind::Array) || type.is(TypeKind::RuntimeArray)) {
    check_array(index, type);
  }
}

// --- structures ------------------------------------------------------------------------------------------------------

// Members may have offsets in any order, so they are sorted by offset; equal offsets keep the declaration order.
void MemoryLayoutChecker::check_struct(TypeIndex index, const TypeRow& type) {
  const auto members = layouts_.members(index);
  order_.clear();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const MemberLayout& member = members[i];
    if (member.offset.is_missing()) {
      found_->push_back({.rule = Rule::MemberOffset,
                         .place = place_of(type, i),
                         .type = type.id,
                         .member = static_cast<Word>(i),
                         .rules = rules_});
    } else if (member.offset.is_known()) {
      order_.push_back(i);
    }
    if (layouts_.matrix(member) != nullptr) check_matrix(type, i, member);
  }
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(members[a].offset.value, a) < std::pair(members[b].offset.value, b);
  });
  check_order(type, members);
  check_distinct(type, members);
}

// Two members do not have the same offset (2.16.2). check_order() detects this if the sizes of both are known and not
// 0. The size of a descriptor is 0 here if no option states it.
void MemoryLayoutChecker::check_distinct(const TypeRow& type, std::span<const MemberLayout> members) {
  for (std::size_t k = 1; k < order_.size(); ++k) {
    const MemberLayout &before = members[order_[k - 1]], &member = members[order_[k]];
    if (before.offset.value != member.offset.value) continue;
    const Extent first = layouts_.extent(before), second = layouts_.extent(member);
    const bool is_array = c_.types.of(member.type).is(TypeKind::RuntimeArray);
    const bool is_sized = second.is_known && (second.size != 0 || is_array);
    if (first.is_known && first.size != 0 && is_sized) continue;
    found_->push_back({.rule = Rule::MemberOverlap,
                       .place = decoration_place(member.offset),
                       .type = type.id,
                       .member = static_cast<Word>(order_[k]),
                       .other = static_cast<Word>(order_[k - 1]),
                       .number = member.offset.value,
                       .rules = rules_});
  }
}

// Checks the members of a structure in memory order.
void MemoryLayoutChecker::check_order(const TypeRow& type, std::span<const MemberLayout> members) {
  std::uint64_t end = 0;
  std::size_t before = 0;
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const std::size_t i = order_[k];
    const MemberLayout& member = members[i];
    const TypeRow& part = c_.types.of(member.type);
    const Extent extent = layouts_.extent(member);
    const std::uint64_t offset = member.offset.value;
    if (part.is(TypeKind::RuntimeArray)) check_last(type, members, k);
    if (!extent.is_known) continue;
    const std::uint64_t unit = unit_of(part, extent);
    if (offset % unit != 0) {
      found_->push_back({.rule = Rule::OffsetAlignment,
                         .place = decoration_place(member.offset),
                         .type = type.id,
                         .member = static_cast<Word>(i),
                         .number = offset,
                         .bound = unit,
                         .next = next_offset(part, std::max(offset, end), unit, extent.size),
                         .rules = unit == extent.aligned(rules_) ? rules_ : LayoutRules::Scalar});
      continue;  // the intended offset is unknown, so the next members are not compared with it
    }
    if (offset < end && (extent.size != 0 || part.is(TypeKind::RuntimeArray))) {
      // A runtime array has size 0 here, but it still occupies its offset.
      found_->push_back({.rule = Rule::MemberOverlap,
                         .place = decoration_place(member.offset),
                         .type = type.id,
                         .member = static_cast<Word>(i),
                         .other = static_cast<Word>(before),
                         .number = offset,
                         .bound = end,
                         .next = next_offset(part, end, unit, extent.size),
                         .rules = rules_});
    } else if (part.is_vector() && rules_ != LayoutRules::Scalar) {
      check_straddle(type, i, member, extent.size, unit);
    }
    // The intended size of an array with a wrong stride is unknown, so the next members are not compared with it.
    if (has_wrong_stride(c_.types.index_of(member.type))) continue;
    std::uint64_t next = offset + extent.size;
    // The next member begins after the padding at the end of an aggregate or a matrix.
    if (rules_ != LayoutRules::Scalar && !part.is_vector()) next = round_up(next, extent.aligned(rules_));
    // A member that ends before the end of an earlier one does not extend the occupied memory.
    if (next > end) {
      end = next;
      before = i;
    }
  }
}

// A runtime array occupies all memory after its offset, so no member may have a larger offset.
void MemoryLayoutChecker::check_last(const TypeRow& type, std::span<const MemberLayout> members, std::size_t k) {
  const std::size_t i = order_[k], last = order_.back();
  const std::uint64_t offset = members[i].offset.value;
  if (members[last].offset.value == offset) return;
  // The intended offset of a misaligned member is unknown.
  const Extent after = layouts_.extent(members[last]);
  if (after.is_known && members[last].offset.value % unit_of(c_.types.of(members[last].type), after) != 0) return;
  found_->push_back({.rule = Rule::RuntimeArrayOffset,
                     .place = decoration_place(members[i].offset),
                     .type = type.id,
                     .member = static_cast<Word>(i),
                     .other = static_cast<Word>(last),
                     .number = offset,
                     .bound = members[last].offset.value,
                     .rules = rules_});
}

// A vector of at most 16 bytes must not cross a 16-byte boundary; a longer one must begin at such a boundary.
void MemoryLayoutChecker::check_straddle(const TypeRow& type, std::size_t i, const MemberLayout& member,
                                         std::uint64_t size, std::uint64_t unit) {
  const std::uint64_t offset = member.offset.value;
  // The offset of the structure modulo 16 may be any of the `residues`. Only the first violation is reported.
  for (std::uint64_t residue = 0; residue < vector_boundary; ++residue) {
    if (!straddles(offset, size, residue)) continue;
    found_->push_back({.rule = Rule::VectorStraddle,
                       .place = decoration_place(member.offset),
                       .type = type.id,
                       .member = static_cast<Word>(i),
                       .number = offset,
                       .next = next_offset(c_.types.of(member.type), offset, unit, size),
                       .rules = rules_,
                       .residue = residue});
    return;
  }
}

// --- matrices --------------------------------------------------------------------------------------------------------

// Checks a member that is a matrix or an array of matrices. The member has the matrix decorations.
void MemoryLayoutChecker::check_matrix(const TypeRow& type, std::size_t i, const MemberLayout& member) {
  const TypeRow& matrix = *layouts_.matrix(member);
  const std::uint64_t component = matrix.component().width / 8;
  const std::uint64_t length = member.is_row_major ? matrix.count : matrix.element_type().count;
  MemoryLayoutViolation violation{.rule = Rule::MatrixMajorness,
                                  .place = place_of(type, i),
                                  .type = type.id,
                                  .member = static_cast<Word>(i),
                                  .rules = rules_};
  if (!member.has_majorness) found_->push_back(violation);
  if (member.matrix_stride.is_missing()) {
    violation.rule = Rule::MatrixStrideMissing;
    if (member.has_majorness) {
      // The alignment does not depend on the stride, but it is known only together with one.
      MemberLayout strided = member;
      strided.matrix_stride.state = LayoutNumber::State::Known;
      violation.next = next_stride(component * length, alignment(layouts_.extent(strided)));
    }
    found_->push_back(violation);
  }
  const Extent extent = layouts_.extent(member);
  // The checks above report missing decorations. If specialization determines the stride, it is unknown.
  if (!member.has_majorness || !extent.is_known) return;
  const std::uint64_t unit = alignment(extent), stride = member.matrix_stride.value;
  violation.place = decoration_place(member.matrix_stride);
  violation.number = stride;
  violation.next = next_stride(std::max(stride, component * length), unit);
  if (stride % unit != 0) {
    violation.rule = Rule::MatrixStrideAlignment;
    violation.bound = unit;
    found_->push_back(violation);
  } else if (stride < component * length) {
    violation.rule = Rule::MatrixStrideSize;
    violation.bound = component * length;
    found_->push_back(violation);
  }
  check_matrices(member, extent, unit);
}

// Checks the strides of arrays of matrices, from the outermost array inwards, up to the first error. The last matrix
// of an element must end before the next element begins.
void MemoryLayoutChecker::check_matrices(const MemberLayout& member, const Extent& extent, std::uint64_t unit) {
  TypeIndex index = c_.types.index_of(member.type);
  const std::uint64_t size = extent.size - std::min(extent.size, layouts_.array(index).last);
  while (!layouts_.array(index).inner.is_none() && budget_.spend()) {
    const TypeIndex element = c_.types.row(index).element_row;
    const std::uint64_t inner = layouts_.array(element).last;
    if (!check_stride(c_.types.row(index), layouts_.array(index).stride, unit, inner + size)) return;
    index = element;
  }
}

// --- arrays ----------------------------------------------------------------------------------------------------------

// A stride of zero has a separate rule, because zero is a multiple of every alignment.
void MemoryLayoutChecker::check_array(TypeIndex index, const TypeRow& type) {
  const LayoutNumber& stride = layouts_.array(index).stride;
  const Extent& whole = layouts_.extent(index);
  const bool is_missing = stride.is_missing();
  if (is_missing || (stride.is_known() && stride.value == 0)) {
    found_->push_back({.rule = is_missing ? Rule::ArrayStrideMissing : Rule::ArrayStrideZero,
                       .place = is_missing ? Place{type.declaration, 0} : decoration_place(stride),
                       .type = type.id,
                       // An array of blocks cannot have a stride.
                       .next = is_block(c_, type.element) || !whole.is_known || has_unknown_descriptor(type)
                                   ? 0
                                   : next_stride(layouts_.element_extent(type).size, alignment(whole)),
                       .rules = rules_});
    return;
  }
  if (!whole.is_known) return;
  // The intended size of an element with a wrong stride is unknown, so only the alignment is checked.
  const std::uint64_t size = has_wrong_stride(type.element_row) ? 0 : layouts_.element_extent(type).size;
  check_stride(type, stride, alignment(whole), size);
}

// Without the size of a descriptor, no stride can be computed.
bool MemoryLayoutChecker::has_unknown_descriptor(const TypeRow& type) const {
  if (!type.contains.has_any(TypeTrait::Opaque)) return false;
  return find_part(c_, type, [&](const TypeRow& part) {
           return part.contains.has_any(TypeTrait::Opaque) && !part.is_array() && !part.is(TypeKind::Struct) &&
                  layouts_.extent(c_.types.index_of(part.id)).size == 0;
         }) != nullptr;
}

bool MemoryLayoutChecker::has_wrong_stride(TypeIndex index) const {
  for (; !index.is_none() && c_.types.row(index).is_array() && budget_.spend();
       index = c_.types.row(index).element_row) {
    const LayoutNumber& stride = layouts_.array(index).stride;
    const Extent& whole = layouts_.extent(index);
    if (!stride.is_known() || !whole.is_known) continue;
    const std::uint64_t size = layouts_.element_extent(c_.types.row(index)).size;
    if (stride.value % alignment(whole) != 0 || stride.value < size) return true;
  }
  return false;
}

// Returns false if a violation was found. `unit` and `size` are in bytes. Each stride has at most one violation: a
// misaligned stride is not also too small.
bool MemoryLayoutChecker::check_stride(const TypeRow& type, const LayoutNumber& stride, std::uint64_t unit,
                                       std::uint64_t size) {
  if (!stride.is_known() || stride.value == 0) return true;
  const bool is_aligned = stride.value % unit == 0;
  if (is_aligned && stride.value >= size) return true;
  found_->push_back({.rule = is_aligned ? Rule::ArrayStrideSize : Rule::ArrayStrideAlignment,
                     .place = decoration_place(stride),
                     .type = type.id,
                     .number = stride.value,
                     .bound = is_aligned ? size : unit,
                     .next = next_stride(std::max(stride.value, size), unit),
                     .rules = rules_});
  return false;
}

// --- offsets and places ----------------------------------------------------------------------------------------------

std::uint64_t MemoryLayoutChecker::alignment(const Extent& extent) const {
  return std::max<std::uint64_t>(extent.aligned(rules_), 1);
}

// RelaxBlockLayout aligns vectors to their components. check_straddle() still applies.
std::uint64_t MemoryLayoutChecker::unit_of(const TypeRow& part, const Extent& extent) const {
  const bool is_relaxed = part.is_vector() && c_.has(Feature::RelaxBlockLayout);
  return std::max<std::uint64_t>(extent.aligned(is_relaxed ? LayoutRules::Scalar : rules_), 1);
}

// Whether a vector at an offset straddles a boundary if its structure may have this residue.
bool MemoryLayoutChecker::straddles(std::uint64_t offset, std::uint64_t size, std::uint64_t residue) const {
  if ((requirement_.residues >> residue & 1) == 0) return false;
  const std::uint64_t at = (offset + residue) % vector_boundary;
  return size <= vector_boundary ? at + size > vector_boundary : at != 0;
}

// The smallest legal offset from `from` on; 0 if there is none.
std::uint64_t MemoryLayoutChecker::next_offset(const TypeRow& part, std::uint64_t from, std::uint64_t unit,
                                               std::uint64_t size) const {
  std::uint64_t offset = round_up(from, unit);
  if (!part.is_vector() || rules_ == LayoutRules::Scalar) return encodable(offset);
  const auto straddles_any = [&] {
    for (std::uint64_t residue = 0; residue < vector_boundary; ++residue) {
      if (straddles(offset, size, residue)) return true;
    }
    return false;
  };
  // After sixteen steps the remainders repeat.
  for (std::uint64_t step = 0; step < vector_boundary; ++step, offset += unit) {
    if (!straddles_any()) return encodable(offset);
  }
  return 0;
}

// The place of the member's type in the declaration of the structure.
Place MemoryLayoutChecker::place_of(const TypeRow& type, std::size_t member) const {
  const auto members = View<Op::OpTypeStruct>(c_.module.instruction(type.declaration)).member_types();
  return {type.declaration, member < members.size() ? members[member].word : std::uint16_t{0}};
}

}  // namespace vireo::spirv
