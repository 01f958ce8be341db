// SPDX-License-Identifier: Apache-2.0
//
// Payloads of nodes (SPV_AMDX_shader_enqueue): their instructions take pointers to arrays of payloads.
#include <string>

#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/reserved.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr std::string_view payloads_text = "a pointer to OpTypeNodePayloadArrayAMDX in NodePayloadAMDX";

bool points_to_payloads(const Context& context, const TypeRow& type) {
  return type.is(TypeKind::Pointer) && type.storage == StorageClass::NodePayloadAMDX &&
         context.types.of(type.element).is(TypeKind::NodePayloadArray);
}

void check_payload_array(const Context& context, const DecodedInstruction& visit, Report& report) {
  const AnyOperand payloads = visit.operand(OperandName::payload_array);
  if (points_to_payloads(context, context.type_of(payloads))) return;
  TypeErrorReporter{context, visit, report}.operand(payloads, "the payload array", payloads_text);
}

// Only one invocation, or those of one workgroup, see allocated payloads.
void check_allocation(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  if (!points_to_payloads(context, context.types.of(visit.type))) type_errors.result(payloads_text);
  const AnyOperand visibility = visit.as<OpAllocateNodePayloadsAMDX>().visibility();
  const auto value = context.constants.as_u64(visibility);
  if (!value || *value == Word{static_cast<Word>(Scope::Workgroup)} || *value == static_cast<Word>(Scope::Invocation)) {
    return;
  }
  report.add(
      Rule::OperandRange, visit.at(visibility),
      {type_errors.named(visibility, "the visibility"), std::to_string(*value), "2 for Workgroup or 4 for Invocation"});
}

void check_length(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& result = context.types.of(visit.type);
  if (!result.is_int(32) || result.is_signed) {
    TypeErrorReporter{context, visit, report}.result("a 32-bit unsigned integer scalar");
    return;
  }
  check_payload_array(context, visit, report);
}

void check_validity(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const AnyOperand type = visit.as<OpIsNodePayloadValidAMDX>().payload_type();
  if (!context.types.of(visit.type).is(TypeKind::Bool)) {
    type_errors.result("a boolean scalar");
  } else if (!context.types.of(type).is(TypeKind::NodePayloadArray)) {
    type_errors.part(type, "the payload type", "OpTypeNodePayloadArrayAMDX");
  }
}

// The input payload of a node is a variable.
void check_end_of_writing(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const AnyOperand payload = visit.as<OpFinishWritingNodePayloadAMDX>().payload();
  const TypeRow& type = context.type_of(payload);
  if (!context.types.of(visit.type).is(TypeKind::Bool)) {
    type_errors.result("a boolean scalar");
  } else if (!type.is_pointer() || type.storage != StorageClass::NodePayloadAMDX) {
    type_errors.operand(payload, "the payload", "a pointer with storage class NodePayloadAMDX");
  } else if (const Op op = context.op_of(payload); !is_variable(op)) {
    report.add(Rule::VariableOperand, visit.at(payload),
               {type_errors.named(payload, "the payload"), op_text(context, op)});
  }
}

}  // namespace

std::span<const Check> node_payload_checks() {
  static constexpr Check checks[] = {
      {{OpAllocateNodePayloadsAMDX}, check_allocation},         {{OpEnqueueNodePayloadsAMDX}, check_payload_array},
      {{OpNodePayloadArrayLengthAMDX}, check_length},           {{OpIsNodePayloadValidAMDX}, check_validity},
      {{OpFinishWritingNodePayloadAMDX}, check_end_of_writing},
  };
  return checks;
}

}  // namespace vireo::spirv
