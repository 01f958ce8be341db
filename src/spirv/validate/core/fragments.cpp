// SPDX-License-Identifier: Apache-2.0
//
// Groups orphaned instructions into runs. A run inside a function ends at a terminator or where the next block begins.
// A run outside functions ends at OpFunctionEnd or at the next function.
#include "spirv/validate/core/fragments.h"

#include <algorithm>

#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using Kind = LayoutViolation::Kind;

// Finds the runs in a module.
class RunReader {
 public:
  explicit RunReader(const Module& module) : module_(module), opcodes_(module.grammar()) {}

  /// Returns the run that contains an instruction whose block or function lacks its first instruction. The run does not
  /// begin before `from`.
  InstructionRange read(InstructionIndex orphan, FunctionIndex function, std::uint32_t from) {
    InstructionRange run{orphan.raw, orphan.raw};
    const BodyPart last = function.is_none() ? BodyPart::FunctionEnd : BodyPart::Terminator;
    const std::uint32_t limit = limit_of(orphan.raw, function);
    while (run.end < limit && part_of(run.end++) != last) continue;
    // Instructions that are valid anywhere, such as extended instructions, violate no layout rule. They may be in the
    // same block, so they extend the run backwards.
    if (!function.is_none()) {
      while (run.first > from && part_of(run.first - 1) == BodyPart::Aside && !is_in_block(run.first - 1)) --run.first;
    }
    return run;
  }

 private:
  BodyPart part_of(std::uint32_t index) {
    return opcodes_.of(module_.instruction(InstructionIndex(index)).opcode).part;
  }

  [[nodiscard]] bool is_in_block(std::uint32_t index) const {
    return !module_.block_at(InstructionIndex(index)).is_none();
  }

  // Where the next function or block begins.
  [[nodiscard]] std::uint32_t limit_of(std::uint32_t index, FunctionIndex function) const {
    const auto first_after = [index](const auto& rows, std::uint32_t otherwise) {
      const auto next = std::ranges::upper_bound(rows, index, {}, [](const auto& row) { return row.all.first; });
      return next == rows.end() ? otherwise : std::min(otherwise, next->all.first);
    };
    if (function.is_none()) return first_after(module_.functions(), module_.instruction_count());
    const FunctionRow& row = module_.functions()[function.index()];
    return first_after(module_.blocks(row), row.all.end);
  }

  const Module& module_;
  OpcodeTable opcodes_;
};

bool begins_run(Kind kind) {
  return kind == Kind::LabelOutside || kind == Kind::ParameterOutside || kind == Kind::OutsideOfBlocks ||
         kind == Kind::EndOutside;
}

}  // namespace

bool is_repeated(const Module& module, InstructionIndex instruction) {
  if (instruction.raw == 0) return false;
  const Words here = module.instruction(instruction).words();
  return std::ranges::equal(here, module.instruction(InstructionIndex(instruction.raw - 1)).words());
}

Fragments::Fragments(const Module& module) {
  if (!module.layout_violations().empty()) find_runs(module);
  find_short_functions(module);
}

// Finds functions with fewer parameters than their type, in constant time for each function. Debug line instructions
// between the parameters may hide a missing one.
void Fragments::find_short_functions(const Module& module) {
  for (const FunctionRow& function : module.functions()) {
    const FunctionIndex index = module.index_of(function);
    const InstructionView begin = module.instruction(InstructionIndex(function.all.first));
    const auto type = as<Op::OpTypeFunction>(module.find(View<Op::OpFunction>(begin).function_type()));
    if (!type) continue;
    const auto wanted = static_cast<std::uint32_t>(type->parameter_types().size());
    if (function.prologue.size() >= wanted || (function.is_declaration() && may_lack_body(index))) continue;
    missing_parameters_ += wanted - function.prologue.size();
    short_.push_back(index);
  }
}

void Fragments::find_runs(const Module& module) {
  RunReader reader(module);
  for (const LayoutViolation& violation : module.layout_violations()) {
    if (violation.instruction.is_none()) continue;
    const FunctionIndex function = module.function_at(violation.instruction);
    if (violation.kind == Kind::NoTerminator) torn_.push_back(function);
    if (violation.kind == Kind::NoFunctionEnd) open_.push_back(function);
    // The function before a nested one has no OpFunctionEnd: it ends at the nested OpFunction.
    if (violation.kind == Kind::NestedFunction && function.raw > 0) open_.push_back(FunctionIndex(function.raw - 1));
    if (!begins_run(violation.kind)) continue;
    // The bodies of graphs are not functions (SPV_ARM_graph). A parameter after a block is in the wrong place, but its
    // function and its block are complete.
    if (module.section(Section::Graphs).contains(violation.instruction)) continue;
    if (violation.kind == Kind::ParameterOutside && !function.is_none()) continue;
    const std::uint32_t from = runs_.empty() ? 0 : runs_.back().all.end;
    if (violation.instruction.raw < from) continue;
    const InstructionRange run = reader.read(violation.instruction, function, from);
    runs_.push_back({run, violation.instruction});
    if (!function.is_none()) torn_.push_back(function);
    // A single OpFunctionEnd is redundant. Before any other run, an OpFunction or OpLabel may be missing.
    if (violation.kind != Kind::EndOutside) ++missing_ids_;
  }
  std::ranges::sort(torn_);
  std::ranges::sort(open_);
}

const Fragments::Run* Fragments::run_of(InstructionIndex instruction) const {
  const auto next = std::ranges::upper_bound(runs_, instruction.raw, {}, [](const Run& run) { return run.all.first; });
  if (next == runs_.begin()) return nullptr;
  const Run& run = *(next - 1);
  return run.all.contains(instruction) ? &run : nullptr;
}

bool Fragments::is_reported_at(InstructionIndex instruction) const {
  const Run* run = run_of(instruction);
  return run != nullptr && run->reported_at == instruction;
}

bool Fragments::has_incomplete_blocks(FunctionIndex function) const {
  return std::ranges::binary_search(torn_, function);
}

bool Fragments::lacks_parameters(FunctionIndex function) const { return std::ranges::binary_search(short_, function); }

bool Fragments::may_lack_body(FunctionIndex function) const {
  return std::ranges::binary_search(torn_, function) || std::ranges::binary_search(open_, function);
}

}  // namespace vireo::spirv
