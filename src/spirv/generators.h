// SPDX-License-Identifier: Apache-2.0
//
// Generators: who wrote a module, as the high half of the header's generator word says.
//
// The one idea: one table read in both directions, so that a header comment gives back its number. Source: the
// registry of SPIR-V tool ids (`Generator Magic Number`, specification 2.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// Vendor and tool of a registered number, as header comments name them; empty when it is not registered.
std::string_view generator_name(std::uint16_t number);

/// `NAME; N` of a header's generator word, as the header comment shows it; `Unknown(T); N` for an unregistered tool.
std::string generator_text(Word generator);

/// The number behind a name, or behind `Unknown(N)`. A vendor that holds two numbers without a tool's name gets the
/// lower one.
std::optional<std::uint16_t> find_generator(std::string_view name);

}  // namespace vireo::spirv
