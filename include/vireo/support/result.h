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

#include <cassert>
#include <cstdlib>
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

  /// Converts the failure to a Result of another type: `if (!words) return words.failure();`. A Result with a value
  /// contains no failure: the program ends as for value().
  [[nodiscard]] Reported failure() const { return stop_unless(!ok()), Reported{}; }

  /// The value. After a failure there is none: the program ends by std::abort(), with the message of an assertion
  /// unless NDEBUG is defined.
  [[nodiscard]] T& value() & { return stop_unless(ok()), *value_; }
  [[nodiscard]] const T& value() const& { return stop_unless(ok()), *value_; }
  [[nodiscard]] T&& value() && { return stop_unless(ok()), *std::move(value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  static void stop_unless(bool has_it) {
    assert(has_it && "check ok() before value(), and !ok() before failure()");
    if (!has_it) [[unlikely]]
      std::abort();
  }

  std::optional<T> value_;
};

}  // namespace vireo
