// SPDX-License-Identifier: Apache-2.0
//
// OpLine, OpNoLine, DebugLine and DebugNoLine → Lines (lines.h).
//
// The one idea: blocks are known to the module, so only first words are looked at here; a module without line
// information pays for nothing.
#include "vireo/spirv/facts/lines.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "spirv/binary/literal_string.h"
#include "spirv/module/section_walk.h"
#include "vireo/spirv/enums.h"

namespace vireo::spirv {
namespace {

// Numbers of NonSemantic.Shader.DebugInfo, which its versions share.
constexpr std::string_view debug_sets = "NonSemantic.Shader.DebugInfo.";
enum class DebugInst : Word { Source = 35, Line = 103, NoLine = 104 };

// The words of OpExtInst: type, result, set, number, operands.
constexpr std::size_t set_word = 3, number_word = 4, operands_word = 5;

/// What an instruction says of lines.
enum class LineRemark : std::uint8_t { Nothing, Line, NoLine };

// Knows which instructions speak of lines. The sets of debug information are looked for once, and not for each extended
// instruction.
class RemarkReader {
 public:
  explicit RemarkReader(const Module& module) : has_plain_(module.has(Op::OpLine)) {
    if (!module.has(Op::OpExtInst)) return;
    walk_section(module, Section::Imports, [&](InstructionIndex, InstructionView import) {
      if (import.opcode != Op::OpExtInstImport) return;
      if (literal_string(import, 2).starts_with(debug_sets)) sets_.push_back(import.word(1));
    });
    std::ranges::sort(sets_);
  }

  /// Whether there can be any lines.
  [[nodiscard]] bool has_any() const { return has_plain_ || !sets_.empty(); }

  [[nodiscard]] LineRemark of(InstructionView instruction) const {
    switch (instruction.opcode) {
      case Op::OpLine: return LineRemark::Line;
      case Op::OpNoLine: return LineRemark::NoLine;
      case Op::OpExtInst: return sets_.empty() ? LineRemark::Nothing : of_debug_info(instruction);
      default: return LineRemark::Nothing;
    }
  }

 private:
  [[nodiscard]] LineRemark of_debug_info(InstructionView instruction) const {
    if (!std::ranges::binary_search(sets_, instruction.word(set_word))) return LineRemark::Nothing;
    switch (static_cast<DebugInst>(instruction.word(number_word))) {
      case DebugInst::Line: return LineRemark::Line;
      case DebugInst::NoLine: return LineRemark::NoLine;
      default: return LineRemark::Nothing;
    }
  }

  bool has_plain_;
  std::vector<Word> sets_;  // ids of imports, ascending
};

}  // namespace

Lines Lines::read(const Module& module) {
  Lines lines(module);
  const RemarkReader remarks(module);
  if (!remarks.has_any()) return lines;
  bool is_active = false;
  auto block = module.blocks().begin();
  const auto change = [&](std::uint32_t first, InstructionIndex line) {
    lines.changes_.push_back({first, line});
    is_active = !line.is_none();
  };
  // Instructions and blocks ascend together: `block` is the first one that has not ended yet.
  const auto views = module.views(module.all());
  for (auto it = views.begin(); it != views.end(); ++it) {
    const InstructionIndex here = it.index();
    while (block != module.blocks().end() && block->all.end <= here.raw) {
      // A line behind the block is one of its own: it begins where the block's scope has ended.
      if (is_active && lines.changes_.back().first < block->all.end) change(block->all.end, InstructionIndex::none());
      ++block;
    }
    // OpNoLine where no line holds changes nothing, and is not kept.
    const LineRemark remark = remarks.of(*it);
    if (remark == LineRemark::Line) change(here.raw, here);
    else if (remark == LineRemark::NoLine && is_active) change(here.raw, InstructionIndex::none());
  }
  return lines;
}

// The last change at or before the instruction. Only which instruction speaks is kept; its words are read here.
std::optional<SourceLine> Lines::of(InstructionIndex instruction) const {
  const auto after = std::ranges::upper_bound(changes_, instruction.raw, {}, &Change::first);
  if (instruction.is_none() || after == changes_.begin()) return std::nullopt;
  const InstructionIndex line = (after - 1)->line;
  if (line.is_none()) return std::nullopt;
  const InstructionView view = module_->instruction(line);
  SourceLine place;
  if (view.opcode == Op::OpExtInst) {
    place = debug_line(view);
  } else {
    place.file = view.word(1);
    place.line = view.word(2);
    place.column = view.word(3);
  }
  place.instruction = line;
  const InstructionView file = module_->find(place.file);
  if (file.opcode == Op::OpString) place.name = literal_string(file, 2);
  return place;
}

// Its operands are ids, as of all non-semantic instructions: a DebugSource, then four constants.
SourceLine Lines::debug_line(InstructionView line) const {
  // Of OpConstant alone: a number that can still be specialized says no line.
  const auto value = [&](std::size_t operand) {
    const InstructionView constant = module_->find(line.word(operands_word + operand));
    return constant.opcode == Op::OpConstant ? constant.word(3) : 0;
  };
  SourceLine place;
  const InstructionView source = module_->find(line.word(operands_word));
  // It has to be an instruction of the same import: numbers of other sets mean other things.
  const bool is_source = source.opcode == Op::OpExtInst && source.word(set_word) == line.word(set_word) &&
                         source.word(number_word) == static_cast<Word>(DebugInst::Source);
  if (is_source) place.file = source.word(operands_word);
  // In this order: first line, last line, first column, last column.
  place.line = value(1);
  place.end_line = value(2);
  place.column = value(3);
  place.end_column = value(4);
  return place;
}

}  // namespace vireo::spirv
