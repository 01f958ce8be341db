// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: encodes any leaf and any settings, as text, of small descriptions.
//
// The first byte selects the description. Words separated by blanks follow, the leaf first. The result is verified with
// the decoder: a word must decode to the leaf.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "languages.h"
#include "vireo/isa/encode.h"
#include "vireo/isa/isa.h"

namespace {

using namespace vireo::isa;

// clang-format off
constexpr std::string_view descriptions[] = {
    // Overrides with the same field names, derived fields, asserts, a nested bitset with several leaves that refers to
    // an outer field.
    R"xml(<isa>
    <enum name="#t"><value val="0" display=""/><value val="1" display="u8"/><value val="2" name="w" display="u8_32"/></enum>
    <bitset name="#r" size="6"><field name="H" pos="0" type="bool" display="h"/></bitset>
    <bitset name="#reg" extends="#r"><display>{H}r{N}{T}</display><field name="N" low="1" high="4" type="uint"/>
      <pattern pos="5">0</pattern></bitset>
    <bitset name="#imm" extends="#r"><display>{V}</display><field name="I" low="1" high="4" type="int"/>
      <derived name="V" type="int" width="8"><expr>{I} * 3 + {H}</expr></derived><pattern pos="5">1</pattern></bitset>
    <bitset name="#instruction" size="32"/>
    <bitset name="a" extends="#instruction">
      <override><expr>{K} > 5</expr><display>{X} {D}</display><field name="X" low="12" high="19" type="int"/>
        <assert low="20" high="21">10</assert></override>
      <override><expr>{K} == 2 &amp;&amp; {D} != 3</expr><field name="X" low="10" high="15" type="#r"/></override>
      <display>{X} {Y} {D} {S}</display>
      <field name="S" low="0" high="5" type="#r"><param name="T"/></field>
      <field name="T" low="6" high="7" type="#t"/>
      <field name="X" low="10" high="13" type="hex"/>
      <field name="Y" low="14" high="18" type="offset"/>
      <derived name="D" type="uint"><expr>({K} &lt;&lt; 2 | {T}) + 1</expr></derived>
      <pattern low="8" high="9">xx</pattern><field name="REST" low="19" high="21" type="uint"/>
      <field name="K" low="22" high="25" type="uint" vireo-default="4"/>
      <pattern low="26" high="31">000001</pattern>
    </bitset>
    <bitset name="b" extends="#instruction"><display>b{F}</display><field name="F" low="0" high="15" type="float"/>
      <pattern low="16" high="25">xxxxxxxxxx</pattern><pattern low="26" high="31">000010</pattern></bitset>
    </isa>)xml",
    // Instructions of two sizes, numbers of more than 64 bits.
    R"xml(<isa>
    <encoding unit="8"><root name="#s"><pattern low="0" high="0">0</pattern></root><root name="#l"/></encoding>
    <bitset name="#s" size="8"/>
    <bitset name="n" extends="#s"><display>n {X}</display><pattern pos="0">0</pattern>
      <field name="X" low="1" high="7" type="absbranch"/></bitset>
    <bitset name="#l" size="104"><pattern pos="0">1</pattern></bitset>
    <bitset name="f" extends="#l"><display>f {W}</display><field name="P.Q" low="1" high="7" type="int"/>
      <pattern low="8" high="23">0000000000000001</pattern><field name="W" low="24" high="103" type="int"/></bitset>
    </isa>)xml",
};
// clang-format on

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::vector<Language<Encoder>> languages =
      make_languages<Encoder>(descriptions, [](const Decoder& decoder) { return std::make_unique<Encoder>(decoder); });
  if (size == 0) return 0;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const Language<Encoder>& language = chosen(languages, text);
  const auto next = [&] {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    return word;
  };
  const std::string_view leaf = next();
  std::vector<FieldSetting> settings;
  while (!text.empty()) {
    const std::string_view word = next();
    const std::size_t equals = std::min(word.find('='), word.size() - (word.empty() ? 0 : 1));
    settings.push_back({std::string(word.substr(0, equals)), word.substr(std::min(equals + 1, word.size()))});
  }
  vireo::Diagnostics diagnostics;
  const vireo::Result<Bits> word = language.target->encode(leaf, settings, diagnostics);
  if (!word) {
    if (!diagnostics.has_errors()) std::abort();
    return 0;
  }
  Decoded decoded;
  if (!language.decoder->decode(*word, decoded)) std::abort();
  const Model& model = language.loaded.model;
  if (model.text(model[decoded.instruction().leaf].name) != leaf) std::abort();
  return 0;
}
