// SPDX-License-Identifier: Apache-2.0
//
// The writer: words → bytes of a file, and a small writer that appends instructions.
//
// The one idea: begin() starts an instruction and end() patches its word count. An abandoned instruction leaves no
// words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// Longest instruction (specification 2.3: the word count has 16 bits). Unit: words.
inline constexpr std::size_t max_instruction_words = 0xFFFF;

/// Appends instructions to a borrowed buffer of words. One instruction at a time: begin(), then its operands, then
/// end() or abandon(). Any other order of calls corrupts the buffer; the order is not checked.
class VIREO_API InstructionWriter {
 public:
  explicit InstructionWriter(WordBuffer& words) : words_(words), begin_(words.size()) {}

  void begin(Op opcode) {
    begin_ = words_.size();
    words_.push_back(static_cast<Word>(opcode));
  }
  void word(Word value) { words_.push_back(value); }
  void words(Words values) { words_.insert(words_.end(), values.begin(), values.end()); }
  /// A literal string: bytes, NUL, zero padding; low byte first (specification 2.2.1).
  void string(std::string_view text);

  /// Ends the instruction. If it is longer than max_instruction_words, its words are removed and the result is false.
  [[nodiscard]] bool end();
  /// Removes the words of the instruction in progress.
  void abandon() { words_.resize(begin_); }

  /// The number of words of the instruction so far, including the first.
  [[nodiscard]] std::size_t word_count() const { return words_.size() - begin_; }

 private:
  WordBuffer& words_;
  std::size_t begin_;
};

/// Appends the five header words.
VIREO_API void write_header(const Header& header, WordBuffer& words);

/// The bytes of a module in a byte order. For the host's own order no copy is needed: see bytes_of.
VIREO_API std::string to_bytes(Words words, ByteOrder order);

/// The words as bytes in host byte order; borrowed.
VIREO_API std::string_view bytes_of(Words words);

}  // namespace vireo::spirv
