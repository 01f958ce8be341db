// SPDX-License-Identifier: Apache-2.0
//
// Pieces of grammars as short text, for reading, explaining and comparing.
//
// The one idea: whoever shows a grammar spells its pieces alike, so that what a reader learns in one place holds in all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "spirv/grammar/load/description.h"

namespace vireo::spirv {

/// "IdRef 'Pointer', MemoryAccess?"
std::string text_of(std::span<const OperandDescription> operands);
/// "1.3", or "none".
std::string text_of(Version version);
/// "A, B"; "none" when there is nothing.
std::string text_of(std::span<const std::string> names);

/// The text with blanks for control characters: names of operands may span lines, names of strangers may hold escapes.
std::string on_one_line(std::string_view text);

/// The way back for numbers: "0x1F" and "31" are 31. Nothing for all that is not a number from its first byte to its
/// last, or has more than 64 bits.
std::optional<std::uint64_t> number_in(std::string_view text);

/// "", "?" or "*".
constexpr std::string_view symbol_of(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::One: return "";
    case Quantifier::Optional: return "?";
    case Quantifier::Star: return "*";
  }
  return "";
}

}  // namespace vireo::spirv
