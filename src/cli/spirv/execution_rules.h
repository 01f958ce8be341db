// SPDX-License-Identifier: Apache-2.0
//
// Tells the rules of executions, which only 'vireo run' reports, from those of the validator.
#pragma once

#include "vireo/spirv/validate/rule_texts.h"

namespace vireo::cli {

/// Whether only executions report the rule: the options of its example then name the command.
inline bool is_of_executions(const spirv::RuleText& rule) {
  return rule.options == "run" || rule.options.starts_with("run ");
}

}  // namespace vireo::cli
