// SPDX-License-Identifier: Apache-2.0
//
// Checks of single instructions that produce or use logical pointers (specification 2.16.1).
//
// A logical pointer is derived from one variable by a fixed sequence of instructions. An instruction that
// selects or loads a pointer produces a *variable pointer*, whose variable is known only at run time. Capabilities
// allow variable pointers in two storage classes. variable_pointers.cpp checks the targets of variable pointers over
// the whole module.
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/memory/access_chains.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/control_flow.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- producers -------------------------------------------------------------------------------------------------------

void check_made(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (!is_logical_pointer(context, type)) return;
  const auto missing = missing_for_variable_pointer(context, type.storage);
  if (!missing) return;
  const std::string text = missing_text(context, *missing);
  report.add_once(Rule::VariablePointerStorage, visit.at_type(), text,
                  {op_text(context, visit.op()), enumerant_text(context, type.storage), text});
  hint_missing(context, report, *missing);
}

// Without a variable-pointer capability, the checks of OpSelect and OpPhi report the instruction.
void check_chosen(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (context.has_variable_pointers()) check_made(context, visit, report);
}

// In Vulkan, access_chains.cpp checks chains with an Element operand, except InBounds chains.
void check_element_pointer(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (!context.is_vulkan() || visit.op() == OpInBoundsPtrAccessChain) check_made(context, visit, report);
}

// These instructions produce values, but no logical pointers.
void check_result(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (!is_logical_pointer(context, type)) return;
  report.add(Rule::LogicalPointerUse, visit.at(),
             {op_text(context, visit.op()), "produce", id_text(context, visit.result),
              enumerant_text(context, type.storage), "expected a value that is not a pointer"});
}

// --- users -----------------------------------------------------------------------------------------------------------

void refuse(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand pointer,
            const TypeRow& type, const MissingRequirement& missing) {
  report.add(Rule::LogicalPointerUse, visit.at(pointer),
             {op_text(context, visit.op()), "take", id_text(context, pointer), enumerant_text(context, type.storage),
              missing_text(context, missing)});
  note_pointer(context, report, pointer);
  hint_missing(context, report, missing);
}

void check_returned(const Context& context, const DecodedInstruction& visit, Report& report) {
  const AnyOperand value = visit.as<OpReturnValue>().value();
  const TypeRow& type = context.type_of(value);
  // Without variable pointers, another rule forbids functions to return a logical pointer.
  if (!is_logical_pointer(context, type) || !context.has_variable_pointers()) return;
  const auto missing = missing_for_variable_pointer(context, type.storage);
  if (missing) refuse(context, visit, report, value, type, *missing);
}

// For typed pointers, check_held_pointer() in variables.cpp reports the variable instead.
void check_stored(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto store = visit.as<OpStore>();
  const TypeRow &pointer = context.type_of(store.pointer()), &object = context.type_of(store.object());
  if (!pointer.is(TypeKind::UntypedPointer)) return;
  if (!is_logical_pointer(context, object)) return;
  const auto missing = missing_for_variable_pointer(context, object.storage);
  if (missing) refuse(context, visit, report, store.object(), object, *missing);
}

// Reports the first operand that is a logical pointer. The instructions of this check accept none. Returns whether there
// is none.
bool check_no_pointer(const Context& context, const DecodedInstruction& visit, Report& report) {
  for (const Operand& operand : visit.operands) {
    if (operand.shape != OperandShape::IdRef) continue;
    const AnyOperand value(visit.view.word(operand.word), operand.word);
    const TypeRow& type = context.type_of(value);
    if (!is_logical_pointer(context, type)) continue;
    refuse(context, visit, report, value, type, {.capability = {}, .expected = "a value that is not a pointer"});
    return false;
  }
  return true;
}
void check_value(const Context& context, const DecodedInstruction& visit, Report& report) {
  check_no_pointer(context, visit, report);
}

// A cast from a pointer to a pointer has only the finding of the operand.
void check_bitcast(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (check_no_pointer(context, visit, report)) check_result(context, visit, report);
}

}  // namespace

std::span<const Check> logical_pointer_checks() {
  static constexpr Check checks[] = {
      {{OpLoad, OpConstantNull}, check_made},
      {{OpSelect, OpPhi}, check_chosen},
      {{OpPtrAccessChain, OpInBoundsPtrAccessChain, OpUntypedPtrAccessChainKHR, OpUntypedInBoundsPtrAccessChainKHR},
       check_element_pointer},
      {{OpReturnValue}, check_returned},
      {{OpStore}, check_stored},
      {{OpPoisonKHR, OpCompositeExtract}, check_result},
      {{OpBitcast}, check_bitcast},
      {{OpCompositeConstruct, OpCompositeInsert, OpGenericCastToPtr, OpGenericCastToPtrExplicit, OpPtrCastToGeneric,
        OpFreezeKHR, OpSizeOf, OpSubgroupBlockReadINTEL, OpSubgroupBlockWriteINTEL, OpSubgroupBlockPrefetchINTEL,
        OpGroupAsyncCopy, OpImageBlockMatchSADQCOM, OpImageBlockMatchSSDQCOM, OpImageBlockMatchWindowSADQCOM,
        OpImageBlockMatchWindowSSDQCOM, OpImageBlockMatchGatherSADQCOM, OpImageBlockMatchGatherSSDQCOM},
       check_value},
  };
  return checks;
}

}  // namespace vireo::spirv
