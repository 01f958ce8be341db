// SPDX-License-Identifier: Apache-2.0
//
// Entry points and execution modes: what an entry point is, which modes go with which execution model, and which modes
// go with each other.
//
// The one idea: two tables. A mode has a row with the models it is for; a model has rows of groups of modes of which it
// takes one at most, or exactly one.
//
// Source: specification 3.6 (execution modes), 3.42.5 (mode-setting instructions), 2.16.1, 2.16.2.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "spirv/validate/checks.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using enum ExecutionMode;
using enum Op;

// --- models of modes ----------------------------------------------------------------------------------------------------

/// Models as bits.
enum ModelBits : std::uint32_t {
  InFragment = 1u << 0,
  InGeometry = 1u << 1,
  InTessellation = 1u << 2,
  InCompute = 1u << 3,
  InKernel = 1u << 4,
  InMesh = 1u << 5,
  InTask = 1u << 6,
};

std::uint32_t bit_of(ExecutionModel model) {
  switch (model) {
    case Fragment: return InFragment;
    case Geometry: return InGeometry;
    case TessellationControl:
    case TessellationEvaluation: return InTessellation;
    case GLCompute: return InCompute;
    case ExecutionModel::Kernel: return InKernel;
    case MeshEXT:
    case MeshNV: return InMesh;
    case TaskEXT:
    case TaskNV: return InTask;
    default: return 0;
  }
}

struct ModeModels {
  ExecutionMode mode;
  std::uint32_t models;
};
// clang-format off
constexpr std::uint32_t with_workgroup = InKernel | InCompute | InMesh | InTask;
constexpr ModeModels mode_models[] = {
    {Invocations, InGeometry}, {InputPoints, InGeometry}, {InputLines, InGeometry}, {InputLinesAdjacency, InGeometry},
    {InputTrianglesAdjacency, InGeometry}, {OutputLineStrip, InGeometry}, {OutputTriangleStrip, InGeometry},
    {OutputPoints, InGeometry | InMesh},
    {SpacingEqual, InTessellation}, {SpacingFractionalEven, InTessellation}, {SpacingFractionalOdd, InTessellation},
    {VertexOrderCw, InTessellation}, {VertexOrderCcw, InTessellation}, {PointMode, InTessellation},
    {Quads, InTessellation}, {Isolines, InTessellation},
    {Triangles, InGeometry | InTessellation}, {OutputVertices, InGeometry | InTessellation | InMesh},
    {OutputLinesEXT, InMesh}, {OutputTrianglesEXT, InMesh}, {OutputPrimitivesEXT, InMesh},
    {PixelCenterInteger, InFragment}, {OriginUpperLeft, InFragment}, {OriginLowerLeft, InFragment},
    {EarlyFragmentTests, InFragment}, {DepthReplacing, InFragment}, {DepthGreater, InFragment},
    {DepthLess, InFragment}, {DepthUnchanged, InFragment}, {PostDepthCoverage, InFragment},
    {StencilRefReplacingEXT, InFragment}, {EarlyAndLateFragmentTestsAMD, InFragment},
    {StencilRefUnchangedFrontAMD, InFragment}, {StencilRefGreaterFrontAMD, InFragment},
    {StencilRefLessFrontAMD, InFragment}, {StencilRefUnchangedBackAMD, InFragment},
    {StencilRefGreaterBackAMD, InFragment}, {StencilRefLessBackAMD, InFragment},
    {PixelInterlockOrderedEXT, InFragment}, {PixelInterlockUnorderedEXT, InFragment},
    {SampleInterlockOrderedEXT, InFragment}, {SampleInterlockUnorderedEXT, InFragment},
    {ShadingRateInterlockOrderedEXT, InFragment}, {ShadingRateInterlockUnorderedEXT, InFragment},
    {RequireFullQuadsKHR, InFragment}, {QuadDerivativesKHR, InFragment | InCompute},
    {LocalSizeHint, InKernel}, {LocalSizeHintId, InKernel}, {VecTypeHint, InKernel}, {ContractionOff, InKernel},
    {LocalSize, with_workgroup}, {LocalSizeId, with_workgroup},
};

// --- groups of modes ----------------------------------------------------------------------------------------------------

enum class HowMany : std::uint8_t { AtMostOne, ExactlyOne, All };
struct ModeGroup {
  std::uint32_t models;
  HowMany how_many;
  std::initializer_list<ExecutionMode> modes;
};
constexpr ModeGroup mode_groups[] = {
    {InFragment, HowMany::ExactlyOne, {OriginUpperLeft, OriginLowerLeft}},
    {InFragment, HowMany::AtMostOne, {DepthGreater, DepthLess, DepthUnchanged}},
    {InFragment, HowMany::AtMostOne, {PixelInterlockOrderedEXT, PixelInterlockUnorderedEXT, SampleInterlockOrderedEXT,
     SampleInterlockUnorderedEXT, ShadingRateInterlockOrderedEXT, ShadingRateInterlockUnorderedEXT}},
    {InFragment, HowMany::AtMostOne, {StencilRefUnchangedFrontAMD, StencilRefLessFrontAMD, StencilRefGreaterFrontAMD}},
    {InFragment, HowMany::AtMostOne, {StencilRefUnchangedBackAMD, StencilRefLessBackAMD, StencilRefGreaterBackAMD}},
    {InTessellation, HowMany::AtMostOne, {SpacingEqual, SpacingFractionalOdd, SpacingFractionalEven}},
    {InTessellation, HowMany::AtMostOne, {Triangles, Quads, Isolines}},
    {InTessellation, HowMany::AtMostOne, {VertexOrderCw, VertexOrderCcw}},
    {InGeometry, HowMany::ExactlyOne, {InputPoints, InputLines, InputLinesAdjacency, Triangles, InputTrianglesAdjacency}},
    {InGeometry, HowMany::ExactlyOne, {OutputPoints, OutputLineStrip, OutputTriangleStrip}},
    {InMesh, HowMany::ExactlyOne, {OutputPoints, OutputLinesEXT, OutputTrianglesEXT}},
    {InMesh, HowMany::All, {OutputPrimitivesEXT, OutputVertices}},
};
// clang-format on

std::string mode_text(const Context& context, ExecutionMode mode) {
  return enumerant_text(context, "ExecutionMode", static_cast<Word>(mode));
}

std::string model_text(const Context& context, ExecutionModel model) {
  return enumerant_text(context, "ExecutionModel", static_cast<Word>(model));
}

void check_groups(const Context& context, const EntryPointRow& entry, Report& report) {
  for (const ModeGroup& group : mode_groups) {
    if ((group.models & bit_of(entry.model)) == 0 || entry.model == MeshNV) continue;
    std::string list;
    std::size_t count = 0;
    for (const ExecutionMode mode : group.modes) {
      list.append(list.empty() ? "" : ", ").append(mode_text(context, mode));
      if (context.preamble.mode(entry.function, mode) != nullptr) ++count;
    }
    const bool is_fine = group.how_many == HowMany::All          ? count == group.modes.size()
                         : group.how_many == HowMany::ExactlyOne ? count == 1
                                                                 : count <= 1;
    if (is_fine) continue;
    constexpr std::string_view wanted[] = {"at most one", "exactly one", "all"};
    report.add(Rule::ModeGroup, {entry.instruction, 1},
               {model_text(context, entry.model), entry.name, std::to_string(count),
                wanted[static_cast<std::size_t>(group.how_many)], list});
  }
}

// --- entry points -------------------------------------------------------------------------------------------------------

void check_function(const Context& context, const EntryPointRow& entry, Report& report) {
  if (context.module.definition(entry.function).is_none()) return;
  const Place place{entry.instruction, 2};
  if (context.op_of(entry.function) != OpFunction) {
    report.add(Rule::EntryPointFunction, place,
               {id_text(context, entry.function), op_text(context, context.op_of(entry.function))});
    return;
  }
  const TypeRow& type = context.types.of(
      context.module.find(entry.function).word_count > 4 ? context.module.find(entry.function).word(4) : Word{0});
  if (!type.is(TypeKind::Function)) return;
  // A kernel's parameters are its arguments.
  if (type.count != 0 && entry.model != ExecutionModel::Kernel) {
    report.add(Rule::EntryPointType, place, {id_text(context, entry.function), "parameters, expected none"});
  }
  if (!context.types.of(type.element).is(TypeKind::Void)) {
    report.add(
        Rule::EntryPointType, place,
        {id_text(context, entry.function), "the return type " + type_text(context, type.element) + ", expected void"});
  }
}

// What may stand in the list of an entry point (OpEntryPoint, Interface).
void check_interface(const Context& context, const EntryPointRow& entry, std::size_t first_word, Report& report) {
  const bool lists_all = context.version() >= Version{1, 4};
  std::set<Word> seen;
  for (std::size_t i = 0; i < entry.interface_.size(); ++i) {
    const Word id = entry.interface_[i];
    const Place place{entry.instruction, static_cast<std::uint16_t>(first_word + i)};
    if (context.module.definition(id).is_none()) continue;
    if (!is_variable(context.op_of(id))) {
      report.add(Rule::InterfaceVariable, place, {id_text(context, id), op_text(context, context.op_of(id))});
      continue;
    }
    if (lists_all && !seen.insert(id).second) {
      report.add(Rule::InterfaceTwice, place, {id_text(context, id)});
      continue;
    }
    const TypeRow* type = context.type_of(id);
    if (type == nullptr || !type->is_pointer()) continue;
    const bool is_fine = lists_all ? type->storage != StorageClass::Function
                                   : type->storage == StorageClass::Input || type->storage == StorageClass::Output;
    if (is_fine) continue;
    report.add(Rule::InterfaceStorage, place,
               {id_text(context, id), enumerant_text(context, "StorageClass", static_cast<Word>(type->storage)),
                lists_all ? "a variable outside of functions" : "Input or Output before SPIR-V 1.4"});
  }
}

// --- one mode -----------------------------------------------------------------------------------------------------------

// Enumerants whose operands are ids go with OpExecutionModeId, all others with OpExecutionMode.
bool takes_ids(const Context& context, ExecutionMode mode) {
  const Grammar& grammar = context.grammar();
  const KindId kind = grammar.find_kind("ExecutionMode");
  const EnumerantRow* row = kind.is_none() ? nullptr : grammar.find_value(kind, static_cast<Word>(mode));
  if (row == nullptr) return false;
  const auto parameters = grammar.operands(row->parameters);
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const OperandRow& operand) { return operand.shape <= OperandShape::IdMemorySemantics; });
}

// Whether a size has no extent in some direction. Ids count when they are constants whose value nothing changes.
bool is_empty_size(const Context& context, const ExecutionModeRow& row) {
  return std::any_of(row.operands.begin(), row.operands.end(), [&](Word operand) {
    return row.has_ids ? context.constants.as_u64(operand) == 0u : operand == 0;
  });
}

// Constants of vendors (strings, data) have no value, but are constants by name.
bool is_constant(const Context& context, Word id) {
  if (context.constants.find(id) != nullptr) return true;
  const std::string name = op_text(context, context.op_of(id));
  return name.starts_with("OpConstant") || name.starts_with("OpSpecConstant");
}

void check_mode(const Context& context, const ExecutionModeRow& row, Report& report) {
  const Place place{row.instruction, 2};
  if (takes_ids(context, row.mode) != row.has_ids) {
    report.add(Rule::ModeForm, place,
               {mode_text(context, row.mode), row.has_ids ? "OpExecutionModeId" : "OpExecutionMode",
                row.has_ids ? "OpExecutionMode" : "OpExecutionModeId"});
    return;
  }
  if (row.has_ids) {
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      const Word id = row.operands[i];
      if (context.module.definition(id).is_none() || is_constant(context, id) || context.types.find(id) != nullptr)
        continue;
      report.add(Rule::ModeOperand, {row.instruction, static_cast<std::uint16_t>(3 + i)},
                 {id_text(context, row.operands[i])});
    }
  }
  if ((row.mode == LocalSize || row.mode == LocalSizeId) && is_empty_size(context, row)) {
    report.add(Rule::EmptyWorkgroup, place, {mode_text(context, row.mode)});
  }
  if (row.mode == LocalSizeId) {
    if (context.is_vulkan() && !context.has(Feature::AllowLocalSizeId)) report.add(Rule::LocalSizeIdAllowed, place);
  }
  if (context.is_vulkan() && (row.mode == OriginLowerLeft || row.mode == PixelCenterInteger)) {
    report.add(row.mode == OriginLowerLeft ? Rule::VulkanOrigin : Rule::VulkanPixelCenter, place);
  }
}

// Entry points by function: a module may have as many of them as modes.
using ModelsByFunction = std::multimap<Word, ExecutionModel>;

void check_models_of_mode(const Context& context, const ModelsByFunction& models, const ExecutionModeRow& row,
                          Report& report) {
  const auto [first, last] = models.equal_range(row.function);
  if (first == last) {
    if (context.module.definition(row.function).is_none()) return;
    report.add(Rule::ModeOfEntryPoint, {row.instruction, 1}, {id_text(context, row.function)});
    return;
  }
  const auto found = std::find_if(std::begin(mode_models), std::end(mode_models),
                                  [&](const ModeModels& m) { return m.mode == row.mode; });
  if (found == std::end(mode_models)) return;
  const auto wrong =
      std::find_if(first, last, [&](const auto& entry) { return (found->models & bit_of(entry.second)) == 0; });
  if (wrong == last) return;
  report.add(Rule::ModeModel, {row.instruction, 2}, {mode_text(context, row.mode), model_text(context, wrong->second)});
}

// --- the memory model ---------------------------------------------------------------------------------------------------

void check_memory_model(const Context& context, const Visit& visit, Report& report) {
  const auto addressing = static_cast<AddressingModel>(visit.word(1));
  const auto memory = static_cast<MemoryModel>(visit.word(2));
  if (context.has(Capability::VulkanMemoryModel) && memory != MemoryModel::Vulkan) {
    report.add(Rule::VulkanMemoryModel, visit.at(2), {enumerant_text(context, "MemoryModel", visit.word(2))});
  }
  const bool is_physical = addressing == AddressingModel::Physical32 || addressing == AddressingModel::Physical64;
  if (context.is_opencl() && !is_physical) {
    report.add(Rule::OpenClAddressing, visit.at(1), {enumerant_text(context, "AddressingModel", visit.word(1))});
  }
  if (context.is_opencl() && memory != MemoryModel::OpenCL) {
    report.add(Rule::OpenClMemoryModel, visit.at(2), {enumerant_text(context, "MemoryModel", visit.word(2))});
  }
  if (context.is_vulkan() && addressing != AddressingModel::Logical &&
      addressing != AddressingModel::PhysicalStorageBuffer64) {
    report.add(Rule::VulkanAddressing, visit.at(1), {enumerant_text(context, "AddressingModel", visit.word(1))});
  }
}

constexpr Check checks[] = {{OpMemoryModel, check_memory_model}};

}  // namespace

std::span<const Check> mode_checks() { return checks; }

void check_entry_points(const Context& context, Report& report) {
  for (const EntryPointRow& entry : context.preamble.entry_points()) {
    check_function(context, entry, report);
    const InstructionView view = context.module.instruction(entry.instruction);
    check_interface(context, entry, view.word_count - entry.interface_.size(), report);
    if (context.is_shader()) check_groups(context, entry, report);
  }
  ModelsByFunction models;
  for (const EntryPointRow& entry : context.preamble.entry_points()) models.emplace(entry.function, entry.model);
  for (const ExecutionModeRow& row : context.preamble.execution_modes()) {
    check_mode(context, row, report);
    check_models_of_mode(context, models, row, report);
  }
}

}  // namespace vireo::spirv
