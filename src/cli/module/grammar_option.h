// SPDX-License-Identifier: Apache-2.0
//
// Option --grammar FILE…: the grammar that a command uses.
#pragma once

#include <list>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/grammar_loader.h"

namespace vireo::cli {

/// The built-in grammar with the user's files on top, in order. Must outlive its users.
class ChosenGrammar {
 public:
  /// Loads the files of --grammar; `-` is standard input, unless it is used for another input. Returns the exit status:
  /// fine, or wrong_input, usage or no_file after an error, which is reported.
  int load(const Invocation& invocation, Reporter& reporter);

  [[nodiscard]] const spirv::Grammar& grammar() const {
    return layers_.empty() ? spirv::builtin_grammar() : layers_.back().grammar();
  }

 private:
  std::list<spirv::GrammarData> layers_;  // each on top of the one before it
};

}  // namespace vireo::cli
