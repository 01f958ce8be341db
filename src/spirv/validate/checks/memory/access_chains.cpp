// SPDX-License-Identifier: Apache-2.0
//
// Access chains (specification 3.42.8): instructions that compute a pointer to a part of a composite object.
//
// Every access chain walks the levels of a type. Chains differ in two ways, which AccessChain records.
// The type to walk is the pointee type or an operand. An Element operand may precede the indexes.
#include "spirv/binary/access_chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/validate/analysis/built_in_members.h"
#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Returns true if a pointer is compared with or subtracted from another. Such a pointer may be the end of an array.
bool is_compared(const ModuleCheck& c, Word pointer) {
  return std::ranges::any_of(c.facts.uses().of(pointer), [&](const Use& use) {
    const Op op = c.module.instruction(use.instruction).opcode;
    return op == OpPtrDiff || op == OpPtrEqual || op == OpPtrNotEqual;
  });
}

// Checks a constant index into a type other than a structure. A module with an index beyond the length is valid; the
// behavior is undefined if memory is accessed through the pointer. Addresses are not checked, because they may point into
// the middle of an object.
void check_index(const InstructionCheck& c, const TypeRow& type, AnyOperand index) {
  const auto count = part_count(c, type);
  const auto number = c.constants.as_u64(index);
  if (number && (!count || *number < *count)) return;
  const auto value = c.constants.as_i64(index);
  const bool is_negative = value && *value < 0;
  if (is_negative && c.module_declarations.addressing_model() == AddressingModel::Logical &&
      !c.has(Feature::RelaxLogicalPointer)) {
    c.report(Rule::IndexNegative, c.at(index), {*value, type.id});
    return;
  }
  if (!count || (!number && !is_negative)) return;
  if (!is_logical_pointer(c, c.types.of(c.type)) || !c.is_reachable()) return;
  if (number == count && is_compared(c, c.result)) return;
  c.report(Rule::AccessIndex, c.at(index),
           {is_negative ? std::to_string(*value) : std::to_string(*number), type.id, *count - 1});
}

// Applies one index to a type. Returns the type of the selected part, or 0 if the index is wrong or its type is
// unknown.
Word step(const InstructionCheck& c, Word type, AnyOperand index) {
  const TypeRow* row = c.types.find(type);
  const TypeRow& index_type = c.type_of(index);
  if (row == nullptr) return 0;
  // An index may have any width and signedness (3.42.8). Only constant indexes are checked further.
  if (!index_type.is(TypeKind::Int)) {
    c.wrong_operand(index, "an index", "an integer scalar");
    return 0;
  }
  // A type without parts means that the chain has too many indexes.
  if (!row->is_composite() && !row->is(TypeKind::Tensor)) {
    c.report(Rule::IndexDepth, c.at(index), {type_text(c, type)});
    return 0;
  }
  if (!row->is(TypeKind::Struct)) {
    check_index(c, *row, index);
    return row->element;
  }
  // The member determines the result type, so the index must be an OpConstant; specialization constants are not allowed
  // (3.42.8).
  const auto number = c.constants.as_u64(index);
  const ConstantRow* constant = c.constants.find(index);
  if (constant == nullptr || c.op_of(index) != OpConstant) {
    c.not_constant(index, "an index into a structure");
    return 0;
  }
  const Words members = c.types.members(*row);
  if (!number || *number >= members.size()) {
    c.report(Rule::IndexBounds, c.at(index),
             {number ? std::to_string(*number) : "below 0", type_text(c, type), members.size()});
    return 0;
  }
  return members[static_cast<std::size_t>(*number)];
}

// Checks the Element operand, which selects another element of the array that the base points into. The pointer type of
// the base has the ArrayStride decoration.
void check_element(const InstructionCheck& c, const AccessChain& chain, const TypeRow& base, Word walked) {
  const AnyOperand element = *chain.element;
  const TypeRow& element_type = c.type_of(element);
  if (!element_type.is(TypeKind::Int)) { c.wrong_operand(element, "the element", "an integer scalar"); }
  // InBounds chains have no further requirements.
  if (c.op() == OpInBoundsPtrAccessChain) return;
  if (c.is_shader() && has_explicit_layout(c, base.storage)) {
    // The chain steps by the ArrayStride of the pointer type, so the decoration is required.
    if (!c.decorations.has(base.id, Decoration::ArrayStride) &&
        !c.decorations.has(base.id, Decoration::ArrayStrideIdEXT)) {
      if (report_missing(c, {missing_decoration(Decoration::ArrayStride, base.id)}, Rule::PointerStride,
                         c.at(chain.base), {c.op(), base.id}))
        c.note({base.declaration, 0}, "pointer type declared here");
    }
  }
  // A block occupies its whole buffer, so a nonzero Element operand is out of bounds. A PhysicalStorageBuffer address
  // may point into an array of blocks.
  const bool is_of_block = c.types.of(walked).is(TypeKind::Struct) && is_block(c, walked);
  const auto value = c.constants.as_u64(element);
  if (is_of_block && value && *value != 0 && base.storage != StorageClass::PhysicalStorageBuffer) {
    c.report(Rule::BlockElement, c.at(element), {*value, walked});
  }
  // In the logical addressing model, a chain with an Element operand produces a variable pointer, which needs a
  // capability.
  if (!c.is_vulkan()) return;
  const auto missing =
      missing_for_variable_pointer(c, base.storage, "Workgroup, StorageBuffer or PhysicalStorageBuffer");
  if (missing && base.storage != StorageClass::PhysicalStorageBuffer) {
    c.report(Rule::ElementStorage, c.at(chain.base), {c.op(), base.storage, missing_text(c, *missing)});
    if (missing->capability) c.name_missing(Rule::ElementStorage, *missing->capability);
    hint_missing(c, *missing);
    note_pointer(c, chain.base);
    c.vuid(base.storage == StorageClass::Workgroup ? 7651 : base.storage == StorageClass::StorageBuffer ? 7652 : 7650);
  }
}

// If the result points to an array element, compares the ArrayStride of its pointer type with that of the array.
void check_stride(const InstructionCheck& c, const TypeRow& result, Word whole) {
  if (!c.is_shader() || !c.types.of(whole).is_array()) return;
  const Decorations& decorations = c.decorations;
  const DecorationRow* stride = decorations.find(result.id, Decoration::ArrayStride);
  // Without ArrayStride on the pointer type, no Element operand can be used with the pointer, so there is no conflict.
  if (stride == nullptr) return;
  const Word distance = decorations.operand_or(*stride, 0);
  const DecorationRow* array = decorations.find(whole, Decoration::ArrayStride);
  // The array may lack a stride: compilers emit such arrays for variable pointers into Workgroup storage.
  if (array == nullptr || decorations.operand_or(*array, 0) == distance) return;
  c.report(Rule::ElementStride, c.at_type(), {result.id, distance, whole, decorations.operand_or(*array, 0)});
  c.note({stride->instruction, stride->first_operand}, "stride of the pointer type");
  c.note({array->instruction, array->first_operand}, "stride of the array");
}

// --- arrays of blocks ------------------------------------------------------------------------------------------------

// Returns the pointee type that the pointer type, the variable or a chain without indexes states; 0 if none does.
Word stated_pointee(const ModuleCheck& c, Word pointer) {
  // A copy has the pointee of its source.
  const Word origin = origin_of(c, pointer, Through::Copies);
  if (const TypeRow* pointee = pointee_of(c, origin)) return pointee->id;
  const auto chain = access_chain(c.module.find(origin));
  if (!chain || chain->base == 0 || chain->element || !chain->indexes.empty()) return 0;
  return chain->base_type;
}

// Each element of an array of blocks is a separate buffer. So an untyped chain must walk the same array type that the
// base states, and only a variable is a whole array of buffers.
void check_block_array(const InstructionCheck& c, const AccessChain& chain) {
  const Word walked = chain.base_type, pointee = stated_pointee(c, chain.base);
  const auto refuse = [&](std::string_view base) {
    c.report(Rule::BlockArrayBase, c.at(chain.base_type), {walked, chain.base, base});
    c.findings.name_cause(Rule::BlockArrayBase, std::to_string(c.index.raw));
    note_pointer(c, chain.base);
  };
  if (pointee != 0 && pointee != walked) {
    // Outside arrays of blocks, an untyped pointer may access memory as a different type.
    if (!contains_block_array(c, pointee) && !contains_block_array(c, walked)) return;
    return refuse("which points to " + type_text(c, pointee));
  }
  // A variable of an unsound type has no stated pointee and is skipped. Other checks refuse a pointer to an array of
  // blocks that is selected at run time, and a parameter in the storage classes of such pointers.
  const Op origin = c.op_of(chain.base);
  const bool is_parameter = origin == OpFunctionParameter && c.type_of(chain.base).storage == StorageClass::Uniform;
  const bool is_part = is_parameter || origin == OpCopyObject || access_chain(c.module.find(chain.base)).has_value();
  if (!is_part || !contains_block_array(c, walked)) return;
  refuse(is_parameter ? "a parameter" : "the result of " + op_text(c, origin));
}

// Whether the chain selects a member whose BuiltIn decoration requires another type, the one that the result points to.
bool is_wrong_built_in(const ModuleCheck& c, Word whole, const AccessChain& chain, Word pointee) {
  if (chain.indexes.empty() || !c.types.of(whole).is(TypeKind::Struct)) return false;
  const auto member = c.constants.as_u64(chain.indexes[chain.indexes.size() - 1]);
  const DecorationRow* row = c.decorations.find(whole, static_cast<Word>(member.value_or(0)), Decoration::BuiltIn);
  if (row == nullptr) return false;
  const auto built_in = static_cast<BuiltIn>(c.decorations.operand_or(*row, 0));
  const Word type = c.types.member_type(c.types.of(whole), row->member);
  return has_wrong_type(c, built_in, c.types.of(type)) && !has_wrong_type(c, built_in, c.types.of(pointee));
}

void check_chain(const InstructionCheck& c) {
  InstructionView instruction = c.view;
  instruction.opcode = c.op();  // the operation's opcode, if this is an operation
  const auto chain = access_chain(instruction);
  if (!chain) return;
  // Each step depends on the previous one, so only the first error is reported.
  const TypeRow &result = c.types.of(c.type), &base = c.type_of(chain->base);
  if (!result.is(chain->is_untyped ? TypeKind::UntypedPointer : TypeKind::Pointer)) {
    c.wrong_result(chain->is_untyped ? "an untyped pointer" : "a typed pointer");
    return;
  }
  if (chain->is_untyped) {
    const TypeRow& base_type = c.types.of(chain->base_type);
    if (base_type.is(TypeKind::None) || base_type.is_pointer()) {
      c.wrong_part(chain->base_type, "the base type", "a non-pointer type");
      return;
    }
  }
  if (!(chain->is_untyped ? base.is_pointer() : base.is(TypeKind::Pointer))) {
    c.wrong_operand(chain->base, "the base", chain->is_untyped ? "a pointer" : "a typed pointer");
    return;
  }
  if (result.storage != base.storage) {
    // If the result type is at fault, all its chains have the same mismatch. They are notes of the first.
    const Rule rule = rules_of_types(c).type_match;
    const std::string cause = fmt::format("{} {}", c.type, static_cast<Word>(base.storage));
    if (c.findings.join(rule, fmt::format("{} {}", cause, c.index.raw), cause, rule)) {
      c.note(c.at(chain->base), "{id} is in {enumerant} as well", {chain->base, base.storage});
      return;
    }
    c.mismatch(chain->base, "the base", "the storage class of the result", c.type);
    c.findings.name_cause(rule, cause);
    return;
  }
  // A universal limit (2.17): 255, unless the options set another. A longer chain is not walked.
  const std::size_t count = chain->indexes.size();
  if (count > c.options.limits.access_chain_indexes) {
    c.report(Rule::UniversalLimit, c.at(), {fmt::format("{} indexes", count), c.options.limits.access_chain_indexes});
    hint_limit(c, &Limits::access_chain_indexes);
    return;
  }
  // The checks above have accepted the first type of the walk. The walk ends at the first error, because the next type
  // is unknown.
  const Word walked = chain->is_untyped ? Word{chain->base_type} : base.element;
  if (chain->is_untyped) check_block_array(c, *chain);
  if (chain->element) check_element(c, *chain, base, walked);
  Word type = walked, whole = 0;
  for (const auto index : chain->indexes) {
    whole = type;
    type = step(c, type, index);
    if (type == 0) return;
  }
  if (chain->is_untyped) return;
  // Compares ids, not structure: pointers to equal structures with different layouts are different types.
  if (type != result.element) {
    // Reported at its declaration, or at the decoration of a built-in member.
    if (c.is_invalid_type(type) || is_wrong_built_in(c, whole, *chain, result.element)) return;
    c.report(rules_of_types(c).type_match, c.at_type(),
             {fmt::format("result type of {}", c.name()), "points to " + type_name_beside(c, result.element, type),
              type_name_beside(c, type, result.element) + ", the type that the indexes select"});
  } else {
    check_stride(c, result, whole);
  }
}

// --- raw access chains (SPV_NV_raw_access_chains) --------------------------------------------------------------------

// Checks that stride, element and offset are 32-bit integers and that the stride is a constant. Returns false if one is
// not, or if its type is unknown.
bool check_raw_operands(const InstructionCheck& c) {
  const auto chain = c.as<OpRawAccessChainNV>();
  if (c.op_of(chain.byte_stride()) != OpConstant) {
    c.not_constant(chain.byte_stride(), "the stride");
    return false;
  }
  const struct {
    AnyOperand operand;
    std::string_view name;
  } numbers[] = {
      {chain.byte_stride(), "the stride"}, {chain.element_index(), "the element"}, {chain.byte_offset(), "the offset"}};
  for (const auto& number : numbers) {
    const TypeRow& type = c.type_of(number.operand);
    if (type.is_int(32)) continue;
    c.wrong_operand(number.operand, number.name, "a 32-bit integer scalar");
    return false;
  }
  return true;
}

// Only loads and stores go through the pointer, because it has no type that other instructions could look into.
void check_raw_uses(const InstructionCheck& c) {
  for (const Use& use : c.facts.uses().of(c.result)) {
    const InstructionView user = c.module.instruction(use.instruction);
    const Op op = user.opcode;
    const bool is_access = (op == OpLoad && use.word == View<OpLoad>(user).pointer().word) ||
                           (op == OpStore && use.word == View<OpStore>(user).pointer().word);
    if (is_access || only_annotates(op) || is_extended(op)) continue;
    c.report(Rule::RawChainUse, {use.instruction, use.word}, {op, c.result});
    c.note(c.at(), "raw access chain here");
  }
}

// Each element of the buffer is `stride` bytes long, and the access stays within one.
void check_raw_stride(const InstructionCheck& c, const TypeRow& pointee) {
  const auto chain = c.as<OpRawAccessChainNV>();
  const auto stride = c.constants.as_u64(chain.byte_stride()), offset = c.constants.as_u64(chain.byte_offset());
  const std::uint64_t size = pointee.bits == TypeRow::unknown_bits ? 0 : pointee.bits / 8;
  if (!stride || *stride == 0 || !offset || size == 0 || *offset + size <= *stride) return;
  c.report(Rule::RawChainStride, c.at(chain.byte_offset()), {*offset, size, pointee.id, *stride});
}

// The base is a buffer block, or an array of blocks, of the storage class of the result. Addresses have no block.
bool check_raw_base(const InstructionCheck& c, StorageClass storage) {
  const AnyOperand base = c.as<OpRawAccessChainNV>().base();
  const TypeRow& type = c.type_of(base);
  if (!type.is(TypeKind::Pointer) || type.storage != storage) {
    c.wrong_operand(base, "the base", "a typed pointer of the storage class of the result");
    return false;
  }
  if (storage == StorageClass::PhysicalStorageBuffer) return true;
  const Decoration block = storage == StorageClass::Uniform ? Decoration::BufferBlock : Decoration::Block;
  const TypeRow& inner = type.pointee().innermost();
  if (c.decorations.has(inner.id, block)) return true;
  c.wrong_operand(base, "the base",
                  fmt::format("a pointer to a structure decorated with {}", enumerant_text(c, block)));
  c.findings.await_counterpart(missing_decoration(block, inner.id));
  return false;
}

void check_raw_chain(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  // Storage classes whose layout the descriptor or the address states in bytes.
  const auto has_bytes = [](StorageClass storage) {
    return storage == StorageClass::StorageBuffer || storage == StorageClass::PhysicalStorageBuffer ||
           storage == StorageClass::Uniform;
  };
  if (!result.is(TypeKind::Pointer) || !has_bytes(result.storage)) {
    c.wrong_result("a typed pointer of StorageBuffer, PhysicalStorageBuffer or Uniform");
    return;
  }
  const TypeRow& pointee = result.pointee();
  // The chain counts bytes and has no layout to find parts by, so it must end at a scalar or a vector.
  if (pointee.is_aggregate() || pointee.is(TypeKind::Matrix)) {
    c.wrong_result("a pointer to no array, matrix or structure");
    return;
  }
  check_raw_uses(c);
  if (!check_raw_base(c, result.storage)) return;
  if (!check_raw_operands(c)) return;
  check_raw_stride(c, pointee);
  const auto chain = c.as<OpRawAccessChainNV>();
  const auto mask = chain.raw_access_chain_operands();
  if (!mask) return;
  const auto has = [&](RawAccessChainOperands bit) { return (mask->value & bit) != RawAccessChainOperands::None; };
  const bool by_component = has(RawAccessChainOperands::RobustnessPerComponentNV);
  const bool by_element = has(RawAccessChainOperands::RobustnessPerElementNV);
  // With RobustnessPerComponent, each component is checked against the bounds of the buffer. With RobustnessPerElement,
  // the stride is the size of the checked element. A PhysicalStorageBuffer address has no bounds.
  if (by_element && c.constants.as_u64(chain.byte_stride()) == std::uint64_t{0}) {
    c.report(Rule::RobustnessStride, c.at(chain.byte_stride()));
  }
  if (mask->value != RawAccessChainOperands::None && result.storage == StorageClass::PhysicalStorageBuffer) {
    c.report(Rule::RobustnessStorage, c.at(*mask));
  }
  if (by_component && by_element) c.report(Rule::RobustnessOnce, c.at(*mask));
}

}  // namespace

std::span<const Check> access_chain_checks() {
  static constexpr Check checks[] = {
      {{OpRawAccessChainNV}, check_raw_chain},
      {access_chains, check_chain},
  };
  return checks;
}

}  // namespace vireo::spirv
