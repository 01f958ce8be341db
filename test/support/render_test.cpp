// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics in formats for people and programs. The complete output is compared.
#include "vireo/support/render.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace vireo {
namespace {

std::string rendered(DiagnosticFormat format, const SourceText& source, const Diagnostics& diagnostics,
                     bool color = false) {
  return render(source, diagnostics, {.format = format, .color = color, .tool_version = "1.2"});
}

// One error at [begin, end) of a text, in the human form.
std::string human(std::string_view text, std::uint64_t begin, std::uint64_t end) {
  Diagnostics diagnostics;
  diagnostics.error("rule", Location::in_text(begin, end), "m");
  return rendered(DiagnosticFormat::Human, {"f", text}, diagnostics);
}

constexpr std::string_view shader = "OpNop\n%x = OpFoo %y\n";

Diagnostics sample() {
  Diagnostics diagnostics;
  diagnostics.error("unknown-instruction", Location::in_text(11, 16), "unknown opcode 'OpFoo'",
                    "did you mean 'OpFAdd'?");
  diagnostics.note(Location::in_text(0, 5), "the last one that was understood");
  diagnostics.warning("odd", Location::in_text(17, 19), "50% odd, really: yes");
  return diagnostics;
}

TEST(render, human_format_shows_line_caret_hint_and_notes) {
  EXPECT_EQ(rendered(DiagnosticFormat::Human, {"a.spvasm", shader}, sample()),
            "a.spvasm:2:6: error: unknown opcode 'OpFoo' [unknown-instruction]\n"
            "    2 | %x = OpFoo %y\n"
            "      |      ^~~~~\n"
            "        hint: did you mean 'OpFAdd'?\n"
            "a.spvasm:1:1: note: the last one that was understood\n"
            "    1 | OpNop\n"
            "      | ^~~~~\n"
            "a.spvasm:2:12: warning: 50% odd, really: yes [odd]\n"
            "    2 | %x = OpFoo %y\n"
            "      |            ^~\n");
}

TEST(render, short_format_is_one_line_each) {
  EXPECT_EQ(rendered(DiagnosticFormat::Short, {"a.spvasm", shader}, sample()),
            "a.spvasm:2:6: error: unknown opcode 'OpFoo' [unknown-instruction]\n"
            "a.spvasm:2:12: warning: 50% odd, really: yes [odd]\n");
}

TEST(render, locates_module_faults_by_word_and_instruction) {
  Diagnostics diagnostics;
  diagnostics.error("zero-word-count", Location::in_words(17, 18, 4), "the word count is 0");
  diagnostics.error("bad-version", Location::in_words(1, 2, 0), "no such version");
  diagnostics.error("cannot-read", Location::none(), "cannot open 'x'");
  EXPECT_EQ(rendered(DiagnosticFormat::Human, {"a.spv", ""}, diagnostics),
            "a.spv: error: word 17 (instruction 4): the word count is 0 [zero-word-count]\n"
            "a.spv: error: word 1: no such version [bad-version]\n"
            "a.spv: error: cannot open 'x' [cannot-read]\n");
}

TEST(render, names_the_json_path) {
  Diagnostics diagnostics;
  diagnostics.report(
      {"bad-value", Severity::Error, Location::none(), "expected a number", {}, {}, "$.instructions[3].opcode"});
  EXPECT_EQ(rendered(DiagnosticFormat::Human, {"g.json", ""}, diagnostics),
            "g.json: error: expected a number [bad-value]\n        at $.instructions[3].opcode\n");
}

TEST(render, states_the_number_of_dropped_diagnostics) {
  Diagnostics diagnostics(1);
  for (int i = 0; i < 3; ++i) diagnostics.error("e", Location::none(), "m");
  EXPECT_EQ(rendered(DiagnosticFormat::Human, {"f", ""}, diagnostics), "f: error: m [e]\nf: 2 more not shown\n");
}

TEST(render, keeps_the_caret_under_its_target) {
  struct Row {
    std::string_view text;
    std::uint64_t begin, end;
    std::string_view excerpt;
  };
  using namespace std::string_view_literals;
  const Row rows[] = {
      {"\ta b", 3, 4, "    1 | \ta b\n      | \t  ^\n"},               // a tab stays a tab in both lines
      {"\xC3\xA4 b", 3, 4, "    1 | \xC3\xA4 b\n      |   ^\n"},       // a character of two bytes is one column
      {"\x1b[1m b", 5, 6, "    1 | \\x1b[1m b\n      |         ^\n"},  // an escape takes four
      {"a\x1b", 1, 2, "    1 | a\\x1b\n      |  ^~~~\n"},
      {"a\xFF z", 3, 4, "    1 | a\\xff z\n      |       ^\n"},
      {"a \xE2\x80\xAE b", 6, 7, "    1 | a \\u202e b\n      |          ^\n"},  // a right-to-left override is shown
      {"abc", 3, 3, "    1 | abc\n      |    ^\n"},                             // after the end
      {"", 0, 0, "    1 | \n      | ^\n"},
      {"\"a\nb\" c", 0, 5, "    1 | \"a\n      | ^~\n"},  // a range over lines ends with its first
      {"a\r\nb", 0, 1, "    1 | a\n      | ^\n"},
      {"a\0b"sv, 2, 3, "    1 | a\\x00b\n      |      ^\n"},
  };
  for (const Row& row : rows) {
    const std::string text = human(row.text, row.begin, row.end);
    EXPECT_EQ(text.substr(text.find('\n') + 1), row.excerpt);
  }
}

// A position in a source file precedes the location in the input, which the caller adds as a note.
TEST(render, shows_positions_in_source_files) {
  struct Row {
    SourcePosition at;
    std::string_view human;  // after "f"
    std::string_view region;
  };
  const Row rows[] = {
      {{"f", 7, 0, 0, 0, ""}, ":7: error: m\n", R"({"startLine":7})"},
      {{"f", 7, 2, 7, 4, ""}, ":7:2: error: m\n", R"({"startLine":7,"startColumn":2,"endColumn":4})"},
      {{"f", 7, 3, 7, 5, "a bc"},
       ":7:3: error: m\n    7 | a bc\n      |   ^~\n",
       R"({"startLine":7,"startColumn":3,"endColumn":5,"snippet":{"text":"a bc"}})"},
      // The column or the end may be unknown or wrong.
      {{"f", 7, 0, 0, 0, " \ta b "},
       ":7: error: m\n    7 |  \ta b \n      |  \t^~~\n",
       R"({"startLine":7,"snippet":{"text":" \ta b "}})"},
      {{"f", 7, 9, 0, 0, "a b"},
       ":7:9: error: m\n    7 | a b\n      | ^~~\n",
       R"({"startLine":7,"startColumn":9,"snippet":{"text":"a b"}})"},
      {{"f", 7, 3, 7, 1, "a b"},
       ":7:3: error: m\n    7 | a b\n      |   ^\n",
       R"({"startLine":7,"startColumn":3,"snippet":{"text":"a b"}})"},
      {{"f", 7, 3, 9, 8, "a b"},
       ":7:3: error: m\n    7 | a b\n      |   ^\n",
       R"({"startLine":7,"startColumn":3,"snippet":{"text":"a b"}})"},
      {{"f", 7, 1, 7, 99, "a b"},
       ":7:1: error: m\n    7 | a b\n      | ^~~\n",
       R"({"startLine":7,"startColumn":1,"endColumn":99,"snippet":{"text":"a b"}})"},
      {{"f", 7, 4, 7, 5, "\xC3\xA4 b"},
       ":7:4: error: m\n    7 | \xC3\xA4 b\n      |   ^\n",
       "{\"startLine\":7,\"startColumn\":3,\"endColumn\":4,\"snippet\":{\"text\":\"\xC3\xA4 b\"}}"},
      {{"f", 7, 0, 0, 0, " \t"},
       ":7: error: m\n    7 |  \t\n      |  \t^\n",
       R"({"startLine":7,"snippet":{"text":" \t"}})"},
  };
  for (const Row& row : rows) {
    Diagnostic diagnostic;
    diagnostic.where = Location::in_words(5, 6, 1);
    diagnostic.message = "m";
    diagnostic.source = row.at;
    Diagnostics diagnostics;
    diagnostics.report(diagnostic);
    EXPECT_EQ(rendered(DiagnosticFormat::Human, {"a.spv", ""}, diagnostics), "f" + std::string(row.human));
    const auto sarif = nlohmann::json::parse(rendered(DiagnosticFormat::Sarif, {"a.spv", ""}, diagnostics));
    EXPECT_EQ(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"],
              nlohmann::json::parse(row.region));
  }
}

TEST(render, cuts_long_lines_to_a_window_around_the_caret) {
  std::string line(1'000'000, 'x');
  line.replace(500'000, 3, "ABC");
  const std::string text = human(line, 500'000, 500'003);
  EXPECT_LT(text.size(), 500u);
  const std::string excerpt = text.substr(text.find('\n') + 1);
  const std::size_t shown = excerpt.find("ABC");
  const std::size_t caret = excerpt.substr(excerpt.find('\n') + 1).find("^~~");
  EXPECT_EQ(shown, caret);
  EXPECT_NE(excerpt.find("| ...xxx"), std::string::npos);
  EXPECT_NE(excerpt.find("xxx...\n"), std::string::npos);
}

TEST(render, makes_names_and_messages_safe_for_terminals) {
  Diagnostics diagnostics;
  diagnostics.error("e", Location::none(), "found '\x1b]0;x\a'\nand more");
  EXPECT_EQ(rendered(DiagnosticFormat::Short, {"a\x1b\n", ""}, diagnostics),
            "a\\x1b\\x0a: error: found '\\x1b]0;x\\x07'\\x0aand more [e]\n");
}

TEST(render, colours_only_on_request) {
  EXPECT_EQ(rendered(DiagnosticFormat::Human, {"f", shader}, sample()).find('\x1b'), std::string::npos);
  EXPECT_NE(rendered(DiagnosticFormat::Human, {"f", shader}, sample(), true).find("\x1b[1;31merror: \x1b[0m"),
            std::string::npos);
  EXPECT_EQ(rendered(DiagnosticFormat::Json, {"f", shader}, sample(), true).find('\x1b'), std::string::npos);
}

TEST(render, writes_one_json_record_for_each_line) {
  EXPECT_EQ(
      rendered(DiagnosticFormat::Json, {"a.spvasm", shader}, sample()),
      R"({"file":"a.spvasm","severity":"error","rule":"unknown-instruction","message":"unknown opcode 'OpFoo'",)"
      R"("line":2,"column":6,"end_line":2,"end_column":11,"hint":"did you mean 'OpFAdd'?",)"
      R"("notes":[{"message":"the last one that was understood","line":1,"column":1,"end_line":1,"end_column":6}]})"
      "\n"
      R"({"file":"a.spvasm","severity":"warning","rule":"odd","message":"50% odd, really: yes",)"
      R"("line":2,"column":12,"end_line":2,"end_column":14})"
      "\n");
  Diagnostics diagnostics;
  diagnostics.error("zero-word-count", Location::in_words(17, 18, 4), "m");
  EXPECT_EQ(
      rendered(DiagnosticFormat::Json, {"a.spv", ""}, diagnostics),
      R"({"file":"a.spv","severity":"error","rule":"zero-word-count","message":"m","word_offset":17,"word_count":1,)"
      R"("instruction":4})"
      "\n");
}

TEST(render, writes_one_sarif_document_for_all_inputs) {
  Diagnostics of_words;
  of_words.error("zero-word-count", Location::in_words(17, 18, 4), "m\xFF");
  Diagnostics of_umlauts;
  of_umlauts.error("e", Location::in_text(5, 6), "m");
  StringSink sink;
  {
    const auto renderer =
        make_renderer({.format = DiagnosticFormat::Sarif, .color = false, .tool_version = "1.2"}, sink);
    renderer->add({"dir/a b.spvasm", shader}, sample());
    renderer->add({"/x.spv", ""}, of_words);
    renderer->add({"u", "\xC3\xA4\xC3\xA4 b"}, of_umlauts);
    renderer->finish();
  }
  const auto document = nlohmann::json::parse(sink.text());
  EXPECT_EQ(document["version"], "2.1.0");
  const auto& run = document["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "vireo");
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2");
  const auto& results = run["results"];
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0]["ruleId"], "unknown-instruction");
  EXPECT_EQ(results[0]["level"], "error");
  const auto& place = results[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "dir/a%20b.spvasm");
  EXPECT_EQ(place["region"], (nlohmann::json{{"startLine", 2}, {"startColumn", 6}, {"endLine", 2}, {"endColumn", 11}}));
  EXPECT_EQ(results[0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 1);
  EXPECT_EQ(results[1]["level"], "warning");
  const auto& binary = results[2]["locations"][0]["physicalLocation"];
  EXPECT_EQ(binary["artifactLocation"]["uri"], "file:///x.spv");
  EXPECT_EQ(binary["region"], (nlohmann::json{{"byteOffset", 68}, {"byteLength", 4}}));
  EXPECT_EQ(results[3]["locations"][0]["physicalLocation"]["region"]["startColumn"], 4) << "columns are code points";
}

TEST(render, writes_an_empty_sarif_document_for_no_inputs) {
  StringSink sink;
  {
    const auto renderer = make_renderer({.format = DiagnosticFormat::Sarif, .color = false, .tool_version = "1"}, sink);
    renderer->finish();
  }
  EXPECT_TRUE(nlohmann::json::parse(sink.text())["runs"][0]["results"].empty());
}

TEST(render, writes_workflow_commands_with_their_escapes) {
  EXPECT_EQ(
      rendered(DiagnosticFormat::Github, {"a,b:c.spvasm", shader}, sample()),
      "::error file=a%2Cb%3Ac.spvasm,line=2,col=6,title=unknown-instruction::unknown opcode 'OpFoo'; hint: did you "
      "mean 'OpFAdd'?\n"
      "::warning file=a%2Cb%3Ac.spvasm,line=2,col=12,title=odd::50%25 odd, really: yes\n");
}

TEST(render, finds_formats_by_name) {
  EXPECT_EQ(find_diagnostic_format("github"), DiagnosticFormat::Github);
  EXPECT_EQ(find_diagnostic_format("human"), DiagnosticFormat::Human);
  EXPECT_EQ(find_diagnostic_format("text"), std::nullopt);
}

}  // namespace
}  // namespace vireo
