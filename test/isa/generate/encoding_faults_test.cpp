// SPDX-License-Identifier: Apache-2.0
//
// Values that are out of range, and values at the limits: a table of C++ for generated encoders and packers, with the
// results.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "isa/generate/compiled.h"
#include "outside.h"
#include "vireo/isa/generate.h"
#include "vireo/isa/isa.h"

namespace vireo::isa {
namespace {

struct EncodingRow {
  std::string_view code;    ///< statements that fill `x`, starting with its type; or `op` and `s`
  std::string_view wanted;  ///< the word, or the first fault
};

/// Compiles one function for each row and returns their results.
std::vector<std::string> answers(const std::string& stem, std::string text, const std::vector<std::string>& bodies) {
  text +=
      "static std::string hex(const uint64_t* words) {\n  char digits[20];\n"
      "  std::snprintf(digits, sizeof digits, \"%08llx\", static_cast<unsigned long long>(words[0]));\n  return "
      "digits;\n}\n"
      "template <typename Fault>\nstatic std::string said(const Fault& fault) {\n"
      "  return std::string(fault.bitset) + (fault.field == nullptr ? \"\" : \".\") +\n"
      "         (fault.field == nullptr ? \"\" : fault.field) + \": \" + fault_text(fault.kind);\n}\n";
  std::string list;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    text += "static std::string row" + std::to_string(i) + "() {\n  " + bodies[i] + "\n}\n";
    list += "  out.push_back(row" + std::to_string(i) + "());\n";
  }
  text += "static void all(std::vector<std::string>& out) {\n" + list + "}\n";
  text += "extern \"C\" void (*const answers)(std::vector<std::string>&) = all;\n";
  const SourceCode code{
      .stem = stem, .text = "#include <cstdio>\n#include <string>\n#include <vector>\n" + text, .flags = strict_flags};
  std::vector<std::string> result;
  (*static_cast<void (*const*)(std::vector<std::string>&)>(compiled_symbol(code, "answers")))(result);
  return result;
}

LoadedModel maps() { return load_model((outside::source_folder() / "data/isa/maps.xml").string()); }

std::string made(Result<std::string> (*generate)(const Model&, const GenerateOptions&, Diagnostics&),
                 const GenerateOptions& options) {
  Diagnostics diagnostics;
  const LoadedModel loaded = maps();
  const Result<std::string> source = generate(loaded.model, options, diagnostics);
  EXPECT_TRUE(source.ok());
  return source.ok() ? *source : std::string();
}

constexpr EncodingRow encoder_rows[] = {
    // Asserts of the selected case only.
    {"Jump x; x.TARGET = 16;", "50a00010"},
    {"Jump x; x.FAR = true; x.TARGET_branch24 = 16;", "51000010"},
    {"Jump x; x.TARGET_branch24 = 0xa00010 - 0x1000000;", "jump.TARGET: the field's case does not hold"},
    {"Jump x; x.FAR = true; x.TARGET = 16;", "jump.TARGET: the field's case does not hold"},
    {"Jump x; x.TARGET = 1; x.TARGET_branch24 = 1;", "jump.TARGET: the field's case does not hold"},
    {"Jump x; x.TARGET = 1; x.TARGET_branch24 = 2;", "jump.TARGET: the bits have another value already"},
    // Ranges, up to the limits.
    {"Jump x; x.TARGET = 524287;", "50a7ffff"},
    {"Jump x; x.TARGET = 524288;", "jump.TARGET: the value does not fit"},
    {"Jump x; x.TARGET = -524288;", "50a80000"},
    {"Jump x; x.TARGET = -524289;", "jump.TARGET: the value does not fit"},
    // Derived values, alone and together with their parts.
    {"LoadMany x; x.OFFSET = -204; x.COUNT = 8; x.DST.REG = 6;", "4018fe34"},
    {"LoadMany x; x.OFFSET = 2047; x.COUNT = 1;", "400070ff"},
    {"LoadMany x; x.OFFSET = 2048;", "load.many.OFFSET: the value does not fit"},
    {"LoadMany x; x.COUNT = 0;", "load.many.COUNT: the value does not fit"},
    {"LoadMany x; x.COUNT = 9;", "load.many.COUNT: the value does not fit"},
    {"LoadMany x; x.COUNT = 4; x.COUNT_MINUS_ONE = 3;", "40000600"},
    {"LoadMany x; x.COUNT = 4; x.COUNT_MINUS_ONE = 4;", "load.many.COUNT: the bits have another value already"},
    {"LoadMany x; x.OFFSET_HI = -8; x.OFFSET_LO = 255; x.CACHED = true;", "400081ff"},
    // A field that only its own case has.
    {"LoadMany x; x.DST.SPECIAL = Special::sp;", "40740000"},
    {"LoadMany x; x.DST.SPECIAL = static_cast<Special>(3);", "#register.SPECIAL: the field's case does not hold"},
    {"LoadMany x; x.DST.REG = 32;", "#register.REG: the value does not fit"},
    // Operands of several kinds, and a param that selects the kind of one.
    {"Add x; x.UNIT = Unit::mul; x.SRC = OperandNumber{-1, {}}; x.SRC2 = OperandRegister{true, {}};", "110040ff"},
    {"Add x; x.SRC = OperandNumber{{}, 3072}; x.WIDE = true;", "10800083"},
    {"Add x; x.SRC = OperandNumber{{}, 3072};", "#operand-number.HIGH: the field's case does not hold"},
    {"Add x; x.SRC = OperandNumber{{}, 3073}; x.WIDE = true;", "#operand-number.HIGH: the value does not fit"},
    // Generations.
    {"SubUpTo1 x;", "20000000"},
    {"SubFrom2 x;", "sub: there is no code for the generation"},
};

TEST(GeneratedEncoder, reports_values_that_do_not_fit) {
  std::vector<std::string> bodies;
  for (const EncodingRow& row : encoder_rows) {
    bodies.push_back("using namespace made_faults; " + std::string(row.code) +
                     " const Encoded e = encode(x, 1);\n  return e ? hex(e.words) : said(e.report.faults[0]);");
  }
  const std::string source = made(generate_encoder, {.name = "made_faults"});
  const std::vector<std::string> got =
      answers("encoder_faults", "#define MADE_FAULTS_IMPLEMENTATION\n" + source, bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(got[i], encoder_rows[i].wanted) << encoder_rows[i].code;
}

constexpr EncodingRow packer_rows[] = {
    {"op.label = MAPS_JUMP; op.target = 16;", "50a00010"},
    {"op.label = MAPS_JUMP; op.target = 16; op.is_far = true;", "51000010"},
    {"op.label = MAPS_JUMP; op.target = 524288;", "jump.TARGET: the value does not fit"},
    {"op.label = MAPS_JUMP; op.target = 524288; op.is_far = true;", "51080000"},
    {"op.label = MAPS_LOAD_MANY; op.offset = -204; op.count = 8; op.dst = 6; s.is_cached = true;", "4018ff34"},
    {"op.label = MAPS_LOAD_MANY; op.offset = 2047; op.count = 1; op.dst = 29;", "407470ff"},
    {"op.label = MAPS_LOAD_MANY; op.offset = 2048; op.count = 1;", "load.many.OFFSET_HI: the value does not fit"},
    {"op.label = MAPS_LOAD_MANY; op.offset = -2049; op.count = 1;", "load.many.OFFSET_HI: the value does not fit"},
    {"op.label = MAPS_LOAD_MANY; op.count = 0;", "load.many.COUNT_MINUS_ONE: the value does not fit"},
    {"op.label = MAPS_LOAD_MANY; op.count = 1; op.dst = 32;", "#register.REG: the value does not fit"},
    {"op.label = MAPS_ADD; a.number[0] = -64;", "100100c0"},
    {"op.label = MAPS_ADD; a.number[0] = -65;", "#operand-number.NUMBER: the value does not fit"},
    {"op.label = MAPS_ADD; a.number[0] = 64;", "#operand-number.NUMBER: the value does not fit"},
    {"op.label = MAPS_ADD; a.number[1] = 3; op.wide = true;", "10810083"},
    {"op.label = MAPS_ADD; a.label = 7;", "#operand: no such instruction or operand in this generation"},
    {"op.label = 999;", "#instruction: no such instruction or operand in this generation"},
};

TEST(GeneratedPacker, reports_values_that_do_not_fit) {
  std::vector<std::string> bodies;
  for (const EncodingRow& row : packer_rows) {
    bodies.push_back(
        "using namespace mock_pack; maps_state s{}; maps_op op{}; maps_operand a{}, b{};\n"
        "  a.label = b.label = MAPS_OPERAND_NUMBER; op.src[0] = &a; op.src[1] = &b;\n  " +
        std::string(row.code) +
        "\n  uint64_t words[word_count]; Report report;\n"
        "  return pack_instruction(&op, &s, 1, words, &report) != 0 ? hex(words) : said(report.faults[0]);");
  }
  const std::string text =
      "#include \"isa/generate/mock_ir/maps.h\"\n#define MOCK_PACK_STATE MOCK_STATE\n#define "
      "MOCK_PACK_LABELS\n"
      "#define MOCK_PACK_IMPLEMENTATION\n" +
      made(generate_packer, {.name = "mock_pack"});
  const std::vector<std::string> got = answers("packer_faults", text, bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(got[i], packer_rows[i].wanted) << packer_rows[i].code;
}

// --- rejected descriptions -------------------------------------------------------------------------------------------

std::string refusal(std::string_view encode,
                    Result<std::string> (*generate)(const Model&, const GenerateOptions&, Diagnostics&),
                    GeneratedLanguage language = GeneratedLanguage::Cpp) {
  const std::string text =
      "<isa><bitset name=\"#instruction\" size=\"8\"><display>{A}</display><field name=\"A\" low=\"0\" "
      "high=\"7\" type=\"uint\"/>" +
      std::string(encode) + "</bitset></isa>";
  const std::filesystem::path path = compiled_folder() / "refused.xml";
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  const LoadedModel loaded = load_model(path.string());
  Diagnostics diagnostics;
  const Result<std::string> source = generate(loaded.model, {.language = language, .name = "a"}, diagnostics);
  return diagnostics.all().empty() ? "" : std::string(diagnostics.all()[0].rule);
}

TEST(GeneratedPacker, rejects_maps_that_are_not_expressions) {
  const auto with_map = [](std::string_view map) {
    return "<encode type=\"int\"><map name=\"A\">" + std::string(map) + "</map></encode>";
  };
  for (const std::string_view map :
       {"src)", "(src", "src; abort()", "src[1)", "{1}", "", "\"src", "src /* ", "1 \n# define x", "a \\\n b",
        // Special lexical rules of compilers: joined lines, alternative spellings of brackets, literals with unusual
        // ends.
        "src // \\", "src // \\ \t\n", "src // \\ ", "1 \n%:define x", "src&lt;:1:>", "&lt;% 1 %>", "src // &#13; ) (",
        "f(R\"(a\"()\", \"\")", "1'0 + 1'0"}) {
    EXPECT_EQ(refusal(with_map(map), generate_packer), "bad-map") << map;
  }
  for (const std::string_view map : {"src", "f(src, \")\")", "src // it is\n", "s->a[src ? ')' : 1]", "src /* ) */ + 1",
                                     "f('\\\\', \"\\\\ \")", "src /* \\ &lt;% */", "src % 2 &lt; 1"}) {
    EXPECT_EQ(refusal(with_map(map), generate_packer), "") << map;
  }
  EXPECT_EQ(refusal("<encode type=\"int); abort(\"/>", generate_packer), "bad-map");
}

// --- unusual descriptions that must give valid code ------------------------------------------------------------------

struct MadeFault {
  std::string source;
  std::size_t remarks = 0;
};

MadeFault made_of(std::string_view bitsets,
                  Result<std::string> (*generate)(const Model&, const GenerateOptions&, Diagnostics&)) {
  const LoadedModel loaded = load_model_text("x.xml", "<isa>" + std::string(bitsets) + "</isa>");
  EXPECT_TRUE(loaded.model.is_sound());
  Diagnostics diagnostics;
  const Result<std::string> source = generate(loaded.model, {.name = "a"}, diagnostics);
  EXPECT_TRUE(source.ok());
  return {source.ok() ? *source : "", diagnostics.all().size()};
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++result;
  return result;
}

// Displays of one leaf, or definitions of one name: one line for each, whatever their number.
TEST(GeneratedPacker, writes_one_line_for_each_case) {
  constexpr std::size_t many = 20'000;
  for (const std::string_view body : {"<display>{A} {B}</display>", "<field name='B' low='0' high='7' type='int'/>"}) {
    std::string text =
        "<bitset name='#instruction' size='32'><encode type='int'><map name='A'>src</map><map name='B'>1</map></encode>"
        "<display>{A} {B}</display><field name='A' low='8' high='31' type='uint'/><field name='B' low='0' high='7' "
        "type='uint'/>";
    for (std::size_t i = 0; i < many; ++i) {
      text += "<override><expr>{A} == " + std::to_string(i) + "</expr>" + std::string(body) + "</override>";
    }
    EXPECT_LT(made_of(text + "</bitset>", generate_packer).source.size(), many * 700);
  }
}

// A product of displays and definitions is rejected before it fills the memory.
TEST(GeneratedPacker, rejects_large_products_of_displays_and_definitions) {
  std::string text = "<encode type='int'><map name='A'>src</map><map name='B'>1</map></encode>";
  for (int i = 0; i < 3000; ++i) {
    const std::string number = std::to_string(i);
    text += "<override><expr>{A} == " + number + "</expr><display>{B} " + number + "</display></override>";
    text += "<override><expr>{A} > " + number + "</expr><field name='B' low='0' high='3' type='uint'/></override>";
  }
  EXPECT_EQ(refusal(text, generate_packer), "model-too-large");
}

TEST(GeneratedPacker, does_not_change_maps_that_resemble_generated_code) {
  const MadeFault packer = made_of(
      "<bitset name='#op' size='4'><encode type='int'><map name='N'>src + p->K</map></encode>"
      "<display>{N}</display><field name='N' low='0' high='3' type='uint'/></bitset>"
      "<bitset name='#instruction' size='16'><encode type='struct op *'><map name='A'>src->a</map>"
      "<map name='B'>src->path1_</map><map name='K'>const bool h2_ = @h1_</map></encode><display>{A} {B} {K}</display>"
      "<field name='A' low='0' high='3' type='#op'><param name='K'/></field>"
      "<field name='B' low='4' high='7' type='uint'/><field name='K' low='8' high='15' type='uint'/></bitset>",
      generate_packer);
  EXPECT_EQ(count(packer.source, "(src->path1_)"), 1u);
  EXPECT_EQ(count(packer.source, "const bool h2_ = @h1_"), 1u);
}

TEST(GeneratedPacker, reports_a_missing_map_once) {
  const MadeFault packer = made_of(
      "<bitset name='#instruction' size='16'><encode type='struct op *'/><override><expr>ISA_GPU_ID() >= 5</expr>"
      "<display>{A} x</display></override><display>{A}</display><field name='A' low='0' high='15' "
      "type='uint'/></bitset>",
      generate_packer);
  EXPECT_EQ(packer.remarks, 1u);
}

TEST(GeneratedEncoder, avoids_macro_names_for_types) {
  const std::string_view rows[][2] = {
      {"NULL", "struct NULL_ {"}, {"EOF", "struct EOF_ {"}, {"class", "struct Class {"}};
  for (const auto& [name, wanted] : rows) {
    const MadeFault encoder = made_of(
        "<bitset name='#instruction' size='8'><display>x</display><field name='INT8_MAX' "
        "low='0' high='7' type='uint'/></bitset><bitset name='" +
            std::string(name) + "' extends='#instruction'/>",
        generate_encoder);
    EXPECT_EQ(count(encoder.source, wanted), 1u) << name;
    EXPECT_EQ(count(encoder.source, " INT8_MAX_{}"), 1u);
  }
}

// A bitset that is both a root and an operand.
TEST(GeneratedEncoder, writes_a_struct_once) {
  const MadeFault encoder = made_of(
      "<encoding unit='8'><root name='#short'><pattern low='0' high='0'>0</pattern></root><root name='#long'>"
      "<pattern low='0' high='0'>1</pattern></root></encoding>"
      "<bitset name='#short' size='8'><display>s {A}</display><pattern low='0' high='0'>0</pattern>"
      "<field name='A' low='1' high='7' type='uint'/></bitset><bitset name='#long' size='16'><display>l {B} "
      "{C}</display>"
      "<pattern low='0' high='0'>1</pattern><field name='C' low='1' high='7' type='uint'/>"
      "<field name='B' low='8' high='15' type='#short'/></bitset>",
      generate_encoder);
  EXPECT_EQ(count(encoder.source, "struct Short {"), 1u);
  EXPECT_EQ(count(encoder.source, "struct Long {"), 1u);
}

TEST(GeneratedPacker, reports_missing_parts_of_a_description) {
  EXPECT_EQ(refusal("", generate_packer), "no-encode-type");
  EXPECT_EQ(refusal("<encode type=\"int\"/>", generate_packer), "no-map");
  EXPECT_EQ(refusal("<encode type=\"int\"/>", generate_unpacker), "no-decode");
  EXPECT_EQ(refusal("", generate_encoder, GeneratedLanguage::C), "wrong-language");
}

}  // namespace
}  // namespace vireo::isa
