// SPDX-License-Identifier: Apache-2.0
//
// Typed calls of an edit: placement of instructions, reuse of declarations, interfaces of entry points. Random calls
// must give valid SPIR-V.
#include <array>
#include <functional>
#include <random>
#include <string>

#include "spirv/build/building.h"
#include "spirv/module/assembled.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

using test::assembled;

// Two entry points; only the first one calls %20.
constexpr std::string_view shader = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %3 "first" %12
OpEntryPoint GLCompute %30 "second"
OpExecutionMode %3 LocalSize 1 1 1
OpExecutionMode %30 LocalSize 1 1 1
OpName %7 "sum"
OpName %12 "private"
OpDecorate %7 RelaxedPrecision
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%5 = OpTypeInt 32 0
%6 = OpConstant %5 7
%11 = OpTypePointer Private %5
%12 = OpVariable %11 Private
%13 = OpTypeFloat 32
%3 = OpFunction %1 None %2
%4 = OpLabel
%9 = OpFunctionCall %1 %20
OpReturn
OpFunctionEnd
%20 = OpFunction %1 None %2
%21 = OpLabel
%7 = OpIAdd %5 %6 %6
OpStore %12 %7
OpReturn
OpFunctionEnd
%30 = OpFunction %1 None %2
%31 = OpLabel
OpReturn
OpFunctionEnd
)";
constexpr TypeId void_type{1}, u32{5}, f32{13};
constexpr ValueId seven{6}, sum{7}, variable{12};

struct EditCalls : testing::Test {
  WordBuffer words = assembled(shader);
  Module module = Module::read(words);
  Edit edit{module};
  Diagnostics diagnostics;

  InstructionIndex at(Word id) { return module.definition(id); }
  InstructionIndex next_to(Word id) { return InstructionIndex(at(id).raw + 1); }
  void set_version(Word version) {
    words[1] = version;
    module = Module::read(words);
    edit = Edit(module);
  }
  std::string text() {
    const Result<WordBuffer> changed = edit.apply(diagnostics);
    for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << d.rule << ": " << d.message;
    return changed ? text_of(*changed) : std::string();
  }
  /// The added lines in order, then each removed line with a `-` in front.
  std::string difference() {
    std::string before = text_of(words), after = text(), out;
    for (std::size_t begin = 0; begin < after.size();) {
      const std::size_t end = after.find('\n', begin) + 1;
      const std::string line = after.substr(begin, end - begin);
      begin = end;
      const std::size_t found = before.starts_with(line) ? 0 : before.find("\n" + line);
      if (found == std::string::npos) out += line;
      else before.erase(found == 0 && before.starts_with(line) ? 0 : found + 1, line.size());
    }
    for (std::size_t begin = 0; begin < before.size();) {
      const std::size_t end = before.find('\n', begin) + 1;
      out += "-" + before.substr(begin, end - begin);
      begin = end;
    }
    return out;
  }
  bool is_before(const std::string& earlier, const std::string& later, const std::string& where) {
    return where.find(earlier) < where.find(later) && where.find(later) != std::string::npos;
  }
};

TEST_F(EditCalls, insert_replace_and_name) {
  const ValueId product = edit.after(at(7)).OpIMul(u32, sum, seven);
  edit.before(at(7)).OpNop();
  edit.add().OpName(product, "product");
  EXPECT_EQ(edit.replace(at(7)).OpISub(u32, seven, seven), sum) << "the replacement keeps the id";
  EXPECT_EQ(product.word, words[3]);
  EXPECT_EQ(difference(),
            "OpName %32 \"product\"\nOpNop\n%7 = OpISub %5 %6 %6\n%32 = OpIMul %5 %7 %6\n-%7 = OpIAdd %5 %6 %6\n");
}

TEST_F(EditCalls, reuse_declarations_and_add_missing_ones_once) {
  InstructionCalls add = edit.add();
  EXPECT_EQ(add.OpTypeInt(32, 0), u32);
  EXPECT_EQ(add.OpConstant(u32, 7), seven);
  EXPECT_EQ(edit.before(at(7)).OpTypeVoid(), void_type);
  const TypeId i32 = add.OpTypeInt(32, 1);
  EXPECT_EQ(edit.after(at(7)).OpTypeInt(32, 1), i32) << "also if a position in a function is given";
  const ValueId minus = add.OpConstant(i32, -1);
  EXPECT_EQ(add.OpConstant(i32, -1), minus);
  add.OpCapability(Capability::Shader);
  EXPECT_NE(add.OpTypeRuntimeArray(u32), add.OpTypeRuntimeArray(u32)) << "as in a builder";
  EXPECT_EQ(
      difference(),
      "%32 = OpTypeInt 32 1\n%33 = OpConstant %32 -1\n%34 = OpTypeRuntimeArray %5\n%35 = OpTypeRuntimeArray %5\n");
}

// SPV_INTEL_memory_access_aliasing, also if the section of annotations is empty.
TEST_F(EditCalls, add_alias_declarations_before_annotations) {
  for (const bool has_annotations : {true, false}) {
    words = assembled(has_annotations ? std::string(shader) : "OpMemoryModel Logical GLSL450\n%1 = OpTypeVoid\n");
    module = Module::read(words);
    edit = Edit(module);
    InstructionCalls add = edit.add();
    add.OpDecorate(void_type, Decoration::Restrict);
    const AnyId domain = add.OpAliasDomainDeclINTEL();
    add.OpModuleProcessed("by a test");
    add.OpAliasScopeDeclINTEL(domain);
    const std::string result = text();
    EXPECT_TRUE(is_before("OpModuleProcessed", "OpAliasDomainDeclINTEL", result)) << result;
    EXPECT_TRUE(is_before("OpAliasDomainDeclINTEL", "OpAliasScopeDeclINTEL", result)) << result;
    EXPECT_TRUE(is_before("OpAliasScopeDeclINTEL", "OpDecorate", result)) << result;
  }
}

TEST_F(EditCalls, do_not_reuse_decorated_or_changed_declarations) {
  edit.set_word(at(6), 3, 8);
  EXPECT_NE(edit.add().OpConstant(u32, 7), seven);
  edit.add().OpDecorate(f32, Decoration::RelaxedPrecision);
  EXPECT_NE(edit.add().OpTypeFloat(32), f32);
  edit.remove(at(11));
  EXPECT_NE(edit.add().OpTypePointer(StorageClass::Private, u32).word, 11u);
}

TEST_F(EditCalls, place_instructions_in_their_sections) {
  InstructionCalls here = edit.before(next_to(7));
  const TypeId pointer = here.OpTypePointer(StorageClass::Function, f32);
  const ValueId local = here.OpVariable(pointer, StorageClass::Function);
  const ValueId one = here.OpConstant(f32, 1.0);
  here.OpStore(local, one);
  here.OpDecorate(local, Decoration::RelaxedPrecision);
  const ValueId root = here.ext(GLSL_std_450::Sqrt, f32, {one});
  EXPECT_EQ(edit.add().OpExtInstImport("GLSL.std.450").word, root.word - 1);
  EXPECT_EQ(difference(),
            "%35 = OpExtInstImport \"GLSL.std.450\"\nOpDecorate %33 RelaxedPrecision\n"
            "%32 = OpTypePointer Function %13\n%34 = OpConstant %13 1\n%33 = OpVariable %32 Function\n"
            "OpStore %33 %34\n%36 = OpExtInst %13 %35 Sqrt %34\n");
}

TEST_F(EditCalls, the_begin_of_a_function_is_after_its_variables) {
  const FunctionRow& function = module.functions()[1];
  edit.at_begin(function).OpNop();
  edit.at_begin(function).OpVariable(edit.add().OpTypePointer(StorageClass::Function, u32), StorageClass::Function);
  const std::string after = text();
  EXPECT_TRUE(is_before("OpVariable %32 Function", "OpNop", after)) << after;
  EXPECT_TRUE(is_before("OpNop", "%7 = OpIAdd", after)) << after;
}

TEST_F(EditCalls, split_a_block_by_a_reserved_label) {
  const auto label = edit.reserve<LabelId>();
  edit.before(at(7)).OpBranch(label);
  edit.before(at(7)).giving(label).OpLabel();
  EXPECT_EQ(difference(), "OpBranch %32\n%32 = OpLabel\n");
}

TEST_F(EditCalls, declarations_precede_their_uses_among_globals) {
  // The new variable is an array of floats. The float type is declared later, and the other types are new.
  const ValueId length = edit.add().OpConstant(u32, 4);
  const TypeId array = edit.add().OpTypeArray(f32, length);
  const TypeId pointer = edit.add().OpTypePointer(StorageClass::Private, array);
  edit.replace(at(12)).OpVariable(pointer, StorageClass::Private);
  const std::string after = text();
  EXPECT_TRUE(is_before("%13 = OpTypeFloat", "OpTypeArray", after)) << after;
  EXPECT_TRUE(is_before("OpConstant %5 4", "OpTypeArray", after)) << after;
  EXPECT_TRUE(is_before("OpTypeArray", "OpTypePointer Private %33", after)) << after;
  EXPECT_TRUE(is_before("OpTypePointer Private %33", "%12 = OpVariable", after)) << after;
  // Once more, earlier in the module.
  edit.before(at(11)).OpTypePointer(StorageClass::Function, array);
  const std::string again = text();
  EXPECT_TRUE(is_before("%13 = OpTypeFloat", "OpTypeArray", again)) << again;
  EXPECT_TRUE(is_before("OpTypeArray", "OpTypePointer Function %33", again)) << again;
  EXPECT_TRUE(is_before("OpTypePointer Function %33", "%11 = OpTypePointer", again)) << again;
}

// From 1.4 on the interface lists all variables that an entry point's functions use; before, only inputs and outputs.
TEST_F(EditCalls, interfaces_follow_variables) {
  struct Row {
    Word version;
    StorageClass storage;
    std::string_view first, second;
  };
  for (const Row& row :
       {Row{0x10600, StorageClass::Private, "%12 %32", "%32"}, Row{0x10300, StorageClass::Private, "%12", ""},
        Row{0x10300, StorageClass::Input, "%12 %32", "%32"}}) {
    set_version(row.version);
    const TypeId pointer{11};
    const ValueId added = edit.add().OpVariable(pointer, row.storage);
    edit.before(next_to(7)).OpLoad(u32, added);   // in %20, which the first entry point calls
    edit.before(next_to(31)).OpLoad(u32, added);  // in the second entry point
    const std::string after = text();
    const auto interface = [](std::string_view ids) { return ids.empty() ? "\n" : " " + std::string(ids) + "\n"; };
    EXPECT_NE(after.find("%3 \"first\"" + interface(row.first)), std::string::npos) << after;
    EXPECT_NE(after.find("%30 \"second\"" + interface(row.second)), std::string::npos) << after;
  }
}

TEST_F(EditCalls, interfaces_follow_calls_and_removals) {
  edit.before(next_to(31)).OpFunctionCall(void_type, FunctionId(20));
  EXPECT_NE(text().find("%30 \"second\" %12\n"), std::string::npos) << "variables that the called function uses";
  edit = Edit(module);
  edit.remove_with_annotations(at(12));
  edit.remove(next_to(7));  // OpStore
  EXPECT_EQ(difference(),
            "OpEntryPoint GLCompute %3 \"first\"\n-OpEntryPoint GLCompute %3 \"first\" %12\n"
            "-OpName %12 \"private\"\n-%12 = OpVariable %11 Private\n-OpStore %12 %7\n");
}

TEST_F(EditCalls, an_unused_variable_is_in_no_interface) {
  edit.add().OpVariable(TypeId(11), StorageClass::Private);
  EXPECT_EQ(difference(), "%32 = OpVariable %11 Private\n");
}

TEST(EditGroups, keep_their_other_targets) {
  const WordBuffer words = assembled(
      "OpDecorate %1 Block\n%1 = OpDecorationGroup\nOpGroupDecorate %1 %2 %3\nOpGroupMemberDecorate %1 %2 0 %3 0\n"
      "%4 = OpTypeInt 32 0\n%2 = OpTypeStruct %4\n%3 = OpTypeStruct %4\n");
  const Module module = Module::read(words);
  Edit edit(module);
  edit.remove_with_annotations(module.definition(2));
  Diagnostics diagnostics;
  const Result<WordBuffer> changed = edit.apply(diagnostics);
  ASSERT_TRUE(bool(changed));
  EXPECT_EQ(text_of(*changed),
            "OpDecorate %1 Block\n%1 = OpDecorationGroup\nOpGroupDecorate %1 %3\nOpGroupMemberDecorate %1 %3 0\n"
            "%4 = OpTypeInt 32 0\n%3 = OpTypeStruct %4\n");
}

TEST_F(EditCalls, add_requirements) {
  edit.add().OpTypeInt(64, 0);
  edit.add_requirements();
  EXPECT_EQ(difference(), "OpCapability Int64\n%32 = OpTypeInt 64 0\n");
}

// apply() reports each misuse once: uses of the result of a faulty call are not reported again.
TEST_F(EditCalls, report_misuse) {
  struct Row {
    std::string_view rule;
    std::function<void(Edit&)> call;
  };
  const Row rows[] = {
      {"foreign-id", [&](Edit& e) { e.before(at(7)).OpNot(u32, ValueId(99)); }},
      {"foreign-id", [&](Edit& e) { e.before(at(7)).OpNot(u32, ValueId(5)); }},
      {"foreign-id", [&](Edit& e) { (void)e.before(at(7)).giving(ValueId(99)); }},
      {"duplicate-id", [&](Edit& e) { e.before(at(7)).giving(seven).OpNot(u32, seven); }},
      {"literal-range", [&](Edit& e) { e.add().OpName(e.add().OpConstant(u32, -1), "a"); }},
      {"missing-operand", [&](Edit& e) { e.add().OpDecorate(sum, DecorationWith(Decoration::Location, {})); }},
      {"edit-place", [&](Edit& e) { e.before(InstructionIndex::none()).OpNop(); }},
      {"edit-place", [&](Edit& e) { e.replace(InstructionIndex(1000)).OpNot(u32, seven); }},
      {"set-not-imported", [&](Edit& e) { e.before(at(7)).OpExtInst(u32, e.reserve<SetId>(), 1, {}); }},
  };
  for (const Row& row : rows) {
    Edit one(module);
    Diagnostics faults;
    row.call(one);
    EXPECT_FALSE(one.apply(faults)) << row.rule;
    ASSERT_FALSE(faults.all().empty()) << row.rule;
    EXPECT_EQ(faults.all().front().rule, row.rule) << faults.all().front().message;
    EXPECT_EQ(faults.error_count(), 1u) << row.rule << ": " << faults.all().back().message;
  }
}

// Random calls that are valid at their position give a valid module. This covers forward references, interfaces,
// duplicate types and all other rules.
TEST_F(EditCalls, random_calls_give_valid_modules) {
  std::mt19937 random(11);
  set_version(0x10600);
  for (int round = 0; round < 300; ++round) {
    Edit changes(module);
    std::vector<ValueId> variables = {variable}, constants = {seven};
    const auto any = [&](const auto& list) { return list[random() % list.size()]; };
    for (int k = 0; k < 12; ++k) {
      const std::array places = {next_to(4), next_to(21), next_to(7), next_to(31)};
      InstructionCalls here =
          random() % 2 == 0 ? changes.before(any(places)) : changes.after(InstructionIndex(any(places).raw - 1));
      switch (random() % 8) {
        case 0: constants.push_back(here.OpConstant(here.OpTypeInt(32, 0), 1 + random() % 4)); break;
        case 1: {
          InstructionCalls add = changes.add();
          variables.push_back(add.OpVariable(add.OpTypePointer(StorageClass::Private, u32), StorageClass::Private));
          changes.add().OpName(variables.back(), "v");
          break;
        }
        case 2: here.OpStore(any(variables), any(constants)); break;
        case 3: here.OpNot(u32, here.OpLoad(u32, any(variables))); break;
        case 4: here.OpFunctionCall(void_type, FunctionId(20)); break;
        case 5: {
          // Among the globals, before earlier declarations: declarations move up.
          const TypeId array = changes.add().OpTypeArray(f32, any(constants));
          const InstructionIndex early = random() % 2 == 0 ? at(11) : at(12);
          changes.before(early).OpTypeStruct(
              {array, changes.add().OpTypeVector(f32, 2 + static_cast<Word>(random() % 3))});
          break;
        }
        case 6: here.OpVariable(here.OpTypePointer(StorageClass::Function, f32), StorageClass::Function); break;
        default: changes.replace(at(7)).OpISub(u32, any(constants), seven); break;
      }
    }
    changes.add_requirements();
    const Result<WordBuffer> changed = changes.apply(diagnostics);
    for (const Diagnostic& d : diagnostics.all()) FAIL() << d.rule << ": " << d.message << " in round " << round;
    Diagnostics faults;
    ASSERT_TRUE(changed);
    validate(*changed, {}, faults);
    // A function can call itself here; this test does not cover that rule.
    for (const Diagnostic& d : faults.all()) {
      if (d.rule == "entry-point-called" || d.rule == "array-length" || d.rule == "recursion") continue;
      FAIL() << d.rule << ": " << d.message << " in round " << round << "\n" << text_of(*changed);
    }
  }
}

}  // namespace
}  // namespace vireo::spirv
