// SPDX-License-Identifier: Apache-2.0
//
// Whole modules for tests that turn tables of the validator round: sound but for what a test puts in.
//
// The one idea: a test writes the few lines that its row is about; the memory model, an entry point with the modes that
// its model wants, common types, and the capabilities and extensions that all of it requires come by themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/validate.h"

namespace vireo::spirv::test {

/// Lines for each section of a module. `%main` is the entry point's function, with `void` for a result.
struct TurnedShader {
  ExecutionModel model = ExecutionModel::GLCompute;
  std::vector<Capability> capabilities;  ///< beside those that are required
  std::string interface_;                ///< " %a %b"
  std::string modes;                     ///< beside those of modes_of(model)
  std::string annotations, declarations, body;
  bool has_own_modes = false;                         ///< `modes` are all
  std::string_view memory_model = "Logical GLSL450";  ///< kernels have another one
  Version version{1, 6};
};

/// The modes that an entry point has at least.
std::string_view modes_of(ExecutionModel model);
/// "Fragment".
std::string name_of(ExecutionModel model);
/// The text without capabilities and extensions, for messages.
std::string text_of(const TurnedShader& shader);
/// All that is required is declared; empty after a failure, when the text is none.
WordBuffer words_of(const TurnedShader& shader);
/// What a module declares, and what that implies.
std::vector<Capability> capabilities_in(Words words);

/// Names of rules, ascending.
using RuleNames = std::vector<std::string>;
/// The rules that the validator reports, each as often as it does.
RuleNames rules_reported_for(Words words, std::string_view environment, const Limits& limits = {});

}  // namespace vireo::spirv::test
