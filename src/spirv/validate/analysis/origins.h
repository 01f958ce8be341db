// SPDX-License-Identifier: Apache-2.0
//
// Origins: where pointers come from (2.16.1: in the logical addressing model each can be traced to a variable).
//
// The one idea: a pointer is a path from its origin, written down by the instructions that made it, so the way back is a
// few steps, and walking them costs nothing beforehand. Chains that are longer than any that a compiler writes would be
// walked again for each load and store: with the first of them all origins are worked out at once, in one pass.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "vireo/spirv/module.h"

namespace vireo::spirv {

/// The instructions that one goes back through.
enum class Through : std::uint8_t {
  Copies,  ///< OpCopyObject alone
  Chains,  ///< access chains of all sorts, and copies
};

/// The way back from pointers. Borrows the module. Any number of threads may ask.
class Origins {
 public:
  explicit Origins(const Module& module) : module_(module) {}

  /// The value that the way back from a pointer ends at: a variable, a parameter, or what else makes pointers. The
  /// pointer itself where it is one of these. Takes constant time, but for one pass over the module at most.
  [[nodiscard]] Word of(Word pointer, Through through = Through::Chains) const;

 private:
  /// The origin of each instruction's result, by index of the instruction; made when a chain is first found to be long.
  struct Table {
    std::once_flag is_made;
    std::vector<Word> rows;
  };
  [[nodiscard]] const std::vector<Word>& all(Through through) const;

  const Module& module_;
  mutable Table tables_[2];  // by Through
};

}  // namespace vireo::spirv
