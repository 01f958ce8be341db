// SPDX-License-Identifier: Apache-2.0
//
// Access chains (specification 3.42.8): instructions that compute a pointer to a part of a composite object.
//
// Every access chain walks the levels of a type. Chains differ in two ways, which AccessChain records.
// The type to walk is the pointee type or an operand. An Element operand may precede the indexes.
#include "spirv/validate/checks/memory/access_chains.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/extended_sets/extended_sets.h"
#include "spirv/validate/checks/interfaces/built_in_members.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {

using enum Op;

// An InBounds chain has the same operands as the corresponding chain without InBounds.
std::optional<AccessChain> access_chain(InstructionView instruction) {
  switch (instruction.opcode) {
    case OpAccessChain:
    case OpInBoundsAccessChain: {
      const View<OpAccessChain> chain(instruction);
      return AccessChain{.base = chain.base(), .indexes = chain.indexes()};
    }
    case OpPtrAccessChain:
    case OpInBoundsPtrAccessChain: {
      const View<OpPtrAccessChain> chain(instruction);
      return AccessChain{.base = chain.base(), .element = chain.element(), .indexes = chain.indexes()};
    }
    case OpUntypedAccessChainKHR:
    case OpUntypedInBoundsAccessChainKHR: {
      const View<OpUntypedAccessChainKHR> chain(instruction);
      return AccessChain{
          .is_untyped = true, .base_type = chain.base_type(), .base = chain.base(), .indexes = chain.indexes()};
    }
    case OpUntypedPtrAccessChainKHR:
    case OpUntypedInBoundsPtrAccessChainKHR: {
      const View<OpUntypedPtrAccessChainKHR> chain(instruction);
      return AccessChain{.is_untyped = true,
                         .base_type = chain.base_type(),
                         .base = chain.base(),
                         .element = chain.element(),
                         .indexes = chain.indexes()};
    }
    default: return std::nullopt;
  }
}

namespace {

// Returns true if a pointer is compared with or subtracted from another. Such a pointer may be the end of an array.
bool is_compared(const Context& context, Word pointer) {
  return std::ranges::any_of(context.facts.uses().of(pointer), [&](const Use& use) {
    const Op op = context.module.instruction(use.instruction).opcode;
    return op == OpPtrDiff || op == OpPtrEqual || op == OpPtrNotEqual;
  });
}

// Checks a constant index into a type other than a structure. A module with an index beyond the length is valid; the
// behavior is undefined if memory is accessed through the pointer. Addresses are not checked, because they may point into
// the middle of an object.
void check_index(const Context& context, const DecodedInstruction& visit, Report& report, const TypeRow& type,
                 AnyOperand index) {
  const auto count = part_count(context, type);
  const auto number = context.constants.as_u64(index);
  if (number && (!count || *number < *count)) return;
  const auto value = context.constants.as_i64(index);
  const bool is_negative = value && *value < 0;
  if (is_negative && context.module_declarations.addressing_model() == AddressingModel::Logical &&
      !context.has(Feature::RelaxLogicalPointer)) {
    report.add(Rule::IndexNegative, visit.at(index), {std::to_string(*value), type_text(context, type.id)});
    return;
  }
  if (!count || (!number && !is_negative)) return;
  if (!is_logical_pointer(context, context.types.of(visit.type)) || !visit.is_reachable()) return;
  if (number == count && is_compared(context, visit.result)) return;
  report.add(Rule::AccessIndex, visit.at(index),
             {is_negative ? std::to_string(*value) : std::to_string(*number), type_text(context, type.id),
              std::to_string(*count - 1)});
}

// Applies one index to a type. Returns the type of the selected part, or 0 if the index is wrong or its type is
// unknown.
Word step(const Context& context, const DecodedInstruction& visit, Report& report, Word type, AnyOperand index) {
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow* row = context.types.find(type);
  const TypeRow& index_type = context.type_of(index);
  if (row == nullptr) return 0;
  // An index may have any width and signedness (3.42.8). Only constant indexes are checked further.
  if (!index_type.is(TypeKind::Int)) {
    type_errors.operand(index, "an index", "an integer scalar");
    return 0;
  }
  // A type without parts means that the chain has too many indexes.
  if (!row->is_composite() && !row->is(TypeKind::Tensor)) {
    report.add(Rule::IndexDepth, visit.at(index), {type_text(context, type)});
    return 0;
  }
  if (!row->is(TypeKind::Struct)) {
    check_index(context, visit, report, *row, index);
    return row->element;
  }
  // The member determines the result type, so the index must be an OpConstant; specialization constants are not allowed
  // (3.42.8).
  const auto number = context.constants.as_u64(index);
  const ConstantRow* constant = context.constants.find(index);
  if (constant == nullptr || context.op_of(index) != OpConstant) {
    type_errors.not_constant(index, "an index into a structure");
    return 0;
  }
  const Words members = context.types.members(*row);
  if (!number || *number >= members.size()) {
    report.add(
        Rule::IndexBounds, visit.at(index),
        {number ? std::to_string(*number) : "below 0", type_text(context, type), std::to_string(members.size())});
    return 0;
  }
  return members[static_cast<std::size_t>(*number)];
}

// Checks the Element operand, which selects another element of the array that the base points into. The pointer type of
// the base has the ArrayStride decoration.
void check_element(const Context& context, const DecodedInstruction& visit, Report& report, const AccessChain& chain,
                   const TypeRow& base, Word walked) {
  const AnyOperand element = *chain.element;
  const TypeRow& element_type = context.type_of(element);
  if (!element_type.is(TypeKind::Int)) {
    TypeErrorReporter{context, visit, report}.operand(element, "the element", "an integer scalar");
  }
  // InBounds chains have no further requirements.
  if (visit.op() == OpInBoundsPtrAccessChain) return;
  if (context.is_shader() && has_explicit_layout(context, base.storage)) {
    // The chain steps by the ArrayStride of the pointer type, so the decoration is required.
    if (!context.decorations.has(base.id, Decoration::ArrayStride) &&
        !context.decorations.has(base.id, Decoration::ArrayStrideIdEXT)) {
      report.add(Rule::PointerStride, visit.at(chain.base),
                 {op_text(context, visit.op()), type_text(context, base.id)});
      report.note({base.declaration, 0}, "pointer type declared here");
    }
  }
  // A block occupies its whole buffer, so a nonzero Element operand is out of bounds. A PhysicalStorageBuffer address
  // may point into an array of blocks.
  const bool is_of_block = context.types.of(walked).is(TypeKind::Struct) && is_block(context, walked);
  const auto value = context.constants.as_u64(element);
  if (is_of_block && value && *value != 0 && base.storage != StorageClass::PhysicalStorageBuffer) {
    report.add(Rule::BlockElement, visit.at(element), {std::to_string(*value), type_name(context, walked)});
  }
  // In the logical addressing model, a chain with an Element operand produces a variable pointer, which needs a
  // capability.
  if (!context.is_vulkan()) return;
  const auto missing =
      missing_for_variable_pointer(context, base.storage, "Workgroup, StorageBuffer or PhysicalStorageBuffer");
  if (missing && base.storage != StorageClass::PhysicalStorageBuffer) {
    report.add(Rule::ElementStorage, visit.at(chain.base),
               {op_text(context, visit.op()), enumerant_text(context, base.storage), missing_text(context, *missing)});
    hint_missing(context, report, *missing);
    note_pointer(context, report, chain.base);
    report.vuid(base.storage == StorageClass::Workgroup       ? 7651
                : base.storage == StorageClass::StorageBuffer ? 7652
                                                              : 7650);
  }
}

// If the result points to an array element, compares the ArrayStride of its pointer type with that of the array.
void check_stride(const Context& context, const DecodedInstruction& visit, Report& report, const TypeRow& result,
                  Word whole) {
  if (!context.is_shader() || !context.types.of(whole).is_array()) return;
  const Decorations& decorations = context.decorations;
  const DecorationRow* stride = decorations.find(result.id, Decoration::ArrayStride);
  // Without ArrayStride on the pointer type, no Element operand can be used with the pointer, so there is no conflict.
  if (stride == nullptr) return;
  const Word distance = decorations.operand_or(*stride, 0);
  const DecorationRow* array = decorations.find(whole, Decoration::ArrayStride);
  // The array may lack a stride: compilers emit such arrays for variable pointers into Workgroup storage.
  if (array == nullptr || decorations.operand_or(*array, 0) == distance) return;
  report.add(Rule::ElementStride, visit.at_type(),
             {type_text(context, result.id), std::to_string(distance), type_text(context, whole),
              std::to_string(decorations.operand_or(*array, 0))});
  report.note({stride->instruction, stride->first_operand}, "stride of the pointer type");
  report.note({array->instruction, array->first_operand}, "stride of the array");
}

// --- arrays of blocks ------------------------------------------------------------------------------------------------

// Returns the pointee type that the pointer type, the variable or a chain without indexes states; 0 if none does.
Word stated_pointee(const Context& context, Word pointer) {
  // A copy has the pointee of its source.
  const Word origin = origin_of(context, pointer, Through::Copies);
  if (const TypeRow* pointee = pointee_of(context, origin)) return pointee->id;
  const auto chain = access_chain(context.module.find(origin));
  if (!chain || chain->base == 0 || chain->element || !chain->indexes.empty()) return 0;
  return chain->base_type;
}

// Each element of an array of blocks is a separate buffer. So an untyped chain must walk the same array type that the
// base states, and only a variable is a whole array of buffers.
void check_block_array(const Context& context, const DecodedInstruction& visit, Report& report,
                       const AccessChain& chain) {
  const Word walked = chain.base_type, pointee = stated_pointee(context, chain.base);
  const auto refuse = [&](std::string_view base) {
    report.add(Rule::BlockArrayBase, visit.at(chain.base_type),
               {type_text(context, walked), id_text(context, chain.base), base});
    report.name_cause(Rule::BlockArrayBase, std::to_string(visit.index.raw));
    note_pointer(context, report, chain.base);
  };
  if (pointee != 0 && pointee != walked) {
    // Outside arrays of blocks, an untyped pointer may access memory as a different type.
    if (!contains_block_array(context, pointee) && !contains_block_array(context, walked)) return;
    return refuse("which points to " + type_text(context, pointee));
  }
  // A variable of an unsound type has no stated pointee and is skipped. Other checks refuse a pointer to an array of
  // blocks that is selected at run time, and a parameter in the storage classes of such pointers.
  const Op origin = context.op_of(chain.base);
  const bool is_parameter =
      origin == OpFunctionParameter && context.type_of(chain.base).storage == StorageClass::Uniform;
  const bool is_part =
      is_parameter || origin == OpCopyObject || access_chain(context.module.find(chain.base)).has_value();
  if (!is_part || !contains_block_array(context, walked)) return;
  refuse(is_parameter ? "a parameter" : "the result of " + op_text(context, origin));
}

// Whether the chain selects a member whose BuiltIn decoration requires another type, the one that the result points to.
bool is_wrong_built_in(const Context& context, Word whole, const AccessChain& chain, Word pointee) {
  if (chain.indexes.empty() || !context.types.of(whole).is(TypeKind::Struct)) return false;
  const auto member = context.constants.as_u64(chain.indexes[chain.indexes.size() - 1]);
  const DecorationRow* row =
      context.decorations.find(whole, static_cast<Word>(member.value_or(0)), Decoration::BuiltIn);
  if (row == nullptr) return false;
  const auto built_in = static_cast<BuiltIn>(context.decorations.operand_or(*row, 0));
  const Word type = context.types.member_type(context.types.of(whole), row->member);
  return has_wrong_type(context, built_in, context.types.of(type)) &&
         !has_wrong_type(context, built_in, context.types.of(pointee));
}

void check_chain(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  InstructionView instruction = visit.view;
  instruction.opcode = visit.op();  // the operation's opcode, if this is an operation
  const auto chain = access_chain(instruction);
  if (!chain) return;
  // Each step depends on the previous one, so only the first error is reported.
  const TypeRow &result = context.types.of(visit.type), &base = context.type_of(chain->base);
  if (!result.is(chain->is_untyped ? TypeKind::UntypedPointer : TypeKind::Pointer)) {
    type_errors.result(chain->is_untyped ? "an untyped pointer" : "a typed pointer");
    return;
  }
  if (chain->is_untyped) {
    const TypeRow& base_type = context.types.of(chain->base_type);
    if (base_type.is(TypeKind::None) || base_type.is_pointer()) {
      type_errors.part(chain->base_type, "the base type", "a non-pointer type");
      return;
    }
  }
  if (!(chain->is_untyped ? base.is_pointer() : base.is(TypeKind::Pointer))) {
    type_errors.operand(chain->base, "the base", chain->is_untyped ? "a pointer" : "a typed pointer");
    return;
  }
  if (result.storage != base.storage) {
    // If the result type is at fault, all its chains have the same mismatch. They are notes of the first.
    const Rule rule = rules_of_types(context, visit).type_match;
    const std::string cause = fmt::format("{} {}", visit.type, static_cast<Word>(base.storage));
    if (report.join(rule, fmt::format("{} {}", cause, visit.index.raw), cause)) {
      report.note(visit.at(chain->base), fmt::format("{} is in {} as well", id_text(context, chain->base),
                                                     enumerant_text(context, base.storage)));
      return;
    }
    type_errors.relation(chain->base, "the base", "the storage class of the result", visit.type);
    report.name_cause(rule, cause);
    return;
  }
  // A universal limit (2.17): 255, unless the options set another. A longer chain is not walked.
  const std::size_t count = chain->indexes.size();
  if (count > context.options.limits.access_chain_indexes) {
    report.add(Rule::UniversalLimit, visit.at(),
               {fmt::format("{} indexes", count), std::to_string(context.options.limits.access_chain_indexes)});
    hint_limit(report, &Limits::access_chain_indexes);
    return;
  }
  // The checks above have accepted the first type of the walk. The walk ends at the first error, because the next type
  // is unknown.
  const Word walked = chain->is_untyped ? Word{chain->base_type} : base.element;
  if (chain->is_untyped) check_block_array(context, visit, report, *chain);
  if (chain->element) check_element(context, visit, report, *chain, base, walked);
  Word type = walked, whole = 0;
  for (const auto index : chain->indexes) {
    whole = type;
    type = step(context, visit, report, type, index);
    if (type == 0) return;
  }
  if (chain->is_untyped) return;
  // Compares ids, not structure: pointers to equal structures with different layouts are different types.
  if (type != result.element) {
    // Reported at its declaration, or at the decoration of a built-in member.
    if (context.is_invalid_type(type) || is_wrong_built_in(context, whole, *chain, result.element)) return;
    report.add(rules_of_types(context, visit).type_match, visit.at_type(),
               {"result type of " + instruction_text(context, visit),
                "points to " + type_name_beside(context, result.element, type),
                type_name_beside(context, type, result.element) + ", the type that the indexes select"});
  } else {
    check_stride(context, visit, report, result, whole);
  }
}

// --- raw access chains (SPV_NV_raw_access_chains) --------------------------------------------------------------------

// Checks that stride, element and offset are 32-bit integers and that the stride is a constant. Returns false if one is
// not, or if its type is unknown.
bool check_raw_operands(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto chain = visit.as<OpRawAccessChainNV>();
  if (context.op_of(chain.byte_stride()) != OpConstant) {
    type_errors.not_constant(chain.byte_stride(), "the stride");
    return false;
  }
  const struct {
    AnyOperand operand;
    std::string_view name;
  } numbers[] = {
      {chain.byte_stride(), "the stride"}, {chain.element_index(), "the element"}, {chain.byte_offset(), "the offset"}};
  for (const auto& number : numbers) {
    const TypeRow& type = context.type_of(number.operand);
    if (type.is_int(32)) continue;
    type_errors.operand(number.operand, number.name, "a 32-bit integer scalar");
    return false;
  }
  return true;
}

// Only loads and stores go through the pointer, because it has no type that other instructions could look into.
void check_raw_uses(const Context& context, const DecodedInstruction& visit, Report& report) {
  for (const Use& use : context.facts.uses().of(visit.result)) {
    const InstructionView user = context.module.instruction(use.instruction);
    const Op op = user.opcode;
    const bool is_access = (op == OpLoad && use.word == View<OpLoad>(user).pointer().word) ||
                           (op == OpStore && use.word == View<OpStore>(user).pointer().word);
    if (is_access || only_annotates(op) || is_extended(op)) continue;
    report.add(Rule::RawChainUse, {use.instruction, use.word}, {op_text(context, op), id_text(context, visit.result)});
    report.note(visit.at(), "raw access chain here");
  }
}

// Each element of the buffer is `stride` bytes long, and the access stays within one.
void check_raw_stride(const Context& context, const DecodedInstruction& visit, Report& report, const TypeRow& pointee) {
  const auto chain = visit.as<OpRawAccessChainNV>();
  const auto stride = context.constants.as_u64(chain.byte_stride()),
             offset = context.constants.as_u64(chain.byte_offset());
  const std::uint64_t size = pointee.bits == TypeRow::unknown_bits ? 0 : pointee.bits / 8;
  if (!stride || *stride == 0 || !offset || size == 0 || *offset + size <= *stride) return;
  report.add(Rule::RawChainStride, visit.at(chain.byte_offset()),
             {std::to_string(*offset), std::to_string(size), type_name(context, pointee.id), std::to_string(*stride)});
}

// The base is a buffer block, or an array of blocks, of the storage class of the result. Addresses have no block.
bool check_raw_base(const Context& context, const DecodedInstruction& visit, Report& report, StorageClass storage) {
  const TypeErrorReporter type_errors{context, visit, report};
  const AnyOperand base = visit.as<OpRawAccessChainNV>().base();
  const TypeRow& type = context.type_of(base);
  if (!type.is(TypeKind::Pointer) || type.storage != storage) {
    type_errors.operand(base, "the base", "a typed pointer of the storage class of the result");
    return false;
  }
  if (storage == StorageClass::PhysicalStorageBuffer) return true;
  const Decoration block = storage == StorageClass::Uniform ? Decoration::BufferBlock : Decoration::Block;
  const TypeRow& inner = innermost_element(context, context.types.of(type.element));
  if (context.decorations.has(inner.id, block)) return true;
  type_errors.operand(base, "the base",
                      fmt::format("a pointer to a structure decorated with {}", enumerant_text(context, block)));
  return false;
}

void check_raw_chain(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow& result = context.types.of(visit.type);
  // Storage classes whose layout the descriptor or the address states in bytes.
  const auto has_bytes = [](StorageClass storage) {
    return storage == StorageClass::StorageBuffer || storage == StorageClass::PhysicalStorageBuffer ||
           storage == StorageClass::Uniform;
  };
  if (!result.is(TypeKind::Pointer) || !has_bytes(result.storage)) {
    type_errors.result("a typed pointer of StorageBuffer, PhysicalStorageBuffer or Uniform");
    return;
  }
  const TypeRow& pointee = context.types.of(result.element);
  // The chain counts bytes and has no layout to find parts by, so it must end at a scalar or a vector.
  if (pointee.is_aggregate() || pointee.is(TypeKind::Matrix)) {
    type_errors.result("a pointer to no array, matrix or structure");
    return;
  }
  check_raw_uses(context, visit, report);
  if (!check_raw_base(context, visit, report, result.storage)) return;
  if (!check_raw_operands(context, visit, report)) return;
  check_raw_stride(context, visit, report, pointee);
  const auto chain = visit.as<OpRawAccessChainNV>();
  const auto mask = chain.raw_access_chain_operands();
  if (!mask) return;
  const auto has = [&](RawAccessChainOperands bit) { return (mask->value & bit) != RawAccessChainOperands::None; };
  const bool by_component = has(RawAccessChainOperands::RobustnessPerComponentNV);
  const bool by_element = has(RawAccessChainOperands::RobustnessPerElementNV);
  // With RobustnessPerComponent, each component is checked against the bounds of the buffer. With RobustnessPerElement,
  // the stride is the size of the checked element. A PhysicalStorageBuffer address has no bounds.
  if (by_element && context.constants.as_u64(chain.byte_stride()) == std::uint64_t{0}) {
    report.add(Rule::RobustnessStride, visit.at(chain.byte_stride()));
  }
  if (mask->value != RawAccessChainOperands::None && result.storage == StorageClass::PhysicalStorageBuffer) {
    report.add(Rule::RobustnessStorage, visit.at(*mask));
  }
  if (by_component && by_element) report.add(Rule::RobustnessOnce, visit.at(*mask));
}

}  // namespace

std::span<const Check> access_chain_checks() {
  static constexpr Check checks[] = {
      {{OpRawAccessChainNV}, check_raw_chain},
      {{OpAccessChain, OpInBoundsAccessChain, OpPtrAccessChain, OpInBoundsPtrAccessChain, OpUntypedAccessChainKHR,
        OpUntypedInBoundsAccessChainKHR, OpUntypedPtrAccessChainKHR, OpUntypedInBoundsPtrAccessChainKHR},
       check_chain},
  };
  return checks;
}

}  // namespace vireo::spirv
