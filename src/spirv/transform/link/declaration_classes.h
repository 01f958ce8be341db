// SPDX-License-Identifier: Apache-2.0
//
// DeclarationClasses: which types, constants and other declarations of several modules are equal.
//
// The key of a declaration is its words, with the class of each operand in place of its id, and its
// decorations. Operands precede their users, so one pass over each module numbers all classes. Types that refer to each
// other in a cycle are numbered together.
//
// Source: specification 2.8 (types and variables), 3.42.6, 3.42.7.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "spirv/transform/link/link_module.h"

namespace vireo::spirv {

class DeclarationClasses {
 public:
  /// The modules are borrowed.
  explicit DeclarationClasses(std::deque<LinkModule>& modules) : modules_(modules) {}

  /// Sets LinkModule::classes. Structures with different names stay separate, unless `joined` contains their loose
  /// class.
  void read(const std::vector<bool>& joined);
  /// Sets LinkModule::loose_classes, for which names of structures do not count.
  void read_loose();
  /// Classes are numbered below these.
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t loose_count() const { return loose_count_; }

 private:
  std::deque<LinkModule>& modules_;
  std::size_t count_ = 0, loose_count_ = 0;
};

}  // namespace vireo::spirv
