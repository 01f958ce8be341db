// SPDX-License-Identifier: Apache-2.0
//
// MemoryNodes: the contents of Function and Private variables, by flow.
//
// A cell is a variable, or one element of it if the function writes elements separately. Each write of a cell is a node.
// A read finds the node of the last write on the way to it. Where several writes meet, a joining node depends on all of
// them, and on the choice of the path. If no write lies between a block and its dominator, nothing has to be joined, so
// the content is that of the dominator.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/module/uniformity/control_nodes.h"

namespace vireo::spirv {

inline constexpr std::uint32_t whole_variable = 0xFFFFFFFF;  ///< as the element of a cell

class MemoryNodes {
 public:
  struct Cell {
    Word root = 0;  ///< the variable, or the parameter that points to it
    std::uint32_t element = whole_variable;
  };
  /// Returns the node of a cell's content at the entry of the function.
  using AtEntry = std::function<NodeIndex(const Cell&)>;

  MemoryNodes(UniformityGraph& graph, ControlNodes& control) : graph_(graph), control_(control) {}

  void begin(const ControlFlow& flow, const Regions& regions, AtEntry at_entry);

  std::uint32_t cell_of(Word root, std::uint32_t element);
  [[nodiscard]] std::span<const Cell> cells() const { return cells_; }
  [[nodiscard]] bool is_written(std::uint32_t cell) const { return !writes_[cell].empty(); }
  /// Writes are added in the structural order of blocks, and before any read.
  /// `value`: the id of the whole content that is written; 0 if there is none.
  void add_write(std::uint32_t cell, LocalBlock b, InstructionIndex instruction, NodeIndex node, Word value);
  /// The content before an instruction of a block.
  NodeIndex read(std::uint32_t cell, LocalBlock b, InstructionIndex before);
  /// The content after a block.
  NodeIndex read_after(std::uint32_t cell, LocalBlock b);
  /// Connects the joining nodes. Call it after all reads.
  void finish();

 private:
  struct Write {
    std::uint32_t position;
    InstructionIndex instruction;
    NodeIndex node;
  };
  struct Joining {
    std::uint32_t cell;
    LocalBlock block;
    NodeIndex node;
  };
  /// The last write of a block, before an instruction if there is one.
  [[nodiscard]] const Write* last_in(std::uint32_t cell, std::uint32_t position, InstructionIndex before) const;
  [[nodiscard]] bool is_written_between(std::uint32_t cell, std::uint32_t first, std::uint32_t end) const;
  NodeIndex read_at_entry(std::uint32_t cell, LocalBlock b);
  [[nodiscard]] Word value_of(NodeIndex write) const;

  UniformityGraph& graph_;
  ControlNodes& control_;
  const ControlFlow* flow_ = nullptr;
  const Regions* regions_ = nullptr;
  AtEntry at_entry_;
  std::vector<Cell> cells_;
  std::vector<std::vector<Write>> writes_;  // by cell
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::unordered_map<std::uint64_t, NodeIndex> entries_;  // by cell and block
  std::vector<Joining> joining_;
  std::vector<std::pair<NodeIndex, Word>> values_;  // of writes, by node
};

}  // namespace vireo::spirv
