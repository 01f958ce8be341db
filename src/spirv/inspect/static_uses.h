// SPDX-License-Identifier: Apache-2.0
//
// StaticUses: the variables, and the members of their blocks, that the functions of an entry point use.
//
// A member of a block is used if an access chain selects it. Any other use of a pointer to the block uses all members.
//
// Source: Vulkan specification, "Static Use".
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::spirv {

class StaticUses {
 public:
  /// `function` is that of an entry point. The facts must outlive the object. Linear in the calls of the module.
  StaticUses(const Facts& facts, Word function);

  /// Whether an instruction uses the variable. Linear in its uses.
  [[nodiscard]] bool has(Word variable) const;

  struct Members {
    bool are_all = false;
    std::set<Word> numbers = {};  ///< the others are not used, unless all are
    [[nodiscard]] bool has(Word number) const { return are_all || numbers.contains(number); }
  };
  /// The members that instructions use of a variable with a block, or with `arrays` arrays of blocks in each other. Linear
  /// in the uses of the variable and of the pointers to its parts.
  [[nodiscard]] Members members(Word variable, std::size_t arrays) const;

 private:
  [[nodiscard]] bool is_use(const Use& use) const;

  const Facts& facts_;
  std::vector<bool> is_reached_;  // by function
};

}  // namespace vireo::spirv
