// SPDX-License-Identifier: Apache-2.0
//
// Creates the operands from the grammar's rows.
#include "spirv/validate/tables/grammar_words.h"

#include <algorithm>

namespace vireo::spirv::test {
namespace {

// Their literals have the width of a type, which is not in a row. All their requirements are those of their types.
constexpr std::string_view unmade[] = {"OpConstant", "OpSpecConstant", "OpSwitch", "OpSpecConstantOp"};

bool is_made(const Grammar& grammar, const InstructionRow& row) {
  return std::find(std::begin(unmade), std::end(unmade), grammar.text(row.name)) == std::end(unmade);
}

bool has_kind(std::span<const OperandRow> operands, KindId kind) {
  return std::any_of(operands.begin(), operands.end(), [&](const OperandRow& operand) { return operand.kind == kind; });
}

bool requires_nothing(const InstructionRow& row) {
  return row.capabilities.count + row.extensions.count == 0 && row.since <= Version{1, 0};
}

}  // namespace

std::optional<Carrier> carrier_of(const Grammar& grammar, KindId kind) {
  const InstructionRow* found = nullptr;
  for (const InstructionRow& row : grammar.instructions) {
    if (!is_made(grammar, row) || !has_kind(grammar.operands(row.operands), kind)) continue;
    if (found == nullptr || (requires_nothing(row) && !requires_nothing(*found))) found = &row;
  }
  if (found != nullptr) return Carrier{found, nullptr, {}, {}};
  // Otherwise the parameter of an enumerant of another kind. No kind has itself as a parameter.
  for (std::size_t i = 0; i < grammar.kinds.size(); ++i) {
    for (const EnumerantRow& row : grammar.enumerants_of(grammar.kinds[i])) {
      if (!has_kind(grammar.operands(row.parameters), kind)) continue;
      std::optional<Carrier> carrier = carrier_of(grammar, KindId(i));
      if (!carrier) continue;
      carrier->choices[KindId(i)] = row.value;
      return carrier;
    }
  }
  for (std::size_t i = 0; i < grammar.sets.size(); ++i) {
    for (const ExtInstRow& row : grammar.instructions_of(grammar.sets[i])) {
      if (!has_kind(grammar.operands(row.operands), kind)) continue;
      return Carrier{grammar.find_instruction("OpExtInst"), &row, ExtInstSetId(i), {}};
    }
  }
  return std::nullopt;
}

GrammarWords::GrammarWords(const Grammar& grammar, Version version) : grammar_(grammar) {
  constexpr Word bound = 100'000;  // larger than all ids
  words_ = {magic_number, version.to_word(), 0, bound, 0};
}

void GrammarWords::begin(const InstructionRow& row) {
  begin_ = words_.size();
  words_.push_back(static_cast<Word>(row.opcode));
  mentions_.push_back({Mention::Of::Instruction,
                       {},
                       grammar_.text(row.name),
                       row.capabilities,
                       row.extensions,
                       row.since,
                       row.last,
                       begin_});
}

void GrammarWords::end() { words_[begin_] |= static_cast<Word>(words_.size() - begin_) << 16; }

void GrammarWords::add_capability(const EnumerantRow& capability) {
  Carrier carrier{grammar_.find_instruction("OpCapability"), nullptr, {}, {}};
  carrier.choices[grammar_.capability_kind] = capability.value;
  add(carrier);
}

void GrammarWords::add_extension(std::string_view name) {
  begin(*grammar_.find_instruction("OpExtension"));
  add_string(name);
  end();
}

void GrammarWords::add_import(std::string_view name) {
  begin(*grammar_.find_instruction("OpExtInstImport"));
  words_.push_back(import_ = next_id_++);
  add_string(name);
  end();
}

void GrammarWords::add(const Carrier& carrier) {
  begin(*carrier.instruction);
  if (carrier.extended == nullptr) {
    add_operands(grammar_.operands(carrier.instruction->operands), carrier);
    return end();
  }
  const ExtInstRow& row = *carrier.extended;
  words_.insert(words_.end(), {1, next_id_++, import_});
  mentions_.push_back(
      {Mention::Of::ExtendedInstruction, {}, grammar_.text(row.name), row.capabilities, {}, {1, 0}, {}, words_.size()});
  words_.push_back(row.number);
  add_operands(grammar_.operands(row.operands), carrier);
  end();
}

// Optional operands are omitted, except for those up to the last one of a chosen kind.
void GrammarWords::add_operands(std::span<const OperandRow> operands, const Carrier& carrier) {
  std::size_t required = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].quantifier == Quantifier::One || carrier.choices.contains(operands[i].kind)) required = i + 1;
  }
  for (const OperandRow& operand : operands.first(required)) {
    if (operand.quantifier != Quantifier::Star || carrier.choices.contains(operand.kind)) add_operand(operand, carrier);
  }
}

void GrammarWords::add_operand(const OperandRow& operand, const Carrier& carrier) {
  switch (operand.shape) {
    case OperandShape::IdResult: words_.push_back(next_id_++); return;
    case OperandShape::LiteralString: return add_string("x");
    case OperandShape::Composite: return add_operands(grammar_.operands(grammar_.kind(operand.kind).bases), carrier);
    case OperandShape::BitEnum:
    case OperandShape::ValueEnum: {
      const auto chosen = carrier.choices.find(operand.kind);
      if (chosen != carrier.choices.end()) return add_enumerants(operand.kind, chosen->second, carrier);
      // No bit of masks; of enumerations the first enumerant without requirements, if there is one.
      const auto rows = grammar_.enumerants_of(grammar_.kind(operand.kind));
      const auto least = std::find_if(rows.begin(), rows.end(), [](const EnumerantRow& row) {
        return row.capabilities.count + row.extensions.count + row.parameters.count == 0 && row.last.is_none();
      });
      const bool is_mask = operand.shape == OperandShape::BitEnum;
      return add_enumerants(operand.kind, is_mask ? 0 : (least == rows.end() ? rows.front() : *least).value, carrier);
    }
    default: words_.push_back(1); return;  // ids and numbers
  }
}

void GrammarWords::add_enumerants(KindId kind, Word value, const Carrier& carrier) {
  const std::size_t word = words_.size();
  words_.push_back(value);
  if (grammar_.kind(kind).category == Category::ValueEnum) {
    const EnumerantRow& row = *grammar_.find_value(kind, value);
    mention_enumerant(kind, row, word);
    return add_operands(grammar_.operands(row.parameters), carrier);
  }
  // The empty mask has a row, "None", which has no requirements.
  for (Word bit = 1; bit != 0; bit <<= 1) {
    if ((value & bit) == 0) continue;
    const EnumerantRow& row = *grammar_.find_value(kind, bit);
    mention_enumerant(kind, row, word);
    add_operands(grammar_.operands(row.parameters), carrier);
  }
}

void GrammarWords::mention_enumerant(KindId kind, const EnumerantRow& row, std::size_t word) {
  mentions_.push_back({kind == grammar_.capability_kind ? Mention::Of::Capability : Mention::Of::Enumerant,
                       grammar_.text(grammar_.kind(kind).name), grammar_.text(row.name), row.capabilities,
                       row.extensions, row.since, row.last, word});
}

void GrammarWords::add_string(std::string_view text) {
  for (std::size_t i = 0; i <= text.size(); i += 4) {
    Word word = 0;
    for (std::size_t k = i; k < std::min(i + 4, text.size()); ++k)
      word |= Word{static_cast<unsigned char>(text[k])} << 8 * (k - i);
    words_.push_back(word);
  }
}

}  // namespace vireo::spirv::test
