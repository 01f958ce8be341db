// SPDX-License-Identifier: Apache-2.0
//
// Cooperative matrices loaded from and stored to tensors in memory (SPV_NV_cooperative_matrix2, "tensor addressing";
// SPV_NV_cooperative_matrix_decode_vector).
//
// A second mask, the tensor addressing operands, follows the memory operands. Each of its bits has an
// operand: a view of the tensor, or a function that decodes components. So each bit is checked separately.
#include <fmt/format.h>

#include <optional>

#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/reserved.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// The operands of a load or store.
struct TensorTransfer {
  AnyOperand pointer, object, layout;
  MemoryAccessView memory_access;
  TensorAddressingOperandsView addressing;
  AccessKind kind;
};

// --- decode functions ------------------------------------------------------------------------------------------------

// Returns the number of dimensions of a layout's type; 0 if unknown.
std::uint64_t dimensions(const ModuleCheck& c, Word layout) {
  const TypeRow& type = c.type_of(layout);
  if (!type.is(TypeKind::TensorLayout)) return 0;
  const View<OpTypeTensorLayoutNV> declaration(c.module.instruction(type.declaration));
  return c.constants.as_u64(declaration.dim()).value_or(0);
}

// Whether a type is an array with one integer for each dimension of the tensor.
bool is_coordinate(const ModuleCheck& c, Word type, std::uint64_t count) {
  const TypeRow& array = c.types.of(type);
  if (!array.is(TypeKind::Array) || !array.element_type().is_int(32)) return false;
  // If specialization determines either number, the two may agree.
  const auto length = c.constants.as_u64(array.length);
  return count == 0 || !length || *length == count;
}

// Whether a decode function returns a component of the matrix, or a vector of 2, 4 or 8 components.
bool is_decoded(const ModuleCheck& c, Word type, Word component, bool is_vector) {
  // Equal types have equal ids, so ids are compared.
  if (!is_vector) return type == component;
  const TypeRow& vector = c.types.of(type);
  if (!vector.is_vector() || vector.element != component) return false;
  const auto count = part_count(c, vector);
  return !count || *count == 2 || *count == 4 || *count == 8;
}

// A decode function and its requirements.
struct Decoder {
  AnyOperand function;
  Word component;  ///< component type of the matrix
  Word layout;     ///< id of the layout
  bool gives_vector;
};

// The callback takes a pointer to a block, the coordinates of the block, and the coordinates of a component in the
// block.
void check_decoder(const InstructionCheck& c, const Decoder& decoder) {
  const TypeRow* type = check_callee(c, decoder.function);
  if (type == nullptr || !type->is(TypeKind::Function)) return;
  const auto wrong = [&](std::string_view expected) { wrong_callee(c, decoder.function, expected); };
  if (!is_decoded(c, type->element, decoder.component, decoder.gives_vector)) {
    wrong(decoder.gives_vector ? "a return type that is a vector of 2, 4 or 8 matrix components"
                               : "the component type of the matrix as return type");
    return;
  }
  // Types::members() also returns the parameter types of a function type.
  const Words parameters = c.types.members(*type);
  const std::uint64_t count = dimensions(c, decoder.layout);
  const TypeRow& first = c.types.of(parameters.empty() ? 0 : parameters[0]);
  if (parameters.size() < 3 || !first.is_pointer() || first.storage != StorageClass::PhysicalStorageBuffer) {
    wrong("three or more parameters, the first a PhysicalStorageBuffer pointer");
  } else if (!is_coordinate(c, parameters[1], count) || !is_coordinate(c, parameters[2], count)) {
    wrong("arrays with one 32-bit integer for each dimension as second and third parameter");
  }
}

// The size of blocks in the innermost dimension of a layout, which instructions build in steps; nullopt if it is not a
// constant. OpCreateTensorLayoutNV begins with blocks of one element.
std::optional<std::uint64_t> inner_block_size(const ModuleCheck& c, Word layout) {
  while (c.budget.spend()) {
    const InstructionView step = c.module.find(layout);
    if (step.opcode == OpCreateTensorLayoutNV) return 1;
    if (const auto sized = as<OpTensorLayoutSetBlockSizeNV>(step)) {
      const auto sizes = sized->block_sizes();
      return sizes.empty() ? std::nullopt : c.constants.as_u64(sizes[sizes.size() - 1]);
    }
    const std::uint16_t base = word_of(step.opcode, OperandName::tensor_layout);
    if (base == 0) return std::nullopt;
    layout = step.word(base);
  }
  return std::nullopt;
}

// A vector must not extend over the end of a block.
void check_block_size(const InstructionCheck& c, AnyOperand function, Word layout) {
  const View<OpFunction> callee(c.module.find(function));
  const auto count = part_count(c, c.types.of(callee.result_type()));
  const auto size = inner_block_size(c, layout);
  if (!count || *count == 0 || !size || *size % *count == 0) return;
  c.report(Rule::DecodeBlockSize, c.at(function), {function, *count, *size});
}

// --- the second mask -------------------------------------------------------------------------------------------------

void check_addressing(const InstructionCheck& c, const TypeRow& matrix, const TensorTransfer& transfer) {
  const TensorAddressingOperandsView addressing = transfer.addressing;
  if (const auto tensor_view = addressing.TensorView()) {
    const TypeRow& type = c.type_of(*tensor_view);
    if (!type.is(TypeKind::TensorView)) c.wrong_operand(*tensor_view, "the view", "a tensor view");
  }
  const auto decode = addressing.DecodeFunc(), decode_vector = addressing.DecodeVectorFunc();
  if (transfer.kind == AccessKind::Writes) {
    if (decode || decode_vector) {
      c.report(Rule::StoreDecodeFunction, c.at(addressing), {c.op(), decode ? "DecodeFunc" : "DecodeVectorFunc"});
    }
    return;
  }
  if (decode) check_decoder(c, {*decode, matrix.element, transfer.layout, false});
  if (decode_vector) {
    check_decoder(c, {*decode_vector, matrix.element, transfer.layout, true});
    check_block_size(c, *decode_vector, transfer.layout);
    if (!decode) c.report(Rule::DecodeVector, c.at(addressing));
  }
}

// --- loads and stores ------------------------------------------------------------------------------------------------

// A load also has an Object operand, which provides the components outside the tensor.
void transfer_tensor(const InstructionCheck& c, const TensorTransfer& transfer) {
  const bool reads = transfer.kind == AccessKind::Reads;
  const TypeRow& object = c.type_of(transfer.object);
  const TypeRow& matrix = reads ? c.types.of(c.type) : object;
  if (!matrix.is(TypeKind::CooperativeMatrix)) {
    if (reads) {
      c.wrong_result("a cooperative matrix");
    } else {
      c.wrong_operand(transfer.object, "the object", "a cooperative matrix");
    }
    return;
  }
  if (!check_pointer_operand(c, transfer.pointer, "the pointer")) return;
  const TypeRow& pointer = c.type_of(transfer.pointer);
  if (!is_shared_memory(pointer.storage)) {
    c.wrong_operand(transfer.pointer, "the pointer", "a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer");
    return;
  }
  if (object.id != matrix.id) c.mismatch(transfer.object, "the object", "the result type", c.type);
  const TypeRow& layout = c.type_of(transfer.layout);
  if (!layout.is(TypeKind::TensorLayout)) {
    c.wrong_operand(transfer.layout, "the layout", "a tensor layout");
    return;
  }
  check_memory_access(c, {&pointer, nullptr, transfer.memory_access, transfer.kind});
  check_addressing(c, matrix, transfer);
}

void check_tensor_load(const InstructionCheck& c) {
  const auto load = c.as<OpCooperativeMatrixLoadTensorNV>();
  transfer_tensor(c, {load.pointer(), load.object(), load.tensor_layout(), load.memory_operand(),
                      load.tensor_addressing_operands(), AccessKind::Reads});
}
void check_tensor_store(const InstructionCheck& c) {
  const auto store = c.as<OpCooperativeMatrixStoreTensorNV>();
  transfer_tensor(c, {store.pointer(), store.object(), store.tensor_layout(), store.memory_operand(),
                      store.tensor_addressing_operands(), AccessKind::Writes});
}

}  // namespace

std::span<const Check> cooperative_tensor_checks() {
  static constexpr Check checks[] = {
      {{OpCooperativeMatrixLoadTensorNV}, check_tensor_load},
      {{OpCooperativeMatrixStoreTensorNV}, check_tensor_store},
  };
  return checks;
}

}  // namespace vireo::spirv
