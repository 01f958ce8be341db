// SPDX-License-Identifier: Apache-2.0
//
// The forms for machines; render.h is the door to them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/json_writer.h"
#include "vireo/support/render.h"

namespace vireo {

/// A sentence with the numbers of ids left out, "%12" as "%#": what an edit elsewhere in a module does not change.
std::string without_id_numbers(std::string_view message);

/// The lines of one input, found when first asked for.
class LinePlaces {
 public:
  explicit LinePlaces(std::string_view text) : text_(text) {}

  LineColumn locate(std::uint64_t offset) { return index().locate(offset); }
  /// The same with the column counted in code points, as SARIF wants it. Counted on from the last place where that stands
  /// before this one in its line, so places in ascending order cost no more than the text.
  LineColumn locate_code_point(std::uint64_t offset);

 private:
  LineIndex& index() {
    if (!index_) index_.emplace(text_);
    return *index_;
  }

  std::string_view text_;
  std::optional<LineIndex> index_;
  // Where counting went on from the last time: bytes and code points in front of it, in its line.
  std::uint64_t last_line_ = 0, last_bytes_ = 0, last_points_ = 0;
};

/// The records of the JSON form, one after the other. Between begin() and end() more fields may be written.
class RecordWriter {
 public:
  /// `source.text` is what Text locations refer to.
  RecordWriter(JsonWriter& json, const SourceText& source) : json_(json), name_(source.name), places_(source.text) {}

  /// `in_text` is the same diagnostic with places in a text: the record then has both, lines and words.
  void begin(const Diagnostic& diagnostic, const Diagnostic* in_text = nullptr);
  void end();

 private:
  void add_place(const Location& where);

  JsonWriter& json_;
  std::string_view name_;
  LinePlaces places_;
};

Owned<Renderer> make_json_renderer(TextSink& sink);
Owned<Renderer> make_sarif_renderer(const RenderOptions& options, TextSink& sink);
Owned<Renderer> make_github_renderer(TextSink& sink);

}  // namespace vireo
