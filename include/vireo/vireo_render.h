// SPDX-License-Identifier: Apache-2.0
//
// The C interface to texts with findings: diagnostics as text with lines and carets, JSON, SARIF or workflow commands, and
// the validation of assembly text with its allow comments.
//
// A module has no lines, so its findings point into its disassembly. `write` receives one complete document. Results are
// those of vireo.h: VIREO_STOPPED if `write` returned 0; VIREO_BAD_ARGUMENT for an unknown format, a callback that is
// NULL, or a pointer that is NULL although its size is not 0.
#pragma once

#include "vireo/vireo.h"

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.

#ifdef __cplusplus
extern "C" {
#endif

/// The format of a document; vireo/support/render.h describes each.
typedef enum vireo_format {
  VIREO_FORMAT_HUMAN = 0,   ///< messages with lines and carets
  VIREO_FORMAT_SHORT = 1,   ///< one line for each diagnostic
  VIREO_FORMAT_JSON = 2,    ///< JSON Lines
  VIREO_FORMAT_SARIF = 3,   ///< SARIF 2.1.0
  VIREO_FORMAT_GITHUB = 4,  ///< workflow commands of GitHub
} vireo_format;

/// Writes the kept diagnostics of a text. `name` is the name of its file, for the document; the byte ranges of the
/// diagnostics refer to `text`.
VIREO_API vireo_status vireo_render(vireo_string name, vireo_string text, const vireo_diagnostics* diagnostics,
                                    uint32_t format, vireo_write write, void* user);

/// The same for diagnostics with places in a module with its header in host byte order: the document has the lines and
/// columns of the module's disassembly. `grammar` may be NULL for the built-in one.
VIREO_API vireo_status vireo_render_words(vireo_string name, const uint32_t* words, size_t count,
                                          const vireo_grammar* grammar, const vireo_diagnostics* diagnostics,
                                          uint32_t format, vireo_write write, void* user);

/// Validates the bytes of a module in either byte order, and writes the findings as a document with the lines of the
/// disassembly and its names of ids. `profile` may be NULL. VIREO_REPORTED: the module is invalid. For a valid module the
/// document has only warnings.
VIREO_API vireo_status vireo_validate_and_render(vireo_string name, const void* bytes, size_t size,
                                                 const vireo_profile* profile, uint32_t format, vireo_write write,
                                                 void* user);

/// Assembles a text and validates the module. Comments `; vireo: allow RULE` suppress findings of one instruction. The
/// diagnostics have byte ranges of the text, for vireo_render(). `profile` may be NULL. VIREO_REPORTED: the text or the
/// module has errors.
VIREO_API vireo_status vireo_validate_text(const char* text, size_t size, const vireo_profile* profile,
                                           vireo_diagnostics* diagnostics);

#ifdef __cplusplus
}
#endif

// NOLINTEND
