// SPDX-License-Identifier: Apache-2.0
//
// What gives pointers, and types part by part. Nothing recurses: pairs of types wait in a list.
#include "spirv/validate/pointers.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace vireo::spirv {
namespace {

using enum Op;

// 2.16.1: which instructions make pointers in the logical addressing model; below, which more do with variable
// pointers.
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

}  // namespace

// With addresses any value of a pointer type is one; without them a pointer has to be traceable to a variable.
bool gives_pointer(const Context& context, Word id) {
  if (context.preamble.addressing_model() != AddressingModel::Logical) return true;
  const Op op = context.op_of(id);
  if (is_one_of(logical_pointers, op)) return true;
  return context.has(Capability::VariablePointersStorageBuffer) && is_one_of(variable_pointers, op);
}

// Memory that others see, too: the API, other stages, other invocations by an address.
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

bool is_block(const Context& context, Word type) {
  return context.decorations.has(type, Decoration::Block) || context.decorations.has(type, Decoration::BufferBlock);
}

bool is_block_array(const Context& context, Word type) {
  const TypeRow& array = context.types.of(type);
  return array.is_array() && is_block(context, array.element);
}

namespace {

// What says where a part lies, as opposed to what it is used for.
bool is_placing(Decoration decoration) {
  return decoration == Decoration::Offset || decoration == Decoration::ArrayStride ||
         decoration == Decoration::MatrixStride || decoration == Decoration::RowMajor ||
         decoration == Decoration::ColMajor;
}

// Whether each decoration of `wanted` that counts stands at `given`, too.
bool has_decorations(const Context& context, Word given, Word wanted, MatchLevel level) {
  const Decorations& decorations = context.decorations;
  // Members' decorations are rows of the structure with a number, and are looked up by that number.
  for (const DecorationRow& row : decorations.all_of(wanted)) {
    // Two structures of one layout may differ in what else is said of them: precision, access, names of resources.
    if (level == MatchLevel::SameLayout && !is_placing(row.decoration)) continue;
    const Words operands = decorations.operands(row);
    const auto same = [&](const DecorationRow& other) {
      const Words found = decorations.operands(other);
      return other.decoration == row.decoration &&
             std::equal(found.begin(), found.end(), operands.begin(), operands.end());
    };
    // Order does not count, and more decorations on this side do no harm.
    const auto others = decorations.of(given, row.member);
    if (std::none_of(others.begin(), others.end(), same)) return false;
  }
  return true;
}

// Lengths are ids: two constants of one value make arrays of one length, be they of two types.
// A length that specialization decides equals itself alone.
bool have_same_length(const Context& context, const TypeRow& a, const TypeRow& b) {
  if (a.length == b.length) return true;
  const auto left = context.constants.as_u64(a.length), right = context.constants.as_u64(b.length);
  return left && right && *left == *right;
}

}  // namespace

bool types_match(const Context& context, Word first, Word second, MatchLevel level) {
  // A part that is shared would be looked at as often as there are ways to it, twice as often with each level of
  // nesting. A pair that was seen is not looked at again.
  // Only aggregates open up: scalars and vectors are declared once, so there different ids are different types.
  std::vector<std::pair<Word, Word>> waiting{{first, second}};
  std::set<std::pair<Word, Word>> seen;
  while (!waiting.empty()) {
    const auto [left, right] = waiting.back();
    waiting.pop_back();
    if (left == right || !seen.emplace(left, right).second) continue;
    const TypeRow &a = context.types.of(left), &b = context.types.of(right);
    if (a.kind != b.kind || !a.is_aggregate()) return false;
    if (level != MatchLevel::Logical && !has_decorations(context, left, right, level)) return false;
    // Equal layouts are a question to both sides; else only the second has to find its decorations on the first.
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
