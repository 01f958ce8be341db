// SPDX-License-Identifier: Apache-2.0
//
// A second, naive computation of uses, calls and entry points.
//
// Uses are a map of lists, from the operand records of a second decoder. The call graph is a matrix of functions; its
// transitive closure tries every path through every function.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::spirv {

/// Describes the first wrong use; empty if all are right.
inline std::string naive_uses_fault(const Module& module, const Uses& uses) {
  std::map<Word, std::vector<std::pair<std::uint32_t, std::uint16_t>>> expected;
  std::vector<std::uint32_t> undecoded;
  std::size_t count = 0;
  OperandDecoder decoder(module.grammar(), module.header().bound, module.words().size());
  for (std::uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionView instruction = module.instruction(InstructionIndex(i));
    if (!is_decodable(decoder.decode(instruction))) undecoded.push_back(i);
    for (const Operand& operand : decoder.operands()) {
      if (operand.shape > OperandShape::IdMemorySemantics || operand.shape == OperandShape::IdResult) continue;
      expected[instruction.word(operand.word)].emplace_back(i, operand.word);
      ++count;
    }
  }
  if (uses.count() != count) return std::to_string(uses.count()) + " uses, not " + std::to_string(count);
  for (const auto& [id, rows] : expected) {
    std::vector<std::pair<std::uint32_t, std::uint16_t>> found;
    for (const Use& use : uses.of(id)) found.emplace_back(use.instruction.raw, use.word);
    if (found != rows) return "uses of %" + std::to_string(id);
    for (const Use& use : uses.of(id)) {
      const InstructionView instruction = module.instruction(use.instruction);
      const InstructionRow* row = module.grammar().find_opcode(instruction.opcode);
      const bool is_type = use.word == 1 && (row->flags & HasResultType) != 0;
      if ((use.kind == UseKind::ResultType) != is_type) return "kind of a use of %" + std::to_string(id);
    }
  }
  if (uses.undecoded().size() != undecoded.size()) return "what was not decoded";
  for (std::size_t i = 0; i < undecoded.size(); ++i) {
    if (uses.undecoded()[i].instruction.raw != undecoded[i]) return "what was not decoded";
  }
  return {};
}

/// Describes the first error in the call graph; empty if there is none. Cubic in the number of functions.
inline std::string naive_calls_fault(const Module& module, const CallGraph& graph) {
  const std::size_t count = module.functions().size();
  std::vector<std::vector<char>> reaches(count, std::vector<char>(count, 0));
  const auto function = [&](Word id) { return module.function_of(id); };
  std::size_t calls = 0;
  for (std::size_t f = 0; f < count; ++f) {
    for (const InstructionView instruction : module.views(module.functions()[f].all)) {
      if (instruction.opcode != Op::OpFunctionCall || instruction.word_count < 4) continue;
      const FunctionIndex callee = function(instruction.word(3));
      if (callee.is_none()) continue;
      ++calls;
      reaches[f][callee.index()] = 1;
    }
  }
  std::size_t call_rows = 0;
  for (std::size_t f = 0; f < count; ++f) {
    for (const CallRow& call : graph.calls(FunctionIndex(f))) {
      if (call.caller.index() != f) return "whose a call is";
      if (module.instruction(call.instruction).opcode == Op::OpFunctionCall) ++call_rows;
      else reaches[f][call.callee.index()] = 1;  // hand-written tests cover the other kinds of references to a function
    }
  }
  if (call_rows != calls) return std::to_string(call_rows) + " calls, not " + std::to_string(calls);
  for (std::size_t over = 0; over < count; ++over) {
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; reaches[a][over] != 0 && b < count; ++b) reaches[a][b] |= reaches[over][b];
    }
  }

  CallWalk walk(graph, module);
  std::vector<std::size_t> place(count, count);
  for (std::size_t i = 0; i < graph.bottom_up().size(); ++i) place[graph.bottom_up()[i].index()] = i;
  for (std::size_t a = 0; a < count; ++a) {
    if (place[a] == count) return "a function without a place";
    if (graph.is_recursive(FunctionIndex(a)) != (reaches[a][a] != 0))
      return "recursion of function " + std::to_string(a);
    std::vector<char> below(count, 0), above(count, 0);
    for (const FunctionIndex f : walk.below(FunctionIndex(a))) below[f.index()] = 1;
    for (const FunctionIndex f : walk.above(FunctionIndex(a))) above[f.index()] = 1;
    for (std::size_t b = 0; b < count; ++b) {
      if ((below[b] != 0) != (a == b || reaches[a][b] != 0)) return "what is below function " + std::to_string(a);
      if ((above[b] != 0) != (a == b || reaches[b][a] != 0)) return "what is above function " + std::to_string(a);
      const bool same = a == b || (reaches[a][b] != 0 && reaches[b][a] != 0);
      if ((graph.component(FunctionIndex(a)) == graph.component(FunctionIndex(b))) != same) {
        return "component of functions " + std::to_string(a) + " and " + std::to_string(b);
      }
      if (reaches[a][b] != 0 && !same && place[b] > place[a]) return "a callee after its caller";
    }
    std::vector<std::uint32_t> entries, expected;
    for (const EntryRow& row : walk.entries_above(FunctionIndex(a))) entries.push_back(row.instruction.raw);
    const InstructionRange range = module.section(Section::EntryPoints);
    for (std::uint32_t i = range.first; i < range.end; ++i) {
      const InstructionView entry = module.instruction(InstructionIndex(i));
      if (entry.opcode != Op::OpEntryPoint || entry.word_count < 3) continue;
      const FunctionIndex named = function(entry.word(2));
      if (!named.is_none() && (named.index() == a || reaches[named.index()][a] != 0)) expected.push_back(i);
    }
    if (entries != expected) return "entry points above function " + std::to_string(a);
    if (graph.is_reached(FunctionIndex(a)) == expected.empty())
      return "whether function " + std::to_string(a) + " is reached";
  }
  return {};
}

}  // namespace vireo::spirv
