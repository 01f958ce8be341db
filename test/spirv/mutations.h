// SPDX-License-Identifier: Apache-2.0
//
// Mutations that put one error into a module, as a compiler bug would.
//
// The reader rejects modules with random bit flips. A mutation here decodes the changed instruction, so
// the result can still be decoded and the validator has to check its meaning. Examples are another id of the same
// class, another enumerant of the same kind, or another opcode with the same operands.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

class Mutations {
 public:
  explicit Mutations(std::uint64_t seed) : random_(seed) {}

  /// `words` with one mutation, or unchanged if the random choice has no candidate. They must begin with a header.
  WordBuffer apply(Words words) {
    WordBuffer result(words.begin(), words.end());
    const Module module = Module::read(words);
    if (module.instruction_count() == 0) return result;
    look_through(module);
    // The weights add up to twenty; the most frequent errors of compilers have the highest.
    const std::uint32_t kind = below(20);
    if (kind < 7) take_another_id(result, module);
    else if (kind < 11) take_another_enumerant(result);
    else if (kind < 13) take_another_literal(result);
    else if (kind < 15) take_another_opcode(result, module);
    else if (kind < 18) remove_one(result, module);
    else if (kind < 19) swap_two(result, module);
    else result[1] = std::array<Word, 4>{0x10000, 0x10300, 0x10400, 0x10600}[below(4)];
    return result;
  }

 private:
  struct Slot {
    std::size_t word = 0;  // offset in the module
    KindId kind;
  };
  // Ids that can be exchanged without an error of layout or decoding: types, constants, other values, labels.
  enum Class : std::uint8_t { Type, Constant, Value, Label, Other, class_count };

  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(random_() % count); }

  void look_through(const Module& module) {
    const Grammar& grammar = builtin_grammar();
    OperandDecoder decoder(grammar, static_cast<Word>(module.words()[3]), module.words().size());
    for (auto* slots : {&ids_, &enumerants_, &literals_}) slots->clear();
    for (auto& ids : by_class_) ids.clear();
    for (const InstructionView view : module.views({0, module.instruction_count()})) {
      const Word result = module.result_of(view);
      if (result != 0) by_class_[class_of(view)].push_back(result);
      if (!is_decodable(decoder.decode(view))) continue;
      for (const Operand& operand : decoder.operands()) {
        const Slot slot = {view.offset + operand.word, operand.kind};
        switch (operand.shape) {
          case OperandShape::IdResult:
          case OperandShape::LiteralString:
          case OperandShape::LiteralExtInstInteger:
          case OperandShape::LiteralSpecConstantOpInteger:
          case OperandShape::Composite: break;
          case OperandShape::ValueEnum:
          case OperandShape::BitEnum: enumerants_.push_back(slot); break;
          case OperandShape::LiteralInteger:
          case OperandShape::LiteralFloat:
          case OperandShape::LiteralContextDependentNumber: literals_.push_back(slot); break;
          default: ids_.push_back(slot); break;
        }
      }
    }
  }

  static Class class_of(InstructionView view) {
    const InstructionRow* row = builtin_grammar().find_opcode(view.opcode);
    if (row == nullptr) return Other;
    const std::string_view name = builtin_grammar().text(row->name);
    if (name.starts_with("OpType")) return Type;
    if (name.starts_with("OpConstant") || name.starts_with("OpSpecConstant")) return Constant;
    if (view.opcode == Op::OpLabel) return Label;
    return (row->flags & HasResultType) != 0 ? Value : Other;
  }

  void take_another_id(WordBuffer& words, const Module& module) {
    if (ids_.empty()) return;
    const Slot slot = ids_[below(ids_.size())];
    const InstructionView defining = module.find(words[slot.word]);
    const bool any_class = below(8) == 0 || defining.word_count == 0;
    const std::vector<Word>& ids = by_class_[any_class ? below(class_count) : std::size_t{class_of(defining)}];
    if (!ids.empty()) words[slot.word] = ids[below(ids.size())];
  }

  // An enumerant without parameters, so that the word count stays right.
  void take_another_enumerant(WordBuffer& words) {
    if (enumerants_.empty()) return;
    const Grammar& grammar = builtin_grammar();
    const Slot slot = enumerants_[below(enumerants_.size())];
    const auto rows = grammar.enumerants_of(grammar.kind(slot.kind));
    if (rows.empty()) return;
    const EnumerantRow& row = rows[below(rows.size())];
    if (row.parameters.count == 0) words[slot.word] = row.value;
  }

  void take_another_literal(WordBuffer& words) {
    if (literals_.empty()) return;
    Word& word = words[literals_[below(literals_.size())].word];
    word = std::array<Word, 6>{0, 1, word + 1, word - 1, word * 2, 0xFFFFFFFF}[below(6)];
  }

  void take_another_opcode(WordBuffer& words, const Module& module) {
    const Grammar& grammar = builtin_grammar();
    const InstructionView view = module.instruction(InstructionIndex(below(module.instruction_count())));
    const InstructionRow* row = grammar.find_opcode(view.opcode);
    if (row == nullptr) return;
    const auto is_alike = [&](const InstructionRow& other) {
      const auto ours = grammar.operands(row->operands), theirs = grammar.operands(other.operands);
      return other.flags == row->flags && other.opcode != row->opcode &&
             std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                        [](const OperandRow& a, const OperandRow& b) {
                          return a.kind == b.kind && a.quantifier == b.quantifier && a.shape == b.shape;
                        });
    };
    std::vector<Op> alike;
    for (const InstructionRow& other : grammar.instructions) {
      if (is_alike(other)) alike.push_back(other.opcode);
    }
    if (alike.empty()) return;
    words[view.offset] = (words[view.offset] & 0xFFFF0000) | static_cast<Word>(alike[below(alike.size())]);
  }

  void remove_one(WordBuffer& words, const Module& module) {
    // Half of the time an instruction before the types: capabilities, modes, decorations.
    const std::uint32_t module_declarations = module.section(Section::Globals).first;
    const std::uint32_t count =
        below(2) == 0 && module_declarations != 0 ? module_declarations : module.instruction_count();
    const InstructionView view = module.instruction(InstructionIndex(below(count)));
    const auto at = words.begin() + view.offset;
    words.erase(at, at + view.word_count);
  }

  void swap_two(WordBuffer& words, const Module& module) {
    const std::uint32_t first = below(module.instruction_count());
    if (first + 1 >= module.instruction_count()) return;
    const InstructionView a = module.instruction(InstructionIndex(first));
    const InstructionView b = module.instruction(InstructionIndex(first + 1));
    if (a.offset + a.word_count != b.offset) return;
    const auto at = words.begin() + a.offset;
    std::rotate(at, at + a.word_count, at + a.word_count + b.word_count);
  }

  std::mt19937_64 random_;
  std::vector<Slot> ids_, enumerants_, literals_;
  std::array<std::vector<Word>, class_count> by_class_;
};

}  // namespace vireo::spirv
