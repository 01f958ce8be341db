// SPDX-License-Identifier: Apache-2.0
//
// Source maps: the entries that the assembler records, and lookups in a map.
#include "vireo/spirv/text/source_map.h"

#include <gtest/gtest.h>

#include "spirv/text/assembling.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view text =
    "%t = OpTypeInt 64 0\n"
    "%c = OpConstant %t 5 ; five\n"
    "OpLoopMerge %a %b MaxIterations|DependencyLength 5 6\n"
    "OpName %t \"a b\"\n"
    "!0x00010000\n";

SourceMap map_of(std::string_view source) {
  SourceMap map;
  Diagnostics diagnostics;
  EXPECT_TRUE(assemble({"text", source}, {}, diagnostics, &map).ok());
  return map;
}

std::string_view in(ByteRange range) { return text.substr(range.begin, range.size()); }

TEST(SourceMap, maps_words_to_their_text) {
  const SourceMap map = map_of(text);
  EXPECT_EQ(in(map.range_of(1)), "%t = OpTypeInt 64 0");
  EXPECT_EQ(in(map.range_of(1, 0)), "OpTypeInt");
  EXPECT_EQ(in(map.range_of(1, 1)), "%t");
  EXPECT_EQ(in(map.range_of(1, 2)), "64");
  EXPECT_EQ(in(map.range_of(2, 1)), "%t");
  EXPECT_EQ(in(map.range_of(2, 2)), "%c");
  EXPECT_EQ(in(map.range_of(2, 3)), "5");
  EXPECT_EQ(in(map.range_of(2, 4)), "5");
  EXPECT_EQ(in(map.range_of(3, 3)), "MaxIterations|DependencyLength");
  EXPECT_EQ(in(map.range_of(3, 5)), "6");
  EXPECT_EQ(in(map.range_of(4, 2)), "\"a b\"");
  EXPECT_EQ(in(map.range_of(5, 0)), "!0x00010000");
  EXPECT_EQ(map.range_of(6), ByteRange{});
}

TEST(SourceMap, maps_a_word_without_a_token_to_its_instruction) {
  const SourceMap map = map_of(text);
  EXPECT_EQ(map.range_of(1, 99), map.range_of(1));
}

TEST(SourceMap, maps_bytes_to_tokens) {
  const SourceMap map = map_of(text);
  const Token* opcode = map.token_at(text.find("OpConstant") + 3);
  ASSERT_NE(opcode, nullptr);
  EXPECT_EQ(opcode->instruction, 2u);
  EXPECT_EQ(opcode->style, TokenStyle::Opcode);
  EXPECT_EQ(map.token_at(text.find('=')), nullptr);
  EXPECT_EQ(map.token_at(text.size()), nullptr);
  EXPECT_EQ(SourceMap().token_at(0), nullptr);
}

TEST(SourceMap, tokens_are_in_text_order) {
  const SourceMap map = map_of(text);
  for (std::size_t i = 1; i < map.tokens().size(); ++i) {
    EXPECT_LE(map.tokens()[i - 1].range().end, map.tokens()[i].begin);
    EXPECT_LE(map.tokens()[i - 1].instruction, map.tokens()[i].instruction);
  }
}

}  // namespace
}  // namespace vireo::spirv
