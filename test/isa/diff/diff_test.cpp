// SPDX-License-Identifier: Apache-2.0
//
// Differences: each kind of change is reported once, equal parts are not reported, and both directions agree.
#include "vireo/isa/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "isa/diff/fold.h"
#include "outside.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

LoadedModel sound_model(std::string_view body) {
  LoadedModel loaded = load_model_text("x", "<isa>" + std::string(body) + "</isa>");
  for (const SourceFile& file : loaded.files) {
    for (const Diagnostic& d : file.diagnostics.all()) EXPECT_NE(d.severity, Severity::Error) << d.message;
  }
  EXPECT_TRUE(loaded.ok());
  return loaded;
}

std::string lines_of(const std::vector<IsaChange>& changes) {
  std::string text;
  for (const IsaChange& change : changes) text += to_line(change) + "\n";
  return text;
}

std::string diff_of(std::string_view before, std::string_view after) {
  const LoadedModel a = sound_model(before);
  const LoadedModel b = sound_model(after);
  return lines_of(diff({a.model}, {b.model}));
}

// --- one change at a time -----------------------------------------------------------------------------------------------

// The content of an instruction of 8 bits, or declarations after it, before and after the change.
struct ChangeRow {
  std::string_view what;
  std::string_view before;
  std::string_view after;
  std::string_view lines;
};

// clang-format off
constexpr ChangeRow changes[] = {
    {"nothing", R"(<field name="A" low="0" high="7" type="uint"/>)", R"(<field name="A" low="0" high="7" type="uint"/>)", ""},
    {"order of fields", R"(<field name="A" low="0" high="3" type="uint"/><field name="B" low="4" high="7" type="uint"/>)",
     R"(<field name="B" low="4" high="7" type="uint"/><field name="A" low="0" high="3" type="uint"/>)", ""},
    {"moved field", R"(<field name="A" low="0" high="3" type="uint"/><pattern low="4" high="7">0001</pattern>)",
     R"(<field name="A" low="4" high="7" type="uint"/><pattern low="0" high="3">0001</pattern>)",
     "~ instruction i: pattern: 0001.... -> ....0001\n~ instruction i: bits of A: 3:0 -> 7:4\n"},
    {"resized field", R"(<field name="A" low="0" high="3" type="uint"/><pattern low="4" high="7">xxx1</pattern>)",
     R"(<field name="A" low="0" high="4" type="uint"/><pattern low="5" high="7">xxx</pattern>)",
     "~ instruction i: pattern: xxx1.... -> xxx.....\n~ instruction i: bits of A: 3:0 -> 4:0\n"},
    {"another type", R"(<field name="A" low="0" high="7" type="uint"/>)", R"(<field name="A" low="0" high="7" type="int"/>)",
     "~ instruction i: type of A: uint -> int\n"},
    {"another text", R"(<field name="A" low="0" high="7" type="bool" display="x"/>)",
     R"(<field name="A" low="0" high="7" type="bool" display=""/>)", "~ instruction i: text of A: \"x\" -> \"\"\n"},
    {"a text and none", R"(<field name="A" low="0" high="7" type="bool" display="x"/>)",
     R"(<field name="A" low="0" high="7" type="bool"/>)", "~ instruction i: text of A: \"x\" -> none\n"},
    {"another name", R"(<field name="A" low="0" high="7" type="uint"/>)", R"(<field name="B" low="0" high="7" type="uint"/>)",
     "~ instruction i: field A: 7:0 uint -> none\n~ instruction i: field B: none -> 7:0 uint\n"},
    {"a call", R"(<field name="A" low="0" high="7" type="branch"/>)",
     R"(<field name="A" low="0" high="7" type="branch" call="true"/>)",
     "~ instruction i: call of A: false -> true\n"},
    {"a computed value", R"(<field name="A" low="0" high="7" type="uint"/><derived name="D" type="uint" expr="#e"/>)",
     R"(<field name="A" low="0" high="7" type="uint"/><derived name="D" type="uint"><expr>{A} + 2</expr></derived>)",
     "~ instruction i: value of D: {A} + 1 -> {A} + 2\n"},
    {"an assert", R"(<field name="A" low="0" high="3" type="uint"/><assert low="4" high="7">0000</assert>)",
     R"(<field name="A" low="0" high="3" type="uint"/><assert low="4" high="7">0001</assert>)",
     "~ instruction i: assert: \"7:4 = 0000\" -> \"7:4 = 0001\"\n"},
    {"a display", R"(<display>a</display><field name="A" low="0" high="7" type="uint"/>)",
     R"(<display>b</display><field name="A" low="0" high="7" type="uint"/>)", "~ instruction i: display: \"a\" -> \"b\"\n"},
    {"a display through a template", R"(<display>{T}</display><field name="A" low="0" high="7" type="uint"/>)",
     R"(<display>{NAME} t</display><field name="A" low="0" high="7" type="uint"/>)", ""},
    {"a display under a condition", R"(<display>a</display><field name="A" low="0" high="7" type="uint"/>)",
     R"(<override expr="#e"><display>b</display></override><display>a</display><field name="A" low="0" high="7" type="uint"/>)",
     "~ instruction i: display if {A} + 1: none -> \"b\"\n"},
    {"a field of an override", R"(<override expr="#e"><field name="B" low="0" high="3" type="hex"/></override>)"
     R"(<field name="A" low="0" high="7" type="uint"/>)",
     R"(<override expr="#e"><field name="B" low="0" high="4" type="hex"/></override>)"
     R"(<field name="A" low="0" high="7" type="uint"/>)",
     "~ instruction i: bits of B if {A} + 1: 3:0 -> 4:0\n"},
    {"params", R"(<field name="A" low="0" high="7" type="#op"><param name="A"/></field>)",
     R"(<field name="A" low="0" high="7" type="#op"><param name="A" as="B"/></field>)",
     "~ instruction i: params of A: A -> A as B\n"},
};
// clang-format on

std::string around(std::string_view body) {
  return R"(<expr name="#e">{A} + 1</expr><template name="T">{NAME} t</template>)"
         R"(<bitset name="#op" size="8"><display>o</display><field name="F" low="0" high="7" type="uint"/></bitset>)"
         R"(<bitset name="#instruction" size="8"/><bitset name="i" extends="#instruction"><display>{A}</display>)" +
         std::string(body) + "</bitset>";
}

TEST(Diff, each_change_is_reported_once) {
  for (const ChangeRow& row : changes) EXPECT_EQ(diff_of(around(row.before), around(row.after)), row.lines) << row.what;
}

TEST(Diff, reverse_is_the_mirror_image) {
  for (const ChangeRow& row : changes) {
    const LoadedModel a = sound_model(around(row.before));
    const LoadedModel b = sound_model(around(row.after));
    std::vector<IsaChange> there = diff({a.model}, {b.model});
    std::vector<IsaChange> back = diff({b.model}, {a.model});
    for (IsaChange& change : back) std::swap(change.before, change.after);
    const auto order = [](const IsaChange& x, const IsaChange& y) { return to_line(x) < to_line(y); };
    std::sort(there.begin(), there.end(), order);
    std::sort(back.begin(), back.end(), order);
    EXPECT_EQ(there, back) << row.what;
  }
}

// --- enums --------------------------------------------------------------------------------------------------------------

// clang-format off
constexpr ChangeRow enum_changes[] = {
    {"nothing", R"(<value val="0" display="a"/>)", R"(<value val="0x0" display="a"/>)", ""},
    {"added", R"(<value val="0" display="a"/>)", R"(<value val="0" display="a"/><value val="1" display="b"/>)",
     "~ enum #c: value 1: none -> \"b\"\n"},
    {"removed", R"(<value val="0" display="a"/><value val="1" display="b"/>)", R"(<value val="0" display="a"/>)",
     "~ enum #c: value 1: \"b\" -> none\n"},
    {"renumbered", R"(<value val="0" display="a"/><value val="1" display="b"/>)",
     R"(<value val="0" display="a"/><value val="2" display="b"/>)",
     "~ enum #c: number of \"b\": 1 -> 2\n"},
    {"swapped", R"(<value val="0" display="a"/><value val="1" display="b"/>)",
     R"(<value val="0" display="b"/><value val="1" display="a"/>)",
     "~ enum #c: number of \"a\": 0 -> 1\n~ enum #c: number of \"b\": 1 -> 0\n"},
    {"renamed", R"(<value val="0" display="a"/>)", R"(<value val="0" display="b"/>)", "~ enum #c: value 0: \"a\" -> \"b\"\n"},
    {"named", R"(<value val="0" display="a"/>)", R"(<value val="0" display="a" name="first"/>)",
     "~ enum #c: value 0: \"a\" -> \"a\" first\n"},
};
// clang-format on

TEST(Diff, reports_added_removed_and_moved_enum_values) {
  const auto wrapped = [](std::string_view values) {
    return R"(<enum name="#c">)" + std::string(values) + "</enum>" +
           around(R"(<field name="A" low="0" high="7" type="#c"/>)");
  };
  for (const ChangeRow& row : enum_changes)
    EXPECT_EQ(diff_of(wrapped(row.before), wrapped(row.after)), row.lines) << row.what;
}

// --- generations --------------------------------------------------------------------------------------------------------

TEST(Diff, generations_differ_by_their_conditions) {
  const LoadedModel gens = load_model((outside::source_folder() / "data/isa/gens.xml").string());
  ASSERT_TRUE(gens.ok());
  EXPECT_EQ(lines_of(diff({gens.model, 2}, {gens.model, 3})),
            "~ instruction inc: display: \"{NAME} r{REG}\" -> \"{NAME} x{REG}\"\n"
            "- instruction swap.old: 000000001000.... \"{NAME} r{REG}\"\n"
            "+ instruction rev: 000000001000.... \"{NAME} x{REG}\"\n"
            "+ instruction fabs: 000000010001.... \"{NAME} f{REG}\"\n");
  EXPECT_EQ(lines_of(diff({gens.model, 3}, {gens.model, 3})), "");
}

// clang-format off
constexpr struct { std::string_view expression; std::uint32_t gen; std::string_view text; } folded[] = {
    {"ISA_GPU_ID() >= 600", 600, "1"}, {"ISA_GPU_ID() >= 600", 599, "0"},
    {"ISA_GPU_ID() >= 600 && {A} == 1", 600, "{A} == 1"}, {"ISA_GPU_ID() >= 600 && {A}", 600, "{A} != 0"},
    {"{A} == 1 && ISA_GPU_ID() >= 600", 5, "0"}, {"{A} || ISA_GPU_ID() == 5", 5, "1"},
    {"{A} == 2 || ISA_GPU_ID() == 5", 6, "{A} == 2"}, {"ISA_GPU_ID() > 5 ? {A} : {B}", 6, "{A}"},
    {"ISA_GPU_ID() > 5 ? {A} : {B}", 5, "{B}"}, {"{A} ? ISA_GPU_ID() : 7", 5, "{A} ? 5 : 7"},
    {"!{A} + ISA_GPU_ID()", 5, "!{A} + 5"}, {"{A}  +  1", 5, "{A} + 1"},
    {"({A} + 1) * ({B} + ISA_GPU_ID())", 5, "({A} + 1) * ({B} + 5)"},
};
// clang-format on

TEST(Diff, conditions_on_the_generation_are_folded) {
  for (const auto& row : folded) {
    std::string escaped;
    for (const char c : row.expression) escaped += c == '&' ? "&amp;" : c == '>' ? "&gt;" : std::string(1, c);
    const LoadedModel loaded =
        sound_model("<expr name=\"#x\">" + escaped + "</expr>" +
                    around(R"(<field name="A" low="0" high="7" type="uint"/><derived name="D" type="uint" expr="#x"/>)"
                           R"(<derived name="B" type="uint"><expr>1</expr></derived>)"));
    for (const Expression& expression : loaded.model.expressions()) {
      if (expression.name != "#x") continue;
      EXPECT_EQ(fold(loaded.model, loaded.model.id_of(expression), row.gen).text, row.text) << row.expression;
    }
  }
}

TEST(Diff, real_descriptions_equal_themselves_and_mirror_their_generations) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  for (const std::string name : {"ir3", "afuc", "etnaviv"}) {
    const std::string path = (*shared / "isa/mesa" / (name + ".xml")).string();
    const LoadedModel a = load_model(path, {.mesa_compat = true, .read = {}});
    const LoadedModel b = load_model(path, {.mesa_compat = true, .read = {}});
    ASSERT_TRUE(a.ok() && b.ok()) << name;
    EXPECT_EQ(lines_of(diff({a.model}, {b.model})), "") << name;
  }
  const LoadedModel ir3 = load_model((*shared / "isa/mesa/ir3.xml").string(), {.mesa_compat = true, .read = {}});
  const std::string lines = lines_of(diff({ir3.model, 600}, {ir3.model, 700}));
  EXPECT_NE(lines.find("+ instruction stsc: "), std::string::npos) << lines;
  EXPECT_NE(lines.find("~ instruction ldg.a: bits of OFF: 10:9 -> 48:41\n"), std::string::npos) << lines;
}

}  // namespace
}  // namespace vireo::isa
