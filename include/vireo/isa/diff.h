// SPDX-License-Identifier: Apache-2.0
//
// Diff: what changed between two generations of an instruction set, or two descriptions.
//
// The one idea: leaves are compared as the decoder sees them, flattened: names, displays and asserts of the whole chain,
// in the order in which they are asked, with conditions that the generation decides gone. So moving a field into a parent
// is no change, and a condition on the generation shows as what it does. Leaves are the same when their names are.
//
//   for (const IsaChange& change : diff({model, 6}, {model, 7})) lines += to_line(change) + '\n';
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vireo/isa/model.h"
#include "vireo/support/api.h"

namespace vireo::isa {

/// One side of a comparison.
struct VIREO_API DiffSide {
  const Model& model;
  std::optional<std::uint32_t> gen = {};  ///< all generations, when none is given
};

/// One thing that differs.
struct VIREO_API IsaChange {
  enum class Kind : std::uint8_t { Added, Removed, Changed };
  Kind kind = Kind::Changed;
  std::string subject;                ///< "instruction add", "operand #register", "enum #condition", "program"
  std::string part;                   ///< of Changed: "pattern", "bits of SRC", "display if {X} == 1", "value 3", …
  std::optional<std::string> before;  ///< none: the subject, or this part of it, was not there
  std::optional<std::string> after;   ///< none: it is no more

  friend bool operator==(const IsaChange&, const IsaChange&) = default;
};

/// What leads from one side to the other: instructions, then operands, in the order of the side before and new ones last,
/// then enums. Both models must be sound.
VIREO_API std::vector<IsaChange> diff(const DiffSide& before, const DiffSide& after);

/// A change as one line without its end: `~ instruction add: bits of SRC: 4:0 -> 5:1`. Safe to show on a terminal.
VIREO_API std::string to_line(const IsaChange& change);

}  // namespace vireo::isa
