// SPDX-License-Identifier: Apache-2.0
//
// Blocks, edges, calls and terminators of a function, and the cells of its values (function_lowering.h).
#include "spirv/execute/program/function_lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/module/fold.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/constants.h"

namespace vireo::spirv {

using enum Op;

FunctionLowering::FunctionLowering(Lowering& module, FunctionIndex function)
    : owner_(module),
      program_(module.program_),
      module_(module.module_),
      types_(module.types_),
      row_(module.module_.functions()[function.index()]) {
  code_.id = row_.id;
}

CellRef FunctionLowering::take(std::uint32_t cells) {
  const CellRef first{code_.cells};
  code_.cells += cells;
  return first;
}

std::uint32_t FunctionLowering::count_of(Word type) {
  const auto count = owner_.cells_.count(type);
  if (!count) owner_.unsupported(source_, "values of a type without a size");
  return count.value_or(1);
}

CellRef FunctionLowering::value(Word id) {
  const auto known = values_.find(id);
  if (known != values_.end()) return known->second;
  const CellRef constant = owner_.module_value(id);
  if (!constant.is_none()) return constant;
  return values_.emplace(id, take(count_of(type_of(id)))).first->second;
}

CellRef FunctionLowering::result(InstructionView view) { return value(module_.result_of(view)); }

void FunctionLowering::alias(InstructionView view, CellRef cells) {
  const Word id = module_.result_of(view);
  // A phi may have asked for its cells before.
  if (const auto [known, is_new] = values_.try_emplace(id, cells); !is_new)
    move(known->second, cells, count_of(module_.type_of(view)));
}

Step& FunctionLowering::add(Op opcode, CellRef result, CellRef a, CellRef b, CellRef c) {
  Step step;
  step.opcode = opcode;
  step.result = result;
  step.a = a;
  step.b = b;
  step.c = c;
  step.source = source_;
  program_.steps.push_back(step);
  return program_.steps.back();
}

void FunctionLowering::move(CellRef to, CellRef from, std::uint32_t count) {
  add(OpCopyObject, to, from).count = count;
}

PlacedType FunctionLowering::placed(Word pointer) const {
  const auto known = pointees_.find(pointer);
  if (known != pointees_.end()) return known->second;
  const TypeRow& type = types_.of(type_of(pointer));
  Word pointee = type.element;
  if (const auto untyped = as<OpUntypedVariableKHR>(module_.find(pointer))) {
    const auto data = untyped->data_type();
    pointee = data ? Word{*data} : 0;
  }
  return {pointee, owner_.is_explicit(type.storage, pointee), {}};
}

std::uint32_t FunctionLowering::shape_of(Word pointer) { return owner_.shape_index(placed(pointer), source_); }

void FunctionLowering::run() {
  flow_.read(module_, row_, PostDominators::OfLoops);
  for (const InstructionView view : module_.views(row_.prologue)) {
    if (view.opcode == OpFunctionParameter) code_.parameters.push_back(result(view));
  }
  // Blocks that no path reaches have no code.
  const auto order = flow_.structural().order();
  positions_.assign(flow_.block_count(), 0);
  std::vector<LocalBlock> reachable;
  for (const LocalBlock block : order) {
    if (!flow_.plain().is_reachable(block)) continue;
    positions_[block.index()] = static_cast<std::uint32_t>(reachable.size());
    reachable.push_back(block);
  }
  std::vector<CodeBlock> blocks;
  for (const LocalBlock block : reachable) {
    CodeBlock code;
    code.first_step = static_cast<std::uint32_t>(program_.steps.size());
    code.first_edge = static_cast<std::uint32_t>(program_.edges.size());
    code.first_case = static_cast<std::uint32_t>(program_.cases.size());
    lower_block(block);
    code.loop = loop_merge_;
    code.step_count = static_cast<std::uint32_t>(program_.steps.size()) - code.first_step;
    code.edge_count = static_cast<std::uint32_t>(program_.edges.size()) - code.first_edge;
    blocks.push_back(code);
  }
  code_.first_block = static_cast<std::uint32_t>(program_.blocks.size());
  code_.block_count = static_cast<std::uint32_t>(blocks.size());
  program_.blocks.insert(program_.blocks.end(), blocks.begin(), blocks.end());
  const std::uint32_t index = owner_.function_index(row_.id);
  if (program_.functions.size() <= index) program_.functions.resize(index + 1);
  program_.functions[index] = std::move(code_);
}

void FunctionLowering::lower_block(LocalBlock block) {
  const BlockRow& row = flow_.block(block);
  loop_merge_ = InstructionIndex::none();
  for (const auto& [index, view] : module_.instructions(row.all)) {
    source_ = index;
    if (view.opcode == OpLoopMerge) loop_merge_ = index;
    if (index == row.terminator) lower_terminator(block, view);
    else lower(index, view);
  }
}

void FunctionLowering::lower(InstructionIndex, InstructionView view) {
  switch (view.opcode) {
    case OpLabel:
    case OpLine:
    case OpNoLine:
    case OpSelectionMerge:
    case OpLoopMerge:
    case OpNop: return;
    case OpPhi: result(view); return;  // its moves belong to the edges
    case OpFunctionCall: return lower_call(view);
    default: break;
  }
  if (lower_memory(view) || lower_composite(view) || lower_matrix(view) || lower_plain(view) || lower_extended(view) ||
      lower_bit_field(view) || lower_promise(view) || lower_image(view) || lower_shared(view))
    return;
  owner_.unsupported(source_, name_of(view.opcode));
}

// --- calls and control flow -------------------------------------------------------------------------------------------

void FunctionLowering::lower_call(InstructionView view) {
  const View<OpFunctionCall> call(view);
  const std::uint32_t callee = owner_.function_index(call.function());
  const FunctionIndex function = module_.function_of(call.function());
  // Parameters have the first cells of a frame, in order.
  std::uint32_t cell = 0;
  const auto first = static_cast<std::uint32_t>(program_.moves.size());
  std::vector<Move> moves;
  for (const auto argument : call.arguments()) {
    const std::uint32_t count = count_of(type_of(argument));
    moves.push_back({{cell}, value(argument), count});
    cell += count;
  }
  program_.moves.insert(program_.moves.end(), moves.begin(), moves.end());
  const bool has_result = !function.is_none() && types_.of(module_.type_of(view)).has_values();
  Step& step = add(OpFunctionCall, has_result ? result(view) : CellRef{});
  step.count = has_result ? count_of(module_.type_of(view)) : 0;
  step.extra = callee;
  step.b = {first};
  step.c = {static_cast<std::uint32_t>(moves.size())};
}

namespace {

constexpr std::uint64_t phi_key(LocalBlock to, Word from) { return std::uint64_t{to.index()} << 32 | from; }

}  // namespace

// Collects the operands of the phis of a block by the block from which they come, once.
void FunctionLowering::read_phis(LocalBlock to) {
  if (!phis_.try_emplace(phi_key(to, 0)).second) return;
  for (const InstructionView view : module_.views(flow_.block(to).all)) {
    if (view.opcode == OpLabel || view.opcode == OpLine || view.opcode == OpNoLine) continue;
    const auto phi = as<OpPhi>(view);
    if (!phi) break;
    for (const auto& source : phi->variables())
      phis_[phi_key(to, source.parent)].emplace_back(module_.result_of(view), Word{source.variable});
  }
}

MoveList FunctionLowering::phi_moves(LocalBlock from, LocalBlock to) {
  MoveList list{static_cast<std::uint32_t>(program_.moves.size()), 0, false};
  read_phis(to);
  std::vector<Move> moves;
  const auto sources = phis_.find(phi_key(to, flow_.block(from).label));
  if (sources != phis_.end()) {
    for (const auto& [phi, source] : sources->second)
      moves.push_back({value(phi), value(source), count_of(type_of(phi))});
  }
  // Many moves go through a copy without a closer look.
  list.overlaps = moves.size() > 64;
  for (const Move& read : list.overlaps ? std::vector<Move>() : moves) {
    for (const Move& written : moves) {
      const bool is_apart =
          read.from.raw >= written.to.raw + written.count || written.to.raw >= read.from.raw + read.count;
      if (!is_apart && &read != &written) list.overlaps = true;
    }
  }
  list.count = static_cast<std::uint32_t>(moves.size());
  program_.moves.insert(program_.moves.end(), moves.begin(), moves.end());
  return list;
}

void FunctionLowering::add_edge(LocalBlock from, Word label) {
  const LocalBlock to = flow_.block_of(label);
  const MoveList moves = phi_moves(from, to);
  program_.edges.push_back({positions_[to.index()], moves});
}

void FunctionLowering::lower_terminator(LocalBlock block, InstructionView view) {
  if (const auto branch = as<OpBranch>(view)) {
    add(OpBranch, {});
    return add_edge(block, branch->target_label());
  }
  if (const auto branch = as<OpBranchConditional>(view)) {
    add(OpBranchConditional, {}, value(branch->condition()));
    add_edge(block, branch->true_label());
    return add_edge(block, branch->false_label());
  }
  if (const auto choice = as<OpSwitch>(view)) {
    Step& step = add(OpSwitch, {}, value(choice->selector()));
    step.type = owner_.cells_.scalar(type_of(choice->selector()));
    add_edge(block, choice->default_());
    const std::uint32_t width = step.type.width;
    std::vector<std::pair<std::uint64_t, Word>> targets;
    for (const auto& target : choice->targets(width > 32 ? 2 : 1)) {
      const std::uint64_t high = target.literal.size() > 1 ? target.literal[1] : 0;
      targets.emplace_back((target.literal[0] | high << 32) & mask_of(width), target.label);
    }
    std::ranges::sort(targets);
    for (const auto& [literal, label] : targets) {
      program_.cases.push_back(literal);
      add_edge(block, label);
    }
    return;
  }
  if (const auto returned = as<OpReturnValue>(view)) {
    add(OpReturnValue, {}, value(returned->value())).count = count_of(type_of(returned->value()));
    return;
  }
  switch (view.opcode) {
    case OpReturn:
    case OpKill:
    case OpTerminateInvocation:
    case OpUnreachable: add(view.opcode, {}); return;
    default: owner_.unsupported(source_, name_of(view.opcode));
  }
}

}  // namespace vireo::spirv
