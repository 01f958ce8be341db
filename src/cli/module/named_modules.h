// SPDX-License-Identifier: Apache-2.0
//
// Modules that a command reads together, and diagnostics about them.
//
// A location is in words of one of the inputs. People read a line of its text or of its disassembly. A
// note about another input than that of its diagnostic has its own file name.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/inputs.h"
#include "cli/common/report.h"
#include "cli/module/subject.h"
#include "support/io.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

/// A module that a command reads together with others. Does not move.
struct NamedModule {
  std::string name;
  FileBytes bytes;
  Subject subject;
};

/// Reads the modules of all operands, each into a new element, and reports their faults. Returns the exit status. The
/// names of files that are already inputs are added to `repeated`.
int read_modules(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter,
                 std::deque<NamedModule>& modules, std::vector<RepeatedInput>& repeated);

/// Reports an entry point that a command names and no module has, with the names of those that exist. `subject` begins
/// the message: "the module has".
void report_unknown_entry_point(std::string_view subject, std::string_view name, std::vector<std::string_view> known,
                                Diagnostics& diagnostics);

/// Reports diagnostics of a function with several inputs (Location::input), those of each input together. `only_words`:
/// places in binaries are word offsets, for machines.
void report_places(const Diagnostics& found, const std::deque<NamedModule>& modules, const spirv::Grammar& grammar,
                   bool only_words, Reporter& reporter);

}  // namespace vireo::cli
