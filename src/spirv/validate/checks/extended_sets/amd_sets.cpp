// SPDX-License-Identifier: Apache-2.0
//
// Swizzles and interpolation of AMD's extended instruction sets.
//
// Typing rows check the types. A swizzle has a constant vector, whose components have a limit, and an
// interpolation reads an input variable.
//
// Source: SPV_AMD_shader_ballot, SPV_AMD_shader_explicit_vertex_parameter.
#include "spirv/validate/checks/extended_sets/amd_sets.h"

#include <fmt/format.h>

#include <string>

#include "spirv/validate/analysis/constant_components.h"
#include "vireo/spirv/binary/views/sets/spv_amd_shader_ballot.h"
#include "vireo/spirv/binary/views/sets/spv_amd_shader_explicit_vertex_parameter.h"

namespace vireo::spirv {
namespace {

using Ballot = SPV_AMD_shader_ballot;
using Vertex = SPV_AMD_shader_explicit_vertex_parameter;

// Reports the first component of a constant that exceeds the limit.
void check_limit(const ExtInstCheck& c, AnyOperand operand, std::uint64_t limit) {
  const std::size_t count = constant_component_count(c, operand);
  for (std::size_t n = 0; n < count; ++n) {
    const auto value = component_bits(c, operand, n);
    if (!value || *value <= limit) continue;
    c.report(Rule::OperandRange, c.at(operand),
             {fmt::format("{} of {}", component_text(c, operand, n), c.name()), *value, fmt::format("0 to {}", limit)});
    return;
  }
}

void check_vertex_interpolation(const ExtInstCheck& c) {
  const auto interpolate = c.as<Vertex::InterpolateAtVertexAMD>();
  const auto interpolant = interpolate.interpolant();
  const TypeRow& pointer = c.type_of(interpolant);
  const bool is_pointer = pointer.is(TypeKind::Pointer);
  if (is_pointer && pointer.storage != StorageClass::Input) {
    c.report(Rule::ExtInstStorageClass, c.at(interpolant), {c.name(), pointer.storage, "Input"});
  }
  if ((is_pointer ? pointer.element : pointer.id) != c.type) {
    c.mismatch(interpolant, "the interpolant", "a pointer to the result type", c.type);
  }
  check_limit(c, interpolate.vertex_idx(), 2);  // a triangle has three vertices
}

}  // namespace

void check_amd(const ExtInstCheck& c) {
  const Grammar& grammar = c.grammar();
  const ExtInstSetId set = c.decoded->ext_inst_set;
  if (set.is_none()) return;
  const std::string_view name = grammar.text(grammar.sets[set.index()].name);
  if (name == "SPV_AMD_shader_ballot") {
    // A swizzle stays within four invocations, a masked one within 32.
    if (Ballot{c.inst.number} == Ballot::SwizzleInvocationsAMD) check_limit(c, c.operand(1), 3);
    if (Ballot{c.inst.number} == Ballot::SwizzleInvocationsMaskedAMD) check_limit(c, c.operand(1), 31);
  } else if (name == "SPV_AMD_shader_explicit_vertex_parameter") {
    if (Vertex{c.inst.number} == Vertex::InterpolateAtVertexAMD) check_vertex_interpolation(c);
  }
}

}  // namespace vireo::spirv
