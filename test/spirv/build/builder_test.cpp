// SPDX-License-Identifier: Apache-2.0
//
// Tests the instructions that builder calls create. The expected value is the text of the module.
#include "vireo/spirv/build/builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/build/building.h"

namespace vireo::spirv {
namespace {

struct Case : testing::Test {
  Diagnostics diagnostics;
  Builder b{diagnostics};

  void model() { b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450); }
  /// Begins a function and a block, which both stay open.
  FunctionId open_function() {
    const TypeId nothing = b.OpTypeVoid();
    const FunctionId function = b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing));
    b.OpLabel();
    return function;
  }
  void close_function() {
    b.OpReturn();
    b.OpFunctionEnd();
  }
};
using Builds = Case;
using Misuse = Case;

TEST_F(Builds, the_smallest_shader) {
  const FunctionId main = open_function();
  close_function();
  b.OpExecutionMode(main, ExecutionModeWith::LocalSize(8, 4, 1));
  b.OpEntryPoint(ExecutionModel::GLCompute, main, "main");
  model();
  b.add_requirements();
  EXPECT_EQ(text_of(built(b, diagnostics)),
            "OpCapability Shader\n"
            "OpMemoryModel Logical GLSL450\n"
            "OpEntryPoint GLCompute %3 \"main\"\n"
            "OpExecutionMode %3 LocalSize 8 4 1\n"
            "%1 = OpTypeVoid\n"
            "%2 = OpTypeFunction %1\n"
            "%3 = OpFunction %1 None %2\n"
            "%4 = OpLabel\n"
            "OpReturn\n"
            "OpFunctionEnd\n");
}

// SPV_INTEL_memory_access_aliasing, in any order of calls.
TEST_F(Builds, alias_declarations_before_annotations) {
  model();
  const TypeId nothing = b.OpTypeVoid();
  b.OpDecorate(nothing, Decoration::Restrict);
  const AnyId domain = b.OpAliasDomainDeclINTEL();
  b.OpModuleProcessed("by a test");
  const AnyId scopes[] = {b.OpAliasScopeDeclINTEL(domain)};
  b.OpAliasScopeListDeclINTEL(scopes);
  EXPECT_EQ(text_of(built(b, diagnostics)),
            "OpMemoryModel Logical GLSL450\n"
            "OpModuleProcessed \"by a test\"\n"
            "%2 = OpAliasDomainDeclINTEL\n"
            "%3 = OpAliasScopeDeclINTEL %2\n"
            "%4 = OpAliasScopeListDeclINTEL %3\n"
            "OpDecorate %1 Restrict\n"
            "%1 = OpTypeVoid\n");
}

TEST_F(Builds, the_requested_header) {
  Builder old(diagnostics, {.version = {1, 2}, .generator = 0x1234});
  old.OpMemoryModel(AddressingModel::Logical, MemoryModel::Simple);
  const WordBuffer words = built(old, diagnostics);
  const TypeId type = old.OpTypeVoid();
  EXPECT_EQ(WordBuffer(words.begin(), words.begin() + 5), (WordBuffer{magic_number, 0x10200, 0x1234, 1, 0}));
  EXPECT_EQ(type.word, 1u);
  EXPECT_EQ(built(old, diagnostics)[3], 2u) << "the builder can be used after build()";
}

// Errors of calls have a number; errors of build() belong to no call.
TEST_F(Builds, errors_with_the_number_of_their_call) {
  const TypeId f32 = b.OpTypeFloat(32);
  const ValueId one = b.OpConstant(f32, 1.0);
  EXPECT_EQ(b.call_count(), 2u);
  b.OpFAdd(f32, one, one);
  b.instruction(static_cast<Op>(0x7fff), {});
  EXPECT_EQ(b.call_count(), 4u);
  EXPECT_FALSE(b.build().ok());
  EXPECT_EQ(b.call_count(), 4u);
  ASSERT_EQ(diagnostics.all().size(), 3u);
  ASSERT_EQ(diagnostics.all()[0].notes.size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].message, "OpFAdd: no block is open");
  EXPECT_EQ(diagnostics.all()[0].notes[0].message, "this is call 3 (call_count())");
  EXPECT_EQ(diagnostics.all()[1].notes[0].message, "this is call 4 (call_count())");
  EXPECT_EQ(diagnostics.all()[2].message, "the module has no OpMemoryModel");
  EXPECT_TRUE(diagnostics.all()[2].notes.empty());
}

TEST_F(Builds, a_header_without_a_tool_by_default) {
  model();
  EXPECT_EQ(built(b, diagnostics)[2], 0u);
}

// builder.h: C++ orders the elements of a braced list, but not the arguments of a call.
TEST_F(Builds, the_elements_of_a_braced_list_in_their_order) {
  model();
  const TypeId f32 = b.OpTypeFloat(32), vec2 = b.OpTypeVector(f32, 2);
  const ValueId x = b.OpConstant(f32, 1.0), y = b.OpConstant(f32, 2.0);
  const TypeId nothing = b.OpTypeVoid();
  b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing));
  b.OpLabel();
  b.OpCompositeConstruct(vec2, {b.OpFNegate(f32, x), b.OpFNegate(f32, y)});
  b.OpReturn();
  b.OpFunctionEnd();
  const std::string text = text_of(built(b, diagnostics));
  EXPECT_LT(text.find("OpFNegate %1 %3"), text.find("OpFNegate %1 %4")) << text;
}

TEST_F(Builds, equal_types_and_constants_once) {
  model();
  const TypeId u32 = b.OpTypeInt(32, 0), f32 = b.OpTypeFloat(32);
  EXPECT_EQ(b.OpTypeInt(32, 0), u32);
  EXPECT_NE(b.OpTypeInt(32, 1), u32);
  EXPECT_EQ(b.OpConstant(u32, 7), b.OpConstant(u32, 7u));
  EXPECT_NE(b.OpConstant(u32, 7), b.OpConstant(u32, 8));
  EXPECT_EQ(b.OpTypePointer(StorageClass::Uniform, f32), b.OpTypePointer(StorageClass::Uniform, f32));
  EXPECT_EQ(b.OpExtInstImport("GLSL.std.450"), b.OpExtInstImport("GLSL.std.450"));
  EXPECT_NE(b.OpSpecConstant(u32, 7), b.OpSpecConstant(u32, 7)) << "each has its own number outside";
  b.OpCapability(Capability::Shader);
  b.OpCapability(Capability::Shader);
  const std::string text = text_of(built(b, diagnostics));
  EXPECT_EQ(text.find("OpCapability"), text.rfind("OpCapability"));
}

// Such a constant is usable only in its block and in blocks that it dominates, and the builder does not track
// dominance.
TEST_F(Builds, constants_in_a_block_only_for_that_block) {
  model();
  const TypeId type = b.OpTypePipeStorage();
  const auto storage = [&] { return b.OpConstantPipeStorage(type, 1, 1, 1).word; };
  std::vector<Word> ids;
  for (int function = 0; function < 2; ++function) {
    open_function();
    ids.push_back(storage());
    b.OpReturn();
    b.OpLabel();
    ids.push_back(storage());
    close_function();
  }
  ids.push_back(storage());
  EXPECT_EQ(storage(), ids.back()) << "no function is open";
  const std::string text = text_of(built(b, diagnostics));
  for (const Word id : ids) {
    EXPECT_EQ(std::ranges::count(ids, id), 1) << id;
    EXPECT_NE(text.find(fmt::format("\n%{} = OpConstantPipeStorage ", id)), std::string::npos) << text;
  }
}

TEST_F(Builds, structures_and_decorated_types_without_merging) {
  model();
  const TypeId u32 = b.OpTypeInt(32, 0);
  EXPECT_NE(b.OpTypeStruct({u32}), b.OpTypeStruct({u32}));
  EXPECT_NE(b.OpTypeRuntimeArray(u32), b.OpTypeRuntimeArray(u32));
  const TypeId pointer = b.OpTypePointer(StorageClass::StorageBuffer, u32);
  b.OpDecorate(pointer, DecorationWith::ArrayStride(4));
  const TypeId plain = b.OpTypePointer(StorageClass::StorageBuffer, u32);
  EXPECT_NE(plain, pointer);
  EXPECT_EQ(b.OpTypePointer(StorageClass::StorageBuffer, u32), plain);

  Builder merging(diagnostics, {.merge_aggregates = true});
  const TypeId f32 = merging.OpTypeFloat(32);
  EXPECT_EQ(merging.OpTypeStruct({f32, f32}), merging.OpTypeStruct({f32, f32}));
}

TEST_F(Builds, local_variables_first_and_others_among_the_globals) {
  model();
  const TypeId f32 = b.OpTypeFloat(32);
  const TypeId local = b.OpTypePointer(StorageClass::Function, f32),
               shared = b.OpTypePointer(StorageClass::Private, f32);
  open_function();
  const LabelId next = b.reserve<LabelId>();
  b.OpBranch(next);
  b.begin_block(next);
  const ValueId x = b.OpVariable(local, StorageClass::Function);
  const ValueId y = b.OpVariable(shared, StorageClass::Private);
  b.OpStore(x, b.OpLoad(f32, y, {.mask = MemoryAccess::Volatile, .Aligned = 4}));
  close_function();
  EXPECT_EQ(text_of(built(b, diagnostics)),
            "OpMemoryModel Logical GLSL450\n"
            "%1 = OpTypeFloat 32\n"
            "%2 = OpTypePointer Function %1\n"
            "%3 = OpTypePointer Private %1\n"
            "%4 = OpTypeVoid\n"
            "%5 = OpTypeFunction %4\n"
            "%10 = OpVariable %3 Private\n"
            "%6 = OpFunction %4 None %5\n"
            "%7 = OpLabel\n"
            "%9 = OpVariable %2 Function\n"
            "OpBranch %8\n"
            "%8 = OpLabel\n"
            "%11 = OpLoad %1 %10 Volatile|Aligned 4\n"
            "OpStore %9 %11\n"
            "OpReturn\n"
            "OpFunctionEnd\n");
}

TEST_F(Builds, declarations_before_definitions) {
  model();
  const FunctionId defined = open_function();
  close_function();
  const TypeId nothing = b.OpTypeVoid();
  const FunctionId declared = b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing));
  b.OpFunctionEnd();
  const WordBuffer words = built(b, diagnostics);
  const Module module = Module::read(words);
  ASSERT_EQ(module.functions().size(), 2u);
  EXPECT_EQ(module.functions()[0].id, declared.word);
  EXPECT_EQ(module.functions()[1].id, defined.word);
}

TEST_F(Builds, numbers_as_wide_as_their_types) {
  model();
  const TypeId i16 = b.OpTypeInt(16, 1), u64 = b.OpTypeInt(64, 0), f16 = b.OpTypeFloat(16), f64 = b.OpTypeFloat(64),
               f32 = b.OpTypeFloat(32);
  b.OpConstant(i16, -2);
  b.OpConstant(u64, 0x100000002ull);
  b.OpConstant(f16, 1.5);
  b.OpConstant(f64, -0.25);
  b.OpConstant(f32, 0.5f);
  b.OpConstant(f32, Number::of_bits(0x7fc00001));
  EXPECT_EQ(text_of(built(b, diagnostics)),
            "OpMemoryModel Logical GLSL450\n"
            "%1 = OpTypeInt 16 1\n"
            "%2 = OpTypeInt 64 0\n"
            "%3 = OpTypeFloat 16\n"
            "%4 = OpTypeFloat 64\n"
            "%5 = OpTypeFloat 32\n"
            "%6 = OpConstant %1 -2\n"
            "%7 = OpConstant %2 4294967298\n"
            "%8 = OpConstant %3 0x1.8p+0\n"
            "%9 = OpConstant %4 -0.25\n"
            "%10 = OpConstant %5 0.5\n"
            "%11 = OpConstant %5 0x1.800002p+128\n");
}

TEST_F(Builds, a_loop_with_a_value_from_its_continue_target) {
  model();
  const TypeId i32 = b.OpTypeInt(32, 1), truth = b.OpTypeBool();
  const ValueId zero = b.OpConstant(i32, 0), one = b.OpConstant(i32, 1), ten = b.OpConstant(i32, 10);
  const TypeId nothing = b.OpTypeVoid();
  b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing));
  const LabelId entry = b.OpLabel();
  const ValueId next = b.reserve<ValueId>();
  ValueId i;
  b.loop({.header =
              [&](const Loop& loop) {
                i = b.OpPhi(i32, {{zero, entry}, {next, loop.continue_target}});
              },
          .condition = [&] { return b.OpSLessThan(truth, i, ten); },
          .body = [&](const Loop& loop) { b.if_then(b.OpIEqual(truth, i, one), [&] { b.OpBranch(loop.merge); }); },
          .step = [&](const Loop&) { b.giving(next).OpIAdd(i32, i, one); },
          .control = {LoopControl::Unroll}});
  close_function();
  EXPECT_EQ(text_of(built(b, diagnostics)),
            "OpMemoryModel Logical GLSL450\n"
            "%1 = OpTypeInt 32 1\n"
            "%2 = OpTypeBool\n"
            "%3 = OpConstant %1 0\n"
            "%4 = OpConstant %1 1\n"
            "%5 = OpConstant %1 10\n"
            "%6 = OpTypeVoid\n"
            "%7 = OpTypeFunction %6\n"
            "%8 = OpFunction %6 None %7\n"
            "%9 = OpLabel\n"
            "OpBranch %11\n"
            "%11 = OpLabel\n"
            "%15 = OpPhi %1 %3 %9 %10 %12\n"
            "OpLoopMerge %13 %12 Unroll\n"
            "OpBranch %14\n"
            "%14 = OpLabel\n"
            "%17 = OpSLessThan %2 %15 %5\n"
            "OpBranchConditional %17 %16 %13\n"
            "%16 = OpLabel\n"
            "%18 = OpIEqual %2 %15 %4\n"
            "OpSelectionMerge %20 None\n"
            "OpBranchConditional %18 %19 %20\n"
            "%19 = OpLabel\n"
            "OpBranch %13\n"
            "%20 = OpLabel\n"
            "OpBranch %12\n"
            "%12 = OpLabel\n"
            "%10 = OpIAdd %1 %15 %4\n"
            "OpBranch %11\n"
            "%13 = OpLabel\n"
            "OpReturn\n"
            "OpFunctionEnd\n");
}

// The operands are created in the expression that uses the reserved id; they do not get this id.
TEST_F(Builds, a_reserved_id_goes_to_the_outermost_call) {
  model();
  const FunctionId main = b.reserve<FunctionId>();
  const ValueId sum = b.reserve<ValueId>();
  EXPECT_EQ(b.giving(main).OpFunction(b.OpTypeVoid(), FunctionControl::None, b.OpTypeFunction(b.OpTypeVoid())), main);
  b.OpLabel();
  const TypeId i32 = b.OpTypeInt(32, 1);
  EXPECT_EQ(b.giving(sum).OpIAdd(i32, b.OpConstant(i32, 1), b.OpConstant(i32, 2)), sum);
  const ValueId root = b.reserve<ValueId>();
  const TypeId f32 = b.OpTypeFloat(32);
  EXPECT_EQ(b.giving(root).ext(GLSL_std_450::Sqrt, f32, {b.OpConstant(f32, 2.0)}), root);
  close_function();
  EXPECT_FALSE(built(b, diagnostics).empty());
}

TEST_F(Builds, a_switch_over_a_wide_selector) {
  model();
  const TypeId u64 = b.OpTypeInt(64, 0);
  const ValueId selector = b.OpConstant(u64, 5);
  open_function();
  b.switch_on(selector, {{{1, 0x100000000ull}, [&] { b.OpNop(); }}, {{3}, [&] { b.OpReturn(); }}}, [&] { b.OpKill(); });
  close_function();
  const std::string text = text_of(built(b, diagnostics));
  EXPECT_NE(text.find("OpSwitch %2 %8 1 %9 4294967296 %9 3 %10\n"), std::string::npos) << text;
}

TEST_F(Builds, extended_instructions_import_their_set_once) {
  model();
  const TypeId f32 = b.OpTypeFloat(32), nothing = b.OpTypeVoid();
  const ValueId x = b.OpConstant(f32, 2.0);
  const SetId debug = b.OpExtInstImport("NonSemantic.Shader.DebugInfo.100");
  b.ext(NonSemantic_Shader_DebugInfo::DebugInfoNone, nothing, {});
  open_function();
  b.ext(GLSL_std_450::FMax, f32, {b.ext(GLSL_std_450::Sqrt, f32, {x}), x});
  b.ext(OpenCL_std::vloadn, f32, {x, x, OpenOperand::literal(2)});
  close_function();
  const std::string text = text_of(built(b, diagnostics));
  EXPECT_EQ(debug.word, 4u);
  EXPECT_NE(text.find("= OpExtInst %2 %4 DebugInfoNone\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Sqrt %3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("vloadn %3 %3 2\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("GLSL.std.450"), text.rfind("GLSL.std.450")) << text;
}

// An instruction that refers to nothing in the function is placed among the globals.
TEST_F(Builds, annotations_of_a_function_after_it) {
  model();
  const TypeId nothing = b.OpTypeVoid();
  const FunctionId main = open_function();
  close_function();
  const ValueId remark = b.ext("NonSemantic.Unheard.Of", 1, nothing, {main});
  b.ext("NonSemantic.Unheard.Of", 2, nothing, {remark});
  b.ext("NonSemantic.Unheard.Of", 3, nothing, {});
  EXPECT_EQ(text_of(built(b, diagnostics)),
            "%5 = OpExtInstImport \"NonSemantic.Unheard.Of\"\n"
            "OpMemoryModel Logical GLSL450\n"
            "%1 = OpTypeVoid\n"
            "%2 = OpTypeFunction %1\n"
            "%8 = OpExtInst %1 %5 3\n"
            "%3 = OpFunction %1 None %2\n"
            "%4 = OpLabel\n"
            "OpReturn\n"
            "OpFunctionEnd\n"
            "%6 = OpExtInst %1 %5 1 %3\n"
            "%7 = OpExtInst %1 %5 2 %6\n");
}

TEST_F(Builds, lines_with_their_instructions) {
  model();
  const StringId file = b.OpString("a.comp");
  b.OpLine(file, 1, 2);
  const TypeId nothing = b.OpTypeVoid();
  const TypeId type = b.OpTypeFunction(nothing);
  b.OpLine(file, 3, 4);
  b.OpFunction(nothing, FunctionControl::None, type);
  b.OpLine(file, 5, 6);
  b.OpLabel();
  close_function();
  EXPECT_EQ(text_of(built(b, diagnostics)),
            "OpMemoryModel Logical GLSL450\n"
            "%1 = OpString \"a.comp\"\n"
            "OpLine %1 1 2\n"
            "%2 = OpTypeVoid\n"
            "%3 = OpTypeFunction %2\n"
            "OpLine %1 3 4\n"
            "%4 = OpFunction %2 None %3\n"
            "OpLine %1 5 6\n"
            "%5 = OpLabel\n"
            "OpReturn\n"
            "OpFunctionEnd\n");
}

TEST_F(Builds, pending_lines_survive_instructions_of_other_sections) {
  model();
  const StringId file = b.OpString("a.comp");
  const TypeId nothing = b.OpTypeVoid();
  const auto call = [&] { b.ext("NonSemantic.Unheard.Of", 1, nothing, {}); };
  call();
  b.OpCapability(Capability::Shader);
  b.OpLine(file, 1, 2);
  b.OpCapability(Capability::Shader);
  call();
  b.OpLine(file, 3, 4);
  b.OpTypeVoid();  // the type already exists, so the line information is dropped
  call();
  EXPECT_EQ(text_of(built(b, diagnostics)),
            "OpCapability Shader\n"
            "%3 = OpExtInstImport \"NonSemantic.Unheard.Of\"\n"
            "OpMemoryModel Logical GLSL450\n"
            "%1 = OpString \"a.comp\"\n"
            "%2 = OpTypeVoid\n"
            "%4 = OpExtInst %2 %3 1\n"
            "OpLine %1 1 2\n"
            "%5 = OpExtInst %2 %3 1\n"
            "%6 = OpExtInst %2 %3 1\n");
}

TEST_F(Builds, optional_operands_from_the_left) {
  model();
  const TypeId f32 = b.OpTypeFloat(32);
  const TypeId pointer = b.OpTypePointer(StorageClass::Private, f32);
  const ValueId from = b.OpVariable(pointer, StorageClass::Private), to = b.OpVariable(pointer, StorageClass::Private);
  open_function();
  b.OpCopyMemory(to, from);
  b.OpCopyMemory(to, from, {}, {.Aligned = 8});
  close_function();
  const std::string text = text_of(built(b, diagnostics));
  EXPECT_NE(text.find("OpCopyMemory %4 %3\nOpCopyMemory %4 %3 None Aligned 8\n"), std::string::npos) << text;
}

// --- misuse ----------------------------------------------------------------------------------------------------------

using Rules = std::vector<std::string_view>;

TEST_F(Misuse, instructions_outside_of_a_block) {
  model();
  const TypeId f32 = b.OpTypeFloat(32);
  const ValueId x = b.OpConstant(f32, 1.0);
  const ValueId sum = b.OpFAdd(f32, x, x);
  b.OpReturn();
  b.OpLabel();
  b.OpFunctionEnd();
  b.OpFunctionParameter(f32);
  EXPECT_EQ(rules_of(diagnostics), (Rules{"outside-of-block", "outside-of-block", "outside-of-function",
                                          "outside-of-function", "outside-of-function"}));
  open_function();
  b.OpFAdd(f32, sum, sum);  // the rejected instruction is not reported again where its id is used
  close_function();
  EXPECT_EQ(diagnostics.error_count(), 5u);
  EXPECT_FALSE(b.build()) << "a module with a hole is none";
}

TEST_F(Misuse, a_block_that_is_not_ended_and_one_that_is_ended_twice) {
  model();
  open_function();
  b.OpLabel();
  b.OpReturn();
  b.OpReturn();
  b.OpFunctionEnd();
  EXPECT_EQ(rules_of(diagnostics), (Rules{"block-not-ended", "outside-of-block"}));
}

TEST_F(Misuse, unfinished_blocks_and_functions) {
  open_function();
  (void)b.reserve<LabelId>();
  EXPECT_FALSE(b.build());
  EXPECT_EQ(rules_of(diagnostics), (Rules{"block-not-ended", "function-not-ended", "memory-model", "undefined-id"}));
}

TEST_F(Misuse, ids_of_another_builder) {
  model();
  Builder other(diagnostics);
  for (int i = 0; i < 9; ++i) (void)other.reserve<TypeId>();
  b.OpTypeVector(other.OpTypeFloat(32), 4);
  b.OpTypeVector(TypeId(), 4);
  const TypeId f32 = b.OpTypeFloat(32);
  b.OpConstantNull(TypeId(b.OpConstant(f32, 1.0)));
  EXPECT_EQ(rules_of(diagnostics), (Rules{"foreign-id", "foreign-id", "foreign-id"}));
}

TEST_F(Misuse, reserved_ids) {
  model();
  const ValueId value = b.reserve<ValueId>();
  const TypeId f32 = b.OpTypeFloat(32);
  b.giving(value).OpTypeVoid();
  b.giving(value).OpName(f32, "float");
  b.giving(value).OpConstant(f32, 1.0);
  b.giving(value).OpConstant(f32, 2.0);
  b.giving(AnyId(4711)).OpTypeBool();
  EXPECT_EQ(rules_of(diagnostics), (Rules{"foreign-id", "undefined-id", "duplicate-id", "foreign-id"}));
}

TEST_F(Misuse, literals_that_do_not_fit) {
  const TypeId u8 = b.OpTypeInt(8, 0), i8 = b.OpTypeInt(8, 1), f32 = b.OpTypeFloat(32), f16 = b.OpTypeFloat(16);
  b.OpConstant(u8, 255);
  b.OpConstant(i8, -128);
  b.OpConstant(i8, 127);
  EXPECT_FALSE(diagnostics.has_errors());
  b.OpConstant(u8, 256);
  b.OpConstant(u8, -1);
  b.OpConstant(i8, 128);
  b.OpConstant(i8, -129);
  b.OpConstant(u8, 1.0);
  b.OpConstant(f32, 1);
  b.OpConstant(f16, 1e9);
  b.OpConstant(b.OpTypeVoid(), 1);
  EXPECT_EQ(rules_of(diagnostics), (Rules{"literal-range", "literal-range", "literal-range", "literal-range",
                                          "literal-range", "literal-range", "literal-range", "literal-type-unknown"}));
}

TEST_F(Misuse, parameters_that_are_missing) {
  const TypeId f32 = b.OpTypeFloat(32);
  const ValueId pointer = b.OpVariable(b.OpTypePointer(StorageClass::Private, f32), StorageClass::Private);
  b.OpDecorate(pointer, DecorationWith(Decoration::Location, {}));
  b.OpDecorate(pointer, Decoration::NoPerspective);
  open_function();
  b.OpLoad(f32, pointer, {MemoryAccess::Aligned});
  EXPECT_EQ(rules_of(diagnostics), (Rules{"missing-operand", "missing-operand"}));
  EXPECT_EQ(diagnostics.all()[0].message,
            "OpDecorate: Decoration Location lacks its parameters: write DecorationWith::Location(...)");
}

TEST_F(Misuse, extended_instructions) {
  const TypeId f32 = b.OpTypeFloat(32);
  const ValueId x = b.OpConstant(f32, 1.0);
  open_function();
  b.ext(GLSL_std_450::Sqrt, f32, {});
  b.ext(GLSL_std_450::Sqrt, f32, {x, x});
  b.ext(GLSL_std_450::Sqrt, f32, {OpenOperand::literal(1)});
  b.ext("GLSL.std.450", 9999, f32, {x});
  b.ext(NonSemantic_Shader_DebugInfo::DebugInfoNone, f32, {});
  EXPECT_EQ(rules_of(diagnostics), (Rules{"missing-operand", "surplus-operand", "missing-operand",
                                          "unknown-extended-instruction", "set-not-imported"}));
}

TEST_F(Misuse, a_merge_without_its_branch) {
  open_function();
  const LabelId merge = b.reserve<LabelId>();
  b.OpSelectionMerge(merge, SelectionControl::None);
  b.OpNop();
  b.OpSelectionMerge(merge, SelectionControl::None);
  b.OpBranch(merge);
  EXPECT_EQ(rules_of(diagnostics), (Rules{"merge-without-branch", "merge-without-branch"}));
}

TEST_F(Misuse, strings_with_a_nul_and_instructions_that_are_too_long) {
  b.OpExtension(std::string_view("SPV\0_x", 6));
  const TypeId f32 = b.OpTypeFloat(32);
  b.OpTypeStruct(std::vector<TypeId>(70'000, f32));
  EXPECT_EQ(rules_of(diagnostics), (Rules{"bad-string", "instruction-too-long"}));
}

TEST_F(Misuse, a_second_memory_model) {
  model();
  model();
  EXPECT_EQ(rules_of(diagnostics), (Rules{"memory-model"}));
}

}  // namespace
}  // namespace vireo::spirv
