// SPDX-License-Identifier: Apache-2.0
//
// Reads the operands of access chains.
#include "spirv/binary/access_chain.h"

#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {

using enum Op;

// An InBounds chain has the same operands as the corresponding chain without InBounds.
std::optional<AccessChain> access_chain(InstructionView instruction) {
  switch (instruction.opcode) {
    case OpAccessChain:
    case OpInBoundsAccessChain: {
      const View<OpAccessChain> chain(instruction);
      return AccessChain{.base = chain.base(), .indexes = chain.indexes()};
    }
    case OpPtrAccessChain:
    case OpInBoundsPtrAccessChain: {
      const View<OpPtrAccessChain> chain(instruction);
      return AccessChain{.base = chain.base(), .element = chain.element(), .indexes = chain.indexes()};
    }
    case OpUntypedAccessChainKHR:
    case OpUntypedInBoundsAccessChainKHR: {
      const View<OpUntypedAccessChainKHR> chain(instruction);
      return AccessChain{
          .is_untyped = true, .base_type = chain.base_type(), .base = chain.base(), .indexes = chain.indexes()};
    }
    case OpUntypedPtrAccessChainKHR:
    case OpUntypedInBoundsPtrAccessChainKHR: {
      const View<OpUntypedPtrAccessChainKHR> chain(instruction);
      return AccessChain{.is_untyped = true,
                         .base_type = chain.base_type(),
                         .base = chain.base(),
                         .element = chain.element(),
                         .indexes = chain.indexes()};
    }
    default: return std::nullopt;
  }
}

}  // namespace vireo::spirv
