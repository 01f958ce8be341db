// SPDX-License-Identifier: Apache-2.0
//
// Tangled instructions in callback functions of cooperative matrices (SPV_NV_cooperative_matrix2, "Validation Rules").
//
// An implementation calls Func, CombineFunc and DecodeFunc once for each component, in any order and by
// any invocation. So no function that such a call reaches may contain an instruction that several invocations execute
// together. The call graph already has an edge for each callback; one pass from callers to callees marks the functions.
//
// Source: specification 2.2.5 ("Tangled Instruction"), with the additions of SPV_KHR_cooperative_matrix and
// SPV_NV_cooperative_matrix2.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/module/call_graph.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The instructions that call a function for each component.
bool is_callback(Op op) {
  return op == OpCooperativeMatrixReduceEXT || op == OpCooperativeMatrixPerElementOpEXT ||
         op == OpCooperativeMatrixLoadTensorNV;
}

// Tangled instructions that are not in one of the classes of is_tangled().
constexpr Op tangled[] = {
    OpControlBarrier,
    OpControlBarrierArriveEXT,
    OpControlBarrierWaitEXT,
    OpMemoryNamedBarrier,
    OpCooperativeMatrixLoadKHR,
    OpCooperativeMatrixStoreKHR,
    OpCooperativeMatrixMulAddKHR,
    OpCooperativeMatrixLoadTensorNV,
    OpCooperativeMatrixStoreTensorNV,
    OpCooperativeMatrixReduceEXT,
    OpCooperativeMatrixConvertUseEXT,
    OpCooperativeMatrixTransposeNV,
    OpCooperativeMatrixPerElementOpEXT,
};

// Group instructions and derivatives are tangled, so a new instruction of their classes is, too. Conversions and
// arithmetic are tangled if they handle a matrix: then the result is one, because the result has the shape of the
// operands.
bool is_tangled(const ModuleCheck& c, InstructionView view) {
  if (is_one_of(implicit_derivatives, view.opcode) || is_one_of(tangled, view.opcode)) return true;
  const Grammar& grammar = c.grammar();
  const InstructionRow* row = grammar.find_opcode(view.opcode);
  if (row == nullptr) return false;
  const std::string_view printing_class = grammar.text(grammar.printing_classes[row->printing_class]);
  if (printing_class == "Group" || printing_class == "Non-Uniform" || printing_class == "Derivative") return true;
  const bool may_handle_matrix = printing_class == "Arithmetic" || printing_class == "Conversion" ||
                                 view.opcode == OpCompositeConstruct || view.opcode == OpCompositeConstructReplicateEXT;
  return may_handle_matrix && c.types.of(c.module.type_of(view)).is(TypeKind::CooperativeMatrix);
}

// For each function, the callback instruction that reaches it; none if no callback does.
std::vector<InstructionIndex> callbacks_of_functions(const ModuleCheck& c) {
  const CallGraph& calls = c.facts.call_graph();
  std::vector<InstructionIndex> reached(c.module.functions().size(), InstructionIndex::none());
  // Components are numbered from callees to callers. In descending order, all callers of a component are visited before
  // it. The functions of one component reach each other.
  for (std::size_t i = calls.component_count(); i-- > 0;) {
    const auto members = calls.functions_of(ComponentIndex(i));
    InstructionIndex from = InstructionIndex::none();
    for (const FunctionIndex member : members) {
      if (!reached[member.index()].is_none()) from = reached[member.index()];
    }
    for (const FunctionIndex member : members) {
      reached[member.index()] = from;
      for (const CallRow& call : calls.calls(member)) {
        InstructionIndex& callee = reached[call.callee.index()];
        if (is_callback(c.module.instruction(call.instruction).opcode)) callee = call.instruction;
        else if (callee.is_none()) callee = from;
      }
    }
  }
  return reached;
}

}  // namespace

// Reports the first tangled instruction of each function: the others have the same cause.
void check_cooperative_callbacks(const ModuleCheck& c) {
  // Only modules with one of these capabilities have callbacks.
  if (!c.has(Capability::CooperativeMatrixReductionsEXT) &&
      !c.has(Capability::CooperativeMatrixPerElementOperationsEXT) &&
      !c.has(Capability::CooperativeMatrixBlockLoadsNV)) {
    return;
  }
  const Module& module = c.module;
  const std::vector<InstructionIndex> reached = callbacks_of_functions(c);
  for (const FunctionRow& function : module.functions()) {
    const InstructionIndex callback = reached[static_cast<std::size_t>(&function - module.functions().data())];
    if (callback.is_none()) continue;
    for (std::uint32_t i = function.all.first; i < function.all.end; ++i) {
      const InstructionIndex at(i);
      const InstructionView view = module.instruction(at);
      if (!is_tangled(c, view)) continue;
      c.report(Rule::TangledCallback, {at, 0}, {view.opcode, function.id, module.instruction(callback).opcode});
      c.note({callback, 0}, "function called for each component here");
      break;
    }
  }
}

}  // namespace vireo::spirv
