// SPDX-License-Identifier: Apache-2.0
//
// Images and samplers of jobs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cli/run/run_buffers.h"
#include "support/json.h"
#include "vireo/spirv/run.h"

namespace vireo::cli {

/// Whether a descriptor is an image or a texel buffer that the executor can bind.
bool is_image_kind(std::string_view kind);
/// The same for samplers; combined_image_sampler is of both kinds.
bool is_sampler_kind(std::string_view kind);

/// An image with the bytes of a buffer, as the keys "format", "image" and "count" of the buffer describe it.
spirv::ImageBinding image_of(JsonValue json, std::span<std::byte> bytes);

/// Reads a sampler. Returns an empty text, or the problem.
std::string read_sampler(JsonValue json, spirv::RunSampler& sampler);

}  // namespace vireo::cli
