// SPDX-License-Identifier: Apache-2.0
//
// Converts decoding faults to diagnostics: rule, location and message.
//
// The decoder returns an enumerator, so that decoding is cheap and does not report. All tools that decode
// instructions get their messages here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// Reports why `decoder` could not decode `instruction`, the `ordinal`th of its module (from 1). `id` is the name
/// of the id at the faulty word; if it is empty, the message shows the id's number. Reports nothing if the fault is
/// None, or follows from one that was reported at an import.
std::optional<Reported> report_decode_fault(DecodeFault fault, const OperandDecoder& decoder, const Grammar& grammar,
                                            InstructionView instruction, std::uint64_t ordinal,
                                            Diagnostics& diagnostics, std::string_view id = {});

/// Reports why a walk over the instructions of `module` ended early. Reports nothing for WalkEnd::Complete.
std::optional<Reported> report_walk_end(WalkEnd end, Words module, std::size_t offset, std::uint64_t ordinal,
                                        Diagnostics& diagnostics);

}  // namespace vireo::spirv
