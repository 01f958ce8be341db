// SPDX-License-Identifier: Apache-2.0
//
// Profiles: the effect of each key, and faults of documents; choices of severities.
#include "vireo/spirv/validate/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view library = R"(; Version: 1.3
OpCapability Shader
OpCapability Linkage
OpCapability Float16
OpExtension "SPV_KHR_variable_pointers"
OpMemoryModel Logical GLSL450
%u32 = OpTypeInt 32 0
%s = OpTypeStruct %u32 %u32 %u32
)";

Profile profile_of(std::string_view document) {
  Diagnostics diagnostics;
  Result<Profile> profile = read_profile({"profile.json", document}, builtin_grammar(), diagnostics);
  EXPECT_TRUE(profile.ok()) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  return profile ? std::move(profile).value() : Profile{};
}

std::vector<std::string> faults_of(std::string_view document) {
  Diagnostics diagnostics;
  const Result<Profile> profile = read_profile({"profile.json", document}, builtin_grammar(), diagnostics);
  EXPECT_EQ(profile.ok(), diagnostics.all().empty());
  std::vector<std::string> faults;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    faults.push_back(diagnostic.path + ": " + diagnostic.message +
                     (diagnostic.hint.empty() ? "" : "; " + diagnostic.hint));
  }
  return faults;
}

std::vector<std::string> found_with(std::string_view document, std::string_view text = library) {
  const Profile profile = profile_of(document);
  ValidateOptions options;
  apply(profile, options);
  Diagnostics diagnostics;
  const bool is_valid = validate(test::assembled(text), options, diagnostics);
  EXPECT_EQ(is_valid, diagnostics.error_count() == 0);
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    found.push_back((diagnostic.severity == Severity::Warning ? "warning " : "") + std::string(diagnostic.rule));
  }
  return found;
}

TEST(Profile, limits_the_declarations_of_a_module) {
  EXPECT_THAT(found_with("{}"), IsEmpty());
  // Shader implies Matrix. A list that is present limits the capabilities, even an empty one.
  EXPECT_THAT(found_with(R"({"capabilities": ["Linkage", "Float16", "Shader"]})"), IsEmpty());
  EXPECT_THAT(found_with(R"({"capabilities": ["Shader", "Linkage"]})"), ElementsAre("device-capability"));
  EXPECT_THAT(found_with(R"({"capabilities": ["Geometry", "Linkage", "Float16"]})"), IsEmpty()) << "implies Shader";
  EXPECT_THAT(found_with(R"({"extensions": ["SPV_KHR_variable_pointers"]})"), IsEmpty());
  EXPECT_THAT(found_with(R"({"extensions": []})"), ElementsAre("device-extension"));
  EXPECT_THAT(found_with(R"({"version": "1.3"})"), IsEmpty());
  EXPECT_THAT(found_with(R"({"version": "1.2"})"), ElementsAre("device-version"));
  EXPECT_THAT(found_with(R"({"version": "1.2", "environment": "spv1.0"})"), ElementsAre("target-version"))
      << "one finding for the version in the header";
}

// A conditional capability has its condition before the capability (SPV_INTEL_function_variants).
TEST(Profile, reports_a_conditional_capability_at_its_word) {
  constexpr std::string_view text = R"(; Version: 1.4
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability SpecConditionalINTEL
OpConditionalCapabilityINTEL %one Float64
OpExtension "SPV_INTEL_function_variants"
OpMemoryModel Physical64 OpenCL
%bool = OpTypeBool
%one = OpSpecConstantTrue %bool
)";
  const Profile profile = profile_of(R"({"capabilities": ["Kernel", "Addresses", "Linkage", "SpecConditionalINTEL"]})");
  ValidateOptions options;
  apply(profile, options);
  Diagnostics diagnostics;
  EXPECT_FALSE(validate(test::assembled(text), options, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all().front().rule, "device-capability");
  // The fifth instruction begins at word 5 + 4 * 2; the capability is its word 2.
  EXPECT_EQ(diagnostics.all().front().where, Location::in_words(15, 16, 5));
}

TEST(Profile, can_declare_capabilities_beyond_its_environment) {
  constexpr std::string_view kernel = R"(; Version: 1.0
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Float16Buffer
OpCapability Groups
OpMemoryModel Physical64 OpenCL
)";
  EXPECT_THAT(found_with(R"({"environment": "opencl1.2"})", kernel), ElementsAre("environment-capability"));
  EXPECT_THAT(
      found_with(R"({"environment": "opencl1.2", "capabilities": ["Addresses", "Linkage", "Kernel", "Float16Buffer",
                             "Groups"]})",
                 kernel),
      IsEmpty());
}

TEST(Profile, sets_limits_features_layouts_and_severities) {
  EXPECT_THAT(found_with(R"({"limits": {"max-struct-members": 2}})"), ElementsAre("universal-limit"));
  EXPECT_THAT(found_with(R"({"limits": {"max-struct-members": 2}, "rules": {"universal-limit": "warn"}})"),
              ElementsAre("warning universal-limit"));
  EXPECT_THAT(found_with(R"({"limits": {"max-struct-members": 2}, "rules": {"universal-limit": "off"}})"), IsEmpty());
  ValidateOptions options;
  const Profile profile = profile_of(R"({"name": "pocket", "environment": "vulkan1.2",
      "features": ["scalar-block-layout"], "descriptors": {"buffer": [16, 8]}})");
  apply(profile, options);
  EXPECT_EQ(profile.name, "pocket");
  EXPECT_EQ(options.environment, find_environment("vulkan1.2"));
  EXPECT_TRUE(options.features.has(Feature::ScalarBlockLayout));
  EXPECT_FALSE(options.features.has(Feature::SkipBlockLayout));
  EXPECT_EQ(options.buffer_descriptor.size, 16u);
  EXPECT_EQ(options.buffer_descriptor.alignment, 8u);
}

TEST(Profile, reports_all_faults_of_a_document) {
  EXPECT_THAT(faults_of("[]"), ElementsAre("$: expected an object"));
  EXPECT_THAT(faults_of("{"), ElementsAre(HasSubstr(": ")));
  EXPECT_THAT(faults_of(R"({"limit": {}, "version": "one", "environment": "vulkan9"})"),
              ElementsAre("$.limit: unknown key 'limit'; did you mean 'limits'?",
                          "$.version: invalid version 'one'; expected one like \"1.5\"",
                          HasSubstr("$.environment: unknown environment 'vulkan9'")));
  EXPECT_THAT(faults_of(R"({"capabilities": ["Shadr", 1], "features": ["nothing-known"], "extensions": "SPV"})"),
              ElementsAre("$.capabilities[0]: unknown capability 'Shadr'; did you mean 'Shader'?",
                          "$.capabilities[1]: expected a string in 'capabilities'",
                          "$.features[0]: unknown feature 'nothing-known'",
                          "$.extensions: expected a list of names for 'extensions'"));
  EXPECT_THAT(faults_of(R"({"limits": {"max-id-bound": -1, "max-fun": 1}, "descriptors": {"buffer": [1], "sun": [1, 1]},
                            "rules": {"universal-limits": "off", "universal-limit": "loud"}})"),
              ElementsAre("$.limits.max-id-bound: expected a number from 0 to 4294967295 for 'max-id-bound'",
                          HasSubstr("unknown limit 'max-fun'"), HasSubstr("expected two numbers"),
                          HasSubstr("unknown descriptor kind 'sun'"),
                          HasSubstr("unknown rule 'universal-limits'; did you mean 'universal-limit'?"),
                          HasSubstr("expected \"off\", \"warn\" or \"error\"")));
}

TEST(Profile, of_the_repository_is_valid) {
  std::ifstream file(std::string(VIREO_SOURCE_DIR) + "/data/spirv/pocket_gpu.profile.json");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(faults_of(document), IsEmpty());
  EXPECT_THAT(found_with(document), ElementsAre("device-capability", "device-extension"));
}

TEST(Profile, sets_limits_of_the_device) {
  EXPECT_THAT(faults_of(R"({"device-limits": {"maxComputeSharedMemorySise": 1, "maxComputeWorkGroupSize": [1, 2, 3, 4],
                            "maxPushConstantsSize": "many"}})"),
              ElementsAre("$.device-limits.maxComputeSharedMemorySise: unknown limit of a device "
                          "'maxComputeSharedMemorySise'; did you mean 'maxComputeSharedMemorySize'?",
                          HasSubstr("unknown limit of a device 'maxComputeWorkGroupSize[3]'"),
                          HasSubstr("maxPushConstantsSize: expected an integer for 'maxPushConstantsSize'")));
  EXPECT_THAT(faults_of(R"({"device-limits": {"maxComputeWorkGroupSize": 8, "maxPushConstantsSize": -1,
                            "minTexelOffset": -8, "maxVertexInputAttributes": 1.5, "maxBoundDescriptorSets": 32.0,
                            "maxComputeSharedMemorySize": 18446744073709551615}})"),
              ElementsAre(HasSubstr("'maxComputeWorkGroupSize' is an array; expected a list of integers"),
                          HasSubstr("expected a number of at least 0 for 'maxPushConstantsSize'"),
                          HasSubstr("expected an integer for 'maxVertexInputAttributes'")));
  EXPECT_THAT(faults_of(R"({"environment": "vulkan1.0", "environment": "vulkan1.3",
                            "device-limits": {"maxPushConstantsSize": 1, "maxPushConstantsSize": 2}})"),
              ElementsAre("$.environment: the key 'environment' is repeated",
                          HasSubstr("the key 'maxPushConstantsSize' is repeated")));
  EXPECT_THAT(faults_of(R"({"device-limits": {"minInterpolationOffset": "left", "maxInterpolationOffset": 1e300}})"),
              ElementsAre(HasSubstr("expected a number for 'minInterpolationOffset'"),
                          HasSubstr("expected a number for 'maxInterpolationOffset'")));
  const Profile fractions =
      profile_of(R"({"device-limits": {"minInterpolationOffset": -0.5, "maxInterpolationOffset": 1}})");
  ASSERT_EQ(fractions.device.limits.size(), 2u);
  EXPECT_EQ(fractions.device.limits[0].value, -DeviceLimit::fraction_unit / 2);
  EXPECT_EQ(fractions.device.limits[1].value, DeviceLimit::fraction_unit);
  const Profile profile = profile_of(R"({"device-limits": {"maxComputeWorkGroupSize": [8, 4, 2]}})");
  ASSERT_EQ(profile.device.limits.size(), 3u);
  EXPECT_EQ(profile.device.limits[1].name, "maxComputeWorkGroupSize[1]");
  EXPECT_EQ(profile.device.limits[1].value, 4);
}

// Vulkan 1.3 includes the extension that the requirement names in place of the feature.
TEST(Profile, includes_promoted_extensions) {
  const auto device = [](std::string_view environment) {
    return std::string(R"({"device-features": {"shaderStorageImageWriteWithoutFormat": false}, "environment": ")") +
           std::string(environment) + "\"}";
  };
  constexpr std::string_view module = R"(; Version: 1.3
OpCapability Shader
OpCapability StorageImageWriteWithoutFormat
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%type = OpTypeImage %f32 2D 0 0 0 2 Unknown
%pointer = OpTypePointer UniformConstant %type
%image = OpVariable %pointer UniformConstant
%main = OpFunction %void None %fn
%entry = OpLabel
%loaded = OpLoad %type %image
OpReturn
OpFunctionEnd
)";
  EXPECT_THAT(found_with(device("vulkan1.2"), module), ElementsAre("device-feature"));
  EXPECT_THAT(found_with(device("vulkan1.3"), module), IsEmpty());
}

TEST(VulkanDevices, report_wrong_values) {
  const auto faults = [](std::string_view limits) {
    return faults_of(std::string(R"({"VkPhysicalDeviceProperties": {"apiVersion": 4206592, "limits": {)") +
                     std::string(limits) + "}}}");
  };
  EXPECT_THAT(faults(R"("maxPushConstantsSize": 128.0, "minTexelOffset": -8, "timestampPeriod": 0.5)"), IsEmpty());
  EXPECT_THAT(faults(R"("maxPushConstantsSize": "18446744073709551615")"), IsEmpty());
  EXPECT_THAT(faults(R"("maxPushConstantsSize": "many")"),
              ElementsAre(HasSubstr("expected a number for maxPushConstantsSize")));
  EXPECT_THAT(faults(R"("maxPushConstantsSize": null)"),
              ElementsAre(HasSubstr("expected a number for maxPushConstantsSize")));
  EXPECT_THAT(faults(R"("maxPushConstantsSize": -1)"),
              ElementsAre(HasSubstr("expected a number of at least 0 for maxPushConstantsSize")));
  EXPECT_THAT(faults(R"("maxPushConstantsSize": 1.5)"),
              ElementsAre(HasSubstr("expected an integer for maxPushConstantsSize")));
  EXPECT_THAT(faults_of(R"({"VkPhysicalDeviceProperties": {"apiVersion": -1}})"),
              testing::Contains(HasSubstr("expected a version of Vulkan for apiVersion")));
  EXPECT_THAT(faults_of("\xFF\xFE=\0=\0"), ElementsAre(HasSubstr("the text is UTF-16")));
  EXPECT_THAT(faults_of("Vulkan Instance Version: 1.3\nGPU0:\n"), ElementsAre(HasSubstr("without --summary")));
  EXPECT_THAT(faults_of("VkPhysicalDeviceProperties:\n---\n"), ElementsAre(HasSubstr("is incomplete")));
}

// --- devices of Vulkan --------------------------------------------------------------------------------------------------

// A document of the Vulkan Profiles schema, as vulkaninfo writes it, in short. 4206822 is version 1.3.230.
constexpr std::string_view vulkan_profile = R"({
  "$schema": "https://schema.khronos.org/vulkan/profiles-0.8-latest.json",
  "capabilities": {"device": {
    "extensions": {"VK_EXT_mesh_shader": 1, "VK_KHR_maintenance8": 1},
    "features": {
      "VkPhysicalDeviceFeatures": {"shaderFloat64": true, "shaderInt64": false},
      "VkPhysicalDeviceVulkan12Features": {"scalarBlockLayout": true, "shaderFloat16": true},
      "VkPhysicalDeviceMaintenance8FeaturesKHR": {"maintenance8": true}},
    "properties": {
      "VkPhysicalDeviceVulkan11Properties": {"subgroupSupportedOperations": ["VK_SUBGROUP_FEATURE_VOTE_BIT"]},
      "VkPhysicalDeviceProperties": {"apiVersion": 4206822, "deviceName": "small GPU",
        "limits": {"maxComputeWorkGroupSize": [128, 64, 32], "maxPushConstantsSize": 128, "timestampPeriod": 0.5}}}}},
  "profiles": {"VP_VULKANINFO_small": {"version": 1, "api-version": "1.3.230", "label": "a label"}}})";

// The same device in the form of older versions, which have Vulkan 1.1: booleans are numbers, and masks too.
constexpr std::string_view vulkan_structures = R"({
  "ArrayOfVkExtensionProperties": [{"extensionName": "VK_EXT_mesh_shader", "specVersion": 1},
                                   {"extensionName": "VK_KHR_spirv_1_4", "specVersion": 1}],
  "VkPhysicalDeviceFeatures": {"shaderFloat64": 1, "shaderInt64": 0},
  "VkPhysicalDeviceShaderFloat16Int8Features": {"shaderFloat16": 1},
  "VkPhysicalDeviceSubgroupProperties": {"supportedOperations": 3},
  "VkPhysicalDeviceProperties": {"apiVersion": 4198400, "deviceName": "old GPU",
                                 "limits": {"maxComputeWorkGroupSize": [128, 64, 32]}}})";

bool has_capability(const Profile& profile, Capability capability) {
  const auto& all = *profile.device.capabilities;
  return std::binary_search(all.begin(), all.end(), static_cast<Word>(capability));
}

bool has_extension(const Profile& profile, std::string_view name) {
  const auto& all = *profile.device.extensions;
  return std::find(all.begin(), all.end(), name) != all.end();
}

TEST(VulkanDevice, is_read_from_a_vulkan_profile) {
  const Profile profile = profile_of(vulkan_profile);
  EXPECT_EQ(profile.name, "small GPU");
  EXPECT_EQ(profile.environment, find_environment("vulkan1.3"));
  EXPECT_TRUE(has_capability(profile, Capability::Shader));
  EXPECT_TRUE(has_capability(profile, Capability::Float64));
  EXPECT_TRUE(has_capability(profile, Capability::Float16));
  EXPECT_FALSE(has_capability(profile, Capability::Int64));
  EXPECT_FALSE(has_capability(profile, Capability::Geometry));
  EXPECT_TRUE(has_capability(profile, Capability::GroupNonUniformVote));
  EXPECT_FALSE(has_capability(profile, Capability::GroupNonUniformBallot));
  EXPECT_TRUE(has_capability(profile, Capability::MeshShadingEXT));
  EXPECT_FALSE(has_capability(profile, Capability::MeshShadingNV)) << "needs another extension";
  EXPECT_TRUE(has_extension(profile, "SPV_EXT_mesh_shader"));
  EXPECT_TRUE(has_extension(profile, "SPV_KHR_multiview")) << "part of Vulkan 1.1";
  EXPECT_FALSE(has_extension(profile, "SPV_NV_mesh_shader"));
  EXPECT_TRUE(profile.features.has(Feature::ScalarBlockLayout));
  EXPECT_TRUE(profile.features.has(Feature::RelaxBlockLayout)) << "part of Vulkan 1.1";
  EXPECT_TRUE(profile.features.has(Feature::AllowOffsetTextureOperand));
  EXPECT_FALSE(profile.features.has(Feature::UniformBufferStandardLayout));
  EXPECT_FALSE(profile.features.has(Feature::SkipBlockLayout)) << "a permission of the user";
  const auto size = std::ranges::find(profile.device.limits, "maxComputeWorkGroupSize[2]", &DeviceLimit::name);
  ASSERT_NE(size, profile.device.limits.end());
  EXPECT_EQ(size->value, 32);
}

TEST(VulkanDevice, is_read_from_structures_of_the_api) {
  const Profile profile = profile_of(vulkan_structures);
  EXPECT_EQ(profile.name, "old GPU");
  EXPECT_EQ(profile.environment, find_environment("vulkan1.1spv1.4"));
  EXPECT_TRUE(has_capability(profile, Capability::Float64));
  EXPECT_TRUE(has_capability(profile, Capability::Float16));
  EXPECT_FALSE(has_capability(profile, Capability::Int64));
  EXPECT_TRUE(has_capability(profile, Capability::GroupNonUniformVote));
  EXPECT_FALSE(has_capability(profile, Capability::GroupNonUniformArithmetic));
  EXPECT_TRUE(has_capability(profile, Capability::MeshShadingEXT));
  EXPECT_FALSE(profile.features.has(Feature::ScalarBlockLayout));
  EXPECT_NE(std::ranges::find(profile.device.limits, "maxComputeWorkGroupSize[2]", &DeviceLimit::name),
            profile.device.limits.end());
}

TEST(VulkanDevice, has_the_version_of_its_profile_if_it_states_none) {
  const auto environment_with = [](std::string_view version) {
    const std::string text =
        R"({"capabilities": {"a": {}}, "profiles": {"VP": {"api-version": ")" + std::string(version) + R"("}}})";
    return profile_of(text).environment.value_or(Environment{}).name;
  };
  EXPECT_EQ(environment_with("1.0.68"), "vulkan1.0");
  EXPECT_EQ(environment_with("1.1.100"), "vulkan1.1");
  EXPECT_EQ(environment_with("1.4.300"), "vulkan1.4");
  EXPECT_EQ(environment_with("1.9.1"), "vulkan1.4") << "the newest one that is known";
  EXPECT_THAT(faults_of(R"({"capabilities": {"device": {}}})"), ElementsAre(HasSubstr("does not state a version")));
  EXPECT_THAT(faults_of(R"({"VkPhysicalDeviceFeatures": {}})"), ElementsAre(HasSubstr("does not state a version")));
}

// The built-in grammar has all capabilities of the table; a misspelled one would never be supported.
TEST(VulkanDevice, has_known_capabilities_and_sources) {
  constexpr std::pair<std::string_view, std::string_view> rows[] = {
#define CAPABILITY(name, member, bits, sources) {#name, sources},
#define EXTENSION(name, sources) {"", sources},
#include "spirv/validate/profile/vulkan_registry.def"
#undef CAPABILITY
#undef EXTENSION
  };
  const Grammar& grammar = builtin_grammar();
  for (const auto& [name, sources] : rows) {
    EXPECT_TRUE(name.empty() || grammar.find_enumerant(grammar.capability_kind, name) != nullptr) << name;
    EXPECT_TRUE(sources.empty() || sources.starts_with("VK_")) << sources;
  }
}

// --- choices ------------------------------------------------------------------------------------------------------------

TEST(RuleChoices, change_severities_and_the_last_one_wins) {
  const WordBuffer words = test::assembled(R"(OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%u32 = OpTypeInt 32 0
%v5 = OpTypeVector %u32 5
%v6 = OpTypeVector %u32 6
)");
  const auto verdict = [&](std::initializer_list<RuleChoice> choices) {
    ValidateOptions options;
    const std::vector<RuleChoice> rules(choices);
    options.rules = rules;
    Diagnostics diagnostics;
    const bool is_valid = validate(words, options, diagnostics);
    return std::tuple(is_valid, diagnostics.error_count(), diagnostics.warning_count());
  };
  EXPECT_EQ(verdict({}), std::tuple(false, 2u, 0u));
  EXPECT_EQ(verdict({{"component-count", {}}}), std::tuple(true, 0u, 0u));
  EXPECT_EQ(verdict({{"component-count", Severity::Warning}}), std::tuple(true, 0u, 2u));
  EXPECT_EQ(verdict({{"component-count", {}}, {"component-count", Severity::Error}}), std::tuple(false, 2u, 0u));
  EXPECT_EQ(verdict({{"undefined-id", {}}}), std::tuple(false, 2u, 0u));
}

// A finding suppresses its consequences only if it is an error; otherwise an invalid module would pass.
TEST(RuleChoices, lowered_rules_hide_no_errors_of_other_rules) {
  const WordBuffer words = test::assembled(R"(OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%u32 = OpTypeInt 32 0
%one = OpConstant %u32 1
%v5 = OpTypeVector %u32 5
%short = OpConstantComposite %v5 %one %one
)");
  const auto errors = [&](std::vector<RuleChoice> rules) {
    ValidateOptions options;
    options.rules = rules;
    Diagnostics diagnostics;
    validate(words, options, diagnostics);
    std::vector<std::string_view> found;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      if (diagnostic.severity == Severity::Error) found.push_back(diagnostic.rule);
    }
    return found;
  };
  EXPECT_THAT(errors({}), ElementsAre("component-count"));
  EXPECT_THAT(errors({{"component-count", Severity::Warning}}), ElementsAre("constituent-count"));
  EXPECT_THAT(errors({{"component-count", {}}}), ElementsAre("constituent-count"));
}

TEST(RuleChoices, apply_to_rules_of_the_instruction_reader) {
  WordBuffer words = test::assembled("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n");
  words.push_back(1u << 16 | 0x7FFFu);
  Diagnostics reported, silent;
  EXPECT_FALSE(validate(words, {}, reported));
  EXPECT_EQ(reported.all().front().rule, "unknown-opcode");
  const RuleChoice off[] = {{"unknown-opcode", {}}};
  ValidateOptions options;
  options.rules = off;
  EXPECT_TRUE(validate(words, options, silent));
}

TEST(RuleChoices, keep_errors_after_many_warnings) {
  std::string text =
      "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%u32 = OpTypeInt 32 0\n";
  for (int i = 17; i < 52; ++i) text += "%v" + std::to_string(i) + " = OpTypeVector %u32 " + std::to_string(i) + "\n";
  text += "%last = OpTypeVector %nowhere 2\n";
  const RuleChoice warn[] = {{"component-count", Severity::Warning}};
  ValidateOptions options;
  options.rules = warn;
  options.max_findings = 3;
  Diagnostics diagnostics;
  EXPECT_FALSE(validate(test::assembled(text), options, diagnostics));
  EXPECT_EQ(diagnostics.all().size(), 4u);
  EXPECT_EQ(diagnostics.warning_count(), 35u) << "those that were not kept are counted as well";
  EXPECT_EQ(diagnostics.all().back().rule, "undefined-id");
}

TEST(RuleChoices, are_off_warn_or_error) {
  EXPECT_EQ(find_rule_choice("universal-limit", "off")->severity, std::nullopt);
  EXPECT_EQ(find_rule_choice("universal-limit", "warn")->severity, Severity::Warning);
  EXPECT_EQ(find_rule_choice("zero-id", "error")->severity, Severity::Error);
  EXPECT_FALSE(find_rule_choice("universal-limit", "loud"));
  EXPECT_FALSE(find_rule_choice("no-such-rule", "off"));
  EXPECT_EQ(unknown_rule("universal-limit"), "");
  EXPECT_EQ(unknown_rule("univeral-limit"), "unknown rule 'univeral-limit'; did you mean 'universal-limit'?");
}

// --- names --------------------------------------------------------------------------------------------------------------

TEST(ValidatorLimits, are_all_in_the_table_of_limits) {
  EXPECT_EQ(limits().size() * sizeof(Word), sizeof(Limits));
  Limits written;
  for (const LimitRow& row : limits()) written.*row.limit = 7;
  EXPECT_EQ(written.struct_members + written.id_bound, 14u);
}

}  // namespace
}  // namespace vireo::spirv
