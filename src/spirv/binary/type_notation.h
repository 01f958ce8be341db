// SPDX-License-Identifier: Apache-2.0
//
// Short texts of types: the notation of `vireo dis --annotate` and of type_text() (described in module/type_text.h).
//
// The text is generated from the type's declaration each time. A loop handles nested arrays and pointers,
// up to a few levels, and structures are shown by name. So the recursion depth does not depend on the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "vireo/spirv/binary/instruction.h"

namespace vireo::spirv {

/// The facts about a module that the notation needs. The annotator and Facts implement it, because they index modules
/// differently.
class TypeSource {
 public:
  virtual ~TypeSource() = default;
  /// The instruction that defines an id; a view of zero words if there is none.
  [[nodiscard]] virtual InstructionView definition(Word id) const = 0;
  /// The value of an integer constant; nothing if it is unknown or a specialization constant.
  [[nodiscard]] virtual std::optional<std::uint64_t> length(Word constant) const = 0;
  /// The text of an id that has no notation: a structure, or an array length that is unknown.
  [[nodiscard]] virtual std::string id_text(Word id) const = 0;
};

/// Appends the text of a type. Stops soon after `out` has more than `limit` characters.
void append_type(std::string& out, const TypeSource& source, Word type, std::size_t limit);

}  // namespace vireo::spirv
