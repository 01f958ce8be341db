// SPDX-License-Identifier: Apache-2.0
//
// Short texts of types, computed from Facts; test/spirv/text/annotate_test.cpp tests the same notation in annotations.
#include "vireo/spirv/module/type_text.h"

#include <gtest/gtest.h>

#include "spirv/text/modules.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {
namespace {

// The expected text is the comment after each declaration.
constexpr std::string_view declarations = R"(
OpName %17 "Light"
%1 = OpTypeVoid ; void
%2 = OpTypeBool ; bool
%3 = OpTypeInt 32 1 ; i32
%4 = OpTypeInt 16 0 ; u16
%5 = OpTypeFloat 32 ; f32
%6 = OpTypeFloat 16 BFloat16KHR ; bfloat16
%7 = OpTypeVector %5 4 ; vec4
%8 = OpTypeVector %3 2 ; ivec2
%9 = OpTypeVector %2 3 ; bvec3
%10 = OpTypeMatrix %7 3 ; mat3x4
%11 = OpTypeMatrix %7 4 ; mat4
%12 = OpConstant %3 16
%13 = OpSpecConstant %3 2
%14 = OpTypeArray %7 %12 ; array<vec4, 16>
%15 = OpTypeArray %14 %13 ; array<array<vec4, 16>, %13>
%16 = OpTypeRuntimeArray %4 ; array<u16>
%17 = OpTypeStruct %15 %16 ; Light
%18 = OpTypeStruct %5 ; %18
%19 = OpTypePointer Uniform %17 ; Light*
%20 = OpTypePointer Function %7 ; vec4*
%21 = OpTypeArray %20 %12 ; array<vec4*, 16>
%22 = OpTypeImage %5 2D 1 1 0 1 Unknown ; texture2DArray
%23 = OpTypeSampledImage %22 ; sampler2DArrayShadow
%24 = OpTypeFunction %1 %7 %3 ; void (vec4, i32)
)";

TEST(TypeText, is_short_and_equal_for_equal_types) {
  const WordBuffer words = module_of(declarations);
  const Module module = Module::read(words);
  const Facts facts(module);
  std::string_view rest = declarations;
  for (Word id = 0; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.starts_with('%')) ++id;
    const std::size_t comment = line.find(" ; ");
    if (comment == std::string_view::npos) continue;
    EXPECT_EQ(type_text(facts, id), line.substr(comment + 3)) << line;
  }
  EXPECT_EQ(type_text(facts, 12), "%12");
  EXPECT_EQ(type_text(facts, 999), "%999");
}

}  // namespace
}  // namespace vireo::spirv
