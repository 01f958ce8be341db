// SPDX-License-Identifier: Apache-2.0
//
// ExtInstCheck: what extended instructions demand beyond their typing rows.
//
// The one idea: an import's name is read once; from then on an instruction knows its set and version by the place of the
// import. Sets that work are checked here, sets that describe in debug_info.cpp and reflection.cpp.
#pragma once

#include <vector>

#include "spirv/validate/checks/extended_sets/debug_info.h"

namespace vireo::spirv {

class ExtInstCheck {
 public:
  explicit ExtInstCheck(const Context& context);

  /// Any instruction; those that are no extended ones are fine.
  void run(const Visit& visit, Report& report) const;

 private:
  const Context& context_;
  std::vector<NamedSet> sets_;  // as Preamble::imports()
  DescribedModule described_;
};

}  // namespace vireo::spirv
