// SPDX-License-Identifier: Apache-2.0
//
// Loading: every fault of a description has its place and its rule, and all faults are reported in one run.
#include "vireo/isa/load.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace vireo::isa {
namespace {

// "file:line:column rule severity" of all diagnostics, in order.
std::vector<std::string> reports(const LoadedModel& loaded) {
  std::vector<std::string> lines;
  for (const SourceFile& file : loaded.files) {
    const LineIndex index(file.text);
    for (const Diagnostic& diagnostic : file.diagnostics.all()) {
      const LineColumn at = index.locate(diagnostic.where.begin);
      lines.push_back(file.name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ' ' +
                      std::string(diagnostic.rule) + (diagnostic.severity == Severity::Error ? " error" : " warning"));
    }
  }
  return lines;
}

LoadedModel load(std::string text, bool mesa_compat = false) {
  return load_model_text("x", std::move(text), {mesa_compat, [](const std::string&) { return std::nullopt; }});
}

// A description around one bitset of 32 bits, which begins on line 2.
std::string around(std::string_view inner, std::string_view outer = "") {
  return "<isa>\n<bitset name=\"#instruction\" size=\"32\">" + std::string(inner) + "</bitset>\n" + std::string(outer) +
         "</isa>";
}

constexpr std::string_view rest = R"(<field name="REST" low="8" high="31" type="uint"/><display>{NAME}</display>)";

// An `@` precedes each reported place. Without one, the place is the bitset's name.
struct LoadRow {
  std::string_view inner;  // of the bitset; `rest` follows
  std::string_view outer;  // after it, on line 3
  std::string_view report;
};

// Expands the abbreviations of the rows.
std::string spelled_out(std::string_view row) {
  // clang-format off
  constexpr struct { std::string_view brief; std::string_view meaning; } words[] = {
      {"$A", R"(<field name="A" low="0" high="7" type="uint"/>)"},
      {"$7", R"(low="0" high="7")"}, {"$X", R"(extends="#instruction")"},
  };
  // clang-format on
  std::string text(row);
  for (const auto& word : words) {
    for (std::size_t at = text.find(word.brief); at != std::string::npos; at = text.find(word.brief)) {
      text.replace(at, word.brief.size(), word.meaning);
    }
  }
  return text;
}

// Removes the marks from a text and returns the diagnostics expected at them.
std::vector<std::string> take_marks(std::string& text, std::string_view report) {
  std::vector<std::string> wanted;
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) {
    text.erase(at, 1);
    const LineColumn place = LineIndex(text).locate(at);
    wanted.push_back("x:" + std::to_string(place.line) + ':' + std::to_string(place.column) + ' ' +
                     std::string(report));
  }
  return wanted;
}

// clang-format off
const LoadRow rows[] = {
    {"$A", "", ""},
    // bits
    {"", "", "undefined-bits error"},
    {R"($A<field name="@B" low="7" high="7" type="uint"/>)", "", "redefined-bits error"},
    {R"(<field name="A" low="@7" high="0" type="uint"/>)", "", "bad-range error"},
    {R"(<field name="A" pos="@1" $7 type="uint"/>)", "", "bad-range error"},
    {R"(<@field name="A" low="0" type="uint"/>)", "", "missing-attribute error"},
    {R"(<@field name="A" $7/>)", "", "missing-attribute error"},
    {R"(<pattern $7>@0101x</pattern>)", "", "bad-pattern error"},
    {R"(<pattern $7>@0101012x</pattern>)", "", "bad-pattern error"},
    {R"(<assert $7>@0101010x</assert>)", "", "bad-pattern error"},
    // undefined bits of a base bitset are one fault, and not one for each leaf
    {"", R"(<bitset name="@a" $X/><bitset name="b" $X/><bitset name="c" $X><override><expr>1</expr></override></bitset>)",
     "undefined-bits error"},
    {R"(<pattern low="0" high="6">0000000</pattern>)",
     R"(<bitset name="@a" $X/><bitset name="b" $X><pattern pos="7">1</pattern></bitset>)", "undefined-bits error"},
    // an invalid pattern is one fault, and not one more for each leaf that lacks its bits
    {R"(<pattern $7>@0101x</pattern>)",
     R"(<bitset name="a" $X><override><expr>1</expr></override></bitset><bitset name="b" $X/>)", "bad-pattern error"},
    {R"($A)", R"(<bitset name="a" size="@x"><display/></bitset>)", "malformed-value error"},
    {R"(<field name="@A" $7 type="float"/>)", "", "size-mismatch error"},
    {R"(<field name="@A" $7 type="#n"/>)",
     R"(<bitset name="#n" size="4"><display/><pattern low="0" high="3">0000</pattern></bitset>)", "size-mismatch error"},
    {R"(<field name="A" $7 type="#e"/>)",
     R"(<enum name="#e"><@value val="256" display="x"/></enum>)", "value-too-wide warning"},
    {R"(<field name="A" $7 type="#e"/>)",
     R"(<enum name="#e"><value val="1" display="x"/><value val="@0x1" display="y"/></enum>)", "duplicate-value error"},
    {R"(<field name="A" $7 type="#e"/>)", R"(<enum name="#e"><@value val="1"/></enum>)", "missing-attribute error"},
    // names
    {R"(<field name="A" $7 type="@uimt"/>)", "", "unknown-type error"},
    {R"($A<derived name="B" type="uint" expr="@#x"/>)", "", "unknown-expression error"},
    {R"($A<derived name="B" type="uint"><expr>{A} + @{C}</expr></derived>)", "", "unresolved-field warning"},
    {R"($A<derived name="B" type="uint"><expr>{A} + @{RSET}</expr></derived>)", "", "misspelt-field error"},
    {R"($A<override><expr>{A}</expr><display>a @{RSET}</display></override>)", "", "misspelt-field error"},
    // a display of one leaf may name a field that only another one has
    {R"($A<override><expr>{A}</expr><display>a @{RSET}</display></override>)",
     R"(<bitset name="#n" size="8"><display/><field name="RSET" $7 type="uint"/></bitset>)", "unresolved-field warning"},
    {R"($A<derived name="B" type="uint"><expr>{A} + @&lt; 1</expr></derived>)", "", "malformed-expression error"},
    {"$A", R"(<bitset name="a" extends="@#instuction"/>)", "unknown-parent error"},
    {"$A", R"(<template name="T">@{T}</template>)", "template-cycle error"},
    {R"(<field name="@A" $7 type="uint"/>)", R"(<template name="A">x</template>)", "duplicate-name error"},
    {R"(<field name="@A" $7 type="uint"/><derived name="@B" type="uint"><expr>1</expr></derived>)",
     R"(<template name="A">x</template><template name="B">y</template>)", "duplicate-name error"},
    {"$A", R"(<expr name="#e">1</expr><expr name="@#e">2</expr>)", "duplicate-name error"},
    // structure
    {R"(<field name="A" $7 typ="@uint" type="uint"/>)", "", "unknown-attribute warning"},
    {R"(<@feild name="A"/>$A)", "", "unknown-element warning"},
    {R"(<field name="A" $7 type="uint"><@expr>1</expr></field>)", "", "unknown-element warning"},
    {R"($A<derived name="B" type="uint"><expr>1<@b>2</b></expr></derived>)", "", "unknown-element warning"},
    {R"(<doc>of <b>any</b> kind</doc>$A<override><doc>x</doc><expr>1</expr><display>a</display></override>)", "", ""},
    {"$A", R"(<@enum name="#e"><value val="0" display=""/>0 is nothing</enum>)", "stray-text warning"},
    {R"($A<override><expr>1</expr><@pattern pos="1">1</pattern></override>)", "", "misplaced-pattern warning"},
    {R"($A<@override/>)", "", "malformed-expression error"},
    {R"(<field name="A" $7 type="#n"/>)",
     R"(<bitset name="#n" size="8"><display/><field name="@X" $7 type="#n"/></bitset>)", "nesting-cycle error"},
    {"$A", R"(<bitset name="@a" extends="b"/><bitset name="@b" extends="a"/>)", "extends-cycle error"},
    {"$A", R"(<bitset name="@a" $X size="8"/>)", "bad-size error"},
    {R"(<gen min="9"/>$A)", R"(<bitset name="@a" $X><gen min="3"/></bitset>)", "bad-generations error"},
    {"$A", R"(<bitset name="@a" $X><gen min="5" max="3"/></bitset>)", "bad-generations error"},
    {"$A",
     R"(<bitset name="a" $X><gen max="3"/></bitset><bitset name="@a" $X><gen min="3"/></bitset>)",
     "overlapping-generations error"},
    {"$A", R"(<import file="@nothing.xml"/>)", "cannot-import error"},
    // displays
    {R"($A<derived name="B" type="uint" width="@x"><expr>1</expr></derived>)", "", "malformed-value error"},
    {R"(<field name="@A" $7 type="uint" display="x"/>)", "", "ignored-display warning"},
    {R"(<field name="@A" $7 type="#e" display="x"/>)", R"(<enum name="#e"/>)", "ignored-display warning"},
    {R"(<field name="A" $7 type="uint"><param name="@A"/></field>)", "", "unknown-param warning"},
    {R"(<field name="A" $7 type="branch" call="@yes"/>)", "", "malformed-value warning"},
    {R"($A<derived name="B" type="int" width="@0"><expr>1</expr></derived>)", "", "malformed-value error"},
    {R"($A<derived name="@B" type="int"><expr>1</expr></derived>)", "", "missing-width error"},
    {R"($A<derived name="@B" type="branch"><expr>1</expr></derived>)", "", "missing-width error"},
    {R"($A<derived name="@B" type="absbranch"><expr>1</expr></derived>)", "", "missing-width error"},
    {R"($A<derived name="B" type="uoffset"><expr>1</expr></derived>)", "", ""},
    {R"($A<derived name="B" type="int" width="8"><expr>1</expr></derived>)", "", ""},
    {R"($A<derived name="B" type="int" width="@65"><expr>1</expr></derived>)", "", "malformed-value error"},
};
// clang-format on

TEST(Load, faults_have_a_place_and_a_rule) {
  for (const LoadRow& row : rows) {
    std::string text = around(spelled_out(row.inner) + std::string(rest), spelled_out(row.outer));
    std::vector<std::string> wanted = take_marks(text, row.report);
    if (wanted.empty() && !row.report.empty()) wanted.push_back("x:2:15 " + std::string(row.report));
    EXPECT_EQ(reports(load(text)), wanted) << row.inner << row.outer;
  }
}

TEST(Load, displays_are_checked) {
  // clang-format off
  constexpr struct { std::string_view display; std::string_view report; } displays[] = {
      {"{A} and {NAME:align=12}", ""},
      {"@{A", "malformed-display error"},
      {"@{B}", "unresolved-field warning"},
      {"a &lt; @{B}", "unresolved-field warning"},
      {"@{A:pad=3}", "malformed-display error"},
      {"@{:pad=3}", "malformed-display error"},
      {"@{A:align=-1}", "malformed-display error"},
      {"@{}", "malformed-display error"},
      {"@{N}", "malformed-display warning"},
      {"one@\ntwo", "malformed-display error"},
  };
  // clang-format on
  for (const auto& row : displays) {
    std::string text =
        around(R"(<field name="A" low="0" high="31" type="uint"/><display>)" + std::string(row.display) + "</display>");
    const std::vector<std::string> wanted = take_marks(text, row.report);
    const std::vector<std::string> found = reports(load(text));
    ASSERT_EQ(found.empty(), wanted.empty()) << row.display;
    if (!found.empty()) { EXPECT_EQ(found.front(), wanted.front()) << row.display; }
  }
}

TEST(Load, faults_that_mesa_accepts_are_warnings_in_mesa_mode) {
  const std::string text =
      around(spelled_out("$A") + std::string(rest), R"(<expr name="#e">1</expr><expr name="#e">2</expr>)");
  EXPECT_FALSE(load(text).ok());
  EXPECT_TRUE(load(text, true).ok());
}

TEST(Load, a_truncated_file_is_one_fault) {
  constexpr std::string_view whole[] = {
      "<?xml version='1.0'?><!-- a > b --><isa><bitset name='#instruction' size='32'><display>{A}</display>"
      "<field name='A' low='0' high='31' type='uint'/><![CDATA[<b>]]></bitset></isa>",
      "</isa>",
      "<<a>",
  };
  for (const std::string_view text : whole) {
    for (std::size_t size = 0; size < text.size(); ++size) {
      const std::vector<std::string> found = reports(load(std::string(text.substr(0, size))));
      EXPECT_EQ(found.size(), 1u) << text.substr(0, size) << "\n" << ::testing::PrintToString(found);
    }
  }
}

// Malformed XML is one fault, at its place, without further faults. Declarations before it are still read.
TEST(Load, malformed_xml_causes_no_other_fault) {
  constexpr std::string_view root =
      "<isa><bitset name='#instruction' size='32'><display>{A}</display><field name='A' low='0' high='31' "
      "type='uint'/>";
  // clang-format off
  constexpr struct { std::string_view text; std::string_view report; } broken[] = {
      {"<override><expr>1 @< 2</expr></override></bitset></isa>", "malformed-xml"},
      {"<override><expr>{A} == 2 @&& {A} == 2</expr></override></bitset></isa>", "malformed-xml"},
      {"<doc>a @&gt; b</doc></bitset></isa>", ""},
      {"<doc>a @&gt b</doc></bitset></isa>", "malformed-xml"},
      {"<doc>a @&#0; b</doc></bitset></isa>", "unknown-entity"},
      {"</@isa>", "malformed-xml"},
      {"</bitset>@", "malformed-xml"},
      {"</bitset></isa></@isa>", "malformed-xml"},
      {"</bitset><!-- @\xE9 --></isa>", "malformed-xml"},
      {"</bitset><bitset name='a@\xE9' size='8'/><bitset name='b' extends='a'/></isa>", "malformed-xml"},
  };
  // clang-format on
  for (const auto& row : broken) {
    std::string text = std::string(root) + std::string(row.text);
    const LineColumn place = LineIndex(text).locate(text.find('@'));
    text.erase(text.find('@'), 1);
    const LoadedModel loaded = load(text);
    std::string rules;
    for (const std::string& report : reports(loaded)) {
      const std::string_view rule = std::string_view(report).substr(report.find(' ') + 1);
      rules.append(rules.empty() ? "" : " ").append(rule.substr(0, rule.find(' ')));
    }
    EXPECT_EQ(rules, row.report) << text;
    if (!rules.empty()) {
      EXPECT_TRUE(reports(loaded).front().starts_with("x:1:" + std::to_string(place.column) + ' ')) << text;
    }
  }
}

// A missing file causes no further faults either.
TEST(Load, references_into_a_missing_file_are_not_reported) {
  const LoadedModel loaded =
      load(around(R"(<field name="A" low="0" high="31" type="#there"/><display>{A}</display>)",
                  "<import file='nothing.xml'/><bitset name='a' extends='#parent'/><expr name='#e'>1 +</expr>"));
  EXPECT_EQ(reports(loaded),
            (std::vector<std::string>{"x:3:15 cannot-import error", "x:3:84 malformed-expression error"}));
}

// An import of a device or a pipe could be endless.
TEST(Load, imports_are_regular_files) {
  const std::string path = testing::TempDir() + "vireo_imports.xml";
  // Opening a pipe without a writer must not wait.
  const std::string pipe = testing::TempDir() + "vireo_import_pipe";
  std::filesystem::remove(pipe);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string_view import : {std::string_view("/dev/zero"), std::string_view("/dev/null"),
                                        std::string_view("/dev"), std::string_view(pipe)}) {
    std::ofstream(path) << "<isa><import file='" << import << "'/></isa>";
    const LoadedModel loaded = load_model(path);
    EXPECT_FALSE(loaded.ok()) << import;
    ASSERT_EQ(loaded.files.size(), 1u);
    ASSERT_FALSE(loaded.files[0].diagnostics.all().empty());
    EXPECT_EQ(loaded.files[0].diagnostics.all()[0].rule, "cannot-import") << import;
  }
  std::filesystem::remove(path);
  std::filesystem::remove(pipe);
}

TEST(Load, a_description_may_be_a_pipe) {
  const std::string pipe = testing::TempDir() + "vireo_description_pipe";
  std::filesystem::remove(pipe);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << around(R"(<field name="A" low="0" high="31" type="uint"/>)"); });
  const LoadedModel loaded = load_model(pipe);
  writer.join();
  std::filesystem::remove(pipe);
  EXPECT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.model.bitsets().size(), 1u);
}

// The description itself may be a pipe or a device, which is read up to the limit.
TEST(Load, an_endless_description_is_an_error) {
  const LoadedModel loaded = load_model("/dev/zero");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.files[0].diagnostics.all()[0].rule, "limit-exceeded");
}

TEST(Load, any_invalid_bytes_give_a_diagnostic) {
  const std::string deep = [] {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "<a>";
    return text;
  }();
  for (const std::string& text :
       {std::string(), std::string("<"), std::string("<isa>"), std::string("<isa></isa><isa/>"),
        std::string("\0<isa/>", 7), std::string("text"), std::string("<isa/>"), std::string("<isa a='1' a='2'/>"), deep,
        std::string("<!DOCTYPE a [<!ENTITY b \"&c;&c;\"><!ENTITY c \"&b;\">]><isa>&b;</isa>")}) {
    EXPECT_FALSE(load(text).ok()) << text.substr(0, 40);
  }
}

TEST(Load, many_faults_are_reported_at_once) {
  const LoadedModel loaded =
      load("<isa>\n<bitset name='a' extends='b'/>\n<bitset name='c' extends='d'/>\n<expr name='#e'>1 +</expr>\n</isa>");
  EXPECT_EQ(reports(loaded),
            (std::vector<std::string>{"x:1:1 missing-root error", "x:2:27 unknown-parent error",
                                      "x:3:27 unknown-parent error", "x:4:20 malformed-expression error"}));
}

TEST(Load, rows_are_found_by_name_and_metas_are_inherited) {
  const LoadedModel loaded =
      load(around(spelled_out(R"($A<meta unit="alu" cost="1"/><meta cost="2"/>)") + std::string(rest),
                  spelled_out(R"(<bitset name="a" $X><meta unit="fpu"/></bitset><enum name="#e"/>)")));
  ASSERT_TRUE(loaded.ok());
  const Model& model = loaded.model;
  const BitsetId a = model.find_bitset("a");
  ASSERT_TRUE(a);
  EXPECT_EQ(model.find_meta(model[a], "unit")->value, "fpu");
  EXPECT_EQ(model.find_meta(model[a], "cost")->value, "2") << "of several elements the last counts";
  EXPECT_EQ(model.find_meta(model[a], "colour"), nullptr);
  EXPECT_TRUE(model.find_enum("#e"));
  EXPECT_FALSE(model.find_bitset("#e"));
  EXPECT_FALSE(model.find_bitset("b"));
}

// --- imports ------------------------------------------------------------------------------------------------------------

LoadedModel load_files(const std::map<std::string, std::string>& files) {
  LoadOptions options;
  options.read = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
  return load_model(files.begin()->first, options);
}

TEST(Load, imports_are_relative_to_the_importer_or_the_top_file) {
  const std::string top = R"(<isa><import file="d/b.xml"/><bitset name="#instruction" size="32"><display/>)"
                          R"(<field name="A" low="0" high="31" type="#e"/></bitset></isa>)";
  const std::string e = R"(<isa><enum name="#e"><value val="0" display=""/></enum></isa>)";
  const std::string b = R"(<isa><import file="c.xml"/></isa>)";
  EXPECT_TRUE(load_files({{"a.xml", top}, {"d/b.xml", b}, {"d/c.xml", e}}).ok());
  EXPECT_TRUE(load_files({{"a.xml", top}, {"d/b.xml", b}, {"c.xml", e}}).ok());
  EXPECT_FALSE(load_files({{"a.xml", top}, {"d/b.xml", b}}).ok());
}

TEST(Load, a_fault_names_its_file) {
  const LoadedModel loaded = load_files(
      {{"a.xml", R"(<isa><import file="b.xml"/></isa>)"}, {"b.xml", "<isa>\n<expr name='#e'>(</expr></isa>"}});
  EXPECT_EQ(reports(loaded),
            (std::vector<std::string>{"a.xml:1:1 missing-root error", "b.xml:2:18 malformed-expression error"}));
}

TEST(Load, import_cycles_are_errors_and_repeats_are_read_once) {
  const LoadedModel cycle = load_files(
      {{"a.xml", R"(<isa><import file="b.xml"/></isa>)"}, {"b.xml", R"(<isa><import file="./a.xml"/></isa>)"}});
  EXPECT_EQ(reports(cycle).back(), "b.xml:1:20 import-cycle error");
  const LoadedModel twice =
      load_files({{"a.xml", R"(<isa><import file="b.xml"/><import file="x/../b.xml"/></isa>)"}, {"b.xml", "<isa/>"}});
  EXPECT_EQ(twice.files.size(), 2u);
  EXPECT_EQ(reports(twice).back(), "a.xml:1:42 imported-twice warning");
}

}  // namespace
}  // namespace vireo::isa
