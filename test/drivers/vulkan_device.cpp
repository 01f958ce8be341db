// SPDX-License-Identifier: Apache-2.0
//
// The device, its memory, and compute shaders (vulkan_device.h).
//
// Source: Vulkan 1.3 specification, chapters 4 (initialisation), 10 (pipelines), 12 (resources), 14 (descriptors).
#include "drivers/vulkan_device.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace vireo::drivers {

void expect(VkResult result, const char* call) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(call) + " gives " + std::to_string(result));
}

// --- opening ------------------------------------------------------------------------------------------------------------

namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";
constexpr const char* icd_folder = "/usr/share/vulkan/icd.d";

/// Passes lavapipe's ICD file to the loader. Other drivers are not loaded, because they would search for hardware.
void choose_driver() {
  if (std::getenv("VK_DRIVER_FILES") != nullptr || std::getenv("VK_ICD_FILENAMES") != nullptr) return;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(icd_folder, absent)) {
    if (entry.path().filename().string().starts_with("lvp_icd")) setenv("VK_DRIVER_FILES", entry.path().c_str(), 1);
  }
}

bool has_layer(std::string_view name) {
  std::uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  for (const VkLayerProperties& layer : layers) {
    if (layer.layerName == name) return true;
  }
  return false;
}

template <typename Function>
Function found(VkInstance instance, const char* name) {
  return reinterpret_cast<Function>(vkGetInstanceProcAddr(instance, name));
}

}  // namespace

std::unique_ptr<Device> Device::open(std::string& absent) {
  choose_driver();
  std::unique_ptr<Device> device(new Device);
  device->make_instance(absent);
  if (!absent.empty()) return nullptr;
  device->make_device();
  return device;
}

VkBool32 Device::hear(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                      const VkDebugUtilsMessengerCallbackDataEXT* data, void* device) {
  static_cast<Device*>(device)->messages_.append(data->pMessage).append("\n");
  return VK_FALSE;
}

void Device::make_instance(std::string& absent) {
  auto application = made<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.apiVersion = VK_API_VERSION_1_3;  // accepts SPIR-V 1.6, the assembler's default
  auto listener = made<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  listener.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  listener.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  listener.pfnUserCallback = hear;
  listener.pUserData = this;

  auto info = made<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  const char* const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  has_validation_ = has_layer(validation_layer);
  if (has_validation_) {
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &validation_layer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
  }
  const VkResult result = vkCreateInstance(&info, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    absent = "no Vulkan driver: install mesa-vulkan-drivers, or name one in VK_DRIVER_FILES";
    return;
  }
  expect(result, "vkCreateInstance");
  undo_.add([this] { vkDestroyInstance(instance_, nullptr); });
  if (has_validation_) {
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    const auto create = found<PFN_vkCreateDebugUtilsMessengerEXT>(instance_, "vkCreateDebugUtilsMessengerEXT");
    expect(create(instance_, &listener, nullptr, &messenger), "vkCreateDebugUtilsMessengerEXT");
    undo_.add([this, messenger] {
      found<PFN_vkDestroyDebugUtilsMessengerEXT>(instance_, "vkDestroyDebugUtilsMessengerEXT")(instance_, messenger,
                                                                                               nullptr);
    });
  }

  std::uint32_t count = 1;
  const VkResult devices = vkEnumeratePhysicalDevices(instance_, &count, &physical_);
  if (devices != VK_INCOMPLETE) expect(devices, "vkEnumeratePhysicalDevices");
  if (count == 0) absent = "the Vulkan driver has no device";
}

void Device::make_device() {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical_, &properties);
  name_ = properties.deviceName;

  // A graphics queue also supports compute.
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
  while (family_ < count && (families[family_].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0) ++family_;
  if (family_ == count) throw std::runtime_error(name_ + " cannot draw");

  // Enables only these features, so that the validation layer reports a shader that uses another one.
  auto reported = made<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2), enabled = reported;
  auto reported_12 = made<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  auto reported_13 = made<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  auto enabled_12 = reported_12;
  auto enabled_13 = reported_13;
  reported.pNext = &reported_12;
  reported_12.pNext = &reported_13;
  vkGetPhysicalDeviceFeatures2(physical_, &reported);
  enabled.pNext = &enabled_12;
  enabled_12.pNext = &enabled_13;
  enabled.features.shaderInt16 = reported.features.shaderInt16;
  enabled.features.shaderInt64 = reported.features.shaderInt64;
  enabled.features.shaderFloat64 = reported.features.shaderFloat64;
  enabled_12.shaderInt8 = reported_12.shaderInt8;
  enabled_12.shaderFloat16 = reported_12.shaderFloat16;
  enabled_13.maintenance4 = reported_13.maintenance4;  // permits LocalSizeId
  types_ = {reported_12.shaderInt8 != 0, reported.features.shaderInt16 != 0, reported.features.shaderInt64 != 0,
            reported_12.shaderFloat16 != 0, reported.features.shaderFloat64 != 0};

  const float priority = 1;
  auto queue = made<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = family_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto info = made<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.pNext = &enabled;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  expect(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
  undo_.add([this] { vkDestroyDevice(device_, nullptr); });
  vkGetDeviceQueue(device_, family_, 0, &queue_);
}

// --- shared by compute and drawing -----------------------------------------------------------------------------------

VkShaderModule Device::module(spirv::Words words, Undo& undo) {
  auto info = made<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  expect(vkCreateShaderModule(device_, &info, nullptr, &module), "vkCreateShaderModule");
  undo.add([this, module] { vkDestroyShaderModule(device_, module, nullptr); });
  return module;
}

VkDeviceMemory Device::memory(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted, Undo& undo) {
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(physical_, &types);
  std::uint32_t type = 0;
  const auto fits = [&] {
    return (needs.memoryTypeBits >> type & 1) != 0 && (types.memoryTypes[type].propertyFlags & wanted) == wanted;
  };
  while (type < types.memoryTypeCount && !fits()) ++type;

  auto info = made<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  info.allocationSize = needs.size;
  info.memoryTypeIndex = type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  expect(vkAllocateMemory(device_, &info, nullptr, &memory), "vkAllocateMemory");
  undo.add([this, memory] { vkFreeMemory(device_, memory, nullptr); });
  return memory;
}

HostBuffer Device::buffer(std::size_t words, VkBufferUsageFlags usage, Undo& undo) {
  HostBuffer made_buffer;
  made_buffer.word_count = words;
  auto info = made<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = words * sizeof(std::uint32_t);
  info.usage = usage;
  expect(vkCreateBuffer(device_, &info, nullptr, &made_buffer.buffer), "vkCreateBuffer");
  undo.add([this, buffer = made_buffer.buffer] { vkDestroyBuffer(device_, buffer, nullptr); });

  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device_, made_buffer.buffer, &needs);
  const VkDeviceMemory held =
      memory(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, undo);
  expect(vkBindBufferMemory(device_, made_buffer.buffer, held, 0), "vkBindBufferMemory");
  void* mapped = nullptr;
  expect(vkMapMemory(device_, held, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  made_buffer.words = static_cast<std::uint32_t*>(mapped);
  return made_buffer;
}

VkPipelineLayout Device::layout(VkDescriptorSetLayout set, std::size_t push_words, Undo& undo) {
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, static_cast<std::uint32_t>(push_words * 4)};
  auto info = made<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  info.setLayoutCount = set == VK_NULL_HANDLE ? 0 : 1;
  info.pSetLayouts = &set;
  info.pushConstantRangeCount = push_words == 0 ? 0 : 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  expect(vkCreatePipelineLayout(device_, &info, nullptr, &layout), "vkCreatePipelineLayout");
  undo.add([this, layout] { vkDestroyPipelineLayout(device_, layout, nullptr); });
  return layout;
}

void Device::submit(const std::function<void(VkCommandBuffer)>& record) {
  Undo undo;
  auto pool_info = made<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool_info.queueFamilyIndex = family_;
  VkCommandPool pool = VK_NULL_HANDLE;
  expect(vkCreateCommandPool(device_, &pool_info, nullptr, &pool), "vkCreateCommandPool");
  undo.add([this, pool] { vkDestroyCommandPool(device_, pool, nullptr); });

  auto allocate = made<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  expect(vkAllocateCommandBuffers(device_, &allocate, &commands), "vkAllocateCommandBuffers");
  const auto begin = made<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  expect(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  record(commands);
  // Makes all writes visible to the host, which reads them next.
  auto barrier = made<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                       nullptr, 0, nullptr);
  expect(vkEndCommandBuffer(commands), "vkEndCommandBuffer");

  auto info = made<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  expect(vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  expect(vkQueueWaitIdle(queue_), "vkQueueWaitIdle");
}

// --- compute shaders ----------------------------------------------------------------------------------------------------

void Device::run(const Dispatch& dispatch) {
  Undo undo;
  const auto count = static_cast<std::uint32_t>(dispatch.buffers.size());

  // The descriptor set: a storage buffer at each binding, filled with the caller's data.
  std::vector<VkDescriptorSetLayoutBinding> bindings(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  auto set_info = made<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  set_info.bindingCount = count;
  set_info.pBindings = bindings.data();
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  expect(vkCreateDescriptorSetLayout(device_, &set_info, nullptr, &set_layout), "vkCreateDescriptorSetLayout");
  undo.add([this, set_layout] { vkDestroyDescriptorSetLayout(device_, set_layout, nullptr); });

  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count};
  auto pool_info = made<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  expect(vkCreateDescriptorPool(device_, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
  undo.add([this, pool] { vkDestroyDescriptorPool(device_, pool, nullptr); });
  auto allocate = made<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &set_layout;
  VkDescriptorSet set = VK_NULL_HANDLE;
  expect(vkAllocateDescriptorSets(device_, &allocate, &set), "vkAllocateDescriptorSets");

  std::vector<HostBuffer> buffers;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::vector<std::uint32_t>& values = dispatch.buffers[i];
    buffers.push_back(buffer(values.size(), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, undo));
    std::memcpy(buffers[i].words, values.data(), values.size() * sizeof(std::uint32_t));
    const VkDescriptorBufferInfo place = {buffers[i].buffer, 0, VK_WHOLE_SIZE};
    auto write = made<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    write.dstBinding = i;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &place;
    vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
  }

  // The pipeline, with specialization constants. Without the caller's map they are numbered from 0.
  std::vector<VkSpecializationMapEntry> entries;
  for (std::uint32_t i = 0; i < dispatch.specialization.size(); ++i) entries.push_back({i, i * 4, 4});
  const VkSpecializationInfo specialization = {static_cast<std::uint32_t>(entries.size()), entries.data(),
                                               dispatch.specialization.size() * 4, dispatch.specialization.data()};
  auto info = made<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage = made<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module(dispatch.shader, undo);
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = dispatch.specialization_info;
  if (!entries.empty()) info.stage.pSpecializationInfo = &specialization;
  info.layout = layout(set_layout, dispatch.push_constants.size(), undo);
  VkPipeline pipeline = VK_NULL_HANDLE;
  expect(vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "vkCreateComputePipelines");
  undo.add([this, pipeline] { vkDestroyPipeline(device_, pipeline, nullptr); });

  submit([&](VkCommandBuffer commands) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, info.layout, 0, 1, &set, 0, nullptr);
    if (!dispatch.push_constants.empty()) {
      vkCmdPushConstants(commands, info.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         static_cast<std::uint32_t>(dispatch.push_constants.size() * 4),
                         dispatch.push_constants.data());
    }
    vkCmdDispatch(commands, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
  });
  for (std::uint32_t i = 0; i < count; ++i) {
    dispatch.buffers[i].assign(buffers[i].words, buffers[i].words + buffers[i].word_count);
  }
}

}  // namespace vireo::drivers
