// SPDX-License-Identifier: Apache-2.0
#include "system/module_changer.h"

#include <algorithm>

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/grammar.h"

namespace vireo::system_test {

using namespace spirv;
using enum Op;

const std::vector<ModuleChanger::Kind> ModuleChanger::kinds = {
    {"operand", &ModuleChanger::change_operand},
    {"literal", &ModuleChanger::change_literal},
    {"added", &ModuleChanger::add_instruction},
    {"removed", &ModuleChanger::remove_instruction},
    {"moved", &ModuleChanger::move_instruction},
    {"decoration", &ModuleChanger::change_decoration},
    {"decoration removed", &ModuleChanger::remove_decoration},
    {"name", &ModuleChanger::change_name},
    {"type", &ModuleChanger::change_type},
    {"entry point", &ModuleChanger::change_entry_point},
};

ModuleChanger::ModuleChanger(Words words, std::uint64_t seed)
    : words_(words), module_(Module::read(words)), is_id_(words.size()), is_number_(words.size()), random_(seed) {
  OperandDecoder decoder(builtin_grammar(), words[3], words.size());
  for (const auto [index, view] : module_.instructions()) {
    decoder.decode(view);
    for (const Operand& operand : decoder.operands()) {
      const std::size_t offset = view.offset + std::size_t{operand.word};
      if (operand.uses_id()) is_id_[offset] = true;
      else if (operand.shape == OperandShape::LiteralInteger ||
               operand.shape == OperandShape::LiteralContextDependentNumber) {
        is_number_[offset] = true;
      }
    }
  }
}

std::optional<std::uint32_t> ModuleChanger::pick(const Predicate& is_candidate) {
  std::vector<std::uint32_t> candidates;
  for (std::uint32_t i = 0; i < module_.instruction_count(); ++i) {
    if (is_candidate(i)) candidates.push_back(i);
  }
  if (candidates.empty()) return std::nullopt;
  return candidates[below(candidates.size())];
}

bool ModuleChanger::is_ordinary(std::uint32_t i) const {
  const BlockIndex block = module_.block_at(InstructionIndex(i));
  if (block.is_none()) return false;
  const BlockRow& row = module_.blocks()[block.index()];
  if (i == row.all.first || (!row.terminator.is_none() && i >= row.terminator.raw)) return false;
  const Op opcode = module_.instruction(InstructionIndex(i)).opcode;
  return opcode != OpPhi && opcode != OpVariable && opcode != OpSelectionMerge && opcode != OpLoopMerge &&
         opcode != OpLine && opcode != OpNoLine && opcode != OpExtInst;
}

Word ModuleChanger::another_id(Word id) {
  const InstructionView view = module_.find(id);
  if (view.word_count == 0) return 0;
  const Word type = module_.type_of(view);
  const FunctionIndex function = module_.function_at(module_.definition(id));
  std::vector<Word> others;
  for (const auto [index, other] : module_.instructions()) {
    const Word result = module_.result_of(other);
    if (result == 0 || result == id || module_.type_of(other) != type) continue;
    if (type == 0 ? other.opcode == view.opcode : module_.function_at(index) == function) others.push_back(result);
  }
  return others.empty() ? 0 : others[below(others.size())];
}

WordBuffer ModuleChanger::with_word(std::uint32_t i, std::size_t word, Word value) const {
  WordBuffer copy(words_.begin(), words_.end());
  copy[module_.instruction(InstructionIndex(i)).offset + word] = value;
  return copy;
}

WordBuffer ModuleChanger::rebuilt(std::optional<std::uint32_t> removed, std::optional<std::uint32_t> at,
                                  Words inserted) const {
  WordBuffer copy(words_.begin(), words_.begin() + header_word_count);
  for (const auto [index, view] : module_.instructions()) {
    if (at && index.raw == *at) copy.insert(copy.end(), inserted.begin(), inserted.end());
    if (removed && index.raw == *removed) continue;
    copy.insert(copy.end(), view.first, view.first + view.word_count);
  }
  return copy;
}

std::size_t ModuleChanger::pick_word(std::uint32_t i, bool is_id) {
  const InstructionView view = module_.instruction(InstructionIndex(i));
  std::vector<std::size_t> found;
  for (std::size_t w = 1; w < view.word_count; ++w) {
    if ((is_id ? is_id_ : is_number_)[view.offset + w]) found.push_back(w);
  }
  return found.empty() ? 0 : found[below(found.size())];
}

std::optional<WordBuffer> ModuleChanger::change_operand() {
  constexpr int attempts = 20;
  for (int n = 0; n < attempts; ++n) {
    const auto i = pick([&](std::uint32_t k) { return is_ordinary(k); });
    if (!i) return std::nullopt;
    const std::size_t word = pick_word(*i, true);
    if (word == 0) continue;
    const Word other = another_id(module_.instruction(InstructionIndex(*i)).word(word));
    if (other != 0) return with_word(*i, word, other);
  }
  return std::nullopt;
}

std::optional<WordBuffer> ModuleChanger::change_literal() {
  const auto i = pick([&](std::uint32_t k) {
    const Op opcode = module_.instruction(InstructionIndex(k)).opcode;
    return (is_ordinary(k) || opcode == OpConstant) && pick_word(k, false) != 0;
  });
  if (!i) return std::nullopt;
  const std::size_t word = pick_word(*i, false);
  return with_word(*i, word, module_.instruction(InstructionIndex(*i)).word(word) ^ (1u << below(5)));
}

// A second instruction like an existing one, with a result of its own.
std::optional<WordBuffer> ModuleChanger::add_instruction() {
  const auto i = pick([&](std::uint32_t k) { return is_ordinary(k); });
  if (!i) return std::nullopt;
  const InstructionView view = module_.instruction(InstructionIndex(*i));
  WordBuffer fresh(view.first, view.first + view.word_count);
  if (const Word result = module_.result_of(view); result != 0) {
    fresh[module_.type_of(view) != 0 ? 2 : 1] = words_[3];
  }
  WordBuffer copy = rebuilt(std::nullopt, *i + 1, fresh);
  ++copy[3];
  return copy;
}

std::optional<WordBuffer> ModuleChanger::remove_instruction() {
  const auto i = pick([&](std::uint32_t k) { return is_ordinary(k); });
  if (!i) return std::nullopt;
  return rebuilt(*i, std::nullopt, {});
}

std::optional<WordBuffer> ModuleChanger::move_instruction() {
  const auto i = pick([&](std::uint32_t k) { return is_ordinary(k); });
  if (!i) return std::nullopt;
  const FunctionIndex function = module_.function_at(InstructionIndex(*i));
  const auto at = pick([&](std::uint32_t k) {
    return k != *i && k != *i + 1 && is_ordinary(k) && module_.function_at(InstructionIndex(k)) == function;
  });
  if (!at) return std::nullopt;
  return rebuilt(*i, *at, module_.instruction(InstructionIndex(*i)).words());
}

std::optional<WordBuffer> ModuleChanger::change_decoration() {
  const InstructionRange annotations = module_.section(Section::Annotations);
  const auto i = pick([&](std::uint32_t k) {
    return annotations.contains(InstructionIndex(k)) && pick_word(k, false) != 0 &&
           module_.instruction(InstructionIndex(k)).opcode == OpDecorate;
  });
  if (!i) return std::nullopt;
  const std::size_t word = pick_word(*i, false);
  return with_word(*i, word, module_.instruction(InstructionIndex(*i)).word(word) + 1 + below(3));
}

std::optional<WordBuffer> ModuleChanger::remove_decoration() {
  const InstructionRange annotations = module_.section(Section::Annotations);
  const auto i = pick([&](std::uint32_t k) {
    const Op opcode = module_.instruction(InstructionIndex(k)).opcode;
    return annotations.contains(InstructionIndex(k)) && (opcode == OpDecorate || opcode == OpMemberDecorate);
  });
  if (!i) return std::nullopt;
  return rebuilt(*i, std::nullopt, {});
}

std::optional<WordBuffer> ModuleChanger::change_name() {
  const auto i = pick([&](std::uint32_t k) {
    const InstructionView view = module_.instruction(InstructionIndex(k));
    return view.opcode == OpName && (view.word(2) & 0xFF) != 0;
  });
  if (!i) return std::nullopt;
  return with_word(*i, 2, (module_.instruction(InstructionIndex(*i)).word(2) & ~Word{0xFF}) | ('a' + below(26)));
}

std::optional<WordBuffer> ModuleChanger::change_type() {
  const auto i = pick([&](std::uint32_t k) {
    const Op opcode = module_.instruction(InstructionIndex(k)).opcode;
    return (opcode == OpTypeInt || opcode == OpTypeFloat || opcode == OpTypeVector || opcode == OpTypeMatrix) &&
           pick_word(k, false) != 0;
  });
  if (!i) return std::nullopt;
  const InstructionView view = module_.instruction(InstructionIndex(*i));
  // The width of numbers decides how constants are decoded, so it stays below two words.
  if (view.opcode == OpTypeInt || view.opcode == OpTypeFloat) return with_word(*i, 2, view.word(2) == 32 ? 16 : 32);
  return with_word(*i, 3, 2 + (view.word(3) - 1) % 3);
}

std::optional<WordBuffer> ModuleChanger::change_entry_point() {
  const auto i = pick([&](std::uint32_t k) { return module_.instruction(InstructionIndex(k)).opcode == OpEntryPoint; });
  if (!i) return std::nullopt;
  if (below(2) == 0) return with_word(*i, 1, (module_.instruction(InstructionIndex(*i)).word(1) + 1 + below(4)) % 6);
  return with_word(*i, 3, (module_.instruction(InstructionIndex(*i)).word(3) & ~Word{0xFF}) | ('A' + below(26)));
}

}  // namespace vireo::system_test
