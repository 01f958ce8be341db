// SPDX-License-Identifier: Apache-2.0
//
// Reads the ValueNeeds of a module (value_needs.h), in one pass over all operands.
#include "spirv/transform/specialize/value_needs.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "spirv/grammar/opcode_families.h"
#include "spirv/grammar/opcode_rows.h"
#include "spirv/transform/clean/unused_role.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Instructions of a function for which each value of a constant operand is valid: all of these classes, and these
// opcodes.
constexpr std::string_view free_classes[] = {"Arithmetic", "Bit",       "Relational_and_Logical",
                                             "Conversion", "Composite", "Control-Flow"};
constexpr Op free_opcodes[] = {OpStore, OpFunctionCall, OpCopyObject, OpName, OpVariable};

class NeedReader {
 public:
  NeedReader(const Module& module, const OperandIndex& operands, const Decorations& decorations)
      : module_(module), operands_(operands), decorations_(decorations), rows_(module.instruction_count()) {}

  std::vector<NeededValue> run() {
    has_derivative_groups_ = has_derivative_groups();
    // Execution modes precede the constants.
    for (const auto [index, view] : module_.instructions(Section::Globals)) {
      rows_[index.index()].is_spec = is_spec_constant(view.opcode);
    }
    OpcodeRows<std::uint8_t> is_free(module_.grammar());  // 0 or 1
    for (const auto [index, view] : module_.instructions()) {
      const Op opcode = view.opcode;
      const bool free = is_free.of(opcode, [&] { return std::uint8_t{is_free_opcode(opcode)}; }) != 0;
      for (const IdOperandRow& operand : operands_.of(index)) {
        if (operand.definition.is_none()) continue;
        const Row& of = rows_[operand.definition.index()];
        if (of.is_spec && !free) use_constant(index, view, operand);
        else if (of.is_array) use_array(index, view, operand);
      }
    }
    spread();
    std::vector<NeededValue> needed;
    for (const auto [index, view] : module_.instructions()) {
      if (rows_[index.index()].is_spec && rows_[index.index()].needs != 0) {
        needed.push_back({index, rows_[index.index()].needs});
      }
    }
    return needed;
  }

 private:
  struct Row {
    bool is_spec = false;   // a specialization constant
    bool is_array = false;  // an array type whose length, or that of an element, is one
    std::uint8_t needs = 0;
  };

  static bool is_spec_constant(Op opcode) {
    return is_core_spec_constant(opcode) || opcode == OpSpecConstantCompositeReplicateEXT;
  }

  [[nodiscard]] bool is_free_opcode(Op opcode) const {
    if (std::ranges::find(free_opcodes, opcode) != std::end(free_opcodes)) return true;
    const InstructionRow* row = module_.grammar().find_opcode(opcode);
    if (row == nullptr) return false;
    const std::string_view in = module_.grammar().text(module_.grammar().printing_classes[row->printing_class]);
    return std::ranges::find(free_classes, in) != std::end(free_classes);
  }

  // Derivatives in compute shaders need workgroups of a multiple of four invocations.
  [[nodiscard]] bool has_derivative_groups() const {
    constexpr ExecutionMode groups[] = {ExecutionMode::DerivativeGroupQuadsKHR,
                                        ExecutionMode::DerivativeGroupLinearKHR};
    for (const auto [index, view] : module_.instructions(Section::ExecutionModes)) {
      if (std::ranges::find(groups, static_cast<ExecutionMode>(view.word(2))) != std::end(groups)) return true;
    }
    return false;
  }

  void add(InstructionIndex constant, ValueNeed need) { rows_[constant.index()].needs |= need; }
  [[nodiscard]] ValueNeed workgroup_need() const { return has_derivative_groups_ ? Validated : Positive; }

  // `view` has a specialization constant as an operand.
  void use_constant(InstructionIndex index, InstructionView view, const IdOperandRow& operand) {
    switch (view.opcode) {
      case OpSpecConstantOp: return;
      case OpSpecConstantComposite:
      case OpSpecConstantCompositeReplicateEXT:
        if (decorations_.has(module_.result_of(view), Decoration::BuiltIn)) add(operand.definition, workgroup_need());
        return;
      case OpTypeArray:
        add(operand.definition, Positive);
        rows_[index.index()].is_array = true;
        return;
      case OpExecutionModeId: {
        const bool is_size = view.word(2) == static_cast<Word>(ExecutionMode::LocalSizeId);
        return add(operand.definition, is_size ? workgroup_need() : Validated);
      }
      case OpAccessChain:
      case OpInBoundsAccessChain: return add(operand.definition, NotNegative);
      // A decoration of the constant itself does not depend on its value.
      case OpDecorate:
      case OpDecorateString: return;
      case OpDecorateId:
        if (operand.word != 1) add(operand.definition, Validated);
        return;
      case OpGroupDecorate: return;
      case OpExtInst: {
        const auto import = as<OpExtInstImport>(module_.find(view.word(3)));
        if (!import || !is_pure_set(import->name())) add(operand.definition, Validated);
        return;
      }
      default: return add(operand.definition, Validated);
    }
  }

  // `view` uses a type that contains an array. The length has no further need if only variables of a shader's own
  // memory have the type: there it determines neither a layout nor locations.
  void use_array(InstructionIndex index, InstructionView view, const IdOperandRow& operand) {
    switch (view.opcode) {
      case OpName:
      case OpLoad: return;
      case OpTypeArray: rows_[index.index()].is_array = true; return;
      case OpTypePointer: {
        const auto storage = static_cast<StorageClass>(view.word(2));
        if (storage == StorageClass::Function || storage == StorageClass::Private ||
            storage == StorageClass::Workgroup) {
          return;
        }
        break;
      }
      default: break;
    }
    add(operand.definition, Validated);
  }

  // The needs of an array are those of its length and its element; types and constants follow what they use.
  void spread() {
    for (std::uint32_t i = module_.section(Section::Globals).end; i-- > module_.section(Section::Globals).first;) {
      const Row& row = rows_[i];
      if (!row.is_array || (row.needs & Validated) == 0) continue;
      for (const IdOperandRow& operand : operands_.of(InstructionIndex(i))) {
        if (!operand.definition.is_none()) add(operand.definition, Validated);
      }
    }
  }

  const Module& module_;
  const OperandIndex& operands_;
  const Decorations& decorations_;
  std::vector<Row> rows_;  // by instruction
  bool has_derivative_groups_ = false;
};

}  // namespace

std::vector<NeededValue> read_value_needs(const Module& module, const OperandIndex& operands,
                                          const Decorations& decorations) {
  return NeedReader(module, operands, decorations).run();
}

}  // namespace vireo::spirv
