// SPDX-License-Identifier: Apache-2.0
//
// Reach: what entry points bring to the functions and globals that they lead to.
//
// The one idea: what matters of an entry point is a few bits (its execution model, a mode that it has), and bits spread:
// down the calls in one pass from callers to callees, then from functions to the globals that they name, and from those to
// the globals that these are made of. So "is this used in a fragment shader" is a look, and all is linear.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/validate/tables/models.h"

namespace vireo::spirv {

class Reach {
 public:
  /// The bits that an entry point has.
  using BitsOf = std::uint32_t (*)(const Context& context, const EntryPointRow& entry);

  Reach(const Context& context, BitsOf bits_of);

  /// The union of the bits of all entry points that lead to a function.
  [[nodiscard]] std::uint32_t of(FunctionIndex function) const { return functions_[function.index()]; }
  /// The same of the functions whose instructions use an id that is defined outside of functions: directly, or in a
  /// global that they use. Names, decorations and lists of entry points are no uses.
  [[nodiscard]] std::uint32_t of_global(Word id) const;

 private:
  void spread_down(const Context& context, BitsOf bits_of);
  void spread_to_globals(const Context& context);

  const Module& module_;
  std::vector<std::uint32_t> functions_;
  std::vector<std::uint32_t> globals_;  // by instruction, up to the first function
};

/// The execution models that functions and globals are used in. Worked out when it is first asked: most modules give no
/// cause to.
class ModelReach {
 public:
  explicit ModelReach(const Context& context) : context_(context) {}
  [[nodiscard]] Models of_global(Word id);

 private:
  const Context& context_;
  std::optional<Reach> reach_;
};

}  // namespace vireo::spirv
