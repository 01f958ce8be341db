// SPDX-License-Identifier: Apache-2.0
//
// Indexes and sizes of 64 bits (SPV_EXT_shader_64bit_indexing). The execution mode Shader64BitIndexingEXT or a flag of
// the pipeline allows them. The module does not show the flag, so findings are warnings.
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <algorithm>
#include <vector>

#include "spirv/validate/analysis/places.h"
#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

using enum Op;

struct LongOperand {
  Op opcode;
  OperandName name;
  std::string_view text;
  std::uint16_t vuid;
};
constexpr LongOperand long_operands[] = {
    {OpArrayLength, OperandName::result_type, "the result", 11807},
    {OpUntypedArrayLengthKHR, OperandName::result_type, "the result", 11807},
    {OpConstantSizeOfEXT, OperandName::result_type, "the result", 11475},
    {OpCooperativeVectorMatrixMulNV, OperandName::matrix_offset, "the matrix offset", 11808},
    {OpCooperativeVectorMatrixMulAddNV, OperandName::matrix_offset, "the matrix offset", 11808},
    {OpCooperativeVectorMatrixMulAddNV, OperandName::bias_offset, "the bias offset", 11808},
    {OpCooperativeVectorLoadNV, OperandName::offset, "the offset", 11809},
    {OpCooperativeVectorStoreNV, OperandName::offset, "the offset", 11809},
    {OpCooperativeVectorOuterProductAccumulateNV, OperandName::offset, "the offset", 11809},
    {OpCooperativeVectorReduceSumAccumulateNV, OperandName::offset, "the offset", 11809},
};

// The first entry point without the mode that reaches a function; any one if there is no function. nullptr if all have
// the mode.
const EntryPointRow* entry_without_mode(const ModuleCheck& c, FunctionIndex function) {
  std::vector<bool> reached(c.module.functions().size());
  std::vector<FunctionIndex> open;
  const auto reach = [&](FunctionIndex each) {
    if (reached[each.index()]) return;
    reached[each.index()] = true;
    open.push_back(each);
  };
  if (!function.is_none()) reach(function);
  while (!open.empty() && c.budget.spend()) {
    const FunctionIndex callee = open.back();
    open.pop_back();
    for (const CallRow& call : c.facts.call_graph().callers(callee)) reach(call.caller);
  }
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    const FunctionIndex own = c.module.function_of(entry.function);
    const bool is_reached = function.is_none() || (!own.is_none() && reached[own.index()]);
    if (is_reached && c.module_declarations.mode(entry.function, ExecutionMode::Shader64BitIndexingEXT) == nullptr)
      return &entry;
  }
  return nullptr;
}

void check_long_index(const InstructionCheck& c) {
  for (const LongOperand& row : long_operands) {
    if (row.opcode != c.op()) continue;
    const bool is_result = row.name == OperandName::result_type;
    const AnyOperand operand = is_result ? AnyOperand(c.type, 1) : c.operand(row.name);
    const TypeRow& type = is_result ? c.types.of(c.type) : c.type_of(operand);
    if (!type.is_int(64)) continue;
    const EntryPointRow* entry = entry_without_mode(c, c.function);
    if (entry == nullptr) continue;
    c.report(Rule::LongIndexMode, c.at(operand), {row.text, c.op(), entry->name});
    c.vuid(row.vuid);
    c.note(model_place(c, *entry), "entry point declared here");
  }
}

}  // namespace

std::span<const Check> long_index_checks() {
  static constexpr Check checks[] = {
      {{OpArrayLength, OpUntypedArrayLengthKHR, OpConstantSizeOfEXT, OpCooperativeVectorMatrixMulNV,
        OpCooperativeVectorMatrixMulAddNV, OpCooperativeVectorLoadNV, OpCooperativeVectorStoreNV,
        OpCooperativeVectorOuterProductAccumulateNV, OpCooperativeVectorReduceSumAccumulateNV},
       check_long_index,
       [](const ModuleCheck& c) { return c.is_vulkan() && c.has(Capability::Int64); }},
  };
  return checks;
}

}  // namespace vireo::spirv
