// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of executions, compared with the evaluation of constants (module/fold.h) on random operands, for each width.
// The two share no code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "spirv/execute/run_support.h"
#include "spirv/module/fold.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t lanes = 32;

// A type of operands, and how a test reads and writes its bits as words.
struct OperandType {
  std::string_view name;           // in run_support's shader
  std::string_view unsigned_name;  // the integer of the same width
  FoldType type;
};
constexpr OperandType types[] = {
    {"u8", "u8", {FoldType::Class::Int, 8}},
    {"u16", "u16", {FoldType::Class::Int, 16}},
    {"u32", "u32", {FoldType::Class::Int, 32}},
    {"u64", "u64", {FoldType::Class::Int, 64}},
    {"f16", "u16", {FoldType::Class::Float, 16, FloatFormat::Half}},
    {"f32", "u32", {FoldType::Class::Float, 32, FloatFormat::Single}},
    {"f64", "u64", {FoldType::Class::Float, 64, FloatFormat::Double}},
};

struct Operation {
  Op op;
  std::string_view name;
  std::uint32_t operands;
  FoldType::Class class_;
  bool is_comparison = false;
};
constexpr FoldType::Class ints = FoldType::Class::Int, floats = FoldType::Class::Float;
constexpr Operation operations[] = {
    {Op::OpIAdd, "OpIAdd", 2, ints},
    {Op::OpISub, "OpISub", 2, ints},
    {Op::OpIMul, "OpIMul", 2, ints},
    {Op::OpUDiv, "OpUDiv", 2, ints},
    {Op::OpSDiv, "OpSDiv", 2, ints},
    {Op::OpUMod, "OpUMod", 2, ints},
    {Op::OpSRem, "OpSRem", 2, ints},
    {Op::OpSMod, "OpSMod", 2, ints},
    {Op::OpSNegate, "OpSNegate", 1, ints},
    {Op::OpNot, "OpNot", 1, ints},
    {Op::OpBitwiseAnd, "OpBitwiseAnd", 2, ints},
    {Op::OpBitwiseOr, "OpBitwiseOr", 2, ints},
    {Op::OpBitwiseXor, "OpBitwiseXor", 2, ints},
    {Op::OpShiftLeftLogical, "OpShiftLeftLogical", 2, ints},
    {Op::OpShiftRightLogical, "OpShiftRightLogical", 2, ints},
    {Op::OpShiftRightArithmetic, "OpShiftRightArithmetic", 2, ints},
    {Op::OpIEqual, "OpIEqual", 2, ints, true},
    {Op::OpULessThan, "OpULessThan", 2, ints, true},
    {Op::OpSLessThan, "OpSLessThan", 2, ints, true},
    {Op::OpUGreaterThanEqual, "OpUGreaterThanEqual", 2, ints, true},
    {Op::OpSGreaterThan, "OpSGreaterThan", 2, ints, true},
    {Op::OpFAdd, "OpFAdd", 2, floats},
    {Op::OpFSub, "OpFSub", 2, floats},
    {Op::OpFMul, "OpFMul", 2, floats},
    {Op::OpFDiv, "OpFDiv", 2, floats},
    {Op::OpFRem, "OpFRem", 2, floats},
    {Op::OpFMod, "OpFMod", 2, floats},
    {Op::OpFNegate, "OpFNegate", 1, floats},
    {Op::OpFOrdLessThan, "OpFOrdLessThan", 2, floats, true},
    {Op::OpFUnordLessThan, "OpFUnordLessThan", 2, floats, true},
    {Op::OpFOrdNotEqual, "OpFOrdNotEqual", 2, floats, true},
    {Op::OpFUnordEqual, "OpFUnordEqual", 2, floats, true},
};

// Loads an operand of any width from two words: `%NAME` of the type.
std::string loaded(const OperandType& type, std::string_view name, std::size_t first) {
  std::string text;
  for (const int half : {0, 1}) {
    text += fmt::format(
        "%{0}_at{1} = OpIAdd %u32 %index %k{2}\n"
        "%{0}_p{1} = OpAccessChain %to_u32 %data %c0 %{0}_at{1}\n"
        "%{0}_w{1} = OpLoad %u32 %{0}_p{1}\n",
        name, half, first + static_cast<std::size_t>(half) * lanes);
  }
  if (type.type.width == 64) {
    text += fmt::format("%{0}_pair = OpCompositeConstruct %uvec2 %{0}_w0 %{0}_w1\n%{0} = OpBitcast %{1} %{0}_pair\n",
                        name, type.name);
  } else if (type.type.width == 32) {
    // OpBitcast needs another type.
    text += type.name == "u32" ? fmt::format("%{0} = OpCopyObject %u32 %{0}_w0\n", name)
                               : fmt::format("%{0} = OpBitcast %{1} %{0}_w0\n", name, type.name);
  } else {
    text += fmt::format("%{0}_bits = OpUConvert %{1} %{0}_w0\n", name, type.unsigned_name);
    text += type.type.class_ == ints ? fmt::format("%{0} = OpCopyObject %{1} %{0}_bits\n", name, type.name)
                                     : fmt::format("%{0} = OpBitcast %{1} %{0}_bits\n", name, type.name);
  }
  return text;
}

// Makes the words %r_w0 and %r_w1 of %r.
std::string stored(const OperandType& type, bool is_comparison) {
  std::string text;
  if (is_comparison) {
    text = "%r_w0 = OpSelect %u32 %r %c1 %c0\n%r_w1 = OpCopyObject %u32 %c0\n";
  } else if (type.type.width == 64) {
    text =
        "%r_pair = OpBitcast %uvec2 %r\n%r_w0 = OpCompositeExtract %u32 %r_pair 0\n"
        "%r_w1 = OpCompositeExtract %u32 %r_pair 1\n";
  } else {
    if (type.type.class_ == floats) text = fmt::format("%r_bits = OpBitcast %{} %r\n", type.unsigned_name);
    else text = fmt::format("%r_bits = OpCopyObject %{} %r\n", type.unsigned_name);
    text += type.type.width == 32 ? "%r_w0 = OpCopyObject %u32 %r_bits\n" : "%r_w0 = OpUConvert %u32 %r_bits\n";
    text += "%r_w1 = OpCopyObject %u32 %c0\n";
  }
  for (const int half : {0, 1})
    text += fmt::format(
        "%r_at{0} = OpIAdd %u32 %index %k{1}\n%r_p{0} = OpAccessChain %to_u32 %data %c0 %r_at{0}\n"
        "OpStore %r_p{0} %r_w{0}\n",
        half, (4 + static_cast<std::size_t>(half)) * lanes);
  return text;
}

std::string program(const Operation& operation, const OperandType& type) {
  std::string declarations;
  for (std::size_t i = 0; i < 6; ++i) declarations += fmt::format("%k{0} = OpConstant %u32 {0}\n", i * lanes);
  std::string body = "%index = OpLoad %u32 %local\n" + loaded(type, "a", 0);
  if (operation.operands == 2) body += loaded(type, "b", 2 * lanes);
  body += fmt::format("%r = {} %{} %a{}\n", operation.name, operation.is_comparison ? "bool" : type.name,
                      operation.operands == 2 ? " %b" : "");
  return test::shader(declarations, body + stored(type, operation.is_comparison), "32 1 1");
}

// Small numbers, extreme ones, and any bits.
std::uint64_t random_bits(std::mt19937_64& random, const FoldType& type) {
  const std::uint64_t any = random();
  switch (any % 4) {
    case 0: return (any >> 8 & 15) & mask_of(type.width);
    case 1: return (mask_of(type.width) - (any >> 8 & 3)) & mask_of(type.width);
    case 2:
      if (type.class_ == floats)
        return bits_of(static_cast<double>(static_cast<std::int8_t>(any >> 8)) / 4, type.format).value_or(0);
      return std::uint64_t{1} << (type.width - 1);
    default: return random() & mask_of(type.width);
  }
}

bool are_equal(std::uint64_t a, std::uint64_t b, const FoldType& type, bool is_comparison) {
  if (a == b || is_comparison || type.class_ != floats) return a == b;
  return std::isnan(double_of(a, type.format).value_or(0)) && std::isnan(double_of(b, type.format).value_or(0));
}

void compare(const Operation& operation, const OperandType& type, std::mt19937_64& random, std::size_t& compared) {
  std::vector<Word> words(6 * lanes);
  std::array<std::array<std::uint64_t, lanes>, 2> given{};
  for (std::size_t operand = 0; operand < 2; ++operand) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t bits = random_bits(random, type.type);
      given[operand][lane] = bits;
      words[2 * operand * lanes + lane] = static_cast<Word>(bits);
      words[(2 * operand + 1) * lanes + lane] = static_cast<Word>(bits >> 32);
    }
  }
  test::RunSetup setup;
  setup.buffers = {{0, words}};
  const test::RunOutcome outcome = test::run_text(program(operation, type), setup);
  ASSERT_TRUE(outcome.is_run) << operation.name << " " << type.name << testing::PrintToString(outcome.texts);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const FoldValue operands[] = {{type.type, given[0][lane]}, {type.type, given[1][lane]}};
    const FoldType result = operation.is_comparison ? FoldType{FoldType::Class::Bool, 1} : type.type;
    const auto expected = fold(operation.op, result, std::span(operands).first(operation.operands));
    if (!expected) continue;  // undefined
    const std::uint64_t found =
        outcome.buffers[0].words[4 * lanes + lane] | std::uint64_t{outcome.buffers[0].words[5 * lanes + lane]} << 32;
    EXPECT_TRUE(are_equal(found, *expected, type.type, operation.is_comparison))
        << fmt::format("{} {} of {:#x} and {:#x}: {:#x}, expected {:#x}", operation.name, type.name, given[0][lane],
                       given[1][lane], found, *expected);
    ++compared;
  }
}

TEST(Arithmetic, agrees_with_the_evaluation_of_constants) {
  std::mt19937_64 random(1);
  std::size_t compared = 0;
  for (const Operation& operation : operations) {
    for (const OperandType& type : types) {
      if (type.type.class_ == operation.class_) compare(operation, type, random, compared);
    }
  }
  EXPECT_GT(compared, 2500u);
}

}  // namespace
}  // namespace vireo::spirv
