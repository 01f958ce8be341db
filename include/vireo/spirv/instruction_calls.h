// SPDX-License-Identifier: Apache-2.0
//
// InstructionCalls: one method for each instruction, shared by Builder and Edit.
//
// The one idea: one set of methods is generated from the grammar (builder_ops.inc). An operand of a wrong kind does
// not compile. Errors that depend on values (an id of another builder, a literal that does not fit its type) are
// diagnostics. The owner of the calls determines where an instruction goes: a Builder appends it, an Edit inserts it
// at the place of the call.
//
// Types of operands and results are not checked against each other: an `OpIAdd` of two floats is accepted.
// `validate()` checks the finished module.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "vireo/spirv/detail/given_operand.h"
#include "vireo/spirv/enumerants_with.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/ext_insts.h"
#include "vireo/spirv/operand_values.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

struct CallTarget;  // src/spirv/build/call_target.h

/// The position of a call's instruction, and its result id.
struct CallSite {
  enum class Kind : std::uint8_t {
    Usual,    ///< the owner's default place for this opcode
    Before,   ///< before the instruction `place`
    After,    ///< after it
    Replace,  ///< instead of it
  };
  Word given = 0;           ///< the result id; 0: a fresh one
  std::uint32_t place = 0;  ///< index of an instruction of the module that an edit changes
  Kind kind = Kind::Usual;
};

/// The methods that add instructions. An object must not outlive the Builder or Edit that returned it.
class VIREO_API InstructionCalls {
 public:
  // --- one method for each instruction ---
  //
  // The parameters are the operands of the grammar, in its order, without the result id, which is returned. `?` is an
  // optional operand or, for a mask with parameters, an empty mask; `*` is a List. If an equal type or constant exists,
  // its id is returned and no instruction is added. There are three exceptions: the call has a reserved id, the
  // existing one is decorated, or one of the two is in a block (as OpConstantPipeStorage may be). A variable of the
  // storage class Function goes to the first block of its function, any other variable to the globals. An instruction
  // in a function keeps the OpLine at the place of its call.
#include "vireo/spirv/builder_ops.inc"

  // --- extended instructions (2.10) ---

  /// Adds an instruction of an extended set: `b.ext(GLSL_std_450::Sqrt, f32, {x})`. The first call imports the set.
  /// Sets with several versions (import_name ends with a dot) must be imported with OpExtInstImport.
  template <typename Enum>
  requires is_ext_inst_enum<Enum> ValueId ext(Enum instruction, TypeId result_type, List<OpenOperand> operands) {
    return ext(import_name(instruction), static_cast<Word>(instruction), result_type, operands);
  }
  ValueId ext(std::string_view set, Word instruction, TypeId result_type, List<OpenOperand> operands);

  // --- instructions whose opcode is not known at compile time ---

  /// Adds an instruction with this opcode. `operands` are all words of the instruction except the first word and the
  /// result id; literals are encoded as in a module. This function checks the words: ids must be from this builder and
  /// of the expected class, and enumerants must have their parameters. It also checks the operands of an extended
  /// instruction, whose set must have been imported before. Returns the result; 0 if the opcode has none or is unknown,
  /// which is reported.
  AnyId instruction(Op opcode, Words operands);

  // --- instructions with a reserved result id ---

  /// Returns calls that give this reserved id to their instruction: `b.giving(next).OpIAdd(i32, i, one)`. Operands
  /// may be made in the same expression by calls of `b`; these get ids of their own.
  [[nodiscard]] InstructionCalls giving(AnyId reserved);

 protected:
  friend class Builder;
  friend class Edit;
  /// Every method above calls this one. Returns the id of the result; 0 if there is none.
  Word call(Op opcode, IdKind result, std::initializer_list<GivenOperand> operands);
  template <typename Result>
  Result call(Op opcode, std::initializer_list<GivenOperand> operands) {
    return Result(call(opcode, Result::kind, operands));
  }
  InstructionCalls(CallTarget& target, CallSite site) : target_(&target), site_(site) {}

  CallTarget* target_;
  CallSite site_;
};

}  // namespace vireo::spirv
