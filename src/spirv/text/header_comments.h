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
// The assembler deduces the version from one of these comments. With `exact`, it reads all of them.
#pragma once

#include <optional>

#include "spirv/text/lexer.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv::text {

struct HeaderComments {
  Version deduced_version;         ///< from `; Version: 1.N` with an existing version; none otherwise
  std::optional<Version> version;  ///< these four only from read_header_comments()
  std::optional<Word> generator;
  std::optional<Word> bound;
  std::optional<Word> schema;
  ByteRange bound_range;
  std::optional<Reported> reported;  ///< an error in some comment was reported
};

/// Reads only the version from the comments before the first word of a text; reports no errors.
HeaderComments read_version_comment(const Lexer& lexer);

/// Reads all header comments. Reports a comment that has the prefix of a header comment but not its format.
HeaderComments read_header_comments(const Lexer& lexer, Diagnostics& diagnostics);

}  // namespace vireo::spirv::text
