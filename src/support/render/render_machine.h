// SPDX-License-Identifier: Apache-2.0
//
// The formats for machines; render.h is their public interface.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/json_writer.h"
#include "vireo/support/render.h"

namespace vireo {

/// A message without the numbers of ids, "%12" as "%#": the part that an edit elsewhere in a module does not change.
std::string without_id_numbers(std::string_view message);

/// The lines of one input, computed on first use.
class LinePlaces {
 public:
  explicit LinePlaces(std::string_view text) : text_(text) {}

  LineColumn locate(std::uint64_t offset) { return index().locate(offset); }
  /// The same with the column counted in code points, as SARIF requires. Counting continues from the previous location
  /// if that is earlier in the same line, so locations in ascending order take time linear in the text.
  LineColumn locate_code_point(std::uint64_t offset);

 private:
  LineIndex& index() {
    if (!index_) index_.emplace(text_);
    return *index_;
  }

  std::string_view text_;
  std::optional<LineIndex> index_;
  // The previous location: its line, and the bytes and code points before it in that line.
  std::uint64_t last_line_ = 0, last_bytes_ = 0, last_points_ = 0;
};

/// Writes the records of the JSON format. Between begin() and end() the caller may write more fields.
class RecordWriter {
 public:
  /// Text locations refer to `source.text`.
  RecordWriter(JsonWriter& json, const SourceText& source) : json_(json), name_(source.name), places_(source.text) {}

  /// `in_text` is the same diagnostic with locations in a text: the record then has both lines and words.
  void begin(const Diagnostic& diagnostic, const Diagnostic* in_text = nullptr);
  void end();

 private:
  void add_fix(const Diagnostic& diagnostic, const Diagnostic* in_text);
  void add_source(const SourcePosition& at);
  void add_lines(const Location& where);  // if it is in a text
  void add_words(const Location& where);  // if it is in words

  JsonWriter& json_;
  std::string_view name_;
  LinePlaces places_;
};

Owned<Renderer> make_json_renderer(TextSink& sink);
Owned<Renderer> make_sarif_renderer(const RenderOptions& options, TextSink& sink);
Owned<Renderer> make_github_renderer(TextSink& sink);

}  // namespace vireo
