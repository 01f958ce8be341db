// SPDX-License-Identifier: Apache-2.0
//
// What the texts of shapes (shapes.h) are put together from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vireo::spirv::test::shapes {

inline std::string n(std::size_t i) { return std::to_string(i); }

inline std::string preamble(std::string_view more = {}) {
  return std::string("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n")
      .append(more)
      .append(R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%true = OpConstantTrue %bool
%zero = OpConstant %u32 0
%one = OpConstant %u32 1
)");
}
inline std::string function(std::string_view name, const std::string& body) {
  return "%" + std::string(name) + " = OpFunction %void None %fn\n%" + std::string(name) + "_entry = OpLabel\n" + body +
         "OpReturn\nOpFunctionEnd\n";
}

}  // namespace vireo::spirv::test::shapes
