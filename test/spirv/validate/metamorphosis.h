// SPDX-License-Identifier: Apache-2.0
//
// Changes to a module that do not change its validity.
//
// The findings must not depend on the numbering of ids, debug information, the order of functions or
// source lines. So each change is a function of a module, and the findings before and after it are compared. If a
// module does not permit the change, the function returns no module.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv::test {

namespace metamorphosis {

inline Op op_of(InstructionView view) { return view.opcode; }

inline std::optional<WordBuffer> applied(const Edit& edit) {
  Diagnostics ignored;
  Result<WordBuffer> words = edit.apply(ignored);
  if (!words) return std::nullopt;
  return std::move(words).value();
}

/// Renumbers every id: the last becomes the first and so on.
inline std::optional<WordBuffer> renumbered(const Module& module) {
  const Word bound = module.header().bound;
  WordBuffer words(module.words().begin(), module.words().end());
  OperandDecoder decoder(module.grammar(), bound, words.size());
  for (const InstructionView view : module.views(module.all())) {
    if (!is_decodable(decoder.decode(view))) return std::nullopt;
    for (const Operand& operand : decoder.operands()) {
      if (operand.shape > OperandShape::IdMemorySemantics) continue;
      Word& id = words[view.offset + operand.word];
      if (id == 0 || id >= bound) return std::nullopt;
      id = bound - id;
    }
  }
  return words;
}

inline bool is_debug(Op op) {
  constexpr std::array debug = {Op::OpName,   Op::OpMemberName,      Op::OpLine,
                                Op::OpNoLine, Op::OpModuleProcessed, Op::OpSourceExtension};
  return std::find(debug.begin(), debug.end(), op) != debug.end();
}

/// Removes names, lines and other debug instructions.
inline std::optional<WordBuffer> stripped(const Module& module) {
  Edit edit(module);
  for (std::uint32_t i = 0; i < module.instruction_count(); ++i) {
    if (is_debug(op_of(module.instruction(InstructionIndex(i))))) edit.remove(InstructionIndex(i));
  }
  return applied(edit);
}

/// Whether an instruction other than a call refers to a function; it may have to follow that function.
inline bool takes_function(const Module& module, InstructionRange range) {
  for (const InstructionView view : module.views(range)) {
    if (view.opcode == Op::OpFunctionCall) continue;
    if (view.opcode == Op::OpFunction) continue;
    for (const Word word : view.operands()) {
      if (module.find(word).opcode == Op::OpFunction) return true;
    }
  }
  return false;
}

/// Reverses the order of function definitions.
inline std::optional<WordBuffer> reordered(const Module& module) {
  std::vector<InstructionRange> bodies;
  for (const FunctionRow& function : module.functions()) {
    if (takes_function(module, function.all)) return std::nullopt;
    if (!function.is_declaration()) bodies.push_back(function.all);
  }
  if (bodies.size() < 2) return std::nullopt;
  Edit edit(module);
  // Each function is moved after the last one, in reverse order.
  for (std::size_t i = bodies.size() - 1; i > 0; --i) {
    edit.move_before(bodies[i - 1], InstructionIndex(std::size_t{bodies.back().end}));
  }
  return applied(edit);
}

/// Adds an OpLine before each instruction of a block that may have one.
inline std::optional<WordBuffer> with_lines(const Module& module) {
  Edit edit(module);
  const Word file = edit.fresh_id();
  WordBuffer text;
  InstructionWriter writer(text);
  writer.begin(Op::OpString);
  writer.word(file);
  writer.string("made.glsl");
  if (!writer.end()) return std::nullopt;
  edit.add(text);
  for (const BlockRow& block : module.blocks()) {
    for (std::uint32_t i = block.all.first + 1; i < block.all.end; ++i) {
      // A merge instruction and its branch must stay adjacent; so must the control of an unstructured loop, and a
      // composite and its continuation.
      if (!block.merge.is_none() && block.merge.raw + 1 == i) continue;
      if (module.instruction(InstructionIndex(std::size_t{i - 1})).opcode == Op::OpLoopControlINTEL) continue;
      if (module.instruction(InstructionIndex(i)).opcode == Op::OpCompositeConstructContinuedINTEL) continue;
      const std::array<Word, 4> line = {4u << 16 | static_cast<Word>(Op::OpLine), file, i + 1, 1};
      edit.insert_before(InstructionIndex(std::size_t{i}), line);
    }
  }
  return applied(edit);
}

}  // namespace metamorphosis

struct Metamorphosis {
  std::string_view name;
  std::optional<WordBuffer> (*change)(const Module& module);
};
inline constexpr std::array<Metamorphosis, 4> metamorphoses = {{
    {"ids are renumbered", metamorphosis::renumbered},
    {"debug information is stripped", metamorphosis::stripped},
    {"functions are reordered", metamorphosis::reordered},
    {"lines are inserted", metamorphosis::with_lines},
}};

}  // namespace vireo::spirv::test
