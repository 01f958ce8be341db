// SPDX-License-Identifier: Apache-2.0
//
// EntryPointReachability: the entry points that can reach each function and each global.
//
// A few bits represent an entry point, such as its execution model or one of its modes. They propagate
// from callers to callees in one pass, and then from functions to the globals that they use. Globals also propagate
// them to the globals that they use. Construction is linear, and a query such as "is this used in a fragment shader"
// takes one lookup. A search along a UseGraph would take time for each entry point.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/validate/tables/models.h"

namespace vireo::spirv {

class EntryPointReachability {
 public:
  /// Returns the bits of an entry point.
  using BitsOf = std::uint32_t (*)(const ModuleCheck& c, const EntryPointRow& entry);

  EntryPointReachability(const ModuleCheck& c, BitsOf bits_of);

  /// The union of the bits of all entry points that can reach a function.
  [[nodiscard]] std::uint32_t of(FunctionIndex function) const { return functions_[function.index()]; }
  /// The union of the bits of all functions that use a global, directly or through another global. Names, decorations
  /// and interface lists of entry points are not uses.
  [[nodiscard]] std::uint32_t of_global(Word id) const;

 private:
  void propagate_to_functions(const ModuleCheck& c, BitsOf bits_of);
  void propagate_to_globals(const ModuleCheck& c);

  const Module& module_;
  std::vector<std::uint32_t> functions_;
  std::vector<std::uint32_t> globals_;  // by instruction, up to the first function
};

/// The execution models in which globals are used. Computed at the first query, because most modules have no query.
class ModelReachability {
 public:
  explicit ModelReachability(const ModuleCheck& c) : c_(c) {}
  [[nodiscard]] Models of_global(Word id);

 private:
  const ModuleCheck& c_;
  std::optional<EntryPointReachability> reach_;
};

}  // namespace vireo::spirv
