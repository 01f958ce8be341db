// SPDX-License-Identifier: Apache-2.0
//
// The paths of access chains, of composite instructions and of array lengths (members_path.h).
#include "spirv/transform/clean/members_path.h"

#include "spirv/binary/access_chain.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// A path through the type that an untyped access chain names, or through the pointee of a typed pointer. The operand
// Element selects no part of it.
MemberPath path_of_chain(const Module& module, const Types& types, const AccessChain& chain) {
  Word type = chain.base_type;
  if (!chain.is_untyped) {
    const TypeRow& pointer = types.of(module.type_of(chain.base.id));
    type = pointer.is(TypeKind::Pointer) ? pointer.element : 0;
  }
  return {type, chain.indexes.words(), chain.indexes.word(), true};
}

// A path through a value. In OpCompositeInsert it selects the part that the instruction replaces.
template <Op opcode>
MemberPath path_in_composite(const Module& module, InstructionView operation) {
  const View<opcode> access(operation);
  return {module.type_of(access.composite().id), access.indexes().words(), access.indexes().word(), false};
}

// A path with one index: the number of the member that is a runtime array.
MemberPath path_of_one(Word type, InstructionView operation, Located<Word> member) {
  if (member.word >= operation.word_count) return {};  // the instruction is too short
  return {type, operation.words().subspan(member.word, 1), member.word, false};
}

}  // namespace

InstructionView operation_of(InstructionView instruction) {
  if (const auto constant = as<OpSpecConstantOp>(instruction)) instruction.opcode = constant->opcode();
  return instruction;
}

std::optional<MemberPath> member_path(const Module& module, const Types& types, InstructionView operation) {
  if (const auto chain = access_chain(operation)) return path_of_chain(module, types, *chain);
  switch (operation.opcode) {
    case OpCompositeExtract: return path_in_composite<OpCompositeExtract>(module, operation);
    case OpCompositeInsert: return path_in_composite<OpCompositeInsert>(module, operation);
    case OpArrayLength: {
      const View<OpArrayLength> length(operation);
      return path_of_one(types.of(module.type_of(length.structure().id)).element, operation, length.array_member());
    }
    case OpUntypedArrayLengthKHR: {
      const View<OpUntypedArrayLengthKHR> length(operation);
      return path_of_one(length.structure(), operation, length.array_member());
    }
    default: return std::nullopt;
  }
}

std::optional<Word> member_number(const Module& module, const Types& types, Word index) {
  const auto constant = as<OpConstant>(module.find(index));
  if (!constant) return std::nullopt;
  const TypeRow& type = types.of(constant->result_type());
  const Words value = constant->value().words();
  if (!type.is(TypeKind::Int) || value.empty()) return std::nullopt;
  // A negative value has a high first word, or other words that are not 0.
  for (const Word high : value.subspan(1)) {
    if (high != 0) return std::nullopt;
  }
  return value[0];
}

}  // namespace vireo::spirv
