// SPDX-License-Identifier: Apache-2.0
//
// Machine: executes the invocations of one subgroup in lockstep.
//
// Each step applies to all lanes of the current tangle: the invocations that execute one dynamic instance. At a branch
// the tangle may split; the lanes that wait at the first block in structural order run next, so they meet again at the
// merge block (maximal reconvergence). A machine stops at a barrier and continues when its owner says so.
//
// With checks, each cell has a shadow: the lanes in which its value is undefined, and the step that made it so. Undefined
// values move freely; a finding is reported where the execution depends on one.
//
// Source: specification 2.11 (control flow); SPV_KHR_maximal_reconvergence; 2.18 (undefined values).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "spirv/execute/images/image.h"
#include "spirv/execute/machine/lanes.h"
#include "spirv/execute/memory/objects.h"
#include "spirv/execute/program/program.h"
#include "spirv/execute/races/race_detector.h"
#include "spirv/execute/report/run_report.h"

namespace vireo::spirv {

using Cell = std::uint64_t;

/// Why a machine stopped.
enum class Stop : std::uint8_t {
  Ended,        ///< all lanes returned or ended
  Barrier,      ///< the current tangle is at a control barrier of the workgroup
  Repeating,    ///< an iteration of a loop changed nothing: only another machine can end it
  Steps,        ///< the limit of steps is reached
  Interrupted,  ///< RunOptions::is_interrupted returned true
};

class Machine;
using StepFunction = void(Machine& machine, const Step& step);
/// What is done for a step: checks of its operands, the operation, and the shadow of its result. Only the operation is
/// never null.
struct StepOperations {
  StepFunction* run = nullptr;
  StepFunction* check = nullptr;
  StepFunction* mark = nullptr;
};

/// What all machines of a dispatch share.
struct RunState {
  Objects& objects;                                               ///< that several invocations share
  std::span<const StepOperations> operations = {};                ///< by step of the program
  RunReport* report = nullptr;                                    ///< nullptr: no checks
  const Function<void(const PrintedLine&)>* print = nullptr;      ///< never null; may be empty
  const Function<bool()>* is_interrupted = nullptr;               ///< never null; may be empty
  const std::vector<std::uint32_t>* descriptor_counts = nullptr;  ///< by variable
  const RunResources* resources = nullptr;                        ///< never null
  RaceDetector* races = nullptr;                                  ///< nullptr: races are not reported
  Robustness robustness = Robustness::Off;
  std::array<std::uint32_t, 3> group_count = {1, 1, 1};
  std::uint64_t seed_bits = 0;         ///< of undefined values
  std::uint64_t changes = 0;           ///< of memory and of loop variables
  std::uint64_t invocation_steps = 0;  ///< one for each active invocation of a step
  std::uint64_t max_invocation_steps = 0;
  std::uint64_t max_steps_of_subgroup = 0;
};

/// The invocations of a machine.
struct LanePlaces {
  std::array<std::uint32_t, 3> group = {}, group_size = {1, 1, 1};
  std::uint32_t first = 0;  ///< LocalInvocationIndex of lane 0
  [[nodiscard]] std::array<std::uint32_t, 3> local(std::uint32_t lane) const;
  [[nodiscard]] std::array<std::uint32_t, 3> global(std::uint32_t lane) const;
};

/// Ranges of cells with their shadow. Cells of lane 0 … width - 1 are contiguous.
struct CellBank {
  std::vector<Cell> cells;
  std::vector<LaneMask> undefined;     ///< by cell; empty without checks
  std::vector<std::uint32_t> origins;  ///< by cell: the instruction that made it undefined, plus 1
  void resize(std::size_t count, std::uint32_t width, bool has_shadow);
};

/// A step's access to memory.
struct MemoryPlace {
  std::byte* bytes = nullptr;  ///< nullptr: the access leaves the object, or there is none
  Object* object = nullptr;
  std::uint64_t at = 0;  ///< offset in the memory of all lanes
  [[nodiscard]] ByteState* shadow() const { return object->shadow == nullptr ? nullptr : object->shadow + at; }
};

class Machine {
 public:
  /// `width`: the size of the subgroup. The program and the state are borrowed.
  Machine(const Program& program, RunState& state, std::uint32_t width);

  /// The cells of constants, of pointers to variables. Set before start().
  [[nodiscard]] CellBank& module_cells() { return module_; }
  /// Starts the entry point with these lanes.
  void start(const LanePlaces& places, LaneMask lanes);
  Stop run();

  // For the owner.
  [[nodiscard]] const Step* barrier() const { return stopped_at_; }
  /// Whether the repeated loop read memory that other invocations can write.
  [[nodiscard]] bool has_read_shared() const { return has_read_shared_; }
  /// The step that stopped the machine; in a loop, with the place of its OpLoopMerge, which is the line of the loop.
  [[nodiscard]] Step stopped_step() const {
    Step step = *stopped_at_;
    if (!loop_.is_none()) step.source = loop_;
    return step;
  }
  void note_shared_read() { has_read_shared_ = true; }
  [[nodiscard]] bool has_ended_lanes() const { return !(live_ == started_); }
  /// Whether all lanes that are still executed are in the current tangle.
  [[nodiscard]] bool is_converged() const { return active_ == live_; }
  /// The lowest lane that is executed, but not in the tangle; or else one that has ended.
  [[nodiscard]] std::uint32_t absent_lane() const;
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  // For the operations.
  [[nodiscard]] Cell* cells(CellRef ref) { return bank_cells(ref) + std::size_t{ref.index()} * width_; }
  /// Only with checks.
  [[nodiscard]] LaneMask* undefined(CellRef ref) {
    return (ref.is_of_module() ? module_.undefined.data() : frame_undefined_) + ref.index();
  }
  [[nodiscard]] std::uint32_t* origins(CellRef ref) {
    return (ref.is_of_module() ? module_.origins.data() : frame_origins_) + ref.index();
  }
  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] LaneMask active() const { return active_; }
  [[nodiscard]] bool is_full() const { return is_full_; }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] RunState& state() { return state_; }
  [[nodiscard]] bool has_checks() const { return state_.report != nullptr; }
  [[nodiscard]] const LanePlaces& places() const { return places_; }
  /// The objects of this machine's invocations; their numbers in pointers begin at `first_own`.
  static constexpr std::uint32_t first_own = 1u << 23;
  [[nodiscard]] Objects& own_objects() { return own_; }
  [[nodiscard]] Object* find(Pointer pointer) {
    if (pointer.object() >= first_own) return own_.find(Pointer::to(pointer.object() - first_own, 0));
    return state_.objects.find(pointer);
  }
  /// The number of descriptors that are bound for the variable of an object.
  [[nodiscard]] std::uint64_t bound_descriptors(const Object& object) const {
    return (*state_.descriptor_counts)[object.variable];
  }
  [[nodiscard]] Objects& owner_of(const Object& object) { return object.is_of_lane ? own_ : state_.objects; }
  /// A value for bits that no instruction defines.
  [[nodiscard]] Cell arbitrary(CellType type) const;

  // --- findings (findings.cpp); all do nothing without checks ---

  /// Whether this occurrence is the first one of its rule and instruction. The others are only counted.
  bool begins(Rule rule, const Step& step) { return has_checks() && state_.report->begins(rule, step.source); }
  /// Reports the finding that begins() announced, with a note about the lane. `word`: the operand's offset, 0 for none.
  void report(Rule rule, const Step& step, std::uint16_t word, std::uint32_t lane, Arguments arguments);
  /// Compares an access to memory that other invocations can reach with theirs (races.cpp).
  void note_access(const Step& step, const MemoryPlace& place, std::uint32_t size, std::uint32_t lane, bool is_write,
                   bool keeps_value) {
    if (state_.races != nullptr && !place.object->is_of_lane)
      note_shared(step, place, size, lane, is_write, keeps_value);
  }
  /// The same for an atomic operation, with its effect on the order of others.
  void note_atomic(const Step& step, const MemoryPlace& place, std::uint32_t size, std::uint32_t lane, bool is_read,
                   bool is_write);
  /// An access to a texel.
  void note_texel(const Step& step, const MemoryPlace& place, std::uint32_t size, std::uint32_t lane, bool is_write);
  /// A memory barrier, or a control barrier of the subgroup, of the active lanes.
  void note_barrier(const Step& step);
  /// Reports that the execution depends on a cell that is undefined in a lane, and defines it.
  void report_undefined(Rule rule, const Step& step, std::uint16_t word, CellRef cell, std::uint32_t lane);
  /// For each active lane in which one of the cells is undefined: reports the rule once, and defines them all.
  void require_defined(Rule rule, const Step& step, std::uint16_t word, CellRef first, std::uint32_t count);

 private:
  // Lanes that wait at a block.
  struct Waiting {
    std::uint32_t block;  // position in its function
    LaneMask lanes;
  };
  // The last time that lanes came back to the header of a loop.
  struct Iteration {
    std::uint32_t header;
    LaneMask lanes;
    std::uint64_t changes;
  };
  struct Frame {
    std::uint32_t function = 0;
    std::uint32_t block = 0, step = 0;  // of the current tangle; `step` counts within the block
    LaneMask tangle;                    // that execute the current block
    std::vector<Waiting> waiting;       // ascending by block
    std::vector<Iteration> iterations;
    std::size_t first_cell = 0;  // in stack_
    Objects::Mark objects;       // before the call
    const Step* call = nullptr;  // in the caller; nullptr for the entry point
    LaneMask returned;
  };

  [[nodiscard]] Cell* bank_cells(CellRef ref) { return ref.is_of_module() ? module_.cells.data() : frame_cells_; }
  void enter(std::uint32_t function, LaneMask lanes, const Step* call);
  void leave();
  bool next_tangle();
  void set_active(LaneMask lanes);
  void set_frame(std::size_t first_cell);
  /// Returns whether an iteration changed nothing.
  bool take_edge(std::uint32_t index, LaneMask lanes);
  bool is_repeated(std::uint32_t header, LaneMask lanes);
  void apply_moves(const MoveList& list, LaneMask lanes);
  bool terminate(const Step& step, const CodeBlock& block);
  [[nodiscard]] std::uint32_t case_edge(const CodeBlock& block, Cell value) const;
  void return_value(const Step& step);
  void end_lanes();
  void note_shared(const Step& step, const MemoryPlace& place, std::uint32_t size, std::uint32_t lane, bool is_write,
                   bool keeps_value);
  void report_race(const Step& step, const MemoryPlace& place, std::uint32_t lane, const RaceFound& found);

  const Program& program_;
  RunState& state_;
  std::uint32_t width_;
  LanePlaces places_;
  Objects own_;
  CellBank module_, stack_, scratch_;
  Cell* frame_cells_ = nullptr;
  LaneMask* frame_undefined_ = nullptr;
  std::uint32_t* frame_origins_ = nullptr;
  std::vector<Frame> frames_;
  LaneMask all_, started_, live_, active_;
  std::uint32_t active_count_ = 0;
  bool is_full_ = false;
  const Step* stopped_at_ = nullptr;
  std::uint64_t steps_ = 0;
  std::uint64_t work_ = 0, next_question_ = 0;
  InstructionIndex loop_ = InstructionIndex::none();  // of the last branch to the header of a loop
  bool has_read_shared_ = false;
};

}  // namespace vireo::spirv
