// SPDX-License-Identifier: Apache-2.0
//
// Literal strings, as a look into the words of their instruction (specification 2.2.1, literal string).
#pragma once

#include <cstring>
#include <string_view>

#include "vireo/spirv/instruction.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The bytes of the string that begins at a word, without its NUL; up to the instruction's end when there is none. The
/// host is little-endian (reader.h), so the bytes lie in order and need no copy.
inline std::string_view literal_string(InstructionView instruction, std::size_t word) {
  if (word >= instruction.word_count) return {};
  const char* text = reinterpret_cast<const char*>(instruction.first + word);
  const std::size_t bytes = (instruction.word_count - word) * sizeof(Word);
  const void* end = std::memchr(text, 0, bytes);
  return {text, end == nullptr ? bytes : static_cast<std::size_t>(static_cast<const char*>(end) - text)};
}

/// The word behind that string.
inline std::size_t word_behind_string(InstructionView instruction, std::size_t word) {
  return word + literal_string(instruction, word).size() / sizeof(Word) + 1;
}

}  // namespace vireo::spirv
