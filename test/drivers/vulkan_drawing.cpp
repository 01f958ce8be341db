// SPDX-License-Identifier: Apache-2.0
//
// Draws an image with two shaders (vulkan_device.h): a render pass with one image, a pipeline without inputs, a
// triangle, a copy.
//
// Source: Vulkan 1.3 specification, chapters 8 (render pass), 10.2 (graphics pipelines), 27 (fixed-function vertex part).
#include "drivers/vulkan_device.h"

namespace vireo::drivers {
namespace {

constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

VkRenderPass make_render_pass(VkDevice device, Undo& undo) {
  VkAttachmentDescription picture{};
  picture.format = format;
  picture.samples = VK_SAMPLE_COUNT_1_BIT;
  picture.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  picture.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  picture.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  picture.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  picture.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  picture.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;  // copied next
  const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  const VkSubpassDependency then_copy = {0,
                                         VK_SUBPASS_EXTERNAL,
                                         VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                         VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                         VK_ACCESS_TRANSFER_READ_BIT,
                                         0};
  auto info = made<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
  info.attachmentCount = 1;
  info.pAttachments = &picture;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = 1;
  info.pDependencies = &then_copy;
  VkRenderPass pass = VK_NULL_HANDLE;
  expect(vkCreateRenderPass(device, &info, nullptr, &pass), "vkCreateRenderPass");
  undo.add([device, pass] { vkDestroyRenderPass(device, pass, nullptr); });
  return pass;
}

VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module) {
  auto info = made<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  info.stage = stage;
  info.module = module;
  info.pName = "main";
  return info;
}

/// A pipeline of two shaders: vertices without attributes, no culling, no depth test, no blending.
VkPipeline make_pipeline(VkDevice device, const VkPipelineShaderStageCreateInfo (&stages)[2], VkPipelineLayout layout,
                         VkRenderPass pass, std::uint32_t size, Undo& undo) {
  const auto vertices =
      made<VkPipelineVertexInputStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
  auto triangles =
      made<VkPipelineInputAssemblyStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
  triangles.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  const VkViewport all = {0, 0, static_cast<float>(size), static_cast<float>(size), 0, 1};
  const VkRect2D everything = {{0, 0}, {size, size}};
  auto view = made<VkPipelineViewportStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
  view.viewportCount = 1;
  view.pViewports = &all;
  view.scissorCount = 1;
  view.pScissors = &everything;
  auto raster =
      made<VkPipelineRasterizationStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
  raster.lineWidth = 1;
  auto samples = made<VkPipelineMultisampleStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineColorBlendAttachmentState replace{};
  replace.colorWriteMask =
      VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
  auto blend = made<VkPipelineColorBlendStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
  blend.attachmentCount = 1;
  blend.pAttachments = &replace;

  auto info = made<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
  info.stageCount = 2;
  info.pStages = stages;
  info.pVertexInputState = &vertices;
  info.pInputAssemblyState = &triangles;
  info.pViewportState = &view;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pColorBlendState = &blend;
  info.layout = layout;
  info.renderPass = pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  expect(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "vkCreateGraphicsPipelines");
  undo.add([device, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkImage make_image(VkDevice device, std::uint32_t size, Undo& undo) {
  auto info = made<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {size, size, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  VkImage image = VK_NULL_HANDLE;
  expect(vkCreateImage(device, &info, nullptr, &image), "vkCreateImage");
  undo.add([device, image] { vkDestroyImage(device, image, nullptr); });
  return image;
}

VkFramebuffer make_framebuffer(VkDevice device, VkImage image, VkRenderPass pass, std::uint32_t size, Undo& undo) {
  auto view_info = made<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  view_info.image = image;
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view_info.format = format;
  view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkImageView view = VK_NULL_HANDLE;
  expect(vkCreateImageView(device, &view_info, nullptr, &view), "vkCreateImageView");
  undo.add([device, view] { vkDestroyImageView(device, view, nullptr); });

  auto info = made<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
  info.renderPass = pass;
  info.attachmentCount = 1;
  info.pAttachments = &view;
  info.width = info.height = size;
  info.layers = 1;
  VkFramebuffer frame = VK_NULL_HANDLE;
  expect(vkCreateFramebuffer(device, &info, nullptr, &frame), "vkCreateFramebuffer");
  undo.add([device, frame] { vkDestroyFramebuffer(device, frame, nullptr); });
  return frame;
}

}  // namespace

std::vector<std::uint32_t> Device::draw(spirv::Words vertex, spirv::Words fragment, std::uint32_t size) {
  Undo undo;
  const VkImage image = make_image(device_, size, undo);
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device_, image, &needs);
  expect(vkBindImageMemory(device_, image, memory(needs, 0, undo), 0), "vkBindImageMemory");
  const VkRenderPass pass = make_render_pass(device_, undo);
  const VkFramebuffer frame = make_framebuffer(device_, image, pass, size, undo);
  const VkPipelineShaderStageCreateInfo stages[2] = {
      stage_of(VK_SHADER_STAGE_VERTEX_BIT, module(vertex, undo)),
      stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, module(fragment, undo)),
  };
  const VkPipeline pipeline = make_pipeline(device_, stages, layout(VK_NULL_HANDLE, 0, undo), pass, size, undo);
  const HostBuffer pixels = buffer(std::size_t{size} * size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, undo);

  submit([&](VkCommandBuffer commands) {
    const VkClearValue black = {{{0, 0, 0, 1}}};
    auto begin = made<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    begin.renderPass = pass;
    begin.framebuffer = frame;
    begin.renderArea = {{0, 0}, {size, size}};
    begin.clearValueCount = 1;
    begin.pClearValues = &black;
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    VkBufferImageCopy copy{};
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    copy.imageExtent = {size, size, 1};
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels.buffer, 1, &copy);
  });
  return {pixels.words, pixels.words + pixels.word_count};
}

}  // namespace vireo::drivers
