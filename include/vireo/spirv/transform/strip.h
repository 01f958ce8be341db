// SPDX-License-Identifier: Apache-2.0
//
// strip: removes what does not affect the semantics of a module (specification 2.15).
//
//   Result<WordBuffer> small = strip(words, {}, diagnostics);
#pragma once

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/transform/parts.h"
#include "vireo/spirv/transform/report.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The parts to remove. An instruction that a remaining instruction uses is kept.
struct VIREO_API StripOptions {
  /// OpSource, OpSourceContinued, OpSourceExtension, OpModuleProcessed, OpLine, OpNoLine, OpString, and the instructions
  /// of debug information sets: DebugInfo, OpenCL.DebugInfo.100, NonSemantic.Shader.DebugInfo.…
  bool debug = true;
  bool names = true;  ///< OpName and OpMemberName
  /// The instructions and imports of all NonSemantic sets, and SPV_KHR_non_semantic_info if no such import remains.
  bool nonsemantic = true;
  /// Decorations for reflection: UserSemantic, UserTypeGOOGLE and HlslCounterBufferGOOGLE, with their extensions; the
  /// instructions of NonSemantic.ClspvReflection.…
  bool reflection = true;
};

/// The parts by name. Their flags are those of vireo_strip_parts.
inline constexpr TransformPart<StripOptions> strip_parts[] = {
    {"debug", "remove debug information: lines, sources, strings, debug sets", "", 1u << 0, &StripOptions::debug},
    {"names", "remove OpName and OpMemberName", "", 1u << 1, &StripOptions::names},
    {"nonsemantic", "remove the instructions of NonSemantic sets", "", 1u << 2, &StripOptions::nonsemantic},
    {"reflection", "remove decorations and instructions for reflection",
     "The decorations UserSemantic, UserTypeGOOGLE and HlslCounterBufferGOOGLE, and NonSemantic.ClspvReflection.",
     1u << 3, &StripOptions::reflection},
};

/// Returns the module without these parts, in host byte order. The ids and the header are unchanged. Stripping the
/// result again changes nothing. Errors: the header is invalid, or the module cannot be divided into instructions.
/// Linear in the words.
VIREO_API Result<WordBuffer> strip(Words words, const StripOptions& options, Diagnostics& diagnostics,
                                   TransformReport* report = nullptr, const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
