// SPDX-License-Identifier: Apache-2.0
//
// --grammar FILE…: the grammar that a command works with.
#pragma once

#include <list>

#include "cli/common/commands.h"
#include "cli/common/report.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/grammar_loader.h"

namespace vireo::cli {

/// The built-in grammar, with the files that the user named laid over it in their order. Must outlive its users.
class ChosenGrammar {
 public:
  /// Loads what --grammar names; `-` is standard input, unless something else comes from there. Gives the exit status:
  /// fine, wrong_input, usage or no_file, the latter three reported.
  int load(const Invocation& invocation, Reporter& reporter);

  [[nodiscard]] const spirv::Grammar& grammar() const {
    return layers_.empty() ? spirv::builtin_grammar() : layers_.back().grammar();
  }

 private:
  std::list<spirv::GrammarData> layers_;  // each on top of the one before it
};

}  // namespace vireo::cli
