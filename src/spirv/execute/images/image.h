// SPDX-License-Identifier: Apache-2.0
//
// Images and samplers of an execution.
//
// An image has levels, one after the other; a level has layers, a layer slices, a slice rows. There is no padding.
//
// Source: Vulkan, "Image Operations", "Texel Input Operations", "Samplers".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spirv/execute/images/texel_format.h"
#include "spirv/execute/memory/objects.h"
#include "vireo/spirv/run.h"

namespace vireo::spirv {

/// A texel of an image: coordinates in a level.
struct TexelPlace {
  std::int64_t x = 0, y = 0, z = 0, layer = 0;
  std::uint32_t level = 0;
};

struct ImageResource {
  const TexelFormat* format = nullptr;
  std::uint32_t width = 1, height = 1, depth = 1, layers = 1, levels = 1;
  std::span<std::byte> bytes;

  [[nodiscard]] std::array<std::uint32_t, 3> size_of(std::uint32_t level) const;
  /// The offset of a texel; nullopt if there is none.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(const TexelPlace& place) const;
  /// Bytes of all levels.
  [[nodiscard]] std::uint64_t byte_count() const;
};

/// An image that is bound.
struct ImageObject {
  std::uint32_t variable = 0;  ///< index in Program::variables
  std::uint32_t object = 0;    ///< in Objects
  ImageResource resource;
};
/// The images and samplers of a dispatch.
struct RunResources {
  std::vector<ImageObject> images;
  std::vector<RunSampler> samplers;
  /// Those of an object; nullptr if it has none.
  [[nodiscard]] const ImageObject* find_image(Objects& objects, std::uint32_t object) const {
    if (object == 0 || object >= objects.count() || objects[object].image >= images.size()) return nullptr;
    return &images[objects[object].image];
  }
  [[nodiscard]] const RunSampler* find_sampler(Objects& objects, std::uint32_t object) const {
    if (object == 0 || object >= objects.count() || objects[object].sampler >= samplers.size()) return nullptr;
    return &samplers[objects[object].sampler];
  }
};

/// How an operation samples an image.
struct SampleRequest {
  Dim dim = Dim::Dim2D;
  bool is_arrayed = false;
  std::array<double, 4> coordinate = {};    ///< with the array layer after the dimensions
  std::array<std::int32_t, 3> offset = {};  ///< in texels
  double lod = 0;                           ///< before the sampler's limits
  double min_lod = -1e9;                    ///< of the operation: the sampler has one too
  std::optional<double> reference;          ///< of a comparison of depth
};

/// A filtered texel. Integer images give whole numbers; 64-bit integers cannot be sampled.
std::array<double, 4> sample(const ImageResource& image, const RunSampler& sampler, const SampleRequest& request);
/// One component of the four texels that linear filtering of the base level would use, in the order of OpImageGather.
std::array<double, 4> gather(const ImageResource& image, const RunSampler& sampler, const SampleRequest& request,
                             std::uint32_t component);

}  // namespace vireo::spirv
