// SPDX-License-Identifier: Apache-2.0
//
// A use in a block that nothing reaches is no use: nobody ever gets there (specification 2.16.1).
#include "spirv/validate/dominance.h"

namespace vireo::spirv {

void DominanceCheck::begin(FunctionIndex function, const ControlFlow& flow) {
  flow_ = &flow;
  function_ = function;
  incoming_.clear();
}

void DominanceCheck::visit(const Visit& visit, LocalBlock block, Report& report) {
  const bool is_phi = visit.op() == Op::OpPhi;
  for (std::size_t i = 0; i < visit.operands.size(); ++i) {
    const Operand& operand = visit.operands[i];
    if (operand.shape > OperandShape::IdMemorySemantics || operand.shape == OperandShape::IdResult) continue;
    if (is_phi && operand.word >= 3) continue;
    check_use(visit, operand, block, report);
  }
  if (is_phi) {
    for (std::uint16_t word = 3; word + 1 < visit.view.word_count; word = static_cast<std::uint16_t>(word + 2)) {
      incoming_.push_back({visit.index, word, visit.word(word), visit.word(word + 1u)});
    }
  }
  if (visit.result != 0 && visit.result < function_of_.size() &&
      context_.module.definition(visit.result) == visit.index) {
    // Functions and labels are known by name beyond their blocks.
    if (visit.op() == Op::OpFunction || visit.op() == Op::OpLabel) return;
    function_of_[visit.result] = function_;
    block_of_[visit.result] = block;
  }
}

void DominanceCheck::check_use(const Visit& visit, const Operand& operand, LocalBlock block, Report& report) {
  const Word id = visit.word(operand.word);
  if (id >= function_of_.size() || function_of_[id].is_none()) return;
  if (function_of_[id] != function_) {
    report.add(Rule::OtherFunction, visit.at(operand.word), {id_text(context_, id), op_text(context_, visit.op())});
    report.note({context_.module.definition(id), 0}, "defined here");
    return;
  }
  const LocalBlock from = block_of_[id];
  if (from.is_none() || block.is_none() || from == block || !flow_->plain().is_reachable(block)) return;
  if (flow_->plain().dominators().dominates(from, block)) return;
  report.add(Rule::Dominance, visit.at(operand.word),
             {id_text(context_, id), op_text(context_, visit.op()), id_text(context_, flow_->block(block).label),
              id_text(context_, flow_->block(from).label)});
  report.note({context_.module.definition(id), 0}, "defined here");
}

void DominanceCheck::end(Report& report) {
  for (const Incoming& in : incoming_) {
    const LocalBlock parent = flow_->block_of(in.parent);
    if (in.value >= function_of_.size() || function_of_[in.value].is_none() || parent.is_none()) continue;
    const Place place{in.phi, in.word};
    if (function_of_[in.value] != function_) {
      report.add(Rule::OtherFunction, place, {id_text(context_, in.value), "OpPhi"});
      continue;
    }
    const LocalBlock from = block_of_[in.value];
    if (from.is_none() || from == parent || !flow_->plain().is_reachable(parent)) continue;
    if (flow_->plain().dominators().dominates(from, parent)) continue;
    report.add(
        Rule::PhiDominance, place,
        {id_text(context_, in.value), id_text(context_, in.parent), id_text(context_, flow_->block(from).label)});
  }
}

}  // namespace vireo::spirv
