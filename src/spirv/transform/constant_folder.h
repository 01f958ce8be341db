// SPDX-License-Identifier: Apache-2.0
//
// ConstantFolder: replaces specialization constants by constants with their values.
//
// Constants has evaluated each operation, and lists the parts of a value before the value. So one pass in
// the order of declaration gives each value a number, equal for equal values. The numbers then show whether the module
// already declares a constituent, and an ascending order of numbers declares parts before their composites.
//
// Source: specification 2.12 (specialization constants), 3.42.7 (constant-creation instructions, OpSpecConstantOp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/module/word_interner.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

/// The specialization constants that a ConstantFolder replaces, apart from operations with a known value.
struct ConstantFolding {
  bool composites = true;  ///< composites of constants
  bool scalars = false;    ///< scalars with a known value
  bool others = false;     ///< all others with a default value: data, strings
};

class ConstantFolder {
 public:
  /// All arguments are borrowed.
  ConstantFolder(const Module& module, const Types& types, const Decorations& decorations)
      : module_(module), types_(types), decorations_(decorations) {}

  /// Adds the replacements to `rewrite`. Returns false if no fresh id is left.
  bool run(const Constants& constants, const ConstantFolding& folding, Rewrite& rewrite);

  /// The operations of the last run that stay although all their operands are known: their results are undefined.
  [[nodiscard]] std::span<const InstructionIndex> undefined() const { return undefined_; }

 private:
  static constexpr std::uint32_t no_number = ~std::uint32_t{0};

  // One constant, or one part without an instruction.
  struct Value {
    Word id = 0;                       // the constant in the result; 0: none, or still a specialization constant
    std::uint32_t number = no_number;  // equal for equal values; no_number: specialization can change it, or unknown
  };
  // One number.
  struct Numbered {
    Word id = 0;        // a constant of the result that is declared so far; 0: none
    ConstantIndex row;  // the first row with this number
    bool is_zero = false;
  };

  [[nodiscard]] Value value(ConstantIndex i) const { return i.is_none() ? Value{} : values_[i.index()]; }
  [[nodiscard]] bool is_zero(ConstantIndex i) const;
  void number_parts_before(ConstantIndex constant);
  std::uint32_t number_of(ConstantIndex i);
  std::uint32_t number_of_opaque(Word id);
  std::uint32_t number_of_key(ConstantIndex row, bool zero);
  bool replace(InstructionView view, InstructionIndex index, ConstantIndex constant);
  bool fold(InstructionView view, InstructionIndex index, ConstantIndex constant);
  [[nodiscard]] bool may_have_decorations_of(Word id) const;
  [[nodiscard]] bool is_evaluated(const TypeRow& type) const;
  [[nodiscard]] bool is_undefined(InstructionView view, const ConstantRow& row) const;
  bool freeze(InstructionView view, InstructionIndex index, const ConstantRow& row);
  void freeze_opcodes(InstructionIndex index);
  bool declare_parts(InstructionIndex place, const ConstantRow& row);
  void write_constant(Word type, Word id, ConstantIndex constant, bool zero);
  void write_literal(const ConstantRow& row, const TypeRow& type);

  const Module& module_;
  const Types& types_;
  const Decorations& decorations_;

  // One run.
  const Constants* constants_ = nullptr;
  ConstantFolding folding_;
  Rewrite* rewrite_ = nullptr;
  bool has_run_out_ = false;
  std::size_t next_row_ = 0;   // rows before it have their number
  std::vector<Value> values_;  // by ConstantIndex
  WordInterner numbers_;
  std::vector<Numbered> numbered_;  // by number
  std::vector<std::uint32_t> missing_;
  std::vector<InstructionIndex> undefined_;
  WordBuffer key_, words_;
};

}  // namespace vireo::spirv
