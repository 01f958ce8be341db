// SPDX-License-Identifier: Apache-2.0
//
// An invented extension, loaded on top of the built-in grammar at run time.
#include <gtest/gtest.h>

#include <utility>

#include "spirv/grammar/documents.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv {
namespace {

class Overlay : public testing::Test {
 protected:
  void SetUp() override {
    data_ = load_files({data_folder() / "vivid.grammar.json", data_folder() / "extinst.vivid.brush.grammar.json"},
                       &builtin_grammar());
    ASSERT_TRUE(data_.has_value());
  }
  const Grammar& g() const { return data_->grammar(); }
  std::optional<GrammarData> data_;
};

TEST_F(Overlay, adds_an_instruction_with_its_alias) {
  const InstructionRow* paint = g().find_instruction("OpPaintVIVID");
  ASSERT_NE(paint, nullptr);
  EXPECT_EQ(g().find_opcode(65000), paint);
  EXPECT_EQ(g().find_instruction("OpColourVIVID"), paint);
  EXPECT_EQ(paint->flags, HasResultType | HasResult | Provisional);
  EXPECT_TRUE(paint->since.is_none());
  EXPECT_EQ(g().text(g().printing_classes[paint->printing_class]), "Vivid");
  EXPECT_EQ(g().operands(paint->operands)[3].quantifier, Quantifier::Star);
}

TEST_F(Overlay, replaces_an_instruction_of_the_same_opcode) {
  EXPECT_EQ(g().operands(g().find_instruction("OpNop")->operands).size(), 1u);
  EXPECT_EQ(g().instructions.size(), builtin_grammar().instructions.size() + 1);
}

TEST_F(Overlay, adds_enumerants_with_parameters_to_existing_kinds) {
  const KindId decoration = g().find_kind("Decoration");
  const EnumerantRow* glossy = g().find_enumerant(decoration, "GlossyVIVID");
  ASSERT_NE(glossy, nullptr);
  EXPECT_EQ(g().find_value(decoration, 64000), glossy);
  const auto parameters = g().operands(glossy->parameters);
  ASSERT_EQ(parameters.size(), 2u);
  EXPECT_EQ(parameters[0].shape, OperandShape::LiteralString);
  EXPECT_EQ(parameters[1].kind, g().find_kind("Hue"));
  EXPECT_NE(g().find_enumerant(decoration, "Block"), nullptr);
}

TEST_F(Overlay, adds_a_capability_that_implies_others) {
  const EnumerantRow* paint = g().find_enumerant(g().capability_kind, "PaintVIVID");
  ASSERT_NE(paint, nullptr);
  const auto row = static_cast<std::uint16_t>(paint - g().enumerants.data());
  EXPECT_EQ(implied_capabilities(g(), row).size(), 3u);  // Geometry, Shader, Matrix
}

// References to a capability are by its name, also in the document that renames it.
TEST(OverlayOfCapabilities, renames_a_capability_in_all_references) {
  Diagnostics diagnostics;
  const GrammarFile file{"renames.json", R"({
    "operand_kinds": [{"category": "ValueEnum", "kind": "Capability", "enumerants": [
      {"enumerant": "Shady", "value": 1, "aliases": ["Dim"], "capabilities": ["Matrix"]},
      {"enumerant": "Geometry", "value": 64000}]}],
    "instructions": [{"opname": "OpShade", "opcode": 60000, "capabilities": ["Shader", "Geometry"]}]})",
                         ""};
  const Result<GrammarData> data = load_grammar({&file, 1}, &builtin_grammar(), diagnostics);
  EXPECT_EQ(summary(diagnostics), "");
  ASSERT_TRUE(data.ok());
  const Grammar& g = data->grammar();
  const EnumerantRow* shady = g.find_value(g.capability_kind, 1);
  ASSERT_NE(shady, nullptr);
  EXPECT_EQ(g.text(shady->name), "Shady");
  EXPECT_EQ(g.find_enumerant(g.capability_kind, "Shader"), shady);
  EXPECT_EQ(g.find_enumerant(g.capability_kind, "Dim"), shady);
  // If the document gives a name another number, the name refers to that number.
  EXPECT_EQ(g.find_enumerant(g.capability_kind, "Geometry")->value, 64000u);
  EXPECT_EQ(g.find_value(g.capability_kind, 2), nullptr);
  const auto needed = g.capabilities(g.find_instruction("OpShade")->capabilities);
  EXPECT_EQ(&g.enumerants[needed[0]], shady);
  EXPECT_EQ(g.enumerants[needed[1]].value, 64000u);
  const auto of_samples = g.capabilities(g.find_instruction("OpImageSampleImplicitLod")->capabilities);
  EXPECT_EQ(&g.enumerants[of_samples[0]], shady);
}

TEST(OverlayOfCapabilities, reports_capabilities_declared_as_a_mask_once) {
  Diagnostics diagnostics;
  const GrammarFile file{"masks.json", R"({"operand_kinds": [{"category": "BitEnum", "kind": "Capability",
    "enumerants": [{"enumerant": "Shader", "value": 1}]}]})",
                         ""};
  EXPECT_FALSE(load_grammar({&file, 1}, &builtin_grammar(), diagnostics).ok());
  EXPECT_EQ(
      summary(diagnostics),
      "$.operand_kinds[0]: operand kind 'Capability' is a BitEnum; expected a ValueEnum [grammar-duplicate-kind]\n");
}

TEST_F(Overlay, adds_an_extended_set_with_kinds_of_its_own) {
  const ExtInstSetId brush = g().find_set("Vivid.Brush.3");
  ASSERT_FALSE(brush.is_none());
  const ExtInstRow* stroke = g().find_ext_inst(brush, "Stroke");
  ASSERT_NE(stroke, nullptr);
  EXPECT_EQ(g().operands(stroke->operands)[0].kind, g().find_kind("Bristle", brush));
  EXPECT_EQ(g().find_ext_inst(brush, 7u)->capabilities.count, 1);
  EXPECT_EQ(g().find_enumerant(g().find_kind("Bristle", brush), "Sable")->value, 2u);
}

TEST_F(Overlay, leaves_all_other_rows_unchanged) {
  std::size_t changes = 0;
  for (const GrammarChange& change : diff_grammars(builtin_grammar(), g())) {
    ++changes;
    EXPECT_NE(change.kind, GrammarChange::Kind::Removed) << to_line(change);
    if (change.kind == GrammarChange::Kind::Changed) { EXPECT_EQ(change.subject, "instruction OpNop"); }
  }
  EXPECT_EQ(changes, 9u);  // OpNop, OpPaintVIVID, Hue with 3, GlossyVIVID, PaintVIVID, and the set
}

TEST_F(Overlay, stays_valid_when_it_is_moved) {
  const InstructionRow* before = g().find_instruction("OpPaintVIVID");
  const GrammarData moved = std::move(*data_);
  EXPECT_EQ(moved.grammar().find_instruction("OpPaintVIVID"), before);
}

TEST_F(Overlay, can_extend_an_overlay) {
  const auto again = load_files({data_folder() / "vivid.grammar.json"}, &g());
  ASSERT_TRUE(again.has_value());
  EXPECT_TRUE(diff_grammars(g(), again->grammar()).empty());
}

}  // namespace
}  // namespace vireo::spirv
