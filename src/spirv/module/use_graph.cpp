// SPDX-License-Identifier: Apache-2.0
//
// Divides a module into nodes and reads their uses (use_graph.h).
#include "spirv/module/use_graph.h"

#include "vireo/spirv/binary/operand.h"

namespace vireo::spirv {

UseGraph::UseGraph(const Module& module, Scope scope, const Take& take) {
  const std::uint32_t count = module.instruction_count();
  nodes_.reserve(count);
  auto function = module.functions().begin();
  for (std::uint32_t first = 0; first < count; first = static_cast<std::uint32_t>(nodes_.size())) {
    const bool is_function = function != module.functions().end() && function->all.first == first;
    nodes_.resize(is_function ? function++->all.end : first + 1, static_cast<UseNode>(firsts_.size()));
    firsts_.push_back(first);
  }
  firsts_.push_back(count);

  const InstructionRange globals = module.section(Section::Globals), functions = module.section(Section::Functions);
  const auto is_read = [&](InstructionIndex i, Op opcode) {
    // The decoder needs the imports.
    return scope == Scope::Module || globals.contains(i) || functions.contains(i) || opcode == Op::OpExtInstImport;
  };
  OperandDecoder decoder(module.grammar(), module.header().bound, module.words().size());
  std::vector<UseNode> last_users(size(), no_node);  // so that each use is listed once
  std::vector<Word> ids;
  begins_.reserve(firsts_.size());
  for (UseNode n = 0; n < size(); ++n) {
    begins_.push_back(static_cast<std::uint32_t>(uses_.size()));
    last_users[n] = n;
    for (const auto [index, view] : module.instructions(instructions_of(n))) {
      if (!is_read(index, view.opcode)) continue;
      const bool is_known = is_decodable(decoder.decode(view));
      ids.clear();
      for (const Operand& operand : decoder.operands()) {
        if (operand.uses_id()) ids.push_back(view.word(operand.word));
      }
      if (!is_known) ids.assign(view.operands().begin(), view.operands().end());
      for (const Word id : ids) {
        const InstructionIndex definition = module.definition(id);
        if (definition.is_none() || last_users[node_of(definition)] == n) continue;
        last_users[node_of(definition)] = n;
        uses_.push_back(node_of(definition));
      }
      if (take && is_known && instructions_of(n).size() == 1) take(*this, n, view, ids);
    }
  }
  begins_.push_back(static_cast<std::uint32_t>(uses_.size()));
}

}  // namespace vireo::spirv
