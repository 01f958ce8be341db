// SPDX-License-Identifier: Apache-2.0
//
// Stores, counts, limits and sorts diagnostics.
#include "vireo/support/diagnostic.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace vireo {

Reported Diagnostics::report(Diagnostic diagnostic) {
  const bool is_error = diagnostic.severity == Severity::Error;
  last_was_kept_ = (is_error ? kept_errors_ : kept_.size() - kept_errors_) < limit_;
  if (is_error) ++errors_;
  if (diagnostic.severity == Severity::Warning) ++warnings_;
  if (!last_was_kept_) return Reported{};
  if (is_error) ++kept_errors_;
  kept_.push_back(std::move(diagnostic));
  return Reported{};
}

Reported Diagnostics::error(std::string_view rule, Location where, std::string message, std::string hint) {
  return report({rule, Severity::Error, where, std::move(message), {}, std::move(hint), {}});
}

void Diagnostics::warning(std::string_view rule, Location where, std::string message, std::string hint) {
  report({rule, Severity::Warning, where, std::move(message), {}, std::move(hint), {}});
}

void Diagnostics::note(Location where, std::string message) {
  if (last_was_kept_) kept_.back().notes.push_back({where, std::move(message)});
}

void Diagnostics::raise_warnings() {
  for (Diagnostic& diagnostic : kept_) {
    if (diagnostic.severity != Severity::Warning) continue;
    diagnostic.severity = Severity::Error;
    ++kept_errors_;
  }
  errors_ += std::exchange(warnings_, 0);
}

void Diagnostics::sort_by_place() {
  // A list never mixes locations in words and in texts, so they are comparable. Diagnostics without a location come
  // first, because they concern the whole input.
  std::ranges::stable_sort(kept_, {}, [](const Diagnostic& d) -> std::uint64_t {
    return d.where.kind == Location::Kind::None ? 0 : d.where.begin + 1;
  });
}

}  // namespace vireo
