// SPDX-License-Identifier: Apache-2.0
//
// Instructions that are begun, filled, ended and abandoned; bytes in both orders.
#include "vireo/spirv/binary/writer.h"

#include <gtest/gtest.h>

namespace vireo::spirv {
namespace {

TEST(InstructionWriter, patches_the_word_count) {
  WordBuffer words;
  InstructionWriter writer(words);
  writer.begin(Op::OpName);
  writer.word(1);
  writer.string("abcd");
  EXPECT_EQ(writer.word_count(), 4u);
  EXPECT_TRUE(writer.end());
  EXPECT_EQ(words, (WordBuffer{0x00040005, 1, 0x64636261, 0}));
}

TEST(InstructionWriter, removes_abandoned_and_overlong_instructions) {
  WordBuffer words;
  InstructionWriter writer(words);
  writer.begin(Op::OpNop);
  EXPECT_TRUE(writer.end());
  writer.begin(Op::OpName);
  writer.word(7);
  writer.abandon();
  EXPECT_EQ(words, (WordBuffer{0x00010000}));

  writer.begin(Op::OpName);
  writer.words(WordBuffer(max_instruction_words - 1, 3));
  EXPECT_TRUE(writer.end());
  EXPECT_EQ(words.size(), 1 + max_instruction_words);
  writer.begin(Op::OpName);
  writer.words(WordBuffer(max_instruction_words, 3));
  EXPECT_FALSE(writer.end());
  EXPECT_EQ(words.size(), 1 + max_instruction_words);
}

TEST(Writer, writes_bytes_in_either_order) {
  WordBuffer words;
  write_header({0x00010300, 0x00070000, 5, 0}, words);
  ASSERT_EQ(words.size(), header_word_count);
  EXPECT_EQ(to_bytes(words, ByteOrder::Little).substr(0, 8), std::string("\x03\x02\x23\x07\x00\x03\x01\x00", 8));
  EXPECT_EQ(to_bytes(words, ByteOrder::Big).substr(0, 8), std::string("\x07\x23\x02\x03\x00\x01\x03\x00", 8));
  EXPECT_EQ(bytes_of(words).size(), 20u);
  EXPECT_EQ(to_bytes({}, ByteOrder::Big), "");
}

}  // namespace
}  // namespace vireo::spirv
