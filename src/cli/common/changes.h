// SPDX-License-Identifier: Apache-2.0
//
// The output of `grammar diff` and `isa diff`: a line per difference for people, or a record for programs.
//
// Both commands write one record with the same keys, so one script reads both.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/json_writer.h"

namespace vireo::cli {

/// A difference as a record. The texts are borrowed from the change.
struct ChangeRecord {
  std::string_view change;   ///< "added", "removed" or "changed"
  std::string_view subject;  ///< "instruction OpLoad"
  std::string_view field;    ///< a property of the subject; empty: the whole subject
  std::optional<std::string_view> before, after;
};

/// The value of `ChangeRecord::change`. Each library has its own enumeration of changes.
template <class Kind>
constexpr std::string_view change_word(Kind kind) {
  switch (kind) {
    case Kind::Added: return "added";
    case Kind::Removed: return "removed";
    case Kind::Changed: break;
  }
  return "changed";
}

/// Writes a record as one line of JSON Lines. A missing property has no key, which distinguishes it from an empty text.
inline void write_change(JsonWriter& json, const ChangeRecord& record) {
  json.begin_object().key("change").string(record.change).key("subject").string(record.subject);
  if (!record.field.empty()) json.key("field").string(record.field);
  if (record.before) json.key("before").string(*record.before);
  if (record.after) json.key("after").string(*record.after);
  json.end_object();
  json.end_document();
}

/// All changes, as records or as the text lines of the library (`to_line`).
template <class Change>
std::string text_of_changes(const std::vector<Change>& changes, bool is_json,
                            ChangeRecord (*record_of)(const Change&)) {
  StringSink sink;
  if (is_json) {
    JsonWriter json(sink);
    for (const Change& change : changes) write_change(json, record_of(change));
    json.flush();
  } else {
    for (const Change& change : changes) sink.write(to_line(change) + '\n');
  }
  return std::string(sink.text());
}

}  // namespace vireo::cli
