// SPDX-License-Identifier: Apache-2.0
//
// Differences, as `grammar diff` and `isa diff` give them out: a line each for people, or a record each for programs.
//
// The one idea: both commands write one record with the same keys, so one script reads both.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/json_writer.h"

namespace vireo::cli {

/// A difference as programs read it. The texts are borrowed from the change that it is made of.
struct ChangeRecord {
  std::string_view change;   ///< "added", "removed" or "changed"
  std::string_view subject;  ///< "instruction OpLoad"
  std::string_view field;    ///< of the subject; empty: the subject as a whole
  std::optional<std::string_view> before, after;
};

/// The word for `ChangeRecord::change`; each library has an enumeration of its own for what it finds.
template <class Kind>
constexpr std::string_view change_word(Kind kind) {
  switch (kind) {
    case Kind::Added: return "added";
    case Kind::Removed: return "removed";
    case Kind::Changed: break;
  }
  return "changed";
}

/// Writes a record as a document of its own: JSON Lines.
void write_change(JsonWriter& json, const ChangeRecord& record);

/// All changes, as records or as the lines that the library words (`to_line`).
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
