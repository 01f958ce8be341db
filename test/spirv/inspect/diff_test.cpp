// SPDX-License-Identifier: Apache-2.0
//
// Comparison of modules: which changes count, how few lines a change has, and the names in them.
//
// A row changes one line of a small module, or replaces it, and states the lines of the difference.
#include "vireo/spirv/inspect/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

using test::assembled;
using testing::HasSubstr;

constexpr std::string_view base = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %color
OpExecutionMode %main OriginUpperLeft
%file = OpString "a.frag"
OpName %main "main"
OpName %helper "helper"
OpName %color "color"
OpName %block "Block"
OpMemberName %block 0 "scale"
OpDecorate %color Location 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%ptr = OpTypePointer Output %vec4
%color = OpVariable %ptr Output
%block = OpTypeStruct %float
%ptr_block = OpTypePointer Uniform %block
%ptr_float = OpTypePointer Uniform %float
%buffer = OpVariable %ptr_block Uniform
%int = OpTypeInt 32 1
%int_0 = OpConstant %int 0
%half = OpConstant %float 0.5
%true = OpConstantTrue %bool
%fn_float = OpTypeFunction %float %float
%helper = OpFunction %float None %fn_float
%x = OpFunctionParameter %float
%h = OpLabel
%square = OpFMul %float %x %x
%sum = OpFAdd %float %square %half
OpReturnValue %sum
OpFunctionEnd
%main = OpFunction %void None %fn
%m = OpLabel
%chain = OpAccessChain %ptr_float %buffer %int_0
%scale = OpLoad %float %chain
%call = OpFunctionCall %float %helper %scale
%twice = OpFAdd %float %call %call
%vector = OpCompositeConstruct %vec4 %twice %call %scale %half
OpStore %color %vector
OpSelectionMerge %merge None
OpBranchConditional %true %then %else
%then = OpLabel
OpStore %color %vector
OpBranch %merge
%else = OpLabel
OpBranch %merge
%merge = OpLabel
OpReturn
OpFunctionEnd
)";

// The text with one part replaced.
std::string with(std::string_view old, std::string_view fresh) {
  std::string text(base);
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), fresh);
}

// The changed lines, each with its sign.
std::string changed_lines(std::string_view before, std::string_view after, DiffOptions options = {}) {
  const WordBuffer left = assembled(before), right = assembled(after);
  Diagnostics diagnostics;
  const Result<ModuleDiff> diff = ModuleDiff::compare(left, right, options, diagnostics);
  if (!diff) return "refused: " + diagnostics.all().front().message;
  StringSink sink;
  EXPECT_TRUE(write_diff_text(*diff, {.context = 0}, sink));
  EXPECT_EQ(diff->is_equal(), sink.text().empty());
  std::string lines;
  std::string_view text = sink.text();
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    const std::string_view line = text.substr(0, end + 1);
    if (!line.starts_with("---") && !line.starts_with("+++") && !line.starts_with("@@")) lines += line;
    text.remove_prefix(end + 1);
  }
  return lines;
}

struct Row {
  std::string_view what;
  std::string_view old, fresh;
  std::string_view lines;
};

// clang-format off
constexpr Row rows[] = {
    {"capability added", "OpCapability Shader\n", "OpCapability Shader\nOpCapability Float64\n",
     "+OpCapability Float64\n"},
    {"memory model", "Logical GLSL450", "Logical Simple",
     "-OpMemoryModel Logical GLSL450\n+OpMemoryModel Logical Simple\n"},
    {"entry point renamed", "\"main\" %color", "\"frag\" %color",
     "-OpEntryPoint Fragment %main \"main\" %color\n+OpEntryPoint Fragment %main \"frag\" %color\n"},
    {"execution mode", "OriginUpperLeft", "OriginLowerLeft",
     "-OpExecutionMode %main OriginUpperLeft\n+OpExecutionMode %main OriginLowerLeft\n"},
    {"function renamed", "\"helper\"", "\"assist\"", "-OpName %helper \"helper\"\n+OpName %assist \"assist\"\n"},
    {"name removed", "OpName %color \"color\"\n", "", "-OpName %color \"color\"\n"},
    {"decoration", "Binding 1", "Binding 2", "-OpDecorate %6 Binding 1\n+OpDecorate %6 Binding 2\n"},
    {"member decoration", "0 Offset 0", "0 Offset 16",
     "-OpMemberDecorate %Block 0 Offset 0\n+OpMemberDecorate %Block 0 Offset 16\n"},
    {"member name", "0 \"scale\"", "0 \"size\"", "-OpMemberName %Block 0 \"scale\"\n+OpMemberName %Block 0 \"size\"\n"},
    {"type width", "%float = OpTypeFloat 32", "%float = OpTypeFloat 16",
     "-%float = OpTypeFloat 32\n+%half = OpTypeFloat 16\n-%float_0_5 = OpConstant %float 0.5\n"
     "+%half_0x1pn1 = OpConstant %half 0x1p-1\n"},
    {"constant", "%int 0", "%int 1", "-%int_0 = OpConstant %int 0\n+%int_1 = OpConstant %int 1\n"},
    {"storage class of a variable", "%ptr = OpTypePointer Output %vec4", "%ptr = OpTypePointer Private %vec4",
     "-%_ptr_Output_v4float = OpTypePointer Output %v4float\n+%_ptr_Private_v4float = OpTypePointer Private %v4float\n"},
    {"opcode", "OpFMul %float %x %x", "OpFSub %float %x %x",
     "-%22 = OpFMul %float %20 %20\n+%22 = OpFSub %float %20 %20\n"},
    {"operand", "OpFAdd %float %square %half", "OpFAdd %float %x %half",
     "-%23 = OpFAdd %float %22 %float_0_5\n+%23 = OpFAdd %float %20 %float_0_5\n"},
    {"swapped operands", "%call %scale %half", "%scale %call %half",
     "-%29 = OpCompositeConstruct %v4float %28 %27 %26 %float_0_5\n"
     "+%29 = OpCompositeConstruct %v4float %28 %26 %27 %float_0_5\n"},
    {"instruction added", "OpStore %color %vector\nOpSel",
     "OpStore %color %vector\n%new = OpFNegate %float %call\nOpSel",
     "+%new_30 = OpFNegate %float %27\n"},
    {"instruction removed", "OpStore %color %vector\nOpSel", "OpSel", "-OpStore %color %29\n"},
    {"instruction moved",
     "%scale = OpLoad %float %chain\n%call = OpFunctionCall %float %helper %scale\n"
     "%twice = OpFAdd %float %call %call\n",
     "%scale = OpLoad %float %chain\n%twice = OpFAdd %float %call %call\n%call = OpFunctionCall %float %helper %scale\n",
     "-%27 = OpFunctionCall %float %helper %26  ; moved\n+%27 = OpFunctionCall %float %helper %26  ; moved\n"},
    {"branch targets swapped", "%true %then %else", "%true %else %then",
     "-OpBranchConditional %true %31 %32\n+OpBranchConditional %true %32 %31\n"},
    {"line added", "%scale = OpLoad", "OpLine %file 3 0\n%scale = OpLoad", "+OpLine %3 3 0\n"},
    {"line of a declaration", "%half = OpConstant", "OpLine %file 3 0\n%half = OpConstant", "+OpLine %3 3 0\n"},
    {"line shared by definitions", "%int = OpTypeInt 32 1\n%int_0", "OpLine %file 4 0\n%int = OpTypeInt 32 1\n%int_0",
     "+OpLine %3 4 0\n"},
    // Without any meaning.
    {"order of blocks", "%then = OpLabel\nOpStore %color %vector\nOpBranch %merge\n%else = OpLabel\nOpBranch %merge\n",
     "%else = OpLabel\nOpBranch %merge\n%then = OpLabel\nOpStore %color %vector\nOpBranch %merge\n", ""},
    {"order of types", "%bool = OpTypeBool\n%float = OpTypeFloat 32\n",
     "%float = OpTypeFloat 32\n%bool = OpTypeBool\n", ""},
    {"order of names", "OpName %main \"main\"\nOpName %helper \"helper\"\n",
     "OpName %helper \"helper\"\nOpName %main \"main\"\n", ""},
};
// clang-format on

TEST(ModuleDiffs, show_the_changed_line) {
  for (const Row& row : rows) { EXPECT_EQ(changed_lines(base, with(row.old, row.fresh)), row.lines) << row.what; }
}

TEST(ModuleDiffs, mirror_each_other) {
  for (const Row& row : rows) {
    const std::string after = with(row.old, row.fresh);
    const WordBuffer left = assembled(base), right = assembled(after);
    Diagnostics diagnostics;
    const Result<ModuleDiff> there = ModuleDiff::compare(left, right, {}, diagnostics);
    const Result<ModuleDiff> back = ModuleDiff::compare(right, left, {}, diagnostics);
    ASSERT_TRUE(there && back) << row.what;
    EXPECT_EQ(there->changes().size(), back->changes().size()) << row.what;
  }
}

TEST(ModuleDiffs, ignore_the_order_of_functions) {
  const std::size_t helper = base.find("%helper = OpFunction"), main = base.find("%main = OpFunction");
  const std::string swapped = std::string(base.substr(0, helper)) + std::string(base.substr(main)) +
                              std::string(base.substr(helper, main - helper));
  EXPECT_EQ(changed_lines(base, swapped), "");
}

TEST(ModuleDiffs, ignore_what_the_options_select) {
  EXPECT_EQ(changed_lines(base, with("Binding 1", "Binding 2"), {.ignore_set_binding = true}), "");
  EXPECT_EQ(changed_lines(base, with("DescriptorSet 0", "DescriptorSet 2"), {.ignore_set_binding = true}), "");
  EXPECT_EQ(changed_lines(base, with("Location 0", "Location 3"), {.ignore_location = true}), "");
  EXPECT_NE(changed_lines(base, with("Location 0", "Location 3"), {.ignore_set_binding = true}), "");
  EXPECT_EQ(changed_lines(base, with("\"helper\"", "\"assist\""), {.ignore_debug = true}), "");
  EXPECT_EQ(changed_lines(base, with("%scale = OpLoad", "OpLine %file 3 0\n%scale = OpLoad"), {.ignore_debug = true}),
            "");
  // The names of what is compared come from the whole modules.
  EXPECT_EQ(changed_lines(base, with("Location 0", "Location 3"), {.ignore_debug = true}),
            "-OpDecorate %color Location 0\n+OpDecorate %color Location 3\n");
}

TEST(ModuleDiffs, compare_headers) {
  const WordBuffer left = assembled(base);
  WordBuffer right = left;
  right[1] = 0x10300;
  right[2] += 1;
  right[3] += 100;  // the bound has no meaning
  Diagnostics diagnostics;
  const Result<ModuleDiff> diff = ModuleDiff::compare(left, right, {}, diagnostics);
  ASSERT_TRUE(diff);
  EXPECT_TRUE(diff->version_differs());
  EXPECT_TRUE(diff->generator_differs());
  EXPECT_FALSE(diff->is_equal());
  EXPECT_TRUE(diff->changes().empty());
  StringSink sink;
  write_diff_text(*diff, {}, sink);
  EXPECT_THAT(sink.text(), HasSubstr("-; Version: 1.6\n+; Version: 1.3\n"));
  right[4] = 7;
  const Result<ModuleDiff> schema = ModuleDiff::compare(left, right, {}, diagnostics);
  ASSERT_TRUE(schema);
  EXPECT_TRUE(schema->schema_differs());
  right[4] = left[4];
  right[1] = left[1];
  const Result<ModuleDiff> without = ModuleDiff::compare(left, right, {.ignore_debug = true}, diagnostics);
  ASSERT_TRUE(without);
  EXPECT_TRUE(without->is_equal());
}

TEST(ModuleDiffs, pair_ids) {
  const WordBuffer left = assembled(base), right = assembled(with("OpSelectionMerge %merge None\n", ""));
  Diagnostics diagnostics;
  const Result<ModuleDiff> diff = ModuleDiff::compare(left, right, {}, diagnostics);
  ASSERT_TRUE(diff);
  const std::vector<IdPair> pairs = diff->id_pairs();
  EXPECT_GT(pairs.size(), 30u);
  const Module before = Module::read(left), after = Module::read(right);
  for (const IdPair& pair : pairs) EXPECT_EQ(before.find(pair.before).opcode, after.find(pair.after).opcode);
  EXPECT_TRUE(std::ranges::is_sorted(pairs, {}, &IdPair::before));
}

TEST(ModuleDiffs, refuse_words_that_cannot_be_decoded) {
  const WordBuffer good = assembled(base);
  Diagnostics diagnostics;
  EXPECT_FALSE(ModuleDiff::compare(Words(good).first(3), good, {}, diagnostics));
  WordBuffer bad = good;
  bad.back() = 0x0001FFFF;  // an unknown opcode
  EXPECT_FALSE(ModuleDiff::compare(good, bad, {}, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 2u);
}

// The second definition after a line is new: the line is not.
TEST(ModuleDiffs, do_not_repeat_a_line_for_a_new_definition) {
  const std::string before = with("%int = OpTypeInt", "OpLine %file 4 0\n%int = OpTypeInt");
  std::string after = before;
  after.insert(after.find("%half = "), "%new = OpTypeInt 16 0\n");
  EXPECT_EQ(changed_lines(before, after), "+%ushort = OpTypeInt 16 0\n");
  EXPECT_EQ(changed_lines(after, before), "-%ushort = OpTypeInt 16 0\n");
  // A definition that loses its line has changed.
  std::string without = before;
  without.insert(without.find("%half = "), "OpNoLine\n");
  EXPECT_NE(changed_lines(before, without), "");
}

TEST(ModuleDiffs, compare_continuations_with_what_they_continue) {
  const auto sources = [](std::string_view first, std::string_view second) {
    return with("OpName %main", "OpSource GLSL 450 %file \"one\"\nOpSourceContinued \"" + std::string(first) +
                                    "\"\nOpSource ESSL 310 %file \"two\"\nOpSourceContinued \"" + std::string(second) +
                                    "\"\nOpName %main");
  };
  EXPECT_EQ(changed_lines(sources("a", "b"), sources("a", "b")), "");
  EXPECT_NE(changed_lines(sources("a", "b"), sources("b", "a")), "");
  EXPECT_EQ(changed_lines(sources("a", "b"), sources("a", "c")),
            "-OpSourceContinued \"b\"\n+OpSourceContinued \"c\"\n");
}

// The disassembly of the second module calls another id %foo, and %new_foo is taken, too.
TEST(ModuleDiffs, give_new_ids_names_that_are_free) {
  const std::string before = with("OpName %color", "OpName %bool \"foo\"\nOpName %void \"new_foo\"\nOpName %color");
  std::string after = before;
  after.replace(after.find("OpName %bool"), 12, "OpName %new");
  after.insert(after.find("%half = "), "%new = OpTypeInt 16 0\n");
  EXPECT_EQ(changed_lines(before, after),
            "-OpName %foo \"foo\"\n+OpName %new_new_foo \"foo\"\n+%new_new_foo = OpTypeInt 16 0\n");
}

// Two modules of a header alone are equal; everything else is new.
TEST(ModuleDiffs, compare_with_nothing) {
  const WordBuffer all = assembled(base);
  const WordBuffer none(all.begin(), all.begin() + header_word_count);
  Diagnostics diagnostics;
  const Result<ModuleDiff> same = ModuleDiff::compare(none, none, {}, diagnostics);
  ASSERT_TRUE(same && same->is_equal());
  const Result<ModuleDiff> added = ModuleDiff::compare(none, all, {}, diagnostics);
  ASSERT_TRUE(added);
  EXPECT_EQ(added->changes().size(), Module::read(all).instruction_count());
  for (const ModuleChange& change : added->changes()) EXPECT_EQ(change.kind, ChangeKind::Added);
}

// The variables of a function are paired before the instructions that access them, whether or not they are typed.
TEST(ModuleDiffs, pair_untyped_variables_like_typed_ones) {
  const auto text_of = [](bool is_untyped, bool is_changed) {
    const std::string type =
        is_untyped ? "%local = OpTypeUntypedPointerKHR Function\n" : "%local = OpTypePointer Function %float\n";
    const std::string variable =
        is_untyped ? " = OpUntypedVariableKHR %local Function %float\n" : " = OpVariable %local Function\n";
    std::string code = "%m = OpLabel\n";
    if (is_changed) code += "%v9" + variable;
    for (const char* name : {"%v1", "%v2", "%v3"}) code += name + variable;
    if (is_changed) code += "OpStore %v9 %half\n";
    code +=
        "OpStore %v1 %half\n%l1 = OpLoad %float %v1\nOpStore %v2 %l1\n%l2 = OpLoad %float %v2\n"
        "%l3 = OpFAdd %float %l1 %l2\nOpStore %v3 %l3\n%l4 = OpLoad %float %v3\nOpStore %v1 %l4\n";
    if (is_changed) code += "%l9 = OpLoad %float %v9\nOpStore %v3 %l9\n";
    std::string text = with("%m = OpLabel\n", code);
    return text.insert(text.find("%fn_float ="), type);
  };
  const auto lines_of = [&](bool is_untyped) {
    const std::string lines = changed_lines(text_of(is_untyped, false), text_of(is_untyped, true));
    return std::ranges::count(lines, '\n');
  };
  EXPECT_GT(lines_of(false), 0);
  EXPECT_EQ(lines_of(true), lines_of(false));
}

TEST(ModuleDiffs, are_coloured_on_request) {
  const WordBuffer left = assembled(base), right = assembled(with("%int 0", "%int 1"));
  Diagnostics diagnostics;
  const Result<ModuleDiff> diff = ModuleDiff::compare(left, right, {}, diagnostics);
  ASSERT_TRUE(diff);
  StringSink sink;
  write_diff_text(*diff, {.context = 0, .color = true}, sink);
  EXPECT_THAT(sink.text(), HasSubstr("\x1b[31m-%int_0 = OpConstant %int 0\x1b[0m\n\x1b[32m+%int_1"));
}

}  // namespace
}  // namespace vireo::spirv
