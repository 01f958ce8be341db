// SPDX-License-Identifier: Apache-2.0
//
// The C interface of inspection: functions that describe modules and do not change them.
//
// `words` is a module with its header in host byte order, borrowed during the call; `grammar` may be NULL for the
// built-in one. The functions are thread-safe: they take no lock and keep no state.
#pragma once

#include "vireo/vireo.h"

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.

#ifdef __cplusplus
extern "C" {
#endif

// --- properties (docs/info.md) ------------------------------------------------------------------------------------------

/// Writes the properties of a module as a JSON object on one line. VIREO_REPORTED: there were faults; if the words are a
/// module at all, the object was written nevertheless.
VIREO_API vireo_status vireo_info_json(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                       vireo_write write, void* user, vireo_diagnostics* diagnostics);

/// Sets `*out` to 1 if a module satisfies a condition, such as `bytes > 10000 and capability = Kernel`; else to 0.
/// VIREO_REPORTED: the condition has errors, with locations in it, or the words are no module; `*out` is 0. Faults of
/// a module are not reported.
VIREO_API vireo_status vireo_info_matches(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                          vireo_string condition, int* out, vireo_diagnostics* diagnostics);

// --- graphs (docs/inspect.md) -------------------------------------------------------------------------------------------

typedef enum vireo_dot_flags {
  VIREO_DOT_INSTRUCTIONS = 1u << 0,  ///< control flow: labels show the instructions
} vireo_dot_flags;

/// Options of the functions below. A limit of 0 is none; beyond a limit, inner parts are drawn as one node, and a note
/// reports it (vireo/spirv/inspect/dot.h).
typedef struct vireo_dot_options {
  const vireo_string* functions;  ///< the functions to draw: names, ids ("%12") or names of entry points
  size_t function_count;          ///< 0: all functions
  uint32_t flags;                 ///< a set of vireo_dot_flags
  uint32_t max_depth;             ///< nesting levels of constructs
  uint32_t max_nodes;             ///< blocks of all functions, or functions of a call graph
  uint32_t max_instructions;      ///< instructions in the label of one block
} vireo_dot_options;

/// Writes the control-flow graphs of functions, one after the other. `options` may be NULL. VIREO_REPORTED: the header is
/// invalid, a function does not exist, or the module is truncated. Targets that are not blocks are warnings.
VIREO_API vireo_status vireo_write_control_flow_graph(const uint32_t* words, size_t count,
                                                      const vireo_dot_options* options, const vireo_grammar* grammar,
                                                      vireo_write write, void* user, vireo_diagnostics* diagnostics);

/// Writes the static call graph of the functions and of those that they call. Arguments and statuses are the same.
VIREO_API vireo_status vireo_write_call_graph(const uint32_t* words, size_t count, const vireo_dot_options* options,
                                              const vireo_grammar* grammar, vireo_write write, void* user,
                                              vireo_diagnostics* diagnostics);

#ifdef __cplusplus
}
#endif

// NOLINTEND
