// SPDX-License-Identifier: Apache-2.0
//
// Parses numbers, labels and custom fields into field values.
//
// Accept many spellings, print one. If the text differs from what the decoder prints for the value
// (`0x0830` for `0x830`, a label for its distance), the parser records a respelling. Verification compares with the
// respelled line.
#include <algorithm>
#include <bit>
#include <charconv>

#include "isa/assemble/lines.h"
#include "isa/assemble/parser.h"
#include "isa/print/values.h"
#include "support/counted.h"

namespace vireo::isa {
namespace {

// Limit on the digits of a number: 2^4096 has 1234 decimal digits, and leading zeros are allowed.
constexpr std::uint32_t max_digits = 1300;

// Returns a value greater than any base if `c` is not a digit.
int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// An absolute branch without a label prints as a signed number of its width: 0xff in eight bits prints as -1.
bool is_signed_number(FieldType type) { return is_signed(type) || type == FieldType::Absbranch; }

// Returns the value as the decoder prints it (isa/print/print.cpp, write_value). Used only to detect other spellings;
// verification compares with the decoder's real output.
std::string_view printed(char* buffer, const Definition& definition, BitWord value, bool is_prefixed) {
  char* out = buffer;
  if (is_prefixed) {
    *out++ = '0';
    *out++ = 'x';
  }
  switch (definition.type) {
    case FieldType::Hex: out = write_hex(out, value); break;
    case FieldType::Int:
    case FieldType::Branch:
    case FieldType::Absbranch: out = write_signed(out, sign_extended(value, definition.width)); break;
    case FieldType::Offset:
      if (const std::int64_t offset = sign_extended(value, definition.width); offset != 0) {
        if (offset > 0) *out++ = '+';
        out = write_signed(out, offset);
      }
      break;
    case FieldType::Uoffset:
      if (value != 0) {
        *out++ = '+';
        out = write_unsigned(out, value);
      }
      break;
    default: out = write_unsigned(out, value); break;
  }
  return {buffer, static_cast<std::size_t>(out - buffer)};
}

}  // namespace

std::uint32_t Parser::spelling(std::string_view text) {
  spellings_.emplace_back(text);
  return static_cast<std::uint32_t>(spellings_.size() - 1);
}

// Adds a value read from `length` characters, unless known bits contradict it.
void Parser::add_value(const Definition& definition, std::uint32_t low, BitWord value, std::uint32_t length,
                       std::string_view canonical) {
  Alternative alternative{Alternative::Kind::Bits, length, 0, value};
  if (definition.expression != nowhere) {
    alternative.kind = Alternative::Kind::Equals;
    // The mask selects the bits of the derived 64-bit value that the text determines. For signed types and floats, the
    // decoder prints only the lowest `width` bits.
    const bool looks_at_width = is_signed_number(definition.type) || definition.type == FieldType::Float;
    alternative.mask = looks_at_width ? low_mask(definition.width) : ~BitWord{0};
    if (definition.type == FieldType::Enum && definition.width <= 32) alternative.mask = low_mask(32);
  } else {
    // Check against known bits now; otherwise the parser would find a contradiction only at the end of the line.
    const BitWord known = slice_of(word_.known, low, definition.width);
    if (((slice_of(word_.value, low, definition.width) ^ value) & known) != 0) return;
  }
  if (request_.text.substr(state_.position, length) != canonical) alternative.spelling = spelling(canonical);
  alternatives_.push_back(alternative);
}

void Parser::add_number(const Definition& definition, std::uint32_t low, BitWord value, std::uint32_t length) {
  char buffer[40];
  add_value(definition, low, value, length, printed(buffer, definition, value, is_prefixed_));
}

void Parser::expand_number(const Token&, const Definition& definition, std::uint32_t low) {
  if (definition.expression == nowhere && definition.width > bits_per_word) return read_wide(definition, low);
  // Parse sign, prefix and base here; read_digits() parses the digits.
  const bool is_loose = request_.is_loose;
  const bool is_offset = definition.type == FieldType::Offset || definition.type == FieldType::Uoffset;
  const bool is_branch = definition.type == FieldType::Branch || definition.type == FieldType::Absbranch;
  std::uint32_t at_digit = state_.position;
  // A number cannot begin with a letter, so a name here is a label. Labels of other fields need a `#`.
  if (is_branch && is_name_start(at(at_digit))) return read_label(definition, low, at_digit);
  if (is_loose && at(at_digit) == '#' && is_name_start(at(at_digit + 1)))
    return read_label(definition, low, at_digit + 1);
  bool is_negative = false;
  if (is_offset) {
    if (can_follow(state_.position)) add_number(definition, low, 0, 0);
    if (at(at_digit) != '+' && at(at_digit) != '-') return;
    is_negative = at(at_digit++) == '-';
    // The decoder omits a derived offset only if the whole value is 0, but it prints the value truncated to its width.
    // So it prints `+0` for a nonzero multiple of 2^width. For other offsets, `+0` is another spelling of the empty
    // text.
    const bool is_wrapped = definition.type == FieldType::Offset && definition.expression != nowhere && !is_negative &&
                            at(at_digit) == '0' && can_follow(at_digit + 1);
    if (is_wrapped) alternatives_.push_back({Alternative::Kind::IsWrapped, 2});
  } else if (at(at_digit) == '-' || (is_loose && at(at_digit) == '+')) {
    is_negative = at(at_digit++) == '-';
  }
  const bool has_prefix = at(at_digit) == '0' && at(at_digit + 1) == 'x' && (is_prefixed_ || is_loose);
  if (is_prefixed_ && !has_prefix && !is_loose) return;
  // After a prefix written by the display, the field prints in its own base, which may not be hexadecimal.
  const std::uint32_t own_base = definition.type == FieldType::Hex ? 16 : 10;
  if (has_prefix) return read_digits(definition, low, at_digit + 2, is_prefixed_ ? own_base : 16, is_negative);
  read_digits(definition, low, at_digit, is_prefixed_ ? 10 : own_base, is_negative);
}

// Reads the longest run of digits, and shorter ones if the rest may belong to the following text. `limit` is the
// largest magnitude for the sign. A larger number gives no alternative; it is never truncated.
void Parser::read_digits(const Definition& definition, std::uint32_t low, std::uint32_t begin, std::uint32_t base,
                         bool is_negative) {
  const bool is_derived = definition.expression != nowhere;
  const std::uint32_t width = definition.width;
  const bool is_signed = is_signed_number(definition.type);
  // Limit the value to what the decoder can print: a derived value has 64 bits, and only some types truncate it.
  BitWord limit = is_derived && !is_signed ? ~BitWord{0} : low_mask(width);
  if (definition.type == FieldType::Enum && is_derived && width <= 32) limit = low_mask(32);
  if (is_signed && definition.type != FieldType::Absbranch) limit >>= 1;
  // Unsigned types accept a minus only before 0, as a respelling.
  if (is_negative) limit = is_signed ? (low_mask(width) >> 1) + 1 : 0;
  BitWord value = 0;
  const std::size_t first = alternatives_.size();
  bool fits = true;
  std::uint32_t end = begin;
  for (; fits; ++end) {
    const int digit = digit_value(at(end));
    if (digit >= static_cast<int>(base)) break;
    const auto next = static_cast<BitWord>(digit);
    // Compare before multiplying, so that nothing wraps.
    fits = value <= (~BitWord{0} - next) / base && value * base + next <= limit;
    value = value * base + next;
    if (!fits || !can_follow(end + 1)) continue;
    const BitWord number = is_negative ? (0 - value) & low_mask(is_signed ? width : bits_per_word) : value;
    // A number with a row prints as the row's string, which is in the field's string set.
    if (definition.type == FieldType::Enum && definition.enumeration->find(number).data() != nullptr) continue;
    if (request_.is_loose && alternatives_.size() != first) alternatives_.pop_back();  // keep only the longest
    add_number(definition, low, number, end + 1 - state_.position);
  }
  if (fits || request_.expectations == nullptr) return;
  // For the message: all digits, and the range of the field's own bits.
  while (digit_value(at(end)) < static_cast<int>(base)) ++end;
  const auto whole = std::string(request_.text.substr(state_.position, end - state_.position));
  const std::string least = is_signed ? "-" + std::to_string((low_mask(width) >> 1) + 1) : "0";
  const BitWord most = is_signed && definition.type != FieldType::Absbranch ? low_mask(width) >> 1 : low_mask(width);
  request_.expectations->explain(state_.position, whole + " is out of range: " + least + " to " + std::to_string(most));
}

// Reads decimal and hexadecimal numbers of more than 64 bits.
void Parser::read_wide(const Definition& definition, std::uint32_t low) {
  static_cast<void>(low);
  const std::uint32_t width = definition.width;
  const bool is_offset = definition.type == FieldType::Offset || definition.type == FieldType::Uoffset;
  const auto add = [&](const Bits& value, std::uint32_t length, const std::string& canonical) {
    Alternative alternative{Alternative::Kind::WideBits, length, static_cast<std::uint32_t>(wide_.size())};
    wide_.push_back(value);
    if (request_.text.substr(state_.position, length) != canonical) alternative.spelling = spelling(canonical);
    alternatives_.push_back(alternative);
  };
  std::uint32_t position = state_.position;
  bool is_negative = false;
  if (is_offset) {
    if (can_follow(position)) add(Bits(width), 0, "");
    if (at(position) != '+' && at(position) != '-') return;
  }
  if (at(position) == '-' || at(position) == '+') is_negative = at(position++) == '-';
  if (is_negative && !is_signed(definition.type)) return;
  std::uint32_t base = definition.type == FieldType::Hex ? 16 : 10;
  if (at(position) == '0' && at(position + 1) == 'x' && (is_prefixed_ || request_.is_loose)) {
    position += 2;
    if (!is_prefixed_) base = 16;
  }
  // Multiply and add digit by digit, in half words. The number of digits is bounded, and so is this loop.
  Bits value(width + 8);  // a spare byte to detect overflow
  std::uint32_t end = position;
  for (; end - position < max_digits && digit_value(at(end)) < static_cast<int>(base); ++end) {
    BitWord carry = static_cast<BitWord>(digit_value(at(end)));
    for (std::size_t i = 0; i < value.words().size(); ++i) {
      const BitWord low_half = (value.data()[i] & 0xFFFFFFFFu) * base + carry;
      const BitWord high_half = (value.data()[i] >> 32) * base + (low_half >> 32);
      value.data()[i] = high_half << 32 | (low_half & 0xFFFFFFFFu);
      carry = high_half >> 32;
    }
    if (carry != 0 || value.slice(width, width + 7) != 0) return;
  }
  if (end == position || !can_follow(end)) return;
  Bits result = value.extract(0, width - 1);
  if (is_negative) {
    // Two's complement: invert, then add one with carries.
    result = ~result;
    for (std::size_t i = 0; i < result.words().size() && ++result.data()[i] == 0; ++i) {}
    result = result.extract(0, width - 1);
  }
  // If the sign changed, the number was too large.
  if (is_signed(definition.type) && result.any() && result.test(width - 1) != is_negative) return;
  std::string canonical = is_prefixed_ ? "0x" : "";
  if (definition.type == FieldType::Hex) {
    append_wide_hex(canonical, result.words(), width);
  } else {
    Bits rest = result;
    append_wide_decimal(canonical, {rest.data(), rest.words().size()}, is_signed(definition.type) ? width : 0);
  }
  if (is_offset) canonical = result.is_zero() ? "" : is_negative ? canonical : "+" + canonical;
  add(result, end - state_.position, canonical);
}

// --- floats -------------------------------------------------------------------------------------------------------------

namespace {

// The bits of the float without its sign; length 0 if the text is not a number.
struct FloatText {
  std::uint32_t bits = 0;
  std::size_t length = 0;
  bool has_point = true;  // has a point or an exponent; false for an integer
};

FloatText float_text(std::string_view text, std::uint32_t width) {
  const bool is_half = width == 16;
  // The decoder's spellings. Every NaN prints as `nan`; reading it gives the quiet NaN without a payload.
  if (text.starts_with("inf")) return {is_half ? 0x7C00u : 0x7F800000u, 3};
  if (text.starts_with("nan")) return {is_half ? 0x7E00u : 0x7FC00000u, 3};
  if (text.empty() || !is_digit(text.front())) return {};
  double value = 0;
  text = text.substr(0, read_decimal(text, value));
  const bool has_point = text.find_first_of(".e") != std::string_view::npos;
  // Read single precision directly: conversion from double could round twice.
  float single = 0;
  if (!is_half && std::from_chars(text.data(), text.data() + text.size(), single).ec == std::errc()) {
    return {std::bit_cast<std::uint32_t>(single), text.size(), has_point};
  }
  return {float_bits(value, width), text.size(), has_point};
}

// Rounds to the nearer multiple of `step`, or to the other one if only that one has the text. Expressions such as
// `{VALUE} << 16` give floats whose lowest bits are 0, and the nearest float may not be one of them.
template <typename HasText>
std::uint32_t nearest_multiple(std::uint32_t bits, std::uint32_t step, HasText&& has_text) {
  const std::uint32_t below = bits & ~(step - 1), above = below + step;
  if (bits == below) return below;
  const bool is_nearer_above = bits - below > step / 2;
  const std::uint32_t near = is_nearer_above ? above : below, far = is_nearer_above ? below : above;
  return has_text(near) || !has_text(far) ? near : far;
}

}  // namespace

// Returns the step between the values of an expression that ends in a constant left shift; 1 for other expressions.
std::uint32_t Parser::step_of(const CompiledExpression& expression, std::uint32_t width) const {
  if (expression.steps.count < 2) return 1;
  // In postfix code, the shift is last, after its constant amount.
  const ExpressionStep* last = tables_.steps.data() + expression.steps.first + expression.steps.count - 1;
  const ExpressionStep& amount = last[-1];
  const bool is_shift = last->operation == Operation::ShiftLeft && amount.operation == Operation::Constant &&
                        amount.constant > 0 && amount.constant < width;
  return is_shift ? 1u << amount.constant : 1;
}

// Reads a decimal number as the nearest value that the field can have, preferring one that prints exactly the text.
// Loose mode also accepts a plus sign and a number without a point. Hexadecimal numbers are rejected: they could denote
// the value or its bits.
void Parser::read_float(const Definition& definition, std::uint32_t low, std::uint32_t owner) {
  const std::string_view rest = request_.text.substr(state_.position);
  const std::uint32_t width = definition.width;
  const bool is_negative = rest.starts_with('-');
  // The sign is a separate bit, so the code below handles magnitudes. Their bit patterns sort like the numbers.
  const bool has_sign = is_negative || (request_.is_loose && rest.starts_with('+'));
  const FloatText number = float_text(rest.substr(has_sign ? 1 : 0), width);
  if (number.length == 0 || (!number.has_point && !request_.is_loose)) return;
  const auto whole = static_cast<std::uint32_t>(number.length) + (has_sign ? 1 : 0);
  if (!can_follow(state_.position + whole)) return;
  const std::string_view text = rest.substr(0, whole);
  const std::uint32_t sign = is_negative ? 1u << (width - 1) : 0;
  char buffer[64];
  const auto text_of = [&](std::uint32_t bits) {
    const char* end = write_float(buffer, bits | sign, width, FloatStyle::Fixed);
    return std::string_view(buffer, static_cast<std::size_t>(end - buffer));
  };
  // A field with its own bits can hold any float; a derived one cannot.
  const bool is_derived = definition.expression != nowhere;
  std::uint32_t bits = number.bits;
  if (is_derived) {
    met_computed_float_ = true;
    const Plan& plan = *scopes_[owner].plan;
    const std::uint32_t step = step_of(tables_.expressions[plan.expressions.first + definition.expression], width);
    bits = nearest_multiple(bits, step, [&](std::uint32_t other) { return text_of(other) == text; });
  }
  add_value(definition, low, bits | sign, whole, text_of(bits));
  if (!request_.tries_ranges || !is_derived || alternatives_.empty()) return;
  // Numbers with the same text are contiguous. Find both ends of their range by halving strides, which takes about
  // sixty conversions. Copy the text, because text_of() reuses its buffer.
  const std::string same(text_of(bits));
  std::uint32_t least = bits, most = bits;
  for (std::uint32_t stride = 1u << (width - 2); stride != 0; stride >>= 1) {
    if (least >= stride && text_of(least - stride) == same) least -= stride;
    if (most + stride < 1u << (width - 1) && text_of(most + stride) == same) most += stride;
  }
  Alternative& range = alternatives_.back();
  range.kind = Alternative::Kind::IsWithin;
  range.value = least | sign;
  range.limit = most | sign;
}

// --- labels and custom fields ----------------------------------------------------------------------------------------

// Reads a label: the value is its distance from the instruction, or its position.
void Parser::read_label(const Definition& definition, std::uint32_t low, std::uint32_t begin) {
  std::uint32_t end = begin;
  while (is_name_character(at(end))) ++end;
  const std::string_view name = request_.text.substr(begin, end - begin);
  const std::optional<std::uint64_t> target = request_.labels == nullptr ? std::nullopt : request_.labels->find(name);
  if (!target) {
    if (request_.expectations != nullptr) {
      request_.expectations->explain(state_.position, "label '" + std::string(name) + "' is not defined");
    }
    return;
  }
  // All values count units: distances from this instruction, positions from the start of the section.
  const bool is_relative = definition.type == FieldType::Branch;
  const std::uint64_t value = is_relative ? *target - request_.index : *target;
  const BitWord mask = low_mask(definition.width);
  // A distance must be unchanged by truncation and sign extension. For a derived position, the solver checks whether it
  // fits.
  const bool fits = is_relative ? sign_extended(value, definition.width) == static_cast<std::int64_t>(value)
                                : definition.expression != nowhere || (value & ~mask) == 0;
  if (!fits) {
    if (request_.expectations != nullptr) {
      request_.expectations->explain(state_.position, "label '" + std::string(name) + "' is too far away: " +
                                                          std::to_string(static_cast<std::int64_t>(value)) +
                                                          " does not fit in " + counted(definition.width, "bit"));
    }
    return;
  }
  add_number(definition, low, is_relative ? value & mask : value, end - state_.position);
}

void Parser::read_custom(const Token& token, const Definition& definition, std::uint32_t low) {
  if (request_.custom == nullptr) return;
  // Verification covers custom readers too: the listener prints the value, and the texts are compared.
  readings_.clear();
  const std::string_view rest = request_.text.substr(state_.position);
  request_.custom->read(token.name, rest, readings_);
  const std::vector<CustomReader::Reading> readings = readings_;
  std::string text;
  for (const CustomReader::Reading& reading : readings) {
    // The reader is user code, so check its length.
    if (reading.length > rest.size()) continue;
    const auto length = static_cast<std::uint32_t>(reading.length);
    if (definition.expression == nowhere && (reading.value & ~low_mask(definition.width)) != 0) continue;
    if (!can_follow(state_.position + length)) continue;
    text.clear();
    if (request_.listener != nullptr) request_.listener->custom(token.name, reading.value, text);
    add_value(definition, low, reading.value, length, text);
  }
}

// Describes what a field accepts, for messages: its strings if they are few, otherwise the range of its numbers.
std::string Parser::describe(const Token& token, const Definition& definition) const {
  const auto name = [&] { return std::string(token.name); };
  if (&definition >= tables_.definitions.data()) {
    const auto index = static_cast<std::size_t>(&definition - tables_.definitions.data());
    if (const std::uint32_t set = grammar_.strings_of[index]; set != nowhere) {
      constexpr std::size_t shown = 6;
      const std::vector<std::string>& examples = grammar_.string_sets[set].examples;
      std::string list;
      for (std::size_t i = 0; i < std::min(examples.size(), shown); ++i)
        list += (i == 0 ? "'" : " '") + examples[i] + "'";
      if (examples.size() > shown) list += " …";
      return examples.size() < 2 ? list : name() + " (" + list + ")";
    }
  }
  const std::uint32_t width = definition.width;
  const std::string most = std::to_string(low_mask(width));
  const std::string half = std::to_string(low_mask(width) >> 1);
  const std::string least = "-" + std::to_string((low_mask(width) >> 1) + 1);
  const bool is_derived = definition.expression != nowhere;
  switch (definition.type) {
    case FieldType::Int: return name() + " (a number from " + least + " to " + half + ")";
    case FieldType::Offset: return name() + " (an offset from " + least + " to +" + half + ")";
    case FieldType::Uoffset: return name() + (is_derived ? " (an offset)" : " (an offset up to +" + most + ")");
    case FieldType::Float: return name() + " (a decimal number)";
    case FieldType::Branch:
    case FieldType::Absbranch: return name() + " (a label or a number)";
    case FieldType::Custom: return name();
    case FieldType::Hex: {
      if (is_derived) return name() + " (a hexadecimal number)";
      char buffer[24];
      const char* end = write_hex(buffer, low_mask(width));
      return name() + " (a hexadecimal number up to 0x" + std::string(static_cast<const char*>(buffer), end) + ")";
    }
    default: return name() + (is_derived ? " (a number)" : " (a number from 0 to " + most + ")");
  }
}

}  // namespace vireo::isa
