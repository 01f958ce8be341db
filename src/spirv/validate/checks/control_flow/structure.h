// SPDX-License-Identifier: Apache-2.0
//
// The order of the blocks of one function and, in shaders, structured control flow.
//
// The one idea: every rule of 2.11 concerns a block, an edge or a construct. control_flow.h arranges these in trees,
// where "within" is a comparison of numbers. So each rule is one loop over blocks, edges or constructs. An edge has at
// most one finding for the constructs that it leaves or enters.
//
// Source: specification 2.11 (structured control flow), 2.16.2 (shaders), 2.17 (nesting depth).
#pragma once

#include "spirv/validate/engine/context.h"
#include "vireo/spirv/facts/control_flow.h"

namespace vireo::spirv {

/// Checks the blocks of a function with a body; `flow` is the control flow of that function.
void check_blocks(const Context& context, const ControlFlow& flow, Report& report);

/// Checks the rules for shaders. All branch targets of the function must be blocks of it.
void check_structure(const Context& context, const ControlFlow& flow, Report& report);

}  // namespace vireo::spirv
