// SPDX-License-Identifier: Apache-2.0
//
// Reads layouts of types (value_layout.h).
#include "cli/run/value_layout.h"

#include <algorithm>
#include <array>

#include "spirv/module/layouts/type_layouts.h"
#include "support/json_writer.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/types.h"

namespace vireo::cli {
namespace {

constexpr ScalarType byte_type{};

LayoutPart scalar_part(const ScalarType& type) {
  LayoutPart part;
  part.scalar = type;
  part.size = type.bytes();
  return part;
}

LayoutPart list_part(std::uint32_t element, std::uint64_t count, std::uint64_t stride, std::uint64_t element_size) {
  LayoutPart part;
  part.kind = LayoutPart::Kind::List;
  part.element = element;
  part.count = count;
  part.stride = stride;
  part.size = count == 0 ? 0 : spirv::bounded_product(count - 1, stride) + element_size;
  return part;
}

// Whether two scalars could have a byte in common.
bool has_overlap(std::span<const LayoutPart::Member> members, std::span<const LayoutPart> parts) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const LayoutPart::Member& member : members) {
    const LayoutPart& part = parts[member.part];
    ranges.emplace_back(member.offset, member.offset + std::max<std::uint64_t>(part.size, part.is_open ? 1 : 0));
  }
  std::ranges::sort(ranges);
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].second) return true;
  }
  return false;
}

}  // namespace

std::string name_of(const ScalarType& type) {
  if (type.is_float && type.format == FloatFormat::BFloat16) return "bf16";
  return (type.is_float ? "f" : type.is_signed ? "i" : "u") + std::to_string(type.width);
}

std::optional<ScalarType> find_scalar_type(std::string_view name) {
  constexpr std::pair<FloatFormat, std::uint32_t> floats[] = {
      {FloatFormat::Half, 16}, {FloatFormat::Single, 32}, {FloatFormat::Double, 64}};
  for (const auto& [format, width] : floats) {
    const ScalarType type{.is_float = true, .is_signed = false, .width = width, .format = format};
    if (name_of(type) == name) return type;
  }
  for (const std::uint32_t width : {8u, 16u, 32u, 64u}) {
    for (const bool is_signed : {false, true}) {
      const ScalarType type{.is_float = false, .is_signed = is_signed, .width = width};
      if (name_of(type) == name) return type;
    }
  }
  return std::nullopt;
}

/// Reads one type. Recursion and memory are bounded: a deeper or larger type has no layout.
class LayoutReader {
 public:
  explicit LayoutReader(const spirv::Facts& facts)
      : facts_(facts), types_(facts.types()), layouts_(facts, spirv::LayoutKind::Padded) {}

  ValueLayout read(spirv::Word type) {
    const std::optional<std::uint32_t> root = add(type, nullptr, 0, true);
    if (!root) return {};
    return ValueLayout(std::move(parts_));
  }

 private:
  static constexpr std::uint32_t max_depth = 64;
  static constexpr std::size_t max_parts = 1u << 16;

  std::optional<std::uint32_t> append(LayoutPart part) {
    if (parts_.size() >= max_parts || part.size >= spirv::TypeLayouts::most) return std::nullopt;
    parts_.push_back(std::move(part));
    return static_cast<std::uint32_t>(parts_.size() - 1);
  }

  // `member` has the decorations of a matrix; an open list is permitted only at the end of the root.
  std::optional<std::uint32_t> add(spirv::Word id, const spirv::MemberLayout* member, std::uint32_t depth,
                                   bool may_be_open) {
    const spirv::TypeRow& type = types_.of(id);
    if (depth > max_depth) return std::nullopt;
    switch (type.kind) {
      case spirv::TypeKind::Int:
      case spirv::TypeKind::Float: return add_scalar(type);
      case spirv::TypeKind::Pointer:
      case spirv::TypeKind::UntypedPointer: return append(scalar_part({.width = 64}));
      case spirv::TypeKind::Vector: {
        const std::optional<std::uint32_t> element = add_scalar(type.component());
        return element ? append_list(*element, type.count, parts_[*element].size) : std::nullopt;
      }
      case spirv::TypeKind::Matrix: return add_matrix(type, member);
      case spirv::TypeKind::Array:
      case spirv::TypeKind::RuntimeArray: return add_array(type, member, depth, may_be_open);
      case spirv::TypeKind::Struct: return add_struct(type, depth, may_be_open);
      default: return std::nullopt;
    }
  }

  std::optional<std::uint32_t> add_scalar(const spirv::TypeRow& type) {
    ScalarType scalar{.is_float = type.is(spirv::TypeKind::Float), .is_signed = type.is_signed, .width = type.width};
    if (scalar.width == 0 || scalar.width > 64 || scalar.width % 8 != 0) return std::nullopt;
    if (scalar.is_float) {
      const std::optional<FloatFormat> format = spirv::Types::float_format(type);
      if (!format) return std::nullopt;
      scalar.format = *format;
    } else if (!type.is(spirv::TypeKind::Int)) {
      return std::nullopt;
    }
    return append(scalar_part(scalar));
  }

  std::optional<std::uint32_t> append_list(std::uint32_t element, std::uint64_t count, std::uint64_t stride) {
    const std::uint64_t size = parts_[element].size;
    if (size == 0 || stride < size) return std::nullopt;  // elements without scalars, or that overlap
    return append(list_part(element, count, stride, size));
  }

  // A list of columns, also if it is row major.
  std::optional<std::uint32_t> add_matrix(const spirv::TypeRow& type, const spirv::MemberLayout* member) {
    const spirv::TypeRow& column = type.element_type();
    const std::optional<std::uint32_t> scalar = add_scalar(type.component());
    if (!scalar) return std::nullopt;
    const std::uint64_t bytes = parts_[*scalar].size;
    const bool is_row_major = member != nullptr && member->is_row_major;
    const std::uint64_t vector = is_row_major ? type.count : column.count;
    const std::uint64_t stride =
        member != nullptr && member->matrix_stride.is_known() ? member->matrix_stride.value : vector * bytes;
    if (stride < vector * bytes) return std::nullopt;
    const std::optional<std::uint32_t> inner =
        append(list_part(*scalar, column.count, is_row_major ? stride : bytes, bytes));
    // Columns of a row-major matrix are interleaved, which is no overlap of scalars.
    return inner ? append(list_part(*inner, type.count, is_row_major ? bytes : stride, parts_[*inner].size))
                 : std::nullopt;
  }

  std::optional<std::uint32_t> add_array(const spirv::TypeRow& type, const spirv::MemberLayout* member,
                                         std::uint32_t depth, bool may_be_open) {
    const bool is_open = type.is(spirv::TypeKind::RuntimeArray);
    if (is_open && !may_be_open) return std::nullopt;
    const std::optional<std::uint32_t> element = add(type.element, member, depth + 1, false);
    if (!element) return std::nullopt;
    const spirv::LayoutNumber& stride = layouts_.array(types_.index_of(type.id)).stride;
    const std::uint64_t bytes = stride.is_known() ? stride.value : parts_[*element].size;
    std::uint64_t count = 0;
    if (!is_open) {
      count = facts_.constants().as_u64(type.length, spirv::ValueUse::OrDefault).value_or(0);
      if (count == 0) return std::nullopt;
    }
    const std::optional<std::uint32_t> list = append_list(*element, count, bytes);
    if (list) parts_[*list].is_open = is_open;
    return list;
  }

  std::optional<std::uint32_t> add_struct(const spirv::TypeRow& type, std::uint32_t depth, bool may_be_open) {
    const std::span<const spirv::MemberLayout> members = layouts_.members(types_.index_of(type.id));
    LayoutPart record;
    record.kind = LayoutPart::Kind::Record;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const spirv::MemberLayout& member = members[i];
      if (!member.offset.is_known()) return std::nullopt;
      const auto number = static_cast<spirv::Word>(i);
      const std::optional<std::uint32_t> part =
          add(member.type, &member, depth + 1, may_be_open && i + 1 == members.size());
      if (!part) return std::nullopt;
      record.members.push_back({std::string(facts_.names().of(type.id, number)), member.offset.value, *part});
      if (!parts_[*part].is_open) record.size = std::max(record.size, member.offset.value + parts_[*part].size);
    }
    if (record.members.empty() || has_overlap(record.members, parts_)) return std::nullopt;
    return append(std::move(record));
  }

  const spirv::Facts& facts_;
  const spirv::Types& types_;
  const spirv::TypeLayouts layouts_;
  std::vector<LayoutPart> parts_;
};

ValueLayout::ValueLayout() {
  parts_.push_back(scalar_part(byte_type));
  parts_.push_back(list_part(0, 0, 1, 1));
  parts_.back().is_open = true;
}

ValueLayout::ValueLayout(std::uint64_t stride, std::span<const std::pair<std::uint64_t, ScalarType>> components) {
  LayoutPart pattern;
  pattern.kind = LayoutPart::Kind::Record;
  for (const auto& [offset, type] : components) {
    parts_.push_back(scalar_part(type));
    pattern.members.push_back({{}, offset, static_cast<std::uint32_t>(parts_.size() - 1)});
    pattern.size = std::max(pattern.size, offset + type.bytes());
  }
  const bool is_scalar = components.size() == 1 && components.front().first == 0;
  if (!is_scalar) parts_.push_back(pattern);
  const auto element = static_cast<std::uint32_t>(parts_.size() - 1);
  const std::uint64_t size = parts_.back().size;
  if (components.empty() || stride < size || has_overlap(pattern.members, parts_)) {
    *this = ValueLayout();
    return;
  }
  parts_.push_back(list_part(element, 0, stride, size));
  parts_.back().is_open = true;
}

ValueLayout ValueLayout::of_type(const spirv::Facts& facts, spirv::Word type) { return LayoutReader(facts).read(type); }

const LayoutPart* ValueLayout::open_list() const {
  const LayoutPart* part = &root();
  while (part->kind == LayoutPart::Kind::Record) part = &parts_[part->members.back().part];
  return part->is_open ? part : nullptr;
}

std::uint64_t ValueLayout::open_offset() const {
  std::uint64_t offset = 0;
  for (const LayoutPart* part = &root(); part->kind == LayoutPart::Kind::Record;) {
    offset += part->members.back().offset;
    part = &parts_[part->members.back().part];
  }
  return offset;
}

std::uint64_t ValueLayout::size_with(std::uint64_t elements) const {
  const LayoutPart* const list = open_list();
  if (list == nullptr || elements == 0) return fixed_size();
  return std::min(spirv::TypeLayouts::most, open_offset() + spirv::bounded_product(elements, list->stride));
}

std::uint64_t ValueLayout::count_of(const LayoutPart& list, std::uint64_t offset, std::uint64_t bytes) const {
  if (!list.is_open) return list.count;
  const std::uint64_t size = parts_[list.element].size;
  if (offset > bytes || bytes - offset < size) return 0;
  return (bytes - offset - size) / list.stride + 1;
}

std::uint64_t ValueLayout::scalars_of(const LayoutPart& part) const {
  if (part.kind == LayoutPart::Kind::Scalar) return 1;
  if (part.kind == LayoutPart::Kind::List) return part.count == 0 ? 0 : part.count * scalars_of(parts_[part.element]);
  std::uint64_t count = 0;
  for (const LayoutPart::Member& member : part.members) count += scalars_of(parts_[member.part]);
  return count;
}

std::string ValueLayout::place_of(std::uint64_t offset, std::string_view name) const {
  std::string path(name);
  const LayoutPart* part = &root();
  // Values of a block with one member are written without the member.
  if (part->kind == LayoutPart::Kind::Record && part->members.size() == 1 && part->members.front().name.empty()) {
    offset -= part->members.front().offset;
    part = &parts_[part->members.front().part];
  }
  while (part->kind != LayoutPart::Kind::Scalar) {
    if (part->kind == LayoutPart::Kind::List) {
      // The columns of a row-major matrix are interleaved: an element is chosen by its own stride, then by that of rows.
      const LayoutPart& element = parts_[part->element];
      std::uint64_t index = offset / part->stride;
      if (element.kind == LayoutPart::Kind::List && element.stride > part->stride)
        index = offset % element.stride / part->stride;
      path += '[' + std::to_string(index) + ']';
      offset -= index * part->stride;
      part = &element;
      continue;
    }
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < part->members.size(); ++i) {
      const bool is_later = part->members[i].offset > part->members[chosen].offset;
      if (part->members[i].offset <= offset && (is_later || part->members[chosen].offset > offset)) chosen = i;
    }
    const LayoutPart::Member& member = part->members[chosen];
    if (!member.name.empty()) path += '.' + member.name;
    else path += '[' + std::to_string(chosen) + ']';
    offset -= member.offset;
    part = &parts_[member.part];
  }
  return path;
}

std::string ValueLayout::type_text(const LayoutPart& part) const {
  if (part.kind == LayoutPart::Kind::Scalar) return name_of(part.scalar);
  if (part.kind == LayoutPart::Kind::Record) {
    std::string text = "{";
    for (std::size_t i = 0; i < part.members.size(); ++i) {
      text += (i == 0 ? "" : ", ") + type_text(parts_[part.members[i].part]);
      if (!part.members[i].name.empty()) text += ' ' + part.members[i].name;
    }
    return text + '}';
  }
  // As in C: the outer length precedes the inner ones.
  const std::string inner = type_text(parts_[part.element]);
  const std::size_t end = inner.starts_with('{') ? inner.rfind('}') + 1 : std::min(inner.find('['), inner.size());
  return inner.substr(0, end) + (part.is_open ? "[]" : '[' + std::to_string(part.count) + ']') + inner.substr(end);
}

}  // namespace vireo::cli
