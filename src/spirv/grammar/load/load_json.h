// SPDX-License-Identifier: Apache-2.0
//
// Converts JSON to a description. No other code depends on the keys of the grammar's schema.
//
// Reading continues after each fault, so one run reports all faults. Schema: machine-readable grammar,
// sections 2 and 3, and the later keys (class, aliases, version, lastVersion, provisional, instruction_printing_class),
// all of which may be absent.
#pragma once

#include <string>
#include <string_view>

#include "spirv/grammar/load/description.h"
#include "spirv/grammar/load/faults.h"
#include "support/json.h"

namespace vireo::spirv {

/// The contents of one document. Entries with the same number are already merged into one entry with aliases.
struct GrammarDocument {
  GrammarDescription content;  ///< without sets; for an extended set: its instructions and kinds
  std::string name;            ///< key `name`; empty if absent
  bool has_magic_number = false;
  Origin origin;

  /// Whether this is a whole core grammar: it has a magic number and defines OpNop.
  [[nodiscard]] bool is_whole_core() const;
  /// Whether this extends the core: the names of all its instructions begin with Op (or there are none).
  [[nodiscard]] bool extends_core() const;
};

/// Reads one document. Faults are reported to `faults`; the result contains all parts that could be read.
GrammarDocument read_document(const JsonDocument& json, std::uint16_t document, GrammarFaults& faults);

}  // namespace vireo::spirv
