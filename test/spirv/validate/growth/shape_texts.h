// SPDX-License-Identifier: Apache-2.0
//
// Building blocks of long texts, for shapes (shapes.h) and for tests that repeat lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vireo::spirv::test::shapes {

inline std::string n(std::size_t i) { return std::to_string(i); }

/// A text in which each '#' is replaced by a number.
inline std::string numbered(std::string_view text, std::size_t number) {
  const std::string digits = n(number);
  std::string all;
  for (const char c : text) c == '#' ? all += digits : all += c;
  return all;
}

inline std::string declarations() {
  return R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%true = OpConstantTrue %bool
%zero = OpConstant %u32 0
%one = OpConstant %u32 1
)";
}
inline std::string module_declarations(std::string_view more = {}) {
  return std::string("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n")
      .append(more)
      .append(declarations());
}
inline std::string function(std::string_view name, const std::string& body) {
  return "%" + std::string(name) + " = OpFunction %void None %fn\n%" + std::string(name) + "_entry = OpLabel\n" + body +
         "OpReturn\nOpFunctionEnd\n";
}

}  // namespace vireo::spirv::test::shapes
