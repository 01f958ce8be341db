// SPDX-License-Identifier: Apache-2.0
//
// Expressions: values as in C, faults with places.
#include "vireo/isa/expression.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vireo::isa {
namespace {

// The value with A = 5, B = 3, Z = 0, M = -1 (any other name: 100), generation 600.
std::int64_t value_of(std::string_view text) {
  const ParsedExpression parsed = parse_expression(text);
  EXPECT_TRUE(parsed.ok()) << text << ": " << (parsed.ok() ? "" : parsed.faults.front().message);
  std::vector<std::int64_t> slots;
  for (const ParsedExpression::Name& name : parsed.names) {
    slots.push_back(name.name == "A" ? 5 : name.name == "B" ? 3 : name.name == "Z" ? 0 : name.name == "M" ? -1 : 100);
  }
  return evaluate(parsed.steps, slots.data(), 600);
}

// The rows test precedence, so none of them has the parentheses that compilers recommend.
#pragma GCC diagnostic ignored "-Wparentheses"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wbitwise-op-parentheses"
#pragma GCC diagnostic ignored "-Wlogical-op-parentheses"
#pragma GCC diagnostic ignored "-Wshift-op-parentheses"
#pragma GCC diagnostic ignored "-Wconstant-logical-operand"
#endif

// clang-format off
#define ROW(expression) {#expression, static_cast<std::int64_t>(expression)}

// The compiler of this test provides the expected values.
constexpr struct { std::string_view text; std::int64_t value; } constants[] = {
    ROW(1 + 2 * 3), ROW((1 + 2) * 3), ROW(10 - 4 - 3), ROW(100 / 10 / 5), ROW(7 % 4), ROW(-7 / 2), ROW(-7 % 4),
    ROW(1 << 2 + 1), ROW(1 | 2 == 2), ROW(6 & 3 == 3), ROW(5 ^ 1 | 8 & 12), ROW(1 < 2 == 1), ROW(3 > 2 > 1),
    ROW(!0 + 1), ROW(~0 & 255), ROW(- - 5), ROW(!!7), ROW(0x1F), ROW(017), ROW(0b101), ROW(2ULL << 40), ROW(1 ? 2 : 3),
    ROW(0 ? 2 : 0 ? 3 : 4), ROW(1 ? 0 ? 5 : 6 : 7), ROW(1 || 0 && 0), ROW((1 || 0) && 0), ROW(1 + (2 ? 3 : 4) * 2),
    ROW(-1 >> 1), ROW(1 <= 1 && 2 >= 3 || 4 != 4), ROW(+5 - +3), ROW(-1 < 0),
};
#undef ROW

constexpr struct { std::string_view text; std::int64_t value; } fields[] = {
    {"{A}", 5}, {" ( {A} ) ", 5}, {"{A} << 2 | {B}", 23}, {"{A} == 5 && {B} != 3", 0}, {"{A} > {M}", 1}, {"{Z} || {M}", 1},
    {"{A} /* a comment */ + {B}", 8}, {"ISA_GPU_ID() >= 600 && {A}", 1}, {"ISA_GPU_ID ( )", 600}, {"{A} ? {B} : {Z}", 3},
    {"{A} / {Z}", 0}, {"{A} % {Z}", 0}, {"{A} << 64", 0}, {"{M} >> 99", -1}, {"{A} << {M}", 0}, {"{3D} + {x_1}", 200},
};

constexpr struct { std::string_view text; std::uint32_t begin; std::string_view message; } faults[] = {
    {"",              0, "expected a field, a number or '(', found the end"},
    {"{A} +",         5, "expected a field, a number or '(', found the end"},
    {"{A} {B}",       4, "expected an operator, found '{'"},
    {"({A}",          0, "'(' without ')'"},
    {"{A})",          3, "')' without '('"},
    {"{A",            0, "expected '}' after a field name of letters, digits and '_'"},
    {"{}",            0, "expected a field name between '{' and '}'"},
    {"1 ? 2",         2, "'?' without ':'"},
    {"1 : 2",         2, "':' without '?'"},
    {"(1 ? 2)",       6, "expected ':' for '?' before ')'"},
    {"A == 1",        0, "expected '{A}' or ISA_GPU_ID()"},
    {"0x",            0, "'0x' is not an integer"},
    {"12ab",          0, "'12ab' is not an integer"},
    {"1.5",           0, "'1.5' is not an integer"},
    {"1 /* open",     2, "unterminated comment"},
    {"18446744073709551616", 0, "the number does not fit in 64 bits"},
    {"{A} = 1",       4, "expected an operator, found '='"},
    {"ISA_GPU_ID",   10, "expected '(' in ISA_GPU_ID(), found the end"},
};
// clang-format on

TEST(Expression, constants_have_the_values_of_c) {
  for (const auto& row : constants) {
    EXPECT_EQ(value_of(row.text), row.value) << row.text;
    EXPECT_EQ(parse_expression(row.text).steps.size(), 1u) << row.text << " is folded";
  }
}

TEST(Expression, fields_are_read_from_slots) {
  for (const auto& row : fields) EXPECT_EQ(value_of(row.text), row.value) << row.text;
}

TEST(Expression, a_repeated_field_has_one_slot) {
  const ParsedExpression parsed = parse_expression("{A} + {B} * {A}");
  ASSERT_EQ(parsed.names.size(), 2u);
  EXPECT_EQ(parsed.names[0].name, "A");
  EXPECT_EQ(parsed.names[1].begin, 6u);
}

TEST(Expression, faults_have_a_place_and_a_message) {
  for (const auto& row : faults) {
    const ParsedExpression parsed = parse_expression(row.text);
    ASSERT_EQ(parsed.faults.size(), 1u) << row.text;
    EXPECT_EQ(parsed.faults.front().begin, row.begin) << row.text;
    EXPECT_EQ(parsed.faults.front().message, row.message) << row.text;
    EXPECT_TRUE(parsed.steps.empty()) << row.text;
  }
}

TEST(Expression, depth_and_length_are_bounded) {
  for (const std::string_view piece : {"(", "!", "1?", "{A}+(", "-", "1+", "{A}<<"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text.append(piece);
    EXPECT_FALSE(parse_expression(text).ok()) << piece;
  }
  std::string right = "{A}";
  for (int i = 0; i < 25; ++i) right = "{A}+(" + right + ")";
  EXPECT_EQ(value_of(right), 26 * 5);
  std::string left = "{A}";
  for (int i = 0; i < 1000; ++i) left += "+{A}";
  EXPECT_EQ(value_of(left), 1001 * 5);
}

}  // namespace
}  // namespace vireo::isa
