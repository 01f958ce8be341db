// SPDX-License-Identifier: Apache-2.0
//
// Parts of a description that only the assembler uses: aliases, defaults, marks, names of custom fields.
// data/isa/spellings.xml contains each of them; each fault has a row.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "isa/assemble/assemblers.h"
#include "isa/model/rules.h"
#include "outside.h"
#include "vireo/isa/custom_names.h"

namespace vireo::isa {
namespace {

LoadedModel spellings() { return load_model((outside::source_folder() / "data/isa/spellings.xml").string()); }

struct Spelling {
  std::string_view text;
  std::string_view hex;
  std::string_view printed;  // the text that the decoder prints; empty: the same text
};
constexpr Spelling spelling_rows[] = {
    {"add r1, r2", "1091", ""},  // MODE has its default
    {"plus r1, r2", "1091", "add r1, r2"},
    {"add sp, link", "10be", "add r6, r7"},
    {"plus  lr,r7", "10bf", "add r7, r7"},
    {"ret", "2007", "jr r7"},
    {"jr lr", "2007", "jr r7"},
    {"goto (r3)", "2003", "jr r3"},
    {"store sp, [--sp]", "c006", "push r6"},
    {"push.w r6", "c006", "push r6"},
    {"inc r1", "4ff9", ""},     // the canonical one of two words
    {"wait 12", "510c", ""},    // the other word is marked `never`
    {"mul r2", "b0da", ""},     // both hidden fields have their defaults
    {"b 2", "9010", ""},        //
    {"b.al 2", "9010", "b 2"},  // an alias of the empty text
    {"b.z -1", "97f9", "b.eq -1"},
    {"cmp $3, r1", "a01b", "cmp #3, r1"},
    {"cmp sp, $0x7", "a0f6", "cmp r6, #7"},
    {"cmp #3, $3", "a0bb", "cmp #3, #3"},
    {"get r1, @STATUS", "8081", ""},
    {"get r1, 0x10", "8081", "get r1, @STATUS"},
    {"get r1, @STATUS+1", "8089", "get r1, @EPOCH"},
    {"get r1, 0x012", "8091", ""},
};

TEST(Spellings, assemble_to_the_word_with_the_canonical_text) {
  const LoadedModel loaded = spellings();
  ASSERT_TRUE(loaded.ok());
  const Decoder decoder(loaded.model, {});
  CustomNames names(loaded.model);
  Assembler assembler(decoder, {.custom = &names, .listener = &names});
  Printer printer(decoder, {.listener = &names});
  for (const Spelling& row : spelling_rows) {
    AssembledLine line;
    ASSERT_TRUE(assembler.assemble_line(row.text, line)) << row.text << ": " << line.fault.message;
    EXPECT_EQ(to_hex(line.word), row.hex) << row.text;
    std::string printed;
    ASSERT_TRUE(printer.print_word(line.word.words(), line.word.width(), printed));
    EXPECT_EQ(printed, row.printed.empty() ? row.text : row.printed) << row.hex;
  }
}

TEST(Spellings, do_not_bypass_the_asserts_of_a_case) {
  const LoadedModel loaded = spellings();
  const Decoder decoder(loaded.model, {});
  Assembler assembler(decoder, {});
  for (const std::string_view text : {"halt", "goto (r7)", "ret r7", "store r6, [--r6]", "plus.w r1, r2", "b.zz 1"}) {
    AssembledLine line;
    EXPECT_FALSE(assembler.assemble_line(text, line)) << text << ": " << to_hex(line.word);
  }
}

// A leaf marked `never` is decoded as usual, but it is not suggested as another word of a text.
TEST(Spellings, do_not_change_decoding) {
  const LoadedModel loaded = spellings();
  const Decoder decoder(loaded.model, {});
  Printer printer(decoder, {});
  Assembler assembler(decoder, {.reports_ambiguity = true});
  const struct {
    Bits word;
    std::string_view text;
    std::size_t others;
  } rows[] = {{Bits(16, 0x6000), "halt", 0}, {Bits(16, 0x500c), "wait 12", 0}, {Bits(16, 0x3001), "inc r1", 1}};
  for (const auto& row : rows) {
    std::string printed;
    EXPECT_TRUE(printer.print_word(row.word.words(), 16, printed));
    EXPECT_EQ(printed, row.text);
    AssembledLine line;
    const bool is_made = assembler.assemble_line(row.text, line);
    EXPECT_EQ(is_made, row.text != "halt");
    EXPECT_EQ(is_made ? line.others.size() : 0, row.others) << row.text;
  }
}

TEST(Spellings, are_rows_of_the_model) {
  const LoadedModel loaded = spellings();
  const Model& model = loaded.model;
  const auto default_of = [&](std::string_view bitset, std::string_view name) -> std::optional<BitWord> {
    for (const Field& field : model.fields(model.cases(model[model.find_bitset(bitset)]).back())) {
      if (model.text(field.name) == name) return field.default_value;
    }
    return std::nullopt;
  };
  EXPECT_EQ(default_of("add", "MODE"), BitWord{2});
  EXPECT_EQ(default_of("mul", "BIAS"), BitWord{13});  // -3 in four bits
  EXPECT_EQ(default_of("add", "DST"), std::nullopt);
  EXPECT_EQ(model.aliases(model[model.find_bitset("add")]).front().text, "plus");
  EXPECT_EQ(model.aliases(model.cases(model[model.find_bitset("jr")]).front()).front().text, "ret");
  EXPECT_EQ(model.assembly_mark(model[model.find_bitset("halt")]), AssemblyMark::Never);
  EXPECT_EQ(model.assembly_mark(model[model.find_bitset("add")]), AssemblyMark::Normal);
  ASSERT_EQ(model.custom_names().size(), 2u);
  EXPECT_EQ(model.custom_names()[1].name, "EPOCH");
}

TEST(Spellings, in_a_file_override_those_of_the_description) {
  CustomNames names(spellings().model);
  Diagnostics diagnostics;
  EXPECT_TRUE(names.add("CONTROL\t0x10\tOTHER\n\ncontrol\t18\tSTATUS\r\n", diagnostics));
  EXPECT_TRUE(names.add("control\t0x10\tLATE\n", diagnostics));
  const struct {
    std::uint64_t value;
    std::string_view text;
  } rows[] = {{0x10, "@OTHER"}, {0x11, "@EPOCH"}, {18, "@STATUS"}, {0x13, "0x013"}};
  for (const auto& row : rows) {
    std::string text;
    names.custom("CONTROL", row.value, text);
    EXPECT_EQ(text, row.text);
    std::vector<CustomReader::Reading> readings;
    names.read("Control_2", row.text, readings);
    ASSERT_EQ(readings.size(), 1u) << row.text;
    EXPECT_EQ(readings.front().value, row.value);
  }
  EXPECT_FALSE(names.add("control\t1\n", diagnostics));
  EXPECT_EQ(diagnostics.all().front().rule, rule::malformed_input);
}

// --- faults -------------------------------------------------------------------------------------------------------------

// Inside a root of eight bits with an enum `#e`; `!` marks the reported place.
struct Fault {
  std::string_view rule;
  std::string_view text;
};
constexpr Fault fault_rows[] = {
    {rule::bad_default, R"(<field name="X" low="0" high="7" type="uint" vireo-default="!256"/>)"},
    {rule::bad_default, R"(<field name="X" low="0" high="7" type="uint" vireo-default="!-1"/>)"},
    {rule::bad_default, R"(<field name="X" low="0" high="7" type="int" vireo-default="!-129"/>)"},
    {rule::malformed_value, R"(<field name="X" low="0" high="7" type="int" vireo-default="!ten"/>)"},
    {rule::bad_default, R"(<override><expr>{X}</expr><field name="!Y" pos="0" type="uint" vireo-default="1"/></override>
                           <field name="X" low="0" high="7" type="uint"/>)"},
    {rule::malformed_value, R"(<override vireo-assembly="!always"><expr>{X}</expr></override>
                               <field name="X" low="0" high="7" type="uint"/>)"},
    {rule::competing_marks, R"(<override vireo-assembly="canonical"><expr>{X} == 1</expr></override>
                               <!override vireo-assembly="canonical"><expr>{X} == 2</expr></override>
                               <field name="X" low="0" high="7" type="uint"/>)"},
    {rule::misplaced_alias, R"(<override><expr>{X}</expr><!vireo-alias>b</vireo-alias></override>
                               <field name="X" low="0" high="7" type="uint"/>)"},
    {rule::misplaced_alias, R"(<override><expr>{X}</expr><!vireo-alias name="b"/></override>
                               <field name="X" low="0" high="7" type="uint"/>)"},
    {rule::malformed_value, R"(<!vireo-alias/><field name="X" low="0" high="7" type="uint"/>)"},
    {rule::ambiguous_alias, R"(<vireo-alias>!{NAME}</vireo-alias><field name="X" low="0" high="7" type="uint"/>)"},
    {rule::ambiguous_alias, R"(<vireo-alias name="!a"/><field name="X" low="0" high="7" type="uint"/>)"},
    {rule::ambiguous_alias,
     R"(<vireo-alias name="b"/><vireo-alias name="!b"/>
                               <field name="X" low="0" high="7" type="uint"/>)"},
    {rule::malformed_display, R"(<vireo-alias>a !{X</vireo-alias><field name="X" low="0" high="7" type="uint"/>)"},
    {rule::unresolved_field, R"(<vireo-alias>a !{Y}</vireo-alias><field name="X" low="0" high="7" type="uint"/>)"},
};

// In a document with a leaf `a`, at the top level.
constexpr Fault document_rows[] = {
    {rule::ambiguous_alias, R"(<enum name="#e"><value val="0" display="x"/>
                               <value val="1" display="y"><vireo-alias display="!x"/></value></enum>)"},
    {rule::ambiguous_alias, R"(<enum name="#e"><value val="0" display="x"><vireo-alias display="z"/></value>
                               <value val="1" display="y"><vireo-alias display="!z"/></value></enum>)"},
    {rule::ambiguous_alias, R"(<enum name="#e"><value val="0" display="x"><vireo-alias display="!x"/></value></enum>)"},
    {rule::missing_attribute, R"(<enum name="#e"><value val="0" display="x"><!vireo-alias/></value></enum>)"},
    {rule::duplicate_value,
     R"(<vireo-names><name kind="k" value="1" name="A"/>
                               <!name kind="k" value="0x1" name="B"/></vireo-names>)"},
    {rule::duplicate_name,
     R"(<vireo-names><name kind="k" value="1" name="A"/>
                              <!name kind="k" value="2" name="A"/></vireo-names>)"},
    {rule::malformed_value, R"(<vireo-names><name kind="k" value="1" name="!A B"/></vireo-names>)"},
    {rule::ambiguous_alias, R"(<bitset name="c" extends="#instruction"><vireo-alias name="!a"/>
                               <display>{NAME}</display><pattern low="0" high="7">00000011</pattern></bitset>)"},
    {rule::misplaced_alias, R"(<bitset name="c" extends="#instruction"><vireo-alias name="!d"/>
                               <display>c</display><pattern low="0" high="7">00000011</pattern></bitset>)"},
    {rule::misplaced_alias, R"(<bitset name="#p" extends="#instruction"><vireo-alias name="!d"/></bitset>
                               <bitset name="c" extends="#p">
                               <display>{NAME}</display><pattern low="0" high="7">00000011</pattern></bitset>)"},
    {rule::competing_marks, R"(<bitset name="#p" extends="#instruction" vireo-assembly="canonical">
                               <display>{NAME}</display></bitset>
                               <bitset name="c" extends="#p"><pattern low="0" high="7">00000011</pattern></bitset>
                               <bitset name="!d" displayname="c" extends="#p">
                               <pattern low="0" high="7">00000100</pattern></bitset>)"},
};

void expect_fault(const Fault& row, std::string text) {
  const std::size_t mark = text.find('!');
  text.erase(mark, 1);
  const LoadedModel loaded = load_model_text("test.xml", text);
  std::vector<Diagnostic> all = loaded.files.front().diagnostics.all();
  std::erase_if(all, [](const Diagnostic& d) { return d.rule == rule::bad_size; });  // Mesa requires 32 bits
  ASSERT_EQ(all.size(), 1u) << row.text;
  EXPECT_EQ(all.front().rule, row.rule) << row.text;
  EXPECT_EQ(all.front().where.begin, mark) << row.text << ": " << all.front().message;
}

TEST(Spellings, invalid_ones_are_reported_with_rule_and_place) {
  const std::string begin = R"(<isa><bitset name="#instruction" size="8"/>)";
  for (const Fault& row : fault_rows) {
    expect_fault(row, begin + R"(<bitset name="a" extends="#instruction"><display>{NAME}</display>)" +
                          std::string(row.text) + "</bitset></isa>");
  }
  for (const Fault& row : document_rows) {
    expect_fault(row, begin + R"(<bitset name="a" extends="#instruction"><display>{NAME}</display>
        <pattern low="0" high="7">00000001</pattern></bitset>)" +
                          std::string(row.text) + "</isa>");
  }
}

// Forms of one instruction may share an alias, and so may generations that do not overlap.
TEST(Spellings, may_be_shared_without_ambiguity) {
  for (const std::string_view form :
       {R"(<bitset name="c" displayname="a" extends="#instruction"><vireo-alias name="x"/>)",
        R"(<bitset name="c" extends="#instruction"><gen min="5"/><vireo-alias name="x"/>)"}) {
    const LoadedModel loaded = load_model_text(
        "test.xml", std::string(R"(<isa><bitset name="#instruction" size="8"/>
        <bitset name="a" extends="#instruction"><gen max="9"/><display>{NAME}</display><vireo-alias name="x"/>
        <pattern low="0" high="7">00000001</pattern></bitset>)") +
                        std::string(form) +
                        R"(<display>{NAME} !</display><pattern low="0" high="7">00000010</pattern></bitset></isa>)");
    EXPECT_EQ(loaded.ok(), form.find("displayname") != std::string_view::npos);
  }
}

}  // namespace
}  // namespace vireo::isa
