// SPDX-License-Identifier: Apache-2.0
//
// Printing: fields of all widths, floats, alignment, listeners. Whole programs are in vectors_test.cpp.
#include "vireo/isa/print.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

// One instruction of `size` bits with one field V of a type, printed in brackets.
std::string shown(std::uint32_t size, std::string_view type, std::string_view hex, PrintOptions options = {}) {
  const LoadedModel loaded =
      load_model_text("x", "<isa><bitset name='#instruction' size='" + std::to_string(size) +
                               "'><display>[{V}]</display><field name='V' low='0' high='" + std::to_string(size - 1) +
                               "' type='" + std::string(type) + "'/></bitset></isa>");
  EXPECT_TRUE(loaded.ok());
  const Decoder decoder(loaded.model, {});
  std::string text;
  const std::optional<Bits> word = parse_hex(hex, size);
  EXPECT_TRUE(word.has_value());
  Printer(decoder, std::move(options)).print_word(word->words(), size, text);
  return text;
}

// clang-format off
constexpr struct { std::uint32_t size; std::string_view type; std::string_view hex; std::string_view text; } numbers[] = {
    {32, "uint", "ffffffff", "[4294967295]"}, {32, "int", "ffffffff", "[-1]"}, {32, "hex", "0000beef", "[beef]"},
    {32, "offset", "0", "[]"}, {32, "offset", "5", "[+5]"}, {32, "offset", "80000000", "[-2147483648]"},
    {32, "uoffset", "0", "[]"}, {32, "uoffset", "ffffffff", "[+4294967295]"},
    {32, "bool", "2", "[2]"}, {32, "bool_inv", "2", "[0]"}, {32, "bool_inv", "0", "[1]"},
    {64, "uint", "ffffffffffffffff", "[18446744073709551615]"},
    {64, "int", "8000000000000000", "[-9223372036854775808]"},
    {96, "uint", "ffffffffffffffffffffffff", "[79228162514264337593543950335]"},
    {96, "int", "ffffffffffffffffffffffff", "[-1]"},
    {96, "int", "800000000000000000000000", "[-39614081257132168796771975168]"},
    {96, "hex", "000000000000000000000abc", "[abc]"}, {128, "uint", "0", "[0]"}, {128, "offset", "1", "[+1]"},
    {256, "uint", "1000000000000000000000000000000000000000000000000",
     "[6277101735386680763835789423207666416102355444464034512896]"},
    {32, "branch", "fffffffe", "[-2]"}, {32, "absbranch", "fffffffe", "[-2]"},
};
constexpr struct { std::uint32_t size; std::string_view hex; std::string_view fixed; std::string_view round_trip; } floats[] = {
    {32, "3fc00000", "[1.500000]", "[1.5]"}, {32, "40000000", "[2.000000]", "[2.0]"}, {32, "80000000", "[-0.000000]", "[-0.0]"},
    {32, "3dcccccd", "[0.100000]", "[0.100000001]"}, {32, "00000001", "[0.000000]", "[1.40129846e-45]"},
    {32, "7f800000", "[inf]", "[inf]"}, {32, "ff800000", "[-inf]", "[-inf]"}, {32, "7fc00000", "[nan]", "[nan]"},
    {32, "ffc00000", "[-nan]", "[-nan]"}, {32, "7f7fffff",
     "[340282346638528859811704183484516925440.000000]",
     "[340282346638528859811704183484516925440.0]"},
    {16, "3c00", "[1.000000]", "[1.0]"}, {16, "2e66", "[0.099976]", "[0.099976]"}, {16, "0001", "[0.000000]", "[5.9605e-08]"},
    {16, "fc00", "[-inf]", "[-inf]"}, {16, "fe00", "[-nan]", "[-nan]"},
};
// clang-format on

TEST(Print, numbers_of_every_width) {
  for (const auto& row : numbers)
    EXPECT_EQ(shown(row.size, row.type, row.hex), row.text) << row.size << ' ' << row.type << ' ' << row.hex;
}

TEST(Print, floats_in_both_styles) {
  for (const auto& row : floats) {
    EXPECT_EQ(shown(row.size, "float", row.hex), row.fixed);
    PrintOptions options;
    options.float_style = FloatStyle::RoundTrip;
    EXPECT_EQ(shown(row.size, "float", row.hex, std::move(options)), row.round_trip);
  }
}

constexpr const char* listened = R"xml(<isa>
<bitset name="#r" size="4"><display>r{R}</display><field name="R" low="0" high="3" type="uint"/></bitset>
<bitset name="#instruction" size="32">
  <display>{NAME} {A:align=8}{C}{D}</display>
  <field name="A" low="0" high="3" type="#r"/><field name="B" low="4" high="7" type="uint"/>
  <field name="C" low="8" high="15" type="custom"/><field name="D" pos="16" type="bool" display="!"/>
  <pattern low="17" high="31">000000000000000</pattern>
</bitset></isa>)xml";

struct Recorder final : PrintListener {
  std::vector<std::string> calls;
  bool wants = true;
  void before_line(const Instruction& instruction, std::string& text) override {
    text += std::to_string(instruction.index) + ": ";
  }
  void after_instruction(const Instruction&, std::string& text) override { text += ";"; }
  bool no_match(const Instruction&, std::string& text) override {
    text += "?\n";
    return true;
  }
  [[nodiscard]] bool wants_fields() const override { return wants; }
  void field(std::string_view name, std::uint64_t value) override {
    calls.push_back(std::string(name) + '=' + std::to_string(value));
  }
  void leaf_name(std::string_view name) override { calls.emplace_back(name); }
  void custom(std::string_view name, std::uint64_t value, std::string& text) override {
    text.append("<").append(name).append(std::to_string(value)).append(">");
  }
};

TEST(Print, listeners_receive_every_shown_field) {
  const LoadedModel loaded = load_model_text("x", listened);
  ASSERT_TRUE(loaded.ok());
  const Decoder decoder(loaded.model, {});
  for (const bool wants : {true, false}) {
    Recorder recorder;
    recorder.wants = wants;
    PrintOptions options;
    options.listener = &recorder;
    Printer printer(decoder, options);
    StringSink text;
    printer.print(std::string_view("\x53\x07\x01\x00\xff\xff\xff\xff\x53\x08\x00\x00", 12), text);
    EXPECT_EQ(text.text(), "0: #instruction r3<C7>!;\n1: ?\n2: #instruction r3<C8>;\n");
    const std::vector<std::string> once = {"#instruction", "A=3", "R=3", "C=7", "D=1",
                                           "#instruction", "A=3", "R=3", "C=8", "D=0"};
    EXPECT_EQ(recorder.calls, wants ? once : std::vector<std::string>());
  }
}

TEST(Print, a_full_sink_stops_printing) {
  struct Full final : TextSink {
    bool write(std::string_view) override { return false; }
  } full;
  const LoadedModel loaded = load_model_text("x", listened);
  const Decoder decoder(loaded.model, {});
  EXPECT_FALSE(Printer(decoder, {}).print(std::string(1 << 20, '\0'), full));
}

TEST(Print, nested_displays_are_bounded) {
  std::string text = "<isa>";
  for (int i = 0; i < 20; ++i) {
    const std::string inner = i == 0 ? "uint" : "#r" + std::to_string(i - 1);
    text += "<bitset name='#r" + std::to_string(i) +
            "' size='32'><display>{A}{A}{A}{A}{A}{A}{A}{A}</display><field name='A' low='0' high='31' type='" + inner +
            "'/></bitset>";
  }
  text +=
      "<bitset name='#instruction' size='32'><display>{A}</display><field name='A' low='0' high='31' "
      "type='#r19'/></bitset></isa>";
  const LoadedModel loaded = load_model_text("x", text);
  ASSERT_TRUE(loaded.ok());
  const Decoder decoder(loaded.model, {});
  std::string line;
  const BitWord word = 7;
  Printer(decoder, {}).print_word({&word, 1}, 32, line);
  EXPECT_LT(line.size(), std::size_t{1} << 22);
  EXPECT_NE(line.find("display too long"), std::string::npos);
}

}  // namespace
}  // namespace vireo::isa
