// SPDX-License-Identifier: Apache-2.0
//
// Reflection of kernels (NonSemantic.ClspvReflection) and debug information of graphs (NonSemantic.Graph.DebugInfo).
//
// Nearly every operand is a 32-bit number or a string, so table rows check nearly all operands, and the
// version of each instruction. Only references need code: a kernel must be an entry point, and an operation must be in
// its graph.
//
// Sources: "NonSemantic.ClspvReflection", sections 2 and 3; "NonSemantic.Graph.DebugInfo", section 3.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "spirv/validate/checks/extended_sets/debug_info.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_clspvreflection.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_graph_debuginfo.h"

namespace vireo::spirv {
namespace {

using R = NonSemantic_ClspvReflection;
using G = NonSemantic_Graph_DebugInfo;

// clang-format off
// Operands as used in rows: the noun for messages, the allowed instructions of the same set, the allowed operand
// classes (non_semantic.h).
constexpr OperandRequirement string{"an OpString", 0, StringThing};
constexpr OperandRequirement number{"an OpConstant of a 32-bit unsigned integer type", 0, Unsigned32Thing};
constexpr OperandRequirement entry{"an OpFunction", 0, FunctionThing};
constexpr OperandRequirement variable{"a variable", 0, VariableThing};
constexpr OperandRequirement kernel{"a Kernel of the same import", own_bits(R::Kernel)};
constexpr OperandRequirement info{"an ArgumentInfo of the same import", own_bits(R::ArgumentInfo)};

// Ascending by number. The last column is the version that added the instruction.
constexpr NonSemanticRow rows[] = {
    {R::Kernel, {entry, string, number.from(5), number.from(5), string.from(5)}, 1},
    {R::ArgumentInfo, {string, string, number, number, number}, 1},
    {R::ArgumentStorageBuffer, {kernel, number, number, number, info}, 1},
    {R::ArgumentUniform, {kernel, number, number, number, info}, 1},
    {R::ArgumentPodStorageBuffer, {kernel, number, number, number, number, number, info}, 1},
    {R::ArgumentPodUniform, {kernel, number, number, number, number, number, info}, 1},
    {R::ArgumentPodPushConstant, {kernel, number, number, number, info}, 1},
    {R::ArgumentSampledImage, {kernel, number, number, number, info}, 1},
    {R::ArgumentStorageImage, {kernel, number, number, number, info}, 1},
    {R::ArgumentSampler, {kernel, number, number, number, info}, 1},
    {R::ArgumentWorkgroup, {kernel, number, number, number, info}, 1},
    {R::SpecConstantWorkgroupSize, {number, number, number}, 1},
    {R::SpecConstantGlobalOffset, {number, number, number}, 1},
    {R::SpecConstantWorkDim, {number}, 1},
    {R::PushConstantGlobalOffset, {number, number}, 1},
    {R::PushConstantEnqueuedLocalSize, {number, number}, 1},
    {R::PushConstantGlobalSize, {number, number}, 1},
    {R::PushConstantRegionOffset, {number, number}, 1},
    {R::PushConstantNumWorkgroups, {number, number}, 1},
    {R::PushConstantRegionGroupOffset, {number, number}, 1},
    {R::ConstantDataStorageBuffer, {number, number, string}, 1},
    {R::ConstantDataUniform, {number, number, string}, 1},
    {R::LiteralSampler, {number, number, number}, 1},
    {R::PropertyRequiredWorkgroupSize, {kernel, number, number, number}, 1},
    {R::SpecConstantSubgroupMaxSize, {number}, 2},
    {R::ArgumentPointerPushConstant, {kernel, number, number, number, info}, 3},
    {R::ArgumentPointerUniform, {kernel, number, number, number, number, number, info}, 3},
    {R::ProgramScopeVariablesStorageBuffer, {number, number, string}, 3},
    {R::ProgramScopeVariablePointerRelocation, {number, number, number}, 3},
    {R::ImageArgumentInfoChannelOrderPushConstant, {kernel, number, number, number}, 3},
    {R::ImageArgumentInfoChannelDataTypePushConstant, {kernel, number, number, number}, 3},
    {R::ImageArgumentInfoChannelOrderUniform, {kernel, number, number, number, number, number}, 3},
    {R::ImageArgumentInfoChannelDataTypeUniform, {kernel, number, number, number, number, number}, 3},
    {R::ArgumentStorageTexelBuffer, {kernel, number, number, number, info}, 4},
    {R::ArgumentUniformTexelBuffer, {kernel, number, number, number, info}, 4},
    {R::ConstantDataPointerPushConstant, {number, number, string}, 5},
    {R::ProgramScopeVariablePointerPushConstant, {number, number, string}, 5},
    {R::PrintfInfo, {number, string, number.repeated()}, 5},
    {R::PrintfBufferStorageBuffer, {number, number, number}, 5},
    {R::PrintfBufferPointerPushConstant, {number, number, number}, 5},
    {R::NormalizedSamplerMaskPushConstant, {kernel, number, number, number}, 6},
    {R::WorkgroupVariableSize, {variable, number}, 7},
};
// clang-format on

// The sort key of entry points: those of a function are adjacent, with compute shaders last.
auto order_of(const EntryPointRow& row) {
  return std::tuple(row.function, row.model == ExecutionModel::GLCompute, row.name);
}

// A reflected kernel must be an entry point. All entry points of the function must be compute shaders, and one must
// have the reflected name.
void check_kernel(const ExtInstCheck& c, std::span<const EntryPointRow* const> kernels) {
  const auto reflection = c.as<R::Kernel>();
  const auto function = reflection.kernel();
  // Binary searches keep the time near-linear in the number of kernels.
  const auto first = std::ranges::lower_bound(kernels, function.id, {}, &EntryPointRow::function);
  const std::string reflected = "kernel " + id_text(c, function);
  if (first == kernels.end() || (*first)->function != function) {
    c.report(Rule::ReflectedKernel, c.at(function), {reflected + " is not an entry point", "a GLCompute entry point"});
    return;
  }
  // If an entry point of the function has another execution model, it precedes the compute shaders.
  if ((*first)->model != ExecutionModel::GLCompute) {
    c.report(Rule::ReflectedKernel, c.at(function),
             {reflected + " is an entry point of execution model " + enumerant_text(c, (*first)->model), "GLCompute"});
    return;
  }
  // All entry points of the function are compute shaders. The name of an entry point may differ from the function's
  // OpName.
  const std::string_view name = View<Op::OpString>(c.module.find(reflection.name())).string();
  const bool is_named = std::ranges::binary_search(kernels, std::tuple(function.id, true, name), {},
                                                   [](const EntryPointRow* row) { return order_of(*row); });
  if (is_named) return;
  c.report(Rule::ReflectedKernel, c.at(reflection.name()),
           {fmt::format("{} has no entry point named \"{}\"", reflected, name), "a name in one of its OpEntryPoints"});
}

// --- graphs -------------------------------------------------------------------------------------------------------------

// Graphs do not overlap and are in module order, so a binary search finds the range that begins at `graph`. For any
// other instruction there is no range.
bool is_in_graph(std::span<const InstructionRange> graphs, InstructionIndex graph, InstructionIndex inst) {
  const auto found = std::ranges::lower_bound(graphs, graph.raw, {}, &InstructionRange::first);
  return found != graphs.end() && found->first == graph.raw && !inst.is_none() && found->contains(inst);
}

void check_operation(const ExtInstCheck& c, std::span<const InstructionRange> graphs) {
  const auto operation = c.as<G::DebugOperation>();
  // The id of the OpGraphARM that the DebugGraph describes.
  const Word graph = View<G::DebugGraph>(c.module.find(operation.debug_graph())).graph();
  // The grammar allows an empty list; the set requires at least one instruction.
  if (operation.instructions().empty()) {
    c.report(Rule::NonSemanticOperand, c.at(),
             {"the list of instructions", c.name(), "empty", "at least one instruction"});
  }
  for (const AnyOperand id : operation.instructions()) {
    if (is_in_graph(graphs, c.module.definition(graph), c.module.definition(id))) continue;
    c.report(Rule::NonSemanticOperand, c.at(id),
             {"an instruction", c.name(), thing_text(c, id), "an instruction of graph " + id_text(c, graph)});
  }
}

// If the operand is an array or structure of tensors, an index must select one. A single tensor has no index.
void check_tensor(const ExtInstCheck& c, const std::vector<bool>& has_only_tensors) {
  const Types& types = c.types;
  const auto described = c.as<G::DebugTensor>();
  const TypeRow& type = c.type_of(described.tensor());
  const bool is_array = type.is(TypeKind::Array) || type.is(TypeKind::RuntimeArray);
  const bool is_composite = is_array ? type.element_type().is(TypeKind::Tensor)
                                     : type.is(TypeKind::Struct) && has_only_tensors[types.index_of(type.id).index()];
  if (!is_composite && !type.is(TypeKind::Tensor)) {
    c.report(
        Rule::NonSemanticOperand, c.at(described.tensor()),
        {"the tensor", c.name(), thing_text(c, described.tensor()), "a tensor, or an array or structure of tensors"});
  } else if (is_composite != described.index().has_value()) {
    c.report(Rule::NonSemanticOperand, c.at(),
             {"the index", c.name(), is_composite ? "missing" : "present",
              is_composite ? "an index that selects a tensor" : "no index for a single tensor"});
  }
}

}  // namespace

std::span<const NonSemanticRow> reflection_rows() { return rows; }

// Collects the facts about a set only if the module imports it.
DescribedModule::DescribedModule(const ModuleCheck& c) : sources(c) {
  bool has_reflection = false, has_graphs = false;
  for (const ImportRow& import : c.module_declarations.imports()) {
    has_reflection |= named_set(import.name).set == KnownSet::Reflection;
    has_graphs |= named_set(import.name).set == KnownSet::GraphDebug;
  }
  if (has_reflection) {
    for (const EntryPointRow& row : c.module_declarations.entry_points()) kernels.push_back(&row);
    std::ranges::sort(kernels, {}, [](const EntryPointRow* row) { return order_of(*row); });
  }
  if (!has_graphs) return;
  // An empty structure counts as one whose members are all tensors.
  const auto is_tensor = [&](Word id) { return c.types.of(id).is(TypeKind::Tensor); };
  for (const TypeRow& type : c.types.rows()) {
    has_only_tensors.push_back(type.is(TypeKind::Struct) && std::ranges::all_of(c.types.members(type), is_tensor));
  }
  const auto views = c.module.views(c.module.section(Section::Graphs));
  for (auto it = views.begin(); it != views.end(); ++it) {
    const Op op = (*it).opcode;
    // The range is empty until OpGraphEndARM is found, so a graph without OpGraphEndARM has an empty range.
    if (op == Op::OpGraphARM) graphs.push_back({it.index().raw, it.index().raw});
    if (op == Op::OpGraphEndARM && !graphs.empty()) graphs.back().end = it.index().raw;
  }
}

// An instruction without a row is not checked.
void check_reflection(const ExtInstCheck& c, const DescribedModule& described) {
  const NonSemanticRow* row = find_describing(c.set.set, c.inst.number);
  if (row == nullptr || !check_described(c, *row)) return;
  if (R{c.inst.number} == R::Kernel) check_kernel(c, described.kernels);
}

void check_graph_debug_info(const ExtInstCheck& c, const DescribedModule& described) {
  const NonSemanticRow* row = find_describing(c.set.set, c.inst.number);
  if (row == nullptr || !check_described(c, *row)) return;
  if (G{c.inst.number} == G::DebugOperation) check_operation(c, described.graphs);
  if (G{c.inst.number} == G::DebugTensor) check_tensor(c, described.has_only_tensors);
}

}  // namespace vireo::spirv
