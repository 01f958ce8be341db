// SPDX-License-Identifier: Apache-2.0
//
// VUIDs that no stanza of a rule and no row of built-ins has: those of requirements that Vulkan shares with the grammar,
// and those that no single rule checks.
#pragma once

#include <string_view>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

/// A finding of missing-capability violates the VUID if the capability enables `user`, an enumerant; empty: any user.
struct CapabilityVuidRow {
  std::string_view vuid;
  Capability capability;
  std::string_view user;
};

inline constexpr CapabilityVuidRow capability_vuid_rows[] = {
    {"VUID-StandaloneSpirv-TileAttachmentQCOM-10689", Capability::TileShadingQCOM, "TileAttachmentQCOM"},
    {"VUID-StandaloneSpirv-NonCoherentTileAttachmentReadQCOM-10690", Capability::TileShadingQCOM,
     "NonCoherentTileAttachmentReadQCOM"},
    {"VUID-StandaloneSpirv-TileShadingRateQCOM-10691", Capability::TileShadingQCOM, "TileShadingRateQCOM"},
    {"VUID-VkShaderModuleCreateInfo-pCode-08738", Capability::Shader, ""},
};

}  // namespace vireo::spirv
