// SPDX-License-Identifier: Apache-2.0
//
// StageVariables: which variables with a Location become one, such as inputs, outputs and payloads.
//
// Equal variables of two stages are different things: location 0 of a vertex input and of a fragment input. So they only
// become one if entry points with the same execution model use them. A function that entry points of several models
// reach uses one variable for all of them, which joins these models.
//
// Source: specification 2.17.1 (Location), 3.3 (execution models).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "spirv/module/word_interner.h"
#include "spirv/transform/link/link_module.h"

namespace vireo::spirv {

class StageVariables {
 public:
  /// Adds a variable in the order of the modules and their words. `number` is its class, for which execution models do
  /// not count.
  void add(std::uint32_t module, InstructionIndex variable, ClassNumber number) {
    rows_.push_back({number, module, variable});
  }
  /// Sets the classes of the variables. The first word of their keys is `kind`.
  void set_classes(std::deque<LinkModule>& modules, std::vector<ClassNumber> LinkModule::*classes, Word kind,
                   WordInterner& numbers);

 private:
  struct Row {
    ClassNumber number;
    std::uint32_t module;
    InstructionIndex variable;
  };
  std::vector<Row> rows_;
};

}  // namespace vireo::spirv
