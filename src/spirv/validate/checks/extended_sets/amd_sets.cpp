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
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/sets/spv_amd_shader_ballot.h"
#include "vireo/spirv/views/sets/spv_amd_shader_explicit_vertex_parameter.h"

namespace vireo::spirv {
namespace {

using Ballot = SPV_AMD_shader_ballot;
using Vertex = SPV_AMD_shader_explicit_vertex_parameter;

// Reports the first component of a constant that exceeds the limit.
void check_limit(const DecodedExtInst& ext, AnyOperand operand, std::uint64_t limit) {
  const std::size_t count = constant_component_count(ext.context, operand);
  for (std::size_t n = 0; n < count; ++n) {
    const auto value = component_bits(ext.context, operand, n);
    if (!value || *value <= limit) continue;
    ext.report.add(Rule::OperandRange, ext.visit.at(operand),
                   {fmt::format("{} of {}", component_text(ext.context, operand, n), ext.name()),
                    std::to_string(*value), fmt::format("0 to {}", limit)});
    return;
  }
}

void check_vertex_interpolation(const DecodedExtInst& ext) {
  const auto interpolate = ext.as<Vertex::InterpolateAtVertexAMD>();
  const auto interpolant = interpolate.interpolant();
  const TypeRow& pointer = ext.context.type_of(interpolant);
  const bool is_pointer = pointer.is(TypeKind::Pointer);
  if (is_pointer && pointer.storage != StorageClass::Input) {
    ext.report.add(Rule::ExtInstStorageClass, ext.visit.at(interpolant),
                   {ext.name(), enumerant_text(ext.context, pointer.storage), "Input"});
  }
  if ((is_pointer ? pointer.element : pointer.id) != ext.visit.type) {
    TypeErrorReporter{ext.context, ext.visit, ext.report}.relation(interpolant, "the interpolant",
                                                                   "a pointer to the result type", ext.visit.type);
  }
  check_limit(ext, interpolate.vertex_idx(), 2);  // a triangle has three vertices
}

}  // namespace

void check_amd(const DecodedExtInst& ext) {
  const Grammar& grammar = ext.context.grammar();
  const ExtInstSetId set = ext.visit.decoded->ext_inst_set;
  if (set.is_none()) return;
  const std::string_view name = grammar.text(grammar.sets[set.index()].name);
  if (name == "SPV_AMD_shader_ballot") {
    // A swizzle stays within four invocations, a masked one within 32.
    if (Ballot{ext.inst.number} == Ballot::SwizzleInvocationsAMD) check_limit(ext, ext.operand(1), 3);
    if (Ballot{ext.inst.number} == Ballot::SwizzleInvocationsMaskedAMD) check_limit(ext, ext.operand(1), 31);
  } else if (name == "SPV_AMD_shader_explicit_vertex_parameter") {
    if (Vertex{ext.inst.number} == Vertex::InterpolateAtVertexAMD) check_vertex_interpolation(ext);
  }
}

}  // namespace vireo::spirv
