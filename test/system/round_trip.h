// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the system tests: a module disassembled and assembled again, and the result.
//
// Raw text must assemble to the identical words. Friendly text must assemble to the words that raw text gives if its
// numbers count as names. The latter compares two modules up to their ids without decoding either.
#pragma once

#include <string>
#include <string_view>

#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::system_test {

using spirv::Word;
using spirv::WordBuffer;
using spirv::Words;

struct RoundTripOptions {
  const spirv::Grammar* grammar = nullptr;  ///< nullptr = the built-in one
  bool friendly = true;                     ///< also with friendly names
  bool twice = false;                       ///< repeats the round trip with the result, which must not change
  std::string_view known_fault = {};        ///< rule that the disassembler reports; the text must still be complete
};

/// Text of a module, as far as possible. `fault` receives the first diagnostic, with its rule at the end:
/// `... [zero-id]`.
std::string text_of(Words words, const spirv::DisassembleOptions& options, std::string& fault);

/// Empty if the module survives the round trip; otherwise a description of the fault in one or a few lines.
std::string round_trip_fault(Words words, const RoundTripOptions& options = {});

}  // namespace vireo::system_test
