// SPDX-License-Identifier: Apache-2.0
//
// Memory operands: the mask of loads, stores and copies, and its requirements (specification 3.26, 2.18.1).
//
// The requirements of a mask depend on the kind of access and the storage class, but not on the opcode.
// So all instructions with memory operands share these functions.
#pragma once

#include "spirv/validate/core/check.h"
#include "vireo/spirv/binary/views/kinds/memory_access.h"

namespace vireo::spirv {

/// How an instruction accesses the pointee.
enum class AccessKind : std::uint8_t { Reads, Writes, ReadsAndWrites };

/// One access through a pointer.
struct PointerAccess {
  const TypeRow* pointer;  ///< the type of the pointer
  const TypeRow* value;    ///< the type of the value; nullptr: unknown
  MemoryAccessView mask;   ///< may be absent
  AccessKind kind;
  const TypeRow* other = nullptr;  ///< for a copy with one mask: type of the other pointer
};

void check_memory_access(const InstructionCheck& c, const PointerAccess& access);

/// check_pointer_type() checks that a value has a pointer type. check_pointer_giver() checks that its defining
/// instruction may produce pointers. Both report a finding and return false if not. `name` is the operand's name in
/// messages, such as "the pointer".
/// Whether a type is a ray query or a hit object, which only their own instructions access.
inline bool is_ray_object(const TypeRow& type) {
  return type.opcode == Op::OpTypeRayQueryKHR || type.opcode == Op::OpTypeHitObjectNV ||
         type.opcode == Op::OpTypeHitObjectEXT;
}

bool check_pointer_type(const InstructionCheck& c, AnyOperand pointer, std::string_view name);
bool check_pointer_type(const InstructionCheck& c, AnyOperand pointer, const TypeRow& type, std::string_view name);
bool check_pointer_giver(const InstructionCheck& c, AnyOperand pointer);
/// Runs both checks.
bool check_pointer_operand(const InstructionCheck& c, AnyOperand pointer, std::string_view name);

/// Warns of an access through a null pointer, or through a pointer that is derived from one (2.18.3).
void check_null_access(const InstructionCheck& c, AnyOperand pointer);

}  // namespace vireo::spirv
