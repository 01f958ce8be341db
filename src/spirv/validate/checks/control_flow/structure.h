// SPDX-License-Identifier: Apache-2.0
//
// The blocks of one function: that they follow each other as they may, and, in shaders, that control flow is structured.
//
// The one idea: every rule of 2.11 is about a block, an edge or a construct, and control_flow.h has put each of them into
// trees in which "within" is a comparison. So each rule is a loop over blocks, edges or constructs that looks at each
// once, and each finding is about one of them: what is wrong with one edge is told once, whatever it leaves or enters.
//
// Source: specification 2.11 (structured control flow), 2.16.2 (shaders), 2.17 (nesting depth).
#pragma once

#include "spirv/validate/engine/context.h"
#include "vireo/spirv/facts/control_flow.h"

namespace vireo::spirv {

/// Checks the blocks of a function with a body; `flow` is that function's.
void check_blocks(const Context& context, const ControlFlow& flow, Report& report);

/// The rules for shaders. Only for functions whose branches all lead to blocks.
void check_structure(const Context& context, const ControlFlow& flow, Report& report);

}  // namespace vireo::spirv
