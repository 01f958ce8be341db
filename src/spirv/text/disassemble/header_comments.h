// SPDX-License-Identifier: Apache-2.0
//
// The comments at the top of a text, as the disassembler prints them:
//
//   ; SPIR-V
//   ; Version: 1.3
//   ; Generator: Khronos Glslang Reference Front End; 11
//   ; Bound: 18
//   ; Schema: 0
//
// The one idea: they are comments to everybody but two: the version is deduced from one, and `exact` takes them all.
#pragma once

#include <optional>

#include "spirv/text/assemble/lexer.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv::text {

struct HeaderComments {
  Version deduced_version;         ///< from `; Version: 1.N` of a version that exists; none otherwise
  std::optional<Version> version;  ///< these four only when they were asked for
  std::optional<Word> generator;
  std::optional<Word> bound;
  std::optional<Word> schema;
  ByteRange bound_range;
  std::optional<Reported> reported;  ///< some comment was wrong
};

/// Reads the comments before the first word of a text; only the version, for which nothing is a fault.
HeaderComments read_version_comment(const Lexer& lexer);

/// Reads all of them. Those that begin like a header comment and do not go on like one are reported.
HeaderComments read_header_comments(const Lexer& lexer, Diagnostics& diagnostics);

}  // namespace vireo::spirv::text
