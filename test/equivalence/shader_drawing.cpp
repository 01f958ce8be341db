// SPDX-License-Identifier: Apache-2.0
//
// Fragment shaders: a triangle that covers 16 × 16 pixels, with an attachment for each output (shader_run.h).
//
// A component that the shader does not declare is masked, because its value is undefined.
//
// Source: Vulkan 1.3 specification, chapters 8 (dynamic rendering) and 10.2 (graphics pipelines).
#include "equivalence/shader_run.h"

namespace vireo::equivalence {

using drivers::expect;
using drivers::made;

namespace {

constexpr std::uint32_t size = 16;
constexpr VkFormat attachment_formats[] = {
    // by NumberKind
    VK_FORMAT_R32G32B32A32_SFLOAT,
    VK_FORMAT_R32G32B32A32_SINT,
    VK_FORMAT_R32G32B32A32_UINT,
};

VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module, const char* name) {
  auto info = made<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  info.stage = stage;
  info.module = module;
  info.pName = name;
  return info;
}

}  // namespace

VkPipeline ShaderRun::make_graphics_pipeline(spirv::Words words) {
  const std::size_t locations = interface_.outputs.empty() ? 0 : interface_.outputs.back().location + std::size_t{1};
  std::vector<VkFormat> formats(locations, VK_FORMAT_UNDEFINED);
  std::vector<VkPipelineColorBlendAttachmentState> masks(locations);
  for (const Slot& slot : interface_.outputs) {
    formats[slot.location] = attachment_formats[static_cast<std::size_t>(slot.kind)];
    masks[slot.location].colorWriteMask = slot.components;  // VK_COLOR_COMPONENT_R_BIT is bit 0
    attachments_.push_back(make_image({{formats[slot.location], 16},
                                       VK_IMAGE_TYPE_2D,
                                       VK_IMAGE_VIEW_TYPE_2D,
                                       {size, size, 1},
                                       1,
                                       VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT}));
  }
  if (interface_.has_depth_output) {
    attachments_.push_back(make_image({{VK_FORMAT_D32_SFLOAT, 4},
                                       VK_IMAGE_TYPE_2D,
                                       VK_IMAGE_VIEW_TYPE_2D,
                                       {size, size, 1},
                                       1,
                                       VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT}));
  }
  uploads_.insert(uploads_.end(), attachments_.begin(), attachments_.end());  // of zeros: memory is new
  downloads_.insert(downloads_.end(), attachments_.begin(), attachments_.end());

  auto rendering = made<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  rendering.colorAttachmentCount = static_cast<std::uint32_t>(formats.size());
  rendering.pColorAttachmentFormats = formats.data();
  rendering.depthAttachmentFormat = interface_.has_depth_output ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED;
  const spirv::WordBuffer vertex = vertex_shader_for(interface_);
  const VkPipelineShaderStageCreateInfo stages[2] = {
      stage_of(VK_SHADER_STAGE_VERTEX_BIT, make_module(vertex), "main"),
      stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, make_module(words), interface_.name.c_str()),
  };
  const auto vertices =
      made<VkPipelineVertexInputStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
  auto triangles =
      made<VkPipelineInputAssemblyStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
  triangles.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  const VkViewport all = {0, 0, size, size, 0, 1};
  const VkRect2D everything = {{0, 0}, {size, size}};
  auto view = made<VkPipelineViewportStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
  view.viewportCount = view.scissorCount = 1;
  view.pViewports = &all;
  view.pScissors = &everything;
  auto raster =
      made<VkPipelineRasterizationStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
  raster.lineWidth = 1;
  auto samples = made<VkPipelineMultisampleStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  auto depth = made<VkPipelineDepthStencilStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
  depth.depthTestEnable = depth.depthWriteEnable = interface_.has_depth_output ? VK_TRUE : VK_FALSE;
  depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  auto blend = made<VkPipelineColorBlendStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
  blend.attachmentCount = static_cast<std::uint32_t>(masks.size());
  blend.pAttachments = masks.data();

  auto info = made<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
  info.pNext = &rendering;
  info.stageCount = 2;
  info.pStages = stages;
  info.pVertexInputState = &vertices;
  info.pInputAssemblyState = &triangles;
  info.pViewportState = &view;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  info.layout = layout_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  expect(vkCreateGraphicsPipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "vkCreateGraphicsPipelines");
  undo_.add([device = device_, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

void ShaderRun::draw(VkCommandBuffer commands) {
  const std::size_t locations = interface_.outputs.empty() ? 0 : interface_.outputs.back().location + std::size_t{1};
  auto attachment = made<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
  attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;  // to zero
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  std::vector<VkRenderingAttachmentInfo> colors(locations, attachment);  // without an image at unused locations
  for (std::size_t i = 0; i < interface_.outputs.size(); ++i)
    colors[interface_.outputs[i].location].imageView = attachments_[i].view;
  auto info = made<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  info.renderArea = {{0, 0}, {size, size}};
  info.layerCount = 1;
  info.colorAttachmentCount = static_cast<std::uint32_t>(colors.size());
  info.pColorAttachments = colors.data();
  if (interface_.has_depth_output) {
    attachment.imageView = attachments_.back().view;
    info.pDepthAttachment = &attachment;
  }
  vkCmdBeginRendering(commands, &info);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
}

}  // namespace vireo::equivalence
