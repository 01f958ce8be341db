// SPDX-License-Identifier: Apache-2.0
//
// InstructionCalls: one method for each instruction, shared by Builder and Edit.
//
// The methods are generated from the grammar (builder_ops.inc). An operand of a wrong kind does not
// compile. Errors that depend on values (an id of another builder, a literal that does not fit its type) are
// diagnostics. A Builder appends the instruction to its section or block; an Edit inserts it at a given position.
//
// The types of operands and results are not checked: an `OpIAdd` of two floats is accepted. validate() checks the
// finished module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "vireo/spirv/binary/operand_values.h"
#include "vireo/spirv/build/enumerants_with.h"
#include "vireo/spirv/build/operand_argument.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/ext_insts.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

struct CallTarget;  // src/spirv/build/call_target.h

/// For use inside the library: the position of the instruction that a call adds, and its result id.
struct CallSite {
  enum class Kind : std::uint8_t {
    Usual,    ///< the default position of the opcode in a Builder or Edit
    Before,   ///< before the instruction `place`
    After,    ///< after the instruction `place`
    Replace,  ///< in place of the instruction `place`
  };
  Word given = 0;           ///< the result id; 0: a new id
  std::uint32_t place = 0;  ///< for an Edit: index of an instruction of the module
  Kind kind = Kind::Usual;
};

/// The methods that add instructions. An object of this class must not outlive the Builder or Edit that returned it.
class VIREO_API InstructionCalls {
 public:
  // --- one method for each instruction ---
  //
  // The parameters are the operands of the grammar, in its order, except the result id, which the method returns. The
  // parameter of an optional operand (`?`) is a std::optional or, for a mask with parameters, a mask that may be empty.
  // The parameter of a repeated operand (`*`) is a List.
  //
  // At most one argument may be a call that adds an instruction: C++ does not define which argument is evaluated first
  // (builder.h). The elements of one braced list are evaluated in their order.
  //
  // If an equal type or constant exists, the method returns its id and adds no instruction. Exceptions: structures and
  // arrays (BuilderOptions::merge_aggregates), specialization constants, and calls with a reserved id. A declaration
  // with decorations is not reused, and neither is one inside a block (as OpConstantPipeStorage may be).
  //
  // A variable of storage class Function goes to the first block of its function, any other variable to the globals. In
  // a Builder, the OpLine in effect at the call also applies to a local variable that moves to the first block.
#include "vireo/spirv/build/builder_ops.inc"

  // --- extended instructions (2.10) ---

  /// Adds an instruction of an extended set and returns its result: `b.ext(GLSL_std_450::Sqrt, f32, {x})`. The first
  /// call imports the set. Before the first call for a set with several versions (its import_name() ends with a dot),
  /// import one version with OpExtInstImport.
  template <typename Enum>
  requires is_ext_inst_enum<Enum> ValueId ext(Enum instruction, TypeId result_type, List<OpenOperand> operands) {
    return ext(import_name(instruction), static_cast<Word>(instruction), result_type, operands);
  }
  ValueId ext(std::string_view set, Word instruction, TypeId result_type, List<OpenOperand> operands);

  // --- instructions whose opcode is not known at compile time ---

  /// Adds an instruction with this opcode. `operands` are all words of the instruction except the first word and the
  /// result id, encoded as in a module. Returns the result id; 0 if the opcode has no result. Reports an error if the
  /// opcode is unknown, if an id is of another builder or of a wrong class, or if an enumerant lacks a parameter.
  /// OpExtInst: the set must have been imported before, and the operands must match its instruction.
  AnyId instruction(Op opcode, Words operands);

  // --- instructions with a reserved result id ---

  /// Returns methods whose next instruction has this reserved id as its result: `b.giving(next).OpIAdd(i32, i, one)`.
  /// Operands in the same expression may be calls of `b`; those calls return new ids.
  [[nodiscard]] InstructionCalls giving(AnyId reserved);

  // --- the place of an error ---

  /// The number of instructions that calls have added to the Builder or Edit, or tried to add, so far; ext() and the
  /// calls for if, loop and switch count each of their instructions. Each error of a call has a note with this number:
  /// to stop a debugger at the call, compare the number before it.
  [[nodiscard]] std::size_t call_count() const;

 protected:
  friend class Builder;
  friend class Edit;
  /// All methods above call this function. Returns the result id; 0 if the opcode has no result.
  Word call(Op opcode, IdKind result, std::initializer_list<OperandArgument> operands);
  template <typename Result>
  Result call(Op opcode, std::initializer_list<OperandArgument> operands) {
    return Result(call(opcode, Result::kind, operands));
  }
  InstructionCalls(CallTarget& target, CallSite site) : target_(&target), site_(site) {}

  CallTarget* target_;
  CallSite site_;
};

}  // namespace vireo::spirv
