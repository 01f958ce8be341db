// SPDX-License-Identifier: Apache-2.0
//
// JSON → description: the only code that knows the keys of the grammar's schema.
//
// The one idea: read what is there, report what is wrong where it stands, and go on; so one run names all faults.
// Schema: machine-readable grammar, sections 2 and 3, and the keys that came after it (class, aliases, version,
// lastVersion, provisional, instruction_printing_class), all of which may be absent.
#pragma once

#include <string>
#include <string_view>

#include "spirv/grammar/load/description.h"
#include "spirv/grammar/load/faults.h"
#include "support/json.h"

namespace vireo::spirv {

/// One document as it was read: entries that share a number are already one entry with aliases.
struct GrammarDocument {
  GrammarDescription content;  ///< without sets; of an extended set: its instructions and kinds
  std::string name;            ///< key `name`; empty when absent
  bool has_magic_number = false;
  Origin origin;

  /// A whole core grammar: it has a magic number and defines OpNop.
  [[nodiscard]] bool is_whole_core() const;
  /// Adds to the core: all its instructions are called Op… (or there are none).
  [[nodiscard]] bool extends_core() const;
};

/// Reads one document. Faults go to `faults`; what could be read is returned all the same.
GrammarDocument read_document(const JsonDocument& json, std::uint16_t document, GrammarFaults& faults);

}  // namespace vireo::spirv
