// SPDX-License-Identifier: Apache-2.0
//
// Facts of real modules, compared with naive computations.
//
// The unit tests build their own modules; here the same naive computations run on compiler output. The disassembly is
// also a check: the ids in a line of text are the uses of its instruction.
#include <gtest/gtest.h>

#include <atomic>
#include <iostream>

#include "spirv/module/naive_flow.h"
#include "spirv/module/naive_uses.h"
#include "system/real_modules.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

/// The numbers after `%` in a line of text, except the one before `=`; strings and comments are skipped.
std::vector<Word> ids_in(std::string_view line) {
  std::vector<Word> ids;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (in_string && line[i] == '\\') ++i;
    else if (line[i] == '"') in_string = !in_string;
    else if (!in_string && line[i] == ';') break;
    else if (!in_string && line[i] == '=') ids.clear();
    else if (!in_string && line[i] == '%')
      ids.push_back(static_cast<Word>(std::stoul(std::string(line.substr(i + 1)))));
  }
  return ids;
}

std::string text_fault(const Module& module, const Uses& uses) {
  StringSink sink;
  Diagnostics diagnostics;
  const DisassembleOptions options{.header = false, .indent = false, .friendly_names = false, .escape_strings = true};
  if (!disassemble(module.words(), options, sink, diagnostics)) return {};  // no text to compare with
  // The uses of all ids, grouped by instruction.
  std::vector<std::vector<std::pair<std::uint16_t, Word>>> by_instruction(module.instruction_count());
  for (Word id = 0; id < module.header().bound; ++id) {
    for (const Use& use : uses.of(id)) by_instruction[use.instruction.index()].emplace_back(use.word, id);
  }
  const std::string text = std::move(sink).text();
  std::size_t at = 0;
  for (auto& rows : by_instruction) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    std::sort(rows.begin(), rows.end());
    std::vector<Word> ids;
    for (const auto& [word, id] : rows) ids.push_back(id);
    if (ids != ids_in(line)) return "uses of '" + std::string(line) + "'";
  }
  return at < text.size() ? "more lines than instructions" : "";
}

TEST(Facts, uses_and_calls_of_real_modules_agree_with_naive_ones) {
  check_real_modules([](const Module& module) {
    const Uses uses = Uses::read(module);
    if (std::string fault = naive_uses_fault(module, uses); !fault.empty()) return fault;
    if (std::string fault = text_fault(module, uses); !fault.empty()) return fault;
    return naive_calls_fault(module, CallGraph::read(module, uses));
  });
}

TEST(Facts, control_flow_of_real_modules_agrees_with_a_naive_one) {
  std::atomic<std::size_t> functions = 0, constructs = 0;
  check_real_modules([&](const Module& module) -> std::string {
    OperandDecoder decoder(module.grammar(), module.header().bound, module.words().size());
    ControlFlow flow;
    std::uint32_t next = 0;
    for (const FunctionRow& function : module.functions()) {
      for (; next < function.all.first; ++next) decoder.decode(module.instruction(InstructionIndex(next)));
      const NaiveFlow naive = naive_flow(module, function, decoder);
      next = function.all.end;
      flow.read(module, function);
      const std::string where = "function %" + std::to_string(function.id) + ": ";
      if (function.is_declaration()) continue;
      if (std::string fault = naive_graph_fault(flow.plain(), naive.plain); !fault.empty()) return where + fault;
      if (std::string fault = naive_graph_fault(flow.structural(), naive.structural); !fault.empty())
        return where + "structural " + fault;
      const std::string fault = naive_construct_fault(flow, naive, NaiveConstructs::Exact);
      if (!fault.empty()) return where + fault;
      ++functions;
      constructs += flow.constructs().size();
    }
    return {};
  });
  std::cout << "             " << functions << " functions, " << constructs << " constructs\n";
}

}  // namespace
}  // namespace vireo::system_test
