// SPDX-License-Identifier: Apache-2.0
//
// Checks of single instructions that produce or use logical pointers (specification 2.16.1).
//
// A logical pointer is derived from one variable by a fixed sequence of instructions. An instruction that
// selects or loads a pointer produces a *variable pointer*, whose variable is known only at run time. Capabilities
// allow variable pointers in two storage classes. variable_pointers.cpp checks the targets of variable pointers over
// the whole module.
#include "spirv/binary/access_chain.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- producers -------------------------------------------------------------------------------------------------------

void check_made(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (!is_logical_pointer(c, type)) return;
  const auto missing = missing_for_variable_pointer(c, type.storage);
  if (!missing) return;
  const std::string text = missing_text(c, *missing);
  c.report_once(Rule::VariablePointerStorage, c.at_type(), text, {c.op(), type.storage, text});
  if (missing->capability) c.name_missing(Rule::VariablePointerStorage, *missing->capability);
  hint_missing(c, *missing);
}

// Without a variable-pointer capability, the checks of OpSelect and OpPhi report the instruction.
void check_chosen(const InstructionCheck& c) {
  if (c.has_variable_pointers()) check_made(c);
}

// In Vulkan, access_chains.cpp checks chains with an Element operand, except InBounds chains.
void check_element_pointer(const InstructionCheck& c) {
  if (!c.is_vulkan() || c.op() == OpInBoundsPtrAccessChain) check_made(c);
}

// These instructions produce values, but no logical pointers.
void check_result(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (!is_logical_pointer(c, type)) return;
  c.report(Rule::LogicalPointerUse, c.at(),
           {c.op(), "produce", c.result, type.storage, "expected a value that is not a pointer"});
}

// --- users -----------------------------------------------------------------------------------------------------------

void refuse(const InstructionCheck& c, AnyOperand pointer, const TypeRow& type, const MissingRequirement& missing) {
  c.report(Rule::LogicalPointerUse, c.at(pointer), {c.op(), "take", pointer, type.storage, missing_text(c, missing)});
  note_pointer(c, pointer);
  hint_missing(c, missing);
}

void check_returned(const InstructionCheck& c) {
  const AnyOperand value = c.as<OpReturnValue>().value();
  const TypeRow& type = c.type_of(value);
  // Without variable pointers, another rule forbids functions to return a logical pointer.
  if (!is_logical_pointer(c, type) || !c.has_variable_pointers()) return;
  const auto missing = missing_for_variable_pointer(c, type.storage);
  if (missing) refuse(c, value, type, *missing);
}

// For typed pointers, check_held_pointer() in variables.cpp reports the variable instead.
void check_stored(const InstructionCheck& c) {
  const auto store = c.as<OpStore>();
  const TypeRow &pointer = c.type_of(store.pointer()), &object = c.type_of(store.object());
  if (!pointer.is(TypeKind::UntypedPointer)) return;
  if (!is_logical_pointer(c, object)) return;
  const auto missing = missing_for_variable_pointer(c, object.storage);
  if (missing) refuse(c, store.object(), object, *missing);
}

// Reports the first operand that is a logical pointer. The instructions of this check accept none. Returns whether there
// is none.
bool check_no_pointer(const InstructionCheck& c) {
  for (const Operand& operand : c.operands) {
    if (operand.shape != OperandShape::IdRef) continue;
    const AnyOperand value(c.view.word(operand.word), operand.word);
    const TypeRow& type = c.type_of(value);
    if (!is_logical_pointer(c, type)) continue;
    refuse(c, value, type, {.capability = {}, .expected = "a value that is not a pointer"});
    return false;
  }
  return true;
}
void check_value(const InstructionCheck& c) { check_no_pointer(c); }

// A cast from a pointer to a pointer has only the finding of the operand.
void check_bitcast(const InstructionCheck& c) {
  if (check_no_pointer(c)) check_result(c);
}

}  // namespace

std::span<const Check> logical_pointer_checks() {
  // Without logical pointers, none of these checks has a subject.
  constexpr auto is_logical = [](const ModuleCheck& c) { return c.is_logical; };
  static constexpr Check checks[] = {
      {{OpLoad, OpConstantNull}, check_made, is_logical},
      {{OpSelect, OpPhi}, check_chosen, is_logical},
      {{OpPtrAccessChain, OpInBoundsPtrAccessChain, OpUntypedPtrAccessChainKHR, OpUntypedInBoundsPtrAccessChainKHR},
       check_element_pointer,
       is_logical},
      {{OpReturnValue}, check_returned, is_logical},
      {{OpStore}, check_stored, is_logical},
      {{OpPoisonKHR, OpCompositeExtract}, check_result, is_logical},
      {{OpBitcast}, check_bitcast, is_logical},
      {{OpCompositeConstruct, OpCompositeInsert, OpGenericCastToPtr, OpGenericCastToPtrExplicit, OpPtrCastToGeneric,
        OpFreezeKHR, OpSizeOf, OpSubgroupBlockReadINTEL, OpSubgroupBlockWriteINTEL, OpSubgroupBlockPrefetchINTEL,
        OpGroupAsyncCopy, OpImageBlockMatchSADQCOM, OpImageBlockMatchSSDQCOM, OpImageBlockMatchWindowSADQCOM,
        OpImageBlockMatchWindowSSDQCOM, OpImageBlockMatchGatherSADQCOM, OpImageBlockMatchGatherSSDQCOM},
       check_value,
       is_logical},
  };
  return checks;
}

}  // namespace vireo::spirv
