// SPDX-License-Identifier: Apache-2.0
//
// The style options that `vireo dis` and `spirv-dis` share: --no-header, --raw-id, --comment, ….
#pragma once

#include "cli/common/options.h"
#include "vireo/spirv/disassemble.h"

namespace vireo::cli {

/// The style as far as it depends on the options alone. Colour also depends on the output, so the command sets it. An
/// option that a command does not have counts as absent.
spirv::DisassembleOptions style_of(const ParsedOptions& options);

}  // namespace vireo::cli
