// SPDX-License-Identifier: Apache-2.0
//
// Explanations: each recorded word has one that agrees with the printer; irregular bits are marked; names of a
// description are escaped in drawings.
#include "vireo/isa/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <pugixml.hpp>
#include <random>
#include <string>

#include "isa/print/field_text.h"
#include "isa/vectors/vectors.h"
#include "outside.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;
using Kind = ExplainedRow::Kind;

struct Machine {
  LoadedModel loaded;
  std::unique_ptr<Decoder> decoder;

  explicit Machine(LoadedModel model, std::uint32_t gen = 0) : loaded(std::move(model)) {
    EXPECT_TRUE(loaded.ok());
    decoder = std::make_unique<Decoder>(loaded.model, DecodeOptions{.gen = gen});
  }
  [[nodiscard]] Explanation explain(std::string_view hex) const {
    const std::optional<Bits> word = parse_hex(hex, loaded.model.unit_bits());
    EXPECT_TRUE(word.has_value()) << hex;
    return Explainer(*decoder, {}).explain(*word);
  }
};

Machine teaching(std::string_view name, std::uint32_t gen = 0) {
  const fs::path path = outside::source_folder() / "data/isa" / (std::string(name) + ".xml");
  return Machine(load_model(path.string()), gen);
}

const ExplainedRow* find_row(const Explanation& explanation, std::string_view name) {
  const auto found = std::find_if(explanation.rows.begin(), explanation.rows.end(),
                                  [&](const ExplainedRow& row) { return row.name == name; });
  return found == explanation.rows.end() ? nullptr : &*found;
}

std::string marks_of(const Explanation& explanation) {
  std::string text;
  for (const BitMark mark : explanation.picture.marks) text.insert(text.begin(), static_cast<char>(mark));
  return text;
}

// --- all words ----------------------------------------------------------------------------------------------------------

// The bottom layer contains each bit once; other layers contain each bit at most once.
void check_picture(const BitPicture& picture, const std::string& where) {
  for (const BitLayer& layer : picture.layers) {
    std::uint32_t next = picture.size;
    for (const BitCell& cell : layer.cells) {
      ASSERT_LE(cell.low + cell.width, next) << where;
      if (&layer == &picture.layers.front()) { ASSERT_EQ(cell.low + cell.width, next) << where; }
      next = cell.low;
    }
    if (&layer == &picture.layers.front()) { ASSERT_EQ(next, 0u) << where; }
  }
}

struct Custom final : PrintListener {
  void custom(std::string_view name, std::uint64_t value, std::string& text) override {
    text.append("<").append(name).append(std::to_string(value)).append(">");
  }
};

// Explains every word of a file. The text composed from the fields must be the printed line.
std::size_t check_words(const fs::path& description, const fs::path& file, std::string_view isa,
                        std::string_view text_key = "text") {
  const LoadedModel loaded = load_model(description.string(), {.mesa_compat = true, .read = {}});
  EXPECT_TRUE(loaded.ok()) << description;
  if (!loaded.ok()) return 0;
  Custom custom;
  struct Generation {
    Decoder decoder;
    Explainer explainer;
    Generation(const Model& model, std::uint32_t gen, Custom& custom)
        : decoder(model, {.gen = gen, .mesa_compat = true}), explainer(decoder, {.listener = &custom}) {}
  };
  std::map<std::uint32_t, Generation> generations;
  std::size_t count = 0;
  for (const Vector& vector : read_vectors(file, text_key)) {
    if (!isa.empty() && vector.isa != isa) continue;
    const std::uint32_t gen = vector.request.gen;
    Explainer& explainer = generations.try_emplace(gen, loaded.model, gen, custom).first->second.explainer;
    const std::size_t size = loaded.model.unit_bits() / 8;
    for (std::size_t at = 0; at + size <= vector.bytes.size(); at += size) {
      Bits word(loaded.model.unit_bits());
      for (std::size_t i = 0; i < size; ++i)
        word.insert(static_cast<std::uint32_t>(8 * i), Bits(8, vector.bytes[at + i]));
      const Explanation explanation = explainer.explain(word);
      ++count;
      check_picture(explanation.picture, vector.where);
      if (explanation.outcome == Explanation::Outcome::Match) {
        EXPECT_EQ(explanation.rows.front().text, explanation.line) << vector.where;
      }
      std::string text;
      append_text(text, loaded.model, explanation, {});
      EXPECT_EQ(text.rfind(explanation.hex, 0), 0u) << vector.where;
      if (count % 16 != 0) continue;
      std::string svg;
      append_svg(svg, loaded.model, {&explanation, 1}, {});
      pugi::xml_document document;
      EXPECT_TRUE(document.load_buffer(svg.data(), svg.size())) << vector.where;
    }
  }
  return count;
}

TEST(Explain, teaching_words_agree_with_the_printer) {
  std::size_t files = 0;
  for (const fs::path& description : teaching_descriptions()) {
    EXPECT_GT(check_words(description, vectors_of(description), ""), 0u) << description;
    ++files;
  }
  EXPECT_GT(files, 9u);
}

TEST(Explain, recorded_words_agree_with_the_printer) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const fs::path isa = *shared / "isa";
  EXPECT_GT(check_words(isa / "mesa/ir3.xml", isa / "vectors/ir3-generated.jsonl", "ir3"), 0u);
  EXPECT_GT(check_words(isa / "mesa/ir3.xml", isa / "vectors/ir3.jsonl", "ir3", "decoded"), 0u);
  EXPECT_GT(check_words(isa / "mesa/afuc.xml", isa / "vectors/afuc-generated.jsonl", "afuc"), 0u);
  EXPECT_GT(check_words(isa / "mesa/afuc.xml", isa / "vectors/afuc.jsonl", "afuc"), 0u);
  EXPECT_GT(check_words(isa / "mesa/etnaviv.xml", isa / "vectors/etnaviv-generated.jsonl", "etnaviv"), 0u);
  EXPECT_GT(check_words(isa / "mesa/etnaviv.xml", isa / "vectors/etnaviv.jsonl", "etnaviv", "decoded"), 0u);
}

// --- fields by themselves -----------------------------------------------------------------------------------------------

TEST(Explain, a_single_field_is_formatted_as_by_the_printer) {
  std::mt19937_64 random(7);
  std::size_t count = 0;
  for (const std::uint32_t width : {1u, 5u, 16u, 32u, 33u, 64u, 65u, 100u}) {
    for (const std::string type : {"uint", "int", "hex", "offset", "uoffset", "bool", "bool_inv", "bool\" display=\"!",
                                   "bool_inv\" display=\"!", "float", "branch", "absbranch", "#e"}) {
      if (type == "float" && width != 16 && width != 32) continue;
      if ((type.ends_with("branch") || type == "#e") && width > 64) continue;
      const std::string size = std::to_string((width + 7) / 8 * 8 + 8);
      const Machine machine(load_model_text(
          "x", "<isa><enum name=\"#e\"><value val=\"1\" display=\"one\"/></enum><bitset name=\"#instruction\" size=\"" +
                   size + "\"><display>{V}</display><field name=\"V\" low=\"0\" high=\"" + std::to_string(width - 1) +
                   "\" type=\"" + type + "\"/><field name=\"REST\" low=\"" + std::to_string(width) + "\" high=\"" +
                   std::to_string(std::stoul(size) - 1) + "\" type=\"hex\"/></bitset></isa>"));
      ASSERT_TRUE(machine.loaded.ok()) << type << width;
      Printer printer(*machine.decoder, {});
      for (int i = 0; i < 40; ++i, ++count) {
        Bits word(machine.loaded.model.unit_bits());
        const std::uint64_t pattern = i == 0 ? 0 : i == 1 ? 1 : i == 2 ? ~std::uint64_t{0} : random() >> random() % 64;
        for (std::uint32_t at = 0; at < width; at += 64) word.insert(at, Bits(std::min(64u, width - at), pattern));
        std::string expected;
        printer.print_word(word.words(), word.width(), expected);
        std::string text;
        const Field& field = machine.loaded.model.rows().fields.front();
        append_field_text(text, machine.loaded.model, field, word.extract(0, width - 1), FloatStyle::Fixed);
        EXPECT_EQ(text, expected) << type << ' ' << width << ' ' << to_hex(word);
      }
    }
  }
  EXPECT_GT(count, 3000u);
}

// --- contents --------------------------------------------------------------------------------------------------------

TEST(Explain, rows_state_the_origin_of_a_field) {
  const Machine machine = teaching("choices");
  const Model& model = machine.loaded.model;
  const Explanation explanation = machine.explain("0100001c");  // set $status, 0
  const ExplainedRow* special = find_row(explanation, "SPECIAL");
  ASSERT_NE(special, nullptr);
  EXPECT_EQ(special->text, "$status");
  EXPECT_EQ(special->type, "#special");
  EXPECT_EQ(special->raw, "1c");
  EXPECT_TRUE(special->is_shown);
  EXPECT_FALSE(model[special->from].is_default());
  const ExplainedRow* hidden = find_row(explanation, "DST");
  ASSERT_NE(hidden, nullptr);
  EXPECT_FALSE(hidden->is_shown);
  EXPECT_TRUE(model[hidden->from].is_default());
  ASSERT_EQ(explanation.picture.layers.size(), 2u);  // DST is in the layer below SPECIAL
  EXPECT_EQ(explanation.picture.layers[1].cells[0].label, "DST");
}

TEST(Explain, params_and_derived_values_are_listed) {
  const Machine machine = teaching("choices");
  const Explanation explanation = machine.explain("00d01045");  // a scaled address
  const ExplainedRow* address = find_row(explanation, "ADDRESS");
  ASSERT_NE(address, nullptr);
  EXPECT_EQ(address->details, "passes BYTES as UNIT, SCALE");
  const ExplainedRow* step = find_row(explanation, "STEP");
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(step->kind, Kind::Derived);
  EXPECT_EQ(step->raw, "4");
  EXPECT_EQ(step->details, "= {UNIT} << ({SCALE} - 1)");
  EXPECT_GT(step->depth, address->depth);
}

// clang-format off
constexpr struct { std::string_view isa, hex, marks, annotation; } odd_words[] = {
    {"faults",  "000a85", "              x  !^!^  !", "dontcare bits in strict: 000200"},
    {"faults",  "0020ff", "          ^    ^        ", "nearest is both: bits 13, 8 differ"},
    {"tiny16",  "0428",   "           !^!!!", "no match: FIELD: 'add.SRC': 0008"},
    {"tiny16",  "0428",   "           !^!!!", "nearest is #register: bit 3 differs"},
    {"scopes",  "00000214", "                        ?       ", "no field of the selected case contains this bit"},
    {"choices", "01200000", "         !!                     ", "unexpected bits[21:22] in set: 00000001 vs 00000000"},
};
// clang-format on

TEST(Explain, irregular_bits_are_marked_and_explained) {
  for (const auto& row : odd_words) {
    const Explanation explanation = teaching(row.isa).explain(row.hex);
    std::string messages;
    for (const ExplainedAnnotation& annotation : explanation.annotations) messages += annotation.message + "\n";
    EXPECT_NE(messages.find(row.annotation), std::string::npos) << row.hex << " has\n" << messages;
    EXPECT_EQ(marks_of(explanation), row.marks) << row.isa << ' ' << row.hex;
  }
}

TEST(Explain, a_conflict_shows_all_matching_leaves) {
  const Explanation explanation = teaching("faults").explain("0001ff");
  EXPECT_EQ(explanation.outcome, Explanation::Outcome::Conflict);
  ASSERT_EQ(explanation.picture.layers.size(), 2u);
  EXPECT_EQ(explanation.picture.layers[0].caption, "both");
  EXPECT_EQ(explanation.picture.layers[1].caption, "either");
  EXPECT_NE(find_row(explanation, "both"), nullptr);
  EXPECT_NE(find_row(explanation, "either"), nullptr);
}

TEST(Explain, a_generation_without_instructions_is_reported) {
  const Machine machine(load_model_text("x", R"(<isa><bitset name="#instruction" size="16"><gen min="5"/>
      <field name="A" low="0" high="15" type="hex"/></bitset></isa>)"),
                        1);
  const Explanation explanation = machine.explain("1234");
  EXPECT_EQ(explanation.outcome, Explanation::Outcome::NoMatch);
  ASSERT_EQ(explanation.annotations.size(), 1u);
  EXPECT_EQ(explanation.annotations[0].message, "no instruction of this size exists in generation 1");
}

TEST(Explain, exponentially_growing_displays_are_truncated) {
  std::string xml = "<isa>";
  for (int i = 0; i < 20; ++i) {
    const std::string next = i == 19 ? "uint" : "#b" + std::to_string(i + 1);
    xml += "<bitset name=\"#b" + std::to_string(i) + "\" size=\"8\"><display>{V}{V}{V}{V}</display>" +
           "<field name=\"V\" low=\"0\" high=\"7\" type=\"" + next + "\"/></bitset>";
  }
  xml += R"(<bitset name="#instruction" size="8"><display>{V}</display>)";
  xml += R"(<field name="V" low="0" high="7" type="#b0"/></bitset></isa>)";
  const Machine machine(load_model_text("x", xml));
  const Explanation explanation = machine.explain("07");
  std::string text;
  append_text(text, machine.loaded.model, explanation, {});
  EXPECT_LT(text.size(), 1u << 20);
}

// --- drawings -----------------------------------------------------------------------------------------------------------

constexpr std::string_view hostile_text =
    R"xml(<isa><enum name="&lt;/title&gt;&lt;script&gt;"><value val="0" display="&lt;b&gt;&#27;[31m&amp;"/></enum>
<bitset name="&lt;/svg&gt;" size="8" displayname="&quot;onload=alert(1) &#27;]0;x">
<display>{NAME} {&lt;script&gt;alert(1)&lt;/script&gt;}</display>
<field name="&lt;script&gt;alert(1)&lt;/script&gt;" low="0" high="7" type="&lt;/title&gt;&lt;script&gt;"/></bitset>
<bitset name="#instruction" size="8"><display>{A'"}</display>
<field name="A'&quot;" low="0" high="7" type="&lt;/svg&gt;"/></bitset></isa>)xml";

TEST(Explain, names_are_escaped_in_drawings) {
  const Machine machine(load_model_text("x", std::string(hostile_text)));
  const Explanation explanation = machine.explain("00");
  std::string svg;
  append_svg(svg, machine.loaded.model, {&explanation, 1}, {});
  pugi::xml_document document;
  ASSERT_TRUE(document.load_buffer(svg.data(), svg.size()));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("onload=alert(1) \x1b"), std::string::npos);
  EXPECT_TRUE(document.select_nodes("//script").empty());
  EXPECT_NE(std::string(document.child("svg").child("title").text().get()).find("<b>"), std::string::npos);
  std::string text;
  append_text(text, machine.loaded.model, explanation, {.color = false});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Explain, a_drawing_has_accessible_text) {
  const Machine machine = teaching("tiny16");
  const Explanation explanation = machine.explain("0462");
  std::string svg;
  append_svg(svg, machine.loaded.model, {&explanation, 1}, {});
  pugi::xml_document document;
  ASSERT_TRUE(document.load_buffer(svg.data(), svg.size()));
  const pugi::xml_node root = document.child("svg");
  EXPECT_STREQ(root.attribute("role").value(), "img");
  EXPECT_STREQ(root.attribute("aria-labelledby").value(), "bits-t bits-d");
  EXPECT_STREQ(root.child("title").attribute("id").value(), "bits-t");
  EXPECT_STREQ(root.child("title").text().get(), "0462 add r3, r2");
  EXPECT_STREQ(root.child("desc").attribute("id").value(), "bits-d");
  std::string words;
  for (const pugi::xml_node& node : root.children("text")) words.append(node.text().get()).append("\n");
  for (const std::string_view word : {"DST", "SRC", "#operand", "r3", "NUMBER"})
    EXPECT_NE(words.find(word), std::string::npos) << word;
}

TEST(Explain, colours_do_not_change_the_text) {
  const Machine machine = teaching("faults");
  const Explanation explanation = machine.explain("000a85");
  std::string plain;
  std::string colored;
  append_text(plain, machine.loaded.model, explanation, {.color = false});
  append_text(colored, machine.loaded.model, explanation, {.color = true});
  EXPECT_NE(plain, colored);
  for (std::size_t at = 0; (at = colored.find('\x1b', at)) != std::string::npos;)
    colored.erase(at, colored.find('m', at) - at + 1);
  EXPECT_EQ(plain, colored);
}

}  // namespace
}  // namespace vireo::isa
