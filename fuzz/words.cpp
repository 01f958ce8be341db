// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: reads any words as a Module and computes its facts. Every returned index must be in range: each one is
// used here, so that the sanitizer detects a wrong one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"

namespace {

using namespace vireo::spirv;

// Computes a sum, so that no read is optimised away.
std::uint64_t follow(const Module& module) {
  std::uint64_t sum = 0;
  for (std::size_t s = 0; s < section_count; ++s) {
    for (const InstructionView instruction : module.views(module.section(static_cast<Section>(s)))) {
      sum += instruction.words().back();
      for (const Word word : instruction.operands()) sum += module.find(word).word_count + module.type_of(word);
    }
  }
  for (const FunctionRow& function : module.functions()) {
    sum += module.function_of(function.id).raw;
    for (const InstructionView instruction : module.views(function.prologue))
      sum += static_cast<Word>(instruction.opcode);
    for (const BlockRow& block : module.blocks(function)) {
      sum += module.block_of(block.label).raw;
      if (!block.merge.is_none()) sum += static_cast<Word>(module.instruction(block.merge).opcode);
      if (!block.terminator.is_none()) sum += static_cast<Word>(module.instruction(block.terminator).opcode);
    }
  }
  for (const LayoutViolation& violation : module.layout_violations()) sum += module.at_word(violation.offset).raw;
  return sum;
}

std::uint64_t follow(const FlowGraph& graph) {
  std::uint64_t sum = graph.order().size();
  for (std::uint32_t i = 0; i < graph.block_count(); ++i) {
    const LocalBlock b(i);
    for (const LocalBlock to : graph.successors(b)) sum += graph.is_back_edge({b, to}) ? 1 : 0;
    for (const LocalBlock from : graph.predecessors(b)) sum += graph.dominators().dominates(from, b) ? 1 : 0;
    for (const DominatorTree* tree : {&graph.dominators(), &graph.post_dominators()}) {
      const LocalBlock parent = tree->parent(b);
      // A wrong order is worse than an index out of range, so it aborts.
      if (!parent.is_none() && (!tree->dominates(parent, b) || tree->dominates(b, parent))) std::abort();
    }
  }
  return sum;
}

std::uint64_t follow(const Module& module, ControlFlow& flow) {
  std::uint64_t sum = flow.back_edges().size();
  for (std::uint32_t i = 0; i < flow.block_count(); ++i) {
    const LocalBlock b(i);
    sum += flow.block_of(flow.block(b).label).raw;
    for (ConstructIndex c = flow.innermost(b); !c.is_none(); c = flow.construct(c).parent) {
      if (!flow.has(c, b)) std::abort();
      if (++sum % 64 == 0) break;  // depth times blocks would be too slow to fuzz
    }
  }
  for (const Construct& construct : flow.constructs()) sum += flow.block(construct.header).label;
  for (const BadTarget& target : flow.bad_targets()) sum += module.instruction(target.instruction).word(target.word);
  return sum + follow(flow.plain()) + follow(flow.structural());
}

std::uint64_t follow(const Module& module, const Uses& uses) {
  std::uint64_t sum = 0, count = 0;
  for (const Word word : module.words()) {
    if (uses.of(word).empty()) continue;
    const Use& last = uses.of(word).back();
    if (module.instruction(last.instruction).word(last.word) != word) std::abort();
  }
  for (Word id = 0; id < module.words().size(); ++id) count += uses.of(id).size();
  if (count > uses.count()) std::abort();
  for (const UndecodedRow& row : uses.undecoded()) sum += static_cast<Word>(module.instruction(row.instruction).opcode);
  return sum;
}

std::uint64_t follow(const Module& module, const CallGraph& graph) {
  std::uint64_t sum = graph.entries().size();
  CallWalk walk(graph, module);
  for (const FunctionIndex f : graph.bottom_up()) {
    sum += graph.functions_of(graph.component(f)).size() + graph.callers(f).size() + graph.entries_of(f).size();
    for (const CallRow& call : graph.calls(f)) {
      if (graph.component(call.callee) > graph.component(f)) std::abort();
    }
    if (sum % 16 == 0) sum += walk.below(f).size() + walk.entries_above(f).size();
  }
  return sum;
}

std::uint64_t follow(const Types& types) {
  std::uint64_t sum = 0;
  for (const TypeRow& type : types.rows()) {
    // A part must precede the type that contains it; otherwise `contains` would be incomplete.
    if (!type.element_row.is_none() && types.index_of(type.id) <= type.element_row) std::abort();
    if (!type.mentions.has_all(type.contains)) std::abort();
    const Words members = types.members(type);
    if (type.is(TypeKind::Struct) && members.size() != type.count) std::abort();
    if (!members.empty()) sum += members.back();
    sum += type.component().width + types.row(type.canonical_type).id + types.member_type(type, 1);
    sum += types.image(type).depth + types.shape(type).rows + types.forward_pointer(type.id).has_value();
  }
  return sum;
}

std::uint64_t follow(const Module& module, const Constants& constants) {
  std::uint64_t sum = 0;
  // Evaluation must not create more constants than the size of the module explains.
  if (constants.rows().size() > 2 * module.words().size() + 8192) std::abort();
  for (const ConstantRow& constant : constants.rows()) {
    for (const ConstantIndex part : constants.parts(constant)) {
      const bool is_known = constants.row(part).status == ConstantStatus::Known;
      if (constant.status == ConstantStatus::Known && !is_known) std::abort();
    }
    sum += constants.as_u64(constant.id).value_or(1) + constants.literal(constant).size();
    sum +=
        constants.as_i64(constant.id, ValueUse::OrDefault).has_value() + constants.as_double(constant.id).has_value();
  }
  return sum;
}

std::uint64_t follow(const Module& module, const Decorations& decorations) {
  std::uint64_t sum = decorations.unexpanded().size();
  if (decorations.rows().size() > 2 * module.words().size() + 8192) std::abort();
  for (const DecorationRow& row : decorations.rows()) {
    if (!decorations.has(row.target, row.member, row.decoration)) std::abort();
    sum += decorations.operand_or(row, 1) + decorations.text(row).size();
  }
  return sum;
}

std::uint64_t follow_declarations(const Module& module) {
  const Facts facts(module);
  std::uint64_t sum = follow(facts.types()) + follow(module, facts.constants()) + follow(module, facts.decorations());
  for (const Names::Row& row : facts.names().rows()) sum += facts.names().of(row.id, row.member).size();
  for (const EntryPointRow& row : facts.module_declarations().entry_points()) {
    sum += row.name.size() + row.interface_.size() + facts.module_declarations().modes_of(row.function).size();
  }
  for (const CapabilityRow& row : facts.module_declarations().capabilities()) {
    if (!facts.module_declarations().has(row.capability)) std::abort();
  }
  for (const ImportRow& row : facts.module_declarations().imports()) sum += row.name.size() + row.set.raw;
  for (std::uint32_t i = 0; i < module.instruction_count(); ++i) {
    const std::optional<SourceLine> line = facts.lines().of(InstructionIndex(i));
    if (line) sum += line->line + line->name.size();
  }
  return sum;
}

std::uint64_t follow_facts(const Module& module) {
  const Uses uses = Uses::read(module);
  std::uint64_t sum = follow(module, uses) + follow(module, CallGraph::read(module, uses));
  ControlFlow flow;
  for (const FunctionRow& function : module.functions()) {
    flow.read(module, function);
    sum += follow(module, flow);
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<Word> words(size / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(Word));
  const Module module = Module::read(words);
  volatile std::uint64_t sink = follow(module) + follow_facts(module) + follow_declarations(module);
  static_cast<void>(sink);
  return 0;
}
