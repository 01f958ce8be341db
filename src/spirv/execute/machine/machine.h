// SPDX-License-Identifier: Apache-2.0
//
// Machine: executes the invocations of one subgroup in lockstep.
//
// Each step applies to all lanes of the current tangle: the invocations that execute one dynamic instance. At a branch
// the tangle may split; the lanes that wait at the first block in structural order run next, so they meet again at the
// merge block (maximal reconvergence). A machine stops at a barrier and continues when its owner says so.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/execute/machine/lanes.h"
#include "spirv/execute/memory/objects.h"
#include "spirv/execute/program/program.h"

namespace vireo::spirv {

using Cell = std::uint64_t;

/// Why a machine stopped.
enum class Stop : std::uint8_t {
  Ended,    ///< all lanes returned or ended
  Barrier,  ///< the current tangle is at a control barrier
  Steps,    ///< the limit of steps is reached
};

class Machine {
 public:
  /// `lanes`: invocations of the subgroup, at most `width`; the program and the objects are borrowed.
  Machine(const Program& program, Objects& objects, std::uint32_t width);

  /// Starts the entry point. `module_cells` has program.module_cells × width cells: constants, and pointers to the
  /// variables of the module.
  void start(std::vector<Cell> module_cells, LaneMask lanes);
  Stop run(std::uint64_t max_steps);

  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  // For the operations (operations.cpp).
  [[nodiscard]] Cell* cells(CellRef ref) {
    Cell* base = ref.is_of_module() ? module_cells_.data() : frame_cells_;
    return base + std::size_t{ref.index()} * width_;
  }
  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] LaneMask active() const { return active_; }
  [[nodiscard]] bool is_full() const { return is_full_; }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] Objects& objects() { return objects_; }
  /// An access of a lane that leaves its object.
  void out_of_bounds(const Step& step, std::uint32_t lane, Pointer pointer, std::uint32_t bytes);

 private:
  // Lanes that wait at a block.
  struct Waiting {
    std::uint32_t block;  // position in its function
    LaneMask lanes;
  };
  struct Frame {
    std::uint32_t function = 0;
    std::uint32_t block = 0, step = 0;    // of the current tangle; `step` counts within the block
    LaneMask lanes;                       // that entered and have not ended
    LaneMask tangle;                      // that execute the current block
    std::vector<Waiting> waiting;         // ascending by block
    std::size_t first_cell = 0;           // in stack_
    std::size_t object_count = 0;         // before the call
    const Step* call = nullptr;           // in the caller; nullptr for the entry point
    LaneMask returned;
  };

  void enter(std::uint32_t function, LaneMask lanes, const Step* call);
  void leave();
  bool next_tangle();
  void set_active(LaneMask lanes);
  void take_edge(std::uint32_t edge, LaneMask lanes);
  void apply_moves(const MoveList& list, LaneMask lanes);
  void terminate(const Step& step, const CodeBlock& block);
  void call(const Step& step);

  const Program& program_;
  Objects& objects_;
  std::uint32_t width_;
  std::vector<Cell> module_cells_;
  std::vector<Cell> stack_;  // frames
  std::vector<Cell> scratch_;
  Cell* frame_cells_ = nullptr;
  std::vector<Frame> frames_;
  LaneMask all_, active_;
  bool is_full_ = false;
  std::uint64_t steps_ = 0;
};

}  // namespace vireo::spirv
