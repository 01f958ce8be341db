// SPDX-License-Identifier: Apache-2.0
//
// Checks uses with the dominator tree (dominance.h). Uses in unreachable blocks are always valid (specification
// 2.16.1).
#include "spirv/validate/checks/module/dominance.h"

#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/function.h"

namespace vireo::spirv {

void DominanceCheck::begin(const FunctionRow& function, const ControlFlow& flow) {
  flow_ = &flow;
  function_ = function.all;
  incoming_.clear();
  has_incomplete_blocks_ = !c_.soundness.has_sound_blocks(c_.module.index_of(function));
}

void DominanceCheck::note_phi(const DecodedInstruction& inst) {
  for (const PhiOperand source : inst.as<Op::OpPhi>().variables()) {
    incoming_.push_back({inst.at(source.variable), source.variable, source.parent});
  }
}

DominanceCheck::Origin DominanceCheck::origin_of(InstructionIndex definition) const {
  if (definition.is_none()) return Origin::Elsewhere;
  if (function_.contains(definition)) return Origin::Here;
  const Module& module = c_.module;
  // Definitions at module scope dominate all uses, so they are not checked.
  if (definition.raw < module.section(Section::Functions).first) return Origin::Elsewhere;
  const Op op = module.instruction(definition).opcode;
  if (op == Op::OpFunction || op == Op::OpLabel)
    return Origin::Elsewhere;  // check_blocks and check_phi report labels of other functions
  return module.function_at(definition).is_none() ? Origin::Elsewhere : Origin::OtherFunction;
}

void DominanceCheck::report_other_function(Place place, Word id, InstructionIndex definition) const {
  const Module& module = c_.module;
  const Word function = module.functions()[module.function_at(definition).index()].id;
  c_.report(Rule::OtherFunction, place, {id, function == 0 ? std::string("a function") : id_text(c_, function)});
  c_.note({definition, 0}, "defined here");
}

namespace {

// Returns true for operands that must be blocks or functions. Other checks report any other id in them.
bool is_target(const InstructionCheck& c, const Operand& operand) {
  switch (c.op()) {
    case Op::OpBranch:
    case Op::OpLoopMerge:
    case Op::OpSelectionMerge: return true;
    case Op::OpBranchConditional: return operand.word != c.as<Op::OpBranchConditional>().condition().word;
    case Op::OpSwitch: return operand.word != c.as<Op::OpSwitch>().selector().word;
    case Op::OpFunctionCall: return operand.word == c.as<Op::OpFunctionCall>().function().word;
    default: return false;
  }
}

}  // namespace

void DominanceCheck::check_use(const InstructionCheck& c, const Operand& operand) {
  if (c.op() == Op::OpPhi && operand.word >= c.as<Op::OpPhi>().variables().word()) return;
  const Word id = c.view.word(operand.word);
  const InstructionIndex definition = c_.module.definition(id);
  const Origin origin = origin_of(definition);
  if (origin == Origin::Elsewhere || definition >= c.index) return;  // IdCheck reports uses before the definition
  if (origin == Origin::OtherFunction) {
    if (is_target(c, operand)) return;
    report_other_function(c.at(operand), id, definition);
    return;
  }
  const LocalBlock from = visited_.block_of(id), block = c.block;
  // Within one block only the order matters, and IdCheck checks it. A definition outside blocks is not checked.
  if (has_incomplete_blocks_ || from.is_none() || block.is_none() || from == block ||
      !flow_->plain().is_reachable(block))
    return;
  if (flow_->plain().dominators().dominates(from, block) || is_target(c, operand)) return;
  c.report(Rule::Dominance, c.at(operand), {id, flow_->block(from).label, flow_->block(block).label});
  c.note({definition, 0}, "defined here");
}

// Reports one finding for each OpPhi; further values are notes of it.
void DominanceCheck::report_incoming(const Incoming& in, Word block, InstructionIndex definition) const {
  const std::string value = id_text(c_, in.value), from = id_text(c_, block), parent = id_text(c_, in.parent);
  const std::string phi = phi_cause(in.place.instruction), own = phi + ":" + std::to_string(in.place.word);
  for (const Rule rule : {Rule::PhiParent, Rule::PhiDominance}) {
    if (!c_.findings.join(rule, own, phi, Rule::PhiDominance)) continue;
    c_.note(in.place, value + " is defined in block " + from + ", which does not dominate parent block " + parent);
    return;
  }
  c_.report_once(Rule::PhiDominance, in.place, phi, {value, from, parent});
  c_.note({definition, 0}, "defined here");
}

void DominanceCheck::end() {
  for (const Incoming& in : incoming_) {
    const LocalBlock parent = flow_->block_of(in.parent);
    const InstructionIndex definition = c_.module.definition(in.value);
    const Origin origin = origin_of(definition);
    // check_phi reports a parent that is not a block.
    if (origin == Origin::Elsewhere || parent.is_none()) continue;
    if (origin == Origin::OtherFunction) {
      report_other_function(in.place, in.value, definition);
      continue;
    }
    const LocalBlock from = visited_.block_of(in.value);
    // OpPhi uses the value at the end of the parent block, so any definition in that block is valid.
    if (has_incomplete_blocks_ || from.is_none() || from == parent || !flow_->plain().is_reachable(parent)) continue;
    if (flow_->plain().dominators().dominates(from, parent)) continue;
    report_incoming(in, flow_->block(from).label, definition);
  }
}

}  // namespace vireo::spirv
