// SPDX-License-Identifier: Apache-2.0
//
// Measures a module with all its facts: the time, the verification, and the memory.
//
// A program that needs everything about a module holds Facts. Control flow is read one function at a
// time, as its users do, so its memory is that of the largest function.
#include <algorithm>

#include <malloc.h>

#include "operations.h"
#include "scenarios.h"
#include "tables.h"

#include "test/spirv/module/naive_declared.h"
#include "test/spirv/module/naive_flow.h"
#include "test/spirv/module/naive_uses.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::bench {
namespace {

using namespace spirv;

struct AllFacts {
  explicit AllFacts(Words words) : module(Module::read(words)), facts(module) {
    count += facts.module_declarations().entry_points().size() + facts.names().rows().size() +
             facts.decorations().rows().size();
    count += facts.types().rows().size() + facts.constants().rows().size();
    count += facts.lines().has_any() ? 1 : 0;
    count += facts.uses().count() + facts.call_graph().call_count();
    for (const FunctionRow& function : module.functions()) {
      flow.read(module, function);
      count += flow.constructs().size() + flow.plain().order().size();
    }
  }

  Module module;
  Facts facts;
  ControlFlow flow;
  std::size_t count = 0;
};

// The naive computations are quadratic or worse, so their input is limited.
constexpr std::size_t most_blocks = 300, most_functions = 300, most_types = 500;

}  // namespace

std::size_t count_facts(Words words) { return AllFacts(words).count; }

std::size_t count_core_facts(Words words) {
  const Module module = Module::read(words);
  const Facts facts(module);
  std::size_t count = facts.types().rows().size() + facts.uses().count();
  ControlFlow flow;
  for (const FunctionRow& function : module.functions()) {
    flow.read(module, function, PostDominators::OfLoops);
    count += flow.constructs().size() + flow.plain().order().size();
  }
  return count;
}

std::string wrong_facts(Words words) {
  AllFacts facts(words);
  if (std::string fault = naive_uses_fault(facts.module, facts.facts.uses()); !fault.empty()) return fault;
  const Facts& declared = facts.facts;
  if (std::string fault = naive_constants_fault(declared); !fault.empty()) return fault;
  if (declared.types().rows().size() <= most_types) {
    if (std::string fault = naive_types_fault(facts.module, declared.types()); !fault.empty()) return fault;
    if (std::string fault = naive_decorations_fault(facts.module, declared.decorations()); !fault.empty()) return fault;
  }
  if (facts.module.functions().size() <= most_functions) {
    if (std::string fault = naive_calls_fault(facts.module, facts.facts.call_graph()); !fault.empty()) return fault;
  }
  OperandDecoder decoder(facts.module.grammar(), facts.module.header().bound, words.size());
  std::uint32_t next = 0;
  for (const FunctionRow& function : facts.module.functions()) {
    if (function.is_declaration() || function.block_count > most_blocks) continue;
    for (; next < function.all.first; ++next) decoder.decode(facts.module.instruction(InstructionIndex(next)));
    const NaiveFlow naive = naive_flow(facts.module, function, decoder);
    next = function.all.end;
    facts.flow.read(facts.module, function);
    if (std::string fault = naive_graph_fault(facts.flow.plain(), naive.plain); !fault.empty()) return fault;
    if (std::string fault = naive_graph_fault(facts.flow.structural(), naive.structural); !fault.empty()) return fault;
  }
  return {};
}

namespace {

/// Bytes that are allocated on the heap, including pages that were never touched.
std::size_t held_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

int run_memory(SubjectChoice choice) {
  constexpr double most = 3.0;
  print(
      "\nMemory: bytes held by a module and all its facts, as a multiple of its words\n\n{:<20} {:>12} {:>12} {:>8}\n",
      "module", "words", "held", "ratio");
  for (const Subject& subject : subjects(choice)) {
    const std::vector<WordBuffer> modules = subject.modules();
    std::size_t words = 0, held = 0;
    double worst = 0;
    for (const WordBuffer& module : modules) {
      const std::size_t before = held_bytes();
      const AllFacts facts(module);
      const std::size_t bytes = held_bytes() - before;
      words += module.size() * sizeof(Word);
      held += bytes;
      worst = std::max(worst, static_cast<double>(bytes) / static_cast<double>(module.size() * sizeof(Word)));
    }
    const double ratio = static_cast<double>(held) / static_cast<double>(words);
    print("{:<20} {:>12} {:>12} {:>7.2f}x{}{}\n", subject.name, words, held, ratio,
          modules.size() > 1 ? fmt::format("   at most {:.2f}x", worst) : "", ratio > most ? "   (> 3x)" : "");
  }
  return 0;
}

}  // namespace vireo::bench
