// SPDX-License-Identifier: Apache-2.0
//
// Instructions that rows name, as lists of operands to be filled from the universe, and the modules they are put in.
//
// The one idea: findings have places, so thousands of instructions share a module: each is told what the findings say
// that point into it, and nothing may point elsewhere. Capabilities and extensions are asked of the grammar, once for an
// instruction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spirv/validate/tables/turned_judge.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/grammar.h"

namespace vireo::spirv::test {

/// An operand as the grammar and the row have it.
struct Slot {
  OperandShape shape = OperandShape::IdRef;
  KindId kind;
  const TypeDemand* demand = nullptr;  ///< nullptr: the row says nothing of it
  [[nodiscard]] bool is_value() const { return shape == OperandShape::IdRef; }
};

struct Instruction {
  std::string name;
  Op op = Op::OpNop;
  std::string_view set;  ///< of extended ones
  Word number = 0;
  const TypingPattern* pattern = nullptr;  ///< nullptr: no row
  bool has_type = false, has_result = false;
  std::vector<Slot> slots;

  /// The word of its first slot.
  [[nodiscard]] std::uint32_t first_word() const {
    return 1u + (has_type ? 1u : 0u) + (has_result ? 1u : 0u) + (set.empty() ? 0u : 2u);
  }
  /// Where it can be tried, and in which version: the newest that has it.
  [[nodiscard]] World world() const;
  [[nodiscard]] Version version() const;
  /// Whether another block has to begin behind it.
  [[nodiscard]] bool ends_block() const;
};

/// With the operands that must stand there, and the optional ones that the row speaks of.
Instruction instruction_of(Op op, const TypingPattern* pattern);
Instruction extended_instruction(std::string_view set, std::string_view name, const TypingPattern* pattern);
/// Of every row of typing_rows() and ext_typing_rows().
std::vector<Instruction> instructions_of_rows();

/// What an instruction is filled with.
struct Assignment {
  std::size_t type = PlainType::none;       ///< of the result
  std::vector<const PlainValue*> operands;  ///< by slot; nullptr: no value stands there
};

/// What the second judge expects, in the order of the words.
std::vector<Told> expected_of(const Universe& universe, const Instruction& instruction, const Assignment& assignment);
/// The first values that meet the demands on the slots that are not filled. False: there are none, or what is filled
/// does not meet them.
bool fill(const Universe& universe, const Instruction& instruction, Assignment& assignment);

/// A module with one function that is full of an instruction. Entry points lead there, or none: then it is linked.
class TurnedModule {
 public:
  struct Options {
    MemoryModel memory_model = MemoryModel::Vulkan;
    AddressingModel addressing = AddressingModel::Logical;
    std::string_view environment = "spv1.6";
    Version version = {1, 6};
    std::vector<ExecutionModel> entry_points;
    std::vector<ExecutionMode> modes;  ///< of these entry points; without operands
    Scope scope = Scope::Subgroup;     ///< of whatever has one
    bool is_called = false;            ///< the entry points are of a function that calls another, which calls that one
  };
  TurnedModule(const Universe& universe, const Instruction& instruction, Options options);

  void add(const Assignment& assignment);

  struct Findings {
    std::vector<std::vector<Told>> by_instance;
    std::vector<std::vector<Told>> by_entry_point;  ///< findings at an entry point, or with a note there
    std::vector<std::string> elsewhere;             ///< rules and messages
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
