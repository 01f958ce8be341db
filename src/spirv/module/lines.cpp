// SPDX-License-Identifier: Apache-2.0
//
// Reads OpLine, OpNoLine, DebugLine and DebugNoLine into Lines (lines.h).
//
// The module already has its blocks, so this pass reads only the first word of most instructions. A
// module without line information costs nothing.
#include "vireo/spirv/module/lines.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "spirv/grammar/special_sets.h"
#include "spirv/module/section_walk.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_shader_debuginfo.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

// All versions of the set have the same instruction numbers.
using Debug = NonSemantic_Shader_DebugInfo;

/// The effect of an instruction on the current line.
enum class LineEffect : std::uint8_t { Nothing, Line, NoLine };

// Classifies instructions by their effect. The imports of the debug information sets are looked up once, not for each
// extended instruction.
class LineClassifier {
 public:
  explicit LineClassifier(const Module& module) : has_plain_(module.has(Op::OpLine)) {
    if (!module.has(Op::OpExtInst)) return;
    walk_section(module, Section::Imports, [&](InstructionIndex, InstructionView instruction) {
      const auto import = as<Op::OpExtInstImport>(instruction);
      if (import && named_set(import->name()).set == KnownSet::ShaderDebug) sets_.push_back(import->result());
    });
    std::ranges::sort(sets_);
  }

  /// Whether the module can have line information.
  [[nodiscard]] bool has_any() const { return has_plain_ || !sets_.empty(); }

  [[nodiscard]] LineEffect of(InstructionView instruction) const {
    switch (instruction.opcode) {
      case Op::OpLine: return LineEffect::Line;
      case Op::OpNoLine: return LineEffect::NoLine;
      case Op::OpExtInst: return sets_.empty() ? LineEffect::Nothing : of_debug_info(View<Op::OpExtInst>(instruction));
      default: return LineEffect::Nothing;
    }
  }

 private:
  [[nodiscard]] LineEffect of_debug_info(View<Op::OpExtInst> extended) const {
    if (!std::ranges::binary_search(sets_, extended.set().id)) return LineEffect::Nothing;
    switch (static_cast<Debug>(extended.instruction().value)) {
      case Debug::DebugLine: return LineEffect::Line;
      case Debug::DebugNoLine: return LineEffect::NoLine;
      default: return LineEffect::Nothing;
    }
  }

  bool has_plain_;
  std::vector<Word> sets_;  // ids of imported sets, ascending
};

}  // namespace

Lines Lines::read(const Module& module) {
  Lines lines(module);
  const LineClassifier classifier(module);
  if (!classifier.has_any()) return lines;
  bool is_active = false;
  auto block = module.blocks().begin();
  const auto change = [&](std::uint32_t first, InstructionIndex line) {
    lines.changes_.push_back({first, line});
    is_active = !line.is_none();
  };
  // Instructions and blocks ascend together: `block` is the first block that has not ended yet.
  const auto views = module.views(module.all());
  for (auto it = views.begin(); it != views.end(); ++it) {
    const InstructionIndex here = it.index();
    while (block != module.blocks().end() && block->all.end <= here.raw) {
      // A line is in effect until the end of its block, unless it was set after that end.
      if (is_active && lines.changes_.back().first < block->all.end) change(block->all.end, InstructionIndex::none());
      ++block;
    }
    // OpNoLine without a line in effect changes nothing, and is not stored.
    const LineEffect effect = classifier.of(*it);
    if (effect == LineEffect::Line) change(here.raw, here);
    else if (effect == LineEffect::NoLine && is_active) change(here.raw, InstructionIndex::none());
  }
  return lines;
}

// Looks up the last change at or before the instruction. Only the line instruction's index is stored; its words are
// read here.
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

// The operands are ids, as in all non-semantic instructions: a DebugSource, then four constants.
SourceLine Lines::debug_line(InstructionView line) const {
  // Read only OpConstant: the value of a specialization constant is not final.
  const auto value = [&](Word id) -> Word {
    const auto constant = as<Op::OpConstant>(module_->find(id));
    const LiteralList words = constant ? constant->value() : LiteralList();
    return words.empty() ? 0 : words[0].value;
  };
  SourceLine place;
  const View<Debug::DebugLine> operands(line);
  // The DebugSource must use the same import: in other sets its number has another meaning.
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
