// SPDX-License-Identifier: Apache-2.0
//
// Options --function and --entry of 'vireo dis': prints a part of a module.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/options.h"
#include "vireo/spirv/disassemble.h"
#include "vireo/spirv/inspect/module_part.h"

namespace vireo::cli {

/// The functions and entry points to print, in the order of the command line; none: the whole module.
struct PartOptions {
  std::vector<std::pair<spirv::RootKind, std::string_view>> roots;

  [[nodiscard]] bool is_whole() const { return roots.empty(); }
};

PartOptions part_options(const ParsedOptions& options);

/// Prints the chosen part of a module. All names must exist. Returns false if an error was reported.
bool print_part(spirv::Words words, const PartOptions& part, const spirv::DisassembleOptions& style, bool as_json,
                TextSink& sink, Diagnostics& diagnostics);

}  // namespace vireo::cli
