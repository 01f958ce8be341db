// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value, or proof that a diagnostic was reported.
//
// A failure holds a `Reported`, which only Diagnostics can create. So a function cannot fail silently:
//
//   Result<Header> read_header(Words words, Diagnostics& diagnostics) {
//     if (words.size() < 5) return diagnostics.error("truncated-header", …, "…");
//     return Header{…};
//   }
#pragma once

#include <optional>
#include <utility>

#include "vireo/support/diagnostic.h"

namespace vireo {

/// Owns a T or, after a failure, no value. The Diagnostics passed to the failed function contain the reason.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): `return value;` is the point
  Result(Reported) {}                            // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  /// Converts the failure to a Result of another type: `if (!words) return words.failure();`. Precondition: !ok().
  [[nodiscard]] Reported failure() const { return {}; }

  /// The value. Precondition: ok().
  [[nodiscard]] T& value() & { return *value_; }
  [[nodiscard]] const T& value() const& { return *value_; }
  [[nodiscard]] T&& value() && { return *std::move(value_); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
};

}  // namespace vireo
