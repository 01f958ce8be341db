// SPDX-License-Identifier: Apache-2.0
//
// The writer: appends instructions to a buffer of words, and converts words to the bytes of a file (specification 2.3).
//
// Begin() appends the first word of an instruction, and end() stores the word count in it. So the length
// need not be known in advance.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// The length of the longest instruction, in words (specification 2.3: the word count has 16 bits).
inline constexpr std::size_t max_instruction_words = 0xFFFF;

/// Appends instructions to a buffer of words, which is borrowed. For each instruction, call begin(), then append its
/// operands, then call end() or abandon(). The order of calls is not checked; any other order corrupts the buffer.
class VIREO_API InstructionWriter {
 public:
  explicit InstructionWriter(WordBuffer& words) : words_(words), begin_(words.size()) {}

  void begin(Op opcode) {
    begin_ = words_.size();
    words_.push_back(static_cast<Word>(opcode));
  }
  void word(Word value) { words_.push_back(value); }
  void words(Words values) { words_.insert(words_.end(), values.begin(), values.end()); }
  /// Appends a literal string: the bytes, low byte first, then a NUL and zero padding (specification 2.2.1).
  void string(std::string_view text);

  /// Ends the instruction. If it is longer than max_instruction_words, removes its words and returns false.
  [[nodiscard]] bool end();
  /// Removes the words of the instruction in progress.
  void abandon() { words_.resize(begin_); }

  /// The number of words of the instruction so far, including the first.
  [[nodiscard]] std::size_t word_count() const { return words_.size() - begin_; }

 private:
  WordBuffer& words_;
  std::size_t begin_;
};

/// Appends the five words of a header, with the magic number.
VIREO_API void write_header(const Header& header, WordBuffer& words);

/// Copies the words to bytes in a byte order. For host byte order, bytes_of() needs no copy.
VIREO_API std::string to_bytes(Words words, ByteOrder order);

/// A view of the words as bytes in host byte order. Borrows the words.
VIREO_API std::string_view bytes_of(Words words);

}  // namespace vireo::spirv
