// SPDX-License-Identifier: Apache-2.0
//
// One run of a shader: its objects, which live until the run ends (implementation of shader_runner.h).
#pragma once

#include <functional>
#include <vector>

#include "equivalence/shader_runner.h"

namespace vireo::equivalence {

class ShaderRun {
 public:
  ShaderRun(ShaderRunner& runner, const Shader& shader, const ShaderInterface& entry, std::uint32_t seed)
      : runner_(runner), device_(runner.device_), shader_(shader), interface_(entry), seed_(seed) {}

  Written run(spirv::Words words);

 private:
  struct ImageInfo {
    TexelFormat texel;
    VkImageType type;
    VkImageViewType view;
    VkExtent3D size;
    std::uint32_t layers;
    VkImageUsageFlags usage;
  };
  struct Image {
    ImageInfo info{};
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    VkImageAspectFlags aspect = 0;
    drivers::HostBuffer transfer;  // the texels before and after the run
  };
  struct Descriptor {  // of each binding one member is used
    VkDescriptorBufferInfo buffer{};
    VkDescriptorImageInfo image{};
    VkBufferView texels = VK_NULL_HANDLE;
  };

  void bind(const VkMemoryRequirements& needs, const std::function<VkResult(VkDeviceMemory)>& bind_to, void** mapped);
  drivers::HostBuffer make_buffer(std::size_t words);
  drivers::HostBuffer make_filled_buffer(const std::vector<std::uint32_t>& contents);
  Image make_image(const ImageInfo& wanted);
  VkSampler make_sampler();
  Descriptor make_descriptor(const Binding& binding);
  void make_descriptor_sets(VkShaderStageFlags stages);
  VkShaderModule make_module(spirv::Words words);
  VkPipeline make_compute_pipeline(spirv::Words words);
  void submit(const std::function<void(VkCommandBuffer)>& record);
  static void upload(VkCommandBuffer commands, const Image& image);
  static void barrier(VkCommandBuffer commands);
  static VkBufferImageCopy whole(const Image& image);

  // shader_drawing.cpp
  VkPipeline make_graphics_pipeline(spirv::Words words);
  void draw(VkCommandBuffer commands);

  ShaderRunner& runner_;
  const VkDevice device_;
  const Shader& shader_;
  const ShaderInterface& interface_;
  std::uint32_t seed_;  // the next one
  drivers::Undo undo_;
  std::vector<VkDescriptorSetLayout> set_layouts_;
  std::vector<VkDescriptorSet> sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::vector<drivers::HostBuffer> written_;
  std::vector<Image> uploads_, downloads_;
  std::vector<Image> attachments_;  // of the outputs, then of the depth
};

}  // namespace vireo::equivalence
