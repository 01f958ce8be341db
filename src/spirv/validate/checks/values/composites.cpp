// SPDX-License-Identifier: Apache-2.0
//
// Composite instructions (specification 3.42.12): requirements that typing rows cannot state.
//
// Literal indexes walk from a type to the type of a part, step by step. The first step that fails is
// reported. OpCompositeExtract and OpCompositeInsert share this walk.
#include <fmt/format.h>

#include <optional>
#include <tuple>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/tensor_parts.h"
#include "spirv/validate/analysis/type_matching.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/values/constituents.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/composite.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- literal indexes -------------------------------------------------------------------------------------------------

// The part that indexes select. `type` is 0 after a finding, or if a type is unknown. A slice of a tensor has no type
// of its own: then `type` is the tensor, and `dropped` is the number of its dimensions that the indexes select.
struct SelectedPart {
  Word type = 0;
  std::size_t dropped = 0;

  [[nodiscard]] bool has_type(const ModuleCheck& c, Word other) const {
    if (dropped == 0) return type == other;
    const TypeRow& tensor = c.types.of(type);
    // If specialization determines the rank, the part may be an element.
    const bool may_be_element = !c.constants.as_u64(tensor_shape_of(c, tensor).rank);
    return may_be_slice(c, c.types.of(other), tensor, dropped) || (may_be_element && tensor.element == other);
  }
};
constexpr std::string_view slice_text =
    "a tensor of the same elements, without the dimensions of the composite that the indexes select";

SelectedPart walk(const InstructionCheck& c, Word type, LiteralList indexes) {
  if (indexes.empty()) {
    c.report(Rule::IndexCount, c.at(), {c.op(), "no indexes", "one or more"});
    return {};
  }
  if (indexes.size() > c.options.limits.access_chain_indexes) {
    c.report(
        Rule::UniversalLimit, c.at(),
        {fmt::format("{} has {} indexes", op_text(c, c.op()), indexes.size()), c.options.limits.access_chain_indexes});
    hint_limit(c, &Limits::access_chain_indexes);
    return {};
  }
  std::size_t dropped = 0;
  for (const auto index : indexes) {
    const TypeRow* row = c.types.find(type);
    // Another check reports an id that is not a type.
    if (row == nullptr) return {};
    // The finding points at the first wrong index, not at the composite.
    const bool is_tensor = is_shaped_tensor(c, *row);
    if (!row->is_composite() && !is_tensor) {
      c.report(Rule::IndexDepth, c.at(index), {type});
      return {};
    }
    // If the number of parts is unknown, any index may be in bounds.
    const TensorShape shape = is_tensor ? tensor_shape_of(c, *row) : TensorShape{};
    const auto count = is_tensor ? tensor_size(c, shape, dropped) : part_count(c, *row);
    if (count && index >= *count) {
      c.report(Rule::IndexBounds, c.at(index), {index.value, type, *count});
      return {};
    }
    // The walk stays at a tensor until the indexes have selected all its dimensions.
    if (is_tensor && ++dropped != c.constants.as_u64(shape.rank)) continue;
    dropped = 0;
    type = row->is(TypeKind::Struct) ? c.types.member_type(*row, index) : row->element;
  }
  return {type, dropped};
}

// Compares types by id: two equal aggregate declarations are different types.
void check_extract(const InstructionCheck& c) {
  const auto extract = c.as<OpCompositeExtract>();
  const SelectedPart part = walk(c, c.module.type_of(extract.composite()), extract.indexes());
  if (part.type == 0 || part.has_type(c, c.type)) return;
  if (part.dropped != 0) return c.wrong_result(slice_text);
  c.result_mismatch("the type that the indexes select", part.type);
}

// The result is a modified copy of the composite, so the type of the composite is checked first.
void check_insert(const InstructionCheck& c) {
  const auto insert = c.as<OpCompositeInsert>();
  const Word composite = c.module.type_of(insert.composite());
  if (composite != c.type) {
    c.mismatch(insert.composite(), "the composite", "the result type", c.type);
    return;
  }
  const SelectedPart part = walk(c, composite, insert.indexes());
  if (part.type == 0 || part.has_type(c, c.module.type_of(insert.object()))) return;
  if (part.dropped != 0) return c.wrong_operand(insert.object(), "the object", slice_text);
  c.mismatch(insert.object(), "the object", "the type that the indexes select", part.type);
}

// --- construction ----------------------------------------------------------------------------------------------------

// Scalars and shorter vectors fill a vector in order.
void check_vector_parts(const InstructionCheck& c, const TypeRow& result, IdList<IdKind::Value> constituents) {
  // If the length of a constituent is unknown, the sum is unknown.
  std::uint64_t components = 0;
  bool is_known = true, is_fine = true;
  for_each_constituent(c, constituents, [&](const InstructionCheck& at, AnyOperand constituent, auto) {
    if (!is_fine) return;
    const TypeRow& part = c.type_of(constituent);
    const bool is_vector = part.is_vector();
    if (part.id != result.element && !(is_vector && part.element == result.element)) {
      at.mismatch(constituent, "constituent", "a scalar or vector of the result's component type", result.element);
      is_fine = false;
    }
    const auto count = is_vector ? part_count(c, part) : 1;
    is_known = is_known && count;
    components += count.value_or(0);
  });
  if (!is_fine) return;
  const auto wanted = part_count(c, result);
  if (!wanted || !is_known || components == *wanted) return;
  c.report(Rule::ConstituentCount, c.at(), {c.op(), counted(components, "component"), *wanted, c.type});
}

// The kind of the result determines how constituents are counted. A vector has components, a cooperative matrix has one
// value that fills it, and all other composites have parts.
void check_construct(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  // tensors.cpp checks the constituents of tensors, which nest by rank.
  if (result.is(TypeKind::Tensor)) return;
  if (!result.is_composite() || result.is(TypeKind::RuntimeArray)) {
    c.wrong_result("a composite");
    return;
  }
  // A constituent of a vector may fill several components; in any other composite it fills exactly one part.
  const auto constituents = c.as<OpCompositeConstruct>().constituents();
  const std::size_t all = constituents.size() + continued_constituents(c, c.index);
  if (result.is_vector()) {
    // With long vectors, a vector may have one component, which one constituent fills.
    if (all < 2 && result.is(TypeKind::Vector) && !c.has(Capability::LongVectorEXT)) {
      c.report(Rule::ConstituentCount, c.at(), {c.op(), counted(all, "constituent"), "two or more", c.type});
      return;
    }
    check_vector_parts(c, result, constituents);
    return;
  }
  // One value fills all components of a cooperative matrix; the implementation distributes them.
  const auto wanted = result.is_cooperative_matrix() ? 1 : part_count(c, result);
  // If specialization determines the length, only the types of the constituents are checked.
  if (wanted && *wanted != all) {
    c.report(Rule::ConstituentCount, c.at(), {c.op(), counted(all, "constituent"), *wanted, c.type});
    return;
  }
  for_each_constituent(c, constituents, [&](const InstructionCheck& at, AnyOperand constituent, std::size_t i) {
    // Only structures have parts of more than one type.
    const Word part = result.is(TypeKind::Struct) ? c.types.member_type(result, i) : result.element;
    if (part != 0 && c.module.type_of(constituent) != part) {
      at.mismatch(constituent, fmt::format("constituent {}", i), part_text(c, result, i), part);
    }
  });
}

// Checks the construction of a composite from one value that fills all parts.
void check_construct_replicate(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  // tensors.cpp checks the value of tensors.
  if (result.is(TypeKind::Tensor)) return;
  if (!result.is_composite() || result.is(TypeKind::RuntimeArray)) {
    c.wrong_result("a composite");
    return;
  }
  const auto value = c.as<OpCompositeConstructReplicateEXT>().value();
  const Word other = other_part(c, result, c.module.type_of(value));
  if (other != 0) c.mismatch(value, "the value", "the type of each part of the result", other);
}

// --- vectors ---------------------------------------------------------------------------------------------------------

// Each literal is an index into the concatenation of both vectors, so the sum of their lengths is the bound.
void check_shuffle(const InstructionCheck& c) {
  const auto shuffle = c.as<OpVectorShuffle>();
  const TypeRow& result = c.types.of(c.type);
  const TypeRow &first = c.type_of(shuffle.vector_1()), &second = c.type_of(shuffle.vector_2());
  // SPV_NV_cooperative_vector excludes this instruction; SPV_EXT_long_vector allows it.
  constexpr std::string_view vector_text = "a vector that is not cooperative";
  if (!is_vector_of_any_count(c, result)) {
    c.wrong_result(result.is(TypeKind::LongVector) ? vector_text : "a vector");
    return;
  }
  std::uint64_t sources = 0;
  bool is_known = true;
  for (const auto& [operand, vector, name] :
       {std::tuple{shuffle.vector_1(), &first, "vector 1"}, std::tuple{shuffle.vector_2(), &second, "vector 2"}}) {
    if (!is_vector_of_any_count(c, *vector)) {
      c.wrong_operand(operand, name, vector->is(TypeKind::LongVector) ? vector_text : "a vector");
      return;
    }
    if (vector->element != result.element) {
      c.mismatch(operand, name, "components of the result's component type", result.element);
      return;
    }
    const auto count = part_count(c, *vector);
    is_known = is_known && count;
    sources += count.value_or(0);
  }
  const auto components = shuffle.components();
  const std::size_t given = components.size();
  const auto wanted = part_count(c, result);
  // The literals and their number are independent, so both may be reported.
  if (wanted && *wanted != given) {
    c.report(Rule::ConstituentCount, c.at(), {c.op(), counted(given, "component literal"), *wanted, c.type});
  }
  // If the length of a source is unknown, there is no bound.
  if (!is_known) return;
  // 3.42.12: this literal means an undefined component.
  constexpr Word no_source = 0xFFFFFFFF;
  for (const auto component : components) {
    if (component < sources || component == no_source) continue;
    c.report(Rule::IndexBounds, c.at(component), {component.value, "the two vectors together", sources});
  }
}

// --- copies and transposition ----------------------------------------------------------------------------------------

// Two types match logically if they have the same structure of the same scalars. Equal types need no such copy and are
// rejected.
void check_copy_logical(const InstructionCheck& c) {
  const auto operand = c.as<OpCopyLogical>().operand();
  const TypeRow &result = c.types.of(c.type), &type = c.type_of(operand);
  if (result.id == type.id) {
    c.mismatch(operand, "the operand", "a type other than the result type", c.type);
  } else if (!result.is_aggregate() || !types_match(c, result.id, type.id, MatchLevel::Logical)) {
    c.mismatch(operand, "the operand", "a type that logically matches the result type", c.type);
  }
}

// The typing row checks that both are matrices; only the sizes are checked here.
void check_transpose(const InstructionCheck& c) {
  const auto operand = c.as<OpTranspose>().matrix();
  const TypeRow &result = c.types.of(c.type), &matrix = c.type_of(operand);
  if (!result.is(TypeKind::Matrix) || !matrix.is(TypeKind::Matrix)) return;
  const Shape turned = c.types.shape(result), shape = c.types.shape(matrix);
  if (turned.rows != shape.columns || turned.columns != shape.rows) {
    c.mismatch(operand, "the matrix", "the result type with rows and columns exchanged", c.type);
  }
}

}  // namespace

std::span<const Check> composite_checks() {
  static constexpr Check checks[] = {
      {{OpCompositeExtract}, check_extract},     {{OpCompositeInsert}, check_insert},
      {{OpCompositeConstruct}, check_construct}, {{OpCompositeConstructReplicateEXT}, check_construct_replicate},
      {{OpVectorShuffle}, check_shuffle},        {{OpCopyLogical}, check_copy_logical},
      {{OpTranspose}, check_transpose},
  };
  return checks;
}

}  // namespace vireo::spirv
