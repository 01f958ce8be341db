// SPDX-License-Identifier: Apache-2.0
//
// The common tasks in one call each: from text or bytes to a string or words.
//
//   Diagnostics diagnostics;
//   if (Result<FileBytes> file = read_file("shader.spv", diagnostics)) {
//     const Verdict verdict = validate_and_render({"shader.spv", file->text()});
//     std::fputs(verdict.text.c_str(), stderr);
//   }
//
// Each function is a few lines over the headers below. Those stream, borrow and reuse memory; these functions
// allocate anew in each call.
#pragma once

#include <string>
#include <string_view>

#include "vireo/spirv/assemble.h"
#include "vireo/spirv/disassemble.h"
#include "vireo/spirv/validate.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/render.h"
#include "vireo/support/result.h"
#include "vireo/support/source.h"

namespace vireo::spirv {

/// Assembles a text with the default options. Errors: as for assemble(); places are in `text`.
VIREO_API Result<WordBuffer> assemble(std::string_view text, Diagnostics& diagnostics);

/// The disassembly of a module. The argument is the bytes of a file in either byte order. Errors: as for
/// read_module_words() and disassemble(); the text printed before an error is lost.
VIREO_API Result<std::string> disassemble(std::string_view bytes, Diagnostics& diagnostics,
                                          const DisassembleOptions& options = {});

/// Validates a module. The argument is the bytes of a file in either byte order. True if there is no error. Places of
/// diagnostics are words.
VIREO_API bool validate(std::string_view bytes, const ValidateOptions& options, Diagnostics& diagnostics);

/// Whether a module is valid, and its diagnostics as text.
struct VIREO_API Verdict {
  bool is_valid = false;
  std::string text;  ///< in the requested format; for a valid module its warnings
};

/// Validates a module and renders its diagnostics in any format. Places and names of ids are those of the module's
/// disassembly. `module` is the name of a file and its bytes.
VIREO_API Verdict validate_and_render(const SourceText& module, const ValidateOptions& options = {},
                                      const RenderOptions& rendering = {});

}  // namespace vireo::spirv
