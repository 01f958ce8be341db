// SPDX-License-Identifier: Apache-2.0
//
// The C interface of transforms: functions that change whole modules (docs/transforms.md).
//
// The one idea: all functions have the same form. `words` is a module with its header in host byte order, borrowed
// during the call; `grammar` may be NULL for the built-in one. The result goes to `out`, which has space for `capacity`
// words. `*out_count` is set to the number of words of the result. To query only this number, pass NULL and 0. Too
// little space: VIREO_BAD_ARGUMENT; only `*out_count` is set. Unless a function says otherwise, a result is never longer
// than its module, so `count` words are enough. VIREO_REPORTED: the module cannot be divided into instructions. The
// functions are thread-safe: they take no lock and keep no state.
#pragma once

#include "vireo/vireo.h"

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.

#ifdef __cplusplus
extern "C" {
#endif

/// The parts that vireo_strip removes (vireo/spirv/transform/strip.h).
typedef enum vireo_strip_parts {
  VIREO_STRIP_DEBUG = 1u << 0,        ///< sources, lines, strings, debug information sets
  VIREO_STRIP_NAMES = 1u << 1,        ///< OpName, OpMemberName
  VIREO_STRIP_NONSEMANTIC = 1u << 2,  ///< instructions of NonSemantic sets
  VIREO_STRIP_REFLECTION = 1u << 3,   ///< decorations and instructions for reflection
  VIREO_STRIP_ALL = 15u,
} vireo_strip_parts;

/// Removes what does not affect the semantics of the module (specification 2.15). `parts` is a set of
/// vireo_strip_parts.
VIREO_API vireo_status vireo_strip(const uint32_t* words, size_t count, uint32_t parts, const vireo_grammar* grammar,
                                   uint32_t* out, size_t capacity, size_t* out_count, vireo_diagnostics* diagnostics);

/// What vireo_trim removes (vireo/spirv/transform/trim.h).
typedef enum vireo_trim_parts {
  VIREO_TRIM_CAPABILITIES = 1u << 0,
  VIREO_TRIM_EXTENSIONS = 1u << 1,
  VIREO_TRIM_INTERFACES = 1u << 2,  ///< unused variables of entry points; changes the interface between stages
} vireo_trim_parts;

/// Removes declarations that neither the grammar nor the validator requires. `parts` is a set of vireo_trim_parts.
VIREO_API vireo_status vireo_trim(const uint32_t* words, size_t count, uint32_t parts, const vireo_grammar* grammar,
                                  uint32_t* out, size_t capacity, size_t* out_count, vireo_diagnostics* diagnostics);

/// What vireo_clean removes (vireo/spirv/transform/clean.h).
typedef enum vireo_clean_parts {
  VIREO_CLEAN_FUNCTIONS = 1u << 0,      ///< unused functions
  VIREO_CLEAN_BLOCKS = 1u << 1,         ///< constant branches, unreachable blocks; joins blocks
  VIREO_CLEAN_CODE = 1u << 2,           ///< instructions, selections and loops without an effect
  VIREO_CLEAN_VARIABLES = 1u << 3,      ///< unused variables
  VIREO_CLEAN_TYPES = 1u << 4,          ///< unused types, and duplicates
  VIREO_CLEAN_CONSTANTS = 1u << 5,      ///< unused constants, and duplicates
  VIREO_CLEAN_COMPACT_IDS = 1u << 6,    ///< renumbers the ids
  VIREO_CLEAN_DEFAULT = 127u,           ///< all of these
  VIREO_CLEAN_MEMBERS = 1u << 7,        ///< unused members of structures
  VIREO_CLEAN_CANONICAL_IDS = 1u << 8,  ///< orders declarations and numbers ids by their contents
  VIREO_CLEAN_DROP_BINDINGS = 1u << 9,  ///< also unused variables that others can see
  VIREO_CLEAN_DROP_SPECS = 1u << 10,    ///< also unused constants with a SpecId
} vireo_clean_parts;

/// Removes what the module does not need, and leaves what it computes. `parts` is a set of vireo_clean_parts. Also
/// reports an instruction that cannot be decoded. The result can be longer than the module: new constants, OpUndef and
/// OpLine instructions are possible. Query the number of words first.
VIREO_API vireo_status vireo_clean(const uint32_t* words, size_t count, uint32_t parts, const vireo_grammar* grammar,
                                   uint32_t* out, size_t capacity, size_t* out_count, vireo_diagnostics* diagnostics);

#ifdef __cplusplus
}
#endif

// NOLINTEND
