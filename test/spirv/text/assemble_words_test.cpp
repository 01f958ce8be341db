// SPDX-License-Identifier: Apache-2.0
//
// Assembles text to words: layout, numbering, literals, masks, raw words, extended sets. The rows show the language of
// docs/text.md by example.
#include <gtest/gtest.h>

#include "spirv/text/assembling.h"

namespace vireo::spirv {
namespace {

struct WordsRow {
  std::string_view text;
  std::string_view words;
};

void check_words(std::initializer_list<WordsRow> rows, const AssembleOptions& options = {}) {
  for (const WordsRow& row : rows) EXPECT_EQ(assembled(row.text, options), row.words) << row.text;
}

TEST(AssembleWords, layout_is_free) {
  check_words({
      {"", "1 |"},
      {" \t\r\n; only a comment", "1 |"},
      {"OpNop OpNop ; c\nOpNop", "1 | 00010000 00010000 00010000"},
      {"OpNop;x\nOpNop", "1 | 00010000 00010000"},
      {"OpCapability Shader;x\nOpNop", "1 | 00020011 00000001 00010000"},
      {"%7;x\n= OpTypeVoid OpName %7;y\n\"b\"", "2 | 00020013 00000001 00030005 00000001 00000062"},
      {std::string_view("OpNop\0OpFoo", 11), "1 | 00010000"},
      {"%a\n=;c\n\tOpTypeVoid", "2 | 00020013 00000001"},
      {"%a ; = \n = OpTypeVoid %b = OpTypeBool", "3 | 00020013 00000001 00020014 00000002"},
  });
}

// Instructions repeated with the same or another end of their line. A source map must not change the words or the
// messages.
TEST(AssembleWords, repeated_line_ends_give_the_same_words) {
  constexpr std::string_view known =
      "OpCopyMemory %a %b Aligned 4\n%v = OpVariable %p Function\nOpStore %a %b Aligned 4\nOpMemberDecorate %s 0 "
      "Offset 0\n"
      "%e = OpCompositeExtract %t %c 0\nOpSource GLSL\nOpSource GLSL 450\n";
  constexpr std::string_view again[] = {
      "OpCopyMemory %a %b Aligned 4\n",
      "OpCopyMemory %a %b Aligned 4",
      "OpCopyMemory %a %b Aligned 4\r\n",
      "OpCopyMemory %a %b Aligned 4\n; remark\n",
      "OpCopyMemory %a %b Aligned 4\n\n  Aligned 8\n",
      "OpCopyMemory %a %b Aligned 4\n;\nVolatile\n",
      "OpCopyMemory %a %b Aligned 4\n!1\n",
      "OpCopyMemory %a %b Aligned 4\n%x\n",
      "OpCopyMemory %a %b Aligned 4\n%x = OpUndef %t\n",
      "OpCopyMemory %a %b Aligned\n4\n",
      "OpCopyMemory %a %b\nAligned 4\n",
      "OpCopyMemory %a %b\n",
      "OpCopyMemory %a !7 Aligned 4\n",
      "OpCopyMemory %a Aligned 4\n",
      "OpLoad %a Aligned 4\n",
      "%w = OpVariable %p Function\n%i\n",
      "%w = OpVariable %p Function\n%i = OpUndef %t\n",
      "%w = OpVariable %p Function %i\n",
      "OpStore %a %b Aligned 4\n",
      "OpMemberDecorate %s 0 Offset 0\n0\n",
      "OpMemberDecorate %s 0 Offset\n0\n",
      "%f = OpCompositeExtract %t %c 0\n0\n",
      "%f = OpCompositeExtract %t %c 0\n;0\n",
      "%f = OpCompositeInsert %t %c %d 0\n",
      "OpSource GLSL\n450\n%f\n\"text\"\n",
      "OpSource GLSL 450\n\"text\"\n",
      "OpSource GLSL\n460\n",
  };
  for (const std::string_view lines : again) {
    const std::string text = std::string(known) + std::string(lines);
    const auto read = [&](SourceMap* map) {
      Diagnostics diagnostics;
      const Result<WordBuffer> words = assemble({"text", text}, {}, diagnostics, map);
      std::string seen;
      for (const Diagnostic& d : diagnostics.all()) seen += fmt::format("{}: {}\n", d.where.begin, d.message);
      return std::pair(words ? *words : WordBuffer(), seen);
    };
    SourceMap map;
    EXPECT_EQ(read(nullptr), read(&map)) << lines;
  }
}

// The number of ids varies, so that the word buffer is full at every possible position.
TEST(AssembleWords, cached_line_ends_fit_after_any_number_of_ids) {
  std::string ids;
  for (std::size_t count = 0; count < 400; ++count, ids += " %a") {
    const std::string text = "%c = OpFunctionCall %t %f !7 !8\n%d = OpFunctionCall %t %f" + ids + " !7 !8\n";
    Diagnostics diagnostics;
    const Result<WordBuffer> words = assemble({"text", text}, {}, diagnostics);
    ASSERT_TRUE(words.ok());
    EXPECT_EQ(words->size(), header_word_count + 6 + 4 + count + 2);
    EXPECT_EQ(words->back(), 8u);
  }
}

TEST(AssembleWords, ids_are_numbered_by_first_mention_in_binary_order) {
  check_words({
      {"%r = OpIAdd %t %a %b", "5 | 00050080 00000001 00000002 00000003 00000004"},
      {"OpName %z \"z\"\n%a = OpTypeVoid", "3 | 00030005 00000001 0000007a 00020013 00000002"},
      {"OpName %7 \"\"\nOpName %07 \"\"\nOpName %7 \"\"",
       "3 | 00030005 00000001 00000000 00030005 00000002 00000000 00030005 00000001 00000000"},
      // Names of up to seven digits are lexed as numbers, longer ones as names; the two must not be mixed up.
      {"%0 = OpTypeVoid\n%00 = OpTypeBool\n%1234567 = OpTypeSampler\n%12345678 = OpTypeEvent\nOpName %12345678 \"a\"",
       "5 | 00020013 00000001 00020014 00000002 0002001a 00000003 00020022 00000004 00030005 00000004 00000061"},
      {"OpName %abcdefgh \"\"\nOpName %abcdefghi \"\"\nOpName %abcdefghij \"\"\nOpName %abcdefghi \"\"",
       "4 | 00030005 00000001 00000000 00030005 00000002 00000000 00030005 00000003 00000000 00030005 00000002 "
       "00000000"},
  });
}

TEST(AssembleWords, numeric_ids_are_preserved_on_demand) {
  AssembleOptions options;
  options.preserve_numeric_ids = true;
  check_words(
      {{"%7 = OpTypeVoid\n%x = OpTypeBool\n%0x2 = OpTypeInt 010 1",
        "8 | 00020013 00000007 00020014 00000001 00040015 00000002 00000008 00000001"},
       {"%x = OpTypeVoid %1 = OpTypeBool", "3 | 00020013 00000002 00020014 00000001"},
       {"%0 = OpTypeVoid", "1 | 00020013 00000000"},
       {"OpName %09 \"\" OpName %1e3 \"\" OpName %2 \"\"",
        "4 | 00030005 00000001 00000000 00030005 00000003 00000000 00030005 00000002 00000000"},
       {"%4294967294 = OpTypeVoid", "ffffffff | 00020013 fffffffe"},
       {"%4294967295 = OpTypeVoid", "bad-id: id 4294967295 is too large: the bound must be greater than all ids"}},
      options);
}

TEST(AssembleWords, integers_have_the_type_of_their_constant) {
  check_words({
      {"%a = OpTypeInt 16 1\n%b = OpConstant %a 0xffff",
       "3 | 00040015 00000001 00000010 00000001 0004002b 00000001 00000002 ffffffff"},
      {"%a = OpTypeInt 64 0\n%b = OpConstant %a 0x123456789abcdef0",
       "3 | 00040015 00000001 00000040 00000000 0005002b 00000001 00000002 9abcdef0 12345678"},
      {"%a = OpTypeInt 64 0\n%b = OpConstant %a 5",
       "3 | 00040015 00000001 00000040 00000000 0005002b 00000001 00000002 00000005 00000000"},
      {"%a = OpTypeInt 8 0\n%b = OpConstant %a 255",
       "3 | 00040015 00000001 00000008 00000000 0004002b 00000001 00000002 000000ff"},
      {"OpSource GLSL 010", "1 | 00030003 00000002 00000008"},
      {"OpSource GLSL +99999999", "1 | 00030003 00000002 05f5e0ff"},
      {"OpSource GLSL 4294967295", "1 | 00030003 00000002 ffffffff"},
  });
}

TEST(AssembleWords, floats_have_the_format_of_their_constant) {
  check_words({
      {"%a = OpTypeFloat 32\n%b = OpConstant %a -0x1.8p+128",
       "3 | 00030016 00000001 00000020 0004002b 00000001 00000002 ffc00000"},
      {"%a = OpTypeFloat 64\n%b = OpConstant %a 1",
       "3 | 00030016 00000001 00000040 0005002b 00000001 00000002 00000000 3ff00000"},
      {"%a = OpTypeFloat 16 BFloat16KHR\n%b = OpConstant %a 1",
       "3 | 00040016 00000001 00000010 00000000 0004002b 00000001 00000002 00003f80"},
      {"%a = OpTypeFloat 8 Float8E4M3EXT\n%b = OpConstant %a 448",
       "3 | 00040016 00000001 00000008 00001076 0004002b 00000001 00000002 0000007e"},
  });
}

TEST(AssembleWords, strings_keep_every_byte_but_backslashes) {
  check_words({
      {"OpName %a \"\"", "2 | 00030005 00000001 00000000"},
      {"OpName %a \"abc\"", "2 | 00030005 00000001 00636261"},
      {"OpName %a \"abcd\"", "2 | 00040005 00000001 64636261 00000000"},
      {"OpName %a \"a\"\"b\"", "2 | 00040005 00000001 62222261 00000000"},
      {"OpName %a \"x\\n\\\"y\\\\\"", "2 | 00040005 00000001 79226e78 0000005c"},
      {"OpName %a \"l1\nl2\" OpNop", "2 | 00040005 00000001 6c0a316c 00000032 00010000"},
      {"OpName %a \"a\\\"", "2 | 00030005 00000001 00000061"},
      {"OpName %a \"a;(b),c\"", "2 | 00040005 00000001 62283b61 00632c29"},
  });
}

TEST(AssembleWords, mask_parameters_follow_in_bit_order) {
  check_words({
      {"OpLoopMerge %a %b DependencyLength|MaxIterations|Unroll 5 6",
       "3 | 000600f6 00000001 00000002 00000029 00000005 00000006"},
      {"OpLoopMerge %a %b MaxIterations|DependencyLength|Unroll 5 6",
       "3 | 000600f6 00000001 00000002 00000029 00000005 00000006"},
      {"OpSelectionMerge %m None|Flatten|Flatten", "2 | 000300f7 00000001 00000001"},
      {"%r = OpLoad %t %p Volatile|Aligned 4", "4 | 0006003d 00000001 00000002 00000003 00000003 00000004"},
      {"OpDecorate %f LinkageAttributes \"f\" Export", "2 | 00050047 00000001 00000029 00000066 00000000"},
      {"OpCooperativeMatrixStoreTensorNV %a %b %c Aligned|Volatile 4 None",
       "4 | 000714f8 00000001 00000002 00000003 00000003 00000004 00000000"},
  });
}

TEST(AssembleWords, raw_words_replace_any_token) {
  check_words({
      {"!0x00030005 %a \"a\"", "2 | 00030005 00000001 00000061"},
      {"OpName %a !0x41 !0x42", "2 | 00040005 00000001 00000041 00000042"},
      {"OpName !1 3.5", "1 | 00030005 00000001 40600000"},
      {"%a = OpTypeInt !32 -1", "2 | 00040015 00000001 00000020 ffffffff"},
      {"%f = OpFunction !7 !5 8", "2 | 00050036 00000007 00000001 00000005 00000008"},
      {"!262187 %1 %2 \"abc\" !327739 %1 %3 6 %2",
       "4 | 0004002b 00000001 00000002 00636261 0005003b 00000001 00000003 00000006 00000002"},
      {"!1 %a = OpTypeVoid", "2 | 00000001 00020013 00000001"},
      {"%t = OpTypeInt !32 0 %c = OpConstant %t 5",
       "3 | 00040015 00000001 00000020 00000000 0004002b 00000001 00000002 00000005"},
      {"OpUnknown(5, 3) %a \"a\"", "2 | 00030005 00000001 00000061"},
      {"OpUnknown ( 0x10 , 010 ) %a 1 2 3 4 5 6",
       "2 | 00080010 00000001 00000001 00000002 00000003 00000004 00000005 00000006"},
  });
}

TEST(AssembleWords, extended_instructions_follow_their_set) {
  check_words({
      {"%s = OpExtInstImport \"GLSL.std.450\" %v = OpExtInst %t %s Sqrt %x",
       "5 | 0006000b 00000001 4c534c47 6474732e 3035342e 00000000 0006000c 00000002 00000003 00000001 0000001f "
       "00000004"},
      {"%s = OpExtInstImport \"NonSemantic.Foo\" %v = OpExtInst %t %s 010 %a %b",
       "6 | 0006000b 00000001 536e6f4e 6e616d65 2e636974 006f6f46 0007000c 00000002 00000003 00000001 0000000a "
       "00000004 00000005"},
  });
}

TEST(AssembleWords, other_literals_have_the_declared_types) {
  check_words({
      {"%a = OpSpecConstantOp %t CompositeExtract %b 1 2",
       "4 | 00070034 00000001 00000002 00000051 00000003 00000001 00000002"},
      {"%i = OpTypeInt 64 0 %c = OpConstant %i 1 OpSwitch %c %d 3 %l",
       "5 | 00040015 00000001 00000040 00000000 0005002b 00000001 00000002 00000001 00000000 "
       "000600fb 00000002 00000003 00000003 00000000 00000004"},
      {"OpSwitch %s %d %a = OpTypeVoid", "4 | 000300fb 00000001 00000002 00020013 00000003"},
      {"%r = OpPhi %t %a", "4 | 000400f5 00000001 00000002 00000003"},
      {"OpGroupMemberDecorate %a %b 5 %c 6", "4 | 0006004b 00000001 00000002 00000005 00000003 00000006"},
  });
}

TEST(AssembleWords, version_is_from_options_or_header_comment_or_newest) {
  const auto version_word = [](std::string_view text, Version version) {
    Diagnostics diagnostics;
    AssembleOptions options;
    options.version = version;
    const Result<WordBuffer> words = assemble({"text", text}, options, diagnostics);
    return words ? (*words)[1] : 0;
  };
  EXPECT_EQ(version_word("OpNop", {}), 0x00010600u);
  EXPECT_EQ(version_word("\n; x\n; Version: 1.2\nOpNop", {}), 0x00010200u);
  EXPECT_EQ(version_word("; Version: 1.2\nOpNop", {1, 4}), 0x00010400u);
  EXPECT_EQ(version_word(";Version: 1.2\nOpNop", {}), 0x00010600u);
  EXPECT_EQ(version_word("; Version: 1.7\nOpNop", {}), 0x00010600u);
  EXPECT_EQ(version_word("OpNop\n; Version: 1.2", {}), 0x00010600u);
}

TEST(AssembleWords, exact_honours_all_header_comments) {
  constexpr std::string_view text =
      "; SPIR-V\n; Version: 1.3\n; Generator: Khronos Glslang Reference Front End; 11\n; Bound: 18\n; Schema: 2\n"
      "%3 = OpCopyLogical %2 %1\n";
  AssembleOptions options;
  options.exact = true;
  options.preserve_numeric_ids = true;
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble({"text", text}, options, diagnostics);
  ASSERT_TRUE(words);
  EXPECT_EQ(*words, (WordBuffer{magic_number, 0x00010300, 0x0008000b, 18, 2, 0x00040190, 2, 3, 1}));
  EXPECT_EQ(assembled("; Bound: 3\n%3 = OpTypeVoid", options),
            "bad-header-comment: the bound is 3, but the text has id 3");
  EXPECT_EQ(assembled("; Generator: Nobody; 1\n", options),
            "bad-header-comment: header comment is not of the form '; Generator: NAME; NUMBER'");
  EXPECT_EQ(assembled("; Generator: Unknown(99); 1\n", options), "1 |");
}

}  // namespace
}  // namespace vireo::spirv
