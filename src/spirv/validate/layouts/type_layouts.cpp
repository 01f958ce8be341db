// SPDX-License-Identifier: Apache-2.0
//
// Computes sizes and alignments (type_layouts.h): first of scalars, then of composite types.
#include "spirv/validate/layouts/type_layouts.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/reserved.h"

#include <algorithm>
#include <optional>

namespace vireo::spirv {
namespace {

constexpr std::uint64_t extended_unit = 16;  // bytes

// Sums and products saturate at `most`.
constexpr std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, TypeLayouts::most); }

// The division avoids an overflow of 64 bits.
constexpr std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return 0;
  return a > TypeLayouts::most / b ? TypeLayouts::most : a * b;
}

constexpr std::uint64_t pointer_size = 8;  // bytes, of pointers to physical memory

// A scalar is aligned to its size under all rules.
Extent scalar_extent(std::uint64_t bytes) { return {true, bytes, {bytes, bytes, bytes}}; }

// Vectors of two components are aligned to two components, those of three and four to four components. Longer vectors
// are aligned like scalars.
Extent vector_extent(std::uint64_t component, std::uint64_t count) {
  const std::uint64_t unit = count == 2 ? 2 : count == 3 || count == 4 ? 4 : 1;
  return {true, saturated_product(component, count), {component * unit, component * unit, component}};
}

// The std140 rules align each array element to four 32-bit floats.
void extend(Extent& extent) {
  auto& extended = extent.alignment[static_cast<std::size_t>(LayoutRules::Extended)];
  extended = round_up(extended, extended_unit);
}

Extent matrix_extent(const TypeRow& matrix, const MemberLayout& member) {
  // A column-major matrix is stored as one vector for each column, a row-major one as one vector for each row. The
  // stride is the distance between consecutive vectors. `component` is the size of a component in bytes, `length` the
  // number of components of a vector, and `number` the number of vectors.
  const std::uint64_t component = matrix.component().width / 8;
  const std::uint64_t rows = matrix.element_type().count;
  const std::uint64_t length = member.is_row_major ? matrix.count : rows;
  const std::uint64_t number = member.is_row_major ? rows : matrix.count;
  Extent extent = vector_extent(component, length);
  extend(extent);
  // There is no padding after the last column or row. Under scalar rules, another member may begin there.
  extent.is_known = member.matrix_stride.is_known() && component != 0 && number != 0;
  if (extent.is_known) {
    extent.size = saturated_sum(saturated_product(member.matrix_stride.value, number - 1), length * component);
  }
  return extent;
}

// Whether a decoration is part of an explicit layout. RowMajor and ColMajor are not, because they have no effect
// without MatrixStride.
bool is_layout(Decoration decoration) {
  switch (decoration) {
    case Decoration::Block:
    case Decoration::BufferBlock:
    case Decoration::Offset:
    case Decoration::OffsetIdEXT:
    case Decoration::ArrayStride:
    case Decoration::ArrayStrideIdEXT:
    case Decoration::MatrixStride: return true;
    default: return false;
  }
}

// Returns the size of a handle in bytes if handles are integers (SPV_NV_bindless_texture), else 0.
std::uint64_t handle_bytes(const ModuleCheck& c) {
  if (!c.has(Capability::BindlessTextureNV)) return 0;
  const auto views = c.module.views(c.module.section(Section::MemoryModel));
  for (const InstructionView view : views) {
    if (const auto mode = as<Op::OpSamplerImageAddressingModeNV>(view)) return mode->bit_width() / 8;
  }
  return 0;
}

}  // namespace

TypeLayouts::TypeLayouts(const ModuleCheck& c)
    : c_(c),
      bindless_(handle_bytes(c)),
      extents_(c.types.rows().size()),
      parts_(c.types.rows().size()),
      first_layouts_(c.types.rows().size()) {
  // Types are read in declaration order, so that parts are complete before the types that contain them.
  for (std::size_t i = 0; i < extents_.size(); ++i) read(TypeIndex(i));
}

// Returns the type of a part; none if it is not declared before the type. This excludes cycles.
TypeIndex TypeLayouts::before(TypeIndex index, Word type) const {
  const TypeIndex part = c_.types.index_of(type);
  return part.is_none() || part >= index ? TypeIndex::none() : part;
}

void TypeLayouts::read(TypeIndex index) {
  const TypeRow& type = c_.types.row(index);
  Extent& extent = extents_[index.index()];
  switch (type.kind) {
    case TypeKind::Int:
    case TypeKind::Float: extent = scalar_extent((type.width + 7) / 8); break;
    case TypeKind::Vector:
    case TypeKind::LongVector: {
      const TypeIndex component = before(index, type.element);
      // If specialization may change the length of a long vector, the size is unknown.
      const std::uint64_t count = type.count != 0 ? type.count : c_.constants.as_u64(type.length).value_or(0);
      if (component.is_none() || count == 0) break;
      const Extent& scalar = extents_[component.index()];
      if (scalar.is_known) extent = vector_extent(scalar.size, count);
      break;
    }
    case TypeKind::Pointer:
    case TypeKind::UntypedPointer:
      // The size of other pointers is unknown: logical pointers have no bit pattern, and kernels have no layout
      // decorations.
      if (type.storage == StorageClass::PhysicalStorageBuffer) extent = scalar_extent(pointer_size);
      break;
    case TypeKind::Array:
    case TypeKind::RuntimeArray: read_array(index, type); break;
    case TypeKind::Struct: read_struct(index, type); break;
    default: extent = descriptor(type); break;
  }
}

// The options state the size of a descriptor in a heap. If they do not, the size is 0 and the alignment 1.
Extent TypeLayouts::descriptor(const TypeRow& type) const {
  const auto of = [](const DescriptorLayout& layout) {
    const std::uint64_t alignment = std::max<std::uint64_t>(layout.alignment, 1);
    return Extent{true, layout.size, {alignment, alignment, alignment}};
  };
  const ValidateOptions& options = c_.options;
  switch (type.kind) {
    case TypeKind::Image:
    case TypeKind::SampledImage: return bindless_ != 0 ? scalar_extent(bindless_) : of(options.image_descriptor);
    case TypeKind::Sampler: return bindless_ != 0 ? scalar_extent(bindless_) : of(options.sampler_descriptor);
    case TypeKind::Tensor: return of(options.tensor_descriptor);
    case TypeKind::Buffer:
    case TypeKind::AccelerationStructure: return of(options.buffer_descriptor);
    default: return {};
  }
}

// --- arrays ----------------------------------------------------------------------------------------------------------

// Whether a type is a pointer type with a forward declaration, which is declared later. All physical pointers have the
// same size.
bool TypeLayouts::is_announced(Word type) const {
  return c_.types.forward_pointer(type) == StorageClass::PhysicalStorageBuffer;
}

void TypeLayouts::read_array(TypeIndex index, const TypeRow& type) {
  parts_[index.index()] = {static_cast<std::uint32_t>(arrays_.size()), 1};
  ArrayLayout& array = arrays_.emplace_back();
  for (const DecorationRow& row : c_.decorations.of(type.id)) {
    // Only the first stride is used. The checks of decorations report a second one.
    if (row.decoration == Decoration::ArrayStride || row.decoration == Decoration::ArrayStrideIdEXT) {
      array.stride = number(row, index);
      first_layouts_[index.index()] = &row;
      break;
    }
  }
  const TypeIndex element = before(index, type.element);
  if (element.is_none() && !is_announced(type.element)) return;
  // A decoration of the type takes precedence over one of its parts.
  if (first_layouts_[index.index()] == nullptr && !element.is_none()) {
    first_layouts_[index.index()] = first_layouts_[element.index()];
  }
  const bool is_nested = c_.types.row(element).is(TypeKind::Array) || c_.types.row(element).is(TypeKind::RuntimeArray);
  const ArrayLayout nested = is_nested ? this->array(element) : ArrayLayout{};
  // An array of unknown length has at least one element; a runtime array may have none.
  const std::uint64_t count =
      type.is(TypeKind::RuntimeArray) ? 1 : std::max<std::uint64_t>(c_.constants.as_u64(type.length).value_or(1), 1);
  const std::uint64_t stride = array.stride.is_known() ? array.stride.value : 0;
  array.inner = is_nested ? nested.inner : c_.types.index_of(type.element);  // may be declared later
  array.last = saturated_sum(saturated_product(stride, count - 1), nested.last);

  Extent& extent = extents_[index.index()];
  extent = element.is_none() ? scalar_extent(pointer_size) : extents_[element.index()];  // unknown for matrices
  // There is no padding after the last element, so the size contains one stride fewer than there are elements. The size
  // of a runtime array depends on the bound buffer, so it is 0 here.
  extent.size = type.is(TypeKind::RuntimeArray) ? 0 : saturated_sum(saturated_product(stride, count - 1), extent.size);
  extend(extent);
}

// --- structures ------------------------------------------------------------------------------------------------------

void TypeLayouts::read_struct(TypeIndex index, const TypeRow& type) {
  // Members are adjacent in members_. One pass over the decorations of the structure fills them.
  const Words types = c_.types.members(type);
  const std::size_t first = members_.size();
  parts_[index.index()] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(types.size())};
  members_.resize(first + types.size());
  for (std::size_t i = 0; i < types.size(); ++i) members_[first + i].type = types[i];

  const DecorationRow*& layout = first_layouts_[index.index()];
  for (const DecorationRow& row : c_.decorations.all_of(type.id)) {
    if (layout == nullptr && is_layout(row.decoration)) layout = &row;
    // The decoration is on the structure itself, or on a member that does not exist.
    if (row.member >= types.size()) continue;
    MemberLayout& member = members_[first + row.member];
    switch (row.decoration) {
      case Decoration::Offset:
      case Decoration::OffsetIdEXT:
        // Only the first offset is used. The checks of decorations report a second one.
        if (member.offset.is_missing()) member.offset = number(row, index);
        break;
      case Decoration::MatrixStride: member.matrix_stride = number(row, index); break;
      case Decoration::RowMajor:
      case Decoration::ColMajor:
        member.has_majorness = true;
        member.is_row_major = row.decoration == Decoration::RowMajor;
        break;
      default: break;
    }
  }

  // A structure has the largest alignment of its members, under each set of rules. It ends at the largest end of a
  // member, which need not be the last declared member.
  Extent sum{true, 0, {1, 1, 1}};
  for (const MemberLayout& member : members(index)) {
    const TypeIndex part = before(index, member.type);
    if (!part.is_none() && layout == nullptr) layout = first_layouts_[part.index()];
    const Extent extent = !part.is_none()             ? this->extent(member)
                          : is_announced(member.type) ? scalar_extent(pointer_size)
                                                      : Extent{};
    // If the size of a member is unknown, the size of the structure is unknown. The other members are still checked.
    sum.is_known = sum.is_known && extent.is_known;
    if (!extent.is_known) continue;
    for (std::size_t i = 0; i < layout_rules_count; ++i) {
      sum.alignment[i] = std::max(sum.alignment[i], extent.alignment[i]);
    }
    if (member.offset.is_known()) sum.size = std::max(sum.size, saturated_sum(member.offset.value, extent.size));
  }
  extend(sum);
  extents_[index.index()] = sum;
}

// Returns the value of a literal or a constant. The value of a descriptor size comes from the options.
LayoutNumber TypeLayouts::number(const DecorationRow& row, TypeIndex user) const {
  using State = LayoutNumber::State;
  const Word operand = c_.decorations.operand_or(row, 0);
  if (row.form != DecorationForm::Id) return {State::Known, operand, row.instruction, row.first_operand};
  if (const auto value = c_.constants.as_u64(operand)) {
    // A constant above 32 bits has a wrong type. It is treated as unknown, so that all sums fit in 64 bits.
    return {*value >> 32 == 0 ? State::Known : State::Unknown, *value, row.instruction, row.first_operand};
  }
  // The sizes of descriptors depend on the device. If a profile states them, offsets that are computed from them are
  // known.
  if (const auto size = as<Op::OpConstantSizeOfEXT>(c_.module.find(operand))) {
    const TypeIndex type = before(user, size->type());
    if (!type.is_none() && extents_[type.index()].is_known && extents_[type.index()].size != 0) {
      return {State::Known, extents_[type.index()].size, row.instruction, row.first_operand};
    }
  }
  return {State::Unknown, 0, row.instruction, row.first_operand};
}

// --- queries ---------------------------------------------------------------------------------------------------------

std::span<const MemberLayout> TypeLayouts::members(TypeIndex type) const {
  if (!c_.types.row(type).is(TypeKind::Struct)) return {};
  return std::span(members_).subspan(parts_[type.index()].first, parts_[type.index()].count);
}

const ArrayLayout& TypeLayouts::array(TypeIndex type) const {
  static constexpr ArrayLayout none;
  const TypeRow& row = c_.types.row(type);
  if (!row.is(TypeKind::Array) && !row.is(TypeKind::RuntimeArray)) return none;
  return arrays_[parts_[type.index()].first];
}

// Each array stores its innermost element type, so one lookup is enough.
const TypeRow* TypeLayouts::matrix(const MemberLayout& member) const {
  const TypeIndex type = c_.types.index_of(member.type);
  if (type.is_none()) return nullptr;
  const ArrayLayout& array = this->array(type);
  const TypeRow& inner = c_.types.row(array.inner.is_none() ? type : array.inner);
  return inner.is(TypeKind::Matrix) ? &inner : nullptr;
}

Extent TypeLayouts::element_extent(const TypeRow& array) const {
  const TypeIndex element = c_.types.index_of(array.element);
  return element.is_none() ? scalar_extent(pointer_size) : extents_[element.index()];
}

// The strides of the arrays determine where the last matrix begins. The matrix stride determines where it ends.
Extent TypeLayouts::extent(const MemberLayout& member) const {
  const TypeIndex type = c_.types.index_of(member.type);
  if (type.is_none()) return {};
  const TypeRow* matrix = this->matrix(member);
  if (matrix == nullptr) return extents_[type.index()];
  Extent extent = matrix_extent(*matrix, member);
  extent.size = saturated_sum(array(type).last, extent.size);
  return extent;
}

}  // namespace vireo::spirv
