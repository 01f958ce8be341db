// SPDX-License-Identifier: Apache-2.0
//
// SourceMap: which bytes of a text stand for which words of a module.
//
// The one idea: both directions make the same map. The assembler records where each operand came from, the disassembler
// where it went, so whoever finds a fault in the words can point into the text, be it the user's or our own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vireo/support/api.h"
#include "vireo/support/source.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// A piece of text, and the words it stands for.
struct VIREO_API Token {
  std::uint64_t begin = 0;        ///< offset of the first byte in the text
  std::uint32_t length = 0;       ///< bytes
  std::uint32_t instruction = 0;  ///< ordinal of the instruction from 1; 0 = header comment
  std::uint16_t word = 0;         ///< first word within the instruction; 0 = the opcode
  std::uint16_t word_count = 0;   ///< words it stands for; 0 = none (punctuation, comments)
  TokenStyle style = TokenStyle::Plain;

  [[nodiscard]] constexpr ByteRange range() const { return {begin, begin + length}; }
};

/// Tokens in the order of the text. The result id is written left of its opcode, so words need not ascend.
class VIREO_API SourceMap {
 public:
  /// `token` must not begin before the last one that was added.
  void add(const Token& token) { tokens_.push_back(token); }
  void clear() { tokens_.clear(); }

  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }

  // Looking up is logarithmic in the tokens, and linear in those of one instruction.

  /// From the first to the last byte of an instruction; an empty range when it is not in the map.
  [[nodiscard]] ByteRange range_of(std::uint64_t instruction) const;
  /// The bytes that stand for a word of an instruction; the whole instruction when no token covers that word.
  [[nodiscard]] ByteRange range_of(std::uint64_t instruction, std::uint64_t word) const;
  /// The token that covers a byte; nullptr between tokens.
  [[nodiscard]] const Token* token_at(std::uint64_t offset) const;

 private:
  std::vector<Token>
      tokens_;  // ascending by begin; a token of a later instruction never begins before an earlier one's
};

}  // namespace vireo::spirv
