// SPDX-License-Identifier: Apache-2.0
//
// Reads the options of examples and validates their modules (rule_examples.h).
#include "spirv/validate/support/rule_examples.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "vireo/spirv/inspect/pipeline.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/one_call/allow_comments.h"
#include "vireo/spirv/run.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/validate/profile.h"

namespace vireo::spirv::test {
namespace {

// Options of the command line are written as a profile, which has the same settings.
std::string document_of(std::string_view options) {
  constexpr std::string_view profile = "--profile ";
  if (options.starts_with(profile)) return std::string(options.substr(profile.size()));
  if (options.starts_with("run")) options.remove_prefix(3);
  std::istringstream words{std::string(options)};
  std::string environment, features, limits, rules;
  for (std::string word; words >> word;) {
    const std::string name = word.substr(std::min<std::size_t>(2, word.size()));
    if (word == "--target-env") {
      words >> environment;
    } else if (word == "--pipeline") {
      continue;  // not an option of validate()
    } else if (word == "--steps-per-subgroup") {
      words >> word;  // run_example() reads it
    } else if (word == "--rule") {
      words >> word;
      const std::size_t equals = word.find('=');
      rules +=
          fmt::format("{}\"{}\": \"{}\"", rules.empty() ? "" : ", ", word.substr(0, equals), word.substr(equals + 1));
    } else if (std::ranges::find(spirv::limits(), name, &LimitRow::name) != spirv::limits().end()) {
      std::string number;
      words >> number;
      limits += fmt::format("{}\"{}\": {}", limits.empty() ? "" : ", ", name, number);
    } else {
      features += fmt::format("{}\"{}\"", features.empty() ? "" : ", ", name);
    }
  }
  std::string document =
      fmt::format("\"features\": [{}], \"limits\": {{{}}}, \"rules\": {{{}}}", features, limits, rules);
  if (!environment.empty()) document += fmt::format(", \"environment\": \"{}\"", environment);
  return '{' + document + '}';
}

}  // namespace

ExampleOptions::ExampleOptions(std::string_view text) : document(document_of(text)) {
  Diagnostics diagnostics;
  Result<Profile> read = read_profile({"profile", document}, builtin_grammar(), diagnostics);
  EXPECT_TRUE(read.ok()) << text << ": " << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  if (!read) return;
  profile.emplace(std::move(read).value());
  apply(*profile, options);
}

WordBuffer words_of_example(const RuleText& text, const ExampleOptions& options, std::string_view module,
                            SourceMap* map) {
  AssembleOptions assembly;
  assembly.preserve_numeric_ids = true;
  if (module.find("; Version:") == std::string_view::npos) assembly.version = options.options.environment.version;
  Diagnostics diagnostics;
  Result<WordBuffer> words = assemble({text.rule, module}, assembly, diagnostics, map);
  EXPECT_TRUE(words.ok()) << text.rule << ": " << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  return words ? std::move(words).value() : WordBuffer{};
}

namespace {

// Executes one workgroup, with a buffer of zeros for each descriptor.
void run_example(const RuleText& text, Words words, const ValidateOptions& given, Diagnostics& diagnostics) {
  RunOptions options;
  options.environment = given.environment;
  options.rules = given.rules;
  options.allowed = given.allowed;
  if (text.options.find("--steps-per-subgroup 1000") != std::string_view::npos) options.max_steps_of_subgroup = 1000;
  Result<Executor> executor = Executor::create(words, options, diagnostics);
  if (!executor) return;
  const Module module = Module::read(words);
  const Facts facts(module);
  std::vector<std::array<std::byte, 64>> buffers(3 * facts.decorations().rows().size());
  std::size_t used = 0;
  for (const DecorationRow& row : facts.decorations().rows()) {
    if (row.decoration != Decoration::Binding) continue;
    const Word binding = facts.decorations().operand_or(row, 0);
    executor->bind_image(
        {.set = 0, .binding = binding, .format = "R32_UINT", .width = 4, .height = 4, .bytes = buffers[used++]});
    for (Word element = 0; element < 2; ++element) executor->bind({0, binding, element, buffers[used++]});
  }
  EXPECT_TRUE(executor->dispatch({1, 1, 1}, diagnostics).ok()) << text.rule;
}

Diagnostics findings_of_example(const RuleText& text, std::string_view module, std::optional<RuleChoice> choice) {
  ExampleOptions options(text.options);
  if (choice) options.options.rules = {&*choice, 1};
  SourceMap map;
  Diagnostics diagnostics;
  const WordBuffer words = words_of_example(text, options, module, &map);
  if (words.empty()) {
    diagnostics.error("not-assembled", {}, "the example is wrong");
    return diagnostics;
  }
  const std::vector<AllowedRule> allowed = read_allow_comments(module, map);
  options.options.allowed = allowed;
  validate(words, options.options, diagnostics);
  if (text.options.starts_with("run")) run_example(text, words, options.options, diagnostics);
  if (text.options.starts_with("--pipeline")) {
    const Module read = Module::read(words);
    const Facts facts(read);
    const Reflection reflection(facts);
    const Reflection* const reflections[] = {&reflection};
    const PipelineModule modules[] = {{&reflection, "example", allowed}};
    report_conflicts(reflect_pipeline(reflections, {}), modules, options.options, diagnostics);
  }
  return diagnostics;
}

}  // namespace

std::vector<std::string> vuids_of_example(const RuleText& text, std::string_view module) {
  std::vector<std::string> vuids;
  const Diagnostics diagnostics = findings_of_example(text, module, std::nullopt);
  for (const Diagnostic& diagnostic : diagnostics.all()) vuids.push_back(diagnostic.requirement);
  return vuids;
}

std::vector<std::string> rules_broken_by_example(const RuleText& text, std::string_view module,
                                                 std::optional<RuleChoice> choice) {
  const Diagnostics diagnostics = findings_of_example(text, module, choice);
  std::vector<std::string> rules;
  for (const Diagnostic& diagnostic : diagnostics.all()) rules.emplace_back(diagnostic.rule);
  return rules;
}

}  // namespace vireo::spirv::test
