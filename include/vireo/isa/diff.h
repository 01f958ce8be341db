// SPDX-License-Identifier: Apache-2.0
//
// Diff: the changes between two generations of an instruction set, or between two descriptions.
//
// Leaves are compared after the decoder's resolution. The names, displays and asserts of a leaf and of
// its ancestors form one list in search order, and conditions on the generation are evaluated. So a field that moves to
// an ancestor is not a change, and a condition on the generation only has its effect. Leaves are matched by name.
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

/// One side of a comparison: a description, or one generation of it. The model is borrowed during the call of diff().
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
  std::optional<std::string> before;  ///< none: the old side does not have the subject or part
  std::optional<std::string> after;   ///< none: the new side does not have the subject or part

  friend bool operator==(const IsaChange&, const IsaChange&) = default;
};

/// The changes from one side to the other: of instructions, of operands, then of enums. Each group has the order of the
/// old side; added subjects are last. Precondition: Model::is_sound() for both models.
VIREO_API std::vector<IsaChange> diff(const DiffSide& before, const DiffSide& after);

/// The text of a change: one line without a line feed, `~ instruction add: bits of SRC: 4:0 -> 5:1`. Control characters
/// are escaped.
VIREO_API std::string to_line(const IsaChange& change);

}  // namespace vireo::isa
