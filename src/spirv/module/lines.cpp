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

#include "spirv/module/section_walk.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/views/constant_creation.h"
#include "vireo/spirv/views/debug.h"
#include "vireo/spirv/views/extension.h"
#include "vireo/spirv/views/sets/nonsemantic_shader_debuginfo.h"

namespace vireo::spirv {
namespace {

// The versions of the set share their numbers.
constexpr std::string_view debug_sets = "NonSemantic.Shader.DebugInfo.";
using Debug = NonSemantic_Shader_DebugInfo;

/// What an instruction says of lines.
enum class LineRemark : std::uint8_t { Nothing, Line, NoLine };

// Knows which instructions speak of lines. The sets of debug information are looked for once, and not for each extended
// instruction.
class RemarkReader {
 public:
  explicit RemarkReader(const Module& module) : has_plain_(module.has(Op::OpLine)) {
    if (!module.has(Op::OpExtInst)) return;
    walk_section(module, Section::Imports, [&](InstructionIndex, InstructionView instruction) {
      const auto import = as<Op::OpExtInstImport>(instruction);
      if (import && import->name().starts_with(debug_sets)) sets_.push_back(import->result());
    });
    std::ranges::sort(sets_);
  }

  /// Whether there can be any lines.
  [[nodiscard]] bool has_any() const { return has_plain_ || !sets_.empty(); }

  [[nodiscard]] LineRemark of(InstructionView instruction) const {
    switch (instruction.opcode) {
      case Op::OpLine: return LineRemark::Line;
      case Op::OpNoLine: return LineRemark::NoLine;
      case Op::OpExtInst: return sets_.empty() ? LineRemark::Nothing : of_debug_info(View<Op::OpExtInst>(instruction));
      default: return LineRemark::Nothing;
    }
  }

 private:
  [[nodiscard]] LineRemark of_debug_info(View<Op::OpExtInst> extended) const {
    if (!std::ranges::binary_search(sets_, extended.set().id)) return LineRemark::Nothing;
    switch (static_cast<Debug>(extended.instruction().value)) {
      case Debug::DebugLine: return LineRemark::Line;
      case Debug::DebugNoLine: return LineRemark::NoLine;
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
    const View<Op::OpLine> plain(view);
    place.file = plain.file();
    place.line = plain.line();
    place.column = plain.column();
  }
  place.instruction = line;
  if (const auto file = as<Op::OpString>(module_->find(place.file))) place.name = file->string();
  return place;
}

// Its operands are ids, as of all non-semantic instructions: a DebugSource, then four constants.
SourceLine Lines::debug_line(InstructionView line) const {
  // Of OpConstant alone: a number that can still be specialized says no line.
  const auto value = [&](Word id) -> Word {
    const auto constant = as<Op::OpConstant>(module_->find(id));
    const LiteralList words = constant ? constant->value() : LiteralList();
    return words.empty() ? 0 : words[0].value;
  };
  SourceLine place;
  const View<Debug::DebugLine> operands(line);
  // It has to be an instruction of the same import: numbers of other sets mean other things.
  if (const auto source = as<Debug::DebugSource>(module_->find(operands.source()), operands.set())) {
    place.file = source->file();
  }
  place.line = value(operands.line_start());
  place.end_line = value(operands.line_end());
  place.column = value(operands.column_start());
  place.end_column = value(operands.column_end());
  return place;
}

}  // namespace vireo::spirv
