// SPDX-License-Identifier: Apache-2.0
//
// Decorations and Names: by target and member, in all forms, through groups. Includes a group of quadratic size.
#include "vireo/spirv/module/decorations.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

using test::assembled;

constexpr std::string_view annotated = R"(
OpName %3 "out"
OpMemberName %4 1 "second"
OpMemberName %4 0 "first"
OpName %3 "again"
OpName %5 ""
OpDecorate %4 Block
OpMemberDecorate %4 1 Offset 16
OpMemberDecorate %4 0 Offset 0
OpDecorate %3 Location 7
OpDecorateId %3 UniformId %9
OpDecorateString %3 UserSemantic "COLOR"
OpMemberDecorateString %4 1 UserSemantic "a longer one"
OpDecorate %6 NonWritable
OpDecorate %6 Binding 2
%6 = OpDecorationGroup
OpGroupDecorate %6 %3 %7
OpGroupMemberDecorate %6 %4 1 %4 5
)";

class DecorationsTest : public testing::Test {
 protected:
  const WordBuffer words = assembled(annotated);
  const Module module = Module::read(words);
  const Decorations decorations = Decorations::read(module);

  std::vector<Decoration> of(Word target, Word member = no_member) const {
    std::vector<Decoration> found;
    for (const DecorationRow& row : decorations.of(target, member)) found.push_back(row.decoration);
    return found;
  }
};

TEST_F(DecorationsTest, are_found_by_target_and_member) {
  using enum Decoration;
  using List = std::vector<Decoration>;
  EXPECT_EQ(of(3), (List{Location, UniformId, UserSemantic, NonWritable, Binding}));
  EXPECT_EQ(of(4), (List{Block}));
  EXPECT_EQ(of(4, 0), (List{Offset}));
  EXPECT_EQ(of(4, 1), (List{Offset, UserSemantic, NonWritable, Binding}));
  EXPECT_EQ(of(4, 5), (List{NonWritable, Binding}));
  EXPECT_EQ(of(7), (List{NonWritable, Binding}));
  EXPECT_EQ(of(99), List{});
  EXPECT_EQ(of(0xFFFFFFFF), List{});
  EXPECT_EQ(decorations.all_of(4).size(), 8u);
  EXPECT_TRUE(decorations.has(4, Block));
  EXPECT_FALSE(decorations.has(4, Offset));
  EXPECT_TRUE(decorations.has(4, 1, Offset));
  EXPECT_TRUE(decorations.has_on_member(4, Offset));
  EXPECT_FALSE(decorations.has_on_member(4, Block));
  EXPECT_TRUE(decorations.unexpanded().empty());
}

TEST_F(DecorationsTest, keep_operands_and_origin) {
  const DecorationRow* offset = decorations.find(4, 1, Decoration::Offset);
  ASSERT_NE(offset, nullptr);
  EXPECT_EQ(decorations.operand_or(*offset, 0), 16u);
  EXPECT_TRUE(offset->group_use.is_none());
  const DecorationRow* block = decorations.find(4, Decoration::Block);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(decorations.operands(*block).empty());
  EXPECT_EQ(decorations.operand_or(*block, 5), 5u);
  const DecorationRow* scope = decorations.find(3, Decoration::UniformId);
  ASSERT_NE(scope, nullptr);
  EXPECT_EQ(scope->form, DecorationForm::Id);
  EXPECT_EQ(decorations.operands(*scope)[0], 9u);
  EXPECT_EQ(decorations.text(*decorations.find(3, Decoration::UserSemantic)), "COLOR");
  EXPECT_EQ(decorations.text(*decorations.find(4, 1, Decoration::UserSemantic)), "a longer one");
  const DecorationRow* binding = decorations.find(7, Decoration::Binding);
  ASSERT_NE(binding, nullptr);
  EXPECT_EQ(decorations.operand_or(*binding, 0), 2u);
  EXPECT_EQ(module.instruction(binding->instruction).opcode, Op::OpDecorate);
  EXPECT_EQ(module.instruction(binding->group_use).opcode, Op::OpGroupDecorate);
}

TEST_F(DecorationsTest, names_are_found_by_id_and_member) {
  const Names names = Names::read(module);
  EXPECT_EQ(names.of(3), "out");
  EXPECT_EQ(names.of(4), "");
  EXPECT_EQ(names.of(4, 0), "first");
  EXPECT_EQ(names.of(4, 1), "second");
  EXPECT_EQ(names.of(4, 2), "");
  EXPECT_EQ(names.of(77), "");
  ASSERT_EQ(names.rows().size(), 5u);
  EXPECT_EQ(names.rows()[1].name, "again");
}

TEST(Decorations, invalid_decorations_are_read_as_far_as_possible) {
  const WordBuffer words = assembled(R"(
OpDecorate %4000000000 Location 1
!0x20047 %3
!0x10047
OpDecorate %3 !99999 !1
OpGroupDecorate %3 %5 %3
OpGroupMemberDecorate %3 %8 1
!0x3004B %3 %8
%2 = OpTypeVoid
OpDecorate %2 Restrict
)");
  const Module module = Module::read(words);
  const Decorations decorations = Decorations::read(module);
  EXPECT_TRUE(decorations.has(4000000000, Decoration::Location));
  EXPECT_EQ(decorations.of(3).size(), 2u);  // its own, and those it has as a target of its own group
  EXPECT_EQ(decorations.of(5).size(), 1u);
  EXPECT_EQ(decorations.of(8, 1).size(), 1u);
  EXPECT_EQ(decorations.all_of(8).size(), 1u);
  EXPECT_TRUE(decorations.has(2, Decoration::Restrict));  // outside of its section
}

// Targets with few and with many rows, next to each other: the lookup agrees with a linear search.
TEST(Decorations, lookup_agrees_with_a_linear_search) {
  for (const Word count : {1u, 60u, 127u, 128u, 129u, 190u, 191u, 192u, 500u}) {
    WordBuffer words = {magic_number, 0x10600, 0, 100, 0};
    const auto decorate = [&](Word target, Word member, Word decoration) {
      if (member == no_member) words.insert(words.end(), {0x00030047, target, decoration});
      else words.insert(words.end(), {0x00040048, target, member, decoration});
    };
    for (Word target = 1; target < 9; ++target) {
      // Every third target has many rows.
      for (Word i = 0; i < (target % 3 == 0 ? count : target); ++i) {
        decorate(target, i % 7 == 0 ? no_member : i * 5 % 11, i * 3 % 17);
      }
    }
    const Module module = Module::read(words);
    const Decorations decorations = Decorations::read(module);
    for (Word target = 0; target < 10; ++target) {
      for (Word decoration = 0; decoration < 18; ++decoration) {
        const auto wanted = static_cast<Decoration>(decoration);
        bool is_on_member = false;
        for (const Word member : {no_member, 0u, 1u, 5u, 10u, 11u}) {
          const DecorationRow* first = nullptr;
          for (const DecorationRow& row : decorations.of(target, member)) {
            if (first == nullptr && row.decoration == wanted) first = &row;
          }
          EXPECT_EQ(decorations.find(target, member, wanted), first) << count << " " << target << " " << decoration;
        }
        for (const DecorationRow& row : decorations.all_of(target)) {
          is_on_member |= row.member != no_member && row.decoration == wanted;
        }
        EXPECT_EQ(decorations.has_on_member(target, wanted), is_on_member) << count << " " << target;
      }
    }
  }
}

// 20,000 decorations of a group and 20,000 targets would be 400 million rows.
TEST(Decorations, group_decorations_are_bounded_by_the_module_size) {
  WordBuffer words = {magic_number, 0x10600, 0, 30000, 0};
  for (int i = 0; i < 20000; ++i) words.insert(words.end(), {0x00040047, 1, 33, 0});
  words.push_back(0x0000004A | 20002u << 16);
  words.push_back(1);
  for (Word target = 0; target < 20000; ++target) words.push_back(target + 2);
  const Module module = Module::read(words);
  const Decorations decorations = Decorations::read(module);
  EXPECT_LE(decorations.rows().size(), 20000 + words.size() + 4096);
  ASSERT_EQ(decorations.unexpanded().size(), 1u);
  EXPECT_EQ(decorations.unexpanded()[0].raw, 20000u);
  EXPECT_EQ(decorations.of(2).size(), 20000u);
  EXPECT_TRUE(decorations.of(20001).empty());
}

}  // namespace
}  // namespace vireo::spirv
