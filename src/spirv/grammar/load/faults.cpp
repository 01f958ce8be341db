// SPDX-License-Identifier: Apache-2.0
//
// Reports faults of grammar documents at their JSON paths; see faults.h.
#include "spirv/grammar/load/faults.h"

#include <utility>

#include "spirv/grammar/grammar_rules.h"

namespace vireo::spirv {

std::uint16_t GrammarFaults::add_document(std::string_view name, const JsonDocument& document) {
  documents_.push_back({name, &document});
  return static_cast<std::uint16_t>(documents_.size() - 1);
}

// Paths are computed from the document on request: a core grammar has some hundred thousand values, and a valid one
// needs no paths.
std::string GrammarFaults::path_of(Origin origin) const {
  if (origin.document >= documents_.size()) return {};
  return documents_[origin.document].json->at(origin.value).path();
}

void GrammarFaults::syntax_error(std::string_view name, const JsonFault& fault) {
  std::string message = fault.message;
  // Text that is not JSON has no values, so this fault is the only one with a byte offset.
  if (!documents_.empty()) message.insert(0, std::string(name) + ": ");
  first_error_ = diagnostics_.error(rule::grammar_json_syntax, Location::in_text(fault.offset, fault.offset + 1),
                                    std::move(message));
  has_syntax_error_ = true;
}

Reported GrammarFaults::report(Severity severity, std::string_view rule, Origin where, std::string_view key,
                               std::string message, std::string hint) {
  std::string path = path_of(where);
  if (!key.empty() && !path.empty()) path.append(".").append(key);
  // A diagnostic has no field for the document. If there are several, the message contains the name.
  if (documents_.size() > 1 && where.document < documents_.size()) {
    message.insert(0, std::string(documents_[where.document].name) + ": ");
  }
  const Reported reported =
      diagnostics_.report({rule, severity, {}, std::move(message), {}, std::move(hint), std::move(path)});
  if (severity == Severity::Error && !first_error_) first_error_ = reported;
  return reported;
}

}  // namespace vireo::spirv
