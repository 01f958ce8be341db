// SPDX-License-Identifier: Apache-2.0
//
// Converts one value for one definition. isaspec 3.5 defines which values fit, but here signed fields have signed
// ranges.
//
// Users write the meaning of a field's bits (a signed number, the name of an enumerator), and the result
// is raw bits. A number is never truncated: if it does not fit, the error states how many bits the field has.
#include <charconv>
#include <cmath>

#include "isa/encode/reading.h"
#include "isa/model/rules.h"
#include "isa/print/values.h"
#include "support/nearest.h"

namespace vireo::isa {
namespace {

bool is_derived(const Definition& definition) { return definition.expression != nowhere; }

// Returns the number of bits available for a number. A derived field has no bits of its own, so its width counts only
// if it is signed.
std::uint32_t width_of(const Definition& definition) {
  return is_derived(definition) && !is_signed(definition.type) ? bits_per_word : definition.width;
}

bool is_in_range(const Definition& definition, Number number) {
  const std::uint32_t width = width_of(definition);
  if (!is_signed(definition.type)) {
    // A derived value may be any 64-bit number. A negative result of its expression is equally valid.
    return is_derived(definition) || (!number.is_negative && (number.bits & ~low_mask(width)) == 0);
  }
  if (width > bits_per_word) return true;
  // A negative number is stored as 64 bits of two's complement: the bits above the field have to be copies of its sign.
  const BitWord half = low_mask(width) >> 1;
  return number.is_negative ? number.bits >= ~half : number.bits <= half;
}

// Checks a number against the range of the type, then truncates it to the bits of the field, which loses nothing.
bool read_number(const Definition& definition, Number number, std::string_view path, ReadValue& result,
                 ValueFault& fault) {
  if (!is_in_range(definition, number)) {
    fault = range_fault(
        definition, path,
        number.is_negative ? std::to_string(static_cast<std::int64_t>(number.bits)) : std::to_string(number.bits));
    return false;
  }
  // Three representations: a derived field has no bits of its own, and wide fields do not fit into one word.
  if (is_derived(definition)) {
    result.kind = ReadValue::Kind::Equals;
    result.value = number.bits;
  } else if (definition.width <= bits_per_word) {
    result.kind = ReadValue::Kind::Bits;
    result.value = number.bits & low_mask(definition.width);
  } else {
    result.kind = ReadValue::Kind::Wide;
    result.wide = Bits(definition.width, number.bits);
    // Extend the sign above the first word.
    if (number.is_negative) result.wide.set_range(bits_per_word, definition.width - 1);
  }
  return true;
}

// Converts raw bits of any width from the caller. Bits beyond the field must be 0.
bool read_bits(const Definition& definition, const Bits& bits, std::string_view path, ReadValue& result,
               ValueFault& fault) {
  const std::uint32_t width = width_of(definition);
  // Raw bits have no sign, so any pattern that fits into the field is valid.
  if (bits.width() > width && bits.any()) {
    for (std::uint32_t bit = width; bit < bits.width(); ++bit) {
      if (!bits.test(bit)) continue;
      fault = range_fault(definition, path, "0x" + to_hex(bits));
      return false;
    }
  }
  if (is_derived(definition) || width <= bits_per_word) {
    result.kind = is_derived(definition) ? ReadValue::Kind::Equals : ReadValue::Kind::Bits;
    result.value = bits.width() == 0 ? 0 : bits.data()[0];
    return true;
  }
  result.kind = ReadValue::Kind::Wide;
  result.wide = Bits(width);
  std::copy_n(bits.data(), std::min(bits.words().size(), result.wide.words().size()), result.wide.data());
  return true;
}

// Every number has a nearest float, so no number is out of range; the nearest float may be infinite.
bool read_float(const Definition& definition, double number, std::string_view path, ReadValue& result,
                ValueFault& fault) {
  if (definition.type != FieldType::Float) {
    fault = {rule::unfit_value,
             "'" + std::string(path) + "' does not accept a floating-point number: its type is not float",
             {}};
    return false;
  }
  result.kind = is_derived(definition) ? ReadValue::Kind::Equals : ReadValue::Kind::Bits;
  result.value = float_bits(number, definition.width);
  return true;
}

// Reads a decimal number, or a hexadecimal one after 0x, with an optional sign. A wide field takes hexadecimal digits
// of its whole width.
bool read_numeral(const Definition& definition, std::string_view text, std::string_view path, ReadValue& result,
                  ValueFault& fault) {
  const bool is_negative = text.starts_with('-');
  std::string_view digits = text.substr(is_negative || text.starts_with('+') ? 1 : 0);
  const bool is_hex = digits.starts_with("0x");
  if (is_hex) digits.remove_prefix(2);
  if (is_hex && !is_negative && !is_derived(definition) && definition.width > bits_per_word) {
    if (const std::optional<Bits> bits = parse_hex(digits, definition.width))
      return read_bits(definition, *bits, path, result, fault);
    fault = range_fault(definition, path, text);
    return false;
  }
  // Sign and magnitude are separate, because the range has one more number below 0 than above.
  BitWord magnitude = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, is_hex ? 16 : 10);
  if (error == std::errc::result_out_of_range || (is_negative && magnitude > BitWord{1} << (bits_per_word - 1))) {
    fault = range_fault(definition, path, text);
    return false;
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fault = {
        rule::unknown_value, "'" + std::string(path) + "' requires a number, found '" + std::string(text) + "'", {}};
    return false;
  }
  // -0 is not negative, so unsigned fields accept it.
  return read_number(definition, {is_negative ? 0 - magnitude : magnitude, is_negative && magnitude != 0}, path, result,
                     fault);
}

// Finds the enumerator with this name, or else with this display text. A name takes precedence over any display text,
// regardless of the order of the rows, so there are two passes.
const EnumValue* find_row(const Model& model, const Enum& rows, std::string_view text) {
  for (const EnumValue& row : model.values(rows)) {
    if (!row.name.empty() && row.name == text) return &row;
  }
  for (const EnumValue& row : model.values(rows)) {
    if (row.display == text) return &row;
  }
  return nullptr;
}

bool read_enum(const Model& model, const Definition& definition, std::string_view text, std::string_view path,
               ReadValue& result, ValueFault& fault) {
  const Enum& rows = model[model[definition.field].enumeration];
  // Names come first, because a display text may look like a number.
  if (const EnumValue* row = find_row(model, rows, text))
    return read_number(definition, {row->number, false}, path, result, fault);
  if (is_numeral(text)) return read_numeral(definition, text, path, result, fault);
  NearestNames nearest(text);
  for (const EnumValue& row : model.values(rows)) nearest.offer(row.name.empty() ? row.display : row.name);
  fault = {rule::unknown_value,
           "unknown value '" + std::string(text) + "' of '" + std::string(path) + "', which has type " +
               std::string(model.text(rows.name)),
           did_you_mean(nearest.names())};
  return false;
}

// The display text of a bool denotes the value that shows it: 1, or 0 if the field is inverted.
bool read_bool(const Definition& definition, std::string_view text, std::string_view path, ReadValue& result,
               ValueFault& fault) {
  const bool is_shown = definition.has_display && !definition.display.empty() && text == definition.display;
  if (!is_shown && text != "true" && text != "false") return read_numeral(definition, text, path, result, fault);
  const bool is_set = is_shown ? definition.type == FieldType::Bool : text == "true";
  if (is_derived(definition)) result.kind = is_set ? ReadValue::Kind::IsTrue : ReadValue::Kind::IsFalse;
  else return read_number(definition, {is_set ? 1u : 0u, false}, path, result, fault);
  return true;
}

// The type determines how a text is read: as an enumerator's name, a bool's display text or a decimal fraction. Each of
// these types also accepts a number.
bool read_text(const Model& model, const Definition& definition, std::string_view text, std::string_view path,
               ReadValue& result, ValueFault& fault) {
  switch (definition.type) {
    case FieldType::Enum: return read_enum(model, definition, text, path, result, fault);
    case FieldType::Bool:
    case FieldType::BoolInv: return read_bool(definition, text, path, result, fault);
    case FieldType::Float: {
      if (text.starts_with("0x")) break;  // the bits of the float
      double number = 0;
      if (!text.empty() && read_decimal(text, number) == text.size())
        return read_float(definition, number, path, result, fault);
      break;
    }
    default: break;
  }
  return read_numeral(definition, text, path, result, fault);
}

}  // namespace

bool is_numeral(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  return !digits.empty() && digits.front() >= '0' && digits.front() <= '9';
}

// The value of a blank is 64 bits: two's complement for a signed field, otherwise an unsigned number.
bool fits(const Definition& definition, BitWord value) {
  const bool is_negative = is_signed(definition.type) && static_cast<std::int64_t>(value) < 0;
  return is_in_range(definition, {value, is_negative});
}

// States the number of bits and the range. The range of a field of more than 64 bits is omitted, because the numbers
// are unreadable.
ValueFault range_fault(const Definition& definition, std::string_view path, std::string_view number) {
  const std::uint32_t width = width_of(definition);
  std::string message = std::string(number) + " is out of range for '" + std::string(path) + "': ";
  message += std::to_string(width) + (width == 1 ? " bit" : " bits");
  if (width <= bits_per_word) {
    const BitWord most = is_signed(definition.type) ? low_mask(width) >> 1 : low_mask(width);
    const std::string least = is_signed(definition.type) ? "-" + std::to_string(most + 1) : "0";
    message += ", " + least + " to " + std::to_string(most);
  }
  return {rule::value_out_of_range, std::move(message), {}};
}

bool read_value(const Model& model, const Definition& definition, const FieldValue& value, std::string_view path,
                ReadValue& result, ValueFault& fault) {
  const FieldValue::Kinds& kinds = value.kinds();
  if (const auto* number = std::get_if<Number>(&kinds)) return read_number(definition, *number, path, result, fault);
  if (const auto* number = std::get_if<double>(&kinds)) return read_float(definition, *number, path, result, fault);
  if (const auto* bits = std::get_if<Bits>(&kinds)) return read_bits(definition, *bits, path, result, fault);
  if (const auto* text = std::get_if<std::string>(&kinds))
    return read_text(model, definition, *text, path, result, fault);
  if (std::holds_alternative<NestedValue>(kinds)) {
    fault = {rule::unfit_value, "'" + std::string(path) + "' is not a bitset and has no fields", {}};
    return false;
  }
  // A blank, whose value has 64 bits.
  if (!is_derived(definition) && definition.width > bits_per_word) {
    fault = {rule::unfit_value,
             "'" + std::string(path) + "' has " + std::to_string(definition.width) +
                 " bits, but a blank can supply at most 64; set the value here",
             {}};
    return false;
  }
  result.kind = is_derived(definition) ? ReadValue::Kind::Equals : ReadValue::Kind::Bits;
  return true;
}

}  // namespace vireo::isa
