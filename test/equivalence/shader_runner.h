// SPDX-License-Identifier: Apache-2.0
//
// Runs compute and fragment shaders with pseudo-random inputs, and returns all that they write.
//
// The caller passes the interface of the original module also for a transformed one. So both run with equal
// descriptors, inputs and attachments, even if the transformed module declares fewer.
//
// Behaviour stays defined, or at least deterministic, as far as the API permits: the device has robustBufferAccess, all
// buffers are large, numbers are small (shader_data.cpp), the dispatch is 2×2×2 workgroups, and the driver uses one
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "drivers/vulkan_device.h"
#include "equivalence/shader_interface.h"

namespace vireo::equivalence {

/// The contents of all storage buffers, storage images and attachments after a run.
using Written = std::vector<std::uint32_t>;

/// A device with all features that the driver supports, without the validation layer. Failed calls throw
/// std::runtime_error.
class ShaderRunner {
 public:
  static std::unique_ptr<ShaderRunner> open();
  ShaderRunner(const ShaderRunner&) = delete;
  ShaderRunner& operator=(const ShaderRunner&) = delete;
  ~ShaderRunner() = default;

  /// Runs one entry point of `words`. `shader` and `entry` are those of the original module. `seed` determines the
  /// inputs.
  Written run(const Shader& shader, const ShaderInterface& entry, spirv::Words words, std::uint32_t seed);

 private:
  friend class ShaderRun;
  ShaderRunner() = default;
  void make_device();

  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  drivers::Undo undo_;  // the last member, so it is destroyed first
};

/// A vertex shader that covers all pixels with one triangle and writes each location that the fragment shader reads.
spirv::WordBuffer vertex_shader_for(const ShaderInterface& entry);

}  // namespace vireo::equivalence
