// SPDX-License-Identifier: Apache-2.0
//
// MemoryLayoutChecker: checks the explicit layout of a type against one set of alignment rules.
//
// Violations are data, without texts. So the same code checks a layout for the report and, after a
// violation, checks whether another feature would make it legal.
//
// Source: specification 2.16.2; Vulkan, "Offset and Stride Assignment".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spirv/module/layouts/type_layouts.h"
#include "spirv/validate/core/check.h"
#include "spirv/validate/layouts/layout_requirements.h"

namespace vireo::spirv {

/// One violation, in the layout of a structure or an array. The fields that do not apply to the rule are 0.
struct MemoryLayoutViolation {
  Rule rule;
  Place place;                ///< the number at fault; the type if a decoration is missing
  Word type;                  ///< structure or array
  Word member = 0;            ///< of the structure
  Word other = 0;             ///< another member of the structure, which leaves no room for this one
  std::uint64_t number = 0;   ///< offset or stride
  std::uint64_t bound = 0;    ///< the alignment, size or offset that the number violates; 0: unknown
  std::uint64_t next = 0;     ///< the smallest legal number that is not less; 0: unknown
  LayoutRules rules{};        ///< the rules that determine the alignment
  std::uint64_t residue = 0;  ///< vector-straddle: the offset of the structure modulo `vector_boundary`
};

class MemoryLayoutChecker {
 public:
  /// All arguments must outlive the checker. `budget` limits the work on arrays of matrices.
  MemoryLayoutChecker(const ModuleCheck& c, const TypeLayouts& layouts, const LayoutRequirements& requirements,
                      WorkBudget& budget)
      : c_(c), layouts_(layouts), requirements_(requirements), budget_(budget) {}

  /// Appends the violations of a type under one set of rules; none if no reference to memory requires these rules.
  void check(TypeIndex index, LayoutRules rules, std::vector<MemoryLayoutViolation>& found);

 private:
  void check_struct(TypeIndex index, const TypeRow& type);
  void check_order(const TypeRow& type, std::span<const MemberLayout> members);
  void check_distinct(const TypeRow& type, std::span<const MemberLayout> members);
  void check_last(const TypeRow& type, std::span<const MemberLayout> members, std::size_t k);
  void check_straddle(const TypeRow& type, std::size_t i, const MemberLayout& member, std::uint64_t size,
                      std::uint64_t unit);
  void check_matrix(const TypeRow& type, std::size_t i, const MemberLayout& member);
  void check_matrices(const MemberLayout& member, const Extent& extent, std::uint64_t unit);
  void check_array(TypeIndex index, const TypeRow& type);
  bool check_stride(const TypeRow& type, const LayoutNumber& stride, std::uint64_t unit, std::uint64_t size);

  /// Whether a type contains a descriptor whose size no option states.
  [[nodiscard]] bool has_unknown_descriptor(const TypeRow& type) const;
  /// Whether a type is an array, or contains one as its element, whose stride is misaligned or too small.
  [[nodiscard]] bool has_wrong_stride(TypeIndex index) const;
  [[nodiscard]] std::uint64_t unit_of(const TypeRow& part, const Extent& extent) const;
  [[nodiscard]] std::uint64_t alignment(const Extent& extent) const;
  [[nodiscard]] bool straddles(std::uint64_t offset, std::uint64_t size, std::uint64_t residue) const;
  [[nodiscard]] std::uint64_t next_offset(const TypeRow& part, std::uint64_t from, std::uint64_t unit,
                                          std::uint64_t size) const;
  [[nodiscard]] Place place_of(const TypeRow& type, std::size_t member) const;

  const ModuleCheck& c_;
  const TypeLayouts& layouts_;
  const LayoutRequirements& requirements_;
  WorkBudget& budget_;
  std::vector<std::size_t> order_;  // members of the current structure

  // State of the current type.
  LayoutRequirement requirement_;
  LayoutRules rules_ = LayoutRules::Base;
  std::vector<MemoryLayoutViolation>* found_ = nullptr;
};

}  // namespace vireo::spirv
