// SPDX-License-Identifier: Apache-2.0
//
// IdCheck: ids are defined, before they are used, and are what the operand wants: a type, a value, or anything.
//
// The one idea: a missing definition is one fault, however often the id is used. It is told where the id is first used;
// from then on the id is poisoned, and an instruction that uses it is not judged by the checks of types.
//
// Source: specification 2.2.1 (ids), 2.4 (forward references), 2.16.1 (definitions and uses).
#pragma once

#include <vector>

#include "spirv/validate/context.h"

namespace vireo::spirv {

class IdCheck {
 public:
  explicit IdCheck(const Context& context);

  /// Whether all ids of the instruction are sound, so that checks may look at what they stand for.
  bool run(const Visit& visit, Report& report);

 private:
  /// Words of an instruction that need not be values: `first` to `last`.
  struct OpenWords {
    std::uint16_t first = 0xFFFF;
    std::uint16_t last = 0;
  };

  bool check(const Visit& visit, const Operand& operand, Report& report);

  const Context& context_;
  std::vector<OpenWords> open_words_;  // by row of the grammar
  std::vector<bool> reported_;         // by id: told to be undefined, or used too early
  std::vector<Word> reported_beyond_;  // the same, of ids beyond all definitions; ascending
};

}  // namespace vireo::spirv
