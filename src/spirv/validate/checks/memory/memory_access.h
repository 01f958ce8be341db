// SPDX-License-Identifier: Apache-2.0
//
// Memory operands: the mask behind loads, stores and copies, and what it demands (specification 3.26, 2.18.1).
//
// The one idea: a mask is judged by what the access does, reads or writes, and by the pointer's storage class; which
// instruction it stands in does not matter. So all instructions with memory operands ask here.
#pragma once

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// What an instruction does with the memory behind a pointer.
enum class AccessKind : std::uint8_t { Reads, Writes, ReadsAndWrites };

/// One access: which pointer, and where its mask stands.
struct PointerAccess {
  const TypeRow* pointer = nullptr;  ///< the pointer's type
  const TypeRow* value = nullptr;    ///< what is read or written; nullptr: not to be known
  std::size_t pointer_word = 0;
  std::size_t mask_word = 0;  ///< may be behind the end: there is no mask
  AccessKind kind = AccessKind::Reads;
  const TypeRow* other = nullptr;  ///< of a copy with one mask: the pointer of the other side, which it holds for, too
};

void check_memory_access(const Context& context, const Visit& visit, Report& report, const PointerAccess& access);

/// The word behind a mask and its operands.
std::size_t behind_mask(const Visit& visit, std::size_t mask_word);

/// Whether a value is of a pointer type, and comes from an instruction that gives pointers; each reports it when it is
/// not. `name`: "the pointer".
bool check_pointer_type(const Context& context, const Visit& visit, Report& report, std::size_t word,
                        std::string_view name);
bool check_pointer_giver(const Context& context, const Visit& visit, Report& report, std::size_t word,
                         std::string_view name);
/// Both.
bool check_pointer_operand(const Context& context, const Visit& visit, Report& report, AnyOperand pointer,
                           std::string_view name);
bool check_pointer_operand(const Context& context, const Visit& visit, Report& report, std::size_t word,
                           std::string_view name);

}  // namespace vireo::spirv
