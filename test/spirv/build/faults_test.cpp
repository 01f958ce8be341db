// SPDX-License-Identifier: Apache-2.0
//
// The builder reports one diagnostic for each fault, and none without a fault.
//
// Each row consists of a few calls and the one rule that is reported for them. All calls start from the same small
// module, and the calls that complete it are valid. So every diagnostic comes from the row.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "spirv/build/building.h"

namespace vireo::spirv {
namespace {

/// The module with which every row starts.
struct FaultStart {
  Diagnostics diagnostics;
  Builder b{diagnostics};
  TypeId nothing = b.OpTypeVoid(), u32 = b.OpTypeInt(32, 0), f32 = b.OpTypeFloat(32), truth = b.OpTypeBool();
  ValueId one = b.OpConstant(u32, 1), half = b.OpConstant(f32, 0.5), yes = b.OpConstantTrue(truth);
  TypeId function = b.OpTypeFunction(nothing), local = b.OpTypePointer(StorageClass::Function, u32);
  StringId file = b.OpString("a.comp");

  void begin() {
    b.OpFunction(nothing, FunctionControl::None, function);
    b.OpLabel();
  }
  void end() {
    if (b.is_in_block()) b.OpReturn();
    b.OpFunctionEnd();
  }
};

struct FaultRow {
  const char* what;
  std::string_view rule;  ///< the only rule reported; empty: none
  std::function<void(FaultStart&)> calls;
};

void expect_rules(const FaultRow& row, FaultStart& start) {
  start.b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
  const bool is_built = start.b.build().ok();
  std::string found;
  for (const Diagnostic& d : start.diagnostics.all()) found += fmt::format("{}: {}\n", d.rule, d.message);
  EXPECT_EQ(is_built, row.rule.empty()) << row.what;
  EXPECT_EQ(rules_of(start.diagnostics), row.rule.empty() ? std::vector<std::string_view>() : std::vector{row.rule})
      << row.what << '\n'
      << found;
}

/// Runs each row in a module of its own, between functions.
template <std::size_t count>
void expect_outside(const FaultRow (&rows)[count]) {
  for (const FaultRow& row : rows) {
    FaultStart start;
    row.calls(start);
    expect_rules(row, start);
  }
}
/// Runs each row in a block of a function, followed by another function.
template <std::size_t count>
void expect_inside(const FaultRow (&rows)[count]) {
  for (const FaultRow& row : rows) {
    FaultStart start;
    start.begin();
    row.calls(start);
    start.end();
    start.begin();
    start.b.OpStore(start.one, start.one);
    start.end();
    expect_rules(row, start);
  }
}

TEST(Faults, finite_numbers_that_no_float_can_hold) {
  constexpr double largest = std::numeric_limits<float>::max();
  const FaultRow rows[] = {
      {"far beyond", "literal-range", [](FaultStart& s) { s.b.OpConstant(s.f32, 1e300); }},
      {"far below", "literal-range", [](FaultStart& s) { s.b.OpConstant(s.f32, -1e300); }},
      {"a tie to infinity", "literal-range", [](FaultStart& s) { s.b.OpConstant(s.f32, 0x1.ffffffp+127); }},
      {"the largest", "", [](FaultStart& s) { s.b.OpConstant(s.f32, largest); }},
      {"rounded to the largest", "", [](FaultStart& s) { s.b.OpConstant(s.f32, 0x1.fffffefp+127); }},
      {"infinity", "", [](FaultStart& s) { s.b.OpConstant(s.f32, std::numeric_limits<float>::infinity()); }},
      {"no number", "", [](FaultStart& s) { s.b.OpConstant(s.f32, std::nan("")); }},
      {"too small", "", [](FaultStart& s) { s.b.OpConstant(s.f32, 1e-300); }},
      {"as a double", "", [](FaultStart& s) { s.b.OpConstant(s.b.OpTypeFloat(64), 1e300); }},
  };
  expect_outside(rows);
}

constexpr auto literal = [](Word word) { return OpenOperand::literal(word); };

/// A decoration with any parameters, also with ones that it does not take.
DecorationWith with(Decoration decoration, std::vector<OpenOperand> parameters) {
  DecorationWith made(decoration, {});
  made.parameters = std::move(parameters);
  return made;
}

TEST(Faults, operands_that_depend_on_another_operand) {
  const FaultRow rows[] = {
      {"nothing", "missing-operand", [](FaultStart& s) { s.b.OpSpecConstantOp(s.u32, Op::OpIAdd, {}); }},
      {"too few", "missing-operand", [](FaultStart& s) { s.b.OpSpecConstantOp(s.u32, Op::OpIAdd, {s.one}); }},
      {"literals for ids", "missing-operand",
       [](FaultStart& s) {
         s.b.OpSpecConstantOp(s.u32, Op::OpIAdd, {literal(1), literal(2)});
       }},
      {"too many", "surplus-operand",
       [](FaultStart& s) {
         s.b.OpSpecConstantOp(s.u32, Op::OpIAdd, {s.one, s.one, s.one});
       }},
      {"an id for a literal", "missing-operand",
       [](FaultStart& s) {
         s.b.OpSpecConstantOp(s.u32, Op::OpCompositeExtract, {s.one, s.one});
       }},
      {"as it should be", "",
       [](FaultStart& s) {
         s.b.OpSpecConstantOp(s.u32, Op::OpIAdd, {s.one, s.one});
         s.b.OpSpecConstantOp(s.u32, Op::OpCompositeExtract, {s.one, literal(0), literal(1)});
       }},
      {"an opcode that may not be inside", "bad-spec-opcode",
       [](FaultStart& s) {
         s.b.OpSpecConstantOp(s.u32, Op::OpLoad, {s.one, s.one});
       }},
      {"one cut to 16 bits", "bad-spec-opcode",
       [](FaultStart& s) {
         s.b.instruction(Op::OpSpecConstantOp, WordBuffer{s.u32.word, 0x10080});
       }},
      {"parameters of one without any", "surplus-operand",
       [](FaultStart& s) {
         s.b.OpDecorate(s.one, with(Decoration::Block, {literal(1), literal(2)}));
       }},
      {"an id for the literal of an enumerant", "missing-operand",
       [](FaultStart& s) { s.b.OpDecorate(s.one, with(Decoration::Location, {s.one})); }},
      {"a parameter that no kind has", "unknown-enumerant",
       [](FaultStart& s) { s.b.OpDecorate(s.one, DecorationWith::BuiltIn(static_cast<BuiltIn>(4242))); }},
      {"an enumerant of no name, with parameters", "unknown-enumerant",
       [](FaultStart& s) { s.b.OpDecorate(s.one, with(static_cast<Decoration>(60000), {literal(1)})); }},
      {"too few for an extended one", "missing-operand",
       [](FaultStart& s) {
         s.begin();
         s.b.OpExtInst(s.f32, s.b.OpExtInstImport("GLSL.std.450"), 31, {});
         s.end();
       }},
      {"a literal for an unknown one", "missing-operand",
       [](FaultStart& s) { s.b.ext("NonSemantic.Unheard.Of", 1, s.nothing, {literal(1)}); }},
      {"an import without a set", "bad-string",
       [](FaultStart& s) { s.b.ext(std::string_view("a\0b", 3), 1, s.f32, {}); }},
  };
  expect_outside(rows);
}

TEST(Faults, enumerants_cast_from_numbers) {
  const FaultRow rows[] = {
      {"a storage class", "unknown-enumerant",
       [](FaultStart& s) { s.b.OpTypePointer(static_cast<StorageClass>(4242), s.u32); }},
      {"a bit of a mask", "unknown-enumerant",
       [](FaultStart& s) { s.b.OpLoad(s.u32, s.one, {.mask = static_cast<MemoryAccess>(0x40000000)}); }},
      {"a bit of a mask without parameters", "unknown-enumerant",
       [](FaultStart& s) {
         s.end();
         s.b.OpFunction(s.nothing, static_cast<FunctionControl>(0x40000000), s.function);
         s.b.OpLabel();
       }},
      {"an optional one", "unknown-enumerant",
       [](FaultStart& s) { s.b.OpTypeFloat(16, static_cast<FPEncoding>(4242)); }},
      {"several bits", "", [](FaultStart& s) { s.b.OpLoad(s.u32, s.one, {.mask = static_cast<MemoryAccess>(5)}); }},
  };
  expect_inside(rows);
}

TEST(Faults, consequences_of_a_fault_are_not_reported) {
  const auto bad = [](FaultStart& s) { return s.b.OpLoad(s.u32, ValueId(9999)); };
  const FaultRow rows[] = {
      {"a selector that was left out", "foreign-id",
       [&](FaultStart& s) {
         s.b.switch_on(bad(s), {{{1}, [&] { s.b.OpNop(); }}});
       }},
      {"a selector of a type that was left out", "foreign-id",
       [](FaultStart& s) {
         const TypeId type = s.b.OpTypeVector(TypeId(9999), 4);
         s.b.switch_on(s.b.OpUndef(type), {{{1}, [&] { s.b.OpNop(); }}});
       }},
      {"a constant of a type that was left out", "foreign-id",
       [](FaultStart& s) {
         const TypeId type = s.b.giving(AnyId(9999)).OpTypeInt(8, 0);
         s.b.OpConstant(type, 1);
       }},
      {"a number of words that was not enough", "missing-operand",
       [](FaultStart& s) { s.b.OpConstant(TypeId(s.b.instruction(Op::OpTypeInt, WordBuffer{8})), 1); }},
      {"a literal of a switch", "literal-range",
       [](FaultStart& s) {
         s.b.switch_on(s.one, {{{-1}, [&] { s.b.OpNop(); }}});
       }},
      {"a condition from elsewhere", "foreign-id",
       [](FaultStart& s) { s.b.if_else(ValueId(9999), [&] { s.b.OpNop(); }, {}); }},
      {"a branch after a merge", "foreign-id",
       [](FaultStart& s) {
         const auto merge = s.b.reserve<LabelId>();
         s.b.OpSelectionMerge(merge, SelectionControl::None);
         s.b.OpBranch(LabelId(9999));
         s.b.begin_block(merge);
       }},
      {"a merge from elsewhere", "foreign-id",
       [](FaultStart& s) {
         const auto merge = s.b.reserve<LabelId>();
         s.b.OpSelectionMerge(LabelId(9999), SelectionControl::None);
         s.b.OpBranch(merge);
         s.b.begin_block(merge);
       }},
      {"a label that is given twice", "duplicate-id",
       [](FaultStart& s) {
         const auto label = s.b.reserve<LabelId>();
         for (int i = 0; i < 2; ++i) {
           s.b.OpBranch(label);
           s.b.begin_block(label);
         }
         s.b.OpNop();
       }},
      {"a function of a type from elsewhere", "foreign-id",
       [](FaultStart& s) {
         s.end();
         s.b.OpFunction(TypeId(9999), FunctionControl::None, s.function);
         s.b.OpFunctionParameter(s.u32);
         s.b.OpLabel();
         s.b.OpVariable(s.local, StorageClass::Function);
       }},
      {"a function within one", "function-not-ended",
       [](FaultStart& s) {
         s.begin();
         s.b.OpNop();
       }},
      {"the end of a function amid a block", "block-not-ended", [](FaultStart& s) { s.b.OpFunctionEnd(), s.begin(); }},
      {"a function without a label", "outside-of-block",
       [](FaultStart& s) {
         s.end();
         s.b.OpFunction(s.nothing, FunctionControl::None, s.function);
         const ValueId variable = s.b.OpVariable(s.local, StorageClass::Function);
         s.b.OpStore(variable, s.b.OpLoad(s.u32, variable));
         s.b.ext(GLSL_std_450::Sqrt, s.f32, {s.half});
       }},
      {"a label after a merge", "merge-without-branch",
       [](FaultStart& s) {
         const auto merge = s.b.reserve<LabelId>();
         s.b.OpSelectionMerge(merge, SelectionControl::None);
         s.b.begin_block(merge);
         s.b.OpNop();
       }},
      {"a block after the end of one", "outside-of-block",
       [](FaultStart& s) {
         s.b.OpReturn();
         s.b.if_then(s.yes, [&] { s.b.OpNop(); });
       }},
      {"an id that was reserved for something else", "foreign-id",
       [](FaultStart& s) { s.b.giving(s.b.reserve<LabelId>()).OpIAdd(s.u32, s.one, s.one); }},
      {"an id for what has no result", "undefined-id",
       [](FaultStart& s) { s.b.giving(s.b.reserve<ValueId>()).OpNop(); }},
      {"a type that is given twice", "duplicate-id",
       [](FaultStart& s) {
         s.b.giving(s.u32).OpTypeInt(8, 0);
         s.b.OpConstant(s.u32, 7);
       }},
  };
  expect_inside(rows);
}

TEST(Faults, constructs_outside_of_blocks) {
  const FaultRow rows[] = {
      {"if_then", "outside-of-block", [](FaultStart& s) { s.b.if_then(s.yes, [&] { s.b.OpNop(); }); }},
      {"if_else", "outside-of-block",
       [](FaultStart& s) {
         s.b.if_else(
             s.yes, [&] { s.b.OpNop(); }, [&] { s.b.OpKill(); });
       }},
      {"an empty loop", "outside-of-block", [](FaultStart& s) { s.b.loop({}); }},
      {"constructs within constructs", "outside-of-block",
       [](FaultStart& s) {
         s.b.loop({.condition = [&] { return s.b.OpIEqual(s.truth, s.one, s.one); },
                   .body = [&](const Loop& loop) { s.b.if_then(s.yes, [&] { s.b.OpBranch(loop.merge); }); },
                   .step = [&](const Loop&) { s.b.OpNop(); }});
       }},
      {"switch_on", "outside-of-block",
       [](FaultStart& s) {
         s.b.switch_on(s.one, {{{1}, [&] { s.b.OpNop(); }}}, [&] { s.b.OpReturn(); });
       }},
  };
  expect_outside(rows);
  for (const FaultRow& row : rows) {
    FaultStart start;
    start.b.OpFunction(start.nothing, FunctionControl::None, start.function);
    row.calls(start);
    start.end();
    start.begin();
    start.end();
    expect_rules(row, start);
  }
}

TEST(Faults, extended_instructions_outside_of_blocks) {
  const FaultRow rows[] = {
      {"one that computes", "outside-of-block", [](FaultStart& s) { s.b.ext(GLSL_std_450::Sqrt, s.f32, {s.half}); }},
      {"the same by words", "outside-of-block",
       [](FaultStart& s) {
         const Word set = s.b.OpExtInstImport("GLSL.std.450").word;
         s.b.instruction(Op::OpExtInst, WordBuffer{s.f32.word, set, 31, s.half.word});
       }},
      {"one without semantics", "", [](FaultStart& s) { s.b.ext("NonSemantic.Unheard.Of", 1, s.nothing, {}); }},
      {"debug information", "", [](FaultStart& s) { s.b.ext("OpenCL.DebugInfo.100", 0, s.nothing, {}); }},
  };
  expect_outside(rows);
}

TEST(Faults, lines_after_a_merge) {
  const auto branch = [](FaultStart& s, const std::function<void()>& between) {
    const auto merge = s.b.reserve<LabelId>();
    s.b.OpSelectionMerge(merge, SelectionControl::None);
    between();
    s.b.OpBranchConditional(s.yes, merge, merge);
    s.b.begin_block(merge);
  };
  const FaultRow rows[] = {
      {"a line", "merge-without-branch", [&](FaultStart& s) { branch(s, [&] { s.b.OpLine(s.file, 1, 1); }); }},
      {"the end of a line", "merge-without-branch", [&](FaultStart& s) { branch(s, [&] { s.b.OpNoLine(); }); }},
      {"nothing", "", [&](FaultStart& s) { branch(s, [] {}); }},
  };
  expect_inside(rows);
}

TEST(Faults, ids_used_before_their_definition) {
  const FaultRow rows[] = {
      {"a type", "forward-reference",
       [](FaultStart& s) {
         const auto type = s.b.reserve<TypeId>();
         const TypeId pointer = s.b.OpTypePointer(StorageClass::Private, type);
         s.b.OpTypePointer(StorageClass::Uniform, type);
         s.b.OpVariable(pointer, StorageClass::Private);
         s.b.giving(type).OpTypeVector(s.u32, 3);
       }},
      {"a type in itself", "forward-reference",
       [](FaultStart& s) {
         const auto type = s.b.reserve<TypeId>();
         s.b.giving(type).OpTypeStruct({type});
       }},
      {"a constant", "forward-reference",
       [](FaultStart& s) {
         const auto two = s.b.reserve<ValueId>();
         s.b.OpConstantComposite(s.b.OpTypeVector(s.u32, 2), {two, two});
         s.b.giving(two).OpConstant(s.u32, 2);
       }},
      {"a constant, by words", "forward-reference",
       [](FaultStart& s) {
         const auto two = s.b.reserve<ValueId>();
         s.b.instruction(Op::OpConstantComposite, WordBuffer{s.b.OpTypeVector(s.u32, 2).word, two.word, two.word});
         s.b.giving(two).OpConstant(s.u32, 2);
       }},
      {"a group", "forward-reference",
       [](FaultStart& s) {
         const auto group = s.b.reserve<GroupId>();
         s.b.OpGroupDecorate(group, {s.u32});
         s.b.OpDecorate(group, Decoration::RelaxedPrecision);
         s.b.giving(group).OpDecorationGroup();
       }},
      {"a string", "forward-reference",
       [](FaultStart& s) {
         const auto file = s.b.reserve<StringId>();
         s.b.OpSource(SourceLanguage::GLSL, 450, file);
         s.b.giving(file).OpString("b.comp");
       }},
      {"a value", "forward-reference",
       [](FaultStart& s) {
         const auto sum = s.b.reserve<ValueId>();
         s.begin();
         s.b.OpIAdd(s.u32, sum, s.one);
         s.b.giving(sum).OpIAdd(s.u32, s.one, s.one);
         s.end();
       }},
      {"a constant of what a function makes", "forward-reference",
       [](FaultStart& s) {
         s.begin();
         const ValueId sum = s.b.OpIAdd(s.u32, s.one, s.one);
         s.b.OpConstantComposite(s.b.OpTypeVector(s.u32, 2), {sum, sum});
         s.end();
       }},
      {"an initializer that is made in the function", "forward-reference",
       [](FaultStart& s) {
         s.begin();
         s.b.OpVariable(s.local, StorageClass::Function, s.b.OpIAdd(s.u32, s.one, s.one));
         s.end();
       }},
      {"a function that is described", "forward-reference",
       [](FaultStart& s) {
         const auto f = s.b.reserve<FunctionId>();
         s.b.ext("NonSemantic.Unheard.Of", 1, s.nothing, {f});
         s.b.giving(f).OpFunction(s.nothing, FunctionControl::None, s.function);
         s.b.OpFunctionEnd();
       }},
      {"a function in front of its pointer", "",
       [](FaultStart& s) {
         const FunctionId f = s.b.OpFunction(s.nothing, FunctionControl::None, s.function);
         s.b.OpFunctionEnd();
         s.b.OpConstantFunctionPointerINTEL(s.b.OpTypePointer(StorageClass::CodeSectionINTEL, s.function), f);
       }},
      {"never given", "undefined-id",
       [](FaultStart& s) { s.b.OpTypePointer(StorageClass::Private, s.b.reserve<TypeId>()); }},
      {"a type of an instruction in a function", "",
       [](FaultStart& s) {
         const auto type = s.b.reserve<TypeId>();
         s.begin();
         s.b.OpUndef(type);
         s.end();
         s.b.giving(type).OpTypeVector(s.u32, 3);
       }},
      {"a pointer that was announced", "",
       [](FaultStart& s) {
         const auto pointer = s.b.reserve<TypeId>();
         s.b.OpTypeForwardPointer(pointer, StorageClass::PhysicalStorageBuffer);
         const TypeId node = s.b.OpTypeStruct({pointer});
         s.b.giving(pointer).OpTypePointer(StorageClass::PhysicalStorageBuffer, node);
       }},
      {"a group that is decorated", "",
       [](FaultStart& s) {
         const auto group = s.b.reserve<GroupId>();
         s.b.OpDecorate(group, Decoration::RelaxedPrecision);
         s.b.giving(group).OpDecorationGroup();
         s.b.OpGroupDecorate(group, {s.u32});
       }},
      {"what is named and decorated", "",
       [](FaultStart& s) {
         const auto type = s.b.reserve<TypeId>();
         const auto value = s.b.reserve<ValueId>();
         s.b.OpName(type, "type");
         s.b.OpDecorate(value, DecorationWith::SpecId(1));
         s.b.giving(type).OpTypeVector(s.u32, 3);
         s.b.giving(value).OpSpecConstant(s.u32, 3);
       }},
  };
  expect_outside(rows);
}

TEST(Faults, strings_with_a_nul) {
  const FaultRow rows[] = {
      {"amid it", "bad-string",
       [](FaultStart& s) { s.b.OpDecorateString(s.one, DecorationWith::UserSemantic(std::string_view("a\0b", 3))); }},
      {"at its end", "bad-string",
       [](FaultStart& s) {
         s.b.OpDecorate(s.one, DecorationWith::LinkageAttributes(std::string_view("abc\0", 4), LinkageType::Export));
       }},
      {"nowhere", "",
       [](FaultStart& s) {
         s.b.OpDecorate(s.one, DecorationWith::LinkageAttributes("abcdefgh", LinkageType::Export));
         s.b.OpDecorateString(s.one, DecorationWith::UserSemantic(""));
       }},
  };
  expect_outside(rows);
}

// The text after the label of the only function.
std::string body_of(FaultStart& s) {
  constexpr std::string_view label = "%12 = OpLabel\n";
  s.b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
  const std::string text = text_of(built(s.b, s.diagnostics));
  return text.substr(text.find(label) + label.size());
}

TEST(Lines, move_with_local_variables) {
  FaultStart s;
  s.begin();
  s.b.OpNop();
  s.b.OpLine(s.file, 1, 0);
  const ValueId a = s.b.OpVariable(s.local, StorageClass::Function);
  s.b.OpLine(s.file, 2, 0);
  s.b.OpStore(a, s.one);
  s.b.OpVariable(s.local, StorageClass::Function);
  s.b.OpNoLine();
  s.b.OpVariable(s.local, StorageClass::Function);
  s.b.OpLine(s.file, 3, 0);
  const ValueId d = s.b.OpVariable(s.local, StorageClass::Function);
  s.b.OpStore(d, s.one);
  s.end();
  EXPECT_EQ(body_of(s),
            "OpLine %10 1 0\n"
            "%13 = OpVariable %9 Function\n"
            "OpLine %10 2 0\n"
            "%14 = OpVariable %9 Function\n"
            "OpNoLine\n"
            "%15 = OpVariable %9 Function\n"
            "OpLine %10 3 0\n"
            "%16 = OpVariable %9 Function\n"
            "OpNoLine\n"
            "OpNop\n"
            "OpLine %10 2 0\n"
            "OpStore %13 %5\n"
            "OpLine %10 3 0\n"
            "OpStore %16 %5\n"
            "OpReturn\n"
            "OpFunctionEnd\n");
}

TEST(Lines, of_a_variable_do_not_apply_to_what_follows) {
  FaultStart s;
  s.begin();
  s.b.OpLine(s.file, 1, 0);
  const ValueId a = s.b.OpVariable(s.local, StorageClass::Function);
  s.b.OpLine(s.file, 2, 0);
  s.b.OpStore(a, s.one);
  s.end();
  EXPECT_EQ(body_of(s),
            "OpLine %10 1 0\n"
            "%13 = OpVariable %9 Function\n"
            "OpLine %10 2 0\n"
            "OpStore %13 %5\n"
            "OpReturn\n"
            "OpFunctionEnd\n");
}

}  // namespace
}  // namespace vireo::spirv
