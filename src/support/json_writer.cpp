// SPDX-License-Identifier: Apache-2.0
//
// JsonWriter: writes commas, quotes and escapes.
#include "support/json_writer.h"

#include <cassert>
#include <charconv>
#include <cmath>

#include "support/utf8.h"

namespace vireo {
namespace {

constexpr std::size_t chunk_size = std::size_t{16} * 1024;  // bytes buffered before the sink is called
constexpr std::string_view replacement = "\xEF\xBF\xBD";    // U+FFFD

// The escape of an ASCII byte inside a string; 0 = none, 'u' = \u00XX (RFC 8259 section 7).
constexpr char escape_of(unsigned char byte) {
  switch (byte) {
    case '"': return '"';
    case '\\': return '\\';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    default: return byte < 0x20 || byte == 0x7F ? 'u' : '\0';
  }
}

// to_chars writes the shortest text that parses back to the same number, with a decimal point in every locale.
template <typename Number>
void append_number(std::string& out, Number value) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

}  // namespace

// The comma is written before a value, unless the value is the first of its container.
void JsonWriter::before_value() {
  if (buffer_.size() >= chunk_size) flush();
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  if (!open_.back().is_empty) buffer_ += ',';
  open_.back().is_empty = false;
  if (wants_break_) buffer_ += '\n';
  wants_break_ = false;
}

JsonWriter& JsonWriter::open(char bracket, char closing) {
  before_value();
  buffer_ += bracket;
  open_.push_back({closing, true});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  assert(!open_.empty() && open_.back().closing == bracket && !after_key_);
  if (wants_break_) buffer_ += '\n';
  wants_break_ = false;
  open_.pop_back();
  buffer_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!open_.empty() && open_.back().closing == '}' && !after_key_);
  before_value();
  append_quoted(name);
  buffer_ += ':';
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view bytes) {
  before_value();
  append_quoted(bytes);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  before_value();
  buffer_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  before_value();
  buffer_ += "null";
  return *this;
}

// RFC 8259 section 6: JSON has neither infinities nor NaN.
JsonWriter& JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  before_value();
  append_number(buffer_, value);
  return *this;
}

JsonWriter& JsonWriter::unsigned_number(std::uint64_t value) {
  before_value();
  append_number(buffer_, value);
  return *this;
}

JsonWriter& JsonWriter::signed_number(std::int64_t value) {
  before_value();
  append_number(buffer_, value);
  return *this;
}

JsonWriter& JsonWriter::line_break() {
  wants_break_ = true;
  return *this;
}

void JsonWriter::end_document() {
  assert(open_.empty());
  buffer_ += '\n';
}

void JsonWriter::append_quoted(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  buffer_ += '"';
  std::size_t plain = 0;  // leading bytes of the rest that need no escape
  const auto take_plain = [&](std::size_t skip) {
    buffer_.append(bytes.substr(0, plain));
    bytes.remove_prefix(plain + skip);
    plain = 0;
  };
  while (plain < bytes.size()) {
    const auto byte = static_cast<unsigned char>(bytes[plain]);
    if (byte >= 0x80) {
      const CodePoint point = first_code_point(bytes.substr(plain));
      if (point.well_formed) {
        plain += point.length;
        continue;
      }
      // JSON is UTF-8 (RFC 8259 section 8.1), but a string of a module may contain any bytes. Each ill-formed byte
      // becomes one replacement character.
      take_plain(1);
      buffer_ += replacement;
    } else if (const char escape = escape_of(byte); escape != '\0') {
      take_plain(1);
      buffer_ += '\\';
      buffer_ += escape;
      if (escape == 'u') {
        buffer_ += "00";
        buffer_ += digits[byte >> 4];
        buffer_ += digits[byte & 15];
      }
    } else {
      ++plain;
    }
  }
  take_plain(0);
  buffer_ += '"';
}

// The buffer is cleared even if the sink rejects it, so that output to a closed pipe does not accumulate in memory.
bool JsonWriter::flush() {
  if (!buffer_.empty() && sink_took_all_) sink_took_all_ = sink_.write(buffer_);
  buffer_.clear();
  return sink_took_all_;
}

}  // namespace vireo
