// SPDX-License-Identifier: Apache-2.0
//
// Faults that Mesa's loader rejects or accepts, and descriptions that could exhaust ours. docs/isaspec.md, "Faults".
//
// Each row is a description with one fault, and the same description corrected. Mesa's loader rejects the
// first half of the rows; they are always errors here. It accepts the other half silently; they are errors or warnings
// here, and are accepted in Mesa mode, unless no sensible model exists.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/check.h"

namespace vireo::isa {
namespace {

using Files = std::map<std::string, std::string>;

LoadedModel load_files(const Files& files, bool mesa_compat) {
  LoadOptions options;
  options.mesa_compat = mesa_compat;
  options.read = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
  return load_model("x", options);
}

// "rule error" or "rule warning" of all diagnostics of loader and checker, each once, sorted.
std::vector<std::string> said_of(const Files& files, bool mesa_compat) {
  const LoadedModel loaded = load_files(files, mesa_compat);
  std::vector<std::string> said;
  for (const Diagnostics& file : check(loaded, {.gen = {}, .mesa_compat = mesa_compat}).files) {
    for (const Diagnostic& d : file.all()) {
      if (d.rule == "unread-name") continue;  // most rows do not show their fields
      said.push_back(std::string(d.rule) + (d.severity == Severity::Error ? " error" : " warning"));
    }
  }
  std::sort(said.begin(), said.end());
  said.erase(std::unique(said.begin(), said.end()), said.end());
  return said;
}

// Expands the abbreviations of the rows. `$I`: the root and its field A; `$x`: a bitset that fixes the upper half;
// `$A`: eight bits. A text without a document element is a description, and gets one.
std::string written_out(std::string_view row) {
  // clang-format off
  constexpr struct { std::string_view brief; std::string_view meaning; } words[] = {
      {"$ROOT", R"(<bitset name="#instruction" size="32"/>)"},
      {"$L(", R"(<bitset extends="#instruction" name=)"},
      {"$REST", R"(<field name="REST" low="8" high="31" type="uint"/><display>{NAME} {REST} {A}</display>)"},
      {"$A", R"(<field name="A" low="0" high="7" type="uint"/>)"},
      {"$7", R"(low="0" high="7")"},
  };
  // clang-format on
  std::string text(row);
  for (const auto& word : words) {
    for (std::size_t at = text.find(word.brief); at != std::string::npos; at = text.find(word.brief, at))
      text.replace(at, word.brief.size(), word.meaning);
  }
  return text.starts_with("<isa>") ? text : "<isa>" + text + "</isa>";
}

enum class Compat : std::uint8_t { Accepted, Refused };

struct MesaRow {
  std::string_view fault;  // as a user would describe it
  std::string_view said;
  Compat compat;  // the result in Mesa mode
  std::string_view bad;
  std::string_view good;
};

void check_row(const MesaRow& row, const Files& others = {}) {
  SCOPED_TRACE(row.fault);
  Files bad = others;
  Files good = others;
  bad["x"] = written_out(row.bad);
  good["x"] = written_out(row.good);
  const std::vector<std::string> said = said_of(bad, false);  // a bitset without a size lacks other things as well
  EXPECT_EQ(std::count(said.begin(), said.end(), row.said), 1) << bad["x"];
  EXPECT_EQ(said_of(good, false), std::vector<std::string>()) << good["x"];
  EXPECT_EQ(load_files(bad, true).ok(), row.compat == Compat::Accepted) << bad["x"];
  EXPECT_TRUE(load_files(good, true).ok());
}

// --- rejected by Mesa ------------------------------------------------------------------------------------------------

// clang-format off
const MesaRow refused[] = {
    {"bits of a leaf without a definition", "undefined-bits error", Compat::Refused,
     R"($ROOT$L("a">$REST<derived name="A" type="uint"><expr>1</expr></derived></bitset>)",
     R"($ROOT$L("a">$REST$A</bitset>)"},
    {"two fields of one bit", "redefined-bits error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<field name="B" pos="8" type="uint"/></bitset>)", R"($ROOT$L("a">$REST$A</bitset>)"},
    {"a field over a pattern", "redefined-bits error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<pattern pos="3">1</pattern></bitset>)", R"($ROOT$L("a">$REST$A</bitset>)"},
    {"a child that redefines its parent's bits", "redefined-bits error", Compat::Refused,
     R"($ROOT$L("p">$REST</bitset><bitset name="a" extends="p">$A<assert pos="31">0</assert></bitset>)",
     R"($ROOT$L("p">$REST</bitset><bitset name="a" extends="p">$A</bitset>)"},
    {"a pattern that is too short", "bad-pattern error", Compat::Refused,
     R"($ROOT$L("a"><pattern $7>0101010</pattern><field name="A" low="8" high="31" type="uint"/><assert $7>00000000)"
     R"(</assert><display>{A}</display></bitset>)",
     R"($ROOT$L("a"><pattern $7>01010101</pattern><field name="A" low="8" high="31" type="uint"/><display>{A})"
     R"(</display></bitset>)"},
    {"an x in an assert", "bad-pattern error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><assert pos="31">x</assert><display>b</display></override>)"
     R"(</bitset>)",
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><assert pos="31">0</assert><display>b</display></override>)"
     R"(</bitset>)"},
    {"pos together with low and high", "bad-range error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><assert pos="31" low="31" high="31">1</assert><display>b)"
     R"(</display></override></bitset>)",
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><assert low="31" high="31">1</assert><display>b</display>)"
     R"(</override></bitset>)"},
    {"a low above its high", "bad-range error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><assert low="31" high="30">1</assert><display>b</display>)"
     R"(</override></bitset>)",
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><assert low="30" high="31">11</assert><display>b</display>)"
     R"(</override></bitset>)"},
    {"a field beyond the size", "bad-range error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><field name="B" low="31" high="32" type="uint"/>)"
     R"(<display>b {B}</display></override></bitset>)",
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><field name="B" low="30" high="31" type="uint"/>)"
     R"(<display>b {B}</display></override></bitset>)"},
    {"an undeclared type", "unknown-type error", Compat::Refused,
     R"($ROOT$L("a">$REST<field name="A" $7 type="unit"/></bitset>)", R"($ROOT$L("a">$REST)"
     R"(<field name="A" $7 type="int"/></bitset>)"},
    {"a nested bitset of another size", "size-mismatch error", Compat::Refused,
     R"($ROOT<bitset name="#n" size="7"><display>{B}</display><field name="B" low="0" high="6" type="uint"/></bitset>)"
     R"($L("a">$REST<field name="A" $7 type="#n"/></bitset>)",
     R"($ROOT<bitset name="#n" size="8"><display>{B}</display><field name="B" low="0" high="7" type="uint"/></bitset>)"
     R"($L("a">$REST<field name="A" $7 type="#n"/></bitset>)"},
    {"a float of neither 16 nor 32 bits", "size-mismatch error", Compat::Refused,
     R"($ROOT$L("a">$REST<field name="A" $7 type="float"/></bitset>)",
     R"($ROOT$L("a"><display>{A} {B}</display><field name="A" low="0" high="15" type="float"/>)"
     R"(<field name="B" low="16" high="31" type="uint"/></bitset>)"},
    {"an undeclared parent", "unknown-parent error", Compat::Refused,
     R"($ROOT$L("a">$REST$A</bitset><bitset name="b" extends="c"/>)", R"($ROOT$L("a">$REST$A</bitset>)"},
    {"a size together with extends", "bad-size error", Compat::Refused,
     R"($ROOT$L("a">$REST$A</bitset>$L("b" size="32"/>)", R"($ROOT$L("a">$REST$A</bitset>)"},
    {"neither a size nor extends", "bad-size error", Compat::Refused,
     R"($ROOT$L("a">$REST$A</bitset><bitset name="b"/>)", R"($ROOT$L("a">$REST$A</bitset>)"},
    {"an override without an expression", "malformed-expression error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<override><display>b</display></override></bitset>)",
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><display>b</display></override></bitset>)"},
    {"an override with two expressions", "malformed-expression error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 2</expr><expr>{A} == 1</expr><display>b</display></override></bitset>)",
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><display>b</display></override></bitset>)"},
    {"an undeclared name of an expression", "unknown-expression error", Compat::Refused,
     R"($ROOT<expr name="#e">{A}</expr>$L("a">$REST$A<derived name="B" type="uint" expr="#f"/></bitset>)",
     R"($ROOT<expr name="#e">{A}</expr>$L("a">$REST$A<derived name="B" type="uint" expr="#e"/></bitset>)"},
    {"generations beyond the parent's", "bad-generations error", Compat::Refused,
     R"($ROOT$L("p">$REST<gen min="5"/></bitset><bitset name="a" extends="p">$A<gen min="4"/></bitset>)",
     R"($ROOT$L("p">$REST<gen min="5"/></bitset><bitset name="a" extends="p">$A<gen min="6"/></bitset>)"},
    {"a value without a display", "missing-attribute error", Compat::Refused,
     R"($ROOT<enum name="#e"><value val="1"/></enum>$L("a">$REST<field name="A" $7 type="#e"/></bitset>)",
     R"($ROOT<enum name="#e"><value val="1" display=""/></enum>$L("a">$REST<field name="A" $7 type="#e"/></bitset>)"},
    // An extension: our tools support whole bytes, so this is not an error.
    {"instructions of no multiple of 32 bits", "bad-size warning", Compat::Accepted,
     R"(<bitset name="#instruction" size="8"><display>{A}</display>$A</bitset>)",
     R"(<bitset name="#instruction" size="32">$REST$A</bitset>)"},
};

// --- accepted by Mesa ------------------------------------------------------------------------------------------------

const MesaRow overlooked[] = {
    {"two leaves of one word", "overlapping-leaves error", Compat::Accepted,
     R"($ROOT$L("a"><display>a</display><pattern $7>0000001x</pattern>)"
     R"(<pattern low="8" high="31">000000000000000000000000</pattern></bitset>)"
     R"($L("b"><display>b</display><pattern $7>000000x1</pattern><pattern low="8" high="31">000000000000000000000000)"
     R"(</pattern></bitset>)",
     R"($ROOT$L("a"><display>a</display><pattern $7>0000001x</pattern>)"
     R"(<pattern low="8" high="31">000000000000000000000000</pattern></bitset>)"
     R"($L("b"><display>b</display><pattern $7>0000000x</pattern><pattern low="8" high="31">000000000000000000000000)"
     R"(</pattern></bitset>)"},
    {"ranges of generations that overlap", "overlapping-generations error", Compat::Accepted,
     R"($ROOT$L("a">$REST<pattern $7>00000001</pattern><gen max="5"/><derived name="A" type="uint"><expr>1</expr>)"
     R"(</derived></bitset>)"
     R"($L("a">$REST<pattern $7>00000010</pattern><gen min="5"/><derived name="A" type="uint"><expr>1</expr>)"
     R"(</derived></bitset>)",
     R"($ROOT$L("a">$REST<pattern $7>00000001</pattern><gen max="5"/><derived name="A" type="uint"><expr>1</expr>)"
     R"(</derived></bitset>)"
     R"($L("a">$REST<pattern $7>00000010</pattern><gen min="6"/><derived name="A" type="uint"><expr>1</expr>)"
     R"(</derived></bitset>)"},
    {"an empty range of generations", "bad-generations error", Compat::Accepted,
     R"($ROOT$L("a">$REST$A<gen min="5"/></bitset>$L("b">$REST$A<gen min="4" max="3"/></bitset>)",
     R"($ROOT$L("a">$REST$A<gen min="5"/></bitset>$L("b">$REST$A<gen min="3" max="4"/></bitset>)"},
    // An unknown type cannot be decoded, so this is always an error; a range that is too wide is harmless.
    {"an unknown type in a variant", "unknown-type error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<gen max="5"/></bitset>$L("a">$REST<gen min="6"/><field name="A" $7 type="unit"/></bitset>)",
     R"($ROOT$L("a">$REST$A<gen max="5"/></bitset>$L("a">$REST<gen min="6"/><field name="A" $7 type="int"/></bitset>)"},
    {"a range that is too wide in a variant", "bad-generations error", Compat::Accepted,
     R"($ROOT$L("p">$REST<gen min="3"/></bitset><bitset name="a" extends="p">$A<gen max="5"/></bitset>)"
     R"(<bitset name="a" extends="p">$A<gen min="6"/></bitset>)"
     R"(<bitset name="#q" extends="#instruction">$REST<gen max="2"/></bitset><bitset name="b" extends="#q">$A)"
     R"(<gen min="1" max="1"/></bitset><bitset name="b" extends="#q">$A<gen min="2" max="3"/></bitset>)",
     R"($ROOT$L("p">$REST<gen min="3"/></bitset><bitset name="a" extends="p">$A<gen max="5"/></bitset>)"
     R"(<bitset name="a" extends="p">$A<gen min="6"/></bitset>)"
     R"(<bitset name="#q" extends="#instruction">$REST<gen max="2"/></bitset><bitset name="b" extends="#q">$A)"
     R"(<gen min="1" max="1"/></bitset><bitset name="b" extends="#q">$A<gen min="2" max="2"/></bitset>)"},
    {"a field of an override over a pattern", "override-overlap warning", Compat::Accepted,
     R"($ROOT$L("a">$REST<field name="A" low="0" high="6" type="uint"/><pattern pos="7">1</pattern><override>)"
     R"(<expr>{A} == 1</expr><field name="B" low="6" high="7" type="uint"/><display>b {B}</display></override></bitset>)",
     R"($ROOT$L("a">$REST<field name="A" low="0" high="6" type="uint"/><pattern pos="7">1</pattern><override>)"
     R"(<expr>{A} == 1</expr><field name="B" low="5" high="6" type="uint"/><display>b {B}</display></override></bitset>)"},
    {"a pattern in an override", "misplaced-pattern warning", Compat::Accepted,
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><pattern pos="8">1</pattern><display>b</display></override>)"
     R"(</bitset>)",
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><assert pos="8">1</assert><display>b</display></override>)"
     R"(</bitset>)"},
    {"a name in a display that nothing defines", "unresolved-field warning", Compat::Accepted,
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><display>b {B}</display></override></bitset>)",
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><display>b {A}</display></override></bitset>)"},
    {"a misspelt name in a display", "misspelt-field error", Compat::Accepted,
     R"($ROOT$L("a">$REST$A)"
     R"(<override><expr>{A} == 1</expr><display>b {RSET}</display></override></bitset>)",
     R"($ROOT$L("a">$REST$A)"
     R"(<override><expr>{A} == 1</expr><display>b {REST}</display></override></bitset>)"},
    {"a misspelt name in an expression", "misspelt-field error", Compat::Accepted,
     R"($ROOT$L("a">$REST$A)"
     R"(<derived name="C" type="uint"><expr>{RSET} + 1</expr></derived></bitset>)",
     R"($ROOT$L("a">$REST$A)"
     R"(<derived name="C" type="uint"><expr>{REST} + 1</expr></derived></bitset>)"},
    {"an unknown format in a display", "malformed-display error", Compat::Accepted,
     R"($ROOT$L("a">$REST$A)"
     R"(<override><expr>{A} == 1</expr><display>b {A:pad=3}</display></override></bitset>)",
     R"($ROOT$L("a">$REST$A)"
     R"(<override><expr>{A} == 1</expr><display>b {A:align=3}</display></override></bitset>)"},
    {"a signed derived field without a width", "missing-width error", Compat::Accepted,
     R"($ROOT$L("a">$REST$A<derived name="C" type="int"><expr>{A}</expr></derived></bitset>)",
     R"($ROOT$L("a">$REST$A<derived name="C" type="int" width="8"><expr>{A}</expr></derived></bitset>)"},
    {"a name in an expression that nothing defines", "unresolved-field warning", Compat::Accepted,
     R"($ROOT$L("a">$REST$A<derived name="C" type="uint"><expr>{B} + 1</expr></derived></bitset>)",
     R"($ROOT$L("a">$REST$A<derived name="C" type="uint"><expr>{A} + 1</expr></derived></bitset>)"},
    {"a param of an unknown field", "unknown-param warning", Compat::Accepted,
     R"($ROOT<bitset name="#n" size="8"><display>{X}</display><field name="X" $7 type="uint"/></bitset>$L("a">$REST)"
     R"(<field name="A" $7 type="#n"><param name="B"/></field></bitset>)",
     R"($ROOT<bitset name="#n" size="8"><display>{X}</display><field name="X" $7 type="uint"/></bitset>$L("a">$REST)"
     R"(<field name="A" $7 type="#n"><param name="REST"/></field></bitset>)"},
    {"a value wider than the field", "value-too-wide warning", Compat::Accepted,
     R"($ROOT<enum name="#e"><value val="256" display="x"/></enum>$L("a">$REST<field name="A" $7 type="#e"/></bitset>)",
     R"($ROOT<enum name="#e"><value val="255" display="x"/></enum>$L("a">$REST<field name="A" $7 type="#e"/></bitset>)"},
    {"a value declared twice", "duplicate-value error", Compat::Accepted,
     R"($ROOT<enum name="#e"><value val="16" display="x"/><value val="0x10" display="y"/></enum>$L("a">$REST)"
     R"(<field name="A" $7 type="#e"/></bitset>)",
     R"($ROOT<enum name="#e"><value val="16" display="x"/><value val="0x11" display="y"/></enum>$L("a">$REST)"
     R"(<field name="A" $7 type="#e"/></bitset>)"},
    {"a bitset without any display", "missing-display warning", Compat::Accepted,
     R"($ROOT$L("a">$A<field name="B" low="8" high="31" type="uint"/></bitset>)",
     R"($ROOT$L("a"><display>{A} {B}</display>$A<field name="B" low="8" high="31" type="uint"/></bitset>)"},
    {"an element that does not exist", "unknown-element warning", Compat::Accepted,
     R"($ROOT$L("a">$REST$A<dispaly>b</dispaly></bitset>)", R"($ROOT$L("a">$REST$A<doc>b</doc></bitset>)"},
    {"an attribute that does not exist", "unknown-attribute warning", Compat::Accepted,
     R"($ROOT$L("a" dispalyname="b">$REST$A</bitset>)", R"($ROOT$L("a" displayname="b">$REST$A</bitset>)"},
    {"an inner bitset declared twice", "duplicate-name error", Compat::Accepted,
     R"($ROOT$L("p">$REST</bitset>$L("p">$REST</bitset><bitset name="a" extends="p">$A</bitset>)",
     R"($ROOT$L("p">$REST</bitset><bitset name="a" extends="p">$A</bitset>)"},
    {"a field declared twice", "duplicate-name error", Compat::Accepted,
     R"($ROOT$L("a"><display>{A}</display>$A<field name="A" low="8" high="31" type="uint"/></bitset>)",
     R"($ROOT$L("a">$REST$A</bitset>)"},
    {"an expression declared twice", "duplicate-name error", Compat::Accepted,
     R"($ROOT<expr name="#e">1</expr><expr name="#e">2</expr>$L("a">$REST$A</bitset>)",
     R"($ROOT<expr name="#e">1</expr><expr name="#f">2</expr>$L("a">$REST$A</bitset>)"},
    {"an enum declared twice", "duplicate-name error", Compat::Accepted,
     R"($ROOT<enum name="#e"/><enum name="#e"/>$L("a">$REST$A</bitset>)",
     R"($ROOT<enum name="#e"/><enum name="#f"/>$L("a">$REST$A</bitset>)"},
    // Mesa's tools fail later, at link time: there is nothing to decode.
    {"no #instruction", "missing-root error", Compat::Refused,
     R"(<bitset name="#instructions" size="32">$REST$A</bitset>)", R"(<bitset name="#instruction" size="32">$REST$A)"
     R"(</bitset>)"},
    {"names that are one in C", "name-collision warning", Compat::Accepted,
     R"($ROOT$L("a.b">$REST<pattern $7>00000001</pattern><derived name="A" type="uint"><expr>1</expr></derived>)"
     R"(</bitset>$L("a-b">$REST<pattern $7>00000010</pattern><derived name="A" type="uint"><expr>1</expr></derived>)"
     R"(</bitset>)",
     R"($ROOT$L("a.b">$REST<pattern $7>00000001</pattern><derived name="A" type="uint"><expr>1</expr></derived>)"
     R"(</bitset>$L("a-c">$REST<pattern $7>00000010</pattern><derived name="A" type="uint"><expr>1</expr></derived>)"
     R"(</bitset>)"},
    // The C compiler rejects the code that Mesa generates from it.
    {"an expression that is not C", "malformed-expression error", Compat::Refused,
     R"($ROOT$L("a">$REST$A<override><expr>{A} = 1</expr><display>b</display></override></bitset>)",
     R"($ROOT$L("a">$REST$A<override><expr>{A} == 1</expr><display>b</display></override></bitset>)"},
    // Mesa's loader ends with a stack overflow.
    {"bitsets that extend each other", "extends-cycle error", Compat::Refused,
     R"($ROOT$L("a">$REST$A</bitset><bitset name="b" extends="c"/><bitset name="c" extends="b"/>)",
     R"($ROOT$L("a">$REST$A</bitset>)"},
    {"files that import each other", "import-cycle error", Compat::Refused,
     R"(<import file="back"/>$ROOT$L("a">$REST$A</bitset>)", R"(<import file="ahead"/>$ROOT$L("a">$REST$A</bitset>)"},
};
// clang-format on

const Files imported = {{"back", R"(<isa><import file="x"/></isa>)"}, {"ahead", "<isa/>"}};

TEST(MesaFaults, faults_that_mesa_rejects_are_always_errors) {
  for (const MesaRow& row : refused) check_row(row, imported);
}

TEST(MesaFaults, faults_that_mesa_accepts_are_warnings_in_mesa_mode) {
  for (const MesaRow& row : overlooked) check_row(row, imported);
}

}  // namespace
}  // namespace vireo::isa
