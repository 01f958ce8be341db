// SPDX-License-Identifier: Apache-2.0
//
// Types: the properties of each declaration, the contents of types, equal types; deeply nested and invalid types.
#include "vireo/spirv/module/types.h"

#include <gtest/gtest.h>

#include <utility>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

using test::assembled;

constexpr std::string_view zoo = R"(
OpMemoryModel PhysicalStorageBuffer64 GLSL450
%1 = OpTypeVoid
%2 = OpTypeBool
%3 = OpTypeInt 32 0
%4 = OpTypeInt 16 1
%5 = OpTypeFloat 32
%6 = OpTypeFloat 16 BFloat16KHR
%7 = OpTypeVector %5 4
%8 = OpTypeMatrix %7 3
%9 = OpConstant %3 5
%10 = OpTypeArray %8 %9
%11 = OpTypeRuntimeArray %4
%12 = OpTypeImage %5 2D 1 0 1 2 Rgba8 ReadOnly
%13 = OpTypeSampledImage %12
%14 = OpTypeStruct %10 %2 %11
OpTypeForwardPointer %16 PhysicalStorageBuffer
%15 = OpTypeStruct %3 %16
%16 = OpTypePointer PhysicalStorageBuffer %15
%17 = OpTypePointer Uniform %14
%18 = OpTypeFunction %1 %17 %5
%19 = OpSpecConstant %3 7
%20 = OpTypeArray %5 %19
%21 = OpTypeStruct
%22 = OpTypeCooperativeMatrixKHR %5 %9 %9 %9 %9
)";

class TypesTest : public testing::Test {
 protected:
  const WordBuffer words = assembled(zoo);
  const Module module = Module::read(words);
  const Types types = Types::read(module);
};

TEST_F(TypesTest, rows_are_in_declaration_order) {
  const Word ids[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22};
  ASSERT_EQ(types.rows().size(), std::size(ids));
  for (std::size_t i = 0; i < std::size(ids); ++i) {
    EXPECT_EQ(types.rows()[i].id, ids[i]);
    EXPECT_EQ(types.index_of(ids[i]).raw, i);
  }
  EXPECT_EQ(types.find(9), nullptr);
  EXPECT_EQ(types.find(0xFFFFFFFF), nullptr);
  EXPECT_EQ(types.of(9).kind, TypeKind::None);
}

TEST_F(TypesTest, a_type_gives_the_types_of_its_parts) {
  EXPECT_EQ(types.of(8).component().id, 5u);     // a matrix
  EXPECT_EQ(types.of(8).element_type().id, 7u);  // its columns
  EXPECT_EQ(types.of(5).component().id, 5u);
  EXPECT_EQ(types.of(10).innermost().id, 8u);  // an array
  EXPECT_EQ(types.of(8).innermost().id, 8u);
  EXPECT_EQ(types.of(17).pointee().id, 14u);
  EXPECT_EQ(types.of(18).element_type().id, 1u);  // the return type
  EXPECT_EQ(types.of(14).component().kind, TypeKind::None);
  EXPECT_EQ(types.of(14).pointee().pointee().kind, TypeKind::None);
}

// A pointee may be declared after its pointer; no other part may.
TEST(Types, only_a_pointee_may_be_declared_later) {
  const WordBuffer words = assembled(
      "%1 = OpTypePointer Uniform %2\n%2 = OpTypeInt 32 0\n%3 = OpTypeArray %4 %9\n"
      "%4 = OpTypeFloat 32\n");
  const Module module = Module::read(words);
  Types read = Types::read(module);
  const Types types = std::move(read);  // rows do not move
  EXPECT_EQ(types.of(1).pointee().id, 2u);
  EXPECT_EQ(types.of(1).element_type().kind, TypeKind::None);
  EXPECT_EQ(types.of(3).element_type().kind, TypeKind::None);
  EXPECT_EQ(types.of(3).innermost().id, 3u);
}

TEST_F(TypesTest, has_the_properties_of_each_declaration) {
  EXPECT_TRUE(types.of(3).is_int(32) && !types.of(3).is_signed);
  EXPECT_TRUE(types.of(4).is_int(16) && types.of(4).is_signed);
  EXPECT_EQ(Types::float_format(types.of(5)), FloatFormat::Single);
  EXPECT_EQ(Types::float_format(types.of(6)), FloatFormat::BFloat16);
  EXPECT_EQ(Types::float_format(types.of(3)), std::nullopt);
  EXPECT_EQ(types.of(10).count, 5u);
  EXPECT_EQ(types.of(10).length, 9u);
  EXPECT_EQ(types.of(20).count, 0u);
  EXPECT_EQ(types.of(17).storage, StorageClass::Uniform);
  EXPECT_EQ(types.of(17).element, 14u);
  EXPECT_EQ(types.of(18).element, 1u);
  EXPECT_EQ(types.members(types.of(18)).size(), 2u);
  EXPECT_EQ(types.members(types.of(21)).size(), 0u);
  EXPECT_EQ(types.forward_pointer(16), StorageClass::PhysicalStorageBuffer);
  EXPECT_EQ(types.forward_pointer(17), std::nullopt);
  const ImageShape image = types.image(types.of(12));
  EXPECT_EQ(image.sampled_type, 5u);
  EXPECT_EQ(image.dim, Dim::Dim2D);
  EXPECT_EQ(image.depth, 1u);
  EXPECT_EQ(image.multisampled, 1u);
  EXPECT_EQ(image.sampled, 2u);
  EXPECT_EQ(image.format, ImageFormat::Rgba8);
  EXPECT_EQ(image.access, AccessQualifier::ReadOnly);
  EXPECT_EQ(types.shape(types.of(8)), (Shape{TypeKind::Float, 32, 4, 3}));
  EXPECT_EQ(types.shape(types.of(7)), (Shape{TypeKind::Float, 32, 4, 1}));
  EXPECT_EQ(types.shape(types.of(2)), (Shape{TypeKind::Bool, 0, 1, 1}));
  EXPECT_EQ(types.shape(types.of(10)), Shape{});
  EXPECT_EQ(types.of(22).component().id, 5u);
}

TEST_F(TypesTest, computes_bit_sizes_and_contents) {
  EXPECT_EQ(types.of(8).bits, 3u * 4 * 32);
  EXPECT_EQ(types.of(10).bits, 5u * 3 * 4 * 32);
  EXPECT_EQ(types.of(15).bits, 32u + 64);
  EXPECT_EQ(types.of(16).bits, 64u);
  EXPECT_EQ(types.of(21).bits, 0u);
  for (const Word id : {2u, 11u, 14u, 17u, 20u}) EXPECT_FALSE(types.of(id).has_known_size()) << id;

  using enum TypeTrait;
  EXPECT_EQ(types.of(14).contains, Struct | Array | Matrix | Vector | Float32 | Bool | RuntimeArray | Int16);
  EXPECT_EQ(types.of(15).contains, Struct | Int32 | Pointer | PhysicalPointer);
  EXPECT_EQ(types.of(17).contains, Pointer);
  EXPECT_EQ(types.of(17).mentions, types.of(14).contains | Pointer);
  EXPECT_EQ(types.of(13).contains, Image | Opaque | WithoutNull);
  EXPECT_EQ(types.of(13).mentions, Image | Opaque | WithoutNull | Float32);
  EXPECT_EQ(types.of(20).contains, Array | SpecSized | Float32);
  EXPECT_EQ(types.of(6).contains, BFloat16);
  EXPECT_TRUE(types.of(18).mentions.has_all(Function | Void | RuntimeArray));
  EXPECT_EQ(types.of(22).contains, CooperativeMatrix | Float32);
}

TEST_F(TypesTest, follows_index_paths) {
  const struct {
    Word type;
    std::vector<Word> path;
    Word expected;
  } rows[] = {
      {14, {}, 14},          {14, {0}, 10},         {14, {0, 4}, 8},     {14, {0, 5}, 0},
      {14, {0, 4, 2, 3}, 5}, {14, {0, 4, 3, 0}, 0}, {14, {2, 99999}, 4}, {14, {3}, 0},
      {3, {0}, 0},           {20, {1000}, 5},       {17, {0}, 0},
  };
  for (const auto& row : rows) EXPECT_EQ(types.member_type(row.type, row.path), row.expected) << row.type;
}

TEST(Types, equal_types_share_a_class_and_equal_words_a_canonical_type) {
  const WordBuffer words = assembled(R"(
%1 = OpTypeInt 32 0
%2 = OpTypeInt 32 1
!0x40015 %3 !32 !0
%4 = OpTypeStruct %1 %2
%5 = OpTypeStruct %3 %2
%6 = OpTypeStruct %1 %2
%7 = OpConstant %1 4
%8 = OpConstant %1 4
%9 = OpTypeArray %4 %7
%10 = OpTypeArray %5 %8
%11 = OpSpecConstant %1 4
%12 = OpTypeArray %4 %11
)");
  const Module module = Module::read(words);
  const Types types = Types::read(module);
  EXPECT_TRUE(types.are_alike(1, 3));
  EXPECT_FALSE(types.are_alike(1, 2));
  EXPECT_TRUE(types.are_alike(4, 5));
  EXPECT_TRUE(types.are_alike(9, 10));
  EXPECT_FALSE(types.are_alike(9, 12));
  EXPECT_FALSE(types.are_alike(9, 99));
  EXPECT_EQ(types.of(3).canonical_type, types.index_of(1));
  EXPECT_EQ(types.of(6).canonical_type, types.index_of(4));
  EXPECT_EQ(types.of(5).canonical_type, types.index_of(5));
  EXPECT_EQ(types.of(10).canonical_type, types.index_of(10));
}

TEST(Types, types_with_undefined_parts_are_unknown) {
  const WordBuffer words = assembled(R"(
%1 = OpTypeVector %9 4
%2 = OpTypeStruct %1 %8
%9 = OpTypeFloat 32
%10 = OpTypeVector %9 4
!0x10017
!0x20016 %13
%11 = OpTypeStruct %10 %11
%14 = OpTypeArray %13 %77
)");
  const Module module = Module::read(words);
  const Types types = Types::read(module);
  for (const Word id : {1u, 2u, 11u}) {
    EXPECT_TRUE(types.of(id).contains.has_any(TypeTrait::Unknown)) << id;
    EXPECT_FALSE(types.of(id).has_known_size()) << id;
  }
  EXPECT_EQ(types.of(1).element, 9u);
  EXPECT_TRUE(types.of(1).element_row.is_none());
  EXPECT_FALSE(types.are_alike(1, 10));
  EXPECT_EQ(types.of(13).width, 0u);
  EXPECT_EQ(types.of(13).contains, TypeTraits(TypeTrait::FloatOther));
  EXPECT_FALSE(types.of(14).has_known_size());
}

TEST(Types, continued_structures_are_joined) {
  const WordBuffer words = assembled(R"(
%1 = OpTypeInt 32 0
%2 = OpTypeInt 8 0
%3 = OpTypeStruct %1
OpTypeStructContinuedINTEL %2 %2
OpTypeStructContinuedINTEL %1
%4 = OpTypeStruct %1
%5 = OpTypeVoid
OpTypeStructContinuedINTEL %2
)");
  const Module module = Module::read(words);
  const Types types = Types::read(module);
  const TypeRow copied = types.of(3);
  const Words members = types.members(copied);
  EXPECT_EQ(std::vector<Word>(members.begin(), members.end()), (std::vector<Word>{1, 2, 2, 1}));
  EXPECT_EQ(types.of(3).count, 4u);
  EXPECT_EQ(types.of(3).bits, 32u + 8 + 8 + 32);
  EXPECT_EQ(types.member_type(3, std::vector<Word>{3}), 1u);
  EXPECT_EQ(types.members(types.of(4)).size(), 1u);
  EXPECT_FALSE(types.are_alike(3, 4));
  EXPECT_EQ(types.of(4).canonical_type, types.index_of(4));
}

// A chain of 100,000 arrays, and a chain of structures that each contain the previous one twice: 2^n parts, n rows.
TEST(Types, deeply_nested_types_take_one_row_each) {
  constexpr Word depth = 100000;
  WordBuffer words = {magic_number, 0x10600, 0, 2 * depth + 10, 0, 0x00040015, 1, 32, 0, 0x0004002B, 1, 2, 2};
  Word last = 1;
  for (Word i = 0; i < depth; ++i) {
    words.insert(words.end(), {0x0004001C, 3 + i, last, 2});
    last = 3 + i;
  }
  Word twice = 1;
  for (Word i = 0; i < depth; ++i) {
    words.insert(words.end(), {0x0004001E, 3 + depth + i, twice, twice});
    twice = 3 + depth + i;
  }
  const Module module = Module::read(words);
  const Types types = Types::read(module);
  ASSERT_EQ(types.rows().size(), 2 * depth + 1);
  EXPECT_EQ(types.of(3).bits, 64u);
  EXPECT_EQ(types.of(3 + 57).bits, std::uint64_t{1} << 63);
  EXPECT_FALSE(types.of(last).has_known_size());  // the number of bits does not fit in 64 bits
  EXPECT_FALSE(types.of(twice).has_known_size());
  EXPECT_EQ(types.of(twice).contains, TypeTrait::Struct | TypeTrait::Int32);
}

}  // namespace
}  // namespace vireo::spirv
