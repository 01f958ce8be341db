// SPDX-License-Identifier: Apache-2.0
//
// Converts words to bytes, and implements the larger functions of the instruction writer (vireo/spirv/binary/writer.h;
// specification 2.3).
#include "vireo/spirv/binary/writer.h"

#include <cstring>

#include "vireo/spirv/binary/instruction.h"

namespace vireo::spirv {

void InstructionWriter::string(std::string_view text) {
  const std::size_t first = words_.size();
  words_.resize(first + text.size() / 4 + 1);  // the last word holds at least the NUL
  for (std::size_t i = 0; i < text.size(); ++i) {
    // Shift instead of copy: the specification fixes the byte order within a word (2.2.1); the host may have another
    // one.
    words_[first + i / 4] |= Word{static_cast<unsigned char>(text[i])} << (8 * (i % 4));
  }
}

bool InstructionWriter::end() {
  const std::size_t count = word_count();
  // The count has 16 bits (specification 2.3, table 2); a truncated count would corrupt all following instructions.
  if (count > max_instruction_words) {
    abandon();
    return false;
  }
  words_[begin_] = first_word(count, opcode_of(words_[begin_]));
  return true;
}

void write_header(const Header& header, WordBuffer& words) {
  words.insert(words.end(), {magic_number, header.version_word, header.generator, header.bound, header.schema});
}

std::string to_bytes(Words words, ByteOrder order) {
  std::string bytes(words.size() * sizeof(Word), '\0');
  if (order == host_order) {
    if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word word = swapped(words[i]);
    std::memcpy(bytes.data() + i * sizeof(Word), &word, sizeof(Word));
  }
  return bytes;
}

std::string_view bytes_of(Words words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(Word)};
}

}  // namespace vireo::spirv
