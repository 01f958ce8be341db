// SPDX-License-Identifier: Apache-2.0
//
// Parts of grammars as short text, for printing, explaining and comparing.
//
// All output uses the same notation.
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
/// "A, B"; "none" if the list is empty.
std::string text_of(std::span<const std::string> names);

/// Replaces control characters by blanks: names of operands may contain line feeds, and names in untrusted documents
/// may contain escape sequences.
std::string on_one_line(std::string_view text);

/// Parses a number: "0x1F" and "31" are 31. Nothing if any byte is not part of the number, or if it exceeds 64 bits.
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
