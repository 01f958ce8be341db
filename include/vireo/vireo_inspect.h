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

#ifdef __cplusplus
}
#endif

// NOLINTEND
