// SPDX-License-Identifier: Apache-2.0
//
// Payloads of nodes (SPV_AMDX_shader_enqueue): their instructions take pointers to arrays of payloads.
#include <string>

#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr std::string_view payloads_text = "a pointer to OpTypeNodePayloadArrayAMDX in NodePayloadAMDX";

bool points_to_payloads(const TypeRow& type) {
  return type.is(TypeKind::Pointer) && type.storage == StorageClass::NodePayloadAMDX &&
         type.pointee().is(TypeKind::NodePayloadArray);
}

void check_payload_array(const InstructionCheck& c) {
  const AnyOperand payloads = c.operand(OperandName::payload_array);
  if (points_to_payloads(c.type_of(payloads))) return;
  c.wrong_operand(payloads, "the payload array", payloads_text);
}

// Only one invocation, or those of one workgroup, see allocated payloads.
void check_allocation(const InstructionCheck& c) {
  if (!points_to_payloads(c.types.of(c.type))) c.wrong_result(payloads_text);
  const AnyOperand visibility = c.as<OpAllocateNodePayloadsAMDX>().visibility();
  const auto value = c.constants.as_u64(visibility);
  if (!value || *value == Word{static_cast<Word>(Scope::Workgroup)} || *value == static_cast<Word>(Scope::Invocation)) {
    return;
  }
  c.report(Rule::OperandRange, c.at(visibility),
           {c.named(visibility, "the visibility"), *value, "2 for Workgroup or 4 for Invocation"});
}

void check_length(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  if (!result.is_int(32) || result.is_signed) {
    c.wrong_result("a 32-bit unsigned integer scalar");
    return;
  }
  check_payload_array(c);
}

void check_validity(const InstructionCheck& c) {
  const AnyOperand type = c.as<OpIsNodePayloadValidAMDX>().payload_type();
  if (!c.types.of(c.type).is(TypeKind::Bool)) {
    c.wrong_result("a boolean scalar");
  } else if (!c.types.of(type).is(TypeKind::NodePayloadArray)) {
    c.wrong_part(type, "the payload type", "OpTypeNodePayloadArrayAMDX");
  }
}

// The input payload of a node is a variable.
void check_end_of_writing(const InstructionCheck& c) {
  const AnyOperand payload = c.as<OpFinishWritingNodePayloadAMDX>().payload();
  const TypeRow& type = c.type_of(payload);
  if (!c.types.of(c.type).is(TypeKind::Bool)) {
    c.wrong_result("a boolean scalar");
  } else if (!type.is_pointer() || type.storage != StorageClass::NodePayloadAMDX) {
    c.wrong_operand(payload, "the payload", "a pointer with storage class NodePayloadAMDX");
  } else if (const Op op = c.op_of(payload); !is_variable(op)) {
    c.report(Rule::VariableOperand, c.at(payload), {c.named(payload, "the payload"), op});
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
