// SPDX-License-Identifier: Apache-2.0
//
// The C interface to the texts of the validator's rules: fixes, and examples that tools and editors can show.
//
// vireo_find_rule() in vireo/vireo.h has the requirement, the section and the VUIDs of a rule.
#pragma once

#include "vireo/vireo.h"

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.

#ifdef __cplusplus
extern "C" {
#endif

/// The fix for a violation of a rule, the conditions that lift the rule, and an example. The strings have static lifetime.
typedef struct vireo_rule_text {
  vireo_string fix;        ///< a sentence
  vireo_string lifted_by;  ///< entries separated by "; ", such as "feature relax-block-layout"; "nothing"
  vireo_string options;    ///< options of 'vireo val' for the example: "--target-env vulkan1.3"; often empty
  /// Assembly text. The first character of a line is '-' for lines of the module that breaks the rule, '+' for lines of
  /// the other module, and ' ' for lines of both. Empty: no text can break the rule.
  vireo_string example;
} vireo_rule_text;

VIREO_API vireo_status vireo_find_rule_text(vireo_string name,
                                            vireo_rule_text* out);  ///< VIREO_NO_MATCH as for vireo_find_rule

#ifdef __cplusplus
}
#endif

// NOLINTEND
