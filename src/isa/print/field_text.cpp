// SPDX-License-Identifier: Apache-2.0
//
// Formats the value of a field of any width and type.
//
// This function allocates strings for wide values. The printer has faster code of its own; both use values.cpp.
#include "isa/print/field_text.h"

#include "isa/print/values.h"

namespace vireo::isa {
namespace {

std::string decimal(const Field& field, const Bits& value, bool is_signed) {
  if (value.width() > bits_per_word) {
    Bits rest = value;
    std::string text;
    append_wide_decimal(text, {rest.data(), rest.words().size()}, is_signed ? value.width() : 0);
    return text;
  }
  char digits[32];
  const BitWord raw = value.width() == 0 ? 0 : value.data()[0];
  // A derived field has 64 bits, but `width` gives the position of its sign.
  const char* end = is_signed ? write_signed(digits, sign_extended(raw, field.width)) : write_unsigned(digits, raw);
  return std::string(digits, static_cast<std::size_t>(end - digits));
}

std::string explicit_sign(const std::string& number) { return number.starts_with('-') ? number : '+' + number; }

}  // namespace

void append_field_text(std::string& text, const Model& model, const Field& field, const Bits& value, FloatStyle style) {
  const BitWord raw = value.width() == 0 ? 0 : value.data()[0];
  switch (field.type) {
    case FieldType::Bitset:
    // These texts depend on more than the field: on the display of a leaf, or on the user's program.
    case FieldType::Custom: break;
    case FieldType::Uint: text += decimal(field, value, false); break;
    case FieldType::Int:
    // Without a program there is no label, so the displacement is printed.
    case FieldType::Branch:
    case FieldType::Absbranch: text += decimal(field, value, true); break;
    case FieldType::Hex: append_wide_hex(text, value.words(), value.width()); break;
    case FieldType::Offset:
    case FieldType::Uoffset:
      // All 64 bits of a derived value decide whether it is zero; `width` is only the position of its sign.
      if (value.any()) text += explicit_sign(decimal(field, value, field.type == FieldType::Offset));
      break;
    case FieldType::Bool:
      if (!field.has_display) text += decimal(field, value, false);
      else if (value.any()) text += field.display;
      break;
    case FieldType::BoolInv:
      if (!field.has_display) text += value.any() ? '0' : '1';
      else if (value.is_zero()) text += field.display;
      break;
    case FieldType::Float: {
      char digits[64];
      text.append(digits, write_float(digits, raw, field.width, style));
      break;
    }
    case FieldType::Enum:
      if (const EnumValue* row = model.find_value(model[field.enumeration], raw); row != nullptr) text += row->display;
      else text += std::to_string(field.width > 32 ? raw : static_cast<std::uint32_t>(raw));
      break;
  }
}

}  // namespace vireo::isa
