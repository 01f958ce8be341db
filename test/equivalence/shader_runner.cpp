// SPDX-License-Identifier: Apache-2.0
//
// The device, the descriptors with their buffers and images, and compute shaders (shader_runner.h, shader_run.h).
//
// Source: Vulkan 1.3 specification, chapters 4 (initialisation), 10 (pipelines), 12 (resources), 14 (descriptors).
#include "equivalence/shader_runner.h"

#include <algorithm>
#include <cstring>

#include "equivalence/shader_run.h"

namespace vireo::equivalence {

using drivers::expect;
using drivers::made;

// --- device -------------------------------------------------------------------------------------------------------------

std::unique_ptr<ShaderRunner> ShaderRunner::open() {
  std::unique_ptr<ShaderRunner> runner(new ShaderRunner);
  runner->make_device();
  return runner;
}

void ShaderRunner::make_device() {
  auto application = made<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.apiVersion = VK_API_VERSION_1_3;
  auto instance_info = made<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  instance_info.pApplicationInfo = &application;
  expect(vkCreateInstance(&instance_info, nullptr, &instance_), "vkCreateInstance");
  undo_.add([this] { vkDestroyInstance(instance_, nullptr); });
  std::uint32_t count = 1;
  const VkResult devices = vkEnumeratePhysicalDevices(instance_, &count, &physical_);
  if (devices != VK_INCOMPLETE) expect(devices, "vkEnumeratePhysicalDevices");

  // Enables each feature that the driver reports.
  auto features = made<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  auto features_11 = made<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  auto features_12 = made<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  auto features_13 = made<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  features.pNext = &features_11;
  features_11.pNext = &features_12;
  features_12.pNext = &features_13;
  vkGetPhysicalDeviceFeatures2(physical_, &features);

  const float priority = 1;
  auto queue = made<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = 0;  // lavapipe has one family, for graphics and compute
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto info = made<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  expect(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
  undo_.add([this] { vkDestroyDevice(device_, nullptr); });
  vkGetDeviceQueue(device_, 0, 0, &queue_);
  auto pool_info = made<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  expect(vkCreateCommandPool(device_, &pool_info, nullptr, &pool_), "vkCreateCommandPool");
  undo_.add([this] { vkDestroyCommandPool(device_, pool_, nullptr); });
}

Written ShaderRunner::run(const Shader& shader, const ShaderInterface& entry, spirv::Words words, std::uint32_t seed) {
  return ShaderRun(*this, shader, entry, seed).run(words);
}

// --- memory -------------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t buffer_words = 16384;  // 64 KiB, the largest range of a uniform buffer
constexpr std::uint32_t texel_buffer_texels = 1024;
constexpr std::uint32_t distinct_descriptors = 4;  // of an array; later elements repeat them

bool is_image(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
         type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}
bool is_texel_buffer(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

struct Extent {
  spirv::Dim dim;
  VkImageType type;
  VkImageViewType view, arrayed_view;
  VkExtent3D size;
  std::uint32_t layers;
};
constexpr Extent extents[] = {
    {spirv::Dim::Dim1D, VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, {16, 1, 1}, 1},
    {spirv::Dim::Dim2D, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {16, 16, 1}, 1},
    {spirv::Dim::Dim3D, VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, {16, 16, 4}, 1},
    {spirv::Dim::Cube, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, {16, 16, 1}, 6},
};

}  // namespace

void ShaderRun::bind(const VkMemoryRequirements& needs, const std::function<VkResult(VkDeviceMemory)>& bind_to,
                     void** mapped) {
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(runner_.physical_, &types);
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  auto info = made<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  info.allocationSize = needs.size;
  while (info.memoryTypeIndex < types.memoryTypeCount &&
         ((needs.memoryTypeBits >> info.memoryTypeIndex & 1) == 0 ||
          (types.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted))
    ++info.memoryTypeIndex;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  expect(vkAllocateMemory(device_, &info, nullptr, &memory), "vkAllocateMemory");
  undo_.add([device = device_, memory] { vkFreeMemory(device, memory, nullptr); });
  expect(bind_to(memory), "binding memory");
  if (mapped != nullptr) expect(vkMapMemory(device_, memory, 0, VK_WHOLE_SIZE, 0, mapped), "vkMapMemory");
}

drivers::HostBuffer ShaderRun::make_buffer(std::size_t words) {
  drivers::HostBuffer made_buffer;
  made_buffer.word_count = words;
  auto info = made<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = words * sizeof(std::uint32_t);
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  expect(vkCreateBuffer(device_, &info, nullptr, &buffer), "vkCreateBuffer");
  undo_.add([device = device_, buffer] { vkDestroyBuffer(device, buffer, nullptr); });
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device_, buffer, &needs);
  void* mapped = nullptr;
  bind(
      needs, [&](VkDeviceMemory memory) { return vkBindBufferMemory(device_, buffer, memory, 0); }, &mapped);
  made_buffer.buffer = buffer;
  made_buffer.words = static_cast<std::uint32_t*>(mapped);
  return made_buffer;
}

drivers::HostBuffer ShaderRun::make_filled_buffer(const std::vector<std::uint32_t>& contents) {
  const drivers::HostBuffer buffer = make_buffer(contents.size());
  std::memcpy(buffer.words, contents.data(), contents.size() * sizeof(std::uint32_t));
  return buffer;
}

ShaderRun::Image ShaderRun::make_image(const ImageInfo& wanted) {
  Image image;
  image.info = wanted;
  const std::size_t texels = std::size_t{wanted.size.width} * wanted.size.height * wanted.size.depth * wanted.layers;
  image.transfer = make_buffer((texels * wanted.texel.bytes + 3) / 4);
  const bool is_depth = wanted.texel.format == VK_FORMAT_D32_SFLOAT;
  image.aspect = is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;

  auto info = made<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.flags = wanted.layers % 6 == 0 ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
  info.imageType = wanted.type;
  info.format = wanted.texel.format;
  info.extent = wanted.size;
  info.mipLevels = 1;
  info.arrayLayers = wanted.layers;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = wanted.usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  expect(vkCreateImage(device_, &info, nullptr, &image.image), "vkCreateImage");
  undo_.add([device = device_, made_image = image.image] { vkDestroyImage(device, made_image, nullptr); });
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device_, image.image, &needs);
  bind(
      needs, [&](VkDeviceMemory memory) { return vkBindImageMemory(device_, image.image, memory, 0); }, nullptr);

  auto view = made<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  view.image = image.image;
  view.viewType = wanted.view;
  view.format = wanted.texel.format;
  view.subresourceRange = {image.aspect, 0, 1, 0, wanted.layers};
  expect(vkCreateImageView(device_, &view, nullptr, &image.view), "vkCreateImageView");
  undo_.add([device = device_, made_view = image.view] { vkDestroyImageView(device, made_view, nullptr); });
  return image;
}

VkSampler ShaderRun::make_sampler() {
  auto info = made<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
  // Integers cannot be filtered. A separate sampler may be used with any image of the module.
  info.magFilter = info.minFilter = interface_.has_integer_images ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
  info.compareEnable = interface_.has_depth_comparison ? VK_TRUE : VK_FALSE;
  info.compareOp = VK_COMPARE_OP_LESS;
  VkSampler sampler = VK_NULL_HANDLE;
  expect(vkCreateSampler(device_, &info, nullptr, &sampler), "vkCreateSampler");
  undo_.add([device = device_, sampler] { vkDestroySampler(device, sampler, nullptr); });
  return sampler;
}

// --- descriptors --------------------------------------------------------------------------------------------------------

ShaderRun::Descriptor ShaderRun::make_descriptor(const Binding& binding) {
  Descriptor descriptor;
  std::vector<std::uint32_t> contents(buffer_words);
  if (binding.type == VK_DESCRIPTOR_TYPE_SAMPLER || binding.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
    descriptor.image.sampler = make_sampler();
  if (binding.pointee != 0) {
    fill_buffer(shader_, binding.pointee, seed_++, contents);
    const drivers::HostBuffer buffer = make_filled_buffer(contents);
    descriptor.buffer = {buffer.buffer, 0, VK_WHOLE_SIZE};
    if (binding.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) written_.push_back(buffer);
  }
  const TexelFormat texel = is_image(binding.type) || is_texel_buffer(binding.type)
                                ? texel_format(shader_.types, binding.image)
                                : TexelFormat();
  if (is_texel_buffer(binding.type)) {
    contents.resize((std::size_t{texel_buffer_texels} * texel.bytes + 3) / 4);
    fill_texels(texel.format, seed_++, contents);
    const drivers::HostBuffer buffer = make_filled_buffer(contents);
    auto info = made<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    info.buffer = buffer.buffer;
    info.format = texel.format;
    info.range = VK_WHOLE_SIZE;
    expect(vkCreateBufferView(device_, &info, nullptr, &descriptor.texels), "vkCreateBufferView");
    undo_.add([device = device_, view = descriptor.texels] { vkDestroyBufferView(device, view, nullptr); });
    if (binding.type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER) written_.push_back(buffer);
  } else if (is_image(binding.type)) {
    const auto* const extent = std::ranges::find(extents, binding.image.dim, &Extent::dim);
    if (extent == std::end(extents)) throw std::runtime_error("image of another dimension");
    const bool is_storage = binding.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    const bool is_arrayed = binding.image.arrayed != 0;
    const Image image = make_image({texel, extent->type, is_arrayed ? extent->arrayed_view : extent->view, extent->size,
                                    extent->layers * (is_arrayed ? 2 : 1),
                                    is_storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT});
    contents.resize(image.transfer.word_count);
    fill_texels(texel.format, seed_++, contents);
    std::memcpy(image.transfer.words, contents.data(), contents.size() * sizeof(std::uint32_t));
    descriptor.image.imageView = image.view;
    descriptor.image.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    uploads_.push_back(image);
    if (is_storage) downloads_.push_back(image);
  }
  return descriptor;
}

void ShaderRun::make_descriptor_sets(VkShaderStageFlags stages) {
  std::uint32_t set_count = 0;
  for (const Binding& binding : interface_.bindings) set_count = std::max(set_count, binding.set + 1);
  std::vector<std::vector<VkDescriptorSetLayoutBinding>> layouts(set_count);
  std::vector<VkDescriptorPoolSize> sizes = {{VK_DESCRIPTOR_TYPE_SAMPLER, 1}};  // at least one
  for (const Binding& binding : interface_.bindings) {
    layouts[binding.set].push_back({binding.binding, binding.type, binding.count, stages, nullptr});
    sizes.push_back({binding.type, binding.count});
  }
  set_layouts_.resize(set_count);
  for (std::uint32_t set = 0; set < set_count; ++set) {
    auto info = made<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = static_cast<std::uint32_t>(layouts[set].size());
    info.pBindings = layouts[set].data();
    expect(vkCreateDescriptorSetLayout(device_, &info, nullptr, &set_layouts_[set]), "vkCreateDescriptorSetLayout");
    undo_.add(
        [device = device_, layout = set_layouts_[set]] { vkDestroyDescriptorSetLayout(device, layout, nullptr); });
  }
  if (set_count == 0) return;

  auto pool_info = made<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  pool_info.maxSets = set_count;
  pool_info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
  pool_info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  expect(vkCreateDescriptorPool(device_, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
  undo_.add([device = device_, pool] { vkDestroyDescriptorPool(device, pool, nullptr); });
  auto allocate = made<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = set_count;
  allocate.pSetLayouts = set_layouts_.data();
  sets_.resize(set_count);
  expect(vkAllocateDescriptorSets(device_, &allocate, sets_.data()), "vkAllocateDescriptorSets");

  for (const Binding& binding : interface_.bindings) {
    std::vector<Descriptor> made_descriptors;
    for (std::uint32_t i = 0; i < std::min(binding.count, distinct_descriptors); ++i)
      made_descriptors.push_back(make_descriptor(binding));
    for (std::uint32_t i = 0; i < binding.count; ++i) {
      const Descriptor& descriptor = made_descriptors[i % made_descriptors.size()];
      auto write = made<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
      write.dstSet = sets_[binding.set];
      write.dstBinding = binding.binding;
      write.dstArrayElement = i;
      write.descriptorCount = 1;
      write.descriptorType = binding.type;
      write.pBufferInfo = &descriptor.buffer;
      write.pImageInfo = &descriptor.image;
      write.pTexelBufferView = &descriptor.texels;
      vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
    }
  }
}

// --- running ------------------------------------------------------------------------------------------------------------

VkShaderModule ShaderRun::make_module(spirv::Words words) {
  auto info = made<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  expect(vkCreateShaderModule(device_, &info, nullptr, &module), "vkCreateShaderModule");
  undo_.add([device = device_, module] { vkDestroyShaderModule(device, module, nullptr); });
  return module;
}

Written ShaderRun::run(spirv::Words words) {
  const bool draws = interface_.model == spirv::ExecutionModel::Fragment;
  const VkShaderStageFlags stages = draws ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_COMPUTE_BIT;
  make_descriptor_sets(stages);

  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(runner_.physical_, &properties);
  std::vector<std::uint32_t> push(properties.limits.maxPushConstantsSize / 4);
  if (interface_.push_constants != 0) fill_buffer(shader_, interface_.push_constants, seed_++, push);
  const VkPushConstantRange range = {stages, 0, static_cast<std::uint32_t>(push.size() * 4)};
  auto layout_info = made<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout_info.setLayoutCount = static_cast<std::uint32_t>(set_layouts_.size());
  layout_info.pSetLayouts = set_layouts_.data();
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &range;
  expect(vkCreatePipelineLayout(device_, &layout_info, nullptr, &layout_), "vkCreatePipelineLayout");
  undo_.add([device = device_, layout = layout_] { vkDestroyPipelineLayout(device, layout, nullptr); });

  const VkPipeline pipeline = draws ? make_graphics_pipeline(words) : make_compute_pipeline(words);
  submit([&](VkCommandBuffer commands) {
    for (const Image& image : uploads_) upload(commands, image);
    const VkPipelineBindPoint point = draws ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
    vkCmdBindPipeline(commands, point, pipeline);
    if (!sets_.empty()) {
      vkCmdBindDescriptorSets(commands, point, layout_, 0, static_cast<std::uint32_t>(sets_.size()), sets_.data(), 0,
                              nullptr);
    }
    vkCmdPushConstants(commands, layout_, stages, 0, range.size, push.data());
    if (draws) draw(commands);
    else vkCmdDispatch(commands, 2, 2, 2);
    barrier(commands);
    for (const Image& image : downloads_) {
      const VkBufferImageCopy copy = whole(image);
      vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, image.transfer.buffer, 1, &copy);
    }
    barrier(commands);
  });
  Written result;
  for (const drivers::HostBuffer& buffer : written_)
    result.insert(result.end(), buffer.words, buffer.words + buffer.word_count);
  for (const Image& image : downloads_)
    result.insert(result.end(), image.transfer.words, image.transfer.words + image.transfer.word_count);
  return result;
}

VkPipeline ShaderRun::make_compute_pipeline(spirv::Words words) {
  auto info = made<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage = made<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = make_module(words);
  info.stage.pName = interface_.name.c_str();
  info.layout = layout_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  expect(vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "vkCreateComputePipelines");
  undo_.add([device = device_, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

void ShaderRun::submit(const std::function<void(VkCommandBuffer)>& record) {
  auto allocate = made<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  allocate.commandPool = runner_.pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  expect(vkAllocateCommandBuffers(device_, &allocate, &commands), "vkAllocateCommandBuffers");
  undo_.add([&runner = runner_, commands] { vkFreeCommandBuffers(runner.device_, runner.pool_, 1, &commands); });
  const auto begin = made<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  expect(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  record(commands);
  expect(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  auto info = made<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  expect(vkQueueSubmit(runner_.queue_, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  expect(vkQueueWaitIdle(runner_.queue_), "vkQueueWaitIdle");
}

VkBufferImageCopy ShaderRun::whole(const Image& image) {
  VkBufferImageCopy copy{};
  copy.imageSubresource = {image.aspect, 0, 0, image.info.layers};
  copy.imageExtent = image.info.size;
  return copy;
}

void ShaderRun::barrier(VkCommandBuffer commands) {
  auto all = made<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  all.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  all.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0, nullptr, 0,
                       nullptr);
}

// All images stay in the layout GENERAL: speed does not count.
void ShaderRun::upload(VkCommandBuffer commands, const Image& image) {
  auto change = made<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
  change.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  change.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  change.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  change.srcQueueFamilyIndex = change.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  change.image = image.image;
  change.subresourceRange = {image.aspect, 0, 1, 0, image.info.layers};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr,
                       0, nullptr, 1, &change);
  const VkBufferImageCopy copy = whole(image);
  vkCmdCopyBufferToImage(commands, image.transfer.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  barrier(commands);
}

}  // namespace vireo::equivalence
