// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: assembles any text as a line and as a program of small descriptions.
//
// The first byte selects the description. The result is verified: a word must print, and its text must assemble again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "languages.h"
#include "vireo/isa/assemble.h"
#include "vireo/isa/isa.h"

namespace {

using namespace vireo::isa;

// clang-format off
constexpr std::string_view descriptions[] = {
    // Flags, an enum without separators, a number that may be adjacent to the next one.
    R"xml(<isa>
    <enum name="#t"><value val="0" display=""/><value val="1" display="u8"/><value val="2" display="u8_32"/></enum>
    <bitset name="#instruction" size="16"/>
    <bitset name="a" extends="#instruction">
      <display>{S}{T}{NAME} {X}{Y}{Z}</display>
      <field name="S" pos="0" type="bool" display="(s)"/>
      <field name="T" low="1" high="2" type="#t"/>
      <field name="X" low="3" high="6" type="uint"/>
      <field name="Y" low="7" high="10" type="hex"/>
      <field name="Z" low="11" high="13" type="offset"/>
      <pattern low="14" high="15">01</pattern>
    </bitset></isa>)xml",
    // Overrides, params, derived fields, branches.
    R"xml(<isa>
    <bitset name="#r" size="5">
      <override><expr>{H}</expr><display>h{N}</display></override>
      <display>r{N}</display>
      <field name="N" low="0" high="4" type="uint"/>
    </bitset>
    <bitset name="#instruction" size="32"/>
    <bitset name="b" extends="#instruction">
      <override>
        <expr>{K} &gt; 3</expr>
        <display>{NAME}.k {D}, {V:align=12}</display>
        <derived name="V" type="uint"><expr>({K} - 3) * 2</expr></derived>
      </override>
      <display>{NAME} {D}, {V}, {B}</display>
      <field name="D" low="0" high="4" type="#r"><param name="H"/></field>
      <field name="H" pos="5" type="bool"/>
      <field name="K" low="6" high="8" type="uint"/>
      <derived name="V" type="int" width="6"><expr>{L} &lt;&lt; 3 | {M}</expr></derived>
      <field name="L" low="9" high="11" type="uint"/>
      <field name="M" low="12" high="14" type="uint"/>
      <field name="B" low="15" high="22" type="branch"/>
      <pattern low="23" high="31">000000001</pattern>
    </bitset></isa>)xml",
    // Instructions of two sizes, floats, numbers of more than 64 bits.
    R"xml(<isa>
    <encoding unit="8"><root name="#s"><pattern low="0" high="0">0</pattern></root><root name="#l"/></encoding>
    <bitset name="#s" size="8"><pattern pos="0">0</pattern></bitset>
    <bitset name="n" extends="#s">
      <display>{NAME} {X}</display>
      <field name="X" low="1" high="7" type="absbranch"/>
    </bitset>
    <bitset name="#l" size="104"><pattern pos="0">1</pattern></bitset>
    <bitset name="f" extends="#l">
      <display>{NAME} {F} {W}</display>
      <pattern low="1" high="7">0000000</pattern>
      <field name="F" low="8" high="23" type="float"/>
      <field name="W" low="24" high="103" type="int"/>
    </bitset></isa>)xml",
};
// clang-format on

// A printer and an assembler of one description.
struct RoundTrip {
  explicit RoundTrip(const Decoder& decoder)
      : printer(decoder, PrintOptions{}), assembler(decoder, AssembleOptions{.reports_ambiguity = true}) {}
  Printer printer;
  Assembler assembler;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::vector<Language<RoundTrip>> languages = make_languages<RoundTrip>(
      descriptions, [](const Decoder& decoder) { return std::make_unique<RoundTrip>(decoder); });
  if (size == 0) return 0;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  RoundTrip& round_trip = *chosen(languages, text).target;
  AssembledLine line;
  if (round_trip.assembler.assemble_line(text.substr(0, text.find('\n')), line)) {
    std::string printed;
    if (round_trip.printer.print_word(line.word.words(), line.word.width(), printed)) {
      AssembledLine again;
      if (!round_trip.assembler.assemble_line(printed, again)) std::abort();
    }
  }
  vireo::Diagnostics diagnostics;
  round_trip.assembler.assemble(text, diagnostics);
  return 0;
}
