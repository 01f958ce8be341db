// SPDX-License-Identifier: Apache-2.0
//
// Conditions: operators of each type, precedence, and errors with their locations.
#include "vireo/spirv/inspect/condition.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

namespace vireo::spirv {
namespace {

// A module without words: only its properties matter.
ModuleInfo made_info() {
  ModuleInfo info;
  info.file = "shaders/Blur.frag.spv";
  info.header.version_word = 0x00010500;
  info.words = 1000;
  info.instructions = 300;
  info.capabilities = {"Shader", "Float64"};
  info.addressing_model = "Logical";
  EntryPointInfo entry;
  entry.name = "main";
  entry.model = "GLCompute";
  entry.local_size = {8, 4, 2};
  info.entry_points = {entry};
  return info;
}

struct ConditionCase {
  std::string_view text;
  bool matches;
};

constexpr ConditionCase condition_cases[] = {
    // numbers
    {"bytes = 4000", true},
    {"bytes == 4000", true},
    {"bytes != 4000", false},
    {"bytes < 4000", false},
    {"bytes <= 4000", true},
    {"bytes > 3999", true},
    {"bytes>=4001", false},
    {"words = 0x3e8", true},
    {"bytes > 18446744073709551614", false},
    // versions are not decimal fractions
    {"version = 1.5", true},
    {"version >= 1.10", false},
    {"version < 1.10", true},
    {"version > 1.4", true},
    // texts, without case
    {"addressing = logical", true},
    {"addressing != Logical", false},
    {"file ~ blur", true},
    {"file contains 'BLUR.frag'", true},
    {"file ~ \"\"", true},
    {"generator = ''", true},
    // lists: equal to an element
    {"capability = Shader", true},
    {"capability = float64", true},
    {"capability = Geometry", false},
    {"capability = 5000", false},
    {"capability ~ shad", true},
    {"addressing != ''", true},
    {"capability ~ 64", true},
    {"capability != Kernel", true},
    {"capability != Shader", false},
    {"extension = ''", false},
    {"local_size = 8x4x2", true},
    {"invocations = 64", true},
    // and before or, not before and
    {"bytes = 1 and bytes = 2 or bytes = 4000", true},
    {"bytes = 4000 or bytes = 1 and bytes = 2", true},
    {"(bytes = 4000 or bytes = 1) and bytes = 2", false},
    {"not bytes = 1 and bytes = 2", false},
    {"not (bytes = 1 and bytes = 2)", true},
    {"not not bytes = 4000", true},
    {"NOT bytes = 1 AND Bytes = 4000", true},
    {"((bytes = 4000))", true},
};

TEST(Conditions, compare_fields_with_values) {
  const ModuleInfo info = made_info();
  for (const ConditionCase& each : condition_cases) {
    Diagnostics diagnostics;
    const Result<Condition> condition = parse_condition(each.text, diagnostics);
    ASSERT_TRUE(condition) << each.text << ": " << diagnostics.all().front().message;
    EXPECT_EQ(condition->matches(info), each.matches) << each.text;
  }
}

struct ConditionFault {
  std::string_view text;
  std::string_view rule;
  std::uint64_t begin, end;
  std::string_view message;
};

constexpr ConditionFault condition_faults[] = {
    {"", "condition-syntax", 0, 0, "expected a field, found the end"},
    {"bytes", "condition-syntax", 5, 5, "expected an operator: = != < <= > >= ~, found the end"},
    {"bytes 5", "condition-syntax", 6, 7, "expected an operator: = != < <= > >= ~, found '5'"},
    {"bytes >", "condition-syntax", 7, 7, "expected a value, found the end"},
    {"bytes > > 5", "condition-syntax", 8, 9, "expected a value, found '>'"},
    {"bytes = 5 functions = 6", "condition-syntax", 10, 19, "expected 'and', 'or' or the end, found 'functions'"},
    {"bytes = 5 and", "condition-syntax", 13, 13, "expected a field, found the end"},
    {"and bytes = 5", "condition-syntax", 0, 3, "expected a field, found 'and'"},
    {"bytes = 5)", "condition-syntax", 9, 10, "')' has no '('"},
    {"not (bytes = 5", "condition-syntax", 4, 5, "'(' has no ')'"},
    {"file = 'a", "condition-syntax", 7, 9, "the text has no closing quote"},
    {"byte = 5", "unknown-field", 0, 4, "unknown field 'byte'"},
    {"bytes = five", "condition-value", 8, 12, "'five' is not a number; field 'bytes' is a number"},
    {"bytes = -1", "condition-value", 8, 10, "'-1' is not a number; field 'bytes' is a number"},
    {"bytes = 18446744073709551616", "condition-value", 8, 28,
     "'18446744073709551616' is not a number; field 'bytes' is a number"},
    {"version = 1", "condition-value", 10, 11, "'1' is not a version, such as 1.5; field 'version' is a version"},
    {"bytes ~ 5", "condition-value", 6, 7,
     "operator '~' does not apply to field 'bytes', which is a number; expected = != < <= > or >="},
    {"capability < Shader", "condition-value", 11, 12,
     "operator '<' does not apply to field 'capability', which is a list; expected = != or ~"},
    {"capability = Shade", "condition-value", 13, 18, "'Shade' is not a name that field 'capability' can contain"},
    {"opcode != Load", "condition-value", 10, 14, "'Load' is not a name that field 'opcode' can contain"},
    {"model = Pixel", "condition-value", 8, 13, "'Pixel' is not a name that field 'model' can contain"},
};

TEST(Conditions, report_errors_with_their_locations) {
  for (const ConditionFault& each : condition_faults) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parse_condition(each.text, diagnostics)) << each.text;
    ASSERT_EQ(diagnostics.all().size(), 1u) << each.text;
    const Diagnostic& found = diagnostics.all().front();
    EXPECT_EQ(found.rule, each.rule) << each.text;
    EXPECT_EQ(found.message, each.message) << each.text;
    EXPECT_EQ(found.where, Location::in_text(each.begin, each.end)) << each.text;
  }
}

TEST(Conditions, report_all_unknown_fields_and_the_nearest_names) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_condition("byte > 1 and instruction = 2", diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].hint, "did you mean 'bytes'?");
  EXPECT_EQ(diagnostics.all()[1].hint, "did you mean 'instructions'?");
}

TEST(Conditions, accept_aliases_of_names_and_suggest_similar_names) {
  ModuleInfo info = made_info();
  info.capabilities = {"FragmentBarycentricKHR"};
  Diagnostics diagnostics;
  const Result<Condition> alias = parse_condition("capability = fragmentbarycentricNV", diagnostics);
  ASSERT_TRUE(alias);
  EXPECT_TRUE(alias->matches(info));
  EXPECT_FALSE(parse_condition("capability = Shadr and storage_class = Unifrom", diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].hint, "did you mean 'Shader'?");
  EXPECT_EQ(diagnostics.all()[1].hint, "did you mean 'Uniform'?");
}

// A number equals the name of its value; of a value that the grammar lacks, modules contain the number.
TEST(Conditions, accept_the_numbers_of_named_values) {
  ModuleInfo info = made_info();
  info.capabilities = {"Shader", "5000"};
  info.memory_model = "GLSL450";
  info.entry_points[0].execution_modes = {"LocalSize"};
  info.storage_classes = {"Uniform"};
  info.decorations = {"SpecId"};
  info.opcodes.push_back({.name = "OpDecorate"});
  constexpr ConditionCase cases[] = {
      {"opcode = 71", true},
      {"opcode = 0x47", true},
      {"opcode != 71", false},
      {"opcode = 72", false},
      {"opcode = 18446744073709551615", false},
      {"capability = 1", true},
      {"capability = 2", false},
      {"capability = 5000", true},
      {"capability = 0x1388", true},
      {"addressing = 0", true},
      {"memory = 1", true},
      {"memory = 2", false},
      {"model = 5", true},
      {"model != 4", true},
      {"mode = 17", true},
      {"storage_class = 2", true},
      {"decoration = 1", true},
      {"decoration = 0", false},
  };
  for (const ConditionCase& each : cases) {
    Diagnostics diagnostics;
    const Result<Condition> condition = parse_condition(each.text, diagnostics);
    ASSERT_TRUE(condition) << each.text;
    EXPECT_EQ(condition->matches(info), each.matches) << each.text;
  }
}

// The names of each field with a kind are found in the grammar.
TEST(InfoFields, have_known_kinds) {
  for (const InfoField& field : info_fields()) {
    if (field.kind.empty() || field.kind == "Op") continue;
    EXPECT_FALSE(builtin_grammar().find_kind(field.kind).is_none()) << field.name;
  }
}

// Neither the parser nor the evaluation is recursive.
TEST(Conditions, can_be_nested_deeply) {
  constexpr std::size_t depth = 200'000;
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += "not (";
  text += "bytes = 4000";
  text.append(depth, ')');
  Diagnostics diagnostics;
  const Result<Condition> condition = parse_condition(text, diagnostics);
  ASSERT_TRUE(condition);
  EXPECT_TRUE(condition->matches(made_info()));
}

TEST(InfoFields, have_values_of_their_types_and_unique_names) {
  const ModuleInfo info = made_info();
  std::set<std::string_view> names;
  for (const InfoField& field : info_fields()) {
    EXPECT_EQ(field.value(info).index(), static_cast<std::size_t>(field.type)) << field.name;
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_EQ(find_info_field(field.name), &field);
    EXPECT_FALSE(field.meaning.empty()) << field.name;
  }
  EXPECT_EQ(find_info_field("Bytes"), nullptr);
  EXPECT_EQ(nearest_info_field("capabilty"), "capability");
}

TEST(InfoFields, have_texts) {
  const ModuleInfo info = made_info();
  const auto text = [&](std::string_view name) { return text_of(find_info_field(name)->value(info), "; "); };
  EXPECT_EQ(text("bytes"), "4000");
  EXPECT_EQ(text("version"), "1.5");
  EXPECT_EQ(text("capability"), "Shader; Float64");
  EXPECT_EQ(text("local_size"), "8x4x2");
  EXPECT_EQ(text("extension"), "");
}

}  // namespace
}  // namespace vireo::spirv
