// SPDX-License-Identifier: Apache-2.0
//
// Builder::instruction: rebuilds a module, instruction by instruction, from its own words.
//
// Ids are translated and all other words passed on. The two modules are equal once the ids of both are renumbered by
// first mention. So every module is its own expected result.
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "outside.h"
#include "spirv/build/building.h"
#include "spirv/build/random_calls.h"
#include "spirv/module/assembled.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/text/assemble.h"

namespace vireo::spirv {
namespace {

/// Rebuilds a module. An id is reserved at its first mention, whether it is defined or not.
WordBuffer built_again(Words words) {
  const Module module = Module::read(words);
  Diagnostics diagnostics;
  // Equal declarations must not be merged: the module keeps its duplicates.
  Builder b(diagnostics, {.version = module.header().version(), .generator = module.header().generator});
  std::unordered_map<Word, Word> ids;
  const auto translated = [&](Word id) {
    const auto [at, is_new] = ids.try_emplace(id, 0);
    if (is_new) {
      const InstructionIndex definition = module.definition(id);
      at->second = b.reserve_for(module.instruction(definition).opcode).word;
    }
    return at->second;
  };
  OperandDecoder decoder(builtin_grammar(), module.header().bound, words.size());
  for (const InstructionView view : module.views(module.all())) {
    EXPECT_EQ(decoder.decode(view), DecodeFault::None);
    WordBuffer operands;
    Word result = 0;
    for (const Operand& operand : decoder.operands()) {
      if (operand.shape == OperandShape::IdResult) {
        result = translated(view.word(operand.word));
        continue;
      }
      for (unsigned i = 0; i < operand.word_count; ++i) {
        const Word word = view.word(operand.word + i);
        operands.push_back(operand.shape <= OperandShape::IdMemorySemantics ? translated(word) : word);
      }
    }
    const auto opcode = view.opcode;
    if (result != 0) EXPECT_EQ(b.giving(AnyId(result)).instruction(opcode, operands).word, result);
    else b.instruction(opcode, operands);
  }
  const Result<WordBuffer> made = b.build();
  EXPECT_TRUE(made.ok()) << diagnostics.all().front().message;
  return made ? *made : WordBuffer();
}

void expect_same_again(Words words) {
  Diagnostics diagnostics;
  const Result<WordBuffer> expected = compact_ids(words, diagnostics);
  const Result<WordBuffer> found = compact_ids(built_again(words), diagnostics);
  ASSERT_TRUE(expected.ok() && found.ok());
  EXPECT_EQ(text_of(*expected), text_of(*found));
}

TEST(FromWords, a_shader_is_rebuilt_unchanged) {
  std::ifstream file(outside::source_folder() / "data/spirv/mandelbrot.comp.spvasm");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble({"", text}, {}, diagnostics);
  ASSERT_TRUE(words.ok());
  expect_same_again(*words);
}

TEST(FromWords, random_modules_are_rebuilt_unchanged) {
  std::size_t modules = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bytes(300);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    Diagnostics diagnostics;
    Builder b(diagnostics);
    RandomCalls calls(b, bytes);
    calls.run();
    calls.finish();
    const Result<WordBuffer> words = b.build();
    if (!words) continue;
    SCOPED_TRACE(seed);
    expect_same_again(*words);
    ++modules;
  }
  EXPECT_GT(modules, 100u);
}

TEST(FromWords, literals_have_the_width_of_their_type) {
  expect_same_again(test::assembled(R"(OpCapability Shader
OpCapability Int64
OpMemoryModel Logical GLSL450
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeInt 64 0
%4 = OpConstant %3 4294967298
%5 = OpFunction %1 None %2
%6 = OpLabel
OpSelectionMerge %8 None
OpSwitch %4 %8 1 %7 4294967296 %7
%7 = OpLabel
OpBranch %8
%8 = OpLabel
OpReturn
OpFunctionEnd
)"));
}

// SPV_KHR_non_semantic_info: such a set can have instructions that the grammar does not contain.
TEST(FromWords, non_semantic_sets_accept_unknown_instructions) {
  Diagnostics diagnostics;
  Builder b(diagnostics);
  b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
  const Word nothing = b.OpTypeVoid().word, text = b.OpString("text").word;
  for (const char* name : {"NonSemantic.DebugPrintf", "NonSemantic.Unheard.Of"}) {
    const Word set = b.OpExtInstImport(name).word;
    b.instruction(Op::OpExtInst, WordBuffer{nothing, set, 9999, text, text});
    b.instruction(Op::OpExtInst, WordBuffer{nothing, set, 1, text, text, text});
  }
  EXPECT_NE(text_of(built(b, diagnostics)), "");
}

// The set is found by its id, so each call costs the same, however many sets are imported.
TEST(FromWords, a_set_is_found_among_many) {
  Diagnostics diagnostics;
  Builder b(diagnostics);
  const Word f32 = b.OpTypeFloat(32).word, nothing = b.OpTypeVoid().word;
  constexpr std::size_t count = 20'000;
  std::vector<Word> sets;
  for (std::size_t i = 0; i < count; ++i) {
    sets.push_back(b.OpExtInstImport(i == count / 2 ? "GLSL.std.450" : "NonSemantic." + std::to_string(i)).word);
  }
  for (const Word set : sets)
    b.instruction(Op::OpExtInst, WordBuffer{set == sets[count / 2] ? f32 : nothing, set, 9999});
  EXPECT_EQ(rules_of(diagnostics), std::vector<std::string_view>{"unknown-extended-instruction"});
}

struct Refused {
  const char* what;
  Op opcode;
  WordBuffer operands;
  std::string_view rule;
};

TEST(FromWords, invalid_operand_words_are_rejected) {
  // Ids in the builder below: 1 is a type, 2 a function type, 3 an integer type, 4 a constant, 5 an imported set, 6 a
  // 64-bit integer type, 7 a constant of it.
  const Refused rows[] = {
      {"an id from nowhere", Op::OpTypePointer, {6, 77}, "foreign-id"},
      {"a value for a type", Op::OpUndef, {4}, "foreign-id"},
      {"too few", Op::OpTypeInt, {32}, "missing-operand"},
      {"too many", Op::OpTypeInt, {32, 0, 0}, "surplus-operand"},
      {"a string without an end", Op::OpExtension, {0x41414141}, "unterminated-string"},
      {"no such enumerant", Op::OpDecorate, {4, 0x7FFFFFFF}, "unknown-enumerant"},
      {"an enumerant without its parameter", Op::OpDecorate, {4, 30}, "missing-operand"},
      {"no such bit", Op::OpFunction, {1, 0x80000000, 2}, "unknown-enumerant"},
      {"a literal of no number type", Op::OpConstant, {1, 7}, "literal-type-unknown"},
      {"no literal", Op::OpConstant, {3}, "missing-operand"},
      {"half a literal", Op::OpConstant, {6, 1}, "truncated-literal"},
      {"a type for a selector", Op::OpSwitch, {3, 4, 1, 4}, "selector-type"},
      {"a selector of no type", Op::OpSwitch, {5, 4, 1, 4}, "selector-type"},
      {"half a literal in front of a label", Op::OpSwitch, {7, 4, 1, 4}, "missing-operand"},
      {"an opcode that may not be inside", Op::OpSpecConstantOp, {3, 61, 4}, "bad-spec-opcode"},
      {"too few for the opcode inside", Op::OpSpecConstantOp, {3, 128, 4}, "missing-operand"},
      {"too few for the extended one", Op::OpExtInst, {3, 5, 40, 4}, "missing-operand"},
      {"too many for the extended one", Op::OpExtInst, {3, 5, 31, 4, 4}, "surplus-operand"},
      {"no such extended one", Op::OpExtInst, {3, 5, 9999, 4}, "unknown-extended-instruction"},
      {"a set that is none", Op::OpExtInst, {3, 4, 31, 4}, "set-not-imported"},
      {"an opcode inside that is cut to 16 bits", Op::OpSpecConstantOp, {3, 0x10080}, "bad-spec-opcode"},
      {"no such opcode", static_cast<Op>(0xFFF0), {}, "unknown-opcode"},
  };
  for (const Refused& row : rows) {
    Diagnostics diagnostics;
    Builder b(diagnostics);
    const TypeId nothing = b.OpTypeVoid();
    b.OpTypeFunction(nothing);
    b.OpConstant(b.OpTypeInt(32, 0), 7);
    b.OpExtInstImport("GLSL.std.450");
    b.OpConstant(b.OpTypeInt(64, 0), 7);
    ASSERT_TRUE(diagnostics.all().empty());
    b.instruction(row.opcode, row.operands);
    ASSERT_FALSE(diagnostics.all().empty()) << row.what;
    EXPECT_EQ(diagnostics.all().front().rule, row.rule) << row.what;
    EXPECT_EQ(diagnostics.all().size(), 1u) << row.what;
  }
}

TEST(FromWords, results_equal_those_of_the_methods) {
  Diagnostics diagnostics;
  Builder b(diagnostics);
  const TypeId u32 = b.OpTypeInt(32, 0);
  EXPECT_EQ(b.instruction(Op::OpTypeInt, WordBuffer{32, 0}).word, u32.word);
  EXPECT_EQ(b.instruction(Op::OpCapability, WordBuffer{1}).word, 0u);
  const AnyId five = b.instruction(Op::OpConstant, WordBuffer{u32.word, 5});
  EXPECT_EQ(b.OpConstant(u32, 5), ValueId(five));
  EXPECT_EQ(b.reserve_for(Op::OpReturn).word, 0u);
  EXPECT_EQ(rules_of(diagnostics), std::vector<std::string_view>{"unknown-opcode"});
}

}  // namespace
}  // namespace vireo::spirv
