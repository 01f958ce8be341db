// SPDX-License-Identifier: Apache-2.0
//
// FunctionConstants: the values of instructions in functions that depend on constants only.
//
// Compilers also write the condition of a branch as instructions of the function. Only Booleans and
// integers are evaluated: their results are exact on every device. The instructions that can have a value are found
// once; each specialization then evaluates them in order.
//
// Source: specification 3.42.13 (arithmetic), 3.42.14 (bit instructions), 3.42.15 (relational and logical instructions).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/module/fold.h"
#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

class FunctionConstants {
 public:
  /// All arguments are borrowed. `constants` shows which ids are constants; its values do not matter here.
  FunctionConstants(const Module& module, const Types& types, const Constants& constants);

  /// Evaluates the instructions with the values of `constants`.
  void evaluate(const Constants& constants);
  /// The value of an id, which can also be a constant; nothing if it is unknown or no Boolean or integer.
  [[nodiscard]] std::optional<FoldValue> value(const Constants& constants, Word id) const;

 private:
  struct Row {
    InstructionIndex instruction;
    std::optional<std::uint64_t> bits;
  };
  [[nodiscard]] const Row* find(Word id) const;
  [[nodiscard]] bool can_have_value(InstructionIndex index, InstructionView view, const Constants& constants) const;
  [[nodiscard]] std::optional<std::uint64_t> compute(const Constants& constants, InstructionView view) const;
  [[nodiscard]] FoldType type_of(InstructionView view) const {
    return fold_type_of(types_.of(ValueOperands(view).result_type()));
  }

  const Module& module_;
  const Types& types_;
  std::vector<Row> rows_;  // in the order of the words
};

}  // namespace vireo::spirv
