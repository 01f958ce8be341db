// SPDX-License-Identifier: Apache-2.0
//
// Builder: makes a module by calling a method for each instruction.
//
// The one idea: calls may come in any order, the module comes out in the order of the specification. Each instruction
// goes to its section (2.4); within functions it goes where functions, blocks and local variables stand. There is one
// method for each instruction (instruction_calls.h), and a wrong kind of operand does not compile;
// what only values can tell (an id from elsewhere, an instruction outside of blocks) is a diagnostic, the instruction is
// left out, and the builder goes on: the call gives an id all the same, of which nothing more is reported, and build()
// fails in the end.
//
//   Diagnostics diagnostics;
//   Builder b(diagnostics);
//   b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
//   const TypeId nothing = b.OpTypeVoid();
//   const FunctionId main = b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing, {}));
//   b.OpLabel();
//   b.OpReturn();
//   b.OpFunctionEnd();
//   b.OpEntryPoint(ExecutionModel::GLCompute, main, "main", {});
//   b.OpExecutionMode(main, ExecutionModeWith::LocalSize(64, 1, 1));
//   b.add_requirements();  // OpCapability Shader
//   Result<WordBuffer> words = b.build();
//
// Source: specification 2.2 (ids, blocks, functions), 2.3 (words), 2.4 (logical layout), 2.11 (structured control flow).
#pragma once

#include <functional>
#include <memory>

#include "vireo/spirv/enumerants_with.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/instruction_calls.h"
#include "vireo/spirv/operand_values.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// What the header says, and which types are declared once only.
struct VIREO_API BuilderOptions {
  Version version = {1, 6};
  Word generator = 7u << 16;  ///< of the header; the default is that of the assembler
  /// Whether equal structures and arrays are declared once, as all other types are. By default they are not: members
  /// and strides are decorated, and two structures with the same members are two types.
  bool merge_aggregates = false;
};

/// The blocks of a loop (2.11): `header` holds OpLoopMerge, the continue target ends with the branch back.
struct VIREO_API Loop {
  LabelId header;
  LabelId continue_target;  ///< branch there to begin the next turn
  LabelId merge;            ///< branch there to leave
};

/// What a loop does, in parts that are called in this order. Each part begins in an open block. A part may end the block
/// it is in (`OpBranch(loop.merge)`, OpReturn); where it does not, the loop goes on as usual.
struct VIREO_API LoopParts {
  std::function<void(const Loop&)> header = {};  ///< OpPhi of what changes from turn to turn; may be absent
  std::function<ValueId()> condition = {};       ///< absent: the loop ends where a part branches to merge
  std::function<void(const Loop&)> body = {};
  std::function<void(const Loop&)> step = {};  ///< in the continue target; may be absent
  LoopControlWith control = {};
};

/// One arm of a switch: the literals that lead there, and what it does. It does not fall through.
struct VIREO_API SwitchArm {
  List<Number> literals;
  std::function<void()> body;
};

struct BuilderState;  // src/spirv/build/state.h

/// Makes a module: the calls, and what belongs to the module as a whole.
class VIREO_API Builder : public InstructionCalls {
 public:
  /// Faults are reported to `diagnostics`, which is borrowed.
  explicit Builder(Diagnostics& diagnostics, BuilderOptions options = {});
  ~Builder();
  Builder(Builder&&) noexcept;
  Builder& operator=(Builder&&) noexcept;

  // --- ids ahead of their instruction ---

  /// An id that an instruction will be given later: of a block further down, a function that is called before it is
  /// built, a value that OpPhi takes from the end of a loop. build() reports ids that no instruction was given, and those
  /// whose instruction stands below a use that may not look ahead (specification 2.4).
  template <typename SomeId>
  [[nodiscard]] SomeId reserve() {
    return SomeId(reserve_id(SomeId::kind));
  }
  /// The same for the result of an opcode that is known at run time only: `b.reserve_for(Op::OpLabel)`. 0 for an opcode
  /// without a result, which is reported.
  [[nodiscard]] AnyId reserve_for(Op opcode);
  /// OpLabel with a reserved id.
  void begin_block(LabelId label) { giving(label).OpLabel(); }
  /// Whether instructions can be added to a block now.
  [[nodiscard]] bool is_in_block() const;

  // --- structured control flow (2.11) ---
  //
  // Each ends the open block, and leaves open the merge block, in which all parts join again. Where no block is open,
  // that is reported once, and the parts are called all the same.

  void if_then(ValueId condition, const std::function<void()>& then, SelectionControl control = SelectionControl::None);
  void if_else(ValueId condition, const std::function<void()>& then, const std::function<void()>& otherwise,
               SelectionControl control = SelectionControl::None);
  void loop(const LoopParts& parts);
  /// `otherwise` may be empty: values that no literal names then lead past the switch.
  void switch_on(ValueId selector, List<SwitchArm> arms, const std::function<void()>& otherwise = {},
                 SelectionControl control = SelectionControl::None);

  // --- the whole ---

  /// Adds the capabilities and extensions that the instructions so far need and that are not there (requirements.h).
  void add_requirements();

  /// The module so far, laid out, with its header. Reports what is unfinished: a function without an end, an id that was
  /// reserved in vain or given too late, no OpMemoryModel. Fails if anything was reported by this builder, now or before.
  /// May be called again when more was added.
  [[nodiscard]] Result<WordBuffer> build();

 private:
  explicit Builder(std::unique_ptr<BuilderState> state);
  [[nodiscard]] Word reserve_id(IdKind kind);
  void end_arm(LabelId merge);

  std::unique_ptr<BuilderState> owned_;
};

}  // namespace vireo::spirv
