// SPDX-License-Identifier: Apache-2.0
//
// Descriptions made to exhaust time or memory: each is processed in time nearly linear in its length.
//
// A row generates a text of any size. It is loaded, checked and used for decoding at two sizes, one of
// which is beyond a bound or far beyond realistic sizes. If a rule stops it, the row names the rule. Seconds would
// depend on the machine, so they are not measured: a quadratic algorithm does not end at these sizes before the test's
// time limit.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/isa/check.h"
#include "vireo/isa/decode.h"
#include "vireo/isa/print.h"

namespace vireo::isa {
namespace {

std::string number(std::size_t i) { return std::to_string(i); }

// Concatenates make(0), make(1), …, make(count - 1).
std::string repeated(std::size_t count, const std::function<std::string(std::size_t)>& make) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += make(i);
  return text;
}

std::string times(std::size_t count, std::string_view piece) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

// An instruction of 32 bits with a field A of all bits; `inner` is in its bitset, `outer` after it.
std::string isa(const std::string& inner, const std::string& outer = "", const std::string& display = "{A}") {
  return "<isa><bitset name=\"#instruction\" size=\"32\"><field name=\"A\" low=\"0\" high=\"31\" type=\"uint\"/>" +
         inner + "<display>" + display + "</display></bitset>" + outer + "</isa>";
}

// Whether an error of this rule, or of any rule without a name, was reported.
bool has_error(const LoadedModel& loaded, std::string_view rule = "") {
  for (const SourceFile& file : loaded.files) {
    for (const Diagnostic& d : file.diagnostics.all())
      if (d.severity == Severity::Error && (rule.empty() || d.rule == rule)) return true;
  }
  return false;
}

// Every entity doubles the previous one: the expansion of 64 of them exceeds any memory.
std::string laughing(std::size_t count) {
  return "<!DOCTYPE isa [<!ENTITY e0 \"ha\">" +
         repeated(count,
                  [](std::size_t i) {
                    return "<!ENTITY e" + number(i + 1) + " \"&e" + number(i) + ";&e" + number(i) + ";\">";
                  }) +
         "]><isa>&lol;<doc>&e" + number(count) + ";</doc></isa>";
}

struct BoundRow {
  std::string_view what;
  std::string_view error;  // a rule that it violates; empty: the description is valid
  std::string text;
};

std::vector<BoundRow> bound_rows() {
  const std::string leaf = "<bitset name=\"l\" extends=\"";
  return {
      {"entities that double", "unknown-entity", laughing(64)},
      {"elements within elements", "malformed-xml", times(300'000, "<a>")},
      {"elements within elements, all closed", "malformed-xml",
       "<isa>" + times(100'000, "<doc>") + times(100'000, "</doc>") + "</isa>"},
      {"templates that double", "limit-exceeded",
       isa("",
           "<template name=\"t0\">ha{A}</template>" + repeated(64,
                                                               [](std::size_t i) {
                                                                 const std::string inner = "{t" + number(i) + "}";
                                                                 return "<template name=\"t" + number(i + 1) + "\">" +
                                                                        inner + inner + "</template>";
                                                               }),
           "{t64}")},
      {"templates within templates", "",
       isa("",
           "<template name=\"t0\">{A}</template>" + repeated(20'000,
                                                             [](std::size_t i) {
                                                               return "<template name=\"t" + number(i + 1) + "\">{t" +
                                                                      number(i) + "}</template>";
                                                             }),
           "{t20000}")},
      {"a size that is no number of this world", "malformed-value",
       "<isa><bitset name=\"#instruction\" size=\"99999999999999999999999\"/></isa>"},
      {"a size beyond the bound", "malformed-value", "<isa><bitset name=\"#instruction\" size=\"4294967295\"/></isa>"},
      {"a field that reaches far", "malformed-value",
       isa("<override><expr>1</expr><field name=\"B\" low=\"0\" high=\"4294967295\" type=\"uint\"/></override>")},
      {"an encoding of huge units", "malformed-value",
       isa("", "<encoding unit=\"4294967288\"><root name=\"#instruction\"/></encoding>")},
      {"many overrides", "",
       isa(repeated(2'000,
                    [](std::size_t i) {
                      return "<override><expr>{A} == " + number(i) + "</expr><display>o{A}</display></override>";
                    }))},
      {"many overrides that ask each other", "",
       isa(repeated(400,
                    [](std::size_t i) {
                      return "<override><expr>{B} == " + number(i) + "</expr><derived name=\"B\" type=\"uint\"><expr>" +
                             number(i) + "</expr></derived></override>";
                    }) +
           "<derived name=\"B\" type=\"uint\"><expr>{A} &amp; 511</expr></derived>")},
      {"a long display", "limit-exceeded", isa("", "", times(100'000, "{A}"))},
      {"an align far to the right", "malformed-display", isa("", "", "{A:align=4000000000}")},
      {"a long expression", "malformed-expression",
       isa("<derived name=\"B\" type=\"uint\"><expr>1" + times(200'000, "+{A}") + "</expr></derived>")},
      {"an expression of brackets", "malformed-expression",
       isa("<derived name=\"B\" type=\"uint\"><expr>" + times(200'000, "(") + "</expr></derived>")},
      {"derived fields in a chain", "",
       isa("<derived name=\"D0\" type=\"uint\"><expr>{A}</expr></derived>" +
               repeated(3'000,
                        [](std::size_t i) {
                          return "<derived name=\"D" + number(i + 1) + "\" type=\"uint\"><expr>{D" + number(i) +
                                 "} + 1</expr></derived>";
                        }),
           "", "{A}{D3000}")},
      {"bitsets that extend in a chain", "limit-exceeded",
       isa("", leaf + "#instruction\"/>" +
                   repeated(20'000,
                            [&](std::size_t i) {
                              return "<bitset name=\"b" + number(i + 1) + "\" extends=\"b" + number(i) + "\"/>";
                            }) +
                   "<bitset name=\"b0\" extends=\"l\"/>")},
      {"bitsets within bitsets", "limit-exceeded",
       isa("<override><expr>1</expr><field name=\"B\" low=\"0\" high=\"7\" type=\"#b99\"/></override>",
           "<bitset name=\"#b0\" size=\"8\"><display/><field name=\"B\" low=\"0\" high=\"7\" type=\"uint\"/></bitset>" +
               repeated(99,
                        [](std::size_t i) {
                          return "<bitset name=\"#b" + number(i + 1) +
                                 "\" size=\"8\"><display>{B}</display><field name=\"B\" low=\"0\" high=\"7\" "
                                 "type=\"#b" +
                                 number(i) + "\"/></bitset>";
                        }))},
      {"leaves of one name", "limit-exceeded",
       isa("", times(5'000, leaf + "#instruction\"><gen min=\"1\" max=\"2\"/></bitset>"))},
      {"values of one number", "duplicate-value",
       isa("", "<enum name=\"#e\">" +
                   repeated(100'000,
                            [](std::size_t i) {
                              return "<value val=\"" + std::string(i % 50, '0') + "1\" display=\"x\"/>";
                            }) +
                   "</enum>")},
      {"fields of one name", "duplicate-name",
       isa("<override><expr>1</expr>" + times(50'000, "<field name=\"B\" pos=\"1\" type=\"uint\"/>") + "</override>")},
      {"params", "",
       isa("<override><expr>{A} == 1</expr><field name=\"B\" low=\"0\" high=\"7\" type=\"#n\">" +
               repeated(100'000, [](std::size_t i) { return "<param name=\"A\" as=\"P" + number(i) + "\"/>"; }) +
               "</field><display>{B}</display></override>",
           "<bitset name=\"#n\" size=\"8\"><display>{X}{P99999}</display>"
           "<field name=\"X\" low=\"0\" high=\"7\" type=\"uint\"/></bitset>")},
  };
}

TEST(Bounds, oversized_and_deeply_nested_descriptions_terminate) {
  const std::string program("\0\0\0\0\1\0\0\0\1\2\3\4", 12);
  for (const BoundRow& row : bound_rows()) {
    SCOPED_TRACE(row.what);
    LoadOptions options;
    options.read = [](const std::string&) { return std::nullopt; };
    const LoadedModel loaded = load_model_text("x", row.text, options);
    EXPECT_EQ(has_error(loaded), !row.error.empty());
    EXPECT_EQ(has_error(loaded, row.error), !row.error.empty());
    for (const SourceFile& file : loaded.files)
      EXPECT_LE(file.diagnostics.all().size(), 2 * Diagnostics::default_limit);
    EXPECT_GE(check(loaded).error_count(), loaded.error_count());
    const Decoder decoder(loaded.model, {});
    StringSink sink;
    Printer(decoder, {.branch_labels = true}).print(program, sink);
    EXPECT_LT(sink.text().size(), std::size_t{1} << 20);
  }
}

// --- further properties of the rows ----------------------------------------------------------------------------------

std::string printed(const std::string& description, std::string_view program) {
  const LoadedModel loaded = load_model_text("x", description, {});
  EXPECT_FALSE(has_error(loaded));
  const Decoder decoder(loaded.model, {});
  StringSink sink;
  Printer(decoder, {}).print(program, sink);
  return sink.text();
}

// Mesa's decoder writes past an array if eight conditions are in evaluation at once (isaspec 2.7).
TEST(Bounds, any_number_of_overrides_is_accepted) {
  const auto conditions = [](std::size_t count) {
    return isa(repeated(count, [](std::size_t i) {
      return "<override><expr>{A} == " + number(i) + "</expr><display>o" + number(i) + " {A}</display></override>";
    }));
  };
  for (const std::size_t count : {7u, 8u, 9u, 64u, 1000u}) {
    const std::string last{static_cast<char>((count - 1) % 256), static_cast<char>((count - 1) / 256), 0, 0};
    EXPECT_EQ(printed(conditions(count), last), "o" + number(count - 1) + ' ' + number(count - 1) + "\n");
  }
}

TEST(Bounds, the_last_of_many_params_reaches_its_field) {
  const std::string text =
      isa("<override><expr>{A} == 1</expr><field name=\"B\" low=\"0\" high=\"7\" type=\"#n\">" +
              repeated(100'000, [](std::size_t i) { return "<param name=\"A\" as=\"P" + number(i) + "\"/>"; }) +
              "</field><display>{B}</display></override>",
          "<bitset name=\"#n\" size=\"8\"><display>n{X} {P99999}</display>"
          "<field name=\"X\" low=\"0\" high=\"7\" type=\"uint\"/></bitset>");
  EXPECT_EQ(printed(text, std::string_view("\1\0\0\0\2\0\0\0", 8)), "n1 1\n2\n");
}

// Every file imports the next two: without "once" the number of reads would double with each file.
TEST(Bounds, imports_are_read_once_and_are_counted) {
  std::size_t opened = 0;
  LoadOptions options;
  options.read = [&](const std::string& path) -> std::optional<std::string> {
    ++opened;
    const std::size_t i = std::stoul(path.substr(1));
    return "<isa><import file=\"f" + number(i + 1) + "\"/><import file=\"f" + number(i + 2) + "\"/></isa>";
  };
  const LoadedModel loaded = load_model_text("f0", "<isa><import file=\"f1\"/><import file=\"f2\"/></isa>", options);
  EXPECT_FALSE(loaded.ok());
  EXPECT_LE(opened, max_source_files);
  EXPECT_LE(loaded.files.size(), max_source_files);
}

TEST(Bounds, bytes_of_all_files_are_counted_together) {
  LoadOptions options;
  options.read = [](const std::string&) { return "<isa>" + std::string(max_source_bytes / 4, ' ') + "</isa>"; };
  const std::string text =
      "<isa>" + repeated(8, [](std::size_t i) { return "<import file=\"f" + number(i) + "\"/>"; }) + "</isa>";
  const LoadedModel loaded = load_model_text("top", text, options);
  EXPECT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.files[4].diagnostics.all().front().rule, "limit-exceeded");
}

}  // namespace
}  // namespace vireo::isa
