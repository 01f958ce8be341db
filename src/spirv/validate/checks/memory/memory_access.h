// SPDX-License-Identifier: Apache-2.0
//
// Memory operands: the mask behind loads, stores and copies, and what it demands (specification 3.26, 2.18.1).
//
// The one idea: a mask is judged by what the access does, reads or writes, and by the pointer's storage class; which
// instruction it stands in does not matter. So all instructions with memory operands ask here.
#pragma once

#include "spirv/validate/engine/context.h"
#include "vireo/spirv/views/kinds/memory_access.h"

namespace vireo::spirv {

/// What an instruction does with the memory behind a pointer.
enum class AccessKind : std::uint8_t { Reads, Writes, ReadsAndWrites };

/// One access: which pointer, and the mask.
struct PointerAccess {
  const TypeRow* pointer;  ///< the pointer's type
  const TypeRow* value;    ///< the type of what is read or written; nullptr: not known
  MemoryAccessView mask;   ///< may be absent
  AccessKind kind;
  const TypeRow* other = nullptr;  ///< of a copy with one mask: the pointer of the other side, which it holds for, too
};

void check_memory_access(const Context& context, const Visit& visit, Report& report, const PointerAccess& access);

/// Whether a value is of a pointer type, and comes from an instruction that gives pointers; each reports it when it is
/// not. `name`: "the pointer".
bool check_pointer_type(const Context& context, const Visit& visit, Report& report, AnyOperand pointer,
                        std::string_view name);
bool check_pointer_giver(const Context& context, const Visit& visit, Report& report, AnyOperand pointer,
                         std::string_view name);
/// Both.
bool check_pointer_operand(const Context& context, const Visit& visit, Report& report, AnyOperand pointer,
                           std::string_view name);

}  // namespace vireo::spirv
