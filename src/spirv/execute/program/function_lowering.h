// SPDX-License-Identifier: Apache-2.0
//
// FunctionLowering: the code of one function (lowering.h).
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/execute/program/lowering.h"
#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/binary/views/kinds/image_operands.h"
#include "vireo/spirv/binary/views/kinds/memory_access.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_debugprintf.h"

namespace vireo::spirv {

class FunctionLowering {
 public:
  FunctionLowering(Lowering& module, FunctionIndex function);
  void run();

 private:
  /// The cells of a value. Its definition may follow, as for OpPhi.
  CellRef value(Word id);
  CellRef result(InstructionView view);
  CellRef take(std::uint32_t cells);
  std::uint32_t count_of(Word type);
  [[nodiscard]] Word type_of(Word value) const { return module_.type_of(value); }

  void lower_block(LocalBlock block);
  void lower(InstructionIndex index, InstructionView view);
  bool lower_composite(InstructionView view);
  bool lower_memory(InstructionView view);
  bool lower_matrix(InstructionView view);
  bool lower_plain(InstructionView view);
  bool lower_extended(InstructionView view);
  bool lower_print(const View<NonSemantic_DebugPrintf::DebugPrintf>& call);
  bool lower_image(InstructionView view);
  [[nodiscard]] ImageShape image_shape(Word value) const;
  void read_image_operands(const ImageOperandsView& operands, ImageStep& image);
  bool lower_bit_field(InstructionView view);
  bool lower_promise(InstructionView view);
  [[nodiscard]] std::uint8_t flags_of(Word result) const;
  bool lower_shared(InstructionView view);
  [[nodiscard]] std::uint8_t visibility(const PlacedType& type, const MemoryAccessView& access) const;
  [[nodiscard]] std::uint8_t resource_flag(Word pointer) const;
  void lower_chain(InstructionView view);
  void lower_call(InstructionView view);
  void lower_terminator(LocalBlock block, InstructionView view);
  void add_edge(LocalBlock from, Word label);
  void read_phis(LocalBlock to);
  MoveList phi_moves(LocalBlock from, LocalBlock to);

  Step& add(Op opcode, CellRef result, CellRef a = {}, CellRef b = {}, CellRef c = {});
  void move(CellRef to, CellRef from, std::uint32_t count);
  void multiply_columns(CellRef result, CellRef matrix, CellRef vector, std::uint32_t rows, std::uint32_t columns,
                        CellType type);
  void multiply_rows(CellRef result, CellRef vector, CellRef matrix, std::uint32_t rows, std::uint32_t columns,
                     CellType type);
  /// Marks a range of another value as the cells of this one.
  void alias(InstructionView view, CellRef cells);
  [[nodiscard]] PlacedType placed(Word pointer) const;
  std::uint32_t shape_of(Word pointer);

  Lowering& owner_;
  Program& program_;
  const Module& module_;
  const Types& types_;
  const FunctionRow& row_;
  CodeFunction code_;
  ControlFlow flow_;
  std::unordered_map<Word, CellRef> values_;
  std::unordered_map<Word, PlacedType> pointees_;  // of pointers whose type in memory a chain determined
  /// The phis of a block and their operands, by the block and the label of its predecessor.
  std::unordered_map<std::uint64_t, std::vector<std::pair<Word, Word>>> phis_;
  std::vector<std::uint32_t> positions_;                    // by block
  InstructionIndex loop_merge_ = InstructionIndex::none();  // of the block that is being lowered
  InstructionIndex source_;
};

}  // namespace vireo::spirv
