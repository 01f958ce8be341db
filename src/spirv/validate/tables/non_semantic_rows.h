// SPDX-License-Identifier: Apache-2.0
//
// The row format for non-semantic instructions: debug information and reflection.
//
// Each id has exactly one class, such as result of an instruction of the same set, string, constant or
// variable. An operand accepts a set of classes. A row lists a named set for each operand, and one loop checks all
// rows. Messages print the name of the set. The role of an operand is an additional requirement on its value.
//
//   {Debug::DebugTypedef, {string, type, source, line, column, scope}}
//
// Sources: "OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo", "NonSemantic.ClspvReflection",
// "NonSemantic.Graph.DebugInfo", each section 3 or 4; SPV_KHR_non_semantic_info.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace vireo::spirv {

/// The class of an id that is not the result of an instruction of the same set, as bits of OperandRequirement::things.
enum OperandClassBits : std::uint16_t {
  StringThing = 1,
  VoidThing = 2,         ///< OpTypeVoid
  Unsigned32Thing = 4,   ///< an OpConstant of a 32-bit unsigned integer type
  Int64Thing = 8,        ///< an OpConstant of a 64-bit integer type, signed or not
  SpecIntThing = 16,     ///< an integer specialization constant of another type than SpecInt32Thing
  BoolThing = 32,        ///< OpConstantTrue and OpConstantFalse
  ConstantThing = 64,    ///< any other constant
  VariableThing = 128,   ///< a variable, typed or not
  ParameterThing = 256,  ///< of a function
  FunctionThing = 512,
  GraphThing = 1024,
  ValueThing = 2048,       ///< any other value
  Signed32Thing = 4096,    ///< an OpConstant of a 32-bit signed integer type
  OtherIntThing = 8192,    ///< an OpConstant of an integer type with another width
  SpecInt32Thing = 16384,  ///< a specialization constant of a 32-bit unsigned integer type
  AnyThing = 0xFFFF,
};

/// The requirement on an operand's value, or its relation to other operands.
enum class Role : std::uint8_t {
  None,
  Source,
  Line,      ///< of the preceding source operand
  Column,    ///< of the preceding line operand
  Count,     ///< of components or columns
  Positive,  ///< a number that is not 0
  Length,    ///< of an array
  Index,     ///< an integer
  Record,    ///< a DebugTypeComposite that is a class or a structure
};

/// The ids that one operand accepts. The grammar states whether the operand is optional.
struct OperandRequirement {
  std::string_view noun;  ///< the name of the expected operand, for messages
  std::uint64_t own = 0;  ///< instructions of the same set (own_bit)
  std::uint16_t things = 0;
  Role role = Role::None;
  std::uint8_t since = 0;  ///< version of the set that added the operand
  bool repeats = false;    ///< this operand and those after it repeat any number of times

  /// The same requirement with a role.
  [[nodiscard]] constexpr OperandRequirement as(Role the_role) const {
    OperandRequirement requirement = *this;
    requirement.role = the_role;
    return requirement;
  }
  [[nodiscard]] constexpr OperandRequirement from(std::uint8_t version) const {
    OperandRequirement requirement = *this;
    requirement.since = version;
    return requirement;
  }
  [[nodiscard]] constexpr OperandRequirement repeated() const {
    OperandRequirement requirement = *this;
    requirement.repeats = true;
    return requirement;
  }
};

/// The bit of an instruction in OperandRequirement::own. Sets number their instructions from 0, and later additions
/// from 101 on.
constexpr std::uint32_t folded(std::uint32_t number) { return number < 64 ? number : number - 60; }
constexpr std::uint64_t own_bit(std::uint32_t number) {
  return folded(number) < 64 ? std::uint64_t{1} << folded(number) : 0;
}
template <typename... Insts>
constexpr std::uint64_t own_bits(Insts... insts) {
  return (own_bit(static_cast<std::uint32_t>(insts)) | ...);
}

/// The operands of one instruction of a set.
struct NonSemanticRow {
  static constexpr std::size_t most_operands = 11;
  std::uint32_t number = 0;
  std::uint8_t since = 0;  ///< version of the set that added the instruction
  std::uint8_t operand_count = 0;
  std::array<OperandRequirement, most_operands> operands{};

  template <typename Inst>
  consteval NonSemanticRow(Inst inst, std::initializer_list<OperandRequirement> demands, std::uint8_t first_version = 0)
      : number(static_cast<std::uint32_t>(inst)), since(first_version) {
    for (const OperandRequirement& requirement : demands) operands[operand_count++] = requirement;
  }
};

/// The rows of each set. The two debug sets have their own rows and a table of shared rows.
std::span<const NonSemanticRow> shared_debug_rows();
std::span<const NonSemanticRow> opencl_debug_rows();
std::span<const NonSemanticRow> shader_debug_rows();
std::span<const NonSemanticRow> graph_debug_rows();
std::span<const NonSemanticRow> reflection_rows();

}  // namespace vireo::spirv
