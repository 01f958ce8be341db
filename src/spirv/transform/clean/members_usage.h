// SPDX-License-Identifier: Apache-2.0
//
// MemberUsage: which members of structures a module uses.
//
// A member is used if an instruction selects it, or if an instruction observes a whole structure. Only
// instructions that pass a structure on without a change of its type (loads, copies, phis, calls, constructions) are
// known not to observe it. All other instructions use every member of the types of their operands, and everything that
// these types contain or point to.
//
// Usage belongs to the type, not to the value: if a member is used in one value, all values of the type keep it.
//
// Source: specification 2.16.2 (explicit layouts), 3.42.8 (memory), 3.42.12 (composites).
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The used members of each structure type, and their new numbers.
class MemberUsage {
 public:
  /// Every structure has a used member if it has members. If the structures of the module cannot change, all members
  /// are used. Error: an instruction cannot be decoded. Linear in the words.
  static Result<MemberUsage> read(const Module& module, const Types& types, Diagnostics& diagnostics);

  /// Whether any structure of the module has an unused member.
  [[nodiscard]] bool has_unused() const { return has_unused_; }
  [[nodiscard]] bool has_unused(const TypeRow& structure) const { return count_in(structure) < structure.count; }
  /// Precondition for both: `member` is less than the number of members.
  [[nodiscard]] bool is_used(const TypeRow& structure, Word member) const {
    const std::size_t at = first_of(structure) + member;
    return before_[at] != before_[at + 1];
  }
  /// Makes an unused member a used one. Linear in the number of all members.
  void use(const TypeRow& structure, Word member);
  [[nodiscard]] Word new_number(const TypeRow& structure, Word member) const {
    const std::size_t first = first_of(structure);
    return before_[first + member] - before_[first];
  }

 private:
  friend class UsageReader;
  explicit MemberUsage(const Types& types) : types_(&types) {}
  [[nodiscard]] std::size_t first_of(const TypeRow& structure) const {
    return firsts_[static_cast<std::size_t>(&structure - types_->rows().data())];
  }
  [[nodiscard]] std::uint64_t count_in(const TypeRow& structure) const {
    const std::size_t first = first_of(structure);
    return before_[first + structure.count] - before_[first];
  }

  const Types* types_;
  std::vector<std::uint32_t> firsts_;  // by type: the position of the first member in the list of all members
  std::vector<std::uint32_t> before_;  // by position: the number of used members at lower positions; one entry more
  bool has_unused_ = false;
};

}  // namespace vireo::spirv
