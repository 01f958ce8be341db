// SPDX-License-Identifier: Apache-2.0
//
// Views of literal strings in the words of an instruction (specification 2.2.1, literal string).
#pragma once

#include <cstring>
#include <string_view>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The bytes of the string that begins at `word`, without its NUL. If there is no NUL, the string extends to the end of
/// the instruction. The host is little-endian (reader.h), so the bytes are in order and need no copy.
inline std::string_view literal_string(InstructionView instruction, std::size_t word) {
  if (word >= instruction.word_count) return {};
  const char* text = reinterpret_cast<const char*>(instruction.first + word);
  const std::size_t bytes = (instruction.word_count - word) * sizeof(Word);
  const void* end = std::memchr(text, 0, bytes);
  return {text, end == nullptr ? bytes : static_cast<std::size_t>(static_cast<const char*>(end) - text)};
}

}  // namespace vireo::spirv
