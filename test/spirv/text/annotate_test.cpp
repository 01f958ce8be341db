// SPDX-License-Identifier: Apache-2.0
//
// Annotations: the text for each kind of instruction, and safe output for any module.
//
// A case is annotated text. It is assembled (the assembler ignores comments) and each instruction is annotated. The
// result must be the comment at the end of its line; a line without a comment must get none.
#include "spirv/text/annotate/annotate.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/text/modules.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_remark_bytes = 120;

enum class Ids { Raw, Friendly };

std::vector<std::string> remarks_of(Words module, Ids ids) {
  const Grammar& grammar = builtin_grammar();
  const IdNames names = ids == Ids::Friendly ? IdNames::friendly(module, grammar) : IdNames{};
  OperandDecoder decoder(grammar, module.size() > 3 ? module[3] : 0, module.size());
  Annotator annotator(module, grammar, names);
  std::vector<std::string> remarks;
  for (const InstructionView instruction : Instructions(module)) {
    std::string remark = "left over";
    if (is_decodable(decoder.decode(instruction))) annotator.annotate(instruction, decoder, remark);
    remarks.push_back(remark);
  }
  return remarks;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

void check(std::string_view text, Ids ids = Ids::Raw) {
  const WordBuffer module = module_of(text);
  const std::vector<std::string> remarks = remarks_of(module, ids);
  std::size_t ordinal = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (without_blanks(line).empty()) continue;
    const std::size_t semicolon = line.find(" ; ");
    const std::string_view expected =
        semicolon == std::string_view::npos ? "" : without_blanks(line.substr(semicolon + 3));
    ASSERT_LT(ordinal, remarks.size()) << line;
    EXPECT_EQ(remarks[ordinal++], expected) << line;
  }
  EXPECT_EQ(ordinal, remarks.size());
}

constexpr std::string_view specification_example = R"(
      OpCapability Shader
 %1 = OpExtInstImport "GLSL.std.450"
      OpMemoryModel Logical GLSL450
      OpEntryPoint Fragment %4 "main" %31 %33 %42 %57 ; uses color, color1, color2, multiplier
      OpExecutionMode %4 OriginLowerLeft ; of main
      OpSource GLSL 450
      OpName %4 "main"
      OpName %9 "scale"
      OpName %17 "S"
      OpMemberName %17 0 "b"
      OpMemberName %17 1 "v"
      OpMemberName %17 2 "i"
      OpName %18 "blockName"
      OpMemberName %18 0 "s"
      OpMemberName %18 1 "cond"
      OpName %20 ""
      OpName %31 "color"
      OpName %33 "color1"
      OpName %42 "color2"
      OpName %48 "i"
      OpName %57 "multiplier"
      OpDecorate %15 ArrayStride 16
      OpMemberDecorate %17 0 Offset 0 ; of S.b
      OpDecorate %18 Block ; of blockName
      OpDecorate %20 DescriptorSet 0
      OpDecorate %20 Binding 3
      OpDecorate %42 NoPerspective ; of color2
 %2 = OpTypeVoid
 %3 = OpTypeFunction %2 ; void ()
 %6 = OpTypeFloat 32 ; 32-bit float
 %7 = OpTypeVector %6 4 ; vec4
 %8 = OpTypePointer Function %7 ; function-local vec4*
%10 = OpConstant %6 1
%11 = OpConstant %6 2
%12 = OpConstantComposite %7 %10 %10 %11 %10 ; vec4(1.0, 1.0, 2.0, 1.0)
%13 = OpTypeInt 32 0 ; 32-bit int, sign-less
%14 = OpConstant %13 5
%15 = OpTypeArray %7 %14 ; array<vec4, 5>
%16 = OpTypeInt 32 1 ; 32-bit int, signed
%17 = OpTypeStruct %13 %15 %16 ; struct S { u32 b; array<vec4, 5> v; i32 i }
%18 = OpTypeStruct %17 %13 ; struct blockName { S s; u32 cond }
%19 = OpTypePointer Uniform %18 ; uniform blockName*
%20 = OpVariable %19 Uniform ; uniform block blockName, set 0 binding 3
%21 = OpConstant %16 1
%22 = OpTypePointer Uniform %13 ; uniform u32*
%25 = OpTypeBool
%26 = OpConstant %13 0
%30 = OpTypePointer Output %7 ; output vec4*
%31 = OpVariable %30 Output ; color: output vec4
%32 = OpTypePointer Input %7 ; input vec4*
%33 = OpVariable %32 Input ; color1: input vec4
%35 = OpConstant %16 0
%36 = OpConstant %16 2
%37 = OpTypePointer Uniform %7 ; uniform vec4*
%42 = OpVariable %32 Input ; color2: input vec4
%47 = OpTypePointer Function %16 ; function-local i32*
%55 = OpConstant %16 4
%57 = OpVariable %32 Input ; multiplier: input vec4
 %4 = OpFunction %2 None %3 ; void main()
 %5 = OpLabel
 %9 = OpVariable %8 Function ; scale: function-local vec4
%48 = OpVariable %47 Function ; i: function-local i32
      OpStore %9 %12 ; store vec4(1.0, 1.0, 2.0, 1.0) to scale
%23 = OpAccessChain %22 %20 %21 ; location of cond
%24 = OpLoad %13 %23 ; load from cond
%27 = OpINotEqual %25 %24 %26 ; cond != 0
      OpSelectionMerge %29 None ; structured if
      OpBranchConditional %27 %28 %41 ; if cond != 0
%28 = OpLabel ; then
%34 = OpLoad %7 %33 ; load from color1
%38 = OpAccessChain %37 %20 %35 %21 %36 ; location of s.v[2]
%39 = OpLoad %7 %38 ; load from s.v[2]
%40 = OpFAdd %7 %34 %39 ; color1 + s.v[2]
      OpStore %31 %40 ; store to color
      OpBranch %29 ; to endif
%41 = OpLabel ; else
%43 = OpLoad %7 %42 ; load from color2
%44 = OpExtInst %7 %1 Sqrt %43 ; Sqrt(color2)
%45 = OpLoad %7 %9 ; load from scale
%46 = OpFMul %7 %44 %45 ; %44 * scale
      OpStore %31 %46 ; store to color
      OpBranch %29 ; to endif
%29 = OpLabel ; endif
      OpStore %48 %35 ; store 0 to i
      OpBranch %49
%49 = OpLabel ; loop header
      OpLoopMerge %51 %52 None ; structured loop
      OpBranch %53
%53 = OpLabel ; loop test
%54 = OpLoad %16 %48 ; load from i
%56 = OpSLessThan %25 %54 %55 ; i < 4
      OpBranchConditional %56 %50 %51 ; if i < 4 then body else break
%50 = OpLabel ; body
%58 = OpLoad %7 %57 ; load from multiplier
%59 = OpLoad %7 %31 ; load from color
%60 = OpFMul %7 %59 %58 ; color * multiplier
      OpStore %31 %60 ; store to color
      OpBranch %52 ; continue
%52 = OpLabel ; continue target
%61 = OpLoad %16 %48 ; load from i
%62 = OpIAdd %16 %61 %21 ; i + 1
      OpStore %48 %62 ; store to i
      OpBranch %49 ; loop back
%51 = OpLabel ; loop merge
      OpReturn
      OpFunctionEnd
)";

TEST(Annotate, explains_the_example_of_the_specification) { check(specification_example); }

TEST(Annotate, does_not_repeat_friendly_names) {
  check(R"(
          OpName %x "x"
          OpName %y "y"
          OpName %f "f"
 %float = OpTypeFloat 32 ; 32-bit float
   %ptr = OpTypePointer Private %float ; private f32*
     %c = OpConstant %float 2
     %x = OpVariable %ptr Private
     %y = OpVariable %ptr Private
  %void = OpTypeVoid
    %fn = OpTypeFunction %void ; void ()
     %f = OpFunction %void None %fn ; void f()
 %label = OpLabel
   %100 = OpLoad %float %x
   %101 = OpFAdd %float %100 %c ; x + 2.0
          OpStore %y %c
          OpStore %y %100 ; store x to y
          OpStore %y %101
          OpReturn
          OpFunctionEnd
)",
        Ids::Friendly);
}

TEST(Annotate, writes_types_as_shading_languages_do) {
  check(R"(
 %1 = OpTypeBool
 %2 = OpTypeInt 8 0 ; 8-bit int, sign-less
 %3 = OpTypeFloat 64 ; 64-bit float
 %4 = OpTypeFloat 16 BFloat16KHR ; 16-bit float, bfloat16
 %5 = OpTypeInt 32 0 ; 32-bit int, sign-less
 %6 = OpConstant %5 3
 %7 = OpConstant %5 2
%10 = OpTypeVector %1 3 ; bvec3
%11 = OpTypeVector %2 4 ; u8vec4
%12 = OpTypeVector %3 2 ; dvec2
%13 = OpTypeVector %4 2 ; vec2<bfloat16>
%14 = OpTypeMatrix %12 2 ; dmat2
%15 = OpTypeMatrix %12 4 ; dmat4x2
%16 = OpTypeArray %12 %6 ; array<dvec2, 3>
%17 = OpTypeArray %16 %7 ; array<array<dvec2, 3>, 2>
%18 = OpTypeRuntimeArray %17 ; array<array<array<dvec2, 3>, 2>>
%19 = OpTypePointer Workgroup %17 ; workgroup array<array<dvec2, 3>, 2>*
%20 = OpTypeArray %19 %6 ; array<array<array<dvec2, 3>, 2>*, 3>
%21 = OpTypeStruct %20 %5 ; struct { array<array<array<dvec2, 3>, 2>*, 3>; u32 }
%22 = OpTypeFunction %1 %21 %12 ; bool (%21, dvec2)
%23 = OpTypeFloat 32 ; 32-bit float
%24 = OpTypeImage %23 2D 1 1 0 1 Unknown ; texture2DArray
%25 = OpTypeSampledImage %24 ; sampler2DArrayShadow
%26 = OpTypeImage %5 3D 0 0 0 2 R32ui ; uimage3D
%27 = OpTypeImage %23 SubpassData 0 0 1 2 Unknown ; subpassInputMS
%28 = OpTypeSampler
)");
}

TEST(Annotate, writes_constants_by_value) {
  check(R"(
      OpDecorate %12 SpecId 3 ; of rate
      OpDecorate %13 SpecId 4
      OpDecorate %15 BuiltIn WorkgroupSize ; of gl_WorkGroupSize
      OpName %12 "rate"
 %1 = OpTypeFloat 32 ; 32-bit float
 %2 = OpTypeInt 32 1 ; 32-bit int, signed
 %3 = OpTypeInt 32 0 ; 32-bit int, sign-less
 %4 = OpTypeBool
 %5 = OpConstant %3 3
 %6 = OpTypeArray %2 %5 ; array<i32, 3>
 %7 = OpConstant %2 -1
 %8 = OpConstant %2 2
 %9 = OpConstantComposite %6 %7 %8 %8 ; array<i32, 3>{-1, 2, 2}
%10 = OpTypeFloat 16 ; 16-bit float
%11 = OpConstant %10 0x1.8p+1 ; 3.0
%12 = OpSpecConstant %1 1.5 ; spec 3, default 1.5
%13 = OpSpecConstantTrue %4 ; spec 4, default true
%14 = OpTypeVector %3 3 ; uvec3
%15 = OpSpecConstantComposite %14 %5 %5 %5 ; uvec3(3, 3, 3), workgroup size
%16 = OpTypeStruct %6 %1 ; struct { array<i32, 3>; f32 }
%17 = OpConstantComposite %16 %9 %12 ; %16{array<i32, 3>{-1, 2, 2}, rate}
%18 = OpConstantNull %6 ; null array<i32, 3>
%19 = OpConstantComposite %16 %18 %12 ; %16{null, rate}
%20 = OpConstant %3 3735928559 ; 0xdeadbeef
%21 = OpConstant %2 -559038737
%22 = OpSpecConstantOp %1 FNegate %12 ; -rate
%23 = OpConstant %10 0x1p+16 ; inf
%24 = OpTypeFloat 8 Float8E4M3EXT ; 8-bit float, fp8e4m3
%25 = OpConstant %24 0x1.cp+8 ; 448.0
%26 = OpConstant %1 0x1.8p+128
)");
}

TEST(Annotate, follows_access_paths) {
  check(R"(
       OpName %20 "buf"
       OpName %21 "n"
       OpMemberName %10 1 "items"
       OpMemberName %9 0 "position"
       OpDecorate %10 Block
       OpDecorate %21 BuiltIn VertexIndex ; of n
  %1 = OpTypeFloat 32 ; 32-bit float
  %2 = OpTypeInt 32 1 ; 32-bit int, signed
  %3 = OpConstant %2 0
  %4 = OpConstant %2 1
  %5 = OpConstant %2 2
  %8 = OpTypeVector %1 4 ; vec4
  %9 = OpTypeStruct %8 %2 ; struct { vec4 position; i32 }
 %11 = OpTypeRuntimeArray %9 ; array<%9>
 %10 = OpTypeStruct %2 %11 ; struct { i32; array<%9> items }
 %12 = OpTypePointer StorageBuffer %10 ; storage-buffer %10*
 %13 = OpTypePointer Input %2 ; input i32*
 %14 = OpTypePointer StorageBuffer %1 ; storage-buffer f32*
 %15 = OpTypePointer StorageBuffer %9 ; storage-buffer %9*
 %16 = OpTypePointer Private %15 ; private %9**
 %17 = OpTypePointer StorageBuffer %2 ; storage-buffer i32*
 %18 = OpVariable %16 Private ; private %9*
 %20 = OpVariable %12 StorageBuffer ; buf: storage buffer %10
 %21 = OpVariable %13 Input ; n: input i32, built-in VertexIndex
 %22 = OpTypeVoid
 %23 = OpTypeFunction %22 ; void ()
 %24 = OpFunction %22 None %23 ; void %24()
 %25 = OpLabel
 %30 = OpLoad %2 %21 ; load from n
 %31 = OpAccessChain %14 %20 %4 %30 %3 %5 ; location of buf.items[n].position.z
 %32 = OpLoad %1 %31 ; load from buf.items[n].position.z
 %33 = OpAccessChain %15 %20 %4 %5 ; location of buf.items[2]
 %34 = OpAccessChain %17 %33 %4 ; location of buf.items[2].1
       OpStore %34 %30 ; store n to buf.items[2].1
 %35 = OpLoad %2 %34 ; load from buf.items[2].1
 %36 = OpAccessChain %15 %20 %4 %35 ; location of buf.items[buf.items[2].1]
 %37 = OpLoad %9 %36 ; load from buf.items[buf.items[2].1]
 %38 = OpCompositeExtract %1 %37 0 3 ; buf.items[buf.items[2].1].position.w
 %39 = OpIAdd %2 %30 %30 ; n + n
 %40 = OpAccessChain %15 %20 %4 %39 ; location of buf.items[%39]
 %41 = OpLoad %15 %18
 %42 = OpPtrAccessChain %15 %41 %5 ; location of %18[2]
 %43 = OpLoad %9 %41 ; load from *%18
 %44 = OpCompositeExtract %8 %37 0 ; buf.items[buf.items[2].1].position
 %45 = OpVectorShuffle %8 %44 %44 2 1 0 0 ; buf.items[buf.items[2].1].position.zyxx
       OpReturn
       OpFunctionEnd
)");
}

TEST(Annotate, names_the_parts_of_switches_and_kernel_loops) {
  check(R"(
       OpName %5 "mode"
  %1 = OpTypeVoid
  %2 = OpTypeInt 32 0 ; 32-bit int, sign-less
  %3 = OpTypeFunction %1 %2 ; void (u32)
  %6 = OpTypeBool
  %7 = OpConstant %2 10
  %4 = OpFunction %1 None %3 ; void %4(u32 mode)
  %5 = OpFunctionParameter %2 ; u32 mode
 %10 = OpLabel
       OpSelectionMerge %20 None ; structured switch
       OpSwitch %5 %11 1 %12 2 %12 7 %13 ; switch over mode
 %12 = OpLabel ; case 1, 2
       OpBranch %13 ; fall through
 %13 = OpLabel ; case 7
       OpBranch %20 ; end of switch
 %11 = OpLabel ; default
       OpBranch %20 ; end of switch
 %20 = OpLabel ; end of switch, loop header
 %21 = OpULessThan %6 %5 %7 ; mode < 10
       OpBranchConditional %21 %20 %22 ; if mode < 10 then loop back
 %22 = OpLabel
       OpReturn
       OpFunctionEnd
)");
}

TEST(Annotate, describes_calls_sources_and_workgroups) {
  check(R"(
        OpEntryPoint GLCompute %5 "main"
        OpExecutionMode %5 LocalSize 8 8 2 ; main: workgroup of 8 x 8 x 2 = 128 invocations
  %99 = OpString "/home/someone/shader.comp"
        OpName %5 "main"
        OpName %6 "shade(f1;vf4;"
        OpName %7 "amount"
   %1 = OpTypeVoid
   %2 = OpTypeFloat 32 ; 32-bit float
   %3 = OpTypeFunction %1 ; void ()
   %4 = OpTypeFunction %2 %2 ; f32 (f32)
  %10 = OpConstant %2 0.1
   %5 = OpFunction %1 None %3 ; void main()
  %11 = OpLabel
        OpLine %99 12 5 ; shader.comp:12:5
  %12 = OpFunctionCall %2 %6 %10 ; shade(amount: 0.1)
        OpNoLine
        OpReturn
        OpFunctionEnd
   %6 = OpFunction %2 None %4 ; f32 shade(f32 amount)
   %7 = OpFunctionParameter %2 ; f32 amount
  %13 = OpLabel
        OpReturnValue %7 ; return amount
        OpFunctionEnd
)");
}

TEST(Annotate, names_debug_instructions_that_the_line_numbers) {
  const WordBuffer module = module_of(R"(
   %1 = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
   %2 = OpExtInstImport "GLSL.std.450"
   %3 = OpString "dir/a.frag"
   %4 = OpString "count"
   %5 = OpTypeVoid
   %6 = OpTypeInt 32 0
   %7 = OpConstant %6 12
   %8 = OpExtInst %5 %1 DebugSource %3
   %9 = OpExtInst %5 %1 DebugTypeBasic %4 %7 %7 %7
  %10 = OpExtInst %5 %1 DebugLine %8 %7 %7 %7 %7
)");
  const std::vector<std::string> remarks = remarks_of(module, Ids::Raw);
  ASSERT_EQ(remarks.size(), 10u);
  EXPECT_TRUE(remarks[7].ends_with("a.frag")) << remarks[7];
  EXPECT_TRUE(remarks[8].ends_with("\"count\"")) << remarks[8];
  EXPECT_TRUE(remarks[9].ends_with("a.frag:12")) << remarks[9];
}

// ---- What can go wrong ----------------------------------------------------------------------------------------------

// Checks that an annotation is one line, of bounded length, without control bytes.
void check_is_tame(const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) {
    EXPECT_LE(remark.size(), max_remark_bytes) << remark;
    for (const char c : remark) EXPECT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7F) << remark;
  }
}

TEST(Annotate, keeps_hostile_names_on_one_short_line) {
  const std::string long_name(5000, 'n');
  const WordBuffer module =
      module_of("OpName %1 \"a\nb\x1b[31m\xff\"\nOpName %2 \"" + long_name +
                "\"\n%1 = OpTypeStruct\n%2 = OpTypeStruct %1 %1\n%3 = OpTypeStruct %2 %2 %2 %2 %2\n");
  const std::vector<std::string> remarks = remarks_of(module, Ids::Raw);
  check_is_tame(remarks);
  EXPECT_EQ(remarks[2], "struct a\\x0ab\\x1b[31m\\xff { }");
  EXPECT_TRUE(remarks[4].ends_with("..."));
}

// Each level doubles the length of the full text and also refers to itself.
TEST(Annotate, bounds_endless_nesting) {
  std::string text = "%1 = OpTypeFloat 32\n%2 = OpConstant %1 1\n%900001 = OpTypePointer Function %900001\n";
  for (int i = 3; i < 20000; i += 2) {
    const std::string before = std::to_string(i - 2);
    const std::string value = std::to_string(i - 1);
    text += '%' + std::to_string(i) + " = OpTypeFunction %" + before + " %" + before + " %900001\n";
    text += '%' + std::to_string(i + 1) + " = OpConstantComposite %" + std::to_string(i) + " %" + value + " %" + value +
            "\n";
  }
  const WordBuffer module = module_of(text);
  check_is_tame(remarks_of(module, Ids::Raw));
  check_is_tame(remarks_of(module, Ids::Friendly));
}

TEST(Annotate, accepts_any_words) {
  const WordBuffer whole = module_of(specification_example);
  for_each_broken_module(whole, 20260101, [](Words broken, int round) {
    check_is_tame(remarks_of(broken, round % 2 == 0 ? Ids::Raw : Ids::Friendly));
  });
}

TEST(Annotate, changes_only_comments) {
  const WordBuffer module = module_of(specification_example);
  DisassembleOptions options;
  options.annotate = true;
  options.friendly_names = false;
  StringSink sink;
  Diagnostics diagnostics;
  ASSERT_TRUE(disassemble(module, options, sink, diagnostics));
  EXPECT_NE(sink.text().find("; location of s.v[2]\n"), std::string::npos);
  AssembleOptions exact;
  exact.preserve_numeric_ids = true;
  exact.exact = true;
  const Result<WordBuffer> again = assemble({"annotated", sink.text()}, exact, diagnostics);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, module);
}

}  // namespace
}  // namespace vireo::spirv
