// SPDX-License-Identifier: Apache-2.0
//
// Prints values by their layout (value_text.h).
#include "cli/run/value_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <set>
#include <string_view>

#include "spirv/module/fold.h"

namespace vireo::cli {
namespace {

// Floats of fewer than 16 bits are printed as assembly text does.
std::string float_text(std::uint64_t bits, const ScalarType& type) {
  const std::optional<double> value = spirv::double_of(bits, type.format);
  char text[max_number_chars * 2];
  if (!value) return {text, print_float(text, bits, type.format)};
  if (std::isnan(*value)) return "nan";
  if (std::isinf(*value)) return *value < 0 ? "-inf" : "inf";
  // A shorter float has fewer digits than its value as a double.
  const std::to_chars_result end = type.width <= 32 ? std::to_chars(text, std::end(text), static_cast<float>(*value))
                                                    : std::to_chars(text, std::end(text), *value);
  return {text, end.ptr};
}

// Whether the members of a record can be keys of an object.
bool has_names(const LayoutPart& record) {
  std::set<std::string_view> names;
  return std::ranges::all_of(record.members, [&](const LayoutPart::Member& member) {
    return !member.name.empty() && names.insert(member.name).second;
  });
}

// The depth of a layout is bounded, and so is the recursion.
class ValuePrinter {
 public:
  ValuePrinter(const ValueLayout& layout, std::span<const std::byte> bytes, std::uint64_t limit)
      : layout_(layout), bytes_(bytes), left_(limit) {}

  std::string print() {
    const LayoutPart* part = &layout_.root();
    std::uint64_t offset = 0;
    // Without the braces of a block that has only one member.
    if (part->kind == LayoutPart::Kind::Record && part->members.size() == 1) {
      offset = part->members.front().offset;
      part = &layout_.part(part->members.front().part);
    }
    add(*part, offset);
    return std::move(text_);
  }

 private:
  // Returns false if the limit is reached.
  bool add(const LayoutPart& part, std::uint64_t offset) {
    switch (part.kind) {
      case LayoutPart::Kind::Scalar: return add_scalar(part, offset);
      case LayoutPart::Kind::List: {
        const std::uint64_t count = layout_.count_of(part, offset, bytes_.size());
        text_ += '[';
        for (std::uint64_t i = 0; i < count; ++i) {
          if (!add_next(i != 0, {}, layout_.part(part.element), offset + i * part.stride)) break;
        }
        text_ += ']';
        break;
      }
      case LayoutPart::Kind::Record: {
        const bool is_named = has_names(part);
        text_ += is_named ? '{' : '[';
        for (const LayoutPart::Member& member : part.members) {
          if (!add_next(&member != &part.members.front(), is_named ? member.name : std::string_view(),
                        layout_.part(member.part), offset + member.offset))
            break;
        }
        text_ += is_named ? '}' : ']';
        break;
      }
    }
    return !is_cut_;
  }

  bool add_next(bool follows, std::string_view name, const LayoutPart& part, std::uint64_t offset) {
    if (is_cut_) return false;
    if (follows) text_ += ", ";
    if (left_ == 0) {
      is_cut_ = true;
      text_ += "…";
      return false;
    }
    if (!name.empty()) text_.append(name).append(": ");
    return add(part, offset);
  }

  bool add_scalar(const LayoutPart& part, std::uint64_t offset) {
    if (part.size > bytes_.size() || offset > bytes_.size() - part.size) {
      text_ += '-';  // the buffer ends before it
      return true;
    }
    text_ += scalar_text(read_scalar(bytes_, offset, part.scalar), part.scalar);
    if (left_ != 0) --left_;
    return true;
  }

  const ValueLayout& layout_;
  std::span<const std::byte> bytes_;
  std::uint64_t left_;
  bool is_cut_ = false;
  std::string text_;
};

class ValueWriter {
 public:
  ValueWriter(JsonWriter& json, const ValueLayout& layout, std::span<const std::byte> bytes, std::uint64_t limit)
      : json_(json), layout_(layout), bytes_(bytes), limit_(limit) {}

  void write(const LayoutPart& part, std::uint64_t offset) {
    switch (part.kind) {
      case LayoutPart::Kind::Scalar: return write_one(part, offset);
      case LayoutPart::Kind::List: {
        const std::uint64_t count = std::min(limit_, layout_.count_of(part, offset, bytes_.size()));
        json_.begin_array();
        for (std::uint64_t i = 0; i < count; ++i) write(layout_.part(part.element), offset + i * part.stride);
        json_.end_array();
        return;
      }
      case LayoutPart::Kind::Record: {
        const bool is_named = has_names(part);
        is_named ? json_.begin_object() : json_.begin_array();
        for (const LayoutPart::Member& member : part.members) {
          if (is_named) json_.key(member.name);
          write(layout_.part(member.part), offset + member.offset);
        }
        is_named ? json_.end_object() : json_.end_array();
        return;
      }
    }
  }

 private:
  void write_one(const LayoutPart& part, std::uint64_t offset) {
    if (part.size > bytes_.size() || offset > bytes_.size() - part.size) {
      json_.null();
      return;
    }
    const std::uint64_t bits = read_scalar(bytes_, offset, part.scalar);
    if (!part.scalar.is_float) {
      if (part.scalar.is_signed) json_.number(spirv::sign_extended(bits, part.scalar.width));
      else json_.number(bits);
      return;
    }
    // The double with the shortest text of the float: 0.1 for the float that is nearest to 0.1.
    const std::string text = scalar_text(bits, part.scalar);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) json_.number(value);
    else json_.string(text);
  }

  JsonWriter& json_;
  const ValueLayout& layout_;
  std::span<const std::byte> bytes_;
  std::uint64_t limit_;
};

}  // namespace

std::uint64_t read_scalar(std::span<const std::byte> bytes, std::uint64_t offset, const ScalarType& type) {
  std::uint64_t bits = 0;  // hosts are little-endian
  std::memcpy(&bits, bytes.data() + offset, static_cast<std::size_t>(type.bytes()));
  return bits;
}

void write_scalar(std::span<std::byte> bytes, std::uint64_t offset, const ScalarType& type, std::uint64_t bits) {
  std::memcpy(bytes.data() + offset, &bits, static_cast<std::size_t>(type.bytes()));
}

double number_of(std::uint64_t bits, const ScalarType& type) {
  if (type.is_float) return spirv::double_of(bits, type.format).value_or(0);
  return type.is_signed ? static_cast<double>(spirv::sign_extended(bits, type.width)) : static_cast<double>(bits);
}

std::string scalar_text(std::uint64_t bits, const ScalarType& type) {
  if (type.is_float) return float_text(bits, type);
  return type.is_signed ? std::to_string(spirv::sign_extended(bits, type.width)) : std::to_string(bits);
}

std::string value_text(const ValueLayout& layout, std::span<const std::byte> bytes, std::uint64_t limit) {
  return ValuePrinter(layout, bytes, limit).print();
}

void write_value(JsonWriter& json, const ValueLayout& layout, std::span<const std::byte> bytes, std::uint64_t limit) {
  // Input values of a block with one member need no brackets, and without a name nothing would be in place of them.
  const LayoutPart& root = layout.root();
  const bool is_plain = root.kind == LayoutPart::Kind::Record && root.members.size() == 1 && !has_names(root);
  const LayoutPart& part = is_plain ? layout.part(root.members.front().part) : root;
  ValueWriter(json, layout, bytes, limit).write(part, is_plain ? root.members.front().offset : 0);
}

}  // namespace vireo::cli
