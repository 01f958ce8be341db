// SPDX-License-Identifier: Apache-2.0
//
// trim: removes declarations that nothing needs: capabilities, extensions, and interface variables on request.
//
//   Result<WordBuffer> small = trim(words, {}, diagnostics);
#pragma once

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/transform/parts.h"
#include "vireo/spirv/transform/report.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The declarations to remove.
struct VIREO_API TrimOptions {
  bool capabilities = true;
  bool extensions = true;
  /// Variables in the interface of an entry point that it does not use. This changes the interface between stages.
  bool interfaces = false;
};

/// The parts by name. Their flags are those of vireo_trim_parts.
inline constexpr TransformPart<TrimOptions> trim_parts[] = {
    {"capabilities", "remove unneeded capabilities", "", 1u << 0, &TrimOptions::capabilities},
    {"extensions", "remove unneeded extensions", "", 1u << 1, &TrimOptions::extensions},
    {"interfaces", "remove unused variables from the interfaces of entry points",
     "This changes the interface between the stages of a pipeline.", 1u << 2, &TrimOptions::interfaces},
};

/// Returns the module without unneeded declarations, in host byte order. A declaration is needed if the grammar or the
/// text of the specification requires it (unneeded_declarations() in requirements.h), or if validate() has a further
/// finding without it: in universal SPIR-V, or in the newest environment of an API for such modules (Vulkan and OpenGL
/// for Shader, OpenCL for Kernel). Extensions that the grammar does not name are kept, and so are all declarations of a
/// module with more than 10,000 findings in one environment. Validates the module at most 64 times for each of these
/// environments. Trimming the result again changes nothing, unless that limit was reached. Errors: the header is
/// invalid, or the module cannot be divided into instructions.
VIREO_API Result<WordBuffer> trim(Words words, const TrimOptions& options, Diagnostics& diagnostics,
                                  TransformReport* report = nullptr, const Grammar& grammar = builtin_grammar());

/// Returns `after` without the capabilities and extensions that `before` needs and `after` does not. `after` was made from
/// `before`, for example by a Specializer with `prune`. Declarations that were unneeded before stay.
VIREO_API Result<WordBuffer> trim_newly_unneeded(Words before, Words after, Diagnostics& diagnostics,
                                                 const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
