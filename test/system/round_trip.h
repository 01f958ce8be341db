// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the whole share: a module through text and back, and what came of it.
//
// The one idea: raw text must give back the identical words; friendly text must give the words that raw text gives when
// its numbers count as mere names. The latter compares two modules up to their ids without decoding either.
#pragma once

#include <string>
#include <string_view>

#include "vireo/spirv/assemble.h"
#include "vireo/spirv/disassemble.h"

namespace vireo::system_test {

using spirv::Word;
using spirv::WordBuffer;
using spirv::Words;

struct RoundTripOptions {
  const spirv::Grammar* grammar = nullptr;  ///< nullptr = the built-in one
  bool friendly = true;                     ///< also through friendly names
  bool twice = false;                       ///< and what came of them once more: a fixed point
  std::string_view known_fault = {};        ///< rule that the disassembler reports; the text must be whole all the same
};

/// Text of a module, as far as it goes; the first diagnostic in `fault`, which ends in its rule: `... [zero-id]`.
std::string text_of(Words words, const spirv::DisassembleOptions& options, std::string& fault);

/// An empty text when the module survives; otherwise what went wrong, in a line or a few.
std::string round_trip_fault(Words words, const RoundTripOptions& options = {});

}  // namespace vireo::system_test
