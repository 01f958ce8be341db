// SPDX-License-Identifier: Apache-2.0
//
// Access chains (specification 3.42.8): from a pointer to a part of what it points to.
//
// The one idea: all kinds of chains are one walk. They differ in whether the type to walk is the pointer's or an operand,
// and in whether an element stands in front of the indexes: that is a row each.
#include "spirv/validate/checks/memory/access_chains.h"

#include <fmt/format.h>

#include <iterator>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/engine/by_opcode.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Columns: opcode, untyped, then words: of the base, of the element (0: none), of the first index.
constexpr ChainRow chain_rows[] = {
    {OpAccessChain, false, 3, 0, 4},
    {OpInBoundsAccessChain, false, 3, 0, 4},
    {OpPtrAccessChain, false, 3, 4, 5},
    {OpInBoundsPtrAccessChain, false, 3, 4, 5},
    {OpUntypedAccessChainKHR, true, 4, 0, 5},
    {OpUntypedInBoundsAccessChainKHR, true, 4, 0, 5},
    {OpUntypedPtrAccessChainKHR, true, 4, 5, 6},
    {OpUntypedInBoundsPtrAccessChainKHR, true, 4, 5, 6},
};
constexpr auto chains = by_opcode(chain_rows);

}  // namespace

const ChainRow* find_chain(Op op) { return find_row(chains, op); }

namespace {

// One index into a type: the type of the part; 0 when there is none, which is reported.
Word step(const Context& context, const Visit& visit, Report& report, Word type, std::size_t word) {
  const Complaint complain{context, visit, report};
  const TypeRow* row = context.types.find(type);
  const TypeRow* index_type = context.type_of(visit.word(word));
  if (row == nullptr || index_type == nullptr) return 0;
  const Word index = visit.word(word);
  // Of any width and sign (3.42.8): only what a constant says is looked at.
  if (!index_type->is(TypeKind::Int)) {
    complain.operand(word, "an index", "an integer scalar");
    return 0;
  }
  // There are more indexes than there is depth.
  if (!row->is_composite() && !row->is(TypeKind::Tensor)) {
    report.add(Rule::IndexTooDeep, visit.at(word), {type_text(context, type)});
    return 0;
  }
  if (!row->is(TypeKind::Struct)) {
    // A negative index is never in bounds; where pointers are addresses it may be intended.
    const auto value = context.constants.as_i64(index);
    // An index beyond the length is not reported: it matters only when the access is executed.
    if (context.preamble.addressing_model() == AddressingModel::Logical && value && *value < 0) {
      report.add(Rule::IndexNegative, visit.at(word), {std::to_string(*value), type_text(context, type)});
    }
    return row->element;
  }
  // Which member it is decides the type of the result, so the index has to be known now: an OpConstant, and not one
  // that is specialized (3.42.8).
  const auto number = context.constants.as_u64(index);
  const ConstantRow* constant = context.constants.find(index);
  if (constant == nullptr || context.op_of(index) != OpConstant) {
    complain.not_constant(word, "an index into a structure");
    return 0;
  }
  const Words members = context.types.members(*row);
  if (!number || *number >= members.size()) {
    report.add(
        Rule::IndexBounds, visit.at(word),
        {number ? std::to_string(*number) : "below 0", type_text(context, type), std::to_string(members.size())});
    return 0;
  }
  return members[static_cast<std::size_t>(*number)];
}

// The element operand moves the pointer through an array; the pointer's type says how far its elements are apart.
void check_element(const Context& context, const Visit& visit, Report& report, const ChainRow& chain,
                   const TypeRow& base, Word walked) {
  const TypeRow* element = context.type_of(visit.word(chain.element));
  if (element != nullptr && !element->is(TypeKind::Int)) {
    Complaint{context, visit, report}.operand(chain.element, "the element", "an integer scalar");
  }
  // Nothing more is asked of chains that promise to stay in bounds.
  if (visit.op() == OpInBoundsPtrAccessChain) return;
  if (context.is_shader() && has_explicit_layout(context, base.storage)) {
    // A chain steps by the stride that the type of its pointer is decorated with.
    if (!context.decorations.has(base.id, Decoration::ArrayStride) &&
        !context.decorations.has(base.id, Decoration::ArrayStrideIdEXT)) {
      report.add(Rule::PointerStride, visit.at(chain.base),
                 {op_text(context, visit.op()), type_text(context, base.id)});
    }
  }
  // A block is all that is bound, so no other one follows it; behind an address there may be another block.
  const bool is_of_block = context.types.of(walked).is(TypeKind::Struct) && is_block(context, walked);
  const auto value = context.constants.as_u64(visit.word(chain.element));
  if (is_of_block && value && *value != 0 && base.storage != StorageClass::PhysicalStorageBuffer) {
    report.add(Rule::BlockElement, visit.at(chain.element), {std::to_string(*value)});
  }
  // In the logical addressing model a pointer that moves is a variable pointer, and needs the capabilities of these.
  if (!context.is_vulkan()) return;
  const std::string_view expected =
      missing_for_variable_pointer(context, base.storage, "Workgroup, StorageBuffer or PhysicalStorageBuffer");
  if (!expected.empty() && base.storage != StorageClass::PhysicalStorageBuffer) {
    report.add(Rule::ElementStorage, visit.at(chain.base),
               {op_text(context, visit.op()), enumerant_text(context, base.storage), expected});
  }
}

// Elements are as far apart as their array says; a pointer to one, which may move to the next, must not say otherwise.
void check_stride(const Context& context, const Visit& visit, Report& report, const TypeRow& result, Word whole) {
  if (!context.is_shader() || !context.types.of(whole).is_array()) return;
  const Decorations& decorations = context.decorations;
  const DecorationRow* said = decorations.find(result.id, Decoration::ArrayStride);
  // Without a stride the pointer cannot be moved, so there is nothing to disagree.
  if (said == nullptr) return;
  const Word distance = decorations.operand_or(*said, 0);
  const DecorationRow* array = decorations.find(whole, Decoration::ArrayStride);
  // An array without a stride is no contradiction: real compilers write that for variable pointers into Workgroup.
  if (array == nullptr || decorations.operand_or(*array, 0) == distance) return;
  report.add(Rule::ElementStride, visit.at(),
             {type_text(context, result.id), std::to_string(distance), type_text(context, whole),
              std::to_string(decorations.operand_or(*array, 0))});
}

// --- arrays of blocks ---------------------------------------------------------------------------------------------------

// What a pointer points to, where its type, its variable, or a chain without indexes says so; else 0.
Word said_pointee(const Context& context, Word pointer) {
  // A copy points to what its source does.
  const Word origin = origin_of(context, pointer, Through::Copies);
  if (const TypeRow* pointee = pointee_of(context, origin)) return pointee->id;
  const InstructionView made = context.module.find(origin);
  const Op op = made.opcode;
  const bool is_chain = op == OpUntypedAccessChainKHR || op == OpUntypedInBoundsAccessChainKHR;
  return is_chain && made.word_count == 5 ? made.word(3) : 0;
}

// The elements of an array of blocks are buffers of their own: no stride leads from one to the next.
void check_block_array(const Context& context, const Visit& visit, Report& report, const ChainRow& chain, Word walked) {
  const Word pointee = said_pointee(context, visit.word(chain.base));
  if (pointee == 0 || pointee == walked) return;
  // All other types may be walked as something else: that is what untyped pointers are for.
  if (!is_block_array(context, pointee) && !is_block_array(context, walked)) return;
  report.add(Rule::BlockArrayBase, visit.at(3),
             {op_text(context, visit.op()), type_text(context, walked), type_text(context, pointee)});
}

void check_chain(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const ChainRow* chain = find_chain(visit.op());
  if (chain == nullptr) return;
  // Each step needs the one before, so the first fault is the only one.
  const TypeRow *result = context.types.find(visit.type), *base = context.type_of(visit.word(chain->base));
  if (result == nullptr || base == nullptr) return;
  if (!result->is(chain->is_untyped ? TypeKind::UntypedPointer : TypeKind::Pointer)) {
    complain.result(chain->is_untyped ? "an untyped pointer" : "a typed pointer");
    return;
  }
  if (chain->is_untyped) {
    const TypeRow& base_type = context.types.of(visit.word(3));
    if (base_type.is(TypeKind::None) || base_type.is_pointer()) {
      complain.part(3, "the base type", "a type that is no pointer");
      return;
    }
  }
  if (!(chain->is_untyped ? base->is_pointer() : base->is(TypeKind::Pointer))) {
    complain.operand(chain->base, "the base", chain->is_untyped ? "a pointer" : "a typed pointer");
    return;
  }
  if (result->storage != base->storage) {
    complain.relation(chain->base, "the base", "the storage class of the result", visit.type);
    return;
  }
  // A universal limit (2.17), 255 unless the caller chose another; beyond it the walk is not taken either.
  const std::size_t count = visit.from(chain->first_index).size();
  if (count > context.options.limits.access_chain_indexes) {
    report.add(Rule::UniversalLimit, visit.at(),
               {fmt::format("{} indexes", count), std::to_string(context.options.limits.access_chain_indexes)});
    return;
  }
  // The walk comes last, from a type that is known to be right by then. It ends at its first fault: where it would go
  // on from is not known.
  const Word walked = chain->is_untyped ? visit.word(3) : base->element;
  if (chain->is_untyped) check_block_array(context, visit, report, *chain, walked);
  if (chain->element != 0) check_element(context, visit, report, *chain, *base, walked);
  Word type = walked, whole = 0;
  for (std::size_t word = chain->first_index; visit.has_word(word); ++word) {
    whole = type;
    type = step(context, visit, report, type, word);
    if (type == 0) return;
  }
  if (chain->is_untyped) return;
  // Ids and not shapes: pointers to equal structures with other layouts are other pointers.
  if (type != result->element) {
    complain.result_relation("a pointer to the part that the indexes lead to", type);
  } else {
    check_stride(context, visit, report, *result, whole);
  }
}

// --- chains by bytes (SPV_NV_raw_access_chains) -------------------------------------------------------------------------

// Stride, element and offset are 32-bit integers, the stride a constant.
// Words 4, 5 and 6. False: reported, or of no type to speak of.
bool check_raw_operands(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  constexpr std::size_t stride = 4;
  if (context.op_of(visit.word(stride)) != OpConstant) {
    complain.not_constant(stride, "the stride");
    return false;
  }
  constexpr std::string_view names[] = {"the stride", "the element", "the offset"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const TypeRow* type = context.type_of(visit.word(stride + i));
    if (type == nullptr) return false;
    if (type->is_int(32)) continue;
    complain.operand(stride + i, names[i], "a 32-bit integer scalar");
    return false;
  }
  return true;
}

void check_raw_chain(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr) return;
  // Storage whose layout is said in bytes, by the descriptor or the address.
  const auto has_bytes = [](StorageClass storage) {
    return storage == StorageClass::StorageBuffer || storage == StorageClass::PhysicalStorageBuffer ||
           storage == StorageClass::Uniform;
  };
  if (!result->is(TypeKind::Pointer) || !has_bytes(result->storage)) {
    complain.result("a typed pointer of StorageBuffer, PhysicalStorageBuffer or Uniform");
    return;
  }
  const TypeRow& pointee = context.types.of(result->element);
  // The chain counts bytes, so there is no layout to find parts by: it ends at a scalar or a vector.
  if (pointee.is_aggregate() || pointee.is(TypeKind::Matrix)) {
    complain.result("a pointer to no array, matrix or structure");
    return;
  }
  if (!check_raw_operands(context, visit, report)) return;
  constexpr std::size_t mask_word = 7;
  const Word mask = visit.word(mask_word);
  const Word by_component = static_cast<Word>(RawAccessChainOperands::RobustnessPerComponentNV);
  const Word by_element = static_cast<Word>(RawAccessChainOperands::RobustnessPerElementNV);
  // By component, each access is bounded by itself; by element, the stride says how large what is bounded is. The
  // bounds are those of a buffer that is bound, and an address has none.
  if ((mask & by_element) != 0 && context.constants.as_u64(visit.word(4)) == std::uint64_t{0}) {
    report.add(Rule::RobustnessStride, visit.at(4));
  }
  if (mask != 0 && result->storage == StorageClass::PhysicalStorageBuffer) {
    report.add(Rule::RobustnessStorage, visit.at(mask_word));
  }
  if ((mask & by_component) != 0 && (mask & by_element) != 0) report.add(Rule::RobustnessOnce, visit.at(mask_word));
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
