// SPDX-License-Identifier: Apache-2.0
//
// Control flow, calls and frames of a subgroup (machine.h).
#include "spirv/execute/machine/machine.h"

#include <algorithm>
#include <cstring>

#include "spirv/execute/machine/operations.h"

namespace vireo::spirv {

using enum Op;

Machine::Machine(const Program& program, Objects& objects, std::uint32_t width)
    : program_(program), objects_(objects), width_(width) {}

void Machine::start(std::vector<Cell> module_cells, LaneMask lanes) {
  module_cells_ = std::move(module_cells);
  stack_.clear();
  frames_.clear();
  all_ = LaneMask::first(width_);
  steps_ = 0;
  enter(program_.entry, lanes, nullptr);
}

void Machine::set_active(LaneMask lanes) {
  active_ = lanes;
  is_full_ = lanes == all_;
}

void Machine::enter(std::uint32_t function, LaneMask lanes, const Step* call) {
  const CodeFunction& code = program_.functions[function];
  Frame frame;
  frame.function = function;
  frame.lanes = frame.tangle = lanes;
  frame.first_cell = stack_.size();
  frame.object_count = objects_.count();
  frame.call = call;
  stack_.resize(stack_.size() + std::size_t{code.cells} * width_);
  frame_cells_ = stack_.data() + frame.first_cell;
  if (call != nullptr) {
    // The moves of arguments read the frame of the caller, and the parameters are in the new one.
    const Cell* caller = stack_.data() + frames_.back().first_cell;
    for (std::uint32_t m = 0; m < call->c.raw; ++m) {
      const Move& move = program_.moves[call->b.raw + m];
      const Cell* from = (move.from.is_of_module() ? module_cells_.data() : caller) + std::size_t{move.from.index()} * width_;
      std::memcpy(frame_cells_ + std::size_t{move.to.index()} * width_, from,
                  std::size_t{move.count} * width_ * sizeof(Cell));
    }
  }
  for (const std::uint32_t index : code.variables) {
    const ProgramVariable& variable = program_.variables[index];
    const std::uint32_t object = objects_.add(variable.id, variable.storage, variable.size, width_, true);
    std::fill_n(cells(variable.pointer), width_, Pointer::to(object, 0).raw);
  }
  frames_.push_back(std::move(frame));
  set_active(lanes);
  for (const std::uint32_t index : code.variables) {
    const ProgramVariable& variable = program_.variables[index];
    if (variable.initializer.is_none()) continue;
    Step step;
    step.a = variable.pointer;
    step.b = variable.initializer;
    step.extra = variable.initializer_shape;
    store(*this, step);
  }
}

// Ends the current frame: its lanes continue after the call.
void Machine::leave() {
  const Frame& frame = frames_.back();
  const LaneMask returned = frame.returned;
  objects_.shrink(frame.object_count);
  stack_.resize(frame.first_cell);
  const bool is_entry = frame.call == nullptr;
  frames_.pop_back();
  if (is_entry) return;
  Frame& caller = frames_.back();
  frame_cells_ = stack_.data() + caller.first_cell;
  // Lanes that ended in the callee do not return.
  caller.lanes &= returned | (caller.lanes - caller.tangle);
  caller.tangle = returned;
  set_active(returned);
}

// Makes the lanes at the first waiting block the tangle. False if no lane of the frame waits.
bool Machine::next_tangle() {
  Frame& frame = frames_.back();
  if (frame.waiting.empty()) return false;
  frame.block = frame.waiting.front().block;
  frame.tangle = frame.waiting.front().lanes;
  frame.step = 0;
  frame.waiting.erase(frame.waiting.begin());
  set_active(frame.tangle);
  return true;
}

void Machine::apply_moves(const MoveList& list, LaneMask lanes) {
  const auto copy = [&](Cell* to, const Cell* from, std::uint32_t count) {
    for (std::uint32_t cell = 0; cell < count; ++cell) {
      Cell* target = to + std::size_t{cell} * width_;
      const Cell* source = from + std::size_t{cell} * width_;
      if (lanes == all_) std::memcpy(target, source, width_ * sizeof(Cell));
      else for_each_lane(lanes, [&](std::uint32_t lane) { target[lane] = source[lane]; });
    }
  };
  const Move* moves = program_.moves.data() + list.first;
  if (!list.overlaps) {
    for (std::uint32_t m = 0; m < list.count; ++m) copy(cells(moves[m].to), cells(moves[m].from), moves[m].count);
    return;
  }
  scratch_.clear();
  for (std::uint32_t m = 0; m < list.count; ++m)
    scratch_.insert(scratch_.end(), cells(moves[m].from), cells(moves[m].from) + std::size_t{moves[m].count} * width_);
  const Cell* from = scratch_.data();
  for (std::uint32_t m = 0; m < list.count; ++m) {
    copy(cells(moves[m].to), from, moves[m].count);
    from += std::size_t{moves[m].count} * width_;
  }
}

void Machine::take_edge(std::uint32_t index, LaneMask lanes) {
  if (!lanes.any()) return;
  const Edge& edge = program_.edges[index];
  if (edge.moves.count != 0) apply_moves(edge.moves, lanes);
  std::vector<Waiting>& waiting = frames_.back().waiting;
  const auto at = std::ranges::lower_bound(waiting, edge.target, {}, &Waiting::block);
  if (at != waiting.end() && at->block == edge.target) at->lanes |= lanes;
  else waiting.insert(at, {edge.target, lanes});
}

void Machine::terminate(const Step& step, const CodeBlock& block) {
  Frame& frame = frames_.back();
  switch (step.opcode) {
    case OpBranch: take_edge(block.first_edge, frame.tangle); break;
    case OpBranchConditional: {
      const Cell* condition = cells(step.a);
      LaneMask taken;
      for_each_lane(frame.tangle, [&](std::uint32_t lane) {
        if (condition[lane] != 0) taken.set(lane);
      });
      take_edge(block.first_edge, taken);
      take_edge(block.first_edge + 1, frame.tangle - taken);
      break;
    }
    case OpSwitch: {
      const Cell* selector = cells(step.a);
      LaneMask rest = frame.tangle;
      for (std::uint32_t i = 1; i < block.edge_count && rest.any(); ++i) {
        LaneMask taken;
        for_each_lane(rest, [&](std::uint32_t lane) {
          if (selector[lane] == program_.cases[block.first_case + i - 1]) taken.set(lane);
        });
        take_edge(block.first_edge + i, taken);
        rest = rest - taken;
      }
      take_edge(block.first_edge, rest);
      break;
    }
    case OpReturnValue: {
      // The result belongs to the caller's frame.
      const Frame& caller = frames_[frames_.size() - 2];
      const Step& call = *frame.call;
      Cell* to = stack_.data() + caller.first_cell + std::size_t{call.result.index()} * width_;
      const Cell* from = cells(step.a);
      for (std::uint32_t cell = 0; cell < step.count; ++cell) {
        for_each_lane(frame.tangle, [&](std::uint32_t lane) {
          to[std::size_t{cell} * width_ + lane] = from[std::size_t{cell} * width_ + lane];
        });
      }
      frame.returned |= frame.tangle;
      break;
    }
    case OpReturn: frame.returned |= frame.tangle; break;
    default: frame.lanes = frame.lanes - frame.tangle; break;  // OpKill and the like end the lanes
  }
  // The other lanes of the frame go on; if there are none, so does the caller.
  while (!frames_.empty() && !next_tangle()) {
    leave();
    if (!frames_.empty() && frames_.back().tangle.any()) break;
  }
}

void Machine::out_of_bounds(const Step&, std::uint32_t, Pointer, std::uint32_t) {}

void Machine::call(const Step& step) { enter(step.extra, frames_.back().tangle, &step); }

Stop Machine::run(std::uint64_t max_steps) {
  while (!frames_.empty()) {
    const std::size_t depth = frames_.size();
    Frame& frame = frames_.back();
    const CodeFunction& function = program_.functions[frame.function];
    const CodeBlock& block = program_.blocks[function.first_block + frame.block];
    const Step* const steps = program_.steps.data() + block.first_step;
    const std::uint32_t last = block.step_count - 1;
    while (frame.step < last) {
      const Step& step = steps[frame.step++];
      ++steps_;
      if (step.opcode == OpFunctionCall) {
        call(step);
        break;
      }
      if (step.opcode == OpControlBarrier) {
        if (static_cast<Scope>(step.extra) == Scope::Workgroup) return Stop::Barrier;
        continue;
      }
      execute(*this, step);
    }
    if (frames_.size() != depth) continue;  // a call
    if (frames_.back().step < last) continue;
    ++steps_;
    terminate(steps[last], block);
    if (steps_ >= max_steps) return Stop::Steps;
  }
  return Stop::Ended;
}

}  // namespace vireo::spirv
