// SPDX-License-Identifier: Apache-2.0
//
// Bytes, numbers, images and samplers in jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/run_buffers.h"
#include "support/json.h"
#include "vireo/spirv/run.h"

namespace vireo::cli {

// Return false if the text has another character or an incomplete end.
bool decode_base64(std::string_view text, std::string& bytes);
bool decode_hex(std::string_view text, std::string& bytes);

/// The elements of an array; 0 for negative numbers and other values.
std::vector<std::int64_t> integers_of(JsonValue array);

/// Whether a descriptor is an image or a texel buffer that the executor can bind.
bool is_image_kind(std::string_view kind);
/// The same for samplers; combined_image_sampler is of both kinds.
bool is_sampler_kind(std::string_view kind);

/// An image with the bytes of a buffer, as the keys "format", "image" and "count" of the buffer describe it.
spirv::ImageBinding image_of(JsonValue json, std::span<std::byte> bytes);

/// Reads a sampler. Returns an empty text, or the problem.
std::string read_sampler(JsonValue json, spirv::RunSampler& sampler);

}  // namespace vireo::cli
