// SPDX-License-Identifier: Apache-2.0
//
// Tests that case files cannot express: modules without a text, messages, sizes that need generated modules, and the
// table of rules itself.
#include "vireo/spirv/validate/validate.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "spirv/validate/rules/rules.h"
#include "spirv/validate/support/findings.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view smallest = R"(OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%1 = OpTypeVoid
)";

std::vector<std::string> messages_of(Words words, const ValidateOptions& options = {}) {
  return test::rules_and_messages_of(test::findings_of(words, options));
}

TEST(Validate, accepts_a_valid_module) { EXPECT_THAT(messages_of(test::assembled(smallest)), testing::IsEmpty()); }

TEST(Validate, finds_ids_beyond_the_bound_and_bounds_beyond_the_limit) {
  WordBuffer words = test::assembled(smallest);
  words[3] = 1;
  EXPECT_THAT(messages_of(words), testing::ElementsAre("id-bound: id 1 is not less than the bound 1 in the header"));
  words[3] = 0x400000;
  EXPECT_THAT(messages_of(words),
              testing::ElementsAre("id-bound-limit: the id bound 4194304 in the header exceeds the limit 4194303"));
  ValidateOptions options;
  options.limits.id_bound = 0x400000;
  EXPECT_THAT(messages_of(words, options), testing::IsEmpty());
}

TEST(Validate, rejects_a_module_without_words) {
  EXPECT_THAT(messages_of(Words{}), testing::ElementsAre(testing::StartsWith("empty-module")));
  const WordBuffer header = {magic_number, 0x00010600, 0, 1, 0};
  EXPECT_THAT(messages_of(header), testing::ElementsAre(testing::StartsWith("missing-memory-model"),
                                                        testing::StartsWith("missing-entry-point")));
}

TEST(Validate, handles_an_entry_point_without_a_name) {
  const WordBuffer words = test::assembled(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
!0x0003000F !5 %main
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
)");
  EXPECT_THAT(messages_of(words), testing::ElementsAre(testing::StartsWith("missing-operand")));
}

// `depth` nested selections.
std::string nested_selections(int depth) {
  std::string head = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
%main = OpFunction %void None %fn
%entry = OpLabel
)";
  std::string tail;
  for (int i = 0; i < depth; ++i) {
    const std::string n = std::to_string(i);
    head +=
        "OpSelectionMerge %m" + n + " None\nOpBranchConditional %true %b" + n + " %m" + n + "\n%b" + n + " = OpLabel\n";
    tail.insert(0, i == 0 ? "%m0 = OpLabel\nOpReturn\nOpFunctionEnd\n"
                          : "%m" + n + " = OpLabel\nOpBranch %m" + std::to_string(i - 1) + "\n");
  }
  return head + "OpBranch %m" + std::to_string(depth - 1) + '\n' + tail;
}

// Line ends of debug sources: each of these texts has two lines. The lines of case files end with a line feed.
TEST(Validate, reads_the_line_ends_of_debug_sources) {
  for (const std::string_view text : {"one\ntwo", "one\rtwo", "one\r\ntwo"}) {
    for (const int line : {2, 3}) {
      const std::string module = fmt::format(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
%set = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Physical32 OpenCL
%file = OpString "a.cl"
%text = OpString "{}"
%void = OpTypeVoid
%source = OpExtInst %void %set DebugSource %file %text
%unit = OpExtInst %void %set DebugCompilationUnit 1 4 %source OpenCL_C
%block = OpExtInst %void %set DebugLexicalBlock %source {} 3 %unit
)",
                                             text, line);
      const std::vector<std::string> messages = messages_of(test::assembled(module));
      if (line == 2) EXPECT_THAT(messages, testing::IsEmpty());
      else EXPECT_THAT(messages, testing::ElementsAre(testing::StartsWith("debug-source-position")));
    }
  }
}

TEST(Validate, limits_the_nesting_depth_of_constructs) {
  const WordBuffer words = test::assembled(nested_selections(12));
  ValidateOptions options;
  options.limits.nesting_depth = 12;
  EXPECT_THAT(messages_of(words, options), testing::IsEmpty());
  options.limits.nesting_depth = 11;
  EXPECT_THAT(messages_of(words, options),
              testing::ElementsAre("nesting-depth: structured control flow is nested more than 11 constructs deep"));
  EXPECT_THAT(messages_of(test::assembled(nested_selections(1000))), testing::IsEmpty());
}

TEST(Validate, enforces_universal_limits) {
  const WordBuffer words = test::assembled(R"(OpCapability Linkage
OpCapability Shader
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%inner = OpTypeStruct %u32 %u32
%outer = OpTypeStruct %inner
%fn = OpTypeFunction %void %u32 %u32
%ptr = OpTypePointer Private %u32
%a = OpVariable %ptr Private
%b = OpVariable %ptr Private
)");
  ValidateOptions options;
  options.limits.struct_members = 2;
  options.limits.struct_depth = 2;
  options.limits.function_parameters = 2;
  options.limits.global_variables = 2;
  EXPECT_THAT(messages_of(words, options), testing::IsEmpty());
  options.limits.struct_members = 1;
  options.limits.struct_depth = 1;
  options.limits.function_parameters = 1;
  options.limits.global_variables = 1;
  EXPECT_THAT(messages_of(words, options),
              testing::ElementsAre("universal-limit: structure %3 has 2 members; the limit is 1",
                                   "universal-limit: structure %4 is nested 2 levels deep; the limit is 1",
                                   "universal-limit: function type has 2 parameters; the limit is 1",
                                   "universal-limit: one more variable outside of functions; the limit is 1"));
}

TEST(ValidationRules, have_unique_names_and_requirement_texts) {
  std::set<std::string_view> names;
  for (const ValidationRule& rule : validation_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_EQ(find_validation_rule(rule.name), &rule);
    EXPECT_FALSE(rule.section.empty()) << rule.name;
    EXPECT_FALSE(rule.requirement.empty() || rule.requirement.ends_with('.')) << rule.name;
    EXPECT_TRUE(rule.vuids.empty() || rule.vuids.starts_with("VUID-")) << rule.name;
  }
  EXPECT_EQ(find_validation_rule("no-such-rule"), nullptr);
}

// The fixes of many findings are verified together.
TEST(Validate, fixes_hundreds_of_findings) {
  constexpr std::size_t count = 600;
  std::string decorations, variables;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = "%v" + std::to_string(i), decoration = "OpDecorate " + id + " RelaxedPrecision\n";
    decorations += decoration + decoration;
    variables += id + " = OpVariable %pointer Private\n";
  }
  const WordBuffer words =
      test::assembled("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n" + decorations +
                      "%float = OpTypeFloat 32\n%pointer = OpTypePointer Private %float\n" + variables);
  ValidateOptions options;
  options.fixes = true;
  Diagnostics diagnostics;
  validate(words, options, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), count);
  for (const Diagnostic& finding : diagnostics.all()) EXPECT_FALSE(finding.fix.empty()) << finding.message;
}

}  // namespace
}  // namespace vireo::spirv
