// SPDX-License-Identifier: Apache-2.0
//
// The order of the blocks of one function and, in shaders, structured control flow.
//
// Every rule of 2.11 concerns a block, an edge or a construct. ControlFlow stores dominators and
// constructs as trees, in which a query compares two numbers. So each rule is one loop over blocks, edges or
// constructs. An edge has at most one finding for the constructs that it leaves or enters.
//
// Source: specification 2.11 (structured control flow), 2.16.2 (shaders), 2.17 (nesting depth).
#pragma once

#include "spirv/validate/core/check.h"
#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {

/// Checks the blocks of a function with a body; `flow` is the control flow of that function.
void check_blocks(const ModuleCheck& c, const ControlFlow& flow);

/// Checks structured control flow, which shaders require. Precondition: all branch targets are blocks of the function.
void check_structure(const ModuleCheck& c, const ControlFlow& flow);

}  // namespace vireo::spirv
