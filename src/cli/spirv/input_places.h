// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics about several modules: the places in them that people read.
//
// The one idea: a location is in words of one of the inputs. People read a line of its text or of its disassembly. A
// note about another input than that of its diagnostic has its own file name.
#pragma once

#include <deque>
#include <string>

#include "cli/common/report.h"
#include "cli/val/val_subject.h"
#include "support/io.h"
#include "vireo/spirv/grammar.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

/// A module that a command reads together with others. Does not move.
struct NamedModule {
  std::string name;
  FileBytes bytes;
  Subject subject;
};

/// Reports diagnostics of a function with several inputs (Location::input), those of each input together. `only_words`:
/// places in binaries are word offsets, for machines.
void report_places(const Diagnostics& found, const std::deque<NamedModule>& modules, const spirv::Grammar& grammar,
                   bool only_words, Reporter& reporter);

}  // namespace vireo::cli
