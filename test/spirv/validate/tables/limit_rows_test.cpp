// SPDX-License-Identifier: Apache-2.0
//
// Table-driven tests of limits: a module at the limit, and a module with one more.
//
// Each limit has a function that generates a module with a given count. The module is valid otherwise, so
// one more than the limit gives one finding.
//
// Source: specification 2.17 (universal limits).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "spirv/module/assembled.h"
#include "spirv/validate/growth/shape_texts.h"
#include "spirv/validate/tables/test_shaders.h"

namespace vireo::spirv {
namespace {

using test::TestShader;

std::string number(Word n) { return std::to_string(n); }

// --- generated modules -----------------------------------------------------------------------------------------------

// Repeats a text; each '#' is replaced by the number of the repetition.
std::string repeated(Word count, std::string_view text) {
  std::string all;
  for (Word i = 0; i < count; ++i) all += test::shapes::numbered(text, i);
  return all;
}

TestShader declaring(std::string declarations) {
  TestShader shader;
  shader.declarations = std::move(declarations);
  return shader;
}

TestShader with_members(Word count) { return declaring("%s = OpTypeStruct" + repeated(count, " %u32") + "\n"); }

TestShader with_structures_within_each_other(Word count) {
  std::string types;
  for (Word i = 0; i < count; ++i)
    types += "%s" + number(i) + " = OpTypeStruct " + (i == 0 ? "%u32" : "%s" + number(i - 1)) + "\n";
  return declaring(types);
}

TestShader with_local_variables(Word count) {
  TestShader shader = declaring("%p = OpTypePointer Function %u32\n");
  shader.body = repeated(count, "%v# = OpVariable %p Function\n");
  return shader;
}

TestShader with_global_variables(Word count) {
  return declaring("%p = OpTypePointer Private %u32\n" + repeated(count, "%v# = OpVariable %p Private\n"));
}

TestShader with_untyped_variables(Word count) {
  return declaring("%p = OpTypeUntypedPointerKHR Private\n" +
                   repeated(count, "%v# = OpUntypedVariableKHR %p Private %u32\n"));
}

TestShader with_branches(Word count) {
  TestShader shader;
  shader.body = "OpSelectionMerge %after None\nOpSwitch %u1 %case" + repeated(count, " # %case") +
                "\n%case = OpLabel\nOpBranch %after\n%after = OpLabel\n";
  return shader;
}

TestShader with_parameters(Word count) {
  return declaring("%with = OpTypeFunction %void" + repeated(count, " %u32") + "\n");
}

TestShader with_constructs_within_each_other(Word count) {
  TestShader shader;
  shader.body = repeated(count, "OpSelectionMerge %m# None\nOpBranchConditional %true %b# %m#\n%b# = OpLabel\n");
  for (Word i = count; i-- > 0;) shader.body += "OpBranch %m" + number(i) + "\n%m" + number(i) + " = OpLabel\n";
  return shader;
}

TestShader with_indexes(Word count) {
  TestShader shader;
  shader.interface_ = " %v";
  std::string type = "%u32";
  for (Word i = 0; i < count; ++i) {
    shader.declarations += "%a" + number(i) + " = OpTypeArray " + type + " %u1\n";
    type = "%a" + number(i);
  }
  shader.declarations += "%pv = OpTypePointer Private " + type + "\n%pe = OpTypePointer Private %u32\n";
  shader.declarations += "%zero = OpConstant %u32 0\n%v = OpVariable %pv Private\n";
  shader.body = "%e = OpAccessChain %pe %v" + repeated(count, " %zero") + "\n";
  return shader;
}

TestShader with_text(Word count) {
  TestShader shader;
  shader.annotations = "%t = OpString \"" + std::string(count, 'x') + "\"\n";
  return shader;
}

struct Made {
  std::string_view limit;
  TestShader (*with)(Word count);
  std::string_view rule;
  bool is_cheap;   ///< also tested with the specification's limit
  Word least = 1;  ///< the minimum of a module
};
constexpr Made all_made[] = {
    {"max-struct-members", with_members, "universal-limit", true},
    {"max-struct-depth", with_structures_within_each_other, "universal-limit", true},
    {"max-local-variables", with_local_variables, "universal-limit", false},
    {"max-global-variables", with_global_variables, "universal-limit", true},
    {"max-global-variables", with_untyped_variables, "universal-limit", false},
    {"max-switch-branches", with_branches, "universal-limit", true},
    {"max-function-args", with_parameters, "universal-limit", true},
    {"max-control-flow-nesting-depth", with_constructs_within_each_other, "nesting-depth", true},
    {"max-access-chain-indexes", with_indexes, "universal-limit", true},
    {"max-literal-string", with_text, "universal-limit", true, 4},
};

// The limit is accepted, and one more is rejected.
void check(const LimitRow& row, const Made& made) {
  for (const Word most : {Word{1}, Word{2}, Word{7}, Word{100}, Limits{}.*row.limit}) {
    if ((most > 100 && !made.is_cheap) || most < made.least) continue;
    Limits limits;
    limits.*row.limit = most;
    EXPECT_THAT(test::rules_reported_for(test::words_of(made.with(most)), "spv1.6", limits), testing::IsEmpty())
        << most << " of " << row.name;
    EXPECT_THAT(test::rules_reported_for(test::words_of(made.with(most + 1)), "spv1.6", limits),
                testing::ElementsAre(made.rule))
        << most << " and one more of " << row.name;
  }
}

TEST(LimitRowsTest, the_limit_is_accepted_and_one_more_is_rejected) {
  for (const LimitRow& row : limits()) {
    bool is_made = false;
    for (const Made& made : all_made) {
      if (made.limit != row.name) continue;
      check(row, made);
      is_made = true;
    }
    // validate_test.cpp tests the bound, which is in the header. Modes and arguments: below.
    const bool is_elsewhere =
        row.name == "max-id-bound" || row.name == "max-execution-modes" || row.name == "max-ext-inst-args";
    EXPECT_NE(is_made, is_elsewhere) << row.name;
  }
}

// There are no 255 compatible modes, and no instruction of the known sets takes so many arguments.
TEST(LimitRowsTest, modes_and_arguments_are_counted) {
  const WordBuffer words = test::assembled(R"(; Version: 1.6
OpCapability Shader
OpCapability DenormPreserve
%set = OpExtInstImport "NonSemantic.Counted"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %main DenormPreserve 32
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%x = OpExtInst %void %set 1 %void %void %void
OpReturn
OpFunctionEnd
)");
  struct Row {
    Word modes, arguments;
    std::size_t findings;
  };
  for (const Row& row : {Row{2, 3, 0}, Row{1, 3, 1}, Row{2, 2, 1}, Row{1, 2, 2}}) {
    Limits limits;
    limits.execution_modes = row.modes;
    limits.ext_inst_arguments = row.arguments;
    EXPECT_THAT(test::rules_reported_for(words, "spv1.6", limits),
                testing::ElementsAreArray(std::vector<std::string>(row.findings, "universal-limit")))
        << row.modes << " modes, " << row.arguments << " arguments";
  }
}

}  // namespace
}  // namespace vireo::spirv
