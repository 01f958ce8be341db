// SPDX-License-Identifier: Apache-2.0
//
// Every row of the grammar, disassembled and assembled again: opcodes, enumerants, extended instructions.
//
// The number of tested rows must be the number of rows in the grammar. A table lists unreachable rows
// with the reason; a listed row that is reachable fails the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "spirv/grammar/special_cases.h"
#include "system/instance_builder.h"
#include "system/round_trip.h"

namespace vireo::system_test {
namespace {

using spirv::builtin_grammar;
using spirv::Grammar;
using spirv::OperandRow;
using spirv::Quantifier;

// The combinations of optional and repeated operands to test for a pattern: each number of optional operands, and with
// all of them 0, 1 and 2 repetitions.
std::vector<InstanceChoices> variants_of(std::span<const OperandRow> rows) {
  const auto optionals = static_cast<unsigned>(std::count_if(
      rows.begin(), rows.end(), [](const OperandRow& row) { return row.quantifier == Quantifier::Optional; }));
  std::vector<InstanceChoices> variants;
  for (unsigned i = 0; i <= optionals; ++i) variants.push_back({.optionals = i});
  for (unsigned stars = 1; stars <= 2; ++stars) variants.push_back({.optionals = optionals, .stars = stars});
  return variants;
}

void say(std::size_t count, std::string_view what) {
  std::cout << "             " << count << ' ' << what << " went through text and back\n";
}

TEST(Instances, every_instruction_round_trips_through_text) {
  const Grammar& grammar = builtin_grammar();
  std::size_t covered = 0;
  for (const spirv::InstructionRow& row : grammar.instructions) {
    std::string fault;
    for (const InstanceChoices& choices : variants_of(grammar.operands(row.operands))) {
      fault = round_trip_fault(instance_of(grammar, row, choices));
      EXPECT_EQ(fault, "") << grammar.text(row.name) << ", optionals " << choices.optionals << ", stars "
                           << choices.stars;
      if (!fault.empty()) break;
    }
    covered += fault.empty() ? 1 : 0;
  }
  EXPECT_EQ(covered, grammar.instructions.size());
  say(covered, "instructions");
}

TEST(Instances, every_opcode_of_OpSpecConstantOp_round_trips_through_text) {
  const Grammar& grammar = builtin_grammar();
  const spirv::InstructionRow* outer = grammar.find_instruction("OpSpecConstantOp");
  ASSERT_NE(outer, nullptr);
  std::size_t covered = 0;
  for (const spirv::InstructionRow& row : grammar.instructions) {
    if (!spirv::is_permitted_in_spec_constant_op(row.opcode)) continue;
    for (InstanceChoices choices : variants_of(grammar.operands(row.operands))) {
      choices.spec_opcode = static_cast<std::uint16_t>(row.opcode);
      EXPECT_EQ(round_trip_fault(instance_of(grammar, *outer, choices)), "") << grammar.text(row.name);
    }
    ++covered;
  }
  EXPECT_GE(covered, 65u);
  say(covered, "opcodes inside OpSpecConstantOp");
}

TEST(Instances, every_extended_instruction_round_trips_through_text) {
  const Grammar& grammar = builtin_grammar();
  std::size_t covered = 0;
  for (const spirv::ExtInstSetRow& set : grammar.sets) {
    for (const spirv::ExtInstRow& row : grammar.instructions_of(set)) {
      for (const InstanceChoices& choices : variants_of(grammar.operands(row.operands))) {
        EXPECT_EQ(round_trip_fault(instance_of(grammar, set, row, choices)), "")
            << grammar.text(set.name) << ' ' << grammar.text(row.name) << ", optionals " << choices.optionals
            << ", stars " << choices.stars;
      }
      ++covered;
    }
  }
  EXPECT_EQ(covered, grammar.ext_instructions.size());
  say(covered, "extended instructions");
}

// Kinds that no operand has: the grammar names their values, but instructions take them as ids of constants (scopes,
// semantics, layouts, all of a non-semantic set) or return them as results (formats, intersections).
struct UnreachableKind {
  std::string_view set;
  std::string_view name;
};
constexpr UnreachableKind unreachable_kinds[] = {
    {"core", "ComponentType"},
    {"core", "CooperativeMatrixLayout"},
    {"core", "CooperativeMatrixUse"},
    {"core", "CooperativeVectorMatrixLayout"},
    {"core", "FragmentShadingRate"},
    {"core", "GatherModes"},
    {"core", "ImageChannelDataType"},
    {"core", "ImageChannelOrder"},
    {"core", "KernelEnqueueFlags"},
    {"core", "KernelProfilingInfo"},
    {"core", "MemorySemantics"},
    {"core", "OverflowModes"},
    {"core", "QuantizationModes"},
    {"core", "RayFlags"},
    {"core", "RayQueryCandidateIntersectionType"},
    {"core", "RayQueryCommittedIntersectionType"},
    {"core", "RayQueryIntersection"},
    {"core", "Scope"},
    {"core", "TensorClampMode"},
    {"NonSemantic.Shader.DebugInfo.", "BuildIdentifierFlags"},
    {"NonSemantic.Shader.DebugInfo.", "DebugBaseTypeAttributeEncoding"},
    {"NonSemantic.Shader.DebugInfo.", "DebugCompositeType"},
    {"NonSemantic.Shader.DebugInfo.", "DebugImportedEntity"},
    {"NonSemantic.Shader.DebugInfo.", "DebugInfoFlags"},
    {"NonSemantic.Shader.DebugInfo.", "DebugOperation"},
    {"NonSemantic.Shader.DebugInfo.", "DebugTypeQualifier"},
    {"NonSemantic.ClspvReflection.", "KernelPropertyFlags"},
};

bool is_listed(std::string_view set, std::string_view name) {
  return std::any_of(std::begin(unreachable_kinds), std::end(unreachable_kinds),
                     [&](const UnreachableKind& kind) { return kind.set == set && kind.name == name; });
}

TEST(Instances, every_enumerant_round_trips_through_text) {
  const Grammar& grammar = builtin_grammar();
  std::size_t covered = 0, unreachable = 0, listed = 0;  // `listed` counts kinds, the others count enumerants
  for (std::size_t k = 0; k < grammar.kinds.size(); ++k) {
    const spirv::KindId kind{k};
    const auto enumerants = grammar.enumerants_of(grammar.kinds[k]);
    if (enumerants.empty()) continue;
    const std::string_view name = grammar.text(grammar.kinds[k].name);
    const std::optional<KindHost> host = host_of(grammar, kind);
    const std::string set(grammar.kinds[k].set ? grammar.text(grammar.sets[grammar.kinds[k].set.index()].name)
                                               : "core");
    EXPECT_EQ(host.has_value(), !is_listed(set, name)) << name << " of " << set;
    if (!host) {
      unreachable += enumerants.size();
      ++listed;
      continue;
    }
    Word all_bits = 0;
    for (const spirv::EnumerantRow& enumerant : enumerants) {
      const WordBuffer words = instance_of(grammar, *host, kind, enumerant.value);
      EXPECT_NE(std::find(words.begin(), words.end(), enumerant.value), words.end());
      EXPECT_EQ(round_trip_fault(words), "") << name << ' ' << grammar.text(enumerant.name);
      all_bits |= enumerant.value;
      ++covered;
    }
    if (grammar.kinds[k].category == spirv::Category::BitEnum) {
      EXPECT_EQ(round_trip_fault(instance_of(grammar, *host, kind, all_bits)), "") << name << " with all bits";
    }
  }
  EXPECT_EQ(listed, std::size(unreachable_kinds)) << "a kind of the table is no more";
  EXPECT_EQ(covered + unreachable, grammar.enumerants.size());
  say(covered, "enumerants");
  std::cout << "             " << unreachable << " enumerants of " << listed << " kinds are written through ids only\n";
}

}  // namespace
}  // namespace vireo::system_test
