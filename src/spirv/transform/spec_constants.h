// SPDX-License-Identifier: Apache-2.0
//
// Parts that the transforms of specialization constants share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"
#include "vireo/support/id_map.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// Reads a module and decodes all instructions. Errors: as for read_for_transform(); each instruction that cannot be
/// decoded, because the uses of its operands are unknown. `id_bound`: becomes a number above all ids, also undefined
/// ones, and not below the bound of the header; at most 0xFFFFFFFF.
Result<Module> read_decodable(Words words, const Grammar& grammar, Diagnostics& diagnostics, Word* id_bound = nullptr);

/// The opcode of the constant that replaces a specialization constant with the same operands; the opcode itself if there
/// is none.
Op frozen_opcode(Op opcode);

constexpr bool is_spec_composite(Op opcode) {
  return opcode == Op::OpSpecConstantComposite || opcode == Op::OpSpecConstantCompositeReplicateEXT;
}

/// The index after the last instruction of a constant: instructions that continue an OpSpecConstantComposite follow it
/// immediately (SPV_INTEL_long_composites).
std::uint32_t end_of_composite(const Module& module, InstructionIndex index);

/// The bits of a text for a numerical type, extended as in a literal; nothing if it does not fit.
std::optional<std::uint64_t> bits_of_number(std::string_view text, const TypeRow& type);
/// A scalar type for messages: "a signed integer of 16 bits".
std::string value_type_text(const TypeRow& type);

/// The SpecId of each id that has one, also through a decoration group. If an id has several, the first one.
IdMap<Word> spec_ids_of(const Module& module);

}  // namespace vireo::spirv
