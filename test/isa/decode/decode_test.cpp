// SPDX-License-Identifier: Apache-2.0
//
// Decoded: the scopes and fields of a word. Also instruction sets whose instructions differ in size.
#include "vireo/isa/decode.h"

#include <gtest/gtest.h>

#include <string>

#include "vireo/isa/load.h"
#include "vireo/isa/print.h"

namespace vireo::isa {
namespace {

Model model_of(std::string text) {
  LoadedModel loaded = load_model_text("x", std::move(text));
  for (const SourceFile& file : loaded.files) {
    for (const Diagnostic& diagnostic : file.diagnostics.all()) {
      if (diagnostic.severity == Severity::Error) ADD_FAILURE() << diagnostic.message;
    }
  }
  return std::move(loaded.model);
}

constexpr const char* small = R"xml(<isa>
<bitset name="#reg" size="4">
  <override><expr>{R} == 15 &amp;&amp; {WIDE}</expr><display>sp</display></override>
  <display>{BANG}r{R}</display><field name="R" low="0" high="3" type="uint"/>
</bitset>
<bitset name="#instruction" size="32"><field name="PRED" pos="31" type="bool" display="(p)"/></bitset>
<bitset name="add" extends="#instruction">
  <display>{PRED}{NAME} {DST}, {SUM}</display>
  <field name="DST" low="0" high="3" type="#reg"><param name="W" as="WIDE"/><param name="B" as="BANG"/></field>
  <field name="SRC" low="4" high="7" type="#reg"/>
  <field name="W" pos="8" type="bool"/>
  <field name="B" pos="9" type="bool" display="!"/>
  <derived name="SUM" type="int" width="8"><expr>{W} * 255 + {B}</expr></derived>
  <pattern low="10" high="15">xxxxxx</pattern>
  <pattern low="16" high="30">000000000000001</pattern>
</bitset>
<bitset name="one" extends="#instruction"><display>one</display>
  <pattern low="0" high="30">0000000000000100000000000000000</pattern></bitset>
<bitset name="two" extends="#instruction"><display>two</display>
  <pattern low="0" high="30">000000000000010000000000000000x</pattern></bitset>
</isa>)xml";

TEST(Decode, fields_are_found_by_name_with_their_bits) {
  const Model model = model_of(small);
  const Decoder decoder(model, {});
  Decoded decoded;
  ASSERT_TRUE(decoder.decode(Bits(32, 0x800101AF), decoded));
  EXPECT_EQ(model[decoded.instruction().leaf].display_name, "add");
  ASSERT_NE(decoded.find("DST"), nullptr);
  EXPECT_EQ(decoded.find("DST")->value, 15u);
  EXPECT_TRUE(decoded.find("DST")->is_shown);
  EXPECT_EQ(decoded.find("DST.R")->value, 15u);
  EXPECT_EQ(decoded.find("DST.R")->width, 4u);
  EXPECT_EQ(decoded.find("SRC")->value, 10u);
  EXPECT_FALSE(decoded.find("SRC")->is_shown);
  EXPECT_EQ(decoded.find("SRC")->low, 4u);
  EXPECT_EQ(decoded.find("SUM")->value, 255u);
  EXPECT_EQ(decoded.find("PRED")->low, 31u);
  EXPECT_EQ(decoded.find("NOTHING"), nullptr);
  ASSERT_EQ(decoded.scopes().size(), 2u);
  EXPECT_EQ(decoded.scopes()[1].parent, 0u);
  EXPECT_FALSE(model[decoded.scopes()[1].display].is_default()) << "the override's display is used";
}

TEST(Decode, the_fields_of_a_scope_are_contiguous) {
  const Model model = model_of(small);
  Decoded decoded;
  ASSERT_TRUE(Decoder(model, {}).decode(Bits(32, 0x00010000), decoded));
  EXPECT_EQ(decoded.fields(decoded.scopes()[0]).size(), 6u);
  EXPECT_EQ(decoded.fields(decoded.scopes()[1]).size(), 1u);
  EXPECT_EQ(decoded.fields().size(), 7u);
}

TEST(Decode, faults_have_a_message_and_a_position) {
  const Model model = model_of(small);
  const Decoder decoder(model, {});
  Decoded decoded;
  ASSERT_TRUE(decoder.decode(Bits(32, 0x00010C00), decoded));
  ASSERT_EQ(decoded.faults().size(), 1u);
  EXPECT_EQ(decoded.faults()[0].kind, DecodeFault::Kind::DontCareBits);
  EXPECT_EQ(decoded.faults()[0].message, "dontcare bits in add: 00000c00");
  EXPECT_FALSE(decoder.decode(Bits(32, 0x00020000), decoded));
  ASSERT_EQ(decoded.faults().size(), 1u);
  EXPECT_EQ(decoded.faults()[0].message, "bitset conflict: one vs two");
  EXPECT_FALSE(decoder.decode(Bits(32, 0x7FFFFFFF), decoded));
  EXPECT_TRUE(decoded.faults().empty());
  EXPECT_FALSE(decoded.matched());
}

TEST(Decode, leaves_are_matched_by_generation) {
  const Model model = model_of(R"xml(<isa><bitset name="#instruction" size="32"><display>{NAME}</display></bitset>
    <bitset name="old" extends="#instruction"><gen max="4"/>
      <pattern low="0" high="31">00000000000000000000000000000001</pattern></bitset>
    <bitset name="new" extends="#instruction"><gen min="5"/>
      <pattern low="0" high="31">00000000000000000000000000000001</pattern></bitset></isa>)xml");
  for (const auto& [gen, name] : {std::pair{0u, "old"}, {4u, "old"}, {5u, "new"}, {~0u, "new"}}) {
    const Decoder decoder(model, {.gen = gen});
    const BitWord word = 1;
    const BitsetId leaf = decoder.match(model.instruction_roots()[0].root, {&word, 1});
    ASSERT_TRUE(leaf);
    EXPECT_EQ(model[leaf].display_name, name);
  }
}

TEST(Decode, a_model_with_errors_matches_nothing) {
  const LoadedModel loaded = load_model_text(
      "x", "<isa><bitset name='#instruction' size='32'><field name='A' low='0' high='99' type='uint'/></bitset></isa>");
  const Decoder decoder(loaded.model, {});
  EXPECT_FALSE(decoder.is_usable());
  Decoded decoded;
  EXPECT_FALSE(decoder.decode(Bits(32), decoded));
}

// --- sizes that differ --------------------------------------------------------------------------------------------------

constexpr const char* mixed = R"xml(<isa>
<encoding unit="16">
  <root name="#short"><pattern low="0" high="1">0x</pattern></root>
  <root name="#long"/>
</encoding>
<bitset name="#short" size="16"><display>{NAME} {X}</display></bitset>
<bitset name="s" extends="#short"><field name="X" low="2" high="15" type="uint"/><pattern low="0" high="1">00</pattern></bitset>
<bitset name="#long" size="48"><display>{NAME} {T}</display><pattern low="0" high="1">11</pattern></bitset>
<bitset name="b" extends="#long"><field name="T" low="2" high="17" type="branch"/>
  <pattern low="18" high="47">000000000000000000000000000000</pattern></bitset>
</isa>)xml";

TEST(Decode, instructions_may_differ_in_size) {
  const Model model = model_of(mixed);
  const Decoder decoder(model, {});
  Decoded decoded;
  ASSERT_TRUE(decoder.decode(Bits(48, 0x0004), decoded));
  EXPECT_EQ(decoded.size(), 16u);
  ASSERT_TRUE(decoder.decode(Bits(48, 0x0003), decoded));
  EXPECT_EQ(decoded.size(), 48u);
  EXPECT_FALSE(decoder.decode(Bits(48, 0x0001), decoded)) << "the pattern decides for the short root";
  EXPECT_FALSE(decoder.decode(Bits(32, 0x0003), decoded)) << "the long one does not fit";
}

TEST(Decode, targets_count_units_where_sizes_differ) {
  const Model model = model_of(mixed);
  const Decoder decoder(model, {});
  StringSink text;
  // s 1 at 0; b +4 at 1, three units; s 2 at 4; s 3 at 5; a word that matches no root at 6.
  const char bytes[] = "\x04\x00\x13\x00\x00\x00\x00\x00\x08\x00\x0c\x00\x02\x00";
  Printer(decoder, {.branch_labels = true}).print({bytes, sizeof bytes - 1}, text);
  EXPECT_EQ(text.text(), "s 1\nb l5\ns 2\nl5:\ns 3\nno match: 0002\n");
}

}  // namespace
}  // namespace vireo::isa
