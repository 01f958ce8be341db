// SPDX-License-Identifier: Apache-2.0
//
// Origins of pointers, and types part by part. Nothing recurses: chains go from a definition to an earlier one, and pairs
// of types wait in a list.
#include "spirv/validate/pointers.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace vireo::spirv {
namespace {

using enum Op;

// Where the pointer stands that an instruction goes on from; 0: it is an origin itself.
struct Step {
  Op opcode;
  std::size_t word;
};
constexpr Step steps[] = {
    {OpAccessChain, 3},
    {OpInBoundsAccessChain, 3},
    {OpPtrAccessChain, 3},
    {OpInBoundsPtrAccessChain, 3},
    {OpUntypedAccessChainKHR, 4},
    {OpUntypedInBoundsAccessChainKHR, 4},
    {OpUntypedPtrAccessChainKHR, 4},
    {OpUntypedInBoundsPtrAccessChainKHR, 4},
    {OpRawAccessChainNV, 3},
    {OpImageTexelPointer, 3},
    {OpCopyObject, 3},
    {OpCopyLogical, 3},
};

constexpr Op logical_pointers[] = {
    OpVariable,
    OpUntypedVariableKHR,
    OpFunctionParameter,
    OpImageTexelPointer,
    OpUntypedImageTexelPointerEXT,
    OpCopyObject,
    OpAccessChain,
    OpInBoundsAccessChain,
    OpUntypedAccessChainKHR,
    OpUntypedInBoundsAccessChainKHR,
    OpRawAccessChainNV,
    OpAllocateNodePayloadsAMDX,
    OpBufferPointerEXT,
};
constexpr Op variable_pointers[] = {
    OpSelect,
    OpPhi,
    OpFunctionCall,
    OpPtrAccessChain,
    OpInBoundsPtrAccessChain,
    OpUntypedPtrAccessChainKHR,
    OpUntypedInBoundsPtrAccessChainKHR,
    OpLoad,
    OpConstantNull,
};

bool is_one_of(std::span<const Op> ops, Op op) { return std::find(ops.begin(), ops.end(), op) != ops.end(); }

}  // namespace

bool gives_pointer(const Context& context, Word id) {
  if (context.preamble.addressing_model() != AddressingModel::Logical) return true;
  const Op op = context.op_of(id);
  if (is_one_of(logical_pointers, op)) return true;
  return context.has(Capability::VariablePointersStorageBuffer) && is_one_of(variable_pointers, op);
}

Word origin_of(const Context& context, Word pointer) {
  InstructionIndex at = context.module.definition(pointer);
  while (!at.is_none()) {
    const InstructionView view = context.module.instruction(at);
    const auto* step = std::find_if(std::begin(steps), std::end(steps),
                                    [&](const Step& each) { return each.opcode == static_cast<Op>(view.opcode); });
    if (step == std::end(steps) || step->word >= view.word_count) break;
    const Word next = view.word(step->word);
    const InstructionIndex definition = context.module.definition(next);
    // Definitions stand in front of uses; what does not is reported elsewhere, and would go round in circles.
    if (definition.is_none() || definition >= at) break;
    at = definition;
    pointer = next;
  }
  return pointer;
}

bool has_explicit_layout(const Context& context, StorageClass storage) {
  switch (storage) {
    case StorageClass::Uniform:
    case StorageClass::StorageBuffer:
    case StorageClass::PhysicalStorageBuffer:
    case StorageClass::PushConstant:
    case StorageClass::ShaderRecordBufferKHR: return true;
    case StorageClass::Workgroup: return context.has(Capability::WorkgroupMemoryExplicitLayoutKHR);
    default: return false;
  }
}

const TypeRow& without_arrays(const Context& context, const TypeRow& type) {
  const TypeRow* inner = &type;
  while (inner->is_array() && !inner->element_row.is_none()) inner = &context.types.row(inner->element_row);
  return *inner;
}

namespace {

bool is_layout(Decoration decoration) {
  return decoration == Decoration::Offset || decoration == Decoration::ArrayStride ||
         decoration == Decoration::MatrixStride || decoration == Decoration::RowMajor ||
         decoration == Decoration::ColMajor;
}

// Whether each decoration of `wanted` that counts stands at `given`, too.
bool has_decorations(const Context& context, Word given, Word wanted, MatchLevel level) {
  const Decorations& decorations = context.decorations;
  for (const DecorationRow& row : decorations.all_of(wanted)) {
    if (level == MatchLevel::SameLayout && !is_layout(row.decoration)) continue;
    const Words operands = decorations.operands(row);
    const auto same = [&](const DecorationRow& other) {
      const Words found = decorations.operands(other);
      return other.decoration == row.decoration &&
             std::equal(found.begin(), found.end(), operands.begin(), operands.end());
    };
    const auto others = decorations.of(given, row.member);
    if (std::none_of(others.begin(), others.end(), same)) return false;
  }
  return true;
}

bool have_same_length(const Context& context, const TypeRow& a, const TypeRow& b) {
  if (a.length == b.length) return true;
  const auto left = context.constants.as_u64(a.length), right = context.constants.as_u64(b.length);
  return left && right && *left == *right;
}

}  // namespace

bool types_match(const Context& context, Word first, Word second, MatchLevel level) {
  std::vector<std::pair<Word, Word>> waiting{{first, second}};
  std::set<std::pair<Word, Word>> seen;
  while (!waiting.empty()) {
    const auto [left, right] = waiting.back();
    waiting.pop_back();
    if (left == right || !seen.emplace(left, right).second) continue;
    const TypeRow &a = context.types.of(left), &b = context.types.of(right);
    if (a.kind != b.kind || !a.is_aggregate()) return false;
    if (level != MatchLevel::Logical && !has_decorations(context, left, right, level)) return false;
    if (level == MatchLevel::SameLayout && !has_decorations(context, right, left, level)) return false;
    if (a.is(TypeKind::Struct)) {
      const Words members = context.types.members(a), others = context.types.members(b);
      if (members.size() != others.size()) return false;
      for (std::size_t i = 0; i < members.size(); ++i) waiting.emplace_back(members[i], others[i]);
    } else {
      if (!have_same_length(context, a, b)) return false;
      waiting.emplace_back(a.element, b.element);
    }
  }
  return true;
}

}  // namespace vireo::spirv
