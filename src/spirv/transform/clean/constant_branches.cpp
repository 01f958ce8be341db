// SPDX-License-Identifier: Apache-2.0
//
// The targets of branches with a constant condition (specification 3.42.17).
#include "spirv/transform/clean/constant_branches.h"

#include <cstdint>
#include <optional>

#include "spirv/module/fold.h"
#include "vireo/spirv/binary/views/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

// A literal of at most 64 bits.
std::uint64_t literal_at(InstructionView view, std::size_t word, Word width) {
  const std::uint64_t high = width > 32 ? view.word(word + 1) : 0;
  return (view.word(word) | high << 32) & mask_of(width);
}

// The value of a constant condition or selector: its bits, zero above `width`.
std::optional<std::uint64_t> value_of(const Module& module, const KnownValues* values, Word id, Word width) {
  if (values != nullptr) {
    const std::optional<FoldValue> value = values->in_functions.value(values->constants, id);
    return value ? std::optional(value->bits & mask_of(width)) : std::nullopt;
  }
  const InstructionView view = module.find(id);
  switch (view.opcode) {
    case OpConstantTrue: return 1;
    case OpConstantFalse:
    case OpConstantNull: return 0;
    case OpConstant: return literal_at(view, 3, width);
    default: return std::nullopt;
  }
}

}  // namespace

Word constant_target(const Module& module, const KnownValues* values, InstructionView view) {
  if (const auto branch = as<OpBranchConditional>(view)) {
    if (branch->true_label() == branch->false_label()) return branch->true_label();
    const std::optional<std::uint64_t> value = value_of(module, values, branch->condition(), 1);
    return !value ? 0 : *value != 0 ? Word{branch->true_label()} : Word{branch->false_label()};
  }
  if (view.opcode != OpSwitch) return 0;
  if (view.word_count == 3) return view.word(2);
  const InstructionView type = module.find(module.type_of(view.word(1)));
  const Word width = type.word(2);
  if (type.opcode != OpTypeInt || width == 0 || width > 64) return 0;
  const std::optional<std::uint64_t> value = value_of(module, values, view.word(1), width);
  if (!value) return 0;
  const std::size_t literal_words = width > 32 ? 2 : 1;
  for (std::size_t word = 3; word + literal_words < view.word_count; word += literal_words + 1) {
    if (literal_at(view, word, width) == *value) return view.word(word + literal_words);
  }
  return view.word(2);
}

}  // namespace vireo::spirv
