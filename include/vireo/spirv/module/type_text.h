// SPDX-License-Identifier: Apache-2.0
//
// Short texts of types, for `vireo dis --annotate`, messages and examples.
//
//   f32 i32 u8 bool void   scalars          vec4 ivec2 uvec3 bvec2 f16vec4   vectors: GLSL's names
//   mat4 mat4x3            matrices         vec4*   array<u32, 16>   array<vec4>   pointers, arrays, runtime arrays
//   Light                  structures by their names; `%12` without a name
//   texture2D imageBuffer samplerCubeShadow    images, with the prefix i, u, …; void (vec4, u32)   functions
#pragma once

#include <string>

#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

class Facts;

/// The text of a type, at most about 120 characters; control characters in names are escaped. If the id is not a type,
/// the text is `%12`. Computes the names and constants of the facts if necessary.
VIREO_API std::string type_text(const Facts& facts, Word type);

}  // namespace vireo::spirv
