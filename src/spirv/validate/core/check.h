// SPDX-License-Identifier: Apache-2.0
//
// ModuleCheck and InstructionCheck: what a check reads, and where it reports.
//
// A ModuleCheck holds the facts about a module and the report of findings. An InstructionCheck adds one decoded
// instruction. A check is a function of one of them, so the order of the checks does not matter. The facts can be
// computed for any words, so checks read them without handling errors.
//
// If an id is undefined or its type is not a type, one finding reports that at its source. Queries return a null value
// for such an id, and checks skip it.
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
#include <utility>

#include "spirv/binary/id_type_table.h"
#include "spirv/grammar/opcode_families.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/validate/core/fragments.h"
#include "spirv/validate/core/message.h"
#include "spirv/validate/core/report.h"
#include "spirv/validate/core/work_budget.h"
#include "spirv/validate/rules/typing_rules.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/operand_names.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {

class DeviceValues;  // analysis/device_values.h

/// Operand kinds that checks refer to by name, looked up once. A kind is none if a loaded grammar lacks it.
struct KindsByName {
  KindId built_in, execution_mode, image_operands, memory_access, ray_flags, scope, tensor_addressing, tensor_operands;
  explicit KindsByName(const Grammar& grammar)
      : built_in(grammar.find_kind("BuiltIn")),
        execution_mode(grammar.find_kind("ExecutionMode")),
        image_operands(grammar.find_kind("ImageOperands")),
        memory_access(grammar.find_kind("MemoryAccess")),
        ray_flags(grammar.find_kind("RayFlags")),
        scope(grammar.find_kind("Scope")),
        tensor_addressing(grammar.find_kind("TensorAddressingOperands")),
        tensor_operands(grammar.find_kind("TensorOperands")) {}
};

/// Everything that a check of a whole module needs. A copy refers to the same module and the same findings.
struct ModuleCheck {
  const Module& module;
  const Facts& facts;
  const ValidateOptions& options;
  const Environment& environment;
  const ModuleDeclarations& module_declarations;
  const Types& types;
  const Constants& constants;
  const Decorations& decorations;
  const Fragments& fragments;
  const Soundness& soundness;  ///< ids and types that previous findings marked as unsound
  Report& findings;
  WorkBudget& budget;  ///< limits the work of nonlinear analyses
  KindsByName kinds;
  FeatureSet features;  ///< features of the options and of the environment
  bool is_logical;      ///< Logical or PhysicalStorageBuffer64 addressing (only one storage class has addresses)
  /// Whether an entry point has the execution mode ArithmeticPoisonKHR (SPV_KHR_poison_freeze).
  bool gives_poison;
  bool has_null_pointers;      ///< whether a constant of the module is a null pointer
  const DeviceValues* device;  ///< of the profile, in Vulkan; nullptr: no profile, or it states nothing
  /// The types of the values that the walk has decoded so far, for fast lookup. nullptr outside walks.
  const IdTypeTable* seen = nullptr;

  [[nodiscard]] const Grammar& grammar() const { return module.grammar(); }
  [[nodiscard]] Version version() const { return module.header().version(); }
  [[nodiscard]] bool has(Capability capability) const { return module_declarations.has(capability); }
  [[nodiscard]] bool has(Feature feature) const { return features.has(feature); }
  [[nodiscard]] bool is_vulkan() const { return environment.client == Client::Vulkan; }
  [[nodiscard]] bool is_opencl() const { return environment.client == Client::OpenCL; }
  [[nodiscard]] bool is_shader() const { return has(Capability::Shader); }
  /// Whether any storage class may have variable pointers. Checks for one storage class test its capability instead.
  [[nodiscard]] bool has_variable_pointers() const {
    return has(Capability::VariablePointers) || has(Capability::VariablePointersStorageBuffer);
  }

  /// The type of a value: of any operand that must be a value, since walk.cpp runs checks on sound ids only. If the
  /// id is not a value, the row is that of no type (`TypeKind::None`).
  [[nodiscard]] const TypeRow& type_of(Word value) const { return types.of(type_id_of(value)); }
  /// The type of an id that need not be a value; nullptr if it is not, or if its type is undefined.
  [[nodiscard]] const TypeRow* find_type_of(Word id) const { return types.find(type_id_of(id)); }
  /// The id of that type; 0 if the id is not a value.
  [[nodiscard]] Word type_id_of(Word value) const {
    const Word seen_type = seen == nullptr ? 0 : seen->type_of(value);
    return seen_type != 0 ? seen_type : module.type_of(value);
  }
  /// Whether an id is used as a type but is not a type. Another finding reports it, so types are not compared with it.
  /// False for 0, which means "no type".
  [[nodiscard]] bool is_invalid_type(Word type) const { return type != 0 && types.find(type) == nullptr; }
  /// Whether an id is a constant with a value, including a value that specialization determines. OpUndef has a row in
  /// Constants, but no value.
  [[nodiscard]] bool is_constant(Word id) const {
    const ConstantKind kind = constants.of(id).kind;
    return kind != ConstantKind::None && kind != ConstantKind::Undef;
  }
  /// The opcode of the instruction that defines an id; OpNop if the id is undefined.
  [[nodiscard]] Op op_of(Word id) const { return module.find(id).opcode; }

  // --- findings (report.h) ---

  /// Reports a violation of a rule. The arguments fill the placeholders of its message (message.h); they are formatted
  /// only if the finding is kept.
  void report(Rule rule, Place place, Arguments arguments = {}) const {
    if (findings.add(rule, place)) findings.message(message_of(*this, stanza_of(rule).message.text, arguments));
  }
  void report_once(Rule rule, Place place, std::string_view cause, Arguments arguments) const {
    if (findings.add_once(rule, place, cause))
      findings.message(message_of(*this, stanza_of(rule).message.text, arguments));
  }
  [[nodiscard]] bool has_room_for(Rule rule) const { return findings.has_room_for(rule); }
  [[nodiscard]] std::string name_of(Capability capability) const;
  /// After a finding of the rule: declaring this capability would satisfy it. If the capability itself has a finding,
  /// that finding gets it as a note (requirements_check.cpp).
  void name_missing(Rule rule, Capability capability) const {
    if (findings.keeps_last()) findings.name_cause(rule, name_of(capability));
  }
  /// Whether there is a finding about this missing capability, of which a note can name the consequence. `own`
  /// identifies the consequence.
  [[nodiscard]] bool join_missing(Capability capability, std::string_view own, Rule consequence) const {
    return findings.join(Rule::MissingCapability, own, name_of(capability), consequence);
  }
  // Of the last finding:
  void note(Place place, std::string_view sentence, Arguments arguments = {}) const {
    if (findings.keeps_last()) findings.note(place, message_of(*this, sentence, arguments));
  }
  /// A note with the message of another rule: its violation follows from the same fault.
  void note(Place place, Rule consequence, Arguments arguments) const {
    note(place, stanza_of(consequence).message.text, arguments);
  }
  void hint(std::string_view sentence, Arguments arguments = {}) const {
    if (findings.keeps_last()) findings.hint(message_of(*this, sentence, arguments));
  }
  void fix(Change change) const { findings.fix(std::move(change)); }
  void vuid(std::uint16_t number) const { findings.vuid(number); }
  void vuid(std::string text) const { findings.vuid(std::move(text)); }
};

/// An id operand of any operand class, with its word offset.
using AnyOperand = IdOperand<IdKind::Any>;

/// One decoded instruction. All data is valid until the next instruction is decoded. The operation of an
/// OpSpecConstantOp is treated as a separate instruction (`operation_of`): its operands have the names and offsets of
/// that instruction.
struct DecodedInstruction {
  InstructionView view;
  InstructionIndex index;
  std::span<const Operand> operands;  ///< always complete: instructions that cannot be decoded are not visited
  const OperandContext* decoded;
  FunctionIndex function;                 ///< none outside of functions
  Word type = 0;                          ///< id of the result type; 0: none
  Word result = 0;                        ///< result id; 0: none
  const ControlFlow* flow = nullptr;      ///< of the function; nullptr outside of functions
  LocalBlock block = LocalBlock::none();  ///< of the instruction; none before the first label
  Op opcode = Op::OpNop;                  ///< of the instruction, or of the operation being checked
  bool is_operation = false;              ///< whether this is the operation of an OpSpecConstantOp

  /// False in a block that no path from the entry block of the function reaches.
  [[nodiscard]] bool is_reachable() const { return block.is_none() || flow->plain().is_reachable(block); }

  [[nodiscard]] Op op() const { return opcode; }
  [[nodiscard]] Place at() const { return {index, 0}; }
  /// The operands by their grammar names. `expected` is the opcode of the view.
  template <Op expected>
  [[nodiscard]] View<expected> as() const {
    InstructionView own = view;
    own.opcode = expected;  // the operation's opcode, if this is an operation
    return View<expected>(own);
  }
  /// The operand of this name, for a check of several opcodes. The id is 0 if the opcode has no such operand or the
  /// instruction is too short. Only for operands whose offset does not depend on other operands.
  [[nodiscard]] AnyOperand operand(OperandName name) const {
    std::uint16_t word = word_of(opcode, name);
    if (word == 0) return {};
    // OpSpecConstantOp has the operation's opcode between the result and the operands.
    if (is_operation && word > 2) ++word;
    return {view.word(word), word};
  }
  /// The place of an operand of a view (view.h), or of a decoded operand (operand.h).
  template <typename T>
  requires requires(const T& operand) { std::uint16_t{operand.word}; }
  [[nodiscard]] Place at(const T& operand) const { return {index, operand.word}; }
  template <typename T>
  requires requires(const T& list) { std::uint16_t{list.word()}; }
  [[nodiscard]] Place at(const T& list) const { return {index, list.word()}; }
  [[nodiscard]] Place at_type() const { return {index, 1}; }  ///< of the result type
};

/// Everything that a check of one instruction needs.
struct InstructionCheck : ModuleCheck, DecodedInstruction {
  explicit InstructionCheck(const ModuleCheck& c) : ModuleCheck(c), DecodedInstruction() {}

  /// The check of the operation that this OpSpecConstantOp names.
  [[nodiscard]] InstructionCheck operation_of() const {
    InstructionCheck inner = *this;
    inner.opcode = decoded->spec_row->opcode;
    inner.is_operation = true;
    return inner;
  }
  /// "OpLoad"; for an extended instruction its name, such as "Sqrt".
  [[nodiscard]] std::string_view name() const;

  // Type errors. Most messages have the form "this has type A; expected type B". The rules are those of the
  // instruction's family (rules/rules.def):
  //
  //   the index (%i) of OpAccessChain has type f32; expected an integer scalar
  //   the object (%51) of OpStore has type vec2; expected the pointee type (vec3)

  /// The instruction does not produce results of the result type.
  void wrong_result(std::string_view expected) const;
  /// The instruction does not accept the type of an operand. `operand_name`: "the base".
  void wrong_operand(AnyOperand operand, std::string_view operand_name, std::string_view expected) const;
  /// The type of a value does not agree with `other`, which follows `expected` in parentheses: "the type of the
  /// member", "as many components as the result".
  void mismatch(AnyOperand operand, std::string_view operand_name, std::string_view expected, Word other) const;
  /// The result type does not agree with `other`.
  void result_mismatch(std::string_view expected, Word other) const;
  /// An operand that must be a constant is not one.
  void not_constant(AnyOperand operand, std::string_view operand_name) const;
  /// The instruction declares a type, and a component, element or member of it has a wrong type.
  void wrong_part(AnyOperand operand, std::string_view operand_name, std::string_view expected) const;
  /// "the index (%i) of OpAccessChain"
  [[nodiscard]] std::string named(AnyOperand operand, std::string_view operand_name) const;
};

/// The place of an operand, by name, of an instruction in a table of facts. Conditional variants
/// (SPV_INTEL_function_variants) have the same operands at other word offsets.
inline Place place_of(const ModuleCheck& c, InstructionIndex instruction, OperandName name) {
  return {instruction, word_of(c.module.instruction(instruction).opcode, name)};
}

/// The return type of a function. 0 if OpFunction and its function type disagree, because either may be intended.
Word result_of_function(const ModuleCheck& c, InstructionView function);

using CheckFunction = void(const InstructionCheck& c);

/// The function that an operand refers to. If the operand is not a function, or its OpFunction is truncated, reports a
/// finding and returns nothing.
std::optional<InstructionView> named_function(const InstructionCheck& c, AnyOperand operand);

/// A check, and the opcodes that it applies to: `{{OpLoad, OpStore}, check_access}`.
struct Check {
  std::initializer_list<Op> opcodes;
  CheckFunction* run;
  /// Whether instructions of the module can violate the check. If not, the walk drops the row.
  bool (*applies)(const ModuleCheck& c) = nullptr;
};

/// The rules for type errors of the instruction: those of its family (rules/rules.def).
TypingRules rules_of_types(const InstructionCheck& c);

// --- texts for messages: built only for findings ---------------------------------------------------------------------

/// "%main", or "%12" for an id without a usable name.
std::string id_text(const ModuleCheck& c, Word id);
/// "%float (f32)": a type's id and its notation. Only the id if it is not a type.
std::string type_text(const ModuleCheck& c, Word type);
/// "vec4", "struct %Camera": the notation of a type alone; its id if it is not a type.
std::string type_name(const ModuleCheck& c, Word type);
/// The type_name() of a type in a message that also shows another type. If both have the same notation, type_text()
/// distinguishes them.
std::string type_name_beside(const ModuleCheck& c, Word type, Word other);
/// The type_name_beside() of both types.
std::pair<std::string, std::string> type_names(const ModuleCheck& c, Word first, Word second);
/// "member 1 ('eye') of %Camera": a member of a structure with its OpMemberName, if it has one.
std::string member_text(const ModuleCheck& c, Word structure, Word member);
/// "A, B or C": a list with a conjunction before its last item.
std::string list_text(std::span<const std::string> items, std::string_view conjunction);
/// The type_text() of a value's type; "no type" if it has none.
std::string type_of_text(const ModuleCheck& c, Word value);
/// "OpLoad"; "opcode 9999" if the grammar lacks the opcode.
std::string op_text(const ModuleCheck& c, Op op);
/// "Uniform": the name of an enumerant, or its number.
std::string enumerant_text(const ModuleCheck& c, std::string_view kind, Word value);

/// The same for a value of an enumeration: `enumerant_text(c, type.storage)`.
template <typename Enum>
requires std::is_enum_v<Enum> std::string enumerant_text(const ModuleCheck& c, Enum value) {
  return enumerant_text(c, kind_name(value), static_cast<Word>(value));
}

}  // namespace vireo::spirv
