// SPDX-License-Identifier: Apache-2.0
//
// The examples of rules, as stanzas write them and as users read them.
//
// An example of a stanza leaves out what many modules have in common:
//
//   @shader                          capabilities, memory model, entry point and mode (preludes.def)
//   -%sum = OpIAdd %u32 %one %half   only in the module that breaks the rule
//   +%sum = OpIAdd %u32 %one %two    only in the other module
//
// The names of preludes.def, such as `%u32` and `%one`, are declared if an example uses them. So is the extension that
// provides a capability. A memory model, an entry point or an execution mode of the example replaces that of the prelude.
// A function without an end gets one, and an entry point without any function becomes an empty one.
#pragma once

#include <string>
#include <string_view>

namespace vireo::spirv {

/// The complete text of an example: each line begins with '-', '+' or ' ' (RuleText::example). A text without a line
/// that begins with '@' is complete already. Unknown preludes remain as they are, so that the text does not assemble.
std::string expand_example(std::string_view example);

}  // namespace vireo::spirv
