// SPDX-License-Identifier: Apache-2.0
//
// Reports faults of grammar documents at their JSON paths.
//
// Parts of a description store only a small Origin; the path is computed here, when a fault is
// reported.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/grammar/load/description.h"
#include "support/json.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// The documents of one load and the sink for their faults. Documents must outlive it.
class GrammarFaults {
 public:
  explicit GrammarFaults(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Registers a document; the result is the Origin::document of everything read from it.
  std::uint16_t add_document(std::string_view name, const JsonDocument& document);

  Reported error(std::string_view rule, Origin where, std::string message, std::string hint = {}) {
    return report(Severity::Error, rule, where, {}, std::move(message), std::move(hint));
  }
  /// A fault in a member of the object at `where`, present or missing: `$.instructions[3].opcode`.
  Reported error_at_key(std::string_view rule, Origin where, std::string_view key, std::string message,
                        std::string hint = {}) {
    return report(Severity::Error, rule, where, key, std::move(message), std::move(hint));
  }
  void warning(std::string_view rule, Origin where, std::string message, std::string hint = {}) {
    report(Severity::Warning, rule, where, {}, std::move(message), std::move(hint));
  }
  /// Reports that the text is not JSON. Only this fault has a location in the text.
  void syntax_error(std::string_view name, const JsonFault& fault);

  [[nodiscard]] std::string path_of(Origin origin) const;
  /// The Reported value of the first error; nothing if there was none.
  [[nodiscard]] const std::optional<Reported>& first_error() const { return first_error_; }
  [[nodiscard]] bool has_syntax_error() const { return has_syntax_error_; }

 private:
  Reported report(Severity severity, std::string_view rule, Origin where, std::string_view key, std::string message,
                  std::string hint);

  struct Document {
    std::string_view name;
    const JsonDocument* json;
  };
  Diagnostics& diagnostics_;
  std::vector<Document> documents_;
  // A failing Result needs a Reported value; the first one is kept.
  std::optional<Reported> first_error_;
  bool has_syntax_error_ = false;
};

}  // namespace vireo::spirv
