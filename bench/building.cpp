// SPDX-License-Identifier: Apache-2.0
//
// Building and editing: instructions per second on n, 2n, 4n calls.
//
// The built module is verified before it is timed: every instruction decodes, every section is in its
// place, and the number of instructions matches the number of calls.
#include <array>

#include "measure.h"
#include "scenarios.h"
#include "tables.h"

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/build/builder.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/module/module.h"

namespace vireo::bench {
namespace {

using namespace spirv;

/// Functions of a hundred calls each: constants (mostly repeated), names, loads, sums, stores, a branch.
std::size_t build_module(Builder& b, std::size_t calls) {
  const TypeId nothing = b.OpTypeVoid(), f32 = b.OpTypeFloat(32), u32 = b.OpTypeInt(32, 0);
  const TypeId type = b.OpTypeFunction(nothing), pointer = b.OpTypePointer(StorageClass::Function, f32);
  b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
  std::size_t made = 6;
  while (made < calls) {
    b.OpFunction(nothing, FunctionControl::None, type);
    b.OpLabel();
    const ValueId variable = b.OpVariable(pointer, StorageClass::Function);
    b.OpName(variable, "local");
    for (Word i = 0; i < 19; ++i) {
      const ValueId x = b.OpLoad(f32, variable, {.Aligned = 4});
      b.OpConstant(u32, i);
      const ValueId sum = b.OpFAdd(f32, x, x);
      b.OpDecorate(sum, Decoration::RelaxedPrecision);
      b.OpStore(variable, sum);
    }
    b.OpReturn();
    b.OpFunctionEnd();
    made += 4 + 19 * 5 + 2;
  }
  return made;
}

struct Built {
  WordBuffer words;
  std::size_t calls = 0;
};

Built build(std::size_t calls) {
  Diagnostics diagnostics;
  Builder b(diagnostics);
  Built built;
  built.calls = build_module(b, calls);
  Result<WordBuffer> words = b.build();
  if (words) built.words = std::move(words).value();
  return built;
}

/// Returns an empty text, or the fault of the module.
std::string wrong_answer(const Built& built) {
  const Module module = Module::read(built.words);
  if (!module.layout_violations().empty()) return "an instruction is out of its place";
  // All calls except those for an existing constant: there are 19 constants, and each function requests 19.
  const std::size_t repeated = (module.functions().size() - 1) * 19;
  if (module.instruction_count() + repeated != built.calls) return "instructions are missing";
  OperandDecoder decoder(builtin_grammar(), module.header().bound, built.words.size());
  for (const InstructionView instruction : module.views(module.all())) {
    if (decoder.decode(instruction) != DecodeFault::None) return "an instruction cannot be decoded";
  }
  return {};
}

/// Changes one word in one of a hundred instructions; everything else is copied.
WordBuffer edited(const Module& module) {
  Edit edit(module);
  for (std::uint32_t i = 0; i < module.instruction_count(); i += 100) {
    const InstructionView instruction = module.instruction(InstructionIndex(i));
    if (instruction.opcode == Op::OpLoad) edit.set_word(InstructionIndex(i), 5, 8);
  }
  Diagnostics diagnostics;
  Result<WordBuffer> words = edit.apply(diagnostics);
  return words ? std::move(words).value() : WordBuffer{};
}

}  // namespace

int run_building() {
  print("\nBuilding and editing, one thread, processor time\n\n{:>12} {:>14} {:>14} {:>14}\n", "calls", "build ns/call",
        "M calls/s", "edit ns/instr");
  for (const std::size_t calls : {250'000u, 500'000u, 1'000'000u}) {
    const Built built = build(calls);
    if (const std::string fault = wrong_answer(built); !fault.empty()) {
      print("{:>12} WRONG ANSWER: {}\n", calls, fault);
      return 1;
    }
    const Module module = Module::read(built.words);
    if (edited(module).size() != built.words.size()) {
      print("{:>12} WRONG ANSWER: the edited module has another size\n", calls);
      return 1;
    }
    Samples building, editing;
    for (int repetition = 0; repetition < 7; ++repetition) {
      building.add(seconds_of([&] { (void)build(calls); }));
      editing.add(seconds_of([&] { (void)edited(module); }));
    }
    const double seconds = building.median(), count = static_cast<double>(built.calls);
    print("{:>12} {:>14.1f} {:>14.1f} {:>14.1f}\n", built.calls, seconds * 1e9 / count, count / seconds / 1e6,
          editing.median() * 1e9 / module.instruction_count());
  }
  return 0;
}

}  // namespace vireo::bench
