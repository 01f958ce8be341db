// SPDX-License-Identifier: Apache-2.0
//
// Filling the caches (name_cache.h): one look into the grammar for each name that a text uses.
#include "spirv/text/assemble/name_cache.h"

#include <algorithm>

#include "spirv/text/assemble/opcodes.h"

namespace vireo::spirv::text {

OpcodeCache::OpcodeCache(const Grammar& grammar, const Lexer& lexer, OpcodeRules rules)
    : grammar_(grammar), lexer_(lexer), rules_(rules) {}

bool OpcodeCache::is_too_new(const InstructionRow& row) const {
  // As the reference does: what needs a capability or an extension is a matter of that, not of the version. A row
  // whose version is "None" has one of the two.
  return rules_.is_gated && row.capabilities.count == 0 && row.extensions.count == 0 && !row.since.is_none() &&
         row.since > rules_.version;
}

const OpcodePlan* OpcodeCache::fill(const WordKey& key, const char* begin) {
  const NameEntry* entry = grammar_.find_name(name_scope::opcodes, {begin, key.length});
  if (entry == nullptr) return nullptr;
  // An alias has a slot of its own: the key is the spelling, the row is the one that both share.
  const InstructionRow& row = grammar_.instructions[entry->row];
  if (is_too_new(row)) return nullptr;

  const std::span<const OperandRow> operands = grammar_.operands(row.operands);
  OpcodePlan plan;
  plan.key = key;
  plan.name = grammar_.text(entry->text).data();
  plan.row = &row;
  plan.operands = operands.data();
  plan.operand_count = static_cast<std::uint16_t>(operands.size());
  plan.opcode = row.opcode;
  plan.has_type = (row.flags & HasResultType) != 0;
  plan.has_result = (row.flags & HasResult) != 0;
  // The import has a result and no type like many others, so it is asked for before the forms are.
  if (row.opcode == op::ext_inst_import) {
    plan.outcome = Outcome::Import;
  } else if ((row.flags & DeclaresType) != 0) {
    plan.outcome = Outcome::Type;
  } else if (plan.has_type && plan.has_result) {
    plan.outcome = Outcome::Value;
  } else if (plan.has_result) {
    plan.outcome = Outcome::OtherResult;
  }
  // Counts of 0 send every operand to the general path, which records where each came from.
  if (!rules_.has_straight_path) return &plans_.put(plan, 0);

  const auto is_id = [](const OperandRow& operand) {
    return operand.shape == OperandShape::IdRef || operand.shape == OperandShape::IdScope ||
           operand.shape == OperandShape::IdMemorySemantics;
  };
  // Type and result are read before these: check_order() of the grammar has put them first.
  std::size_t i = std::size_t{plan.has_type} + std::size_t{plan.has_result};
  while (i < operands.size() && plan.id_count < 32 && is_id(operands[i]) && operands[i].quantifier == Quantifier::One) {
    ++plan.id_count;
    ++i;
  }
  plan.ends = i == operands.size();
  plan.ends_in_ids = i + 1 == operands.size() && is_id(operands[i]) && operands[i].quantifier == Quantifier::Star;
  // The labels of OpSwitch are of the selector's type.
  const auto means_the_same = [&](const OperandRow& operand) {
    return operand.shape == OperandShape::ValueEnum || operand.shape == OperandShape::BitEnum ||
           operand.shape == OperandShape::LiteralInteger || (is_id(operand) && operand.quantifier != Quantifier::One);
  };
  plan.ends_in_words = row.opcode != op::switch_ && std::ranges::all_of(operands.subspan(i), means_the_same);
  return &plans_.put(plan, 0);
}

std::uint32_t NameCache::fill(std::uint16_t scope, const WordKey& key, const char* begin) {
  const NameEntry* entry = grammar_.find_name(scope, {begin, key.length});
  // Unknown names are not cached: each of them ends in a fault.
  if (entry == nullptr) return none;
  return names_.put({key, scope, entry->row, grammar_.text(entry->text).data()}, salt_of(scope)).row;
}

}  // namespace vireo::spirv::text
