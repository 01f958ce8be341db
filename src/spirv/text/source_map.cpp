// SPDX-License-Identifier: Apache-2.0
//
// Lookups in a source map: binary searches over tokens in the order of the text.
//
// Instructions ascend with their tokens, so the tokens of one instruction are neighbours.
#include "vireo/spirv/text/source_map.h"

#include <algorithm>
#include <span>

namespace vireo::spirv {
namespace {

// Two binary searches: a diagnostic costs O(log n), and a thousand of them in a large module stay cheap.
std::span<const Token> tokens_of(const std::vector<Token>& tokens, std::uint64_t instruction) {
  const auto first =
      std::partition_point(tokens.begin(), tokens.end(), [&](const Token& t) { return t.instruction < instruction; });
  const auto last =
      std::partition_point(first, tokens.end(), [&](const Token& t) { return t.instruction <= instruction; });
  return {first, last};
}

// A token without words (a comment) covers no word.
bool covers(const Token& token, std::uint64_t word) {
  return word >= token.word && word < std::uint64_t{token.word} + token.word_count;
}

}  // namespace

ByteRange SourceMap::range_of(std::uint64_t instruction) const {
  ByteRange range{};
  bool is_first = true;
  for (const Token& token : tokens_of(tokens_, instruction)) {
    if (token.word_count == 0) continue;  // a comment after the instruction is not part of it
    if (is_first) range.begin = token.begin;
    range.end = token.range().end;
    is_first = false;
  }
  return range;
}

ByteRange SourceMap::range_of(std::uint64_t instruction, std::uint64_t word) const {
  for (const Token& token : tokens_of(tokens_, instruction)) {
    if (covers(token, word)) return token.range();
  }
  return range_of(instruction);
}

const Token* SourceMap::token_at(std::uint64_t offset) const {
  auto after = std::partition_point(tokens_.begin(), tokens_.end(), [&](const Token& t) { return t.begin <= offset; });
  if (after == tokens_.begin()) return nullptr;
  --after;
  return offset < after->range().end ? &*after : nullptr;
}

}  // namespace vireo::spirv
