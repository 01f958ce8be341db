// SPDX-License-Identifier: Apache-2.0
//
// Types, constants and decorations of real modules, compared with naive computations.
//
// The library computes facts row by row; naive_declared.h computes them by plain recursion. The code is also a check:
// the result types of OpCompositeExtract and OpAccessChain must match the computed types.
#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <string>

#include "spirv/module/naive_declared.h"
#include "system/real_modules.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

/// The type that a chain of indexes selects; 0 if there is none.
Word pointed_at(const Facts& facts, Word base, Words indexes) {
  Word type = facts.types().of(facts.module().type_of(base)).element;
  for (const Word index : indexes) {
    const TypeRow& row = facts.types().of(type);
    const bool is_struct = row.is(TypeKind::Struct);
    const std::uint64_t at = is_struct ? facts.constants().as_u64(index).value_or(UINT64_MAX) : 0;
    type = facts.types().member_type(row, at);
  }
  return type;
}

std::string code_fault(const Facts& facts, std::atomic<std::size_t>& asked, std::atomic<std::size_t>& wrong) {
  const Module& module = facts.module();
  for (const InstructionView instruction : module.views(module.section(Section::Functions))) {
    Word actual = 0, expected = 0;
    switch (instruction.opcode) {
      case Op::OpCompositeExtract:
        expected = instruction.word(1);
        actual = facts.types().member_type(module.type_of(instruction.word(3)), instruction.words().subspan(4));
        break;
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain:
        expected = facts.types().of(instruction.word(1)).element;
        actual = pointed_at(facts, instruction.word(3), instruction.words().subspan(4));
        break;
      default: continue;
    }
    ++asked;
    if (actual == expected) continue;
    // Old tests of glslang use a half as a float or a byte as an int. That code is wrong, not the computed types.
    if (facts.types().of(actual).kind != facts.types().of(expected).kind || expected == 0)
      return "type that the indexes of " + named(instruction.word(2)) + " select";
    ++wrong;
  }
  return {};
}

TEST(DeclaredFacts, types_of_real_modules_agree_with_recursion_and_with_code) {
  std::atomic<std::size_t> types = 0, asked = 0, wrong = 0;
  check_real_modules([&](const Module& module) {
    const Facts facts(module);
    types += facts.types().rows().size();
    if (std::string fault = naive_types_fault(module, facts.types()); !fault.empty()) return fault;
    return code_fault(facts, asked, wrong);
  });
  EXPECT_LE(wrong, 10u);
  std::cout << "             " << types << " types, " << asked << " instructions that go into them\n";
}

// --- decorations -----------------------------------------------------------------------------------------------------

TEST(DeclaredFacts, decorations_of_real_modules_agree_with_a_naive_computation) {
  std::atomic<std::size_t> rows = 0, through_groups = 0;
  check_real_modules([&](const Module& module) -> std::string {
    const Decorations decorations = Decorations::read(module);
    rows += decorations.rows().size();
    for (const DecorationRow& row : decorations.rows()) through_groups += !row.group_use.is_none();
    return naive_decorations_fault(module, decorations);
  });
  std::cout << "             " << rows << " decorations, " << through_groups << " through groups\n";
}

// --- the rest --------------------------------------------------------------------------------------------------------

TEST(DeclaredFacts, constants_of_real_modules_have_the_value_of_their_words) {
  std::atomic<std::size_t> count = 0, evaluated = 0;
  check_real_modules([&](const Module& module) -> std::string {
    const Facts facts(module, {.specializations = {}, .defaults = ConstantOptions::Defaults::Freeze});
    for (const ConstantRow& row : facts.constants().rows()) {
      const auto opcode = row.id == 0 ? Op::OpNop : module.instruction(row.instruction).opcode;
      count += opcode == Op::OpConstant || opcode == Op::OpSpecConstant;
      evaluated += opcode == Op::OpSpecConstantOp && row.status == ConstantStatus::Known;
    }
    return naive_constants_fault(facts);
  });
  std::cout << "             " << count << " literals, " << evaluated << " results of OpSpecConstantOp\n";
}

TEST(DeclaredFacts, take_less_than_three_times_the_memory_of_the_words) {
  std::atomic<std::size_t> words = 0, bytes = 0;
  check_real_modules([&](const Module& module) -> std::string {
    const Facts facts(module);
    words += module.words().size_bytes();
    bytes += facts.types().memory() + facts.constants().memory() + facts.decorations().memory();
    return {};
  });
  if (words == 0) return;
  std::cout << "             types, constants and decorations take " << 100 * bytes / words << " % of the words\n";
  EXPECT_LT(bytes, 3 * words);
}

}  // namespace
}  // namespace vireo::system_test
