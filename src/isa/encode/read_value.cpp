// SPDX-License-Identifier: Apache-2.0
//
// One value against one definition. isaspec 3.5 says what fits; the range of signed fields is the true one here.
//
// The one idea: what a person writes for a field is what the field means (a signed number, the name of a row), and what
// comes out are raw bits. A number is never cut: what does not fit is a fault that says how many bits there are.
#include <charconv>
#include <cmath>

#include "isa/encode/reading.h"
#include "isa/model/rules.h"
#include "isa/print/values.h"
#include "support/nearest.h"

namespace vireo::isa {
namespace {

bool is_derived(const Definition& definition) { return definition.expression != nowhere; }

// Bits that hold a number of the field. A derived one has no bits of its own: only a sign makes its width count.
std::uint32_t width_of(const Definition& definition) {
  return is_derived(definition) && !is_signed(definition.type) ? bits_per_word : definition.width;
}

bool is_in_range(const Definition& definition, Number number) {
  const std::uint32_t width = width_of(definition);
  if (!is_signed(definition.type)) {
    // A derived value is any of 64 bits, and what is computed below 0 is as good.
    return is_derived(definition) || (!number.is_negative && (number.bits & ~low_mask(width)) == 0);
  }
  if (width > bits_per_word) return true;
  // A negative number is carried as 64 bits of two's complement: those above the field have to be copies of its sign.
  const BitWord half = low_mask(width) >> 1;
  return number.is_negative ? number.bits >= ~half : number.bits <= half;
}

// A number as it is meant: checked against the range of the type, then cut to the bits of the field, which loses
// nothing.
bool read_number(const Definition& definition, Number number, std::string_view path, ReadValue& result,
                 ValueFault& fault) {
  if (!is_in_range(definition, number)) {
    fault = range_fault(
        definition, path,
        number.is_negative ? std::to_string(static_cast<std::int64_t>(number.bits)) : std::to_string(number.bits));
    return false;
  }
  // Three ways to have a value: a derived field has none of its own bits, and wide ones do not fit into a word.
  if (is_derived(definition)) {
    result.kind = ReadValue::Kind::Equals;
    result.value = number.bits;
  } else if (definition.width <= bits_per_word) {
    result.kind = ReadValue::Kind::Bits;
    result.value = number.bits & low_mask(definition.width);
  } else {
    result.kind = ReadValue::Kind::Wide;
    result.wide = Bits(definition.width, number.bits);
    // The sign goes on above the first word.
    if (number.is_negative) result.wide.set_range(bits_per_word, definition.width - 1);
  }
  return true;
}

// Bits that the caller has as such, however many there are: what does not fit has to be 0.
bool read_bits(const Definition& definition, const Bits& bits, std::string_view path, ReadValue& result,
               ValueFault& fault) {
  const std::uint32_t width = width_of(definition);
  // Bits say nothing of a sign, so any pattern that the field has room for will do.
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

// Any number is near some float, so none is out of range: the nearest may be infinite.
bool read_float(const Definition& definition, double number, std::string_view path, ReadValue& result,
                ValueFault& fault) {
  if (definition.type != FieldType::Float) {
    fault = {rule::unfit_value, "'" + std::string(path) + "' is no float, and takes no floating-point number", {}};
    return false;
  }
  result.kind = is_derived(definition) ? ReadValue::Kind::Equals : ReadValue::Kind::Bits;
  result.value = float_bits(number, definition.width);
  return true;
}

// Decimal, or hexadecimal behind 0x, with a sign; wide fields take hexadecimal digits of their whole width.
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
  // Sign and magnitude apart, as the range has one more number below 0 than above.
  BitWord magnitude = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, is_hex ? 16 : 10);
  if (error == std::errc::result_out_of_range || (is_negative && magnitude > BitWord{1} << (bits_per_word - 1))) {
    fault = range_fault(definition, path, text);
    return false;
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fault = {rule::unknown_value, "'" + std::string(path) + "' takes a number, not '" + std::string(text) + "'", {}};
    return false;
  }
  // A minus before 0 is no sign: unsigned fields take it.
  return read_number(definition, {is_negative ? 0 - magnitude : magnitude, is_negative && magnitude != 0}, path, result,
                     fault);
}

// The row of that name, or else of that display.
// Two rounds: a name goes before any display, wherever their rows stand.
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
  // Names first: a display may well look like a number.
  if (const EnumValue* row = find_row(model, rows, text))
    return read_number(definition, {row->number, false}, path, result, fault);
  if (is_numeral(text)) return read_numeral(definition, text, path, result, fault);
  NearestNames nearest(text);
  for (const EnumValue& row : model.values(rows)) nearest.offer(row.name.empty() ? row.display : row.name);
  fault = {rule::unknown_value,
           "'" + std::string(path) + "' has no value '" + std::string(text) + "': it is a " +
               std::string(model.text(rows.name)),
           did_you_mean(nearest.names())};
  return false;
}

// The display of a bool says that it shows: of an inverted one, that it is 0.
bool read_bool(const Definition& definition, std::string_view text, std::string_view path, ReadValue& result,
               ValueFault& fault) {
  const bool is_shown = definition.has_display && !definition.display.empty() && text == definition.display;
  if (!is_shown && text != "true" && text != "false") return read_numeral(definition, text, path, result, fault);
  const bool is_set = is_shown ? definition.type == FieldType::Bool : text == "true";
  if (is_derived(definition)) result.kind = is_set ? ReadValue::Kind::IsTrue : ReadValue::Kind::IsFalse;
  else return read_number(definition, {is_set ? 1u : 0u, false}, path, result, fault);
  return true;
}

// What a text is depends on the type: a row's name, a bool's display, a decimal fraction; and for each of them a
// number.
bool read_text(const Model& model, const Definition& definition, std::string_view text, std::string_view path,
               ReadValue& result, ValueFault& fault) {
  switch (definition.type) {
    case FieldType::Enum: return read_enum(model, definition, text, path, result, fault);
    case FieldType::Bool:
    case FieldType::BoolInv: return read_bool(definition, text, path, result, fault);
    case FieldType::Float: {
      if (text.starts_with("0x")) break;  // its bits
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

// The value of a blank comes as 64 bits; of a signed field they are two's complement, else a large number.
bool fits(const Definition& definition, BitWord value) {
  const bool is_negative = is_signed(definition.type) && static_cast<std::int64_t>(value) < 0;
  return is_in_range(definition, {value, is_negative});
}

// How many bits there are, and which numbers they hold: of more than 64 bits the number would help nobody.
ValueFault range_fault(const Definition& definition, std::string_view path, std::string_view number) {
  const std::uint32_t width = width_of(definition);
  std::string message = "'" + std::string(path) + "' has " + std::to_string(width) + (width == 1 ? " bit" : " bits");
  if (is_signed(definition.type)) message += ", signed";
  if (width <= bits_per_word) {
    const BitWord most = is_signed(definition.type) ? low_mask(width) >> 1 : low_mask(width);
    const std::string least = is_signed(definition.type) ? "-" + std::to_string(most + 1) : "0";
    message += ": " + least + " to " + std::to_string(most);
  }
  return {rule::value_out_of_range, message + ", not " + std::string(number), {}};
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
    fault = {rule::unfit_value, "'" + std::string(path) + "' is no bitset, and has no fields", {}};
    return false;
  }
  // A blank. What comes for it are 64 bits.
  if (!is_derived(definition) && definition.width > bits_per_word) {
    fault = {rule::unfit_value,
             "'" + std::string(path) + "' has " + std::to_string(definition.width) +
                 " bits: a blank is for at most 64, so its value has to be given here",
             {}};
    return false;
  }
  result.kind = is_derived(definition) ? ReadValue::Kind::Equals : ReadValue::Kind::Bits;
  return true;
}

}  // namespace vireo::isa
