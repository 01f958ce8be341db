// SPDX-License-Identifier: Apache-2.0
//
// --no-header, --raw-id, --comment, …: how a disassembly shall look, as far as `vireo dis` and `spirv-dis` agree.
#pragma once

#include "cli/common/options.h"
#include "vireo/spirv/disassemble.h"

namespace vireo::cli {

/// All that depends on the options alone. Whether text is coloured depends on where it goes as well: left to the command.
/// An option that a command does not have is one that was not given.
spirv::DisassembleOptions style_of(const ParsedOptions& options);

}  // namespace vireo::cli
