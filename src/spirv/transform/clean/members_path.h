// SPDX-License-Identifier: Apache-2.0
//
// MemberPath: the members of structures that an instruction selects by its indexes.
//
// The usage of members and the change of their numbers follow the same paths. Both stop at the same index
// if the rest of a path is unknown.
//
// Source: specification 3.42.8 (access chains, OpArrayLength), 3.42.12 (OpCompositeExtract, OpCompositeInsert).
#pragma once

#include <cstdint>
#include <optional>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The indexes of an instruction that selects a part of a value or of memory.
struct MemberPath {
  Word type = 0;           ///< of the value or the memory
  Words indexes;           ///< borrowed from the module's words
  std::uint16_t word = 0;  ///< position of the first index within the instruction
  bool has_ids = false;    ///< whether the indexes are ids; otherwise they are literals
};

/// The operation of an OpSpecConstantOp: a view with its opcode. Other instructions are returned as they are.
InstructionView operation_of(InstructionView instruction);

/// The path of an operation; none if the operation selects no part.
std::optional<MemberPath> member_path(const Module& module, const Types& types, InstructionView operation);

/// The number of the member that an index selects: the value of an integer OpConstant. None for other ids and for
/// values above 32 bits.
std::optional<Word> member_number(const Module& module, const Types& types, Word index);

/// Calls visit(structure, member, word) for each structure on a path; `word` is the position of the index. Returns the
/// type at which the path stops because an index does not select a member of the structure; 0 if there is no such type.
template <typename Visit>
Word follow_members(const MemberPath& path, const Module& module, const Types& types, Visit visit) {
  Word type = path.type;
  for (std::size_t i = 0; i < path.indexes.size(); ++i) {
    const TypeRow& row = types.of(type);
    if (!row.is(TypeKind::Struct)) {
      type = row.element;
      continue;
    }
    const Words members = types.members(row);
    const std::optional<Word> member =
        path.has_ids ? member_number(module, types, path.indexes[i]) : std::optional(path.indexes[i]);
    if (!member || *member >= members.size()) return type;
    visit(row, *member, static_cast<std::uint16_t>(path.word + i));
    type = members[*member];
  }
  return 0;
}

}  // namespace vireo::spirv
