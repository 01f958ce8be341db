// SPDX-License-Identifier: Apache-2.0
//
// Encoding from values: the word, shown by its decoded text, or the faults.
#include "vireo/isa/encode.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "outside.h"
#include "vireo/isa/load.h"
#include "vireo/isa/print.h"

namespace vireo::isa {
namespace {

/// A description with an encoder.
class Set {
 public:
  explicit Set(std::string_view file, std::uint32_t gen = 0)
      : Set(load_model((outside::source_folder() / "data/isa" / file).string()), gen) {}
  static Set of_text(std::string_view text, std::uint32_t gen = 0) {
    return Set(load_model_text("x", std::string(text)), gen);
  }

  [[nodiscard]] const Encoder& encoder() const { return *encoder_; }
  [[nodiscard]] std::string text_of(const Bits& word) const {
    std::string text;
    printer_->print_word(word.words(), word.width(), text);
    return text;
  }

 private:
  Set(LoadedModel loaded, std::uint32_t gen) : loaded_(std::make_unique<LoadedModel>(std::move(loaded))) {
    EXPECT_TRUE(loaded_->ok());
    decoder_ = std::make_unique<Decoder>(loaded_->model, DecodeOptions{.gen = gen});
    printer_ = std::make_unique<Printer>(*decoder_, PrintOptions{});
    encoder_ = std::make_unique<Encoder>(*decoder_);
  }
  std::unique_ptr<LoadedModel> loaded_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<Printer> printer_;
  std::unique_ptr<Encoder> encoder_;
};

// "DST=3 SRC=#immediate" as settings with their positions in the text. `?` is a blank.
std::vector<FieldSetting> settings_of(std::string_view text) {
  std::vector<FieldSetting> settings;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::size_t equals = word.find('=');
    const std::string_view value = word.substr(equals + 1);
    settings.push_back({std::string(word.substr(0, equals)), value == "?" ? FieldValue(Blank{}) : FieldValue(value),
                        Location::in_text(at, end)});
    at = end + 1;
  }
  return settings;
}

// The text of the word and its digits, or all faults as "RULE@PLACE: MESSAGE; HINT".
std::string outcome(const Set& set, std::string_view leaf, std::string_view settings) {
  Diagnostics diagnostics;
  const Result<Bits> word = set.encoder().encode(leaf, settings_of(settings), diagnostics);
  if (word) {
    EXPECT_TRUE(diagnostics.all().empty());
    return set.text_of(*word);
  }
  std::string faults;
  for (const Diagnostic& fault : diagnostics.all()) {
    if (!faults.empty()) faults += " | ";
    faults += std::string(fault.rule) + "@" + std::to_string(fault.where.begin) + ": " + fault.message;
    for (const Note& note : fault.notes) faults += "; " + note.message;
    if (!fault.hint.empty()) faults += "; " + fault.hint;
  }
  return faults;
}

struct EncodeRow {
  std::string_view leaf;
  std::string_view settings;
  std::string_view outcome;
};

void check(const Set& set, std::span<const EncodeRow> rows) {
  for (const EncodeRow& row : rows) {
    EXPECT_EQ(outcome(set, row.leaf, row.settings), row.outcome) << row.leaf << ' ' << row.settings;
  }
}

// --- words --------------------------------------------------------------------------------------------------------------

TEST(Encode, finds_leaves_and_fields_by_name) {
  constexpr EncodeRow rows[] = {
      {"add", "DST=#register DST.NUMBER=3 SRC=#immediate SRC.VALUE=-8", "add r3, #-8"},
      {"add", "SRC.VALUE=-8 DST.NUMBER=3", "add r3, #-8"},  // the fields select the leaf
      {"sub", "DST=0x1f", "sub #-1, r0"},                   // the bits of a bitset, and a default
      {"mov", "DST=#immediate DST.VALUE=0", "mov #0, r0"},
      {"mov", "", "nop"},
      {"b", "COND=.nz TARGET=-128", "b.nz -128"},
      {"b", "COND=2 TARGET=+127", "b.nz 127"},
      {"b", "COND=3", "b3 0"},  // a number that is not in the enum
  };
  check(Set("tiny16.xml"), rows);
}

TEST(Encode, values_are_encoded_by_their_type) {
  constexpr EncodeRow rows[] = {
      {"types",
       "UINT=255 INT=-128 HEX=0xff OFFSET=-1 UOFFSET=3 BOOL=3 SHOWN=shown INVERSE=1 MISSING=missing COLOUR=green",
       "u=255 i=-128 h=ff o=[-1] p=[+3] b=3 s=[shown] n=0 m=[missing] c=green"},
      {"types", "SHOWN=true BOOL=false MISSING=true COLOUR=none", "u=0 i=0 h=0 o=[] p=[] b=0 s=[shown] n=1 m=[] c="},
      {"floats", "SINGLE=0.1 HALF=-1.5", "0.100000 -1.500000"},
      {"floats", "SINGLE=2 HALF=0x3c00", "2.000000 1.000000"},
      {"floats", "SINGLE=1e99 HALF=1e-9", "inf 0.000000"},
      {"floats", "SINGLE=-1e400 HALF=-1e-400", "-inf -0.000000"},  // outside the range of double
      {"derived", "PLAIN=3 B=4", "3 116 +3 0.000107"},
  };
  check(Set("numbers.xml"), rows);
}

TEST(Encode, fields_wider_than_a_word) {
  const Set set("wide.xml");
  Diagnostics faults;
  const Bits key = *parse_hex("0123456789abcdef0011223344556677", 128);
  EXPECT_EQ(set.text_of(*set.encoder().encode("key", {{"DST", 5}, {"KEY", key}}, faults)),
            "key k5, 0x123456789abcdef0011223344556677");
  EXPECT_EQ(set.text_of(*set.encoder().encode("move", {{"BY", -3}, {"AT", -1}}, faults)), "move k0, -3, at origin-1");
  EXPECT_EQ(set.text_of(*set.encoder().encode("move", {{"AT", std::numeric_limits<std::uint64_t>::max()}}, faults)),
            "move k0, 0, at origin+18446744073709551615");
  EXPECT_EQ(outcome(set, "key", "KEY=0xfedcba98765432100123456789abcdef"),
            "key k0, 0xfedcba98765432100123456789abcdef");
  EXPECT_EQ(outcome(set, "key", "KEY=0x1fedcba98765432100123456789abcdef"),
            "value-out-of-range@0: 0x1fedcba98765432100123456789abcdef is out of range for 'KEY': 128 bits");
}

TEST(Encode, nested_values_can_be_a_tree) {
  const Set set("vliw64.xml");
  Diagnostics faults;
  const FieldValue vector =
      NestedValue{"vadd", {{"DST", NestedValue{"", {{"NUMBER", 1}, {"LANE", "w"}}}}, {"A.NUMBER", 2}, {"B.NUMBER", 3}}};
  const Result<Bits> word = set.encoder().encode(
      "bundle", {{"VECTOR", vector}, {"SCALAR", "ld"}, {"SCALAR.OFFSET", -4}, {"JUMP.TARGET", 9}}, faults);
  ASSERT_TRUE(word.ok());
  EXPECT_EQ(set.text_of(*word), "  vadd v1.w, v2.x, v3.x   | ld s0, [s0-4]       | to 9");
}

TEST(Encode, fields_select_the_override) {
  constexpr EncodeRow rows[] = {
      {"load", "DST=1 ADDRESS.BASE=2 ADDRESS.OFFSET=-3", "load.h r1, [r2-3]"},
      {"load", "ADDRESS.INDEX=3", "load.h r0, [r0 + r3 * 2]"},  // so SCALE must not be 0
      {"load", "ADDRESS.INDEX=3 SCALE=2", "load.h r0, [r0 + r3 * 4]"},
      {"load", "ADDRESS.INDEX=3 SCALE=0",
       "no-word@0: a word with these values has no field 'ADDRESS': its override does not apply"},
      {"load", "BYTES=4", "load r0, [r0]"},
      {"load", "WIDTH=false ADDRESS.STEP=16", "load r0, [r0 + r0 * 16]"},
      {"set", "SPECIAL=$stack VALUE=-1", "set $stack, -1"},
      {"set", "DST=3 VALUE=7", "set r3, 7"},
      {"set", "DST=29", "set $cause, 0"},  // the shown text differs from the given value
      {"set", "DST=3 SPECIAL=$cause", "no-word@6: 'SPECIAL' and 'DST' share bits but have different values"},
  };
  check(Set("choices.xml"), rows);
}

TEST(Encode, derived_fields_are_solved_for) {
  // Sums, products, concatenated fields and conditions; each of the 32 bits depends on a given value.
  const Set set = Set::of_text(R"xml(<isa><bitset name="#instruction" size="32">
    <display>{SUM} {JOINED} {TIMES} {PICK}</display>
    <field name="A" low="0" high="7" type="uint"/><field name="B" low="8" high="15" type="uint"/>
    <field name="C" low="16" high="23" type="uint"/><field name="K" low="24" high="31" type="uint"/>
    <derived name="SUM" type="int" width="10"><expr>{A} + 5 - 512</expr></derived>
    <derived name="JOINED" type="hex"><expr>{C} &lt;&lt; 8 | {B}</expr></derived>
    <derived name="TIMES" type="uint"><expr>({A} + 1) * 32</expr></derived>
    <override><expr>{K} > 9</expr><derived name="PICK" type="uint"><expr>{K} - 10</expr></derived></override>
    <derived name="PICK" type="int" width="8"><expr>0 - {K}</expr></derived>
  </bitset></isa>)xml");
  constexpr EncodeRow rows[] = {
      {"#instruction", "SUM=-400 JOINED=0xbeef PICK=245", "-400 beef 3456 245"},
      {"#instruction", "TIMES=96 PICK=-9", "-505 0 96 -9"},
      {"#instruction", "PICK=245 K=255", "-507 0 32 245"},
      {"#instruction", "TIMES=97", "no-word@0: 'TIMES' would be 32 instead of 97, given the other values"},
      {"#instruction", "JOINED=0xbeef C=0xbe B=0xee",
       "no-word@0: 'JOINED' would be 48878 instead of 48879, given the other values"},
      {"#instruction", "SUM=512", "value-out-of-range@0: 512 is out of range for 'SUM': 10 bits, -512 to 511"},
  };
  check(set, rows);
}

// Mesa also applies the asserts of the default case to bits that the selected override uses.
TEST(Encode, only_asserts_of_the_selected_case_apply) {
  const Set set = Set::of_text(R"xml(<isa><bitset name="#instruction" size="32">
    <override><expr>{WIDE}</expr><display>wide {X}</display><field name="X" low="0" high="15" type="uint"/>
      <assert low="16" high="19">1001</assert></override>
    <override><expr>{MARK}</expr><assert low="20" high="21">11</assert></override>
    <display>narrow {X}</display><field name="X" low="0" high="7" type="uint"/><assert low="8" high="15">11111111</assert>
    <field name="REST" low="16" high="29" type="hex"/><field name="MARK" pos="30" type="bool"/>
    <field name="WIDE" pos="31" type="bool"/>
  </bitset></isa>)xml");
  Diagnostics faults;
  const auto word_of = [&](std::string_view settings) {
    const Result<Bits> word = set.encoder().encode("#instruction", settings_of(settings), faults);
    return word ? to_hex(*word) : faults.all().back().message;
  };
  EXPECT_EQ(word_of("X=7"), "0000ff07");
  EXPECT_EQ(word_of("X=7 WIDE=1"), "80090007");
  EXPECT_EQ(word_of("X=7 MARK=1"), "4030ff07");
  EXPECT_EQ(word_of("X=256"), "80090100") << "only the wide one has room for it";
  EXPECT_EQ(word_of("WIDE=1 REST=0"), "these values contradict the assert of '#instruction' for bits [19:16]");
  EXPECT_EQ(word_of("X=7 REST=0 MARK=1"), "these values contradict the assert of '#instruction' for bits [21:20]");
}

TEST(Encode, the_generation_selects_the_variant) {
  const EncodeRow rows[][2] = {
      {{"dec", "REG=5", "dec r5"}, {"dec", "TWICE=1", "unknown-field@0: 'dec' has no field 'TWICE'"}},
      {{"dec", "REG=5 TWICE=1", "dec r5, twice"},
       {"rev", "", "unknown-leaf@0: generation 2 has no instruction 'rev'; it exists in generation 3 and later"}},
      {{"rev", "REG=1", "rev x1"},
       {"swap.old", "", "unknown-leaf@0: generation 3 has no instruction 'swap.old'; it exists in generations 0 to 2"}},
  };
  for (std::uint32_t gen = 1; gen <= 3; ++gen) check(Set("gens.xml", gen), rows[gen - 1]);
}

TEST(Encode, instructions_of_several_sizes) {
  constexpr EncodeRow rows[] = {
      {"c.add", "DST=31 SRC=1", "c.add r31, r1"},
      {"addi", "VALUE=-2048", "addi r0, r0, -2048"},
      {"li", "DST=2 VALUE=0xdeadbeef", "li r2, 0xdeadbeef"},
  };
  check(Set("mixed.xml"), rows);
}

TEST(Encode, missing_fields_have_their_default) {
  // A forced map is a default. A bitset for which zero bits are not a valid leaf gets its first leaf, also if an
  // override introduces it.
  const Set set = Set::of_text(R"xml(<isa>
    <bitset name="#part" size="4"/>
    <bitset name="#one" extends="#part"><display>one{N}</display><pattern low="2" high="3">01</pattern>
      <field name="N" low="0" high="1" type="uint"/><encode><map name="N" force="true">3</map></encode></bitset>
    <bitset name="#two" extends="#part"><display>two</display><pattern low="0" high="3">1000</pattern></bitset>
    <bitset name="#instruction" size="32">
    <override><expr>{KIND} == 2</expr><display>{PART}{MORE}{UNIT}</display><field name="MORE" low="8" high="11" type="#part"/>
      <field name="X" low="12" high="15" type="uint"/></override>
    <display>{PART} {UNIT}</display>
    <field name="PART" low="0" high="3" type="#part"/><field name="UNIT" low="4" high="7" type="uint"/>
    <field name="KIND" low="16" high="31" type="uint"/><pattern low="8" high="15">xxxxxxxx</pattern>
    <encode><map name="UNIT" force="true">9</map></encode>
    </bitset></isa>)xml");
  constexpr EncodeRow rows[] = {
      {"#instruction", "", "one3 9"},
      {"#instruction", "UNIT=0 PART=#two", "two 0"},
      {"#instruction", "PART=#one", "one3 9"},
      {"#instruction", "PART.N=0", "one0 9"},
  };
  check(set, rows);
  Diagnostics faults;
  EXPECT_EQ(to_hex(*set.encoder().encode("#instruction", {{"KIND", 2}}, faults)), "00020797");
  EXPECT_EQ(to_hex(*set.encoder().encode("#instruction", {{"X", 1}}, faults)), "00021797");
}

// --- faults -------------------------------------------------------------------------------------------------------------

TEST(Encode, unknown_names_are_rejected) {
  constexpr EncodeRow rows[] = {
      {"ad", "", "unknown-leaf@0: generation 0 has no instruction 'ad'; did you mean 'add'?"},
      {"#alu", "",
       "unknown-leaf@0: generation 0 has no instruction '#alu'; '#alu' is not a leaf: other bitsets extend it"},
      {"add", "DTS=1", "unknown-field@0: 'add' has no field 'DTS'; did you mean 'DST'?"},
      {"add", "SRC=#register SRC.VALUE=1", "unknown-field@14: '#register' has no field 'VALUE'"},
      {"add", "SRC=#immediat",
       "unknown-leaf@0: 'SRC' has type #operand, which has no leaf '#immediat'; did you mean '#immediate'?"},
      {"b", "COND=.zz",
       "unknown-value@0: unknown value '.zz' of 'COND', which has type #condition; did you mean '.nz' or '.z'?"},
      {"b", "TARGET=here", "unknown-value@0: 'TARGET' requires a number, found 'here'"},
      {"b", "TARGET=12x", "unknown-value@0: 'TARGET' requires a number, found '12x'"},
      {"b", "TARGET=", "unknown-value@0: 'TARGET' requires a number, found ''"},
  };
  check(Set("tiny16.xml"), rows);
}

TEST(Encode, values_that_do_not_fit_are_rejected) {
  constexpr EncodeRow rows[] = {
      {"b", "TARGET=128", "value-out-of-range@0: 128 is out of range for 'TARGET': 8 bits, -128 to 127"},
      {"b", "TARGET=-129", "value-out-of-range@0: -129 is out of range for 'TARGET': 8 bits, -128 to 127"},
      {"b", "COND=4", "value-out-of-range@0: 4 is out of range for 'COND': 2 bits, 0 to 3"},
      {"b", "COND=-1", "value-out-of-range@0: -1 is out of range for 'COND': 2 bits, 0 to 3"},
      {"add", "SRC=32", "value-out-of-range@0: 32 is out of range for 'SRC': 5 bits, 0 to 31"},
      {"b", "TARGET=99999999999999999999",
       "value-out-of-range@0: 99999999999999999999 is out of range for 'TARGET': 8 bits, -128 to 127"},
      {"b", "TARGET.LOW=1", "unfit-value@0: 'TARGET' is not a bitset and has no fields"},
      {"b", "TARGET=1 TARGET=1", "field-given-twice@9: field 'TARGET' is set twice"},
      {"add", "SRC=3 SRC.VALUE=1", "field-given-twice@0: 'SRC' is set both as a whole and by its fields"},
      {"add", "SRC=#register DST=?", "unfit-value@14: 'DST' has no value"},
  };
  check(Set("tiny16.xml"), rows);
  const Set set("tiny16.xml");
  Diagnostics faults;
  EXPECT_FALSE(set.encoder().encode("b", {{"TARGET", 1.5}}, faults).ok());
  EXPECT_EQ(faults.all().back().message, "'TARGET' does not accept a floating-point number: its type is not float");
}

TEST(Encode, an_ambiguous_nested_leaf_is_rejected) {
  constexpr EncodeRow rows[] = {
      {"bundle", "VECTOR.DST.NUMBER=1",
       "unclear-leaf@0: several leaves of 'VECTOR' have these fields: vadd, vmul; select one: VECTOR=vadd"},
      {"bundle", "SCALAR.VALUE=1 SCALAR.BASE=1", "unclear-leaf@0: no leaf of 'SCALAR' has all these fields"},
  };
  check(Set("vliw64.xml"), rows);
}

TEST(Encode, all_faults_come_at_once) {
  EXPECT_EQ(outcome(Set("tiny16.xml"), "b", "COND=.zz TARGET=128 X=1"),
            "unknown-field@20: 'b' has no field 'X' | unknown-value@0: unknown value '.zz' of 'COND', which has type "
            "#condition; did "
            "you mean '.nz' or '.z'? | value-out-of-range@9: 128 is out of range for 'TARGET': 8 bits, -128 to 127");
}

TEST(Encode, a_word_that_matches_two_leaves_is_rejected) {
  constexpr EncodeRow rows[] = {
      {"both", "X=254", "both 254"},
      {"both", "X=255", "no-word@0: the word with these values is not 'both': both 'both' and 'either' match it"},
      {"strict", "A=#left B=#right C=#right", "strict LRR"},
      {"strict", "A=#left", "strict LLL"},
  };
  check(Set("faults.xml"), rows);
}

TEST(Encode, values_that_contradict_a_pattern_are_rejected) {
  const Set set = Set::of_text(R"xml(<isa><bitset name="#instruction" size="32">
    <override><expr>{M}</expr><display>{F}</display><field name="F" low="8" high="15" type="uint"/></override>
    <display>{M}</display><pattern low="8" high="11">0110</pattern><field name="M" low="12" high="31" type="uint"/>
    <pattern low="0" high="7">00000000</pattern></bitset></isa>)xml");
  constexpr EncodeRow rows[] = {
      {"#instruction", "F=0x16", "22"},
      {"#instruction", "F=1", "no-word@0: the value of 'F' contradicts a pattern"},
      {"#instruction", "F=6", "6"},  // the solver sets bits of M that are not in F
  };
  check(set, rows);
}

TEST(Encode, fields_with_conflicting_bits_are_named) {
  // Parts with the same bits and equal values do not conflict.
  const Set set = Set::of_text(R"xml(<isa><bitset name="#instruction" size="128">
    <override><expr>{S}</expr><display>{X}</display><field name="X" low="0" high="7" type="uint"/></override>
    <override><expr>{S}</expr><field name="Y" low="0" high="3" type="uint"/></override>
    <override><expr>{S}</expr><field name="Z" low="4" high="71" type="hex"/></override>
    <override><expr>{S}</expr><field name="V" low="64" high="79" type="hex"/></override>
    <display>{S}</display><field name="S" low="80" high="127" type="uint"/>
    <pattern low="6" high="7">00</pattern><pattern low="72" high="75">0000</pattern>
    <field name="A" low="0" high="5" type="uint"/><field name="B" low="8" high="71" type="hex"/>
    <field name="C" low="76" high="79" type="uint"/></bitset></isa>)xml");
  constexpr EncodeRow rows[] = {
      {"#instruction", "Y=1 X=0x31", "49"},
      {"#instruction", "Y=1 X=0xc1", "no-word@4: the value of 'X' contradicts a pattern"},
      {"#instruction", "Y=1 X=0xc2", "no-word@4: 'X' and 'Y' share bits but have different values"},
      {"#instruction", "Y=1 Z=0x00000000000000003 X=0x42",
       "no-word@26: 'X' and 'Y' share bits but have different values"},
      {"#instruction", "Y=1 Z=0x00000000000000003 X=0x01",
       "no-word@26: 'X' and 'Z' share bits but have different values"},
      {"#instruction", "Z=0x12000000000000003 V=0x0f12", "no-word@22: the value of 'V' contradicts a pattern"},
      {"#instruction", "Z=0x12000000000000003 V=0x0f13",
       "no-word@22: 'V' and 'Z' share bits but have different values"},
  };
  check(set, rows);
}

TEST(Encode, leaves_marked_never_are_not_encoded) {
  const Set set = Set::of_text(R"xml(<isa><bitset name="#instruction" size="32"/>
    <bitset name="old" extends="#instruction" vireo-assembly="never"><display>old</display>
      <pattern low="0" high="31">00000000000000000000000000000001</pattern></bitset>
    <bitset name="new" extends="#instruction"><display>new {X}</display>
      <override vireo-assembly="never"><expr>{X} == 3</expr><display>three</display></override>
      <field name="X" low="8" high="9" type="uint" vireo-default="3"/><field name="Y" low="10" high="31" type="uint"/>
      <derived name="BOTH" type="uint"><expr>{X} + {Y}</expr></derived>
      <pattern low="0" high="7">00000010</pattern></bitset></isa>)xml");
  constexpr EncodeRow rows[] = {
      {"old", "", "refused-word@0: 'old' is marked as never encoded"},
      {"new", "X=2", "new 2"},
      {"new", "X=3", "refused-word@0: an override of 'new' that applies to these values is marked as never encoded"},
      {"new", "", "new 0"},  // the default is no way out
      {"new", "BOTH=3 Y=1", "new 2"},
  };
  check(set, rows);
}

TEST(Encode, nesting_of_values_is_bounded) {
  FieldValue value = 1;
  for (int i = 0; i < 100; ++i) value = NestedValue{"", {{"X", value}}};
  const Set set("tiny16.xml");
  Diagnostics faults;
  EXPECT_FALSE(set.encoder().encode("add", {{"SRC", value}}, faults).ok());
  EXPECT_EQ(faults.all().back().rule, "limit-exceeded");
  EXPECT_FALSE(set.encoder().encode("add", {{std::string(5000, '.'), 1}}, faults).ok());
  EXPECT_EQ(faults.all().back().rule, "limit-exceeded");
  Diagnostics odd;
  EXPECT_FALSE(set.encoder().encode("add", {{"SRC..VALUE", 1}, {"", 1}, {".", 1}}, odd).ok());
  EXPECT_EQ(odd.error_count(), 3u);
}

// --- forms --------------------------------------------------------------------------------------------------------------

TEST(EncodeForm, blanks_are_filled_in_their_order) {
  const Set set("tiny16.xml");
  Diagnostics faults;
  Result<EncodeForm> form =
      set.encoder().prepare("add", settings_of("SRC=#immediate SRC.VALUE=? DST.NUMBER=?"), faults);
  ASSERT_TRUE(form.ok());
  EXPECT_EQ(form->size(), 16u);
  EXPECT_EQ(form->blank_count(), 2u);
  EXPECT_EQ(form->find_blank("DST.NUMBER"), 1u);
  EXPECT_EQ(form->find_blank("SRC"), std::nullopt);
  for (std::uint64_t number = 0; number < 8; ++number) {
    for (std::int64_t value = -8; value < 8; ++value) {
      BitWord word[1] = {};
      ASSERT_TRUE(form->encode(std::vector{static_cast<std::uint64_t>(value), number}, word));
      EXPECT_EQ(set.text_of(Bits(16, word[0])), "add r" + std::to_string(number) + ", #" + std::to_string(value));
    }
  }
}

TEST(EncodeForm, values_that_do_not_fit_are_reported) {
  const Set set("tiny16.xml");
  Diagnostics faults;
  Result<EncodeForm> form = set.encoder().prepare("add", settings_of("SRC.VALUE=? DST.NUMBER=?"), faults);
  ASSERT_TRUE(form.ok());
  BitWord word[1] = {77};
  EXPECT_FALSE(form->encode(std::vector<std::uint64_t>{8, 8}, word));
  EXPECT_FALSE(form->encode(std::vector<std::uint64_t>{8}, word));
  EXPECT_FALSE(form->encode(std::vector<std::uint64_t>{1, 1}, {}));
  EXPECT_EQ(word[0], 77u);
  EXPECT_FALSE(form->encode(std::vector<std::uint64_t>{8, 8}, faults).ok());
  ASSERT_EQ(faults.all().size(), 2u);
  EXPECT_EQ(faults.all()[0].message, "8 is out of range for 'SRC.VALUE': 4 bits, -8 to 7");
  EXPECT_EQ(faults.all()[0].where, Location::in_text(0, 11));
  EXPECT_EQ(faults.all()[1].message, "8 is out of range for 'DST.NUMBER': 3 bits, 0 to 7");
  EXPECT_TRUE(form->encode(std::vector<std::uint64_t>{7, 7}, faults).ok());
}

// One form in which each value selects another case.
TEST(EncodeForm, a_blank_can_select_the_override) {
  const Set set = Set::of_text(R"xml(<isa><bitset name="#instruction" size="32">
    <override><expr>{W}</expr><display>w{X}</display><field name="X" low="0" high="15" type="uint"/></override>
    <display>n{X}{Y}</display><field name="X" low="0" high="7" type="uint"/><field name="Y" low="8" high="15" type="offset"/>
    <field name="W" low="16" high="31" type="bool"/></bitset></isa>)xml");
  Diagnostics faults;
  Result<EncodeForm> form = set.encoder().prepare("#instruction", {{"X", Blank{}}}, faults);
  ASSERT_TRUE(form.ok());
  EXPECT_EQ(set.text_of(*form->encode(std::vector<std::uint64_t>{255}, faults)), "n255");
  EXPECT_EQ(set.text_of(*form->encode(std::vector<std::uint64_t>{256}, faults)), "w256");
  EXPECT_FALSE(form->encode(std::vector<std::uint64_t>{65536}, faults).ok());
}

TEST(EncodeForm, wide_fields_are_set_when_the_form_is_prepared) {
  const Set set("wide.xml");
  Diagnostics faults;
  EXPECT_FALSE(set.encoder().prepare("key", {{"KEY", Blank{}}}, faults).ok());
  EXPECT_EQ(faults.all().back().rule, "unfit-value");
  Result<EncodeForm> form = set.encoder().prepare("key", {{"KEY", 7}, {"DST", Blank{}}}, faults);
  ASSERT_TRUE(form.ok());
  EXPECT_EQ(set.text_of(*form->encode(std::vector<std::uint64_t>{3}, faults)), "key k3, 0x7");
}

}  // namespace
}  // namespace vireo::isa
