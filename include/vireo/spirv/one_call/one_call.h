// SPDX-License-Identifier: Apache-2.0
//
// The common tasks as single calls: assemble a text; disassemble or validate the bytes of a file.
//
//   Diagnostics diagnostics;
//   if (Result<FileBytes> file = read_file("shader.spv", diagnostics)) {
//     const Verdict verdict = validate_and_render({"shader.spv", file->text()});
//     std::fputs(verdict.text.c_str(), stderr);
//   }
//
// Each function combines a few functions of other headers (assemble.h, reader.h, validate.h, listing.h). Those can
// stream, borrow and reuse memory; the functions here allocate their results in each call.
#pragma once

#include <string>
#include <string_view>

#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/render.h"
#include "vireo/support/result.h"
#include "vireo/support/source.h"

namespace vireo::spirv {

/// Assembles a text with the default options. Returns the words of the module in host byte order. Errors: as for
/// assemble() of assemble.h; locations are byte ranges of `text`.
VIREO_API Result<WordBuffer> assemble(std::string_view text, Diagnostics& diagnostics);

/// Disassembles a module. `bytes` are the contents of a file, as for read_module_words(). Errors: as for
/// read_module_words() and for disassemble() of disassemble.h. After an error, the result contains no text.
VIREO_API Result<std::string> disassemble(std::string_view bytes, Diagnostics& diagnostics,
                                          const DisassembleOptions& options = {});

/// Validates a module. `bytes` are the contents of a file, as for read_module_words(). Returns true if there is no
/// error. Locations of diagnostics are ranges of words.
VIREO_API bool validate(std::string_view bytes, const ValidateOptions& options, Diagnostics& diagnostics);

/// Whether a module is valid, and its diagnostics as text.
struct VIREO_API Verdict {
  bool is_valid = false;
  std::string text;  ///< the diagnostics in the requested format; for a valid module only warnings
};

/// Validates a module and renders its diagnostics. `module` is the name of a file and its bytes. Locations are lines of
/// the module's disassembly, and messages use its names of ids.
VIREO_API Verdict validate_and_render(const SourceText& module, const ValidateOptions& options = {},
                                      const RenderOptions& rendering = {});

}  // namespace vireo::spirv
