// SPDX-License-Identifier: Apache-2.0
//
// Converts vireo_disassemble_flags, which functions for whole modules and for parts accept.
#pragma once

#include <cstdint>
#include <optional>

#include "vireo/spirv/text/disassemble.h"

namespace vireo::c {

/// The options that a set of vireo_disassemble_flags selects, or none if a flag is unknown. VIREO_JSON selects another
/// function and no option.
std::optional<spirv::DisassembleOptions> style_of_flags(std::uint32_t flags);

}  // namespace vireo::c
