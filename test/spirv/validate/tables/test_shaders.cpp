// SPDX-License-Identifier: Apache-2.0
//
// From lines to words, and from words to the names of rules.
#include "spirv/validate/tables/test_shaders.h"

#include <algorithm>

#include "spirv/module/assembled.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/build/requirements.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv::test {
namespace {

// Common types and constants. Types of other widths are declared where they are needed.
constexpr std::string_view common_types = R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%true = OpConstantTrue %bool
%u1 = OpConstant %u32 1
%u2 = OpConstant %u32 2
%u3 = OpConstant %u32 3
%u4 = OpConstant %u32 4
%f1 = OpConstant %f32 1
)";

struct ModelModes {
  ExecutionModel model;
  std::string_view modes;
};
constexpr ModelModes modes_of_models[] = {
    {ExecutionModel::TessellationControl, "OpExecutionMode %main OutputVertices 3\n"},
    {ExecutionModel::TessellationEvaluation, "OpExecutionMode %main Triangles\n"},
    {ExecutionModel::Geometry,
     "OpExecutionMode %main InputPoints\nOpExecutionMode %main OutputPoints\nOpExecutionMode %main OutputVertices 3\n"
     "OpExecutionMode %main Invocations 1\n"},
    {ExecutionModel::Fragment, "OpExecutionMode %main OriginUpperLeft\n"},
    {ExecutionModel::GLCompute, "OpExecutionMode %main LocalSize 1 1 1\n"},
    {ExecutionModel::TaskNV, "OpExecutionMode %main LocalSize 1 1 1\n"},
    {ExecutionModel::TaskEXT, "OpExecutionMode %main LocalSize 1 1 1\n"},
    {ExecutionModel::MeshNV,
     "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputVertices 3\n"
     "OpExecutionMode %main OutputPrimitivesEXT 4\nOpExecutionMode %main OutputTrianglesEXT\n"},
    {ExecutionModel::MeshEXT,
     "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputVertices 3\n"
     "OpExecutionMode %main OutputPrimitivesEXT 4\nOpExecutionMode %main OutputTrianglesEXT\n"},
};

void add_instruction(WordBuffer& words, Op op, Words operands) {
  words.push_back(static_cast<Word>(op) | static_cast<Word>(operands.size() + 1) << 16);
  words.insert(words.end(), operands.begin(), operands.end());
}

WordBuffer string_words(std::string_view text) {
  WordBuffer words(text.size() / 4 + 1);
  for (std::size_t i = 0; i < text.size(); ++i) words[i / 4] |= Word{static_cast<unsigned char>(text[i])} << i % 4 * 8;
  return words;
}

}  // namespace

std::string_view modes_of(ExecutionModel model) {
  const auto* found = std::find_if(std::begin(modes_of_models), std::end(modes_of_models),
                                   [&](const ModelModes& row) { return row.model == model; });
  return found == std::end(modes_of_models) ? std::string_view() : found->modes;
}

std::string name_of(ExecutionModel model) {
  const Grammar& grammar = builtin_grammar();
  const EnumerantRow* row = grammar.find_value(grammar.find_kind("ExecutionModel"), static_cast<Word>(model));
  return std::string(grammar.text(row->name));
}

std::string text_of(const TestShader& shader) {
  const std::string_view memory = shader.model == ExecutionModel::Kernel ? "Physical32 OpenCL" : shader.memory_model;
  return std::string("OpMemoryModel ")
      .append(memory)
      .append("\nOpEntryPoint ")
      .append(name_of(shader.model))
      .append(" %main \"main\"")
      .append(shader.interface_)
      .append("\n")
      .append(shader.has_own_modes ? std::string_view() : modes_of(shader.model))
      .append(shader.modes)
      .append(shader.annotations)
      .append(common_types)
      .append(shader.declarations)
      .append("%main = OpFunction %void None %fn\n%entry = OpLabel\n")
      .append(shader.body)
      // A task shader that returns gets a warning.
      .append(shader.model == ExecutionModel::TaskEXT ? "OpUnreachable\n" : "OpReturn\n")
      .append("OpFunctionEnd\n");
}

WordBuffer words_of(const TestShader& shader) {
  const WordBuffer body = assembled(text_of(shader));
  if (body.size() < header_word_count) return {};
  WordBuffer words(body.begin(), body.begin() + header_word_count);
  words[1] = shader.version.to_word();
  const auto declare = [&](Capability capability) {
    const Word word = static_cast<Word>(capability);
    add_instruction(words, Op::OpCapability, {&word, 1});
  };
  const auto add_body = [&] { words.insert(words.end(), body.begin() + header_word_count, body.end()); };
  for (const Capability capability : shader.capabilities) declare(capability);
  const std::size_t declared = words.size();
  add_body();
  const Requirements missing = missing_requirements(words);
  words.resize(declared);
  for (const Capability capability : missing.capabilities) declare(capability);
  for (const std::string_view extension : missing.extensions)
    add_instruction(words, Op::OpExtension, string_words(extension));
  add_body();
  return words;
}

std::vector<Capability> capabilities_in(Words words) {
  const Grammar& grammar = builtin_grammar();
  std::vector<Capability> found;
  for (const InstructionView instruction : Instructions(words)) {
    if (instruction.opcode != Op::OpCapability) continue;
    const EnumerantRow* row = grammar.find_value(grammar.capability_kind, instruction.word(1));
    found.push_back(static_cast<Capability>(row->value));
    for (const std::uint16_t implied :
         implied_capabilities(grammar, static_cast<std::uint16_t>(row - grammar.enumerants.data()))) {
      found.push_back(static_cast<Capability>(grammar.enumerants[implied].value));
    }
  }
  return found;
}

RuleNames rules_reported_for(Words words, std::string_view environment, const Limits& limits) {
  ValidateOptions options;
  options.limits = limits;
  options.environment = find_environment(environment).value();
  Diagnostics diagnostics;
  validate(words, options, diagnostics);
  RuleNames names;
  for (const Diagnostic& diagnostic : diagnostics.all()) names.emplace_back(diagnostic.rule);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace vireo::spirv::test
