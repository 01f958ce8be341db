// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: the first line is a condition; the words after it are a module. The properties of any words are written
// and compared with the condition, and parts of the module are disassembled. A part has the instructions that it lists.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "counting_sink.h"
#include "vireo/spirv/inspect/condition.h"
#include "vireo/spirv/inspect/module_info.h"
#include "vireo/spirv/inspect/module_part.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

constexpr std::uint32_t most_parts = 3;

void check_part(const Module& module, InstructionIndex root) {
  const ModulePart part = part_of(module, reachable_instructions(module, {&root, 1}));
  const Module again = Module::read(part.words, module.grammar());
  if (again.instruction_count() != part.instructions.size()) std::abort();
  CountingSink sink;
  Diagnostics diagnostics;
  disassemble_part(module, {&root, 1}, {.offsets = true, .annotate = true}, sink, diagnostics);
  disassemble_part(module, {&root, 1}, {}, sink, diagnostics, true);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view text = input.substr(0, input.find('\n'));
  const std::string_view bytes = input.substr(std::min(input.size(), text.size() + 1));
  Diagnostics diagnostics;
  const Result<Condition> condition = parse_condition(text, diagnostics);
  if (condition.ok() == diagnostics.has_errors()) std::abort();

  WordBuffer words(bytes.size() / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(Word));
  Diagnostics faults;
  const Result<ModuleInfo> info = read_module_info(words, faults);
  if (!info && !faults.has_errors()) std::abort();
  if (!info) return 0;
  CountingSink sink;
  if (!write_info_page(*info, sink) || !write_info_json(*info, sink)) std::abort();
  if (condition) static_cast<void>(condition->matches(*info));

  const Module module = Module::read(words);
  std::uint32_t parts = 0;
  for (const FunctionRow& function : module.functions()) {
    if (++parts > most_parts) break;
    check_part(module, InstructionIndex(function.all.first));
  }
  for (const auto [index, view] : module.instructions(Section::EntryPoints)) {
    if (++parts > 2 * most_parts) break;
    check_part(module, index);
  }
  if (find_roots(module, text, RootKind::Function, diagnostics).ok()) return 0;
  static_cast<void>(find_roots(module, text, RootKind::EntryPoint, diagnostics));
  return 0;
}
