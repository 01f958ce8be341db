// SPDX-License-Identifier: Apache-2.0
//
// Control flow, calls and frames of a subgroup (machine.h).
#include "spirv/execute/machine/machine.h"

#include <algorithm>
#include <cstring>

#include "spirv/execute/machine/operations.h"
#include "spirv/module/fold.h"

namespace vireo::spirv {

using enum Op;

namespace {

// A step on many cells counts more than once for the limit of steps.
constexpr std::uint32_t cells_of_work = 16;
// How often a machine asks whether it is interrupted.
constexpr std::uint64_t steps_between_questions = 1u << 16;

// Copies cells of some lanes, with their shadow. Returns whether a value changed.
struct CellCopy {
  std::uint32_t width;
  LaneMask lanes;
  bool is_full, has_shadow;

  bool cells(Cell* to, const Cell* from, std::uint32_t count) const {
    if (is_full) {
      const std::size_t bytes = std::size_t{count} * width * sizeof(Cell);
      const bool changes = std::memcmp(to, from, bytes) != 0;
      std::memmove(to, from, bytes);
      return changes;
    }
    bool changes = false;
    for (std::uint32_t cell = 0; cell < count; ++cell) {
      const std::size_t at = std::size_t{cell} * width;
      for_each_lane(lanes, [&](std::uint32_t lane) {
        changes |= to[at + lane] != from[at + lane];
        to[at + lane] = from[at + lane];
      });
    }
    return changes;
  }
  void shadow(LaneMask* to, std::uint32_t* to_origins, const LaneMask* from, const std::uint32_t* origins,
              std::uint32_t count) const {
    for (std::uint32_t cell = 0; cell < count; ++cell) {
      const LaneMask moved = from[cell] & lanes;
      if (moved.any()) to_origins[cell] = origins[cell];
      to[cell] = (to[cell] - lanes) | moved;
    }
  }
};

}  // namespace

std::array<std::uint32_t, 3> LanePlaces::local(std::uint32_t lane) const {
  const std::uint32_t index = first + lane;
  return {index % group_size[0], index / group_size[0] % group_size[1], index / group_size[0] / group_size[1]};
}

std::array<std::uint32_t, 3> LanePlaces::global(std::uint32_t lane) const {
  std::array<std::uint32_t, 3> place = local(lane);
  for (std::size_t i = 0; i < 3; ++i) place[i] += group[i] * group_size[i];
  return place;
}

void CellBank::resize(std::size_t count, std::uint32_t width, bool has_shadow) {
  cells.resize(count * width);
  if (!has_shadow) return;
  undefined.resize(count);
  origins.resize(count);
}

Machine::Machine(const Program& program, RunState& state, std::uint32_t width)
    : program_(program),
      state_(state),
      width_(width),
      own_(state.report != nullptr, state.seed_bits),
      all_(LaneMask::first(width)) {
  module_.resize(program.module_cells, width, has_checks());
}

void Machine::start(const LanePlaces& places, LaneMask lanes) {
  places_ = places;
  frames_.clear();
  started_ = live_ = lanes;
  steps_ = work_ = 0;
  next_question_ = steps_between_questions;
  stopped_at_ = nullptr;
  loop_ = InstructionIndex::none();
  enter(program_.entry, lanes, nullptr);
}

std::uint32_t Machine::absent_lane() const {
  const LaneMask others = live_ - active_;
  if (others.any()) return others.lowest();
  const LaneMask ended = started_ - live_;
  return ended.any() ? ended.lowest() : 0;
}

Cell Machine::arbitrary(CellType type) const {
  if (type.kind == CellType::Kind::Pointer || type.kind == CellType::Kind::Opaque) return 0;
  return state_.seed_bits & mask_of(type.width);
}

void Machine::set_active(LaneMask lanes) {
  active_ = lanes;
  active_count_ = lanes.count();
  is_full_ = lanes == all_;
}

void Machine::set_frame(std::size_t first_cell) {
  frame_cells_ = stack_.cells.data() + first_cell * width_;
  frame_undefined_ = stack_.undefined.data() + (has_checks() ? first_cell : 0);
  frame_origins_ = stack_.origins.data() + (has_checks() ? first_cell : 0);
}

void Machine::enter(std::uint32_t function, LaneMask lanes, const Step* call) {
  const CodeFunction& code = program_.functions[function];
  Frame frame;
  frame.function = function;
  frame.tangle = lanes;
  frame.first_cell =
      frames_.empty() ? 0 : frames_.back().first_cell + program_.functions[frames_.back().function].cells;
  frame.objects = own_.mark();
  frame.call = call;
  const std::size_t needed = frame.first_cell + code.cells;
  if (stack_.cells.size() < needed * width_) stack_.resize(needed, width_, has_checks());
  if (has_checks())
    std::fill_n(stack_.undefined.begin() + static_cast<std::ptrdiff_t>(frame.first_cell), code.cells, LaneMask{});
  if (call != nullptr) {
    // The moves of arguments read the frame of the caller, and the parameters are in the new one.
    set_frame(frames_.back().first_cell);
    const std::size_t offset = frame.first_cell - frames_.back().first_cell;
    const CellCopy copy{width_, all_, true, has_checks()};
    for (std::uint32_t m = 0; m < call->c.raw; ++m) {
      const Move& move = program_.moves[call->b.raw + m];
      copy.cells(frame_cells_ + (offset + move.to.index()) * width_, cells(move.from), move.count);
      if (has_checks())
        copy.shadow(frame_undefined_ + offset + move.to.index(), frame_origins_ + offset + move.to.index(),
                    undefined(move.from), origins(move.from), move.count);
    }
  }
  set_frame(frame.first_cell);
  for (const std::uint32_t index : code.variables) {
    const ProgramVariable& variable = program_.variables[index];
    const std::uint32_t object =
        own_.add({.variable = index, .storage = variable.storage, .is_of_lane = true, .size = variable.size}, width_);
    std::fill_n(cells(variable.pointer), width_, Pointer::to(first_own + object, 0).raw);
  }
  frames_.push_back(std::move(frame));
  set_active(lanes);
  for (const std::uint32_t index : code.variables) {
    const ProgramVariable& variable = program_.variables[index];
    if (variable.initializer.is_none()) continue;
    Step step;
    step.opcode = OpStore;
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
  const bool is_entry = frame.call == nullptr;
  own_.release(frame.objects);
  frames_.pop_back();
  if (is_entry) {
    live_ = live_ - returned;
    return;
  }
  Frame& caller = frames_.back();
  set_frame(caller.first_cell);
  // Lanes that ended in the callee do not return.
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
  const CellCopy copy{width_, lanes, lanes == all_, has_checks()};
  const Move* const moves = program_.moves.data() + list.first;
  bool changes = false;
  const auto move = [&](const Move& each, const Cell* from, const LaneMask* shadow, const std::uint32_t* from_origins) {
    changes |= copy.cells(cells(each.to), from, each.count);
    if (has_checks()) copy.shadow(undefined(each.to), origins(each.to), shadow, from_origins, each.count);
  };
  if (!list.overlaps) {
    for (std::uint32_t m = 0; m < list.count; ++m) {
      const CellRef from = moves[m].from;
      move(moves[m], cells(from), has_checks() ? undefined(from) : nullptr, has_checks() ? origins(from) : nullptr);
    }
  } else {
    scratch_.cells.clear();
    scratch_.undefined.clear();
    scratch_.origins.clear();
    for (std::uint32_t m = 0; m < list.count; ++m) {
      const CellRef from = moves[m].from;
      const std::uint32_t count = moves[m].count;
      scratch_.cells.insert(scratch_.cells.end(), cells(from), cells(from) + std::size_t{count} * width_);
      if (!has_checks()) continue;
      scratch_.undefined.insert(scratch_.undefined.end(), undefined(from), undefined(from) + count);
      scratch_.origins.insert(scratch_.origins.end(), origins(from), origins(from) + count);
    }
    std::size_t at = 0;
    for (std::uint32_t m = 0; m < list.count; ++m) {
      const std::size_t shadow_at = has_checks() ? at : 0;
      move(moves[m], scratch_.cells.data() + at * width_, scratch_.undefined.data() + shadow_at,
           scratch_.origins.data() + shadow_at);
      at += moves[m].count;
    }
  }
  state_.changes += changes;
}

// Whether lanes come back to the header of a loop, and nothing has changed since they were there.
bool Machine::is_repeated(std::uint32_t header, LaneMask lanes) {
  std::vector<Iteration>& iterations = frames_.back().iterations;
  const auto last = std::ranges::find(iterations, header, &Iteration::header);
  if (last == iterations.end()) {
    iterations.push_back({header, lanes, state_.changes});
    return false;
  }
  const bool is_repeated = last->lanes == lanes && last->changes == state_.changes;
  if (!is_repeated) has_read_shared_ = false;
  *last = {header, lanes, state_.changes};
  return is_repeated;
}

bool Machine::take_edge(std::uint32_t index, LaneMask lanes) {
  if (!lanes.any()) return false;
  const Edge& edge = program_.edges[index];
  if (edge.moves.count != 0) apply_moves(edge.moves, lanes);
  Frame& frame = frames_.back();
  const CodeBlock& target = program_.blocks[program_.functions[frame.function].first_block + edge.target];
  if (edge.target <= frame.block && !target.loop.is_none()) loop_ = target.loop;
  std::vector<Waiting>& waiting = frame.waiting;
  const auto at = std::ranges::lower_bound(waiting, edge.target, {}, &Waiting::block);
  if (at != waiting.end() && at->block == edge.target) at->lanes |= lanes;
  else waiting.insert(at, {edge.target, lanes});
  return has_checks() && edge.target <= frame.block && is_repeated(edge.target, lanes);
}

// The edge of an OpSwitch for a value.
std::uint32_t Machine::case_edge(const CodeBlock& block, Cell value) const {
  const auto first = program_.cases.begin() + block.first_case, last = first + (block.edge_count - 1);
  const auto found = std::lower_bound(first, last, value);
  if (found == last || *found != value) return block.first_edge;  // the default
  return block.first_edge + 1 + static_cast<std::uint32_t>(found - first);
}

void Machine::return_value(const Step& step) {
  // The result belongs to the caller's frame.
  const Frame& frame = frames_.back();
  const Frame& caller = frames_[frames_.size() - 2];
  const std::size_t to = caller.first_cell + frame.call->result.index();
  const CellCopy copy{width_, frame.tangle, frame.tangle == all_, has_checks()};
  copy.cells(stack_.cells.data() + to * width_, cells(step.a), step.count);
  if (has_checks())
    copy.shadow(stack_.undefined.data() + to, stack_.origins.data() + to, undefined(step.a), origins(step.a),
                step.count);
}

// The lanes of the tangle are not executed any more.
void Machine::end_lanes() {
  Frame& frame = frames_.back();
  live_ = live_ - frame.tangle;
}

bool Machine::terminate(const Step& step, const CodeBlock& block) {
  Frame& frame = frames_.back();
  bool repeats = false;
  switch (step.opcode) {
    case OpBranch: repeats = take_edge(block.first_edge, frame.tangle); break;
    case OpBranchConditional: {
      if (has_checks()) require_defined(Rule::UndefinedCondition, step, 1, step.a, 1);
      LaneMask taken;
      const Cell* const condition = cells(step.a);
      for_each_lane(frame.tangle, [&](std::uint32_t lane) {
        if (condition[lane] != 0) taken.set(lane);
      });
      const LaneMask rest = frame.tangle - taken;
      repeats = take_edge(block.first_edge, taken);
      repeats |= take_edge(block.first_edge + 1, rest);
      break;
    }
    case OpSwitch: {
      if (has_checks()) require_defined(Rule::UndefinedCondition, step, 1, step.a, 1);
      const Cell* const selector = cells(step.a);
      for (LaneMask rest = frame.tangle; rest.any();) {
        const Cell value = selector[rest.lowest()];
        LaneMask taken;
        for_each_lane(rest, [&](std::uint32_t lane) {
          if (selector[lane] == value) taken.set(lane);
        });
        repeats |= take_edge(case_edge(block, value), taken);
        rest = rest - taken;
      }
      break;
    }
    case OpReturnValue: return_value(step); [[fallthrough]];
    case OpReturn: frame.returned |= frame.tangle; break;
    case OpUnreachable:
      if (begins(Rule::ExecutedUnreachable, step))
        report(Rule::ExecutedUnreachable, step, 0, frame.tangle.lowest(), {});
      end_lanes();
      break;
    default: end_lanes(); break;  // OpKill, OpTerminateInvocation
  }
  // The other lanes of the frame go on; if there are none, so does the caller.
  while (!frames_.empty() && !next_tangle()) {
    leave();
    if (!frames_.empty() && frames_.back().tangle.any()) break;
  }
  if (repeats) stopped_at_ = &step;
  return repeats;
}

Stop Machine::run() {
  while (!frames_.empty()) {
    const std::size_t depth = frames_.size();
    Frame& frame = frames_.back();
    const CodeFunction& function = program_.functions[frame.function];
    const CodeBlock& block = program_.blocks[function.first_block + frame.block];
    const Step* const steps = program_.steps.data() + block.first_step;
    const StepOperations* const first_operation = state_.operations.data() + block.first_step;
    const std::uint32_t last = block.step_count - 1;
    while (frame.step < last) {
      const Step& step = steps[frame.step++];
      ++steps_;
      work_ += 1 + step.count / cells_of_work;
      state_.invocation_steps += active_count_;
      if (step.opcode == OpFunctionCall) {
        enter(step.extra, frame.tangle, &step);
        break;
      }
      if (step.opcode == OpControlBarrier) {
        if (static_cast<Scope>(step.extra) != Scope::Workgroup) {
          note_barrier(step);
          continue;
        }
        stopped_at_ = &step;
        return Stop::Barrier;
      }
      if (step.opcode == OpMemoryBarrier) {
        note_barrier(step);
        continue;
      }
      const StepOperations& operations = first_operation[frame.step - 1];
      if (operations.check != nullptr) operations.check(*this, step);
      operations.run(*this, step);
      if (operations.mark != nullptr) operations.mark(*this, step);
    }
    if (frames_.size() != depth) continue;  // a call
    if (frames_.back().step < last) continue;
    ++steps_;
    ++work_;
    state_.invocation_steps += active_count_;
    const bool repeats = terminate(steps[last], block);
    if (work_ >= next_question_) {
      next_question_ = work_ + steps_between_questions;
      if (*state_.is_interrupted && (*state_.is_interrupted)()) return Stop::Interrupted;
    }
    if (work_ >= state_.max_steps_of_subgroup || state_.invocation_steps >= state_.max_invocation_steps) {
      stopped_at_ = &steps[last];
      return Stop::Steps;
    }
    if (repeats) return Stop::Repeating;
  }
  return Stop::Ended;
}

}  // namespace vireo::spirv
