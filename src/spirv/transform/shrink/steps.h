// SPDX-License-Identifier: Apache-2.0
//
// The steps of shrink(). Each tries to make the best module smaller in one way.
//
// A step lists the units of the best module that it can remove or simplify, and makes the module for any
// subset of them. find_needed_units() does the rest.
#pragma once

#include "spirv/transform/shrink/candidate_tester.h"

namespace vireo::spirv {

using ShrinkStep = void (*)(CandidateTester& tester);

/// Keeps the needed instructions and everything on which they depend (slicer.h).
void keep_needed_instructions(CandidateTester& tester);
/// Removes instructions on which no other instruction depends.
void remove_sinks(CandidateTester& tester);
/// Replaces operands by constants, and removes what computed them.
void cut_operands(CandidateTester& tester);
/// Joins blocks, removes duplicates, renumbers the ids.
void tidy(CandidateTester& tester);
/// Removes declarations before the types: capabilities, extensions, imports, modes, names, decorations, and variables of
/// interfaces.
void remove_declarations(CandidateTester& tester);
/// Replaces capabilities by simpler ones that they imply, such as DemoteToHelperInvocation by Shader.
void simplify_capabilities(CandidateTester& tester);
/// Makes conditional branches unconditional.
void fix_branches(CandidateTester& tester);
/// Runs the bodies of loops once.
void flatten_loops(CandidateTester& tester);
/// Removes unused members of structures.
void remove_members_of_structures(CandidateTester& tester);
/// Removes unused parameters of functions and unused results.
void shorten_signatures(CandidateTester& tester);

}  // namespace vireo::spirv
