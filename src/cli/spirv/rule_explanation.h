// SPDX-License-Identifier: Apache-2.0
//
// The explanation of a rule of the validator: its requirement, the conditions that lift it, a fix, and an example.
#pragma once

#include <string>
#include <string_view>

namespace vireo::cli {

/// The explanation of a rule; of an old name or a group: its rules, one line each. Empty if there is no such rule.
std::string explain_validation_rule(std::string_view name);

/// The entries of RuleText::lifted_by, with the options and keys that users write: "feature relax-block-layout
/// (--relax-block-layout)".
std::string lifted_by_text(std::string_view entry);

}  // namespace vireo::cli
