// SPDX-License-Identifier: Apache-2.0
//
// Computes sizes and alignments (type_layouts.h): first of scalars, then of composite types.
#include "spirv/module/layouts/type_layouts.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

constexpr std::uint64_t extended_unit = 16;  // bytes

constexpr std::uint64_t bounded_sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, TypeLayouts::most); }

constexpr std::uint64_t pointer_size = 8;  // bytes, of pointers to physical memory

// Vectors of two components are aligned to two components, those of three and four to four components. Longer vectors
// are aligned like scalars.
Extent vector_extent(std::uint64_t component, std::uint64_t count) {
  const std::uint64_t unit = count == 2 ? 2 : count == 3 || count == 4 ? 4 : 1;
  return {true, bounded_product(component, count), {component * unit, component * unit, component}};
}

// The std140 rules align each array element to four 32-bit floats.
void extend(Extent& extent) {
  auto& extended = extent.alignment[static_cast<std::size_t>(LayoutRules::Extended)];
  extended = round_up(extended, extended_unit);
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

}  // namespace

TypeLayouts::TypeLayouts(const Facts& facts, LayoutKind kind, const DescriptorExtents& descriptors)
    : facts_(facts),
      types_(facts.types()),
      decorations_(facts.decorations()),
      kind_(kind),
      descriptors_(descriptors),
      extents_(types_.rows().size()),
      parts_(types_.rows().size()),
      first_layouts_(types_.rows().size()) {
  // Types are read in declaration order, so that parts are complete before the types that contain them. A second
  // declaration of an id has no effect; its decorations would be read again.
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    if (types_.index_of(types_.rows()[i].id) == TypeIndex(i)) read(TypeIndex(i));
  }
}

// Returns the type of a part; none if it is not declared before the type. This excludes cycles.
TypeIndex TypeLayouts::before(TypeIndex index, Word type) const {
  const TypeIndex part = types_.index_of(type);
  return part.is_none() || part >= index ? TypeIndex::none() : part;
}

std::optional<std::uint64_t> TypeLayouts::constant(Word id) const {
  return facts_.constants().as_u64(id, kind_ == LayoutKind::Exact ? ValueUse::Known : ValueUse::OrDefault);
}

void TypeLayouts::read(TypeIndex index) {
  const TypeRow& type = types_.row(index);
  Extent& extent = extents_[index.index()];
  switch (type.kind) {
    case TypeKind::Bool:
      // A boolean has no bit pattern.
      if (kind_ == LayoutKind::Implicit) extent = scalar_extent(4);
      break;
    case TypeKind::Int:
    case TypeKind::Float: extent = scalar_extent((std::uint64_t{type.width} + 7) / 8); break;
    case TypeKind::Vector:
    case TypeKind::LongVector: {
      const TypeIndex component = before(index, type.element);
      // If specialization may change the length of a long vector, the size is unknown.
      const std::uint64_t count = type.count != 0 ? type.count : constant(type.length).value_or(0);
      if (component.is_none() || count == 0) break;
      const Extent& scalar = extents_[component.index()];
      if (scalar.is_known) extent = vector_extent(scalar.size, count);
      break;
    }
    case TypeKind::Matrix:
      if (kind_ == LayoutKind::Implicit) extent = matrix_extent(type, {});
      break;
    case TypeKind::Pointer:
    case TypeKind::UntypedPointer:
      // The size of other pointers is unknown: logical pointers have no bit pattern, and kernels have no layout
      // decorations.
      if (type.storage == StorageClass::PhysicalStorageBuffer) extent = scalar_extent(pointer_size);
      break;
    case TypeKind::Array:
    case TypeKind::RuntimeArray: read_array(index, type); break;
    case TypeKind::Struct: read_struct(index, type); break;
    case TypeKind::Image:
    case TypeKind::SampledImage: extent = descriptors_.image; break;
    case TypeKind::Sampler: extent = descriptors_.sampler; break;
    case TypeKind::Tensor: extent = descriptors_.tensor; break;
    case TypeKind::Buffer:
    case TypeKind::AccelerationStructure: extent = descriptors_.buffer; break;
    default: break;
  }
}

// --- arrays ----------------------------------------------------------------------------------------------------------

// Whether a type is a pointer type with a forward declaration, which is declared later. All physical pointers have the
// same size.
bool TypeLayouts::is_announced(Word type) const {
  return types_.forward_pointer(type) == StorageClass::PhysicalStorageBuffer;
}

void TypeLayouts::read_array(TypeIndex index, const TypeRow& type) {
  parts_[index.index()] = {static_cast<std::uint32_t>(arrays_.size()), 1};
  ArrayLayout& array = arrays_.emplace_back();
  for (const DecorationRow& row : decorations_.of(type.id)) {
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
  const bool is_nested = types_.row(element).is(TypeKind::Array) || types_.row(element).is(TypeKind::RuntimeArray);
  const ArrayLayout nested = is_nested ? this->array(element) : ArrayLayout{};
  const bool is_runtime = type.is(TypeKind::RuntimeArray);
  Extent& extent = extents_[index.index()];
  extent = element.is_none() ? scalar_extent(pointer_size) : extents_[element.index()];  // mostly unknown for matrices
  if (kind_ == LayoutKind::Implicit) {
    array.stride = {LayoutNumber::State::Known, round_up(extent.size, extent.aligned(LayoutRules::Base)), {}, 0};
  }
  array.count = is_runtime ? 0 : constant(type.length).value_or(0);
  // An array of unknown length has at least one element.
  const std::uint64_t stride = array.stride.is_known() ? array.stride.value : 0;
  const std::uint64_t before_last = bounded_product(stride, std::max<std::uint64_t>(array.count, 1) - 1);
  array.inner = is_nested ? nested.inner : types_.index_of(type.element);  // may be declared later
  array.last = bounded_sum(before_last, nested.last);

  // The size of a runtime array depends on the bound buffer, so it is 0 here.
  if (kind_ == LayoutKind::Exact) {
    extent.size = is_runtime ? 0 : bounded_sum(before_last, extent.size);
  } else {
    extent.size = bounded_product(stride, array.count);
    extent.is_known = array.stride.is_known();
  }
  extend(extent);
}

// --- matrices --------------------------------------------------------------------------------------------------------

Extent TypeLayouts::matrix_extent(const TypeRow& matrix, const MemberLayout& member) const {
  // A column-major matrix is stored as one vector for each column, a row-major one as one vector for each row. The
  // stride is the distance between consecutive vectors. `component` is the size of a component in bytes, `length` the
  // number of components of a vector, and `number` the number of vectors.
  const std::uint64_t component = matrix.component().width / 8;
  const std::uint64_t rows = matrix.element_type().count;
  const std::uint64_t length = member.is_row_major ? matrix.count : rows;
  const std::uint64_t number = member.is_row_major ? rows : matrix.count;
  Extent extent = vector_extent(component, length);
  std::uint64_t stride = member.matrix_stride.value;
  if (kind_ == LayoutKind::Implicit) stride = round_up(extent.size, extent.aligned(LayoutRules::Base));
  else if (kind_ == LayoutKind::Padded && stride == 0) stride = extent.size;
  extend(extent);
  // There is no padding after the last column or row. Under scalar rules, another member may begin there.
  extent.is_known = (kind_ != LayoutKind::Exact || member.matrix_stride.is_known()) && component != 0 && number != 0;
  if (!extent.is_known) return extent;
  extent.size = kind_ == LayoutKind::Exact ? bounded_sum(bounded_product(stride, number - 1), extent.size)
                                           : bounded_product(stride, number);
  return extent;
}

// --- structures ------------------------------------------------------------------------------------------------------

void TypeLayouts::read_struct(TypeIndex index, const TypeRow& type) {
  // Members are adjacent in members_.
  const Words types = types_.members(type);
  const std::size_t first = members_.size();
  parts_[index.index()] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(types.size())};
  members_.resize(first + types.size());
  const auto members = std::span(members_).subspan(first);
  for (std::size_t i = 0; i < types.size(); ++i) members[i].type = types[i];
  read_decorations(index, members);

  // A structure has the largest alignment of its members, under each set of rules. It ends at the largest end of a
  // member, which need not be the last declared member.
  const bool is_implicit = kind_ == LayoutKind::Implicit;
  Extent sum{true, 0, {1, 1, 1}};
  for (MemberLayout& member : members) {
    const TypeIndex part = before(index, member.type);
    const DecorationRow*& layout = first_layouts_[index.index()];
    if (!part.is_none() && layout == nullptr) layout = first_layouts_[part.index()];
    const Extent extent = !part.is_none()             ? this->extent(member)
                          : is_announced(member.type) ? scalar_extent(pointer_size)
                                                      : Extent{};
    if (is_implicit) {
      const std::uint64_t offset = round_up(sum.size, extent.aligned(LayoutRules::Base));
      member.offset = {LayoutNumber::State::Known, offset, {}, 0};
    }
    // If the size of a member is unknown, the size of the structure is unknown. The other members are still checked.
    sum.is_known = sum.is_known && extent.is_known && (kind_ == LayoutKind::Exact || member.offset.is_known());
    if (!extent.is_known && !is_implicit) continue;
    for (std::size_t i = 0; i < layout_rules_count; ++i) {
      sum.alignment[i] = std::max(sum.alignment[i], extent.alignment[i]);
    }
    if (member.offset.is_known()) sum.size = std::max(sum.size, bounded_sum(member.offset.value, extent.size));
  }
  if (is_implicit) sum.size = round_up(sum.size, sum.aligned(LayoutRules::Base));
  extend(sum);
  extents_[index.index()] = sum;
}

// One pass over the decorations of a structure. Only the first offset and stride of a member are used. The checks of
// decorations report a second one.
void TypeLayouts::read_decorations(TypeIndex index, std::span<MemberLayout> members) {
  const DecorationRow*& layout = first_layouts_[index.index()];
  for (const DecorationRow& row : decorations_.all_of(types_.row(index).id)) {
    if (layout == nullptr && is_layout(row.decoration)) layout = &row;
    // The decoration is on the structure itself, or on a member that does not exist.
    if (row.member >= members.size()) continue;
    MemberLayout& member = members[row.member];
    switch (row.decoration) {
      case Decoration::Offset:
      case Decoration::OffsetIdEXT:
        if (member.offset.is_missing()) member.offset = number(row, index);
        break;
      case Decoration::MatrixStride:
        if (member.matrix_stride.is_missing()) member.matrix_stride = number(row, index);
        break;
      case Decoration::RowMajor: member.is_row_major = true; [[fallthrough]];
      case Decoration::ColMajor: member.has_majorness = true; break;
      default: break;
    }
  }
}

// Returns the value of a literal or a constant. The value of a descriptor size comes from the options.
LayoutNumber TypeLayouts::number(const DecorationRow& row, TypeIndex user) const {
  using State = LayoutNumber::State;
  const Word operand = decorations_.operand_or(row, 0);
  if (row.form != DecorationForm::Id) return {State::Known, operand, row.instruction, row.first_operand};
  if (const auto value = constant(operand)) {
    // A constant above 32 bits has a wrong type. It is treated as unknown, so that all sums fit in 64 bits.
    return {*value >> 32 == 0 ? State::Known : State::Unknown, *value, row.instruction, row.first_operand};
  }
  // The sizes of descriptors depend on the device. If a profile states them, offsets that are computed from them are
  // known.
  if (const auto size = as<Op::OpConstantSizeOfEXT>(facts_.module().find(operand))) {
    const TypeIndex type = before(user, size->type());
    if (!type.is_none() && extents_[type.index()].is_known && extents_[type.index()].size != 0) {
      return {State::Known, extents_[type.index()].size, row.instruction, row.first_operand};
    }
  }
  return {State::Unknown, 0, row.instruction, row.first_operand};
}

// --- queries ---------------------------------------------------------------------------------------------------------

std::span<const MemberLayout> TypeLayouts::members(TypeIndex type) const {
  if (!types_.row(type).is(TypeKind::Struct)) return {};
  return std::span(members_).subspan(parts_[type.index()].first, parts_[type.index()].count);
}

const ArrayLayout& TypeLayouts::array(TypeIndex type) const {
  static constexpr ArrayLayout none;
  const TypeRow& row = types_.row(type);
  if (!row.is(TypeKind::Array) && !row.is(TypeKind::RuntimeArray)) return none;
  return arrays_[parts_[type.index()].first];
}

// Each array stores its innermost element type, so one lookup is enough.
const TypeRow* TypeLayouts::matrix(const MemberLayout& member) const {
  const TypeIndex type = types_.index_of(member.type);
  if (type.is_none()) return nullptr;
  const ArrayLayout& array = this->array(type);
  const TypeRow& inner = types_.row(array.inner.is_none() ? type : array.inner);
  return inner.is(TypeKind::Matrix) ? &inner : nullptr;
}

Extent TypeLayouts::element_extent(const TypeRow& array) const {
  const TypeIndex element = types_.index_of(array.element);
  return element.is_none() ? scalar_extent(pointer_size) : extents_[element.index()];
}

// The strides of the arrays determine where the last matrix begins. The matrix stride determines where it ends.
Extent TypeLayouts::extent(const MemberLayout& member) const {
  const TypeIndex type = types_.index_of(member.type);
  if (type.is_none()) return {};
  const TypeRow* matrix = this->matrix(member);
  // Only sizes with padding do not depend on the size of the last matrix.
  const bool has_extent = kind_ == LayoutKind::Implicit || (kind_ == LayoutKind::Padded && types_.row(type).is_array());
  if (matrix == nullptr || has_extent) return extents_[type.index()];
  Extent extent = matrix_extent(*matrix, member);
  extent.size = bounded_sum(array(type).last, extent.size);
  return extent;
}

}  // namespace vireo::spirv
