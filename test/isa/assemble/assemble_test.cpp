// SPDX-License-Identifier: Apache-2.0
//
// The assembler, one property at a time, with short descriptions.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "isa/assemble/assemblers.h"
#include "outside.h"
#include "vireo/isa/custom_names.h"

namespace vireo::isa {
namespace {

std::filesystem::path teaching(std::string_view name) {
  return outside::source_folder() / "data/isa" / (std::string(name) + ".xml");
}

struct AssembleRow {
  std::string_view text;
  std::string_view result;
};

void check(BothWays& both, std::span<const AssembleRow> rows) {
  for (const AssembleRow& row : rows) EXPECT_EQ(both.word_of(row.text), row.result) << row.text;
}

// --- one line -----------------------------------------------------------------------------------------------------------

TEST(Assembler, reads_what_the_disassembler_prints) {
  BothWays both(teaching("tiny16"), 0);
  constexpr AssembleRow rows[] = {
      {"mov r1, #5", "0035"}, {"add r3, r2", "0462"}, {"add r3, #-8", "0478"},
      {"b.nz -1", "22ff"},    {"b 3", "2003"},        {"b3 3", "2303"},  // a condition without a name
  };
  check(both, rows);
}

TEST(Assembler, accepts_blanks_of_displays_and_between_tokens) {
  BothWays both(teaching("tiny16"), 0);
  constexpr AssembleRow rows[] = {
      {"  add   r3,\tr2  ", "0462"},
      {"add r3,r2", "0462"},
      {"add r3 , r2", "0462"},
      {"b .nz -1", "22ff"},
      {"addr3, r2", "error: 4: expected a space, found 'r3'"},
  };
  check(both, rows);
}

TEST(Assembler, accepts_other_spellings_of_numbers) {
  BothWays both(teaching("mixed"), 0);
  constexpr AssembleRow rows[] = {
      {"li r1, 0x10", "01000000100b"},
      {"li r1, 0x0010", "01000000100b"},
      {"li r1, 16", "01000000100b"},
  };
  check(both, rows);
  EXPECT_EQ(both.word_of("li r1, 0xFF"), both.word_of("li r1, 255"));
  EXPECT_EQ(both.word_of("addi r1, r2, 0x7ff"), both.word_of("addi r1, r2, 2047"));
}

TEST(Assembler, chooses_the_encoding_with_the_fewest_steering_bits) {
  // `nop` is any move of an operand to itself, so its text leaves the operand open. The lowest word is chosen.
  BothWays both(teaching("tiny16"), 0, false, true);
  AssembledLine line;
  ASSERT_TRUE(both.assembler().assemble_line("nop", line));
  EXPECT_EQ(to_hex(line.word), "0000");
  EXPECT_FALSE(line.others.empty());
  for (const Bits& other : line.others) EXPECT_EQ(both.clean_text(other), "nop");
}

TEST(Assembler, prefers_the_word_that_prints_the_same_text) {
  // `r05` is either r5 with an unusual spelling, or r0 with a flag that is printed as 5.
  BothWays both(BothWays::Description{R"(<isa>
    <enum name="#mode"><value val="0" display=""/><value val="1" display=".x"/></enum>
    <bitset name="#instruction" size="16"/>
    <bitset name="use" extends="#instruction">
      <display>{NAME} r{REG}{MODE}</display>
      <field name="REG" low="0" high="3" type="uint"/>
      <field name="MODE" low="4" high="6" type="#mode"/>
      <pattern low="7" high="15">000000000</pattern>
    </bitset></isa>)"},
                0);
  EXPECT_EQ(both.word_of("use r05"), "0050");
  EXPECT_EQ(both.word_of("use r5"), "0005");
  EXPECT_EQ(both.word_of("use r12"), "000c");
  EXPECT_EQ(both.word_of("use r0.x"), "0010");
}

TEST(Assembler, inverts_computed_fields) {
  BothWays both(BothWays::Description{R"(<isa>
    <bitset name="#instruction" size="32"/>
    <bitset name="a" extends="#instruction">
      <display>{NAME} {OFFSET} {COUNT} w{SIZE}</display>
      <derived name="OFFSET" type="int" width="12"><expr>{HIGH} &lt;&lt; 8 | {LOW}</expr></derived>
      <derived name="COUNT" type="uint"><expr>{COUNT_MINUS_ONE} + 1</expr></derived>
      <derived name="SIZE" type="uint"><expr>32 &lt;&lt; {LOG}</expr></derived>
      <field name="LOW" low="0" high="7" type="uint"/>
      <field name="HIGH" low="8" high="11" type="uint"/>
      <field name="COUNT_MINUS_ONE" low="12" high="23" type="uint"/>
      <field name="LOG" low="24" high="25" type="uint"/>
      <pattern low="26" high="31">000000</pattern>
    </bitset></isa>)"},
                0);
  EXPECT_EQ(both.word_of("a -1 1 w32"), "00000fff");
  EXPECT_EQ(both.word_of("a 258 4096 w256"), "03fff102");
  EXPECT_EQ(both.word_of("a 0 0 w32"), "error: 1: no instruction word prints this text");
  EXPECT_EQ(both.word_of("a 0 4097 w32"), "error: 1: no instruction word prints this text");
  EXPECT_EQ(both.word_of("a 0 1 w48"), "error: 8: '48' is not valid here: no instruction word has this text here");
}

TEST(Assembler, finds_hidden_bits_that_steer_a_display) {
  // WIDE is never shown. The `w` before a register and the bound of the number both depend on it.
  BothWays both(BothWays::Description{R"(<isa>
    <bitset name="#instruction" size="16"/>
    <bitset name="a" extends="#instruction">
      <override><expr>{WIDE}</expr><display>{NAME} w{REG}, {REST}</display></override>
      <display>{NAME} r{REG}, {REST}</display>
      <field name="REG" low="0" high="2" type="uint"/>
      <field name="REST" low="3" high="7" type="uint"/>
      <field name="WIDE" pos="8" type="bool"/>
      <pattern low="9" high="15">0000000</pattern>
    </bitset></isa>)"},
                0);
  EXPECT_EQ(both.word_of("a r1, 2"), "0011");
  EXPECT_EQ(both.word_of("a w1, 2"), "0111");
}

TEST(Assembler, sets_hidden_bits_to_their_forced_value) {
  BothWays both(BothWays::Description{R"(<isa>
    <bitset name="#instruction" size="8"/>
    <bitset name="a" extends="#instruction">
      <display>{NAME} {X}</display>
      <field name="X" low="0" high="3" type="uint"/>
      <field name="HIDDEN" low="4" high="6" type="uint"/>
      <pattern pos="7">1</pattern>
      <encode><map name="HIDDEN" force="true">5</map></encode>
    </bitset></isa>)"},
                0);
  EXPECT_EQ(both.word_of("a 3"), "d3");
}

TEST(Assembler, reads_floats_as_the_nearest_value) {
  BothWays both(teaching("numbers"), 0);
  EXPECT_EQ(both.word_of("1.500000 0.333252"), "020035553fc00000");
  EXPECT_EQ(both.word_of("1.5 0.3333"), "020035553fc00000");
  EXPECT_EQ(both.word_of("-inf nan"), "02007e00ff800000");
  EXPECT_EQ(both.word_of("-0.000000 65504.000000"), "02007bff80000000");
}

TEST(Assembler, reads_floats_outside_the_double_range_as_zero_or_infinity) {
  // The result depends on the value of the number and not on its spelling.
  BothWays both(teaching("numbers"), 0);
  const std::string zeros(400, '0');
  const struct {
    std::string text, word;
  } rows[] = {
      {"1e-400 1e400", "02007c0000000000"},
      {"1E-400 1E400", "02007c0000000000"},
      {"0." + zeros + "1 1" + zeros, "02007c0000000000"},
      {"1" + zeros + "e-1 0." + zeros + "1e1", "020000007f800000"},
      {"1" + zeros + "e-400 -0." + zeros + "1e400", "0200ae663f800000"},
      {"-0." + zeros + "1 -1" + zeros + "e-1", "0200fc0080000000"},
  };
  for (const auto& row : rows) EXPECT_EQ(both.word_of(row.text), row.word) << row.text;
}

TEST(Assembler, reads_a_float_without_a_point_if_no_integer_is_possible) {
  BothWays finch(teaching("finch"), 2);
  constexpr AssembleRow rows[] = {
      {"fmov r1, 100.0", "42c8000000000423"},
      {"fmov r1, 100", "42c8000000000423"},
      {"fmov r1,+1e2", "42c8000000000423"},
      {"fmov r1, -007", "c0e0000000000423"},
      {"fmov r1, 0x42c80000 (100)", "42c8000000000423"},
      {"fmov r1, 0x42c80000 (101)", "error: 22: '101' is not valid here: no instruction word has this text here"},
      {"fmov r1, 0x64", "error: 14: expected '(', found the end of the line"},  // its value or its bits?
      {"fmul r1, r2, #2", "46400821"},
      {"fmul r1, r2, 100", "42c8000000022423"},
      {"mov r1, 100", "0000006400000023"},  // hexadecimal like its display, except for the prefix
  };
  check(finch, rows);
  // Both leaves have the same text: an integer needs its printed spelling, a float does not.
  BothWays both(BothWays::Description{R"(<isa>
    <bitset name="#instruction" size="40"><display>a {X}</display></bitset>
    <bitset name="f" extends="#instruction">
      <field name="X" low="0" high="31" type="float"/><pattern low="32" high="39">00000000</pattern></bitset>
    <bitset name="i" extends="#instruction">
      <field name="X" low="0" high="31" type="int"/><pattern low="32" high="39">00000001</pattern></bitset>
    </isa>)"},
                0);
  EXPECT_EQ(both.word_of("a 2"), "0100000002");
  EXPECT_EQ(both.word_of("a 2.0"), "0040000000");
  EXPECT_EQ(both.word_of("a 1e2"), "0042c80000");
}

TEST(Assembler, rejects_custom_readers_that_read_past_the_text) {
  // A faulty reader that claims to have read more bytes than are left.
  class Careless final : public CustomReader {
   public:
    void read(std::string_view, std::string_view text, std::vector<Reading>& readings) override {
      readings.push_back({text.size() + excess, 0x123});
    }
    std::size_t excess = 0;
  } careless;
  const LoadedModel loaded = load_model(teaching("numbers").string());
  const Decoder decoder(loaded.model, {});
  Assembler assembler(decoder, {.custom = &careless});
  for (const std::size_t excess : {std::size_t{0}, std::size_t{1}, ~std::size_t{0} / 2 + 1}) {
    careless.excess = excess;
    AssembledLine line;
    EXPECT_FALSE(assembler.assemble_line("own 0x123, 0x123", line)) << excess;
    EXPECT_EQ(line.fault.rule, "malformed-instruction") << excess;
  }
}

TEST(Assembler, ends_a_custom_number_at_the_next_field) {
  const LoadedModel loaded = load_model_text("x", R"(<isa><bitset name="#instruction" size="32">
    <display>{A}{B}{N}</display><field name="A" low="0" high="11" type="custom"/>
    <field name="B" low="12" high="27" type="custom"/><field name="N" low="28" high="31" type="uint"/></bitset></isa>)");
  const Decoder decoder(loaded.model, {});
  CustomNames names(loaded.model);
  Printer printer(decoder, {.listener = &names});
  Assembler assembler(decoder, {.custom = &names, .listener = &names});
  for (const BitWord word : {0x00000000u, 0x00046118u, 0x90001001u, 0xfffffeffu, 0x00fff0f0u}) {
    std::string text;
    printer.print_word({&word, 1}, 32, text);
    AssembledLine line;
    EXPECT_TRUE(assembler.assemble_line(text, line)) << text;
    // `0x01` and `0` after it are also digits of other fields. The word must print the same line.
    std::string again;
    printer.print_word(line.word.words(), 32, again);
    EXPECT_EQ(again, text);
  }
}

TEST(Assembler, accepts_raw_words) {
  BothWays both(teaching("tiny16"), 0);
  EXPECT_EQ(both.word_of("no match: ffff"), "ffff");
  EXPECT_EQ(both.word_of("no match: 12345"), "error: 1: expected a hexadecimal number of at most 4 digits");
  EXPECT_EQ(both.word_of("raw 0xffff"),
            "error: 1: 'raw' requires an instruction size that is a multiple of 32 bits; this one has 16; write 'no "
            "match: HEX'");
  BothWays wide(teaching("vliw64"), 0);
  // Mesa's tests print the low half first.
  EXPECT_EQ(wide.word_of("raw 0x0123456789ABCDEF"), "89abcdef01234567");
  EXPECT_EQ(wide.word_of("raw 0x1"), "error: 1: expected a hexadecimal number of exactly 16 digits");
}

TEST(Assembler, reports_the_expected_token_and_column) {
  BothWays both(teaching("tiny16"), 0);
  constexpr AssembleRow rows[] = {
      {"mvo r1, #5", "error: 1: unknown instruction 'mvo'"},
      {"mov r1; #5", "error: 7: expected ',', found the end of the line"},  // what follows is a comment
      {"mov x1, #5", "error: 5: expected 'r' or '#', found 'x1'"},
      {"mov r1, #8", "error: 10: 8 is out of range: -8 to 7"},
      {"mov r8, #1", "error: 6: 8 is out of range: 0 to 7"},
      {"mov r1, #1 2", "error: 12: expected the end of the instruction, found '2'"},
      {"b somewhere", "error: 3: label 'somewhere' is not defined"},
      {"", "error: 1: expected an instruction"},
  };
  check(both, rows);
  AssembledLine line;
  EXPECT_FALSE(both.assembler().assemble_line("mvo r1, #5", line));
  EXPECT_EQ(line.fault.hint, "did you mean 'mov'?");
}

TEST(Assembler, reports_the_generations_of_an_instruction) {
  constexpr std::string_view description = R"(<isa>
    <bitset name="#instruction" size="8"/>
    <bitset name="old" extends="#instruction"><gen max="5"/>
      <display>{NAME}</display><pattern low="0" high="7">00000001</pattern></bitset>
    <bitset name="new" extends="#instruction"><gen min="6"/>
      <display>{NAME}</display><pattern low="0" high="7">00000001</pattern></bitset></isa>)";
  BothWays both(BothWays::Description{description}, 5);
  EXPECT_EQ(both.word_of("old"), "01");
  AssembledLine line;
  EXPECT_FALSE(both.assembler().assemble_line("new", line));
  ASSERT_EQ(line.fault.notes.size(), 1u);
  EXPECT_EQ(line.fault.notes.front(), "the line is valid in generation 6");
}

TEST(Assembler, terminates_on_exponentially_ambiguous_text) {
  // Each A is one of two fields or absent: exponentially many paths.
  std::string display = "{NAME} ";
  std::string fields;
  for (int i = 0; i < 48; ++i) {
    display += "{F" + std::to_string(i) + "}";
    fields +=
        "<field name=\"F" + std::to_string(i) + "\" pos=\"" + std::to_string(i) + "\" type=\"bool\" display=\"x\"/>";
  }
  const std::string description =
      "<isa><bitset name=\"#instruction\" size=\"64\"/><bitset name=\"a\" extends=\"#instruction\"><display>" +
      display + "</display>" + fields + "<pattern low=\"48\" high=\"63\">0000000000000001</pattern></bitset></isa>";
  BothWays both(BothWays::Description{description}, 0);
  AssembledLine line;
  EXPECT_TRUE(both.assembler().assemble_line("a xxxxxxxxxxxxxxxxxxxxxxxx", line));
  EXPECT_FALSE(line.is_complete);
  EXPECT_FALSE(both.assembler().assemble_line("a xxxxxxxxxxxxxxxxxxxxxxxxy", line));
  EXPECT_FALSE(both.assembler().assemble_line(std::string(5000, 'x'), line));
  EXPECT_EQ(line.fault.message, "a line has at most 4096 bytes");
}

// --- programs -----------------------------------------------------------------------------------------------------------

TEST(AssembledPrograms, have_labels_forward_and_backward) {
  BothWays both(teaching("flow"), 0);
  EXPECT_EQ(both.program_of("start:\n"
                            "jump end     ; forward\n"
                            "jump start   // backward\n"
                            "goto end\n"
                            "\n"
                            "call start\n"
                            "end: nop\n"),
            "01000004 01ffffff 02000004 03000000 00000000");
}

TEST(AssembledPrograms, keep_words_literals_and_padding) {
  BothWays both(teaching("flow"), 0);
  EXPECT_EQ(both.program_of("[12345678]\nno match: ffffffff\n[#here]\n.align 32\nhere:\nnop\n"),
            "12345678 ffffffff 00000008 00000000 00000000 00000000 00000000 00000000 00000000");
}

TEST(AssembledPrograms, have_separate_labels_in_each_section) {
  BothWays both(teaching("flow"), 0);
  EXPECT_EQ(both.program_of("a: goto a\n.section two\nnop\na: goto a\n"), "02000000 00000000 02000001");
}

TEST(AssembledPrograms, report_all_faults_with_their_places) {
  BothWays both(teaching("flow"), 0);
  EXPECT_EQ(both.program_of("a:\n  jmup a\na: jump nowhere\n.align 3\n.section\nnop 1\n"),
            "2:3: unknown instruction 'jmup'\n"
            "3:1: label 'a' is defined twice\n"
            "3:9: label 'nowhere' is not defined\n"
            "4:1: expected '.align' and a number of bytes that is a multiple of 4 and at most 1048576\n"
            "5:1: expected a section name\n"
            "6:5: expected the end of the instruction, found '1'\n");
}

TEST(AssembledPrograms, resolve_labels_with_instructions_of_several_sizes) {
  BothWays both(teaching("mixed"), 0);
  // c.b is short, li has three units: the label is at unit 5.
  EXPECT_EQ(both.program_of("c.b end\nli r1, 0x5\nc.nop\nend:\ncall end\n"),
            both.program_of("c.b 5\nli r1, 0x5\nc.nop\ncall 5\n"));
}

TEST(AssembledPrograms, size_raw_words_by_their_digits) {
  // One root, whose instructions have two units: a program may end, or contain data, in the middle of one.
  BothWays both(BothWays::Description{R"(<isa>
    <encoding unit="16"><root name="#w"/></encoding>
    <bitset name="#w" size="32"/>
    <bitset name="br" extends="#w"><display>{NAME} {TO}</display>
      <field name="TO" low="0" high="15" type="branch"/><pattern low="16" high="31">0000000000000001</pattern></bitset>
    </isa>)"},
                0);
  constexpr AssembleRow rows[] = {
      {"br end\nno match: 1234\nend:\nbr end", "00010003 1234 00010000"},
      {"br end\nno match: 00001234\nend:\nbr end", "00010004 00001234 00010000"},
      {"br end\nraw 0x12345678\nend:\nbr end", "00010004 12345678 00010000"},
      {"br end\n[1234]\nend:\nbr end", "00010003 1234 00010000"},
      {"no match: 123456789", "1:1: expected a hexadecimal number of at most 8 digits\n"},
  };
  for (const AssembleRow& row : rows) EXPECT_EQ(both.program_of(row.text), row.result) << row.text;
}

TEST(AssembledPrograms, equal_the_assembly_of_their_listing) {
  BothWays both(teaching("flow"), 0);
  const std::string source = "f:\nloop r1, f\ncall f\njump g\nnop\ng:\ngoto g\nno match: 7fffffff\n";
  Diagnostics diagnostics;
  const AssembledProgram program = both.assembler().assemble(source, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.all().front().message;
  StringSink text;
  Printer(both.decoder(), {.branch_labels = true}).print(program.bytes, text);
  EXPECT_EQ(both.assembler().assemble(text.text(), diagnostics).bytes, program.bytes) << text.text();
}

}  // namespace
}  // namespace vireo::isa
