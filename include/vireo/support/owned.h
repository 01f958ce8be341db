// SPDX-License-Identifier: Apache-2.0
//
// Owned<T>: the only owner of an object on the heap, for the hidden part of a class.
//
// It replaces std::unique_ptr, whose standard header costs a user of a public header more than all else in it.
#pragma once

#include <utility>

namespace vireo {

/// Deletes its object. T may be incomplete where an Owned<T> is declared; the class that holds one defines its destructor
/// and moves where T is complete.
template <typename T>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T* object) : object_(object) {}  ///< takes the object over
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
