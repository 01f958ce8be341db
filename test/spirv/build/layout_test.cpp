// SPDX-License-Identifier: Apache-2.0
//
// The builder produces the layout of the specification for any order of the calls. Module::read() checks it with its
// own implementation of the layout.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "spirv/build/building.h"
#include "spirv/build/random_calls.h"
#include "vireo/spirv/binary/operand.h"

namespace vireo::spirv {
namespace {

std::vector<std::uint8_t> random_bytes(std::uint32_t seed, std::size_t count) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(Layout, holds_for_calls_in_random_order) {
  std::size_t instructions = 0, functions = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    Diagnostics diagnostics;
    Builder b(diagnostics);
    const std::vector<std::uint8_t> bytes = random_bytes(seed, 600);
    RandomCalls calls(b, bytes);
    calls.run();
    calls.finish();
    const Result<WordBuffer> words = b.build();
    // Random calls use OpSwitch on non-integers and end blocks twice within a construct. Such modules are skipped.
    if (!words) continue;
    const Module module = Module::read(*words);
    for (const LayoutViolation& violation : module.layout_violations()) {
      ADD_FAILURE() << "seed " << seed << ": violation " << static_cast<int>(violation.kind) << " at word "
                    << violation.offset;
    }
    instructions += module.instruction_count();
    functions += module.functions().size();
    OperandDecoder decoder(builtin_grammar(), module.header().bound, words->size());
    for (const InstructionView instruction : module.views(module.all())) {
      const DecodeFault fault = decoder.decode(instruction);
      ASSERT_TRUE(fault == DecodeFault::None)
          << "seed " << seed << ", fault " << static_cast<int>(fault) << " at word " << instruction.offset;
    }
  }
  EXPECT_GT(instructions, 50'000u) << "most of the random modules are to be built";
  EXPECT_GT(functions, 2'000u);
}

TEST(Layout, misuse_in_random_order_keeps_the_layout_valid) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    Diagnostics diagnostics(20);
    Builder b(diagnostics);
    const std::vector<std::uint8_t> bytes = random_bytes(seed, 400);
    RandomCalls calls(b, bytes);
    calls.is_careful = false;
    calls.run();
    b.add_requirements();
    EXPECT_EQ(bool(b.build()), !diagnostics.has_errors()) << "seed " << seed;
  }
}

// The order of calls decides only ids and the order within sections.
TEST(Layout, sections_in_any_order_of_calls) {
  const auto make = [](Builder& b, const std::vector<int>& order) {
    for (const int step : order) {
      switch (step) {
        case 0: b.OpCapability(Capability::Shader); break;
        case 1: b.OpExtension("SPV_KHR_storage_buffer_storage_class"); break;
        case 2: b.OpExtInstImport("GLSL.std.450"); break;
        case 3: b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450); break;
        case 4: b.OpModuleProcessed("a pass"); break;
        case 5: b.OpString("a file"); break;
        case 6: b.OpName(b.OpTypeBool(), "truth"); break;
        default: b.OpDecorationGroup(); break;
      }
    }
  };
  constexpr std::string_view sections =
      "OpCapability OpExtension OpExtInstImport OpMemoryModel OpString OpName OpModuleProcessed OpDecorationGroup "
      "OpTypeBool ";
  std::vector<int> order = {0, 1, 2, 3, 4, 5, 6, 7};
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    Diagnostics diagnostics;
    Builder b(diagnostics);
    make(b, order);
    const WordBuffer words = built(b, diagnostics);
    std::string names;
    for (const InstructionView instruction : Instructions(words)) {
      const InstructionRow* row = builtin_grammar().find_opcode(instruction.opcode);
      names.append(builtin_grammar().text(row->name)).append(" ");
    }
    ASSERT_EQ(names, sections);
  }
}

}  // namespace
}  // namespace vireo::spirv
