// SPDX-License-Identifier: Apache-2.0
//
// Whether divergence certainly survives an operation: x - x, x & 0, or a comparison that holds for all invocations.
//
// A value that depends on an invocation index differs in some execution, unless an operation cancels the differences.
// Operands that the module does not determine, such as push constants, may have the values that do not cancel them. So
// only equal operands and constants matter.
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <vector>

#include "spirv/grammar/opcode_families.h"
#include "spirv/module/uniformity/function_uniformity.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/grammar/ext_insts.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// Instructions of integers and booleans whose results may be equal although both operands differ.
constexpr std::initializer_list<Op> comparing = {
    OpIEqual,    OpINotEqual, OpUGreaterThan,   OpSGreaterThan,   OpUGreaterThanEqual, OpSGreaterThanEqual,
    OpULessThan, OpSLessThan, OpULessThanEqual, OpSLessThanEqual, OpLogicalEqual,      OpLogicalNotEqual,
    OpISub,      OpBitwiseXor};
/// Other instructions whose result is the same for all values, if both operands are equal.
constexpr std::initializer_list<Op> of_equals = {OpFSub,
                                                 OpFDiv,
                                                 OpUMod,
                                                 OpSRem,
                                                 OpSMod,
                                                 OpFRem,
                                                 OpFMod,
                                                 OpFOrdEqual,
                                                 OpFUnordEqual,
                                                 OpFOrdNotEqual,
                                                 OpFUnordNotEqual,
                                                 OpFOrdLessThan,
                                                 OpFUnordLessThan,
                                                 OpFOrdGreaterThan,
                                                 OpFUnordGreaterThan,
                                                 OpFOrdLessThanEqual,
                                                 OpFUnordLessThanEqual,
                                                 OpFOrdGreaterThanEqual,
                                                 OpFUnordGreaterThanEqual};
/// Instructions that discard the low bits, in which the indexes of neighboring invocations differ.
constexpr std::initializer_list<Op> discarding = {OpUDiv, OpSDiv, OpShiftRightLogical, OpShiftRightArithmetic};
constexpr std::uint64_t low_bits = 3;

/// The number of instructions by which an operand of a comparison is followed to a built-in.
constexpr int most_steps = 8;
constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
/// Progressions have smaller numbers, so that nothing wraps.
constexpr std::int64_t too_large = std::int64_t{1} << 31;

/// Comparisons of integers, each with the one that has the operands in the other order.
struct Comparison {
  Op opcode, reversed;
  bool is_signed;
};
constexpr Comparison comparisons[] = {
    {OpIEqual, OpIEqual, false},
    {OpINotEqual, OpINotEqual, false},
    {OpULessThan, OpUGreaterThan, false},
    {OpUGreaterThan, OpULessThan, false},
    {OpULessThanEqual, OpUGreaterThanEqual, false},
    {OpUGreaterThanEqual, OpULessThanEqual, false},
    {OpSLessThan, OpSGreaterThan, true},
    {OpSGreaterThan, OpSLessThan, true},
    {OpSLessThanEqual, OpSGreaterThanEqual, true},
    {OpSGreaterThanEqual, OpSLessThanEqual, true},
};

bool holds(Op comparison, std::int64_t left, std::int64_t right) {
  switch (comparison) {
    case OpULessThan:
    case OpSLessThan: return left < right;
    case OpUGreaterThan:
    case OpSGreaterThan: return left > right;
    case OpULessThanEqual:
    case OpSLessThanEqual: return left <= right;
    default: return left >= right;
  }
}

/// Whether an operation with a constant has the same result for all values of the other operand, or discards low bits.
/// `bits`: of the constant; `all_bits`: those of a constant of its type that is -1; `is_second`: the place of the operand.
bool absorbs(Op opcode, std::uint64_t bits, std::uint64_t all_bits, bool is_second) {
  switch (opcode) {
    case OpIMul:
    case OpFMul:
    case OpLogicalAnd: return bits == 0;
    case OpLogicalOr: return bits != 0;
    case OpBitwiseAnd: return (bits & low_bits) == 0;
    case OpBitwiseOr: return (~bits & all_bits & low_bits) == 0;
    case OpUMod: return is_second ? bits == 1 : bits == 0;
    case OpSRem:
    case OpSMod: return is_second ? bits == 1 || bits == all_bits : bits == 0;
    case OpShiftLeftLogical: return !is_second && bits == 0;
    default: return false;
  }
}

/// Whether a constant bound of a minimum (or maximum) may be below (above) all values of an index, which begin with 0.
bool is_narrow_bound(GLSL_std_450 function, std::size_t operand, std::int64_t bound) {
  switch (function) {
    case GLSL_std_450::UMin:
    case GLSL_std_450::SMin: return bound <= 0;
    case GLSL_std_450::UMax:
    case GLSL_std_450::SMax: return bound > 0;
    case GLSL_std_450::UClamp:
    case GLSL_std_450::SClamp: return operand == 1 ? bound > 0 : operand == 2 && bound <= 0;
    default: return false;
  }
}

}  // namespace

// The values of an integer in the invocations of a group, as far as they follow from a built-in by operations with
// constants. None if they do not.
std::optional<Progression> FunctionUniformity::progression_of(Word id) const {
  struct Step {
    Op opcode;
    std::int64_t constant;
  };
  std::vector<Step> steps;
  InstructionView view = c_.module.find(id);
  for (int links = 0;; ++links, view = c_.module.find(id)) {
    if (links == most_steps) return std::nullopt;
    const Words operands = ValueOperands(view).others();
    if (view.opcode == OpCopyObject || view.opcode == OpBitcast) {
      if (operands.empty()) return std::nullopt;
      id = operands[0];
      continue;
    }
    if (!is_one_of({OpIAdd, OpISub, OpIMul, OpBitwiseAnd, OpUMod}, view.opcode)) break;
    if (operands.size() != 2) return std::nullopt;
    const auto left = c_.constants.as_i64(operands[0]), right = c_.constants.as_i64(operands[1]);
    const bool is_commutative = view.opcode != OpISub && view.opcode != OpUMod;
    if (!right && !(left && is_commutative)) return std::nullopt;
    steps.push_back({view.opcode, right ? *right : *left});
    id = operands[right ? 0 : 1];
  }
  const std::optional<std::uint64_t> values = value_count(view);
  if (!values) return std::nullopt;
  Progression all{
      0, *values >= static_cast<std::uint64_t>(too_large) ? unbounded : static_cast<std::int64_t>(*values) - 1, 1};
  for (; !steps.empty(); steps.pop_back()) {
    auto [opcode, constant] = steps.back();
    if (constant >= too_large || constant <= -too_large) return std::nullopt;
    switch (opcode) {
      case OpIAdd:
      case OpISub:
        if (opcode == OpISub) constant = -constant;
        all.first += constant;
        if (all.last != unbounded) all.last += constant;
        break;
      case OpIMul:
        if (constant <= 0) return std::nullopt;
        all.first *= constant;
        if (all.last != unbounded) all.last *= constant;
        all.step *= constant;
        break;
      default: {
        // The remainder, or the low bits.
        const std::int64_t most = opcode == OpUMod ? constant - 1 : constant;
        const bool is_remainder = most >= 0 && (opcode == OpUMod || (most & (most + 1)) == 0);
        if (all.first != 0 || all.step != 1 || !is_remainder) return std::nullopt;
        all.last = std::min(all.last, most);
        break;
      }
    }
    const bool is_bounded = all.last == unbounded || all.last < too_large;
    if (all.first < 0 || all.first >= too_large || all.step >= too_large || !is_bounded) return std::nullopt;
  }
  return all;
}

// The number of values of a built-in in a group, from 0; any_size if there is no bound. None if it is no built-in.
std::optional<std::uint64_t> FunctionUniformity::value_count(InstructionView view) const {
  Word component = 0, pointer = 0;
  bool has_component = false;
  if (view.opcode == OpCompositeExtract) {
    const View<OpCompositeExtract> extract(view);
    if (extract.indexes().size() != 1) return std::nullopt;
    component = extract.indexes()[0];
    has_component = true;
    view = c_.module.find(extract.composite());
  }
  if (view.opcode != OpLoad) return std::nullopt;
  pointer = View<OpLoad>(view).pointer();
  if (storage_of(pointer) != StorageClass::Input) return std::nullopt;
  Word index = 0;
  const Word variable = root_of(pointer, &index);
  if (index != 0) {
    const auto constant = c_.constants.as_u64(index);
    if (!constant || has_component) return std::nullopt;
    component = static_cast<Word>(*constant);
  }
  const DecorationRow* row = c_.decorations.find(variable, Decoration::BuiltIn);
  if (row == nullptr) return std::nullopt;
  GroupSize size = summary_->group_size;
  for (std::uint32_t& each : size) each = each == 0 ? any_size : each;  // no workgroups
  switch (static_cast<BuiltIn>(c_.decorations.operand_or(*row, ~Word{0}))) {
    case BuiltIn::LocalInvocationId: return component < 3 ? size[component] : any_size;
    case BuiltIn::LocalInvocationIndex: {
      std::uint64_t product = 1;
      for (const std::uint32_t each : size) {
        if (each == any_size || product >= any_size) return any_size;
        product *= each;
      }
      return product;
    }
    case BuiltIn::GlobalInvocationId:
    case BuiltIn::SubgroupLocalInvocationId:
    case BuiltIn::VertexIndex:
    case BuiltIn::InstanceIndex:
    case BuiltIn::PrimitiveId:
    case BuiltIn::SubgroupId: return any_size;
    default: return std::nullopt;
  }
}

bool FunctionUniformity::may_hold_for_all(Op comparison, Word variable, std::int64_t constant) const {
  const bool is_equality = comparison == OpIEqual || comparison == OpINotEqual;
  if (const auto all = progression_of(variable)) {
    if (!is_equality) return holds(comparison, all->first, constant) == holds(comparison, all->last, constant);
    return all->first == all->last || constant < all->first || constant > all->last ||
           (constant - all->first) % all->step != 0;
  }
  if (constant == 0 && (comparison == OpULessThan || comparison == OpUGreaterThanEqual)) return true;
  // In a loop that begins with different values, invocations may have the same number of iterations.
  const InstructionView view = c_.module.find(variable);
  const bool is_carried =
      view.opcode == OpPhi || (view.opcode == OpLoad && is_cell(storage_of(View<OpLoad>(view).pointer())));
  return is_carried && graph_.node(node_of(variable)).varies != 0;
}

bool FunctionUniformity::may_cancel(NodeIndex node, unsigned plane) const {
  const UniformityGraph::Node& each = graph_.node(node);
  const bool is_join = each.kind != NodeKind::Value && each.kind != NodeKind::Condition;
  if (is_join && each.kind != NodeKind::AfterCall) return false;
  if ((graph_.state(node) & Divergence::on_workgroup_memory) != 0) return true;
  const InstructionView view = c_.module.instruction(each.where);
  const Op op = view.opcode;
  const Words operands = ValueOperands(view).others();
  const auto differs = [&](Word id) { return (state(node_of(id)).bits >> plane & 1) != 0; };
  if (is_one_of(discarding, op)) return true;
  if (op == OpSelect && operands.size() == 3) return operands[1] == operands[2] && !differs(operands[1]);
  if ((op == OpBitFieldUExtract || op == OpBitFieldSExtract) && operands.size() == 3) {
    return c_.constants.as_u64(operands[1]).value_or(0) != 0 || c_.constants.as_u64(operands[2]) == 0;
  }
  if (op == OpExtInst && View<OpExtInst>(view).set() == c_.glsl_set) {
    const View<OpExtInst> call(view);
    const auto function = static_cast<GLSL_std_450>(static_cast<Word>(call.instruction()));
    for (std::size_t operand = 0; operand < call.operands().size(); ++operand) {
      const auto bound = c_.constants.as_i64(call.operands()[operand]);
      if (bound && is_narrow_bound(function, operand, *bound)) return true;
    }
    return false;
  }
  if (operands.size() != 2) return false;
  const Word left = operands[0], right = operands[1];
  if (is_one_of(comparing, op) && differs(left) && differs(right)) return true;
  if (is_one_of(of_equals, op) && left == right) return true;
  for (const Word operand : {left, right}) {
    const ConstantRow* constant = c_.constants.find(operand);
    if (constant == nullptr || constant->status != ConstantStatus::Known) continue;
    if (!constant->is_scalar() && constant->kind != ConstantKind::Null) continue;
    const std::uint32_t width = c_.types.row(constant->type).width;
    const std::uint64_t all_bits = width == 0 || width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    if (absorbs(op, constant->bits, all_bits, operand == right)) return true;
    for (const Comparison& row : comparisons) {
      if (row.opcode != op) continue;
      std::uint64_t value = constant->bits;
      if (row.is_signed && (value & ~(all_bits >> 1)) != 0) value |= ~all_bits;
      if (!row.is_signed && value >= static_cast<std::uint64_t>(unbounded)) continue;
      if (may_hold_for_all(operand == right ? op : row.reversed, operand == right ? left : right,
                           static_cast<std::int64_t>(value)))
        return true;
    }
  }
  return false;
}

}  // namespace vireo::spirv
