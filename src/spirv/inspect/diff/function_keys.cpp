// SPDX-License-Identifier: Apache-2.0
//
// The keys of a function's instructions and blocks (function_keys.h).
#include "spirv/inspect/diff/function_keys.h"

#include <algorithm>

#include "spirv/module/opcode_traits.h"

namespace vireo::spirv {

void FunctionKeys::read(const DiffSide& side, const SidePairs& pairs, const FunctionRow& function) {
  first_ = function.all.first;
  read_parts(side, function);
  read_keys(side, pairs, function);
  read_targets(side, function);
}

void FunctionKeys::read_parts(const DiffSide& side, const FunctionRow& function) {
  std::uint32_t end = function.all.end;
  const bool has_end = side.instruction(end - 1).opcode == Op::OpFunctionEnd;
  if (has_end) --end;
  end_ = {end, function.all.end};
  blocks_.clear();
  for (const BlockRow& block : side.module().blocks(function)) {
    if (!blocks_.empty()) blocks_.back().end = block.all.first;
    blocks_.push_back({block.all.first, end});
  }
  prologue_ = {function.all.first, blocks_.empty() ? end : blocks_.front().first};
}

// The place in the function of the instruction that defines an id; no_partner if it is not in the function.
std::uint32_t FunctionKeys::place_of(const DiffSide& side, const FunctionRow& function, Word id) const {
  if (side.place_of(id) != IdPlace::Local) return no_partner;
  const InstructionIndex definition = side.module().definition(id);
  return function.all.contains(definition) ? definition.raw - first_ : no_partner;
}

// Shallow keys. A local id that is paired already has a token.
void FunctionKeys::read_shallow_keys(const DiffSide& side, const SidePairs& pairs, const FunctionRow& function) {
  const Module& module = side.module();
  keys_.assign(function.all.size(), {});
  operands_.clear();
  operand_begins_.assign(1, 0);
  const auto token = [&](Word id) {
    return side.place_of(id) == IdPlace::Local && pairs.ids[id] == 0 ? id_token::local : pairs.tokens[id];
  };
  for (const auto [index, view] : module.instructions(function.all)) {
    AlignmentKeys& keys = keys_[index.raw - first_];
    KeyHash shallow;
    const Word result = module.result_of(view), type = module.type_of(view);
    shallow.add(static_cast<std::uint64_t>(view.opcode));
    for (std::size_t w = 1; w < view.word_count; ++w) {
      const Word word = view.first[w];
      if (!side.is_id(view, w)) {
        shallow.add(word);
      } else if (word == result) {
        shallow.add(id_token::result);
      } else if (const std::uint32_t place = place_of(side, function, word); place == no_partner) {
        shallow.add(token(word));
      } else {
        const bool is_label = side.instruction(first_ + place).opcode == Op::OpLabel;
        shallow.add(is_label ? id_token::label : token(word));
        if (!is_label) operands_.push_back({place, static_cast<std::uint32_t>(w)});
      }
    }
    operand_begins_.push_back(static_cast<std::uint32_t>(operands_.size()));
    keys.shallow = shallow.value();
    keys.type = type != 0 ? token(type) : 0;
    keys.opcode = static_cast<std::uint64_t>(view.opcode);
  }
}

// All keys. They do not depend on the order of instructions. Cycles end at a phi, whose value counts with its near key;
// in an invalid module, also at an instruction that depends on itself.
void FunctionKeys::read_keys(const DiffSide& side, const SidePairs& pairs, const FunctionRow& function) {
  read_shallow_keys(side, pairs, function);
  const auto count = static_cast<std::uint32_t>(keys_.size());
  for (std::uint32_t k = 0; k < count; ++k) {
    KeyHash near;
    near.add(keys_[k].shallow);
    for (const LocalOperand& operand : operands(k)) near.add(keys_[operand.place].shallow);
    keys_[k].near = near.value();
  }
  enum class State : std::uint8_t { New, Open, Done };
  std::vector<State> states(count);
  std::vector<std::uint32_t> stack;
  for (std::uint32_t root = 0; root < count; ++root) {
    stack.push_back(root);
    while (!stack.empty()) {
      const std::uint32_t k = stack.back();
      const bool is_phi = keys_[k].opcode == static_cast<std::uint64_t>(Op::OpPhi);
      if (states[k] == State::New && !is_phi) {
        states[k] = State::Open;
        for (const LocalOperand& operand : operands(k)) {
          if (states[operand.place] == State::New) stack.push_back(operand.place);
        }
        continue;
      }
      stack.pop_back();
      if (states[k] == State::Done) continue;
      states[k] = State::Done;
      KeyHash value;
      value.add(keys_[k].near);
      if (!is_phi) {
        for (const auto& [place, word] : operands(k)) {
          value.add(states[place] == State::Done ? keys_[place].value : keys_[place].shallow);
        }
      }
      keys_[k].value = value.value();
    }
  }
  // Equal instructions, such as loads of one variable, often differ in their uses or names.
  const std::vector<std::uint64_t> uses = use_keys(&AlignmentKeys::near);
  const std::vector<std::uint64_t> users = use_keys(&AlignmentKeys::opcode);
  for (std::uint32_t k = 0; k < count; ++k) {
    const Word id = side.result_of(first_ + k);
    keys_[k].deep = key_hash(keys_[k].value, uses[k], id != 0 ? side.name_key(id) : 0);
    keys_[k].uses = users[k];
  }
  block_keys_.assign(blocks_.size(), {});
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    KeyHash deep, near, shallow;
    for (const AlignmentKeys& each : keys(blocks_[b])) {
      deep.add(each.deep);
      near.add(each.near);
      shallow.add(each.shallow);
    }
    AlignmentKeys& block = block_keys_[b];
    block.deep = deep.value();
    block.near = near.value();
    block.shallow = shallow.value();
    block.opcode = keys(blocks_[b]).back().opcode;
  }
}

// An instruction has any number of uses in any order, so their hashes are added up.
std::vector<std::uint64_t> FunctionKeys::use_keys(std::uint64_t AlignmentKeys::*key) const {
  std::vector<std::uint64_t> uses(keys_.size());
  for (std::uint32_t k = 0; k < keys_.size(); ++k) {
    for (const auto& [place, word] : operands(k)) uses[place] += key_hash(keys_[k].*key, std::uint64_t{word});
  }
  return uses;
}

std::vector<FunctionKeys::Variable> FunctionKeys::variables(const DiffSide& side) const {
  const std::vector<std::uint64_t> uses = use_keys(&AlignmentKeys::shallow);
  std::vector<Variable> variables;
  for (std::uint32_t k = 0; k < keys_.size(); ++k) {
    const auto opcode = static_cast<Op>(keys_[k].opcode);
    if (!is_variable(opcode)) continue;
    const Word id = side.result_of(first_ + k);
    const std::uint64_t name = id != 0 ? side.name_key(id) : 0;
    AlignmentKeys keys = keys_[k];
    keys.deep = key_hash(keys.shallow, name, uses[k]);
    keys.value = keys.near = key_hash(keys.shallow, name != 0 ? name : uses[k]);
    variables.push_back({first_ + k, keys});
  }
  return variables;
}

void FunctionKeys::read_targets(const DiffSide& side, const FunctionRow& function) {
  targets_.clear();
  target_begins_.assign(1, 0);
  const Module& module = side.module();
  for (const InstructionRange& block : blocks_) {
    // A merge instruction is directly before the terminator.
    const std::uint32_t begin = std::max(block.first + 1, block.end < 2 ? 0 : block.end - 2);
    for (std::uint32_t i = begin; i < block.end; ++i) {
      const InstructionView view = side.instruction(i);
      for (std::size_t w = 1; w < view.word_count; ++w) {
        if (!side.is_id(view, w)) continue;
        const BlockIndex target = module.block_of(view.first[w]);
        if (target.is_none() || !function.all.contains(module.definition(view.first[w]))) continue;
        targets_.push_back(target.raw - function.first_block);
      }
    }
    target_begins_.push_back(static_cast<std::uint32_t>(targets_.size()));
  }
}

}  // namespace vireo::spirv
