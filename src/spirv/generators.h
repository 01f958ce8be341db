// SPDX-License-Identifier: Apache-2.0
//
// Generators: the tool that wrote a module, from the high half of the header's generator word.
//
// One table serves both directions, so that a header comment converts back to its number. Source: the
// registry of SPIR-V tool ids (`Generator Magic Number`, specification 2.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The halves of a header's generator word: the number of the tool, and the version of the tool.
constexpr Word generator_word(std::uint16_t tool, std::uint16_t version) { return Word{tool} << 16 | version; }
constexpr std::uint16_t tool_of(Word generator) { return static_cast<std::uint16_t>(generator >> 16); }
constexpr std::uint16_t tool_version_of(Word generator) { return static_cast<std::uint16_t>(generator); }

/// Vendor and tool of a registered number, as header comments show them; empty if the number is not registered.
std::string_view generator_name(std::uint16_t number);

/// `NAME; N` for a header's generator word, as the header comment shows it; `Unknown(T); N` for an unregistered tool.
std::string generator_text(Word generator);

/// The number of a registered name or of `Unknown(N)`. If a vendor has two numbers without a tool name, the result is
/// the lower one.
std::optional<std::uint16_t> find_generator(std::string_view name);

}  // namespace vireo::spirv
