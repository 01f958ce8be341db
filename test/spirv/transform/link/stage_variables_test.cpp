// SPDX-License-Identifier: Apache-2.0
//
// link(): inputs, outputs and payloads of stages. Entry points of one execution model share them, others do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

using testing::HasSubstr;

// A module with a variable. Its function is an entry point; without a model, it is exported as "f". An entry point may
// call the "f" of another module.
struct StagePart {
  std::string_view model, name;
  bool calls = false;
};

WordBuffer module_of(const StagePart& part) {
  const bool is_entry = !part.model.empty();
  const bool traces = part.model.ends_with("KHR");
  const std::string_view storage = traces ? "RayPayloadKHR" : "Input";
  const std::string name(part.name);
  std::string text = "; Version: 1.4\nOpCapability Shader\nOpCapability Linkage\n";
  if (traces) text += "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n";
  text += "OpMemoryModel Logical GLSL450\n";
  if (is_entry) text.append("OpEntryPoint ").append(part.model).append(" %g \"" + name + "\" %v\n");
  if (part.model == "Fragment") text += "OpExecutionMode %g OriginUpperLeft\n";
  text += "OpName %v \"" + name + "\"\nOpDecorate %v Location 0\n";
  if (!is_entry) text += "OpDecorate %g LinkageAttributes \"f\" Export\n";
  if (part.calls) text += "OpDecorate %f LinkageAttributes \"f\" Import\n";
  text += "%void = OpTypeVoid\n%f32 = OpTypeFloat 32\n%t = OpTypeFunction %void\n";
  text.append("%p = OpTypePointer ").append(storage).append(" %f32\n%v = OpVariable %p ").append(storage) += '\n';
  if (part.calls) text += "%f = OpFunction %void None %t\nOpFunctionEnd\n";
  text += "%g = OpFunction %void None %t\n%l = OpLabel\n%x = OpLoad %f32 %v\n";
  if (part.calls) text += "%c = OpFunctionCall %void %f\n";
  return test::assembled(text + "OpReturn\nOpFunctionEnd\n");
}

struct StageRow {
  std::string_view what;
  std::vector<StagePart> parts;
  std::vector<std::string_view> has;  // interfaces
  std::size_t variables;
};

const StageRow stage_rows[] = {
    {"stages have their own inputs, and one model has one",
     {{"Vertex", "a"}, {"Fragment", "b"}, {"Vertex", "c"}},
     {"\"a\" %a\n", "\"b\" %b\n", "\"c\" %a\n"},
     2},
    {"payloads are not shared between stages",
     {{"RayGenerationKHR", "a"}, {"ClosestHitKHR", "b"}},
     {"\"a\" %a\n", "\"b\" %b\n"},
     2},
    {"a library's input is that of the stage that calls it",
     {{"Vertex", "a", true}, {"Fragment", "b"}, {"", "library"}},
     {"\"a\" %a\n", "\"b\" %b\n"},
     2},
    {"a function of two stages has one input, which is that of both",
     {{"Vertex", "a", true}, {"Fragment", "b", true}, {"", "library"}},
     {"\"a\" %a\n", "\"b\" %a\n"},
     1},
    {"an input that no entry point reaches is that of the only stage",
     {{"Vertex", "a"}, {"", "library"}},
     {"\"a\" %a\n"},
     1},
    {"or stays separate if there are several",
     {{"Vertex", "a"}, {"Fragment", "b"}, {"", "library"}},
     {"\"a\" %a\n", "\"b\" %b\n"},
     3},
};

TEST(StageVariables, are_shared_within_one_execution_model) {
  for (const StageRow& row : stage_rows) {
    SCOPED_TRACE(row.what);
    std::vector<WordBuffer> modules;
    for (const StagePart& part : row.parts) modules.push_back(module_of(part));
    std::vector<LinkInput> inputs;
    for (const WordBuffer& module : modules) inputs.push_back({module});
    Diagnostics diagnostics;
    const Result<WordBuffer> result = link(inputs, {}, diagnostics);
    ASSERT_TRUE(result) << diagnostics.all().front().message;
    StringSink text;
    disassemble(*result, {}, text, diagnostics);
    Diagnostics findings;
    EXPECT_TRUE(validate(*result, {}, findings)) << findings.all().front().message << '\n' << text.text();
    for (const std::string_view each : row.has) EXPECT_THAT(text.text(), HasSubstr(std::string(each)));
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.text().find("= OpVariable", at)) != std::string::npos; ++at) ++count;
    EXPECT_EQ(count, row.variables) << text.text();
  }
}

}  // namespace
}  // namespace vireo::spirv
