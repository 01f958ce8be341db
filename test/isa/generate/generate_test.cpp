// SPDX-License-Identifier: Apache-2.0
//
// Generated code: rejected requests, coverage, and features of Printer. The comparison of its output is in the tests of
// disassemblers: vectors_test.cpp, firmware_test.cpp, oracle_test.cpp.
#include "vireo/isa/generate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "isa/generate/generated.h"
#include "isa/vectors/vectors.h"
#include "outside.h"
#include "vireo/isa/isa.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

LoadedModel load_named(std::string_view name, bool mesa_compat = false) {
  const fs::path path = outside::source_folder() / "data/isa" / name;
  return load_model(path.string(), {.mesa_compat = mesa_compat, .read = {}});
}

std::string generate(const Model& model, const GenerateOptions& options) {
  Diagnostics diagnostics;
  Result<std::string> source = generate_disassembler(model, options, diagnostics);
  EXPECT_TRUE(source.ok()) << (source.ok() ? "" : diagnostics.all()[0].message);
  return source.ok() ? *std::move(source) : std::string();
}

std::string refusal(const Model& model, const GenerateOptions& options) {
  Diagnostics diagnostics;
  const Result<std::string> source = generate_disassembler(model, options, diagnostics);
  return source.ok() || diagnostics.all().empty() ? "" : std::string(diagnostics.all()[0].rule);
}

void write_text(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// --- the text -----------------------------------------------------------------------------------------------------------

TEST(Generate, is_deterministic) {
  for (const GeneratedLanguage language : {GeneratedLanguage::Cpp, GeneratedLanguage::C}) {
    const GenerateOptions options{.language = language, .name = "gens"};
    EXPECT_EQ(generate(load_named("gens.xml").model, options), generate(load_named("gens.xml").model, options));
  }
}

TEST(Generate, puts_every_name_into_a_namespace_or_prefixes_it) {
  const LoadedModel loaded = load_named("tiny8.xml");
  const std::string cpp = generate(loaded.model, {.name = "my::tiny"});
  EXPECT_TRUE(contains(cpp, "namespace my::tiny {"));
  EXPECT_TRUE(contains(cpp, "#ifdef MY_TINY_IMPLEMENTATION"));
  EXPECT_TRUE(contains(cpp, "\nsize_t disassemble("));
  const std::string c = generate(loaded.model, {.language = GeneratedLanguage::C, .name = "tiny"});
  EXPECT_TRUE(contains(c, "\nsize_t tiny_disassemble("));
  EXPECT_TRUE(contains(c, "} tiny_entry_point;"));
  EXPECT_FALSE(contains(c, "namespace"));
  for (const std::string& text : {cpp, c}) EXPECT_FALSE(contains(text, "@"));
}

TEST(Generate, rejects_unsupported_requests) {
  const LoadedModel loaded = load_named("tiny8.xml");
  struct Row {
    GeneratedLanguage language;
    std::string name;
    std::string rule;
  };
  const Row rows[] = {
      {GeneratedLanguage::Cpp, "", "bad-name"},
      {GeneratedLanguage::Cpp, "a b", "bad-name"},
      {GeneratedLanguage::Cpp, "7seg", "bad-name"},
      {GeneratedLanguage::Cpp, "a::", "bad-name"},
      {GeneratedLanguage::Cpp, "class", "bad-name"},
      {GeneratedLanguage::Cpp, "a::int::b", "bad-name"},
      {GeneratedLanguage::C, "class", ""},
      {GeneratedLanguage::Cpp, "a::b::c", ""},
      {GeneratedLanguage::C, "a::b", "bad-name"},
      {GeneratedLanguage::C, "x\n#include", "bad-name"},
      {GeneratedLanguage::C, "_x9", ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(refusal(loaded.model, {.language = row.language, .name = row.name}), row.rule) << row.name;
  }
  const LoadedModel broken = load_model_text("x.xml", "<isa><bitset name='a' size='8'/></isa>");
  EXPECT_EQ(refusal(broken.model, {}), "model-has-errors");
}

// Twenty levels, each of which shows the next one twice: a million scopes.
TEST(Generate, rejects_exponential_numbers_of_scopes) {
  std::string text =
      "<isa><bitset name='#instruction' size='8'><display>{F} {F}</display>"
      "<field name='F' low='0' high='7' type='#b0'/></bitset>";
  for (int i = 0; i < 20; ++i) {
    const std::string level = std::to_string(i);
    text += "<bitset name='#b" + level + "' size='8'>";
    if (i == 19) text += "<display>x</display><field name='F' low='0' high='7' type='hex'/></bitset>";
    else
      text += "<display>{F} {F}</display><field name='F' low='0' high='7' type='#b" + std::to_string(i + 1) +
              "'/></bitset>";
  }
  const LoadedModel loaded = load_model_text("x.xml", text + "</isa>");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(refusal(loaded.model, {}), "model-too-large");
}

TEST(Generate, makes_names_from_any_text) {
  EXPECT_EQ(identifier_from("ir3"), "ir3");
  EXPECT_EQ(identifier_from("my-isa.v2"), "my_isa_v2");
  EXPECT_EQ(identifier_from("8051"), "isa_8051");
  EXPECT_EQ(identifier_from(""), "isa_");
}

// --- behaviour -------------------------------------------------------------------------------------------------------

struct Sample {
  std::string_view description;
  std::uint32_t gen;
};

// Single words, with both styles of floats: print_word and the generated disassemble().
TEST(GeneratedCode, prints_single_words_as_the_printer_does) {
  const Sample samples[] = {{"tiny8.xml", 0}, {"numbers.xml", 0}, {"wide.xml", 0}, {"mixed.xml", 0}, {"gens.xml", 2}};
  std::mt19937_64 random(7);
  for (const Sample& sample : samples) {
    const LoadedModel loaded = load_named(sample.description);
    const Decoder decoder(loaded.model, {.gen = sample.gen});
    for (const FloatStyle style : {FloatStyle::Fixed, FloatStyle::RoundTrip}) {
      Printer printer(decoder, {.float_style = style});
      for (const generated_program* program :
           generated_programs(outside::source_folder() / "data/isa" / sample.description, Manner::Clean)) {
        generated_request request{};
        request.gen = sample.gen;
        request.round_trip_floats = style == FloatStyle::RoundTrip;
        for (int i = 0; i < 3000; ++i) {
          const std::uint64_t words[] = {random(), random(), random(), random(), random()};
          const std::uint32_t bits = 8 * static_cast<std::uint32_t>(1 + random() % 40);
          std::string wanted;
          printer.print_word(words, bits, wanted);
          char text[4096];
          const std::size_t size = program->word(words, bits, &request, text, sizeof text);
          ASSERT_EQ(std::string_view(text, size), wanted) << sample.description << ", " << program->language;
        }
      }
    }
  }
}

// All halves and many singles: the generated program formats digits with its own code.
TEST(GeneratedCode, prints_floats_exactly) {
  const fs::path description = fs::path(VIREO_BINARY_DIR) / "test/generated/floats.xml";
  fs::create_directories(description.parent_path());
  write_text(description, R"(<isa><bitset name="#instruction" size="48"><display>{H} {S}</display>
    <field name="H" low="0" high="15" type="float"/><field name="S" low="16" high="47" type="float"/></bitset></isa>)");
  const LoadedModel loaded = load_model(description.string());
  const Decoder decoder(loaded.model, {});
  std::mt19937_64 random(11);
  for (const FloatStyle style : {FloatStyle::Fixed, FloatStyle::RoundTrip}) {
    Printer printer(decoder, {.float_style = style});
    for (const generated_program* program : generated_programs(description, Manner::Clean)) {
      generated_request request{};
      request.round_trip_floats = style == FloatStyle::RoundTrip;
      for (std::uint64_t half = 0; half < 0x10000; ++half) {
        // Fractions with few bits set are as frequent as others: ties and short decimals.
        const std::uint64_t single = half % 2 == 0 ? random() : random() & random() & random() & random();
        const std::uint64_t word = half | (single & 0xFFFFFFFF) << 16;
        std::string wanted;
        printer.print_word({&word, 1}, 48, wanted);
        char text[4096];
        const std::size_t size = program->word(&word, 48, &request, text, sizeof text);
        ASSERT_EQ(std::string_view(text, size), wanted) << std::hex << word << " " << program->language;
      }
    }
  }
}

// The texts of the words 0 … `count` - 1 from the printer, each compared with that of the generated code.
std::vector<std::string> compared_words(const fs::path& description, Manner manner, std::uint32_t bits,
                                        std::uint64_t count) {
  const bool is_mesa = manner == Manner::Mesa;
  const LoadedModel loaded = load_model(description.string(), {.mesa_compat = is_mesa, .read = {}});
  EXPECT_TRUE(loaded.ok()) << description;
  if (!loaded.ok()) return {};
  const Decoder decoder(loaded.model, {.gen = 0, .mesa_compat = is_mesa});
  Printer printer(decoder, {});
  std::vector<std::string> texts(count);
  for (std::uint64_t word = 0; word < count; ++word) printer.print_word({&word, 1}, bits, texts[word]);
  for (const generated_program* program : generated_programs(description, manner)) {
    for (std::uint64_t word = 0; word < count; ++word) {
      generated_request request{};
      char text[4096];
      EXPECT_EQ(std::string_view(text, program->word(&word, bits, &request, text, sizeof text)), texts[word]);
    }
  }
  return texts;
}

// Texts of a description are escaped in string literals and comments: the code compiles and prints them.
TEST(GeneratedCode, escapes_text_in_literals_and_comments) {
  const fs::path description = fs::path(VIREO_BINARY_DIR) / "test/generated/texts.xml";
  write_text(description, R"(<isa>
    <enum name="*/ int e; /*"><value val="0" display="&quot;); abort(); (&quot;"/><value val="1" display="\@??/é$"/></enum>
    <bitset name="#instruction" size="8"><display>{NAME} "\%s{A}*/ @x {B}{C}</display>
      <override><expr>{B} == 3 /* @ ??/ */</expr>
      <derived name="C" type="bool" display="*/&#9;//"><expr>{B}</expr></derived></override>
      <derived name="C" type="bool" display=""><expr>0</expr></derived>
      <field name="A" low="0" high="0" type="*/ int e; /*"/><field name="B" low="1" high="7" type="uint"/></bitset>
  </isa>)");
  compared_words(description, Manner::Clean, 8, 256);
}

// Expressions simplified with all known values. Compilers warn of conditions made of constants, and the tests compile
// with all warnings as errors.
TEST(GeneratedCode, evaluates_partially_known_expressions) {
  constexpr std::string_view expressions[] = {
      "({A} &amp;&amp; 0) &gt; 0",
      "({A} || 1) == ({B} || 1)",
      "!({A} ? 16 : 255)",
      "({A} ? 16 : {B}) || {C}",
      "({A} ? 2 : 3) ? {B} : {C}",
      "{B} ? {D} : 7",
      "!({A} &amp;&amp; {E})",
      "{E} ? 1 : -5",
      "({A} ? {E} : 5) &amp;&amp; 1",
      "~({A} &amp;&amp; 0)",
      "{A} ? 5000000000 : {B}",
      "({A} ? 1 : 0) ? {B} : 12",
  };
  const fs::path description = fs::path(VIREO_BINARY_DIR) / "test/generated/partly.xml";
  fs::create_directories(description.parent_path());
  std::string text = R"(<isa><bitset name="#instruction" size="16">
    <override><expr>{A} == 3</expr><derived name="D" type="uint"><expr>4</expr></derived></override>
    <override><expr>{B} ? 6 : {C}</expr><derived name="E" type="uint"><expr>{C} + 2</expr></derived></override>
    <derived name="D" type="uint"><expr>{C}</expr></derived><derived name="E" type="uint"><expr>9</expr></derived>
    <field name="A" low="0" high="2" type="uint"/><field name="B" low="3" high="3" type="uint"/>
    <field name="C" low="4" high="15" type="uint"/>)";
  std::string display;
  for (std::size_t i = 0; i < std::size(expressions); ++i) {
    const std::string name = "X" + std::to_string(i);
    display += " {" + name + "}{F" + name + "}";
    for (const std::string& derived :
         {"name='" + name + "' type='uint'", "name='F" + name + "' type='bool_inv' display='!'"})
      text += "<derived " + derived + "><expr>" + std::string(expressions[i]) + "</expr></derived>";
  }
  write_text(description, text + "<display>" + display + "</display></bitset></isa>");
  compared_words(description, Manner::Clean, 16, 4096);
}

// A bitset that is passed to its own leaves is printed to the same depth, with the same annotation.
TEST(GeneratedCode, stops_self_nesting_at_the_depth_of_the_printer) {
  const fs::path description = fs::path(VIREO_BINARY_DIR) / "test/generated/itself.xml";
  fs::create_directories(description.parent_path());
  write_text(description, R"(<isa>
    <bitset name="#register" size="4"><display>r{A}{SRC}</display>
      <override><expr>{A} == 3</expr><display>{A}</display></override>
      <field name="A" low="0" high="3" type="uint"/></bitset>
    <bitset name="#instruction" size="8"><display>{SRC} {DST}</display>
      <field name="SRC" low="0" high="3" type="#register"><param name="SRC"/></field>
      <field name="DST" low="4" high="7" type="#register"><param name="SRC"/></field></bitset>
  </isa>)");
  for (const Manner manner : {Manner::Clean, Manner::Mesa}) {
    const std::vector<std::string> texts = compared_words(description, manner, 8, 256);
    ASSERT_EQ(texts.size(), 256u);
    for (std::size_t word = 0; word < texts.size(); ++word)
      EXPECT_EQ(contains(texts[word], "display too long at 'SRC'"), (word & 15) != 3) << texts[word];
  }
}

TEST(GeneratedCode, contains_only_the_requested_generations) {
  const LoadedModel loaded = load_named("gens.xml");
  const std::string one = generate(loaded.model, {.name = "gens", .gens = {2}});
  EXPECT_TRUE(contains(one, "  {2u, 2u, "));
  EXPECT_FALSE(contains(one, "4294967295u"));
  const std::string all = generate(loaded.model, {.name = "gens"});
  EXPECT_TRUE(contains(all, "  {0u, "));
  EXPECT_TRUE(contains(all, ", 4294967295u, "));
  EXPECT_LT(one.size(), all.size());
}

}  // namespace
}  // namespace vireo::isa
