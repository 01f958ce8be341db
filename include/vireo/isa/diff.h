// SPDX-License-Identifier: Apache-2.0
//
// Diff: the changes between two generations of an instruction set, or between two descriptions.
//
// The one idea: leaves are compared as the decoder sees them. The names, displays and asserts of the whole chain are
// flattened in search order, and conditions on the generation are evaluated. So moving a field to a parent is no
// change, and a condition on the generation shows only its effect. Leaves are matched by name.
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
  std::optional<std::uint32_t> gen = {};  ///< none: all generations
};

/// One difference.
struct VIREO_API IsaChange {
  enum class Kind : std::uint8_t { Added, Removed, Changed };
  Kind kind = Kind::Changed;
  std::string subject;                ///< "instruction add", "operand #register", "enum #condition", "program"
  std::string part;                   ///< for Changed: "pattern", "bits of SRC", "display if {X} == 1", "value 3", …
  std::optional<std::string> before;  ///< none: the subject or part did not exist
  std::optional<std::string> after;   ///< none: the subject or part no longer exists

  friend bool operator==(const IsaChange&, const IsaChange&) = default;
};

/// The changes from one side to the other: instructions, operands, then enums. Those of the old side come in its order,
/// new ones last. Both models must be sound.
VIREO_API std::vector<IsaChange> diff(const DiffSide& before, const DiffSide& after);

/// A change as one line without line end: `~ instruction add: bits of SRC: 4:0 -> 5:1`. Printable on a terminal.
VIREO_API std::string to_line(const IsaChange& change);

}  // namespace vireo::isa
