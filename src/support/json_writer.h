// SPDX-License-Identifier: Apache-2.0
//
// JsonWriter: writes JSON into a sink.
//
// The caller writes tokens in order, and the writer inserts the commas. The output is valid JSON in UTF-8
// for any bytes in strings: control characters are escaped, and ill-formed bytes become U+FFFD.
//
//   JsonWriter json(sink);
//   json.begin_object();
//   json.key("file").string(name).key("line").number(3);
//   json.end_object();
//   json.end_document();        // a line feed: JSON Lines
//
// Syntax: RFC 8259.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/support/text_writer.h"

namespace vireo {

/// Writes documents one after the other. The sink must outlive the writer; flush() and the destructor write the rest of
/// the buffer to it. Only assertions check the order of calls: keys in objects, one value for each key.
class JsonWriter {
 public:
  explicit JsonWriter(TextSink& sink) : sink_(sink) {}
  ~JsonWriter() { flush(); }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  JsonWriter& begin_object() { return open('{', '}'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('[', ']'); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& string(std::string_view bytes);
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  /// Writes a number. NaN and the infinities, which JSON does not have, become null.
  JsonWriter& number(double value);
  JsonWriter& number(std::unsigned_integral auto value) { return unsigned_number(value); }
  JsonWriter& number(std::signed_integral auto value) { return signed_number(value); }

  /// Inserts a line feed before the next element of the open container, to make long documents readable.
  JsonWriter& line_break();
  /// Ends a document with a line feed.
  void end_document();

  /// Writes the buffer to the sink. Returns false if the sink has rejected a chunk, now or earlier.
  bool flush();
  [[nodiscard]] bool ok() const { return sink_took_all_; }

 private:
  JsonWriter& open(char bracket, char closing);
  JsonWriter& close(char bracket);
  JsonWriter& unsigned_number(std::uint64_t value);
  JsonWriter& signed_number(std::int64_t value);
  void before_value();
  void append_quoted(std::string_view bytes);

  struct Container {
    char closing;   // the bracket that ends it
    bool is_empty;  // no comma before the first element
  };

  TextSink& sink_;
  std::string buffer_;
  std::vector<Container> open_;
  bool after_key_ = false;    // the next value belongs to the key just written
  bool wants_break_ = false;  // a line feed precedes the next element
  bool sink_took_all_ = true;
};

}  // namespace vireo
