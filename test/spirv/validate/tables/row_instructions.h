// SPDX-License-Identifier: Apache-2.0
//
// Instructions of rows, as lists of operands to be filled from the universe, and modules that contain them.
//
// Findings have positions, so thousands of instructions share a module. A finding belongs to the
// instruction at its position, and there must be no others. The grammar gives the capabilities and extensions, once for
// each instruction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spirv/validate/tables/typing_checker.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv::test {

/// An operand with its grammar row and its typing row.
struct Slot {
  OperandShape shape = OperandShape::IdRef;
  KindId kind;
  const TypeRequirement* requirement = nullptr;  ///< nullptr: not in the row
  [[nodiscard]] bool is_value() const { return shape == OperandShape::IdRef; }
};

struct Instruction {
  std::string name;
  Op op = Op::OpNop;
  std::string_view set;  ///< of extended instructions
  Word number = 0;
  const TypingPattern* pattern = nullptr;  ///< nullptr: no row
  bool has_type = false, has_result = false;
  std::vector<Slot> slots;

  /// The word of its first slot.
  [[nodiscard]] std::uint32_t first_word() const {
    return 1u + (has_type ? 1u : 0u) + (has_result ? 1u : 0u) + (set.empty() ? 0u : 2u);
  }
  /// The execution environment and the version for the test: the newest version that has the instruction.
  [[nodiscard]] World world() const;
  [[nodiscard]] Version version() const;
  /// Whether the instruction ends a block, so that another one must begin after it.
  [[nodiscard]] bool ends_block() const;
};

/// With the required operands, and the optional ones of the row.
Instruction instruction_of(Op op, const TypingPattern* pattern);
Instruction extended_instruction(std::string_view set, std::string_view name, const TypingPattern* pattern);
/// The instructions of all rows of typing_rows() and ext_typing_rows().
std::vector<Instruction> instructions_of_rows();

/// The values for an instruction.
struct Assignment {
  std::size_t type = PlainType::none;       ///< of the result
  std::vector<const PlainValue*> operands;  ///< by slot; nullptr: no value
};

/// The findings that TypingChecker predicts, in the order of the words.
std::vector<Finding> expected_of(const Universe& universe, const Instruction& instruction,
                                 const Assignment& assignment);
/// Fills the empty slots with the first values that satisfy their requirements. False if there are none, or if a given
/// value does not satisfy its requirement.
bool fill(const Universe& universe, const Instruction& instruction, Assignment& assignment);

/// A module with one function that contains many instances of an instruction. It has entry points, or Linkage.
class TestModule {
 public:
  struct Options {
    MemoryModel memory_model = MemoryModel::Vulkan;
    AddressingModel addressing = AddressingModel::Logical;
    std::string_view environment = "spv1.6";
    Version version = {1, 6};
    std::vector<ExecutionModel> entry_points;
    std::vector<ExecutionMode> modes;  ///< of these entry points; without operands
    Scope scope = Scope::Subgroup;     ///< of each scope operand
    bool is_called = false;  ///< the entry point calls a function, which calls the function with the instances
  };
  TestModule(const Universe& universe, const Instruction& instruction, Options options);

  void add(const Assignment& assignment);

  struct Findings {
    std::vector<std::vector<Finding>> by_instance;
    std::vector<std::vector<Finding>> by_entry_point;  ///< findings at an entry point, or with a note there
    std::vector<std::string> elsewhere;                ///< rules and messages
  };
  [[nodiscard]] Findings findings() const;

 private:
  [[nodiscard]] WordBuffer words(Words declared) const;
  [[nodiscard]] WordBuffer requirements() const;

  const Universe& universe_;
  const Instruction& instruction_;
  Options options_;
  WordBuffer body_;
  std::vector<std::size_t> begins_;  // of each instance, in the body
  Word next_id_;
};

}  // namespace vireo::spirv::test
