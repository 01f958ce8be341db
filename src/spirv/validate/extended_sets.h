// SPDX-License-Identifier: Apache-2.0
//
// Which extended instructions say something about a module without doing anything in it.
//
// The one idea: an extended set is known by the name that it is imported under (specification 3.42.3, OpExtInstImport),
// so both questions are asked of an instruction's import. A set that nothing imports answers neither; the import is
// reported where it is missing.
#pragma once

#include "spirv/validate/context.h"

namespace vireo::spirv {

/// Whether the instruction stands in an extended set, known or not.
constexpr bool is_extended(Op op) { return op == Op::OpExtInst || op == Op::OpExtInstWithForwardRefsKHR; }

/// Whether it may be left out without a change of meaning: its set is called "NonSemantic." and something
/// (SPV_KHR_non_semantic_info).
bool is_non_semantic(const Context& context, InstructionView view);

/// Whether it is of the sets of debug information that came before the non-semantic ones. They describe functions and
/// types that follow, and stand where lines may.
bool is_older_debug_information(const Context& context, InstructionView view);

}  // namespace vireo::spirv
