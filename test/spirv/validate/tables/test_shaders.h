// SPDX-License-Identifier: Apache-2.0
//
// Complete modules for table-driven tests of the validator: valid except for the tested lines.
//
// A test contains the few lines for its row. The memory model, an entry point with the required modes of
// its model, common types, and all required capabilities and extensions are added.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv::test {

/// Lines for each section of a module. `%main` is the entry point's function, which returns `void`.
struct TestShader {
  ExecutionModel model = ExecutionModel::GLCompute;
  std::vector<Capability> capabilities;  ///< in addition to the required ones
  std::string interface_;                ///< " %a %b"
  std::string modes;                     ///< in addition to those of modes_of(model)
  std::string annotations, declarations, body;
  bool has_own_modes = false;                         ///< `modes` is the complete list
  std::string_view memory_model = "Logical GLSL450";  ///< kernels need another one
  Version version{1, 6};
};

/// The modes that an entry point requires.
std::string_view modes_of(ExecutionModel model);
/// "Fragment".
std::string name_of(ExecutionModel model);
/// The text without capabilities and extensions, for messages.
std::string text_of(const TestShader& shader);
/// Declares all requirements. Empty, after a failure of the test, if the text does not assemble.
WordBuffer words_of(const TestShader& shader);
/// The capabilities that a module declares or implies.
std::vector<Capability> capabilities_in(Words words);

/// Names of rules, ascending.
using RuleNames = std::vector<std::string>;
/// The rules that the validator reports, with repetitions.
RuleNames rules_reported_for(Words words, std::string_view environment, const Limits& limits = {});

}  // namespace vireo::spirv::test
