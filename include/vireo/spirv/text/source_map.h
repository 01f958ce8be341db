// SPDX-License-Identifier: Apache-2.0
//
// SourceMap: maps words of a module to ranges of bytes of a text.
//
// The assembler and the disassembler create the same map. So a fault in the words of a module can be
// shown in its text, whether the text was assembled or is a disassembly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vireo/support/api.h"
#include "vireo/support/source.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// A part of a text, and the words of an instruction that correspond to it.
struct VIREO_API Token {
  std::uint64_t begin = 0;        ///< offset of the first byte in the text
  std::uint32_t length = 0;       ///< bytes
  std::uint32_t instruction = 0;  ///< ordinal of the instruction from 1; 0 = header comment
  std::uint16_t word = 0;         ///< index of the first word within the instruction; 0 = the opcode
  std::uint16_t word_count = 0;   ///< number of words; 0 = none (punctuation, comments)
  TokenStyle style = TokenStyle::Plain;

  [[nodiscard]] constexpr ByteRange range() const { return {begin, begin + length}; }
};

/// Tokens in the order of the text. Their words need not ascend: the text shows the result id before the opcode.
/// Offsets are in bytes; `instruction` counts from 1, and `word` is an index within the instruction.
class VIREO_API SourceMap {
 public:
  /// `token` must not begin before the previous one.
  void add(const Token& token) { tokens_.push_back(token); }
  void clear() { tokens_.clear(); }

  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }

  // Lookups are logarithmic in the tokens, and linear in the tokens of one instruction.

  /// The bytes of an instruction, from its first to its last token; an empty range if it is not in the map.
  [[nodiscard]] ByteRange range_of(std::uint64_t instruction) const;
  /// The bytes of the token with this word of an instruction; all bytes of the instruction if no token has it.
  [[nodiscard]] ByteRange range_of(std::uint64_t instruction, std::uint64_t word) const;
  /// The token that contains a byte; nullptr if the byte is between tokens. Valid until add() or clear().
  [[nodiscard]] const Token* token_at(std::uint64_t offset) const;

 private:
  std::vector<Token>
      tokens_;  // ascending by begin; a token of a later instruction never begins before an earlier one's
};

}  // namespace vireo::spirv
