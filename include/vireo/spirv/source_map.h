// SPDX-License-Identifier: Apache-2.0
//
// SourceMap: which bytes of a text correspond to which words of a module.
//
// The one idea: both directions make the same map. The assembler records the source of each operand, the disassembler
// its destination. A fault in the words can thus be shown in the text, whether the user or the disassembler wrote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vireo/support/api.h"
#include "vireo/support/source.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// A part of a text, and the corresponding words.
struct VIREO_API Token {
  std::uint64_t begin = 0;        ///< offset of the first byte in the text
  std::uint32_t length = 0;       ///< bytes
  std::uint32_t instruction = 0;  ///< ordinal of the instruction from 1; 0 = header comment
  std::uint16_t word = 0;         ///< first word within the instruction; 0 = the opcode
  std::uint16_t word_count = 0;   ///< number of words; 0 = none (punctuation, comments)
  TokenStyle style = TokenStyle::Plain;

  [[nodiscard]] constexpr ByteRange range() const { return {begin, begin + length}; }
};

/// Tokens in the order of the text. The result id is written before its opcode, so the words need not ascend.
class VIREO_API SourceMap {
 public:
  /// `token` must not begin before the previous one.
  void add(const Token& token) { tokens_.push_back(token); }
  void clear() { tokens_.clear(); }

  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }

  // Lookups are logarithmic in the tokens, and linear in the tokens of one instruction.

  /// From the first to the last byte of an instruction; an empty range if it is not in the map.
  [[nodiscard]] ByteRange range_of(std::uint64_t instruction) const;
  /// The bytes of one word of an instruction; the whole instruction if no token covers the word.
  [[nodiscard]] ByteRange range_of(std::uint64_t instruction, std::uint64_t word) const;
  /// The token that covers a byte; nullptr between tokens.
  [[nodiscard]] const Token* token_at(std::uint64_t offset) const;

 private:
  std::vector<Token>
      tokens_;  // ascending by begin; a token of a later instruction never begins before an earlier one's
};

}  // namespace vireo::spirv
