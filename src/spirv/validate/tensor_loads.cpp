// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of cooperative matrices by the layout of a tensor (SPV_NV_cooperative_matrix2).
//
// The one idea: both have the same operands, two words apart, and two masks: the one of memory, and behind what belongs to
// it the one of the tensor. Functions that decode blocks of memory into components are judged by their type alone.
#include "spirv/validate/tensor_loads.h"

#include <fmt/format.h>

#include "spirv/validate/complaint.h"
#include "spirv/validate/cooperative.h"
#include "spirv/validate/memory_access.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr Word bit(TensorAddressingOperands operand) { return static_cast<Word>(operand); }

class TransferCheck {
 public:
  TransferCheck(const Context& context, const Visit& visit, Report& report, AccessKind kind)
      : context_(context),
        visit_(visit),
        report_(report),
        complain_{context, visit, report},
        kind_(kind),
        pointer_(kind == AccessKind::Reads ? 3 : 1) {}

  void run() {
    const TypeRow* object = check_object();
    check_pointer();
    const TypeRow* layout = context_.type_of(visit_.word(layout_word()));
    if (layout != nullptr && !layout->is(TypeKind::TensorLayout)) {
      complain_.operand(layout_word(), "the layout", "a tensor layout");
      layout = nullptr;
    }
    if (object != nullptr) check_addressing(*object, layout);
  }

 private:
  [[nodiscard]] std::size_t object_word() const { return pointer_ + 1; }
  [[nodiscard]] std::size_t layout_word() const { return pointer_ + 2; }
  [[nodiscard]] std::size_t memory_word() const { return pointer_ + 3; }

  // What is loaded replaces parts of the object, so both are of one type.
  const TypeRow* check_object() {
    const TypeRow* object = context_.type_of(visit_.word(object_word()));
    if (kind_ == AccessKind::Reads) {
      const TypeRow* result = context_.types.find(visit_.type);
      if (result == nullptr) return nullptr;
      if (!result->is(TypeKind::CooperativeMatrix)) {
        complain_.result("a cooperative matrix");
        return nullptr;
      }
      if (object != nullptr && object->id != result->id) {
        complain_.relation(object_word(), "the object", "the type of the result", result->id);
      }
      return result;
    }
    if (object == nullptr || object->is(TypeKind::CooperativeMatrix)) return object;
    complain_.operand(object_word(), "the object", "a cooperative matrix");
    return nullptr;
  }

  void check_pointer() {
    if (!check_pointer_operand(context_, visit_, report_, pointer_, "the pointer")) return;
    const TypeRow* pointer = context_.type_of(visit_.word(pointer_));
    const bool is_fine = pointer->storage == StorageClass::Workgroup ||
                         pointer->storage == StorageClass::StorageBuffer ||
                         pointer->storage == StorageClass::PhysicalStorageBuffer;
    if (!is_fine && context_.is_vulkan()) {
      complain_.operand(pointer_, "the pointer", "one to Workgroup, StorageBuffer or PhysicalStorageBuffer");
      return;
    }
    check_memory_access(context_, visit_, report_, {pointer, nullptr, pointer_, memory_word(), kind_});
  }

  void check_addressing(const TypeRow& matrix, const TypeRow* layout) {
    using enum TensorAddressingOperands;
    const std::size_t mask_word = behind_mask(visit_, memory_word());
    const Word mask = visit_.word(mask_word);
    std::size_t word = mask_word + 1;
    if ((mask & bit(TensorView)) != 0) {
      const TypeRow* view = context_.type_of(visit_.word(word));
      if (view != nullptr && !view->is(TypeKind::TensorView)) complain_.operand(word, "the view", "a tensor view");
      ++word;
    }
    const Word decoding = mask & (bit(DecodeFunc) | bit(DecodeVectorFunc));
    if (decoding == 0) return;
    const auto refuse = [&](std::string_view name, std::string_view place, std::string_view expected) {
      report_.add(Rule::TensorOperandPlace, visit_.at(mask_word), {name, place, expected});
    };
    if (kind_ == AccessKind::Writes) {
      return refuse("a function that decodes", op_text(context_, visit_.op()), "OpCooperativeMatrixLoadTensorNV");
    }
    if (decoding == bit(DecodeVectorFunc)) {
      refuse("DecodeVectorFunc", op_text(context_, visit_.op()) + " without DecodeFunc", "one with it");
    }
    if ((mask & bit(DecodeFunc)) != 0) {
      check_decoder(word, matrix, layout, Returns::Scalar);
      ++word;
    }
    if ((mask & bit(DecodeVectorFunc)) != 0) check_decoder(word, matrix, layout, Returns::Vector);
  }

  // --- functions that decode ---

  enum class Returns : std::uint8_t { Scalar, Vector };

  void refuse_function(std::size_t word, std::string_view expected) {
    report_.add(Rule::CallbackType, visit_.at(word),
                {id_text(context_, visit_.word(word)), op_text(context_, visit_.op()), expected});
  }

  // It takes where the block stands in memory, which block of the tensor it is, and which component of the block.
  void check_decoder(std::size_t word, const TypeRow& matrix, const TypeRow* layout, Returns returns) {
    const InstructionView function = context_.module.find(visit_.word(word));
    if (static_cast<Op>(function.opcode) != OpFunction || function.word_count < 5) {
      report_.add(Rule::CallTarget, visit_.at(word),
                  {id_text(context_, visit_.word(word)), op_text(context_, static_cast<Op>(function.opcode))});
      return;
    }
    const TypeRow* type = context_.types.find(function.word(4));
    if (type == nullptr || !type->is(TypeKind::Function)) return;
    check_returned(word, context_.types.of(type->element), matrix, returns);
    const Words parameters = context_.types.members(*type);
    if (parameters.size() != 3) return refuse_function(word, "three parameters");
    const TypeRow& block = context_.types.of(parameters[0]);
    if (!block.is_pointer() || block.storage != StorageClass::PhysicalStorageBuffer) {
      refuse_function(word, "a pointer to PhysicalStorageBuffer as the first parameter");
    }
    for (const Word coordinates : parameters.subspan(1)) {
      if (is_coordinate(context_.types.of(coordinates), layout)) continue;
      refuse_function(word, "arrays of 32-bit integers, one for each dimension, as the other parameters");
      return;
    }
  }

  [[nodiscard]] bool is_coordinate(const TypeRow& type, const TypeRow* layout) const {
    if (!type.is(TypeKind::Array) || !context_.types.row(type.element_row).is_int(32)) return false;
    const Words declaration = layout == nullptr ? Words{} : context_.module.instruction(layout->declaration).words();
    return declaration.size() < 3 || may_be_equal(context_, type.length, declaration[2]);
  }

  void check_returned(std::size_t word, const TypeRow& returned, const TypeRow& matrix, Returns returns) {
    const Word component = context_.types.row(matrix.component).id;
    if (returns == Returns::Scalar) {
      if (returned.id != component) refuse_function(word, "to return the component type of the matrix");
      return;
    }
    const bool is_fine = returned.is_vector() && context_.types.row(returned.component).id == component;
    // How many components a long vector has may not be known yet.
    const bool is_long = returned.is(TypeKind::LongVector);
    const std::uint64_t count = is_long ? context_.constants.as_u64(returned.length).value_or(2) : returned.count;
    if (!is_fine || (count != 2 && count != 4 && count != 8)) {
      refuse_function(word, "to return a vector of 2, 4 or 8 components of the matrix");
    }
  }

  const Context& context_;
  const Visit& visit_;
  Report& report_;
  const Complaint complain_;
  const AccessKind kind_;
  const std::size_t pointer_;  // word of the pointer
};

}  // namespace

void check_tensor_load(const Context& context, const Visit& visit, Report& report) {
  TransferCheck(context, visit, report, AccessKind::Reads).run();
}

void check_tensor_store(const Context& context, const Visit& visit, Report& report) {
  TransferCheck(context, visit, report, AccessKind::Writes).run();
}

}  // namespace vireo::spirv
