// SPDX-License-Identifier: Apache-2.0
//
// Context: what every check may read, and one instruction as checks see it.
//
// The one idea: facts are worked out before any check runs, by code that cannot fail; checks only read. So a check is a
// function of a context, an instruction and a report, and the order in which checks run changes nothing.
//
// An id that nothing defines, or whose type is none, is *poisoned*: it was reported where it was found, and no check
// that needs to know more of it says anything. The queries here give nothing for such ids, and a check that gets nothing
// goes on.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "spirv/binary/seen_ids.h"
#include "spirv/validate/analysis/fragments.h"
#include "spirv/validate/analysis/work_budget.h"
#include "spirv/validate/engine/report.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/facts.h"
#include "vireo/spirv/facts/call_graph.h"
#include "vireo/spirv/facts/constants.h"
#include "vireo/spirv/facts/control_flow.h"
#include "vireo/spirv/facts/decorations.h"
#include "vireo/spirv/facts/lines.h"
#include "vireo/spirv/facts/preamble.h"
#include "vireo/spirv/facts/types.h"
#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/module.h"
#include "vireo/spirv/operand.h"
#include "vireo/spirv/validate.h"
#include "vireo/spirv/view.h"
#include "vireo/spirv/views/operand_names.h"

namespace vireo::spirv {

/// Kinds of the grammar that checks ask for by name, found once; none where a loaded grammar lacks one.
struct KindsByName {
  KindId built_in, execution_mode, image_operands, memory_access, ray_flags, scope, tensor_addressing;
  explicit KindsByName(const Grammar& grammar)
      : built_in(grammar.find_kind("BuiltIn")),
        execution_mode(grammar.find_kind("ExecutionMode")),
        image_operands(grammar.find_kind("ImageOperands")),
        memory_access(grammar.find_kind("MemoryAccess")),
        ray_flags(grammar.find_kind("RayFlags")),
        scope(grammar.find_kind("Scope")),
        tensor_addressing(grammar.find_kind("TensorAddressingOperands")) {}
};

struct Context {
  const Module& module;
  const Facts& facts;
  const ValidateOptions& options;
  const Environment& environment;
  const Preamble& preamble;
  const Types& types;
  const Constants& constants;
  const Decorations& decorations;
  const Fragments& fragments;
  const Soundness& soundness;  ///< what findings so far have shown to be unsound
  WorkBudget& budget;          ///< for analyses that are not linear
  KindsByName kinds;
  FeatureSet features;  ///< the options', and what the environment brings
  bool is_logical;      ///< the addressing model has no addresses (PhysicalStorageBuffer64 has them for one class only)
  /// What the walk at hand has seen of ids: the types of values that it has passed, at one look. nullptr outside of walks.
  const SeenIds* seen = nullptr;

  [[nodiscard]] const Grammar& grammar() const { return module.grammar(); }
  [[nodiscard]] Version version() const { return module.header().version(); }
  [[nodiscard]] bool has(Capability capability) const { return preamble.has(capability); }
  [[nodiscard]] bool has(Feature feature) const { return features.has(feature); }
  [[nodiscard]] bool is_vulkan() const { return environment.client == Client::Vulkan; }
  [[nodiscard]] bool is_opencl() const { return environment.client == Client::OpenCL; }
  [[nodiscard]] bool is_shader() const { return has(Capability::Shader); }
  /// Of any storage class: the class that VariablePointers adds is asked for where it matters.
  [[nodiscard]] bool has_variable_pointers() const {
    return has(Capability::VariablePointers) || has(Capability::VariablePointersStorageBuffer);
  }

  /// The type of a value; nullptr when the id is no value, or poisoned.
  [[nodiscard]] const TypeRow* type_of(Word value) const { return types.find(type_id_of(value)); }
  /// The id of that type; 0 when the id is no value.
  [[nodiscard]] Word type_id_of(Word value) const {
    const Word seen_type = seen == nullptr ? 0 : seen->type_of(value);
    return seen_type != 0 ? seen_type : module.type_of(value);
  }
  /// Whether an id that should be a type is none. It was reported where it was found; what has to agree with it is not
  /// wrong. False for 0, which stands for no type at all.
  [[nodiscard]] bool is_no_type(Word type) const { return type != 0 && types.find(type) == nullptr; }
  /// Whether an id is a constant with a value, be it known only when the module is specialized. (OpUndef stands among
  /// the constants, and has none.)
  [[nodiscard]] bool is_constant(Word id) const {
    const ConstantKind kind = constants.of(id).kind;
    return kind != ConstantKind::None && kind != ConstantKind::Undef;
  }
  /// The opcode that defines an id; OpNop when nothing does.
  [[nodiscard]] Op op_of(Word id) const { return module.find(id).opcode; }
};

/// An id operand of any class, and its place.
using AnyOperand = IdOperand<IdKind::Any>;

/// One instruction, decoded. Everything here lives until the next one is decoded. The operation that an OpSpecConstantOp
/// names is an instruction of its own (`operation_of`): its operands have the places that they have in that instruction.
struct Visit {
  InstructionView view;
  InstructionIndex index;
  std::span<const Operand> operands;  ///< complete: what cannot be decoded is not visited
  const OperandContext* decoded;
  FunctionIndex function;                 ///< none outside of functions
  Word type = 0;                          ///< id of the result type; 0: none
  Word result = 0;                        ///< result id; 0: none
  const ControlFlow* flow = nullptr;      ///< of the function; nullptr outside of functions
  LocalBlock block = LocalBlock::none();  ///< that the instruction stands in; none in front of the first label
  Op opcode = Op::OpNop;                  ///< the instruction's own, or that of the operation that is looked at
  bool is_operation = false;              ///< whether it is the one in an OpSpecConstantOp

  [[nodiscard]] Op op() const { return opcode; }
  [[nodiscard]] Place at() const { return {index, 0}; }
  /// The operands by their names in the grammar. `expected` is the opcode that the check is for.
  template <Op expected>
  [[nodiscard]] View<expected> as() const {
    InstructionView own = view;
    own.opcode = expected;  // of the operation, where this is one
    return View<expected>(own);
  }
  /// The operand of this name, for a check of several opcodes; the id 0 where the opcode has none, or the instruction is
  /// too short. Known for operands whose place does not depend on other operands.
  [[nodiscard]] AnyOperand operand(OperandName name) const {
    std::uint16_t word = word_of(opcode, name);
    if (word == 0) return {};
    // OpSpecConstantOp has the operation's opcode between the result and the operands.
    if (is_operation && word > 2) ++word;
    return {view.word(word), word};
  }
  /// The place of an operand: of a view's (view.h), or of a decoded one (operand.h).
  template <typename T>
  requires requires(const T& operand) { std::uint16_t{operand.word}; }
  [[nodiscard]] Place at(const T& operand) const { return {index, operand.word}; }
  template <typename T>
  requires requires(const T& list) { std::uint16_t{list.word()}; }
  [[nodiscard]] Place at(const T& list) const { return {index, list.word()}; }
  [[nodiscard]] Place at_type() const { return {index, 1}; }  ///< of the result type

  /// The operation that this OpSpecConstantOp names.
  [[nodiscard]] Visit operation_of() const {
    Visit inner = *this;
    inner.opcode = decoded->spec_row->opcode;
    inner.is_operation = true;
    return inner;
  }
};

/// Whether a value stands in a list: `is_one_of({OpLoad, OpStore}, op)`. The lists are short.
template <typename T>
constexpr bool is_one_of(std::span<const std::type_identity_t<T>> list, T value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
template <typename T>
constexpr bool is_one_of(std::initializer_list<T> list, T value) {
  return is_one_of(std::span<const T>(list.begin(), list.size()), value);
}

/// Whether the instruction declares a variable, with a type for what it points to or without.
constexpr bool is_variable(Op op) { return op == Op::OpVariable || op == Op::OpUntypedVariableKHR; }

/// The type that a function gives; 0 where OpFunction and the function type disagree. That was told there, and which of
/// the two is meant nobody knows.
Word result_of_function(const Context& context, InstructionView function);

using CheckFunction = void(const Context&, const Visit&, Report&);

/// The function that an operand names; nothing, after a finding, where it names something else, or a function that is cut
/// short.
std::optional<InstructionView> named_function(const Context& context, const Visit& visit, AnyOperand operand,
                                              Report& report);

/// A check, and the opcodes that it is for: `{{OpLoad, OpStore}, check_access}`.
struct Check {
  std::initializer_list<Op> opcodes;
  CheckFunction* run;
};

// --- texts for messages: made only when something is wrong --------------------------------------------------------------

/// "%main", or "%12" for an id without a usable name.
std::string id_text(const Context& context, Word id);
/// "%float (f32)": a type's id, and what it is. For ids that are no types the id alone.
std::string type_text(const Context& context, Word type);
/// The same of a value's type; "no type" when it has none.
std::string type_of_text(const Context& context, Word value);
/// "OpLoad"; "opcode 9999" when the grammar has none.
std::string op_text(const Context& context, Op op);
/// The same of an instruction; of an extended one "Sqrt".
std::string instruction_text(const Context& context, const Visit& visit);
/// "Uniform": the name of an enumerant, or its number.
std::string enumerant_text(const Context& context, std::string_view kind, Word value);

/// The kind of the grammar that an enumeration of enums.h stands for.
constexpr std::string_view kind_name(BuiltIn) { return "BuiltIn"; }
constexpr std::string_view kind_name(Capability) { return "Capability"; }
constexpr std::string_view kind_name(Decoration) { return "Decoration"; }
constexpr std::string_view kind_name(Dim) { return "Dim"; }
constexpr std::string_view kind_name(ExecutionMode) { return "ExecutionMode"; }
constexpr std::string_view kind_name(ExecutionModel) { return "ExecutionModel"; }
constexpr std::string_view kind_name(ImageFormat) { return "ImageFormat"; }
constexpr std::string_view kind_name(LoopControl) { return "LoopControl"; }
constexpr std::string_view kind_name(Scope) { return "Scope"; }
constexpr std::string_view kind_name(StorageClass) { return "StorageClass"; }

/// The same of a value that knows its kind: `enumerant_text(context, type->storage)`.
template <typename Enum>
requires std::is_enum_v<Enum> std::string enumerant_text(const Context& context, Enum value) {
  return enumerant_text(context, kind_name(value), static_cast<Word>(value));
}

}  // namespace vireo::spirv
