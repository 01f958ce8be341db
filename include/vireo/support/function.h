// SPDX-License-Identifier: Apache-2.0
//
// Function<R(A…)>: a copy of a callable object, for parameters and members that take functions of the user.
//
// It replaces std::function in public headers: the standard header `functional` includes hash tables and algorithms, and
// costs a third of the compile time of such a header.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "vireo/support/cpp20.h"

namespace vireo {

template <typename Signature>
class Function;

/// Owns a callable object, or none. Converts from lambdas, function pointers and std::function; a null pointer, and an
/// empty std::function or Function, give an empty one. A call of an empty one ends the program by std::abort().
template <typename Result, typename... Arguments>
class Function<Result(Arguments...)> {
 public:
  Function() = default;
  Function(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as std::function
  template <typename Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, Function> &&
           std::is_invocable_r_v<Result, std::decay_t<Callable>&, Arguments...>)
      Function(Callable&& callable) {  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
    using Stored = std::decay_t<Callable>;
    // A reference to a function is never null.
    if constexpr (std::is_pointer_v<std::remove_cvref_t<Callable>>) {
      if (callable == nullptr) return;
    } else if constexpr (requires { callable.operator bool(); }) {
      if (!callable) return;
    }
    object_ = new Stored(std::forward<Callable>(callable));
    actions_ = &actions_of<Stored>;
  }
  Function(const Function& other)
      : object_(other.actions_ != nullptr ? other.actions_->copy(other.object_) : nullptr), actions_(other.actions_) {}
  Function(Function&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), actions_(std::exchange(other.actions_, nullptr)) {}
  Function& operator=(Function other) noexcept {
    std::swap(object_, other.object_);
    std::swap(actions_, other.actions_);
    return *this;
  }
  ~Function() {
    if (actions_ != nullptr) actions_->destroy(object_);
  }

  explicit operator bool() const { return actions_ != nullptr; }
  friend bool operator==(const Function& function, std::nullptr_t) { return !function; }

  Result operator()(Arguments... arguments) const {
    assert(actions_ != nullptr && "this Function is empty");
    if (actions_ == nullptr) [[unlikely]]
      std::abort();
    return actions_->call(object_, std::forward<Arguments>(arguments)...);
  }

 private:
  struct Actions {
    Result (*call)(void* object, Arguments... arguments);
    void* (*copy)(const void* object);
    void (*destroy)(void* object);
  };
  template <typename Stored>
  static constexpr Actions actions_of = {
      [](void* object, Arguments... arguments) -> Result {
        return static_cast<Result>((*static_cast<Stored*>(object))(std::forward<Arguments>(arguments)...));
      },
      [](const void* object) -> void* { return new Stored(*static_cast<const Stored*>(object)); },
      [](void* object) { delete static_cast<Stored*>(object); },
  };

  void* object_ = nullptr;
  const Actions* actions_ = nullptr;
};

}  // namespace vireo
