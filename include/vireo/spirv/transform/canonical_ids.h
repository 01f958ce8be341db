// SPDX-License-Identifier: Apache-2.0
//
// canonical_ids: one numbering of ids and one order of declarations for all modules that differ only in these.
//
//   Result<WordBuffer> canonical = canonical_ids(words, diagnostics);
//
// Equal results mean equal modules, so the result is a key for caches of shaders. Modules that share declarations also
// compress better together.
//
// Source: specification 2.3 (physical layout), 2.4 (logical layout).
#pragma once

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// Returns the module with dense ids from 1, in host byte order. The result is the same for a copy with other ids, and
/// for a copy with another legal order of: capabilities, extensions, imports, execution modes, names, decorations,
/// types, constants, global variables, function declarations, function definitions. Everything else keeps its order:
/// entry points, source information, extended instructions outside functions, operands, blocks and their instructions.
/// Declarations keep their line information: OpLine and OpNoLine are written where it changes.
///
/// The order follows the operands, from the entry points on. Declarations that no entry point reaches are ordered by a
/// 64-bit hash of their content and of their uses. Two unused declarations with equal hashes that are not
/// interchangeable may appear in either order: this needs a long cycle of references, or a hash collision.
///
/// If other instructions are between functions, the functions keep their order. If the module violates the logical
/// layout, everything does, and the ids are numbered in the order of first occurrence.
///
/// Errors: the module has no header, or an instruction cannot be decoded. Near-linear in the words. Applying the
/// function to its result changes nothing.
VIREO_API Result<WordBuffer> canonical_ids(Words words, Diagnostics& diagnostics,
                                           const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
