// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: queries all facts of any words. Nothing may crash, hang or read out of bounds, and the uses must equal
// those of a naive computation.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "spirv/module/naive_uses.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"

namespace {

using namespace vireo::spirv;

// For larger modules the naive computation takes too long.
constexpr std::size_t most_words = 20'000;

void ask(const Facts& facts, InstructionIndex i) {
  const Module& module = facts.module();
  const InstructionView view = module.instruction(i);
  const Word id = module.result_of(view);
  static_cast<void>(facts.lines().of(i));
  static_cast<void>(facts.types().shape(facts.types().of(module.type_of(view))));
  static_cast<void>(facts.types().members(facts.types().of(id)));
  static_cast<void>(facts.constants().parts(facts.constants().of(id)));
  static_cast<void>(facts.constants().as_u64(id, ValueUse::OrDefault));
  static_cast<void>(facts.decorations().all_of(id));
  static_cast<void>(facts.names().of(id));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vireo::Diagnostics diagnostics;
  const auto words = read_module_words({reinterpret_cast<const char*>(data), size}, diagnostics);
  if (!words) return 0;
  const Module module = Module::read(words->words());
  const Facts facts(module);
  if (module.words().size() <= most_words && !naive_uses_fault(module, facts.uses()).empty()) std::abort();
  for (std::uint32_t i = 0; i < module.instruction_count(); ++i) ask(facts, InstructionIndex(i));
  static_cast<void>(facts.module_declarations().entry_points());
  static_cast<void>(facts.call_graph().call_count());
  ControlFlow flow;
  for (const FunctionRow& function : module.functions()) flow.read(module, function);
  return 0;
}
