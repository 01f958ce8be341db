// SPDX-License-Identifier: Apache-2.0
//
// ModuleComparison: the differences of two modules whose instructions are paired.
//
// The pairs may be wrong, the comparison may not. Two instructions are equal if their words are equal
// with each id replaced by its partner. Modules are equal if all their instructions are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/inspect/diff/diff_side.h"
#include "spirv/inspect/diff/pairing.h"
#include "vireo/spirv/inspect/diff.h"

namespace vireo::spirv {

/// A line of the merged modules.
struct DiffLine {
  enum class Kind : std::uint8_t { Same, Changed, Removed, Added, MovedFrom, MovedTo };
  Kind kind = Kind::Same;
  std::uint32_t before = no_partner;
  std::uint32_t after = no_partner;
};

class ModuleComparison {
 public:
  ModuleComparison(const DiffSide& before, const DiffSide& after, Pairing& pairing);

  /// The changes among lines.
  [[nodiscard]] static std::vector<ModuleChange> changes(std::span<const DiffLine> lines);
  /// All instructions of the first module in order, and those of the second one that have no partner.
  [[nodiscard]] std::vector<DiffLine> lines() const;

 private:
  using Kind = DiffLine::Kind;

  void compare_attributes();
  void compare_instructions();
  [[nodiscard]] bool are_equal(std::uint32_t i, std::uint32_t j) const;
  [[nodiscard]] std::vector<std::uint32_t> places_of_additions() const;

  const DiffSide& before_;
  const DiffSide& after_;
  Pairing& pairing_;
  std::vector<Kind> kinds_;        // by instruction of the first module
  std::vector<bool> is_addition_;  // by instruction of the second module: Added or MovedTo
};

}  // namespace vireo::spirv
