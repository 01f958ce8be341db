// SPDX-License-Identifier: Apache-2.0
//
// Documents about devices that other programs write: the text of vulkaninfo, profiles, and reports of gpuinfo.org. All
// describe the same device, so all give the same profile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/validate/profile.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view vulkaninfo_text =
    "==========\nVULKANINFO\n==========\n\nVulkan Instance Version: 1.3.280\n\n"
    "Instance Extensions: count = 1\n===============================\n"
    "\tVK_KHR_surface : extension revision 25\n\n"
    "Device Properties and Extensions:\n=================================\nGPU0:\n"
    "VkPhysicalDeviceProperties:\n---------------------------\n"
    "\tapiVersion     = 1.2.154 (4202650)\n\tdeviceName     = Test GPU\n\n"
    "VkPhysicalDeviceLimits:\n-----------------------\n"
    "\tmaxPushConstantsSize                            = 128\n"
    "\tminTexelOffset                                  = -8\n"
    "\tminInterpolationOffset                          = -0.5\n"
    "\tmaxComputeWorkGroupSize: count = 3\n\t\t1024\n\t\t512\n\t\t64\n"
    "\tmaxClipDistances                                = 0\n\n"
    "VkPhysicalDeviceSubgroupProperties:\n-----------------------------------\n"
    "\tsubgroupSize              = 32\n"
    "\tsupportedStages: count = 2\n\t\tSHADER_STAGE_FRAGMENT_BIT\n\t\tSHADER_STAGE_COMPUTE_BIT\n"
    "\tquadOperationsInAllStages = false\n\n"
    "VkPhysicalDeviceFloatControlsProperties:\n----------------------------------------\n"
    "\tdenormBehaviorIndependence = SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE\n\n"
    "VkPhysicalDeviceMeshShaderPropertiesNV:\n---------------------------------------\n"
    "\tmaxMeshOutputVertices = 200\n\n"
    "Device Extensions: count = 2\n-----------------------------\n"
    "\tVK_KHR_shader_clock                 : extension revision 1\n"
    "\tVK_NV_mesh_shader                   : extension revision 1\n\n"
    "VkPhysicalDeviceFeatures:\n=========================\n"
    "\tfragmentStoresAndAtomics                = false\n"
    "\tshaderInt64                             = true\n\n"
    "VkPhysicalDeviceShaderClockFeaturesKHR:\n---------------------------------------\n"
    "\tshaderSubgroupClock = true\n\tshaderDeviceClock   = false\n\n"
    "GPU1:\nVkPhysicalDeviceProperties:\n---------------------------\n\tapiVersion = 1.0.0 (4194304)\n"
    "VkPhysicalDeviceFeatures:\n=========================\n\tfragmentStoresAndAtomics = true\n";

constexpr std::string_view profiles_json = R"({
 "$schema": "https://schema.khronos.org/vulkan/profiles-0.8-latest.json",
 "capabilities": {"device": {
  "extensions": {"VK_KHR_shader_clock": 1, "VK_NV_mesh_shader": 1},
  "features": {
   "VkPhysicalDeviceFeatures": {"fragmentStoresAndAtomics": false, "shaderInt64": true},
   "VkPhysicalDeviceShaderClockFeaturesKHR": {"shaderSubgroupClock": true, "shaderDeviceClock": false}},
  "properties": {
   "VkPhysicalDeviceProperties": {"apiVersion": 4202650, "deviceName": "Test GPU", "limits": {
     "maxPushConstantsSize": 128, "minTexelOffset": -8, "maxComputeWorkGroupSize": [1024, 512, 64],
     "minInterpolationOffset": -0.5, "maxClipDistances": 0}},
   "VkPhysicalDeviceSubgroupProperties": {"subgroupSize": 32, "quadOperationsInAllStages": false,
     "supportedStages": ["VK_SHADER_STAGE_FRAGMENT_BIT", "VK_SHADER_STAGE_COMPUTE_BIT"]},
   "VkPhysicalDeviceFloatControlsProperties": {
     "denormBehaviorIndependence": "VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE"},
   "VkPhysicalDeviceMeshShaderPropertiesNV": {"maxMeshOutputVertices": 200}}}},
 "profiles": {"VP_TEST": {"version": 1, "api-version": "1.2.154", "label": "other", "capabilities": ["device"]}}})";

constexpr std::string_view report_json = R"({
 "environment": {"name": "linux", "version": "1", "architecture": "x86_64", "reportversion": "3.2"},
 "extensions": [{"extensionName": "VK_KHR_shader_clock", "specVersion": 1},
                {"extensionName": "VK_NV_mesh_shader", "specVersion": 1}],
 "features": {"fragmentStoresAndAtomics": 0, "shaderInt64": 1},
 "properties": {"apiVersion": 4202650, "deviceName": "Test GPU",
   "limits": {"maxPushConstantsSize": 128, "minTexelOffset": -8, "maxComputeWorkGroupSize": [1024, 512, 64],
              "minInterpolationOffset": -0.5, "maxClipDistances": 0},
   "subgroupProperties": {"subgroupSize": 32, "supportedStages": 48, "quadOperationsInAllStages": false}},
 "layers": [{"layerName": "VK_LAYER_test", "extensions": [{"extensionName": "VK_EXT_shader_stencil_export"}]}],
 "extended": {
  "devicefeatures2": [
    {"extension": "VK_KHR_shader_clock", "name": "shaderSubgroupClock", "supported": true},
    {"extension": "VK_KHR_shader_clock", "name": "shaderDeviceClock", "supported": false}],
  "deviceproperties2": [
    {"extension": "VK_KHR_shader_float_controls", "name": "denormBehaviorIndependence", "value": "2"},
    {"extension": "VK_NV_mesh_shader", "name": "maxMeshOutputVertices", "value": "200"}]}})";

std::optional<Profile> read(std::string_view text) {
  Diagnostics diagnostics;
  Result<Profile> profile = read_profile({"device", text}, builtin_grammar(), diagnostics);
  for (const Diagnostic& each : diagnostics.all()) ADD_FAILURE() << each.message;
  if (!profile) return std::nullopt;
  return std::move(profile).value();
}

std::optional<std::int64_t> value_of(const Profile& profile, std::string_view name) {
  const auto found = std::ranges::find(profile.device.limits, name, &DeviceLimit::name);
  return found == profile.device.limits.end() ? std::nullopt : std::optional(found->value);
}

TEST(DeviceDocuments, describe_the_same_device) {
  for (const std::string_view document : {vulkaninfo_text, profiles_json, report_json}) {
    SCOPED_TRACE(document.substr(0, 40));
    const auto profile = read(document);
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->name, "Test GPU");
    ASSERT_TRUE(profile->environment);
    EXPECT_EQ(profile->environment->name, "vulkan1.2");
    EXPECT_EQ(value_of(*profile, "maxPushConstantsSize"), 128);
    EXPECT_EQ(value_of(*profile, "minTexelOffset"), -8);
    EXPECT_EQ(value_of(*profile, "minInterpolationOffset"), -DeviceLimit::fraction_unit / 2);
    EXPECT_EQ(value_of(*profile, "maxComputeWorkGroupSize[1]"), 512);
    EXPECT_EQ(value_of(*profile, "maxClipDistances"), 0);
    EXPECT_EQ(value_of(*profile, "subgroupSupportedStages"), 0x30);
    EXPECT_EQ(value_of(*profile, "subgroupQuadOperationsInAllStages"), 0);
    EXPECT_EQ(value_of(*profile, "denormBehaviorIndependence"), 2);
    EXPECT_EQ(value_of(*profile, "VkPhysicalDeviceMeshShaderPropertiesNV::maxMeshOutputVertices"), 200);
    EXPECT_EQ(value_of(*profile, "maxMeshOutputVertices"), std::nullopt);
    EXPECT_EQ(value_of(*profile, "fragmentStoresAndAtomics"), 0);
    EXPECT_EQ(value_of(*profile, "shaderSubgroupClock"), 1);
    EXPECT_EQ(value_of(*profile, "shaderDeviceClock"), 0);
    EXPECT_EQ(value_of(*profile, "VK_KHR_format_feature_flags2"), 0);
    EXPECT_EQ(value_of(*profile, "shaderFmaFloat16"), std::nullopt);
    EXPECT_THAT(*profile->device.extensions, testing::Contains("SPV_KHR_shader_clock"));
    EXPECT_THAT(*profile->device.extensions, testing::Not(testing::Contains("SPV_EXT_shader_stencil_export")));
  }
}

}  // namespace
}  // namespace vireo::spirv
