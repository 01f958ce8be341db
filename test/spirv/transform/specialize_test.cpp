// SPDX-License-Identifier: Apache-2.0
//
// Specializer: modules before and after a specialization, refused values, memory and threads. The values of operations
// are tested in specialize_forms_test.cpp and specialize_chains_test.cpp.
//
// Source: specification 2.9 (specialization), 2.16.1 (universal validation rules).
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "spirv/transform/spec_constants_rows.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv::spec_constants_test {
namespace {

Specializer read_specializer(Words words) {
  Diagnostics diagnostics;
  Result<Specializer> specializer = Specializer::read(words, {}, diagnostics);
  EXPECT_TRUE(specializer.ok()) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
  return std::move(specializer).value();
}

bool is_valid(Words words) {
  Diagnostics findings;
  return validate(words, {}, findings);
}

struct SpecializeRow {
  std::string_view name;
  std::vector<Specialization> values;
  std::string_view before, after;
  SpecializeOptions options = {};
};

// Declarations that all rows share.
constexpr std::string_view row_head = R"(
OpCapability Shader
OpCapability Linkage
OpCapability Int8
OpMemoryModel Logical GLSL450
)";

void expect_rows(std::span<const SpecializeRow> rows, std::string_view head) {
  for (const SpecializeRow& row : rows) {
    const WordBuffer before = words_of(std::string(head) + std::string(row.before));
    const WordBuffer after = words_of(std::string(head) + std::string(row.after));
    EXPECT_TRUE(is_valid(before)) << row.name;
    const Specializer specializer = read_specializer(before);
    Diagnostics diagnostics;
    SpecializerMemory memory;
    WordBuffer result;
    EXPECT_FALSE(specializer.specialize(row.values, row.options, memory, result, diagnostics)) << row.name;
    EXPECT_TRUE(diagnostics.all().empty()) << row.name << ": " << diagnostics.all()[0].message;
    EXPECT_EQ(text_of(result), text_of(after)) << row.name;
    EXPECT_TRUE(is_valid(result)) << row.name;
    // The same memory gives the same result again.
    WordBuffer again;
    EXPECT_FALSE(specializer.specialize(row.values, row.options, memory, again, diagnostics)) << row.name;
    EXPECT_EQ(again, result) << row.name;
  }
}

// --- constants -------------------------------------------------------------------------------------------------------

const SpecializeRow constant_rows[] = {
    {"the last of several values",
     {{1, 5}, {2, 1}, {1, 6}, {1, 7}},
     R"(
OpDecorate %20 SpecId 1
OpDecorate %21 SpecId 2
%1 = OpTypeBool
%2 = OpTypeInt 32 0
%20 = OpSpecConstant %2 3
%21 = OpSpecConstantFalse %1
)",
     R"(
%1 = OpTypeBool
%2 = OpTypeInt 32 0
%20 = OpConstant %2 7
%21 = OpConstantTrue %1
)"},
    {"the constants without a value stay",
     {{2, 5}},
     R"(
OpName %20 "a"
OpDecorate %20 SpecId 1
OpDecorate %20 RelaxedPrecision
OpDecorate %21 SpecId 2
OpDecorate %21 RelaxedPrecision
%2 = OpTypeInt 32 0
%3 = OpTypeVector %2 2
%20 = OpSpecConstant %2 3
%21 = OpSpecConstant %2 4
%22 = OpSpecConstantOp %2 IAdd %20 %21
%23 = OpSpecConstantOp %2 IAdd %21 %21
%24 = OpSpecConstantComposite %3 %20 %21
%25 = OpSpecConstantComposite %3 %21 %23
%26 = OpSpecConstantOp %2 CompositeExtract %24 1
)",
     R"(
OpName %20 "a"
OpDecorate %20 SpecId 1
OpDecorate %20 RelaxedPrecision
OpDecorate %21 RelaxedPrecision
%2 = OpTypeInt 32 0
%3 = OpTypeVector %2 2
%20 = OpSpecConstant %2 3
%21 = OpConstant %2 5
%22 = OpSpecConstantOp %2 IAdd %20 %21
%23 = OpConstant %2 10
%24 = OpSpecConstantComposite %3 %20 %21
%25 = OpConstantComposite %3 %21 %23
%26 = OpConstant %2 5
)"},
    {"no value changes nothing",
     {},
     R"(
OpDecorate %20 SpecId 1
%2 = OpTypeInt 32 0
%20 = OpSpecConstant %2 3
%21 = OpSpecConstantOp %2 IAdd %20 %20
%22 = OpSpecConstant %2 4
)",
     R"(
OpDecorate %20 SpecId 1
%2 = OpTypeInt 32 0
%20 = OpSpecConstant %2 3
%21 = OpSpecConstantOp %2 IAdd %20 %20
%22 = OpSpecConstant %2 4
)"},
    {"the rest gets its defaults",
     {{2, 5}},
     R"(
OpDecorate %20 SpecId 1
OpDecorate %21 SpecId 2
%2 = OpTypeInt 32 0
%20 = OpSpecConstant %2 3
%21 = OpSpecConstant %2 4
%22 = OpSpecConstantOp %2 IMul %20 %21
%23 = OpSpecConstant %2 9
)",
     R"(
%2 = OpTypeInt 32 0
%20 = OpConstant %2 3
%21 = OpConstant %2 5
%22 = OpConstant %2 15
%23 = OpConstant %2 9
)",
     {.freeze_rest = true}},
    {"a group of decorations",
     {{1, 6}},
     R"(
OpDecorate %9 SpecId 1
OpDecorate %9 RelaxedPrecision
%9 = OpDecorationGroup
OpGroupDecorate %9 %20
%2 = OpTypeInt 32 0
%20 = OpSpecConstant %2 3
)",
     R"(
OpDecorate %9 RelaxedPrecision
%9 = OpDecorationGroup
OpGroupDecorate %9 %20
%2 = OpTypeInt 32 0
%20 = OpConstant %2 6
)"},
    {"a Boolean is true for any number but 0",
     {{1, 0x100000000}},
     R"(
OpDecorate %20 SpecId 1
%1 = OpTypeBool
%20 = OpSpecConstantFalse %1
)",
     "%1 = OpTypeBool\n%20 = OpConstantTrue %1\n"},
};

TEST(Specialize, replaces_constants) { expect_rows(constant_rows, row_head); }

// Two constants with one SpecId are an error of some environments, so the row is not validated.
TEST(Specialize, gives_all_constants_with_a_spec_id_the_value) {
  const WordBuffer before = words_of(std::string(row_head) + R"(
OpDecorate %20 SpecId 1
OpDecorate %21 SpecId 1
%2 = OpTypeInt 32 0
%3 = OpTypeInt 8 0
%20 = OpSpecConstant %2 3
%21 = OpSpecConstant %3 4
)");
  const Specializer specializer = read_specializer(before);
  ASSERT_EQ(specializer.constants().size(), 2u);
  SpecializerMemory memory;
  WordBuffer result;
  Diagnostics diagnostics;
  const Specialization fits[] = {{1, 255}}, too_wide[] = {{1, 256}};
  EXPECT_FALSE(specializer.specialize(fits, {}, memory, result, diagnostics));
  EXPECT_EQ(text_of(result), text_of(words_of(std::string(row_head) +
                                              "%2 = OpTypeInt 32 0\n%3 = OpTypeInt 8 0\n%20 = OpConstant %2 255\n"
                                              "%21 = OpConstant %3 255\n")));
  EXPECT_TRUE(specializer.specialize(too_wide, {}, memory, result, diagnostics));  // for one of them
}

// --- refused values --------------------------------------------------------------------------------------------------

struct RefusedRow {
  std::string_view name;
  std::vector<Specialization> values;
  std::string_view rule;
  std::string_view message;  ///< a part
  std::string_view hint = "";
};

// SpecIds: 1 a length, also in an operation; 2 an index; 3 a size of the workgroup; 4 a number; 10 a narrow number.
constexpr std::string_view refusing_module = R"(
OpCapability Shader
OpCapability Int8
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %40 "main" %30 %31
OpExecutionModeId %40 LocalSizeId %22 %23 %23
OpName %20 "length"
OpDecorate %20 SpecId 1
OpDecorate %21 SpecId 2
OpDecorate %22 SpecId 3
OpDecorate %23 SpecId 4
OpDecorate %24 SpecId 10
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeInt 32 0
%4 = OpTypeInt 32 1
%5 = OpTypeInt 8 1
%20 = OpSpecConstant %3 4
%21 = OpSpecConstant %4 1
%22 = OpSpecConstant %3 8
%23 = OpSpecConstant %3 1
%24 = OpSpecConstant %5 1
%25 = OpSpecConstantOp %3 BitwiseXor %20 %23
%6 = OpTypeArray %3 %20
%9 = OpTypeArray %3 %25
%10 = OpTypePointer Private %9
%7 = OpTypePointer Private %6
%8 = OpTypePointer Private %3
%30 = OpVariable %7 Private
%31 = OpVariable %10 Private
%40 = OpFunction %1 None %2
%41 = OpLabel
%42 = OpAccessChain %8 %30 %21
OpStore %42 %23
OpReturn
OpFunctionEnd
)";

const RefusedRow refused_rows[] = {
    {"an unknown SpecId",
     {{9, 0}},
     "spec-value",
     "no specialization constant with SpecId 9",
     "the nearest is SpecId 10"},
    {"another one", {{0, 1}}, "spec-value", "SpecId 0", "the nearest is SpecId 1 ('length')"},
    {"a greater one", {{~Word{0}, 1}}, "spec-value", "SpecId 4294967295", "the nearest is SpecId 10"},
    {"too wide", {{1, 0x100000000}}, "spec-value", "the value 0x100000000 of SpecId 1 ('length') does not fit"},
    {"too wide although it is not the last one", {{1, 0x100000000}, {1, 4}}, "spec-value", "0x100000000"},
    {"a negative number for an unsigned type", {{1, ~std::uint64_t{0}}}, "spec-value", "0xffffffffffffffff"},
    {"copies of the sign up to bit 31", {{10, 0xFFFFFF80}}, "spec-value", "0xffffff80 of SpecId 10"},
    {"a positive number with bits above the type", {{10, 0x180}}, "spec-value", "0x180"},
    {"an array of length 0", {{1, 0}}, "length-positive", "the values make the module invalid"},
    {"an array of length 0 by an operation", {{1, 5}, {4, 5}}, "length-positive", "the values make the module invalid"},
    {"a negative index", {{2, 0xFFFFFFFF}}, "index-negative", "the values make the module invalid"},
    {"an empty workgroup", {{3, 0}}, "empty-workgroup", "the values make the module invalid"},
};

TEST(Specialize, refuses_values_and_leaves_the_result_unchanged) {
  const WordBuffer words = words_of(refusing_module);
  ASSERT_TRUE(is_valid(words));
  const Specializer specializer = read_specializer(words);
  SpecializerMemory memory;
  WordBuffer good, result;
  Diagnostics none;
  const Specialization values[] = {{1, 7}, {2, 2}, {3, 4}, {4, 3}, {10, 0xFFFFFFFFFFFFFF80}};
  ASSERT_FALSE(specializer.specialize(values, {}, memory, good, none));
  EXPECT_TRUE(none.all().empty());
  EXPECT_NE(text_of(good).find("%24 = OpConstant %5 -128"), std::string::npos);
  for (const RefusedRow& row : refused_rows) {
    for (const bool prune : {false, true}) {
      Diagnostics diagnostics;
      result = {1, 2, 3};
      EXPECT_TRUE(specializer.specialize(row.values, {.prune = prune}, memory, result, diagnostics)) << row.name;
      EXPECT_EQ(result, (WordBuffer{1, 2, 3})) << row.name;
      ASSERT_FALSE(diagnostics.all().empty()) << row.name;
      EXPECT_EQ(diagnostics.all()[0].rule, row.rule) << row.name << ": " << diagnostics.all()[0].message;
      EXPECT_NE(diagnostics.all()[0].message.find(row.message), std::string::npos) << diagnostics.all()[0].message;
      if (row.rule == "spec-value") { EXPECT_EQ(diagnostics.all()[0].hint, row.hint) << row.name; }
      // A refusal has no effect on the next call.
      EXPECT_FALSE(specializer.specialize(values, {}, memory, result, diagnostics)) << row.name;
      EXPECT_EQ(result, good) << row.name;
    }
  }
}

// A parsed value is a value that specialize() takes.
TEST(Specialize, takes_each_parsed_value) {
  const WordBuffer words = words_of(refusing_module);
  const Specializer specializer = read_specializer(words);
  SpecializerMemory memory;
  WordBuffer result;
  Diagnostics diagnostics;
  const Result<Specialization> value = specializer.parse_value("10", "-128", diagnostics);
  ASSERT_TRUE(value.ok());
  EXPECT_FALSE(specializer.specialize({&*value, 1}, {}, memory, result, diagnostics)) << diagnostics.all()[0].message;
  EXPECT_NE(text_of(result).find("%24 = OpConstant %5 -128"), std::string::npos);
}

// --- undefined results -----------------------------------------------------------------------------------------------

TEST(Specialize, reports_undefined_results_at_their_operation) {
  const WordBuffer words = words_of(std::string(row_head) + R"(
OpDecorate %20 SpecId 1
%2 = OpTypeInt 32 0
%20 = OpSpecConstant %2 3
%21 = OpSpecConstantOp %2 UDiv %20 %20
%22 = OpSpecConstantOp %2 IAdd %21 %20
)");
  const Specializer specializer = read_specializer(words);
  SpecializerMemory memory;
  WordBuffer result;
  for (const bool freeze_rest : {false, true}) {
    Diagnostics diagnostics;
    const Specialization zero[] = {{1, 0}};
    EXPECT_FALSE(specializer.specialize(zero, {.freeze_rest = freeze_rest}, memory, result, diagnostics));
    ASSERT_EQ(diagnostics.all().size(), 1u);  // not for %22, which only depends on the undefined result
    EXPECT_EQ(diagnostics.all()[0].rule, "spec-undefined");
    EXPECT_EQ(diagnostics.all()[0].severity, Severity::Warning);
    EXPECT_EQ(words[diagnostics.all()[0].where.begin + 2], 21u);
    EXPECT_EQ(text_of(result), text_of(words_of(std::string(row_head) + R"(
%2 = OpTypeInt 32 0
%20 = OpConstant %2 0
%21 = OpSpecConstantOp %2 UDiv %20 %20
%22 = OpSpecConstantOp %2 IAdd %21 %20
)")));
  }
}

// 8-bit floats are not evaluated, so their results are not known to be undefined.
TEST(Specialize, reports_no_undefined_results_for_formats_that_are_not_evaluated) {
  const WordBuffer words = words_of(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Float8EXT
OpExtension "SPV_EXT_float8"
OpMemoryModel Physical64 OpenCL
OpDecorate %20 SpecId 1
%2 = OpTypeInt 32 0
%3 = OpTypeFloat 8 Float8E4M3EXT
%20 = OpSpecConstant %3 1
%21 = OpSpecConstantOp %2 ConvertFToU %20
)");
  ASSERT_TRUE(is_valid(words));
  SpecializerMemory memory;
  WordBuffer result;
  Diagnostics diagnostics;
  EXPECT_FALSE(read_specializer(words).specialize({}, {.freeze_rest = true}, memory, result, diagnostics));
  EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.all()[0].message;
  EXPECT_NE(text_of(result).find("%21 = OpSpecConstantOp %2 ConvertFToU %20"), std::string::npos);
}

// Insertions into great structures use up the parts that Constants may create. Operations that are not evaluated for
// this reason are not undefined.
TEST(Specialize, reports_no_undefined_results_beyond_the_limit_of_parts) {
  std::string text = std::string(row_head) +
                     "OpCapability Vector16\nOpDecorate %20 SpecId 1\n%2 = OpTypeInt 32 0\n"
                     "%20 = OpSpecConstant %2 3\n%3 = OpTypeVector %2 16\n";
  Word next = 100;
  for (const auto& [members, insertions] : {std::pair(16000, 10), std::pair(1000, 40), std::pair(100, 100)}) {
    const Word type = next++, null = next++;
    text += "%" + std::to_string(type) + " = OpTypeStruct";
    for (int i = 0; i < members; ++i) text += " %2";
    text += "\n%" + std::to_string(null) + " = OpConstantNull %" + std::to_string(type) + "\n";
    for (int i = 0; i < insertions; ++i) {
      text += "%" + std::to_string(next++) + " = OpSpecConstantOp %" + std::to_string(type) + " CompositeInsert %20 %" +
              std::to_string(null) + " 0\n";
    }
  }
  text += "%50 = OpSpecConstantComposite %3";
  for (int i = 0; i < 16; ++i) text += " %20";
  text += "\n";
  for (int i = 0; i < 20; ++i) text += "%" + std::to_string(next++) + " = OpSpecConstantOp %3 UDiv %50 %50\n";
  const WordBuffer words = words_of(text);
  const Specializer specializer = read_specializer(words);
  SpecializerMemory memory;
  WordBuffer result;
  Diagnostics diagnostics;
  const Specialization five[] = {{1, 5}};
  EXPECT_FALSE(specializer.specialize(five, {}, memory, result, diagnostics));
  EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.all()[0].message;
  EXPECT_NE(text_of(result).find(" UDiv "), std::string::npos);  // the limit was reached
}

// --- memory and threads ----------------------------------------------------------------------------------------------

TEST(Specialize, works_with_memory_of_another_specializer) {
  const Specializer first = read_specializer(words_of(refusing_module));
  const Specializer second = read_specializer(words_of(std::string(row_head) + std::string(constant_rows[1].before)));
  const Specialization values[] = {{1, 3}, {2, 2}};
  const auto fresh = [&](const Specializer& specializer) {
    SpecializerMemory memory;
    WordBuffer result;
    Diagnostics diagnostics;
    EXPECT_FALSE(specializer.specialize(values, {.prune = true}, memory, result, diagnostics));
    return result;
  };
  const WordBuffer of_first = fresh(first), of_second = fresh(second);
  ASSERT_NE(of_first, of_second);
  SpecializerMemory memory;
  for (int i = 0; i < 3; ++i) {
    WordBuffer result;
    Diagnostics diagnostics;
    EXPECT_FALSE(first.specialize(values, {.prune = true}, memory, result, diagnostics));
    EXPECT_EQ(result, of_first);
    SpecializerMemory moved = std::move(memory);
    EXPECT_FALSE(second.specialize(values, {.prune = true}, moved, result, diagnostics));
    EXPECT_EQ(result, of_second);
    EXPECT_FALSE(first.specialize(values, {.prune = true}, memory, result, diagnostics));  // empty after the move
    EXPECT_EQ(result, of_first);
    memory = std::move(moved);
    EXPECT_TRUE(diagnostics.all().empty());
  }
}

// The memory keeps the module alive.
TEST(Specialize, outlives_its_specializer_in_a_memory) {
  SpecializerMemory memory;
  WordBuffer result;
  Diagnostics diagnostics;
  const Specialization values[] = {{1, 3}};
  const WordBuffer words = words_of(refusing_module);
  EXPECT_FALSE(read_specializer(words).specialize(values, {}, memory, result, diagnostics));
  const Specializer specializer = read_specializer(words);
  const Specializer copy = specializer;  // shares the analysis, so the memory fits both
  WordBuffer again;
  EXPECT_FALSE(specializer.specialize(values, {}, memory, again, diagnostics));
  EXPECT_EQ(again, result);
  EXPECT_FALSE(copy.specialize(values, {}, memory, again, diagnostics));
  EXPECT_EQ(again, result);
}

TEST(Specialize, gives_eight_threads_the_words_of_serial_calls) {
  const WordBuffer words = words_of(refusing_module);
  const Specializer specializer = read_specializer(words);
  constexpr std::size_t threads = 8, calls = 50;
  // Each seventh length is 0 and refused: also the errors before specialization are shared.
  const auto run = [&](std::size_t thread, std::vector<WordBuffer>& results) {
    SpecializerMemory memory;
    for (std::size_t i = 0; i < calls; ++i) {
      const Specialization values[] = {{1, (thread + i) % 7}, {3, thread + 1}, {4, 16}, {10, i}};
      Diagnostics diagnostics;
      WordBuffer result;
      const bool is_refused =
          specializer.specialize(values, {.prune = i % 2 == 1}, memory, result, diagnostics).has_value();
      EXPECT_EQ(is_refused, (thread + i) % 7 == 0);
      results.push_back(std::move(result));
    }
  };
  std::array<std::vector<WordBuffer>, threads> parallel, serial;
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < threads; ++i) running.emplace_back([&, i] { run(i, parallel[i]); });
  for (std::thread& thread : running) thread.join();
  for (std::size_t i = 0; i < threads; ++i) run(i, serial[i]);
  EXPECT_TRUE(parallel == serial);
}

}  // namespace
}  // namespace vireo::spirv::spec_constants_test
