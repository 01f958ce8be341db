// SPDX-License-Identifier: Apache-2.0
//
// The smallest Vulkan device that runs our shaders: storage buffers in, numbers out; two shaders in, an image out.
//
// The driver is Debian's lavapipe, which runs on the processor. The loader finds it only by its ICD file,
// unless the environment selects another driver, so that the tests give the same results on a machine with a GPU. If
// Khronos' validation layer is installed, it checks the calls, because drivers can be lenient.
//
// A failed call throws an exception with the name of the call, and the test ends.
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

/// A Vulkan structure with its type field set: `made<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_…)`; all other fields are
/// zero.
template <typename Info>
Info made(VkStructureType type) {
  Info info{};
  info.sType = type;
  return info;
}

/// Throws std::runtime_error if the call failed.
void expect(VkResult result, const char* call);

/// Destroys created objects in reverse order.
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

/// Device memory that is visible to the host.
struct HostBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  std::uint32_t* words = nullptr;  ///< mapped for the lifetime of the buffer
  std::size_t word_count = 0;
};

/// One run of a compute shader `main` with storage buffers at set 0, binding 0, 1, ….
struct Dispatch {
  spirv::Words shader;
  std::span<std::vector<std::uint32_t>> buffers;  ///< written back
  std::vector<std::uint32_t> push_constants = {};
  std::vector<std::uint32_t> specialization = {};             ///< values of SpecId 0, 1, …
  const VkSpecializationInfo* specialization_info = nullptr;  ///< in place of `specialization`
  std::uint32_t groups[3] = {1, 1, 1};
};

/// The scalar types of shaders that the device supports, apart from Booleans and numbers of 32 bits. They are enabled.
struct SupportedTypes {
  bool int8 = false, int16 = false, int64 = false, float16 = false, float64 = false;
};

class Device {
 public:
  /// The first device of the first driver; null, with the reason in `absent`, if there is no driver.
  static std::unique_ptr<Device> open(std::string& absent);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() = default;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const SupportedTypes& types() const { return types_; }
  /// Messages of the validation layer since the last call; without the layer always empty.
  [[nodiscard]] std::string take_messages() { return std::exchange(messages_, {}); }
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

  // All objects created by these functions live as long as `undo`.
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
  std::string name_, messages_;
  SupportedTypes types_;
  bool has_validation_ = false;
  Undo undo_;  // the last member, so it is destroyed first
};

}  // namespace vireo::drivers
