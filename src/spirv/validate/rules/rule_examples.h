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
// provides a capability. If the example has a memory model, an entry point or an execution mode, all lines of the prelude
// of that kind are dropped. If the last function has no end, OpReturn and OpFunctionEnd are added. If there is an entry
// point but no function, an empty %main is added. The lines are then sorted into the order of a module.
#pragma once

#include <string>
#include <string_view>

namespace vireo::spirv {

/// The lines of `@name`; empty if there is no such prelude. Static lifetime.
std::string_view find_prelude(std::string_view name);

/// The complete text of an example: each line begins with '-', '+' or ' ' (RuleText::example). A text without a line
/// that begins with '@' is complete already. Unknown preludes remain as they are, so that the text does not assemble.
std::string expand_example(std::string_view example);

}  // namespace vireo::spirv
