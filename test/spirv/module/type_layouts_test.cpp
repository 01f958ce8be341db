// SPDX-License-Identifier: Apache-2.0
//
// TypeLayouts: the sizes, alignments, offsets and strides of the same types in each kind of layout.
#include "spirv/module/layouts/type_layouts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

using test::assembled;

// 10: a vector, a matrix with its last column shorter than the stride, an array with a specialized length
constexpr std::string_view memory_types = R"(
OpMemoryModel Logical GLSL450
OpDecorate %6 SpecId 0
OpDecorate %7 ArrayStride 16
OpMemberDecorate %10 0 Offset 0
OpMemberDecorate %10 1 Offset 16
OpMemberDecorate %10 1 MatrixStride 16
OpMemberDecorate %10 1 ColMajor
OpMemberDecorate %10 2 Offset 48
OpMemberDecorate %11 0 Offset 8
%1 = OpTypeBool
%2 = OpTypeInt 32 0
%3 = OpTypeFloat 32
%4 = OpTypeVector %3 3
%5 = OpTypeMatrix %4 2
%6 = OpSpecConstant %2 3
%7 = OpTypeArray %2 %6
%8 = OpTypeArray %2 %6
%9 = OpTypeRuntimeArray %4
%10 = OpTypeStruct %4 %5 %7
%11 = OpTypeStruct %2 %1
%12 = OpTypeStruct %2 %8 %9
)";

class TypeLayoutsTest : public testing::Test {
 protected:
  // "size/extended base scalar", or "?"
  static std::string text_of(const Extent& extent) {
    if (!extent.is_known) return "?";
    return fmt::format("{}/{}", extent.size, fmt::join(extent.alignment, " "));
  }
  /// The extent of a type, then the offset and extent of each member.
  [[nodiscard]] std::string layout(LayoutKind kind, Word type) const {
    const TypeLayouts layouts(facts, kind);
    const TypeIndex index = facts.types().index_of(type);
    std::string result = text_of(layouts.extent(index));
    for (const MemberLayout& member : layouts.members(index)) {
      result += fmt::format(" {}:{}", member.offset.is_known() ? fmt::to_string(member.offset.value) : "?",
                            text_of(layouts.extent(member)));
    }
    return result;
  }

  const WordBuffer words = assembled(memory_types);
  const Module module = Module::read(words);
  const Facts facts{module};
};

TEST_F(TypeLayoutsTest, exact_sizes_end_with_the_last_byte) {
  EXPECT_EQ(layout(LayoutKind::Exact, 4), "12/16 16 4");
  EXPECT_EQ(layout(LayoutKind::Exact, 7), "4/16 4 4");  // at least one element
  EXPECT_EQ(layout(LayoutKind::Exact, 10), "52/16 16 4 0:12/16 16 4 16:28/16 16 4 48:4/16 4 4");
  EXPECT_EQ(layout(LayoutKind::Exact, 11), "? 8:4/4 4 4 ?:?");
}

TEST_F(TypeLayoutsTest, padded_sizes_contain_whole_strides) {
  EXPECT_EQ(layout(LayoutKind::Padded, 8), "?");  // no stride
  EXPECT_EQ(layout(LayoutKind::Padded, 10), "96/16 16 4 0:12/16 16 4 16:32/16 16 4 48:48/16 4 4");
  EXPECT_EQ(layout(LayoutKind::Padded, 12), "? ?:4/4 4 4 ?:? ?:?");
}

TEST_F(TypeLayoutsTest, implicit_layouts_need_no_decorations) {
  EXPECT_EQ(layout(LayoutKind::Implicit, 10), "64/16 16 4 0:12/16 16 4 16:32/16 16 4 48:12/16 4 4");
  EXPECT_EQ(layout(LayoutKind::Implicit, 11), "8/16 4 4 0:4/4 4 4 4:4/4 4 4");
  EXPECT_EQ(layout(LayoutKind::Implicit, 12), "16/16 16 4 0:4/4 4 4 4:12/16 4 4 16:0/16 16 4");
}

TEST_F(TypeLayoutsTest, arrays_state_strides_and_lengths) {
  const ArrayLayout array = TypeLayouts(facts, LayoutKind::Padded).array(facts.types().index_of(7));
  EXPECT_EQ(fmt::format("{} {}", array.stride.value, array.count), "16 3");
  const ArrayLayout implicit = TypeLayouts(facts, LayoutKind::Implicit).array(facts.types().index_of(9));
  EXPECT_EQ(fmt::format("{} {}", implicit.stride.value, implicit.count), "16 0");
}

}  // namespace
}  // namespace vireo::spirv
