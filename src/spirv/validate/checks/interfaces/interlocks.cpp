// SPDX-License-Identifier: Apache-2.0
//
// Critical sections of fragment shaders (SPV_EXT_fragment_shader_interlock): an entry point with an interlock mode
// executes OpBeginInvocationInterlockEXT and OpEndInvocationInterlockEXT.
//
// The text requires one execution of each. Whether a path executes both is a question of the values at
// run time. An entry point whose functions do not contain one of them cannot satisfy the requirement.
#include <string>
#include <vector>

#include "spirv/validate/analysis/places.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/tables/models.h"
#include "vireo/spirv/module/call_graph.h"

namespace vireo::spirv {
namespace {

using enum ExecutionMode;
using enum Op;

constexpr ExecutionMode interlocks[] = {PixelInterlockOrderedEXT,       PixelInterlockUnorderedEXT,
                                        SampleInterlockOrderedEXT,      SampleInterlockUnorderedEXT,
                                        ShadingRateInterlockOrderedEXT, ShadingRateInterlockUnorderedEXT};

constexpr std::uint8_t begins = 1, ends = 2;

// The interlock instructions that each function contains, itself or in the functions that it calls. Callees come first.
std::vector<std::uint8_t> contents_of_functions(const ModuleCheck& c) {
  const Module& module = c.module;
  const CallGraph& calls = c.facts.call_graph();
  std::vector<std::uint8_t> contents(module.functions().size());
  for (const FunctionIndex function : calls.bottom_up()) {
    std::uint8_t& content = contents[function.index()];
    for (const CallRow& call : calls.calls(function)) content |= contents[call.callee.index()];
    for (const auto& [index, view] : module.instructions(module.functions()[function.index()].all)) {
      if (view.opcode == OpBeginInvocationInterlockEXT) content |= begins;
      if (view.opcode == OpEndInvocationInterlockEXT) content |= ends;
    }
  }
  return contents;
}

}  // namespace

void check_interlocks(const ModuleCheck& c) {
  std::vector<std::uint8_t> contents;
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    if (entry.model != ExecutionModel::Fragment) continue;
    for (const ExecutionMode mode : interlocks) {
      if (c.module_declarations.mode(entry.function, mode) == nullptr) continue;
      const InstructionIndex definition = c.module.definition(entry.function);
      const FunctionIndex function = definition.is_none() ? FunctionIndex() : c.module.function_at(definition);
      // A missing body has its own finding.
      if (function.is_none() || c.module.functions()[function.index()].is_declaration()) break;
      if (contents.empty()) contents = contents_of_functions(c);
      const std::uint8_t content = contents[function.index()];
      if (content == (begins | ends)) break;
      c.report(Rule::InterlockMissing, model_place(c, entry),
               {entry.name, mode,
                content == 0        ? "OpBeginInvocationInterlockEXT or OpEndInvocationInterlockEXT"
                : content == begins ? "OpEndInvocationInterlockEXT"
                                    : "OpBeginInvocationInterlockEXT"});
      note_mode(c, entry.function, mode);
      break;  // an entry point has one interlock mode
    }
  }
}

}  // namespace vireo::spirv
