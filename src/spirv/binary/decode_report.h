// SPDX-License-Identifier: Apache-2.0
//
// Faults of decoding as diagnostics: which rule, where, and in which words.
//
// The one idea: the decoder gives a fault as an enumerator, so that decoding stays cheap and silent; the sentence is
// made here, for all who print or check what they decode.
#pragma once

#include <cstdint>
#include <string_view>

#include "vireo/spirv/instruction.h"
#include "vireo/spirv/operand.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// Reports why `decoder` could not decode `instruction`, the `ordinal`th of its module (from 1). `id` is the name
/// of the id at the faulty word, when the caller has a better one than its number.
void report_decode_fault(DecodeFault fault, const OperandDecoder& decoder, const Grammar& grammar,
                         InstructionView instruction, std::uint64_t ordinal, Diagnostics& diagnostics,
                         std::string_view id = {});

/// Reports what ended a walk over the instructions of `module` early. Nothing for WalkEnd::Complete.
void report_walk_end(WalkEnd end, Words module, std::size_t offset, std::uint64_t ordinal, Diagnostics& diagnostics);

}  // namespace vireo::spirv
