// SPDX-License-Identifier: Apache-2.0
//
// RuleText: the fix for a violation of a validator rule, the conditions that lift the rule, and an example.
//
// An example is one module with marked lines. The module that breaks the rule and the module that does not
// differ only in these lines. A test validates both.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vireo/support/api.h"
#include "vireo/support/cpp20.h"

namespace vireo::spirv {

/// The texts of a rule. The strings have static lifetime.
struct VIREO_API RuleText {
  std::string_view rule;  ///< its name, ValidationRule::name
  std::string_view fix;   ///< a sentence
  /// The conditions under which the rule does not apply, separated by "; ": "capability VariablePointers",
  /// "extension SPV_KHR_16bit_storage", "feature relax-block-layout" (FeatureRow::name), "limit max-struct-members"
  /// (LimitRow::name), "profile limits" (a key of a profile), "mode ArithmeticPoisonKHR" (an execution mode),
  /// "environment universal", "version 1.5" (from this version on), "before version 1.6". "nothing" if the rule always
  /// applies.
  std::string_view lifted_by;
  /// Options of 'vireo val' under which the example breaks the rule: "--target-env vulkan1.3". Empty: the default ones.
  std::string_view options;
  /// Lines of assembly text. The first character of a line is '-' for lines of the module that breaks the rule, '+' for
  /// lines of the other module, and ' ' for lines of both. Empty if no text can break the rule, as `fix` then explains.
  std::string_view example;
};

/// The texts of all rules, in the order of validation_rules().
VIREO_API std::span<const RuleText> rule_texts();
/// The texts of a rule; nullptr if there is no such rule.
VIREO_API const RuleText* find_rule_text(std::string_view rule);

/// The module of an example that breaks the rule, and the one that does not; assembly text.
VIREO_API std::string failing_example(const RuleText& text);
VIREO_API std::string passing_example(const RuleText& text);

/// A VUID about modules that no single rule checks.
struct VIREO_API OtherVuid {
  std::string_view vuid;
  bool is_checked;        ///< by many rules, or by the reader of modules
  std::string_view text;  ///< what checks it, or why nothing can
};
/// The strings have static lifetime.
VIREO_API std::span<const OtherVuid> other_vuids();

}  // namespace vireo::spirv
