// SPDX-License-Identifier: Apache-2.0
//
// Checks instructions of debug information and reflection against their rows.
//
// Each id is classified once, by the instruction that defines it, and its class is compared with a mask
// of accepted classes. If all operands have accepted classes, check functions of the instruction set check their values
// (debug_info.cpp, reflection.cpp).
#include "spirv/validate/checks/extended_sets/non_semantic.h"

#include <fmt/format.h>

#include <algorithm>

namespace vireo::spirv {
namespace {

using enum Op;

// The class of an id: one bit of `own`, one bit of `things`, or none.
struct Classified {
  std::uint64_t own = 0;
  std::uint16_t things = 0;
};

// Instruction sets distinguish integers by width and sign, and specialization constants from other constants. OpUndef is
// not a constant instruction (2.2.1).
std::uint16_t constant_thing(const ModuleCheck& c, Word id, Op op) {
  if (op == OpConstantTrue || op == OpConstantFalse) return BoolThing;
  if (op == OpUndef || op == OpPoisonKHR) return ValueThing;
  const TypeRow* type = c.find_type_of(id);
  if (type == nullptr || !type->is(TypeKind::Int)) return ConstantThing;
  if (op == OpConstant) {
    if (type->width == 32) return type->is_signed ? Signed32Thing : Unsigned32Thing;
    return type->width == 64 ? Int64Thing : OtherIntThing;
  }
  if (op != OpSpecConstant && op != OpSpecConstantOp) return ConstantThing;
  return type->width == 32 && !type->is_signed ? SpecInt32Thing : SpecIntThing;
}

// Instructions of the same set are tested first: their results have a type, so they would otherwise be in the class of
// other values.
Classified classify(const ExtInstCheck& c, Word id) {
  if (const auto number = own_number(c, id)) return {own_bit(*number), 0};
  const Op op = c.op_of(id);
  if (op == OpString) return {0, StringThing};
  if (op == OpTypeVoid) return {0, VoidThing};
  if (op == OpFunction) return {0, FunctionThing};
  if (op == OpGraphARM) return {0, GraphThing};
  if (op == OpFunctionParameter) return {0, ParameterThing};
  if (is_variable(op)) return {0, VariableThing};
  if (c.constants.find(id) != nullptr) return {0, constant_thing(c, id, op)};
  return {0, static_cast<std::uint16_t>(c.find_type_of(id) == nullptr ? 0 : ValueThing)};
}

// Reflection instructions must refer to the same import, because each import has separate kernels.
bool is_same_set(const ExtInstCheck& c, InstructionView other) {
  if (c.set.set == KnownSet::Reflection) return View<OpExtInst>(other).set() == c.as<OpExtInst>().set();
  const ImportRow* import = import_of(c, other);
  return import != nullptr && named_set(import->name).set == c.set.set;
}

// Whether the version of the set has a feature. A set without versions has all features of its grammar.
bool is_in_version(const ExtInstCheck& c, std::uint8_t since) { return since == 0 || c.set.version >= since; }

void report_version(const ExtInstCheck& c, Place place, std::string_view what, std::uint8_t since) {
  c.report(Rule::InstructionSetVersion, place, {what, since, c.set.version});
  if (const ImportRow* import = import_of(c, c.view)) { c.note({import->instruction, 0}, "imported here"); }
}

// "operand 'Name'": the name of an operand from the grammar. Repeated operands share one name.
std::string operand_text(const ExtInstCheck& c, std::size_t operand) {
  const auto rows = c.grammar().operands(c.inst.operands);
  if (rows.empty()) return "an operand";
  const std::string_view name = c.grammar().text(rows[std::min(operand, rows.size() - 1)].name);
  return name.empty() ? fmt::format("operand {}", operand + 1) : fmt::format("operand '{}'", name);
}

}  // namespace

std::optional<std::uint32_t> own_number(const ExtInstCheck& c, Word id) {
  const InstructionView view = c.module.find(id);
  if (!is_extended(view.opcode) || !is_same_set(c, view)) return std::nullopt;
  return View<OpExtInst>(view).instruction();
}

std::string thing_text(const ExtInstCheck& c, Word id) {
  const InstructionView view = c.module.find(id);
  const ImportRow* import = import_of(c, view);
  const Grammar& grammar = c.grammar();
  const ExtInstRow* inst =
      import == nullptr ? nullptr : grammar.find_ext_inst(import->set, View<OpExtInst>(view).instruction());
  const std::string name = inst == nullptr ? op_text(c, view.opcode) : std::string(grammar.text(inst->name));
  return fmt::format("{} ({})", id_text(c, id), name);
}

// The rows of a set take precedence over the shared rows. Tables are sorted by number.
const NonSemanticRow* find_describing(KnownSet set, std::uint32_t number) {
  const auto find_in = [&](std::span<const NonSemanticRow> rows) -> const NonSemanticRow* {
    const auto found = std::ranges::lower_bound(rows, number, {}, &NonSemanticRow::number);
    return found == rows.end() || found->number != number ? nullptr : &*found;
  };
  const auto shared_or = [&](std::span<const NonSemanticRow> rows) {
    const NonSemanticRow* row = find_in(rows);
    return row == nullptr ? find_in(shared_debug_rows()) : row;
  };
  switch (set) {
    case KnownSet::OpenClDebug: return shared_or(opencl_debug_rows());
    case KnownSet::ShaderDebug: return shared_or(shader_debug_rows());
    case KnownSet::GraphDebug: return find_in(graph_debug_rows());
    case KnownSet::Reflection: return find_in(reflection_rows());
    default: return nullptr;
  }
}

bool check_described(const ExtInstCheck& c, const NonSemanticRow& row) {
  if (!is_in_version(c, row.since)) {
    report_version(c, c.at_number(), c.name(), row.since);
    return false;
  }
  bool is_right = true;
  constexpr std::size_t in_front = 4;  // operands: type, result, set, number
  std::size_t at = 0, first_repeated = 0;
  // Operands repeat as a group, up to the end of the instruction. After the last row, the loop returns to the first row
  // of the group.
  while (first_repeated < row.operand_count && !row.operands[first_repeated].repeats) ++first_repeated;
  for (std::size_t i = in_front; i < c.operands.size(); ++i, ++at) {
    const Operand& operand = c.operands[i];
    if (at == row.operand_count) at = first_repeated;
    if (at == row.operand_count) break;  // the remaining operands belong to a newer version
    const OperandRequirement& requirement = row.operands[at];
    if (operand.shape != OperandShape::IdRef) continue;  // a literal in OpenCL.DebugInfo.100 is an id in the other set
    const Place place = c.at(operand);
    if (!is_in_version(c, requirement.since)) {
      // Shader debug information may have operands of later versions. Consumers ignore these.
      if (c.set.set == KnownSet::ShaderDebug) break;
      report_version(c, place, operand_text(c, i - in_front) + " of " + std::string(c.name()), requirement.since);
      return false;
    }
    if (requirement.things == AnyThing) continue;
    const Word id = c.view.word(operand.word);
    // Classifies the id once for all classes.
    const Classified found = classify(c, id);
    if ((found.own & requirement.own) != 0 || (found.things & requirement.things) != 0) continue;
    is_right = false;
    c.report(Rule::NonSemanticOperand, place,
             {operand_text(c, i - in_front), c.name(), thing_text(c, id), requirement.noun});
    const InstructionIndex definition = c.module.definition(id);
    if (!definition.is_none()) c.note({definition, 0}, "defined here");
  }
  return is_right;
}

}  // namespace vireo::spirv
