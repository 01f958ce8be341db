// SPDX-License-Identifier: Apache-2.0
//
// The data of a ModuleDiff.
#pragma once

#include <utility>
#include <vector>

#include "spirv/inspect/diff/diff_side.h"
#include "spirv/inspect/diff/module_comparison.h"
#include "spirv/inspect/diff/pairing.h"
#include "vireo/spirv/inspect/diff.h"

namespace vireo::spirv {

struct ModuleDiff::Data {
  Words whole_before, whole_after;             // the arguments
  WordBuffer stripped_before, stripped_after;  // what is compared, if it is not the arguments
  Words before_words, after_words;             // what is compared
  DiffSide before, after;
  Pairing pairing;
  const Grammar* grammar = nullptr;  // nullptr: the built-in one
  std::vector<ModuleChange> changes = {};
  std::vector<DiffLine> lines = {};  // empty if the modules are equal
  bool version_differs = false;
  bool schema_differs = false;
  bool generator_differs = false;

  Data(DiffSide side_before, DiffSide side_after)
      : before(std::move(side_before)), after(std::move(side_after)), pairing(before, after) {}
};

}  // namespace vireo::spirv
