// SPDX-License-Identifier: Apache-2.0
//
// A Vulkan device, as small as running our shaders allows: storage buffers in, numbers out; two shaders in, an image out.
//
// The one idea: the driver is Debian's lavapipe, which computes on the processor. The loader is told of it by its ICD file
// alone, unless the environment names another driver, so that the tests do the same on a machine that has a GPU. Where
// Khronos' validation layer is installed it listens, too: a driver may be generous, the layer is not.
//
// A call that fails throws; tests end there with the name of the call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <vulkan/vulkan.h>

#include "vireo/spirv/word.h"

namespace vireo::drivers {

/// The parts of a call of Vulkan that is named by a type: `made<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_…)`, the rest zero.
template <typename Info>
Info made(VkStructureType type) {
  Info info{};
  info.sType = type;
  return info;
}

/// Throws std::runtime_error unless the call went well.
void expect(VkResult result, const char* call);

/// What was made is undone in reverse order.
class Undo {
 public:
  Undo() = default;
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;
  ~Undo() {
    while (!steps_.empty()) {
      steps_.back()();
      steps_.pop_back();
    }
  }
  void add(std::function<void()> step) { steps_.push_back(std::move(step)); }

 private:
  std::vector<std::function<void()>> steps_;
};

/// Memory of the device that the host sees.
struct HostBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  std::uint32_t* words = nullptr;  ///< mapped as long as the buffer lives
  std::size_t word_count = 0;
};

/// One run of a compute shader `main` with storage buffers at set 0, binding 0, 1, ….
struct Dispatch {
  spirv::Words shader;
  std::span<std::vector<std::uint32_t>> buffers;  ///< written back
  std::vector<std::uint32_t> push_constants = {};
  std::vector<std::uint32_t> specialization = {};  ///< values of SpecId 0, 1, …
  std::uint32_t groups[3] = {1, 1, 1};
};

class Device {
 public:
  /// The first device of the first driver; null, and a sentence, where no driver is found.
  static std::unique_ptr<Device> open(std::string& absent);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() = default;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// What the validation layer had to say against us since the last call; without the layer always empty.
  [[nodiscard]] std::string take_complaints() { return std::exchange(complaints_, {}); }
  [[nodiscard]] bool has_validation() const { return has_validation_; }

  void run(const Dispatch& dispatch);
  /// Draws one triangle of three vertices without attributes, both shaders called `main`, on black: `size` times `size`
  /// pixels, RGBA of 8 bits each, red lowest, row by row from the top.
  [[nodiscard]] std::vector<std::uint32_t> draw(spirv::Words vertex, spirv::Words fragment, std::uint32_t size);

 private:
  Device() = default;
  void make_instance(std::string& absent);
  void make_device();
  static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                             const VkDebugUtilsMessengerCallbackDataEXT* data, void* device);

  // All that these make lives as long as `undo`.
  [[nodiscard]] VkShaderModule module(spirv::Words words, Undo& undo);
  [[nodiscard]] HostBuffer buffer(std::size_t words, VkBufferUsageFlags usage, Undo& undo);
  [[nodiscard]] VkDeviceMemory memory(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted, Undo& undo);
  [[nodiscard]] VkPipelineLayout layout(VkDescriptorSetLayout set, std::size_t push_words, Undo& undo);
  /// Records commands, runs them and waits for their end.
  void submit(const std::function<void(VkCommandBuffer)>& record);

  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::uint32_t family_ = 0;
  std::string name_, complaints_;
  bool has_validation_ = false;
  Undo undo_;  // the last member, and so the first to go
};

}  // namespace vireo::drivers
