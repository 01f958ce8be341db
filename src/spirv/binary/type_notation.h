// SPDX-License-Identifier: Apache-2.0
//
// Types in a few characters: the one notation for `vireo dis --annotate` and type_text() (facts/type_text.h describes it).
//
// The one idea: a type's text is made from its declaration each time. Arrays and pointers, which nest without end, are
// unwound by a loop over a few levels; structures have a name; so nothing depends on how deep the input nests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "vireo/spirv/instruction.h"

namespace vireo::spirv {

/// What the notation reads of a module. The annotator and Facts index modules in different ways.
class TypeSource {
 public:
  virtual ~TypeSource() = default;
  /// The instruction that defines an id; one of no words when none does.
  [[nodiscard]] virtual InstructionView definition(Word id) const = 0;
  /// The value of an integer constant; none when it is unknown or can be specialized.
  [[nodiscard]] virtual std::optional<std::uint64_t> length(Word constant) const = 0;
  /// The text of an id without a notation of its own: a structure, a length that is unknown.
  [[nodiscard]] virtual std::string id_text(Word id) const = 0;
};

/// Appends the text of a type. Stops soon after `out` has more than `limit` characters.
void append_type(std::string& out, const TypeSource& source, Word type, std::size_t limit);

}  // namespace vireo::spirv
