// SPDX-License-Identifier: Apache-2.0
//
// Builder: makes a module by calling a method for each instruction.
//
// The one idea: calls may come in any order; the module is in the order of the specification. The builder puts each
// instruction into its section (2.4), and within functions into the open block or among the local variables. Each
// instruction has a method (instruction_calls.h), and an operand of a wrong kind does not compile. Errors that depend
// on values (an id of another builder, an instruction outside a block) are diagnostics. The builder omits such an
// instruction and continues: the call returns an id whose uses are not reported, and build() fails.
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
// Source: specification 2.2 (ids, blocks, functions), 2.3 (words), 2.4 (logical layout), 2.11 (control flow).
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

/// The contents of the header, and which types are merged.
struct VIREO_API BuilderOptions {
  Version version = {1, 6};
  Word generator = 7u << 16;  ///< in the header; by default that of the assembler
  /// Whether equal structures and arrays are declared once, as all other types are. By default they are not merged:
  /// members and strides have decorations, and two structures with equal members may be decorated differently.
  bool merge_aggregates = false;
};

/// The blocks of a loop (2.11): `header` contains OpLoopMerge, and the continue target ends with the back edge.
struct VIREO_API Loop {
  LabelId header;
  LabelId continue_target;  ///< branch to it to begin the next iteration
  LabelId merge;            ///< branch to it to leave the loop
};

/// The parts of a loop, called in this order. Each part begins in an open block. A part may end its block itself
/// (`OpBranch(loop.merge)`, OpReturn); if it does not, loop() adds the branch to the next part.
struct VIREO_API LoopParts {
  std::function<void(const Loop&)> header = {};  ///< the OpPhi of values that change between iterations; may be absent
  std::function<ValueId()> condition = {};       ///< if absent, a part must branch to merge to leave the loop
  std::function<void(const Loop&)> body = {};
  std::function<void(const Loop&)> step = {};  ///< in the continue target; may be absent
  LoopControlWith control = {};
};

/// One arm of a switch: the literals that select it, and its code. It does not fall through.
struct VIREO_API SwitchArm {
  List<Number> literals;
  std::function<void()> body;
};

struct BuilderState;  // src/spirv/build/state.h

/// Makes a module: the calls for instructions, and the functions that concern the whole module.
class VIREO_API Builder : public InstructionCalls {
 public:
  /// Faults are reported to `diagnostics`, which is borrowed.
  explicit Builder(Diagnostics& diagnostics, BuilderOptions options = {});
  ~Builder();
  Builder(Builder&&) noexcept;
  Builder& operator=(Builder&&) noexcept;

  // --- ids before their instruction ---

  /// An id whose instruction comes later: a later block, a function that is called before it is built, a value that
  /// OpPhi takes from the end of a loop. build() reports reserved ids that no instruction defines, and uses before
  /// the definition that are not permitted forward references (specification 2.4).
  template <typename SomeId>
  [[nodiscard]] SomeId reserve() {
    return SomeId(reserve_id(SomeId::kind));
  }
  /// The same for the result of an opcode known at run time only: `b.reserve_for(Op::OpLabel)`. If the opcode has no
  /// result, this is reported and the function returns 0.
  [[nodiscard]] AnyId reserve_for(Op opcode);
  /// OpLabel with a reserved id.
  void begin_block(LabelId label) { giving(label).OpLabel(); }
  /// Whether a block is open.
  [[nodiscard]] bool is_in_block() const;

  // --- structured control flow (2.11) ---
  //
  // Each of these functions ends the open block and leaves the merge block open, which all parts branch to. If no
  // block is open, this is reported once, and the parts are called nevertheless.

  void if_then(ValueId condition, const std::function<void()>& then, SelectionControl control = SelectionControl::None);
  void if_else(ValueId condition, const std::function<void()>& then, const std::function<void()>& otherwise,
               SelectionControl control = SelectionControl::None);
  void loop(const LoopParts& parts);
  /// `otherwise` may be empty: values without a literal then branch to the merge block.
  void switch_on(ValueId selector, List<SwitchArm> arms, const std::function<void()>& otherwise = {},
                 SelectionControl control = SelectionControl::None);

  // --- the whole module ---

  /// Adds the capabilities and extensions that the instructions so far need and the module does not declare
  /// (requirements.h).
  void add_requirements();

  /// Returns the module so far in the order of the specification, with its header. Reports what is unfinished: a
  /// function without OpFunctionEnd, a reserved id that is undefined or defined too late, no OpMemoryModel. Fails if
  /// this builder has reported any error, in this call or before. It may be called again after further instructions.
  [[nodiscard]] Result<WordBuffer> build();

 private:
  explicit Builder(std::unique_ptr<BuilderState> state);
  [[nodiscard]] Word reserve_id(IdKind kind);
  void end_arm(LabelId merge);

  std::unique_ptr<BuilderState> owned_;
};

}  // namespace vireo::spirv
