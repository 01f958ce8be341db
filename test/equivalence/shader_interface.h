// SPDX-License-Identifier: Apache-2.0
//
// What a compute or fragment shader needs from the API: descriptors, push constants, vertex outputs, attachments.
//
// The module declares all of it, so any real module can run without its application.
//
// Source: specification 2.16, 3.20 (decorations); Vulkan 1.3 specification, chapters 14.5 (interfaces of shaders) and 15.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <vulkan/vulkan.h>

#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::equivalence {

/// A module and its facts. The words must outlive it.
struct Shader {
  explicit Shader(spirv::Words words)
      : module(spirv::Module::read(words)),
        types(spirv::Types::read(module)),
        decorations(spirv::Decorations::read(module)),
        constants(spirv::Constants::read(module, types, decorations)),
        declarations(spirv::ModuleDeclarations::read(module)),
        uses(spirv::Uses::read(module)) {}
  Shader(const Shader&) = delete;  // the facts refer to the module
  Shader& operator=(const Shader&) = delete;
  ~Shader() = default;

  const spirv::Module module;
  const spirv::Types types;
  const spirv::Decorations decorations;
  const spirv::Constants constants;
  const spirv::ModuleDeclarations declarations;
  const spirv::Uses uses;
};

/// The descriptors of one binding.
struct Binding {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
  std::uint32_t count = 1;
  spirv::Word pointee = 0;  ///< buffers: the id of the structure type
  spirv::ImageShape image;  ///< images and texel buffers
};

enum class NumberKind : std::uint8_t { Float, Int, Uint };

/// One Location of the inputs or outputs of a fragment shader.
struct Slot {
  std::uint32_t location = 0;
  NumberKind kind = NumberKind::Float;
  std::uint32_t components = 0;  ///< mask of used components, bit 0: the first one
};

/// The interface of one entry point.
struct ShaderInterface {
  std::string name;
  spirv::ExecutionModel model = spirv::ExecutionModel::GLCompute;
  std::vector<Binding> bindings;      ///< each set and binding once
  spirv::Word push_constants = 0;     ///< the id of their structure type; 0: none
  std::vector<Slot> inputs, outputs;  ///< fragment shaders: each location once
  bool has_integer_images = false;    ///< sampled images whose filter must be NEAREST
  bool has_depth_comparison = false;  ///< samplers need a compare operation
  bool has_depth_output = false;      ///< fragment shaders: FragDepth
  std::string obstacle;               ///< why the test cannot run it; empty: it can
};

/// The kind of numbers in a scalar, vector, matrix or array.
NumberKind number_kind(const spirv::TypeRow& type);

/// The interfaces of all compute and fragment shaders of a module.
std::vector<ShaderInterface> read_interfaces(const Shader& shader);

/// Fills a buffer whose contents have the type `pointee` with pseudo-random numbers (shader_data.cpp).
void fill_buffer(const Shader& shader, spirv::Word pointee, std::uint32_t seed, std::vector<std::uint32_t>& words);

/// The format of an image and the bytes of one texel.
struct TexelFormat {
  VkFormat format = VK_FORMAT_UNDEFINED;
  std::uint32_t bytes = 0;
};
TexelFormat texel_format(const spirv::Types& types, const spirv::ImageShape& image);
/// Fills texels of this format with pseudo-random numbers.
void fill_texels(VkFormat format, std::uint32_t seed, std::vector<std::uint32_t>& words);

}  // namespace vireo::equivalence
