// SPDX-License-Identifier: Apache-2.0
//
// Builder: creates a module; each instruction is one call of a method.
//
// Methods may be called in any order; the module has the order of the specification. The builder puts
// each instruction into its section (2.4); in a function, into the open block or among the local variables. Each
// instruction has a method (instruction_calls.h), and an operand of a wrong kind does not compile. Errors that depend
// on values (an id of another builder, an instruction outside a block) are diagnostics, with the number of the call in a
// note (call_count()). The builder omits such an instruction and continues: the call returns an id whose uses are not
// reported, and build() fails.
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
// Calls as arguments: C++ does not define which argument of a call is evaluated first, so at most one argument may be a
// call that adds an instruction to a block. Otherwise the order of the instructions depends on the compiler:
//
//   b.OpFAdd(f32, b.OpLoad(f32, x), b.OpLoad(f32, y));                                // gcc loads y first, clang x
//   const ValueId a = b.OpLoad(f32, x), c = b.OpLoad(f32, y); b.OpFAdd(f32, a, c);    // x, y
//   b.OpCompositeConstruct(vec2, {b.OpLoad(f32, x), b.OpLoad(f32, y)});               // x, y: braces have an order
//
// Source: specification 2.2 (ids, blocks, functions), 2.3 (words), 2.4 (logical layout), 2.11 (control flow).
#pragma once

#include "vireo/spirv/binary/operand_values.h"
#include "vireo/spirv/build/enumerants_with.h"
#include "vireo/spirv/build/instruction_calls.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"
#include "vireo/support/owned.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The contents of the header, and whether equal structures and arrays are merged.
struct VIREO_API BuilderOptions {
  Version version = {1, 6};
  /// Generator word of the header: in the high half the number of your tool in the registry of SPIR-V, in the low half
  /// its version. 0 (2.3: "allowed to be 0") states no tool: Vireo is a library and has no number.
  Word generator = 0;
  /// Whether a second declaration of an equal structure or array returns the id of the first one, as for all other
  /// types. By default each call declares a new type, because equal structures may be decorated differently.
  bool merge_aggregates = false;
};

/// The blocks of a loop (2.11): `header` contains OpLoopMerge, and the continue target ends with the back edge.
struct VIREO_API Loop {
  LabelId header;
  LabelId continue_target;  ///< a branch to it begins the next iteration
  LabelId merge;            ///< a branch to it leaves the loop
};

/// The parts of a loop. loop() calls them in this order, each with an open block. A part may end its block itself
/// (`OpBranch(loop.merge)`, OpReturn); otherwise loop() adds the branch to the next part. Each part may be absent.
struct VIREO_API LoopParts {
  Function<void(const Loop&)> header = {};  ///< adds OpPhi instructions for values that change between iterations
  Function<ValueId()> condition = {};       ///< if absent, the body or the step must branch to the merge block
  Function<void(const Loop&)> body = {};
  Function<void(const Loop&)> step = {};  ///< in the continue target, before the back edge
  LoopControlWith control = {};
};

/// One arm of a switch: the literals that select it, and a function that adds its instructions. Arms do not fall
/// through.
struct VIREO_API SwitchArm {
  List<Number> literals;
  Function<void()> body;
};

struct BuilderState;  // src/spirv/build/state.h

/// Builds one module. The base class has a method for each instruction; this class adds reserved ids, structured
/// control flow and the finished module. Not thread-safe.
class VIREO_API Builder : public InstructionCalls {
 public:
  /// Errors are reported to `diagnostics`, which is borrowed and must outlive the builder.
  explicit Builder(Diagnostics& diagnostics, BuilderOptions options = {});
  ~Builder();
  Builder(Builder&&) noexcept;
  Builder& operator=(Builder&&) noexcept;

  // --- ids before their instruction ---

  /// Returns an id for the result of a later instruction; giving() passes it to that instruction. Examples are a later
  /// block, a function that is called before it is built, and a value from the end of a loop for OpPhi. build() reports
  /// reserved ids that no instruction defines. It also reports uses before the definition that are not permitted
  /// forward references (specification 2.4).
  template <typename SomeId>
  [[nodiscard]] SomeId reserve() {
    return SomeId(reserve_id(SomeId::kind));
  }
  /// Returns an id for a later instruction with this opcode, if the class of the id is known only at run time. If the
  /// opcode has no result, reports an error and returns 0.
  [[nodiscard]] AnyId reserve_for(Op opcode);
  /// Adds OpLabel with a reserved id.
  void begin_block(LabelId label) { giving(label).OpLabel(); }
  /// Whether a block is open.
  [[nodiscard]] bool is_in_block() const;

  // --- structured control flow (2.11) ---
  //
  // Each of these functions ends the open block, calls the parts, and opens the merge block. If a part leaves
  // its block open, the function adds the branch that the construct needs. If no block is open at the start, the
  // function reports one error and calls the parts nevertheless.

  void if_then(ValueId condition, const Function<void()>& then, SelectionControl control = SelectionControl::None);
  void if_else(ValueId condition, const Function<void()>& then, const Function<void()>& otherwise,
               SelectionControl control = SelectionControl::None);
  void loop(const LoopParts& parts);
  /// `otherwise` is the default arm. If it is empty, the merge block is the default target.
  void switch_on(ValueId selector, List<SwitchArm> arms, const Function<void()>& otherwise = {},
                 SelectionControl control = SelectionControl::None);

  // --- the whole module ---

  /// Adds the missing capabilities and extensions: those that the instructions so far need and the module does not
  /// declare (requirements.h).
  void add_requirements();

  /// Returns the words of the module so far, with its header, in host byte order. Fails if this builder has reported
  /// any error, in this call or before. Errors: a function without OpFunctionEnd, a block without a terminator, no
  /// OpMemoryModel, a reserved id that is undefined or defined too late. May be called again after further
  /// instructions.
  [[nodiscard]] Result<WordBuffer> build();

 private:
  explicit Builder(BuilderState* state);  ///< takes ownership
  [[nodiscard]] Word reserve_id(IdKind kind);
  void end_arm(LabelId merge);

  Owned<BuilderState> owned_;
};

}  // namespace vireo::spirv
