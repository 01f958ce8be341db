// SPDX-License-Identifier: Apache-2.0
//
// Findings of `isa check`: for each rule a description that violates it, with the places, and a similar one that does
// not.
#include "vireo/isa/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "isa/model/rules.h"
#include "outside.h"
#include "vireo/isa/decode.h"

namespace vireo::isa {
namespace {

// --- short descriptions ----------------------------------------------------------------------------------------------

// Leaves have eight bits of their own: `#b` fixes the other bits of 32.
std::string isa_text(const std::string& inner) {
  return "<isa>\n<bitset name=\"#instruction\" size=\"32\"/>\n"
         "<bitset name=\"#b\" extends=\"#instruction\"><pattern low=\"8\" "
         "high=\"31\">000000000000000000000000</pattern>"
         "</bitset>\n" +
         inner + "</isa>";
}
std::string bitset(const std::string& name, const std::string& inner, const std::string& parent = "#b") {
  return "<bitset name=\"" + name + "\" extends=\"" + parent + "\">" + inner + "</bitset>\n";
}
std::string leaf(const std::string& name, const std::string& inner, const std::string& parent = "#b") {
  return bitset(name, "<display>{NAME}</display>" + inner, parent);
}
std::string root(const std::string& name, const std::string& size, const std::string& inner) {
  return "<bitset name=\"" + name + "\" size=\"" + size + "\">" + inner + "</bitset>\n";
}
std::string range(std::size_t low, std::size_t width) {
  return " low=\"" + std::to_string(low) + "\" high=\"" + std::to_string(low + width - 1) + "\"";
}
std::string pattern(const std::string& bits, std::size_t low = 0) {
  return "<pattern" + range(low, bits.size()) + ">" + bits + "</pattern>";
}
std::string field(const std::string& name, std::size_t low, std::size_t width, const std::string& type = "uint",
                  const std::string& inner = "") {
  return "<field name=\"" + name + "\"" + range(low, width) + " type=\"" + type + "\">" + inner + "</field>";
}
std::string derived(const std::string& name, const std::string& expression) {
  return "<derived name=\"" + name + "\" type=\"uint\"><expr>" + expression + "</expr></derived>";
}
std::string override(const std::string& condition, const std::string& inner) {
  return "<override><expr>" + condition + "</expr>" + inner + "</override>";
}
std::string display(const std::string& text) { return "<display>" + text + "</display>"; }
std::string gen(const std::string& range) { return "<gen " + range + "/>"; }

// The same override with a mark before it.
std::string faulty(std::string text) { return text.insert(1, "!"); }

// --- running ------------------------------------------------------------------------------------------------------------

struct Found {
  std::string rule;
  std::string place;  // line:column
};

std::vector<Found> found_in(const LoadedModel& loaded, const CheckReport& report) {
  std::vector<Found> result;
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    const LineIndex index(loaded.files[i].text);
    for (const Diagnostic& diagnostic : report.files[i].all()) {
      const LineColumn at = index.locate(diagnostic.where.begin);
      result.push_back({std::string(diagnostic.rule), std::to_string(at.line) + ':' + std::to_string(at.column)});
    }
  }
  return result;
}

LoadedModel load_text(std::string text, bool mesa_compat = false) {
  return load_model_text("x", std::move(text), {mesa_compat, [](const std::string&) { return std::nullopt; }});
}

// Most short descriptions have fields that they do not show, so these findings are left out.
std::vector<Found> check_text(const std::string& text, const CheckOptions& options = {}, bool with_unread = false) {
  const LoadedModel loaded = load_text(text, options.mesa_compat);
  std::vector<Found> found = found_in(loaded, check(loaded, options));
  if (!with_unread) std::erase_if(found, [](const Found& f) { return f.rule == rule::unread_name; });
  return found;
}

// Removes the marks `!` from a text and returns their places.
std::vector<std::string> take_marks(std::string& text) {
  std::vector<std::string> places;
  for (std::size_t at = text.find('!'); at != std::string::npos; at = text.find('!')) {
    if (text[at + 1] == '=') break;  // an operator; all marks precede the first operator
    text.erase(at, 1);
    const LineColumn place = LineIndex(text).locate(at);
    places.push_back(std::to_string(place.line) + ':' + std::to_string(place.column));
  }
  return places;
}

// --- the rules ----------------------------------------------------------------------------------------------------------

// `!` marks the places reported in `bad`.
struct CheckRow {
  std::string_view rule;
  std::string bad;
  std::string good;
  std::string_view also = "";  // another rule that `bad` violates at the same time
};

const std::string a8 = field("A", 0, 8);
const std::string to_five = "<enum name=\"#e\"><value val=\"1\" display=\"x\"/><value val=\"5\" display=\"y\"/></enum>";
const std::string reg = root("#reg", "4", display("r{M}") + field("M", 0, 4));

std::vector<CheckRow> check_rows() {
  return {
      {"overlapping-leaves", leaf("a", pattern("0000xxx1")) + leaf("!b", pattern("0x001111")),
       leaf("a", pattern("0000xxx1")) + leaf("b", pattern("0x001110"))},
      {"overlapping-leaves",
       leaf("a", pattern("00000000") + gen("max=\"5\"")) + leaf("!b", pattern("0000000x") + gen("min=\"5\"")),
       leaf("a", pattern("00000000") + gen("max=\"4\"")) + leaf("b", pattern("0000000x") + gen("min=\"5\"")),
       "unreachable-leaf"},
      {"overlapping-leaves",
       leaf("a", field("X", 0, 4, "#n") + pattern("0000", 4)) + root("#n", "4", "") + leaf("c", pattern("xx11"), "#n") +
           leaf("!d", pattern("11xx"), "#n"),
       leaf("a", field("X", 0, 4, "#n") + pattern("0000", 4)) + root("#n", "4", "") + leaf("c", pattern("xx11"), "#n") +
           leaf("d", pattern("11x0"), "#n")},
      {"unreachable-leaf", leaf("a", pattern("000000xx")) + leaf("!b", pattern("00000010")),
       leaf("a", pattern("000000x1")) + leaf("b", pattern("00000010")), "overlapping-leaves"},
      {"unreachable-leaf",
       leaf("a", pattern("0000xxx1")) + leaf("b", pattern("0000xxx0")) + leaf("!c", pattern("000011xx")),
       leaf("a", pattern("0000xx11")) + leaf("b", pattern("00000xx0")) + leaf("c", pattern("0000110x")),
       "overlapping-leaves"},
      {"unreachable-leaf",
       leaf("a", field("X", 0, 4, "#n") + pattern("0000", 4) + gen("max=\"4\"")) + root("#n", "4", "") +
           leaf("c", pattern("xx11"), "#n") + leaf("!d", pattern("xx00") + gen("min=\"5\""), "#n"),
       leaf("a", field("X", 0, 4, "#n") + pattern("0000", 4) + gen("max=\"5\"")) + root("#n", "4", "") +
           leaf("c", pattern("xx11"), "#n") + leaf("d", pattern("xx00") + gen("min=\"5\""), "#n")},
      {"unused-root", leaf("a", a8) + root("!#n", "4", display("n") + field("X", 0, 4)),
       leaf("a", field("X", 0, 4, "#n") + pattern("0000", 4)) + root("#n", "4", display("n") + field("X", 0, 4))},
      {"unresolved-field", bitset("a", override("{A} > 3", field("B", 0, 2)) + display("a {A} !{B}") + a8),
       bitset("a", override("{A} > 3", field("B", 0, 2)) + override("{A} &lt; 4", field("B", 2, 2)) +
                       display("a {A} {B}") + a8)},
      {"unresolved-field",
       bitset("a", override("{A} == 1", field("B", 0, 2)) + derived("C", "1 + !{B}") + display("a {A} {C}") + a8),
       bitset("a", override("{A} == 1", field("B", 0, 2) + derived("C", "1 + {B}")) + derived("C", "2") +
                       display("a {A} {C}") + a8)},
      // C is not used where B is not defined.
      {"unresolved-field",
       bitset("a", override("{A} == 1", field("B", 0, 2) + display("a {C}")) + derived("C", "1 + !{B}") +
                       display("b {A} {C}") + a8),
       bitset("a", override("{A} == 1", field("B", 0, 2) + display("a {C}")) + derived("C", "1 + {B}") +
                       display("b {A}") + a8)},
      {"unresolved-field", bitset("a", display("a !{B}") + a8), bitset("a", display("a {A}") + a8)},
      {"missing-param",
       reg + root("#s", "4", display("{M}{S}") + field("M", 0, 4)) +
           bitset("a", display("{X} {Y}") + field("X", 0, 4, "#s", "<param name=\"Y\" as=\"S\"/>") +
                           field("Y", 4, 4, "#reg")) +
           bitset("b", display("b {X}") + field("!X", 0, 4, "#s") + pattern("0001", 4), "#c") +
           bitset("#c", pattern("000000000000000000000001", 8), "#instruction"),
       root("#s", "4", display("{M}{S}") + field("M", 0, 4)) +
           bitset("a", display("{X}") + field("X", 0, 4, "#s", "<param name=\"Y\" as=\"S\"/>") + field("Y", 4, 4))},
      {"unknown-param",
       root("#s", "4", display("{M}{S}") + field("M", 0, 4)) +
           bitset("a", display("{X}") + field("X", 0, 4, "#s", "<param name=\"!Y\" as=\"S\"/>") + field("Z", 4, 4)),
       root("#s", "4", display("{M}{S}") + field("M", 0, 4)) +
           bitset("a", display("{X}") + field("X", 0, 4, "#s", "<param name=\"Z\" as=\"S\"/>") + field("Z", 4, 4))},
      {"idle-override", leaf("a", faulty(override("{A} == 256", display("b"))) + a8),
       leaf("a", override("{A} == 255", display("b")) + a8)},
      {"idle-override", leaf("a", faulty(override("{A} &amp; 0", display("b"))) + a8),
       leaf("a", override("{A} &amp; 1", display("b")) + a8)},
      {"idle-override", leaf("a", override("{A} > 3", display("b")) + faulty(override("{A} > 5", display("c"))) + a8),
       leaf("a", override("{A} > 5", display("b")) + override("{A} > 3", display("c")) + a8)},
      {"idle-override", leaf("a", faulty(override("{A} == 1", "")) + a8),
       leaf("a", override("{A} == 1", "<assert pos=\"7\">0</assert>") + a8)},
      {"hidden-case", leaf("a", faulty(override("{A} >= 0", display("b"))) + a8),
       leaf("a", override("{A} > 0", display("b")) + a8)},
      {"hidden-case", leaf("a", faulty(override("1", derived("A", "7"))) + a8),
       leaf("a", override("1", derived("B", "7")) + a8)},
      {"expression-cycle",
       bitset("a", "<derived name=\"B\" type=\"uint\"><expr>!{C} + 1</expr></derived>" + derived("C", "{B} * {A}") +
                       display("a {A} {C}") + a8),
       bitset("a", derived("B", "{A} + 1") + derived("C", "{B} * {A}") + display("a {A} {C}") + a8)},
      // While a condition is checked, its override counts as selected, so the names that it reads there form no cycle.
      {"expression-cycle",
       bitset("a", override("!{B} == 1", derived("C", "{A}")) + derived("B", "{C}") + derived("C", "2") +
                       display("a {A} {B}") + a8),
       bitset("a", override("{B} == 1", derived("C", "{A}") + field("B", 0, 4)) + derived("B", "{C}") +
                       derived("C", "2") + display("a {A} {B}") + a8),
       "idle-override"},
      {"nesting-cycle",
       root("#n", "4", display("{X}{Y}") + field("X", 0, 4)) +
           bitset("a", display("{A} {B}") + field("!A", 0, 4, "#n", "<param name=\"A\" as=\"Y\"/>") +
                           field("B", 4, 4, "#n", "<param name=\"A\" as=\"Y\"/>")),
       root("#n", "4", display("{X}{Y}") + field("X", 0, 4)) + root("#m", "4", display("m{Z}") + field("Z", 0, 4)) +
           bitset("a", display("{A} {B}") + field("A", 0, 4, "#m") +
                           field("B", 4, 4, "#n", "<param name=\"A\" as=\"Y\"/>"))},
      {"override-overlap", leaf("a", override("{A} == 1", field("B", 0, 3) + field("!C", 2, 2) + display("b")) + a8),
       leaf("a", override("{A} == 1", field("B", 0, 2) + field("C", 2, 2) + display("b")) + a8)},
      {"override-overlap",
       bitset("#c", override("{A} == 1", field("!B", 3, 3) + display("b")) + field("A", 0, 4)) +
           leaf("a", pattern("0000", 4), "#c"),
       bitset("#c", override("{A} == 1", field("B", 0, 3) + display("b")) + field("A", 0, 4)) +
           leaf("a", pattern("0000", 4), "#c")},
      {"override-overlap",
       leaf("a", override("{A} == 1", field("!B", 3, 3) + display("b")) + field("A", 0, 4) + pattern("0000", 4)),
       leaf("a", override("{A} == 1", field("B", 0, 3) + display("b")) + field("A", 0, 4) + pattern("0000", 4))},
      {"value-too-wide",
       "<enum name=\"#e\"><value val=\"1\" display=\"x\"/><!value val=\"16\" display=\"y\"/></enum>" +
           bitset("a", display("{A}{B}") + field("A", 0, 3, "#e") + field("B", 3, 4, "#e") + pattern("0", 7)),
       "<enum name=\"#e\"><value val=\"1\" display=\"x\"/><value val=\"15\" display=\"y\"/></enum>" +
           bitset("a", display("{A}{B}") + field("A", 0, 4, "#e") + field("B", 4, 4, "#e"))},
      {"duplicate-value",
       "<enum name=\"#e\"><value val=\"1\" display=\"x\"/><value val=\"!0x1\" display=\"y\"/></enum>",
       "<enum name=\"#e\"><value val=\"1\" display=\"x\"/><value val=\"0x2\" display=\"y\"/></enum>"},
      {"name-collision", leaf("a.b", pattern("00000001")) + leaf("!a-b", pattern("00000010")),
       leaf("a.b", pattern("00000001")) + leaf("a-c", pattern("00000010"))},
      {"ambiguous-display",
       bitset("a", display("x {A}") + field("A", 0, 4) + pattern("0001", 4)) +
           bitset("!b", display("x {B}") + field("B", 0, 3) + pattern("00100", 3)),
       bitset("a", display("x {A}") + field("A", 0, 4) + pattern("0001", 4)) +
           bitset("b", display("y {B}") + field("B", 0, 3) + pattern("00100", 3))},
      {"ambiguous-display", leaf("a", faulty(override("{A} == 5", display("a"))) + a8),
       leaf("a", override("{A} == 5", display("a five")) + a8)},
      {"ambiguous-display",
       bitset("a", display("{X}") + field("X", 0, 4, "#n") + pattern("0000", 4)) + root("#n", "4", "") +
           bitset("c", display("n{Y}") + field("Y", 0, 3) + pattern("0", 3), "#n") +
           bitset("!d", display("n{Z}") + field("Z", 0, 2) + pattern("10", 2), "#n"),
       bitset("a", display("{X}") + field("X", 0, 4, "#n") + pattern("0000", 4)) + root("#n", "4", "") +
           bitset("c", display("n{Y}") + field("Y", 0, 3) + pattern("0", 3), "#n") +
           bitset("d", display("m{Z}") + field("Z", 0, 2) + pattern("10", 2), "#n")},
      {"ambiguous-display",
       "<enum name=\"#e\"><value val=\"1\" display=\"x\"/><!value val=\"2\" display=\"x\"/></enum>",
       "<enum name=\"#e\"><value val=\"1\" display=\"x\"/><value val=\"2\" display=\"y\"/></enum>"},
      {"narrow-field", to_five + leaf("a", field("!X", 0, 2, "#e") + field("Y", 2, 3, "#e") + pattern("000", 5)),
       to_five + leaf("a", field("X", 0, 3, "#e") + field("Y", 3, 3, "#e") + pattern("00", 6))},
      {"unknown-map-name", leaf("a", a8 + "<encode><map name=\"!A\">rc->x + src->y</map></encode>"),
       leaf("a", a8 + "<encode><map name=\"A\">src->rc->x + s->y + f(p->z).q->w</map></encode>")},
  };
}

TEST(Check, each_rule_reports_only_its_violations) {
  for (const CheckRow& row : check_rows()) {
    const bool has_leaf = row.bad.find("extends=") != std::string::npos;
    const std::string rest = has_leaf ? "" : leaf("z", a8);
    std::string bad = isa_text(row.bad + rest);
    std::vector<Found> wanted;
    for (std::string& place : take_marks(bad)) wanted.push_back({std::string(row.rule), std::move(place)});
    std::vector<Found> found = check_text(bad);
    std::erase_if(found, [&](const Found& f) { return f.rule == row.also && f.rule != row.rule; });
    EXPECT_EQ(found.size(), wanted.size()) << bad;
    for (std::size_t i = 0; i < std::min(found.size(), wanted.size()); ++i) {
      EXPECT_EQ(found[i].rule, wanted[i].rule) << bad;
      EXPECT_EQ(found[i].place, wanted[i].place) << bad;
    }
    for (const Found& f : check_text(isa_text(row.good + rest)))
      ADD_FAILURE() << f.rule << ' ' << f.place << ": " << row.good;
  }
}

TEST(Check, names_that_nothing_reads_are_reported) {
  const std::string nested = root("#n", "4", "") + bitset("n", display("n{N}") + field("N", 0, 4), "#n");
  const auto passing = [](const std::string& name) {
    return field("X", 0, 4, "#n", "<param name=\"Y\" as=\"" + name + "\"/>") + field("Y", 4, 4);
  };
  const CheckRow rows[] = {
      {"a field", bitset("a", display("a {X}") + field("X", 0, 4) + field("!Y", 4, 4)),
       bitset("a", display("a {X}{Y}") + field("X", 0, 4) + field("Y", 4, 4))},
      {"a condition reads it", "", bitset("a", display("a") + override("{A} == 5", display("b")) + a8)},
      {"a derived field reads it", "", bitset("a", display("a {B}") + derived("B", "{A} + 1") + a8)},
      {"a derived field", bitset("a", display("a {A}") + derived("!B", "{A} + 1") + a8), ""},
      {"a default", "",
       bitset("a", display("a") + "<field name=\"A\" low=\"0\" high=\"7\" type=\"uint\" vireo-default=\"0\"/>")},
      {"a forced map", "", leaf("a", a8 + "<encode><map name=\"A\" force=\"true\">3</map></encode>")},
      {"one of two leaves reads it", "",
       bitset("c", field("A", 0, 7)) + bitset("a", display("a {A}") + pattern("0", 7), "c") +
           bitset("b", display("b") + pattern("1", 7), "c")},
      {"a param",
       nested + bitset("a", display("a {X}") + field("X", 0, 4, "#n", "<param name=\"!Y\"/>") + field("Y", 4, 4)),
       nested + bitset("o", display("o{N}{OTHER}") + pattern("1", 3) + field("N", 0, 3), "#n") +
           bitset("a", display("a {X}") + passing("OTHER")),
       "overlapping-leaves"},
  };
  for (const CheckRow& row : rows) {
    std::string bad = isa_text(row.bad.empty() ? leaf("z", pattern("00000000")) : row.bad);
    std::vector<std::string> found;
    const std::vector<std::string> wanted = take_marks(bad);
    for (const Found& f : check_text(bad, {}, true)) {
      if (f.rule == rule::unread_name) found.push_back(f.place);
    }
    EXPECT_EQ(found, wanted) << row.rule;
    const std::string good = isa_text(row.good.empty() ? leaf("z", pattern("00000000")) : row.good);
    for (const Found& f : check_text(good, {}, true))
      EXPECT_NE(f.rule, rule::unread_name) << row.rule << ' ' << f.place;
  }
}

TEST(Check, the_report_includes_loader_findings) {
  std::string imports = "<isa>";  // more bytes than are read
  imports.append(max_source_bytes, ' ');
  const struct {
    std::string_view rule;
    std::string text;
  } documents[] = {
      {"malformed-xml", "<isa>"},
      {"ignored-doctype", "<!DOCTYPE a><isa/>"},
      {"unknown-entity", "<isa><template name=\"t\">&x;</template></isa>"},
      {"limit-exceeded", imports},
      {"ambiguous-variant", isa_text(leaf("v", gen("max=\"1\"")) + leaf("v", gen("min=\"2\"")) + leaf("x", a8, "v"))},
      {"missing-display", isa_text(bitset("a", a8))},
      {"missing-root", "<isa/>"},
      {"bad-size", isa_text(root("n", "0", ""))},
  };
  for (const auto& document : documents) {
    const std::vector<Found> found = check_text(document.text);
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Found& f) { return f.rule == document.rule; }))
        << document.rule;
  }
}

TEST(Check, every_rule_is_tested) {
  std::string tests;
  for (const char* name :
       {"isa/check/check_test.cpp", "isa/model/load_test.cpp", "isa/assemble/assemble_faults_test.cpp",
        "isa/generate/generate_test.cpp", "isa/generate/encoding_faults_test.cpp", "isa/encode/encode_test.cpp",
        "isa/assemble/spellings_test.cpp", "isa/check/round_trip_report_test.cpp", "isa/vectors/make_vectors_test.cpp",
        "golden/cases/isa/as_faults.case"}) {
    std::ifstream file(outside::source_folder() / "test" / name, std::ios::binary);
    tests.append(std::istreambuf_iterator<char>(file), {});
  }
  for (const RuleRow& row : rule_rows) {
    std::string identifier(row.name);  // tests may use the constant instead of the name
    std::replace(identifier.begin(), identifier.end(), '-', '_');
    const bool is_met =
        tests.find(row.name) != std::string::npos || tests.find("rule::" + identifier) != std::string::npos;
    EXPECT_TRUE(is_met) << row.name;
    EXPECT_TRUE(row.fix.ends_with('.')) << row.name;
  }
}

// --- words --------------------------------------------------------------------------------------------------------------

TEST(Check, a_witness_is_a_conflict_for_the_decoder) {
  const LoadedModel loaded =
      load_text(isa_text(leaf("a", pattern("0000xxx1") + gen("min=\"2\"")) + leaf("b", pattern("0x001111"))));
  const CheckReport report = check(loaded);
  ASSERT_EQ(report.overlaps.size(), 1u);
  const Overlap& overlap = report.overlaps.front();
  EXPECT_EQ(overlap.gens, (GenRange{2, GenRange{}.max}));
  Decoded decoded;
  for (const std::uint32_t gen : {1u, 2u}) {
    EXPECT_EQ(Decoder(loaded.model, {.gen = gen}).decode(overlap.witness, decoded), gen == 1);
    EXPECT_EQ(decoded.faults().size(), gen == 1 ? 0u : 1u);
  }
  EXPECT_EQ(decoded.faults().front().kind, DecodeFault::Kind::Conflict);
}

TEST(Check, a_chosen_generation_hides_overlaps_of_others) {
  const std::string text = isa_text(leaf("a", pattern("00000000") + gen("max=\"5\"")) + leaf("b", pattern("0000000x")));
  EXPECT_FALSE(check_text(text).empty());
  EXPECT_FALSE(check_text(text, {.gen = 5}).empty());
  EXPECT_TRUE(check_text(text, {.gen = 6}).empty());
}

TEST(Check, faults_that_mesa_accepts_are_warnings_in_mesa_mode) {
  const LoadedModel loaded = load_text(isa_text(leaf("a", pattern("0000xxx1")) + leaf("b", pattern("0x001111"))), true);
  EXPECT_FALSE(check(loaded).ok());
  const CheckReport report = check(loaded, {.gen = {}, .mesa_compat = true});
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.files.front().warning_count(), 1u);
}

TEST(Check, leaves_that_no_encoding_reaches_are_reported) {
  const auto text = [](const std::string& bits) {
    return "<isa><encoding unit=\"32\"><root name=\"#s\">" + pattern("0", 0) + "</root><root name=\"#w\"/></encoding>" +
           root("#s", "32", "") + root("#w", "32", "") + leaf("a", field("X", 1, 31) + pattern("0"), "#s") +
           leaf("b", field("X", 1, 31) + pattern(bits), "#w") + "</isa>";
  };
  EXPECT_TRUE(check_text(text("1")).empty());
  const std::vector<Found> found = check_text(text("0"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().rule, "unreachable-leaf");
}

// Faults cause no further findings: a leaf with an invalid pattern is not compared; everything else is checked.
TEST(Check, the_valid_rest_of_a_faulty_description_is_checked) {
  const std::string text =
      isa_text(leaf("a", pattern("0000xxx1")) + leaf("b", pattern("0x001111")) +
               leaf("c", "<pattern low=\"0\" high=\"7\">0000</pattern>") + "<expr name=\"#e\">1 +</expr>");
  std::vector<std::string> rules;
  for (const Found& found : check_text(text)) rules.push_back(found.rule);
  EXPECT_EQ(rules, (std::vector<std::string>{"overlapping-leaves", "bad-pattern", "malformed-expression"}));
  // A leaf with a missing pattern does not match the words of all other leaves.
  const std::vector<Found> found = check_text(
      isa_text(leaf("a", pattern("00000001")) + leaf("b", pattern("0000001", 1)) + leaf("c", pattern("00000010"))));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().rule, "undefined-bits");
}

TEST(Check, generations_in_expressions_are_considered) {
  const auto text = [](const std::string& condition) {
    return isa_text(leaf("a", override(condition, display("b {A}")) + a8));
  };
  EXPECT_TRUE(check_text(text("ISA_GPU_ID() == 77")).empty());
  EXPECT_TRUE(check_text(text("ISA_GPU_ID() > 600 &amp;&amp; {A} == 3")).empty());
  EXPECT_EQ(check_text(text("ISA_GPU_ID() &lt; 0")).front().rule, "idle-override");
}

// A name that a leaf gets from params can have any value, so conditions that read it are not checked.
TEST(Check, params_may_have_any_value) {
  const std::string text =
      isa_text(root("#s", "4", override("{S} == 99", display("odd")) + display("{M}") + field("M", 0, 4)) +
               bitset("a", display("{X}") + field("X", 0, 4, "#s", "<param name=\"Y\" as=\"S\"/>") + field("Y", 4, 4)));
  for (const Found& found : check_text(text)) ADD_FAILURE() << found.rule << ' ' << found.place;
}

TEST(Check, any_description_has_a_report) {
  for (const char* text :
       {"", "<", "<isa/>", "<isa><bitset name='a' extends='a'/></isa>",
        "<isa><bitset name='#instruction' size='8'><override><expr>{X}</expr></override></bitset></isa>",
        "<isa><encoding unit='16'><root name='#a'/></encoding><bitset name='#a' size='0'/></isa>",
        "<isa><encoding unit='16'><root name='#a'><pattern pos='0'>0</pattern></root><root name='#b'/></encoding>"
        "<bitset name='#a' size='0'/><bitset name='#b' size='16'><field name='X' low='0' high='15' type='uint'/>"
        "</bitset></isa>",
        "<isa><bitset name='#instruction' size='4096'><field name='X' low='0' high='9999' "
        "type='uint'/></bitset></isa>"}) {
    EXPECT_FALSE(check_text(text).empty()) << text;
  }
}

}  // namespace
}  // namespace vireo::isa
