// SPDX-License-Identifier: Apache-2.0
//
// Typed views (vireo/spirv/binary/view.h) compared with the operand decoder: for every instruction, with every number of
// optional operands, each accessor must find its operand in the same word.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "system/instance_builder.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/views/all.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/grammar/operand_names.h"
#include "vireo/spirv/module/module.h"

namespace vireo::system_test {
namespace {

using namespace vireo::spirv;

// The word offsets of the operands of an instruction; 0 for an absent one.
using Places = std::vector<std::uint16_t>;

template <typename Operand>
std::uint16_t place_of(const Operand& operand) requires requires {
  operand.word + 0;
}
{ return operand.word; }
template <typename View>
std::uint16_t place_of(const View& view) requires requires {
  view.is_present();
}
{ return view.is_present() ? view.word() : std::uint16_t{0}; }
template <typename List>
std::uint16_t place_of(const List& list) requires requires {
  list.size() + list.word();
}
{ return list.size() == 0 ? std::uint16_t{0} : list.word(); }
template <typename Operand>
std::uint16_t place_of(const std::optional<Operand>& operand) {
  return operand ? operand->word : std::uint16_t{0};
}

struct Accessors {
  Op opcode;
  Places (*places)(InstructionView);
};
constexpr Accessors all_accessors[] = {
#include "system/view_places.inc"
};

// The word offset of each operand of a pattern according to the decoder; for a list that of its first operand.
Places decoded_places(std::span<const OperandRow> rows, std::span<const Operand> operands) {
  std::vector<std::uint16_t> words;
  for (const Operand& operand : operands) {
    if (!operand.is_parameter) words.push_back(operand.word);
  }
  Places places;
  std::size_t next = 0;
  const auto take = [&](bool is_list) {
    places.push_back(next < words.size() ? words[next] : std::uint16_t{0});
    next = is_list ? words.size() : next + 1;
  };
  for (const OperandRow& row : rows) {
    take(row.quantifier == Quantifier::Star);
    if (row.shape == OperandShape::LiteralSpecConstantOpInteger) take(true);
  }
  return places;
}

TEST(Views, find_operands_at_the_words_of_the_decoder) {
  const Grammar& grammar = builtin_grammar();
  std::size_t compared = 0;
  for (const InstructionRow& row : grammar.instructions) {
    const auto accessors = std::ranges::find(all_accessors, row.opcode, &Accessors::opcode);
    ASSERT_NE(accessors, std::end(all_accessors)) << grammar.text(row.name);
    const auto rows = grammar.operands(row.operands);
    const auto optionals = static_cast<unsigned>(
        std::ranges::count(rows, Quantifier::Optional, [](const OperandRow& operand) { return operand.quantifier; }));
    for (unsigned count = 0; count <= optionals; ++count) {
      const WordBuffer words = instance_of(grammar, row, {.optionals = count, .stars = count});
      OperandDecoder decoder(grammar, words[3], words.size());
      for (const InstructionView instruction : Instructions(words)) {
        if (!is_decodable(decoder.decode(instruction)) || instruction.opcode != row.opcode) continue;
        EXPECT_EQ(accessors->places(instruction), decoded_places(rows, decoder.operands())) << grammar.text(row.name);
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, grammar.instructions.size());
}

// Accessors return some value for an instruction that is truncated anywhere or has any mask.
TEST(Views, accept_truncated_and_invalid_instructions) {
  const std::vector<Word> words(24, 0xFFFFFFFF);
  std::size_t called = 0;
  for (const Accessors& accessors : all_accessors) {
    for (std::uint16_t length = 1; length <= words.size(); ++length) {
      InstructionView instruction{words.data(), 5, length, {}};
      instruction.opcode = static_cast<decltype(instruction.opcode)>(accessors.opcode);
      for (const std::uint16_t place : accessors.places(instruction)) called += place < 64 ? 1 : 0;
    }
  }
  EXPECT_GT(called, std::size(all_accessors));
}

TEST(Views, read_the_operation_of_a_specialization_constant) {
  // OpSpecConstantOp %1 %2 OpIAdd %3 %4
  const std::vector<Word> words = {6u << 16 | 52u, 1, 2, 128, 3, 4};
  InstructionView instruction{words.data(), 5, 6, {}};
  instruction.opcode = static_cast<decltype(instruction.opcode)>(Op::OpIAdd);
  const View<Op::OpIAdd> add(instruction);
  EXPECT_EQ(add.result_type(), 1u);
  EXPECT_EQ(add.result(), 2u);
  EXPECT_EQ(add.operand_1(), 3u);
  EXPECT_EQ(add.operand_2(), 4u);
  EXPECT_EQ(add.operand_2().word, 5u);
}

TEST(Views, return_masks_with_their_parameters) {
  // OpCopyMemory %1 %2 Aligned|MakePointerAvailable 16 %3 Nontemporal|Aligned 4
  const std::vector<Word> words = {8u << 16 | 63u, 1, 2, 2 | 8, 16, 3, 4 | 2, 4};
  const auto copy = as<Op::OpCopyMemory>(*Instructions(words, 0).begin());
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->memory_access().Aligned().value(), 16u);
  EXPECT_EQ(copy->memory_access().MakePointerAvailable().value().id, 3u);
  EXPECT_FALSE(copy->memory_access().MakePointerVisible());
  EXPECT_EQ(copy->memory_access_2().word(), 6u);
  EXPECT_TRUE(copy->memory_access_2().has(MemoryAccess::Nontemporal));
  EXPECT_EQ(copy->memory_access_2().Aligned().value(), 4u);
}

TEST(Views, return_enumerants_with_their_parameters) {
  // OpDecorate %7 LinkageAttributes "abcd" Import
  const std::vector<Word> words = {6u << 16 | 71u, 7, 41, 0x64636261, 0, 1};
  const auto decorate = as<Op::OpDecorate>(*Instructions(words, 0).begin());
  ASSERT_TRUE(decorate);
  const auto linkage = decorate->decoration().LinkageAttributes();
  ASSERT_TRUE(linkage);
  EXPECT_EQ(linkage->name(), "abcd");
  EXPECT_EQ(linkage->linkage_type(), LinkageType::Import);
  EXPECT_EQ(linkage->linkage_type().word, 5u);
  EXPECT_FALSE(decorate->decoration().Location());
}

TEST(Views, return_lists) {
  // OpPhi %1 %2 %3 %4 %5 %6, OpSwitch %1 %2 7 %3 8 %4
  const std::vector<Word> words = {7u << 16 | 245u, 1, 2, 3, 4, 5, 6, 7u << 16 | 251u, 1, 2, 7, 3, 8, 4};
  auto at = Instructions(words, 0).begin();
  const auto phi = as<Op::OpPhi>(*at);
  ASSERT_TRUE(phi);
  ASSERT_EQ(phi->variables().size(), 2u);
  EXPECT_EQ(phi->variables()[1].variable, 5u);
  EXPECT_EQ(phi->variables()[1].parent, 6u);
  EXPECT_EQ(phi->variables()[1].parent.word, 6u);
  const auto branch = as<Op::OpSwitch>(*++at);
  ASSERT_TRUE(branch);
  ASSERT_EQ(branch->targets(1).size(), 2u);
  EXPECT_EQ(branch->targets(1)[1].literal[0], 8u);
  EXPECT_EQ(branch->targets(1)[1].label, 4u);
  std::vector<Word> ids;
  for (const PhiOperand& source : phi->variables()) ids.push_back(source.variable);
  for (const CaseOperand& target : branch->targets(1)) ids.push_back(target.label);
  EXPECT_EQ(ids, (std::vector<Word>{3, 5, 3, 4}));
}

TEST(OperandNames, are_found_by_opcode) {
  EXPECT_EQ(word_of(Op::OpLoad, OperandName::pointer), 3u);
  EXPECT_EQ(word_of(Op::OpStore, OperandName::pointer), 1u);
  EXPECT_EQ(word_of(Op::OpStore, OperandName::result_type), 0u);
  EXPECT_EQ(word_of(static_cast<Op>(0xFFFF), OperandName::pointer), 0u);
  EXPECT_EQ(word_of(Op::OpVariable, OperandName::initializer), 4u);
}

TEST(EnumNames, are_the_primary_ones) {
  EXPECT_EQ(name_of(Op::OpLoad), "OpLoad");
  EXPECT_EQ(name_of(StorageClass::Uniform), "Uniform");
  EXPECT_EQ(name_of(static_cast<StorageClass>(9999)), "");
  EXPECT_EQ(to_string(static_cast<StorageClass>(9999)), "9999");
  EXPECT_EQ(to_string(MemoryAccess::Aligned | MemoryAccess::Volatile), "Volatile|Aligned");
  EXPECT_EQ(name_of(GLSL_std_450::Sqrt), "Sqrt");
}

}  // namespace
}  // namespace vireo::system_test
