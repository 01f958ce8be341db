// SPDX-License-Identifier: Apache-2.0
//
// The language of rows for instructions that only describe a module: debug information and reflection.
//
// The one idea: an id is exactly one thing, the result of an instruction of the same set, or a string, or a constant, or a
// variable. An operand takes a set of things. So a row lists, operand by operand, named sets of things; one loop serves
// all rows, and what is printed is the name of the set. What an operand's value has to be beside that, its role says.
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

#include "spirv/validate/checks/extended_sets/extended_sets.h"
#include "spirv/validate/engine/context.h"
#include "vireo/spirv/views/extension.h"

namespace vireo::spirv {

/// What an id is when it is no instruction of the same set, as bits of OperandDemand::things.
enum ThingBits : std::uint16_t {
  StringThing = 1,
  VoidThing = 2,         ///< OpTypeVoid
  Unsigned32Thing = 4,   ///< an OpConstant of a 32-bit unsigned integer type
  Int64Thing = 8,        ///< the same of 64 bits, signed or not
  SpecIntThing = 16,     ///< an integer that specialization may change
  BoolThing = 32,        ///< OpConstantTrue and OpConstantFalse
  ConstantThing = 64,    ///< any other constant
  VariableThing = 128,   ///< a variable, typed or not
  ParameterThing = 256,  ///< of a function
  FunctionThing = 512,
  GraphThing = 1024,
  ValueThing = 2048,     ///< any other value
  Signed32Thing = 4096,  ///< an OpConstant of a 32-bit signed integer type
  AnyThing = 0xFFFF,
};

/// What the value of an operand has to be, or what it is to the others.
enum class Role : std::uint8_t {
  None,
  Source,
  Line,      ///< of the source named before it
  Column,    ///< of that line
  Count,     ///< of components or columns
  Positive,  ///< a number that is not 0
  Length,    ///< of an array
  Index,     ///< an integer
  Record,    ///< a DebugTypeComposite that is a class or a structure
};

/// What one operand takes. The grammar says whether it may be left out.
struct OperandDemand {
  std::string_view noun;  ///< what is expected, in messages
  std::uint64_t own = 0;  ///< instructions of the same set (own_bit)
  std::uint16_t things = 0;
  Role role = Role::None;
  std::uint8_t since = 0;  ///< version of the set that the operand came with
  bool repeats = false;    ///< this operand and those behind it stand there any number of times

  /// The same demand with a role.
  [[nodiscard]] constexpr OperandDemand as(Role the_role) const {
    OperandDemand demand = *this;
    demand.role = the_role;
    return demand;
  }
  [[nodiscard]] constexpr OperandDemand from(std::uint8_t version) const {
    OperandDemand demand = *this;
    demand.since = version;
    return demand;
  }
  [[nodiscard]] constexpr OperandDemand repeated() const {
    OperandDemand demand = *this;
    demand.repeats = true;
    return demand;
  }
};

/// The bit of an instruction in OperandDemand::own. Sets number their instructions from 0, and from 101 what came later.
constexpr std::uint32_t folded(std::uint32_t number) { return number < 64 ? number : number - 60; }
constexpr std::uint64_t own_bit(std::uint32_t number) {
  return folded(number) < 64 ? std::uint64_t{1} << folded(number) : 0;
}
template <typename... Insts>
constexpr std::uint64_t own_bits(Insts... insts) {
  return (own_bit(static_cast<std::uint32_t>(insts)) | ...);
}

/// What an instruction of a set takes.
struct DescribingRow {
  static constexpr std::size_t most_operands = 11;
  std::uint32_t number = 0;
  std::uint8_t since = 0;  ///< version of the set that the instruction came with
  std::uint8_t operand_count = 0;
  std::array<OperandDemand, most_operands> operands{};

  template <typename Inst>
  consteval DescribingRow(Inst inst, std::initializer_list<OperandDemand> demands, std::uint8_t first_version = 0)
      : number(static_cast<std::uint32_t>(inst)), since(first_version) {
    for (const OperandDemand& demand : demands) operands[operand_count++] = demand;
  }
};

/// The rows of a set; those of one set as far as it has its own, and of the debug sets those that they share.
std::span<const DescribingRow> shared_debug_rows();
std::span<const DescribingRow> opencl_debug_rows();
std::span<const DescribingRow> shader_debug_rows();
std::span<const DescribingRow> graph_debug_rows();
std::span<const DescribingRow> reflection_rows();

/// The row of an instruction; nullptr when it has none.
const DescribingRow* find_describing(KnownSet set, std::uint32_t number);

/// An extended instruction, as checks of sets see it.
struct ExtVisit {
  const Context& context;
  const Visit& visit;
  Report& report;
  NamedSet set;
  const ExtInstRow& inst;

  [[nodiscard]] std::string_view name() const { return context.grammar().text(inst.name); }
  /// The operands by the names that the grammar of the set gives them.
  template <auto expected>
  [[nodiscard]] View<expected> as() const {
    return View<expected>(visit.view);
  }
  /// The operands without their names, for rows that list what each operand takes. Valid up to the first operand of
  /// several words.
  [[nodiscard]] IdList<IdKind::Any> operands() const { return visit.as<Op::OpExtInst>().operands(); }
  /// The operand at this position of the list; the id 0 beyond the end.
  [[nodiscard]] AnyOperand operand(std::size_t i) const {
    const IdList<IdKind::Any> list = operands();
    return i < list.size() ? AnyOperand(list[i]) : AnyOperand();
  }
  /// The place of the number that says which instruction of the set this is.
  [[nodiscard]] Place at_number() const { return visit.at(visit.as<Op::OpExtInst>().instruction()); }
};

/// The number of an instruction of the same set whose result an id is; nothing for others.
std::optional<std::uint32_t> own_number(const ExtVisit& ext, Word id);
/// "%5 (DebugSource)": an id, and which instruction gives it.
std::string thing_text(const ExtVisit& ext, Word id);

/// Checks result, version and operands against the row; whether all is as it should be.
bool check_described(const ExtVisit& ext, const DescribingRow& row);

}  // namespace vireo::spirv
