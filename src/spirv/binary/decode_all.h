// SPDX-License-Identifier: Apache-2.0
//
// Decodes all instructions of a module, for functions that must know every operand.
//
// The decoder depends on earlier instructions, so it reads the whole module in order. A function that
// changes operands writes them to a copy.
//
// Source: specification 2.3 (physical layout).
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/binary/decode_report.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// Calls take(number, view, decoder) for each instruction of a module; `number` counts from 0, as in Module. Reports all
/// instructions that cannot be decoded; `decoder` then has only the operands before the fault, and the caller must
/// discard its results.
template <typename Take>
std::optional<Reported> decode_all(Words words, const Grammar& grammar, Diagnostics& diagnostics, Take&& take) {
  if (words.size() < header_word_count) {
    return diagnostics.error(rule::truncated_header, Location::none(), "the module has no header");
  }
  OperandDecoder decoder(grammar, words[3], words.size());
  std::optional<Reported> reported;
  std::uint32_t number = 0;
  const Instructions instructions(words);
  auto it = instructions.begin();
  for (; it != instructions.end(); ++it, ++number) {
    const DecodeFault fault = decoder.decode(*it);
    if (!is_decodable(fault)) {
      const auto fault_reported =
          report_decode_fault(fault, decoder, grammar, *it, number + std::uint64_t{1}, diagnostics);
      if (fault_reported) reported = fault_reported;
    }
    take(number, *it, decoder);
  }
  if (it.walk_end() != WalkEnd::Complete) {
    reported = report_walk_end(it.walk_end(), words, it.offset(), number + std::uint64_t{1}, diagnostics);
  }
  return reported;
}

}  // namespace vireo::spirv
