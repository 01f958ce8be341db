// SPDX-License-Identifier: Apache-2.0
//
// Owned<T>: a unique owner of an object on the heap, for the private implementation of a class.
//
// It replaces std::unique_ptr in public headers: the standard header `memory` costs more compile time than the rest of
// such a header.
#pragma once

#include <utility>

#include "vireo/support/cpp20.h"

namespace vireo {

/// Owns one object, or none, and deletes it. T may be incomplete where an Owned<T> member is declared. The enclosing
/// class must then define its destructor and move operations in a file where T is complete.
template <typename T>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T* object) : object_(object) {}  ///< takes ownership
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { delete object_; }

  [[nodiscard]] T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace vireo
