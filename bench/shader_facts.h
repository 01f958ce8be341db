// SPDX-License-Identifier: Apache-2.0
//
// The facts of a shader that vireo_bench --reflect asks of both libraries, and the peer that returns them.
//
// The peer is the C interface of SPIRV-Cross, if Debian's package libspirv-cross-c-shared-dev was installed when CMake
// ran. Only cross.cpp uses it.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::bench {

/// What a descriptor is bound to, as far as both libraries distinguish it.
enum class ResourceKind : std::uint8_t {
  UniformBuffer,
  StorageBuffer,
  StorageImage,
  CombinedImage,
  SampledImage,
  Sampler,
  InputAttachment,
  AccelerationStructure,
  PushConstants,
};

/// The rows that are compared. Names are views of the library's memory. `none`: not decorated.
struct ShaderFacts {
  static constexpr std::uint32_t none = ~0u;
  struct Resource {
    std::uint32_t id, set, binding;
    ResourceKind kind;
    std::string_view name;
    std::uint64_t block_size;  // bytes; 0: no block
    std::uint32_t dimensions;  // of an array of descriptors
    auto operator<=>(const Resource&) const = default;
  };
  struct Member {
    std::uint32_t structure, number, offset;
    std::string_view name;
    std::uint64_t size;  // bytes; 0 for a run-time array
    auto operator<=>(const Member&) const = default;
  };
  struct Variable {
    std::uint32_t id, location;
    bool is_output;
    std::string_view name;
    auto operator<=>(const Variable&) const = default;
  };
  struct SpecConstant {
    std::uint32_t id, spec_id;
    std::uint32_t default_low;  // the low 32 bits of the default value
    std::string_view name;
    auto operator<=>(const SpecConstant&) const = default;
  };
  std::vector<Resource> resources;
  std::vector<Member> members;  // of all blocks, and of structures in them
  std::vector<Variable> variables;
  std::vector<SpecConstant> spec_constants;
};

namespace cross {

bool is_linked();

/// A shader that the peer has parsed, and its facts.
class Shader {
 public:
  explicit Shader(spirv::Words words);
  ~Shader();
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] ShaderFacts& facts() { return facts_; }

 private:
  void* context_ = nullptr;
  ShaderFacts facts_;
  bool ok_ = false;
};

}  // namespace cross
}  // namespace vireo::bench
