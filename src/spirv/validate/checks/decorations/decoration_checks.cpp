// SPDX-License-Identifier: Apache-2.0
//
// Decorations: allowed targets, repetition, and combinations.
//
// `Decorations` lists the decorations of each id, including those from groups. A table
// (decoration_rows.h) states the requirements of each decoration on its target. One loop compares each decoration with
// its row in the table.
//
// Source: specification 3.20 (decorations), 3.42.3 (annotation instructions), 2.16.1, 2.16.2; the Vulkan appendix on
// SPIR-V for storage classes.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/core/fast_math.h"
#include "spirv/validate/tables/decoration_rows.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/constant_creation.h"

namespace vireo::spirv {
namespace {

using enum Decoration;
using Members = DecoratesMembers;
using Target = DecorationTarget;

// --- targets ---------------------------------------------------------------------------------------------------------

// The text of a target kind in messages. The switch has no default case, so that the compiler reports a missing
// enumerator.
std::string_view expected_text(Target target) {
  switch (target) {
    case Target::SpecConstant: return "a scalar specialization constant";
    case Target::Struct: return "a structure type";
    case Target::ByteArray: return "an array of 8-bit integers";
    case Target::ArrayOrPointer: return "an array or pointer type";
    case Target::Variable: return "a variable";
    case Target::MemoryObject: return "a variable or a pointer parameter";
    case Target::BuiltInHolder: return "a variable, a constant or a member of a structure";
    case Target::Object: return "a value";
    case Target::NoType: return "an id that is not a type";
    case Target::WrappingInt: return "an integer addition, subtraction, multiplication, negation or left shift";
    case Target::CooperativeConversion: return "a conversion of cooperative matrices";
    case Target::Float8Conversion: return "OpFConvert, OpConvertSToF or OpConvertUToF to 8-bit floats";
    case Target::Function: return "a function";
    case Target::ModuleVariable: return "a variable outside functions";
    case Target::Parameter: return "a function parameter";
    case Target::PointerParameter: return "a pointer parameter";
    case Target::Pointer: return "a pointer";
    case Target::VariableOrType: return "a variable, a type or a member of a structure";
    case Target::PayloadArray: return "an array of payloads";
  }
  return {};
}

// The opcode that computes a value; for OpSpecConstantOp, the opcode of the operation.
Op operation_of(const ModuleCheck& c, Word id) {
  const InstructionView view = c.module.find(id);
  const auto operation = as<Op::OpSpecConstantOp>(view);
  return operation ? operation->opcode() : view.opcode;
}

// Whether a defined id is a valid target. Depends on the opcode that defines it, on the type of its value, or on the
// type that it declares.
bool is_valid_target(const ModuleCheck& c, Target target, Word id) {
  const Op op = c.op_of(id);
  const TypeRow* type = c.types.find(id);
  switch (target) {
    case Target::SpecConstant: return has_default_value(op);
    case Target::Struct: return type != nullptr && type->is(TypeKind::Struct);
    case Target::ByteArray: return type != nullptr && type->is_array() && type->element_type().is_int(8);
    case Target::ArrayOrPointer: return type != nullptr && (type->is_array() || type->is_pointer());
    case Target::Variable: return is_variable(op);
    case Target::MemoryObject: {
      // The results of these two instructions are accepted, because their extensions allow the decorations on them.
      if (op == Op::OpRawAccessChainNV || op == Op::OpBufferPointerEXT || is_variable(op)) return true;
      const TypeRow& value_type = c.type_of(id);
      return op == Op::OpFunctionParameter && value_type.is_pointer();
    }
    case Target::BuiltInHolder:
      // check_row() has already handled members. Constants are valid unless the module has Kernel and lacks Shader.
      return is_variable(op) || ((c.is_shader() || !c.has(Capability::Kernel)) && c.is_constant(id));
    case Target::Object: {
      const Word value_type = c.module.type_of(id);
      return value_type != 0 && !c.types.of(value_type).is(TypeKind::Void);
    }
    case Target::NoType: return type == nullptr;
    // Each extended set defines which of its instructions may have the decoration.
    case Target::WrappingInt:
      return is_extended(op) || is_one_of({Op::OpIAdd, Op::OpISub, Op::OpIMul, Op::OpShiftLeftLogical, Op::OpSNegate},
                                          operation_of(c, id));
    case Target::CooperativeConversion: {
      const TypeRow& value_type = c.type_of(id);
      return value_type.is_cooperative_matrix() &&
             (is_one_of(float_conversions, op) || is_one_of(width_conversions, op) ||
              op == Op::OpCooperativeMatrixConvertUseEXT);
    }
    case Target::Float8Conversion: {
      const TypeRow& scalar = c.type_of(id).component();
      return is_one_of(conversions_to_float, operation_of(c, id)) && scalar.is(TypeKind::Float) && scalar.width == 8;
    }
    case Target::Function: return op == Op::OpFunction;
    case Target::ModuleVariable: return is_variable(op) && c.module.function_at(c.module.definition(id)).is_none();
    case Target::Parameter: return op == Op::OpFunctionParameter;
    case Target::PointerParameter: return op == Op::OpFunctionParameter && c.type_of(id).is_pointer();
    case Target::Pointer: return c.type_of(id).is_pointer();
    case Target::VariableOrType: return is_variable(op) || type != nullptr;
    case Target::PayloadArray: return op == Op::OpTypeNodePayloadArrayAMDX;
  }
  return true;
}

// --- one row ---------------------------------------------------------------------------------------------------------

class DecorationCheck {
 public:
  explicit DecorationCheck(const ModuleCheck& c) : c_(c) {}

  void run() {
    const auto rows = c_.decorations.rows();
    for (std::size_t i = 0; i < rows.size();) {
      // Rows are sorted by target and member, so the decorations of one target are adjacent.
      std::size_t end = i + 1;
      while (end < rows.size() && rows[end].target == rows[i].target && rows[end].member == rows[i].member) ++end;
      // check_together() compares the decorations of the range with each other; check_row() checks each alone.
      check_together(rows.subspan(i, end - i));
      for (; i < end; ++i) check_row(rows[i]);
    }
    check_members_of_variables();
    if (c_.is_vulkan()) check_members_of_interfaces();
    check_host_names();
  }

 private:
  [[nodiscard]] std::string name(const DecorationRow& row) const { return enumerant_text(c_, row.decoration); }

  static Report::DecorationFault wrong(const DecorationRow& row) {
    return {Report::DecorationFault::Wrong, row.decoration, row.target, row.member};
  }

  // The table row of a decoration; nullptr if there is none. Caches the last lookup, because most rows repeat the
  // decoration of the previous one.
  const DecorationTargetRow* wanted_of(Decoration decoration) {
    if (!last_ || last_->first != decoration) {
      const auto rows = decoration_target_rows();
      const auto found = std::ranges::find(rows, decoration, &DecorationTargetRow::decoration);
      last_.emplace(decoration, found == rows.end() ? nullptr : &*found);
    }
    return last_->second;
  }

  void check_row(const DecorationRow& row) {
    const Op op = c_.op_of(row.target);
    if (op == Op::OpNop) return;
    // A decoration from a group is checked once for the module, at the group.
    if (row.group_use.is_none()) check_module_wide(row);
    // The target of a forbidden decoration is not checked.
    if (op == Op::OpDecorationGroup || is_forbidden(row)) return;
    const DecorationTargetRow* wanted = wanted_of(row.decoration);
    if (row.member != no_member) return check_member(row, wanted);
    // If the decoration has no row, only the storage class is checked.
    if (wanted == nullptr) return check_storage(row);
    // Older front ends emit groups whose decorations are not all valid for all targets.
    const bool is_checked = row.group_use.is_none() || wanted->is_checked_in_groups;
    if (wanted->members == Members::Only) {
      if (!is_checked) return;
      if (c_.findings.join_counterpart(wrong(row), Rule::DecorationOfMembersOnly)) {
        c_.note(decoration_place(row), "{text} decorates {id}, not a member", {name(row), row.target});
        return;
      }
      c_.report(Rule::DecorationOfMembersOnly, decoration_place(row), {name(row), row.target});
      c_.findings.await_counterpart(wrong(row));
      if (c_.types.of(row.target).is(TypeKind::Struct)) c_.hint("use OpMemberDecorate");
      return;
    }
    if (!is_valid_target(c_, wanted->target, row.target)) {
      // The finding about a result type that no value has also concerns this target.
      const TypeRow& type = c_.types.of(c_.module.type_of(row.target));
      const bool is_no_value = type.is(TypeKind::Void) || type.is(TypeKind::Function);
      if (is_no_value && !c_.soundness.is_sound(row.target)) return;
      if (is_checked) report_target(row, *wanted);
      return;
    }
    check_built_in(row);
    check_storage(row);
  }

  // Checks whether members may have the decoration. A member that does not exist has its own finding.
  void check_member(const DecorationRow& row, const DecorationTargetRow* wanted) {
    const TypeRow& type = c_.types.of(row.target);
    if (!type.is(TypeKind::Struct) || row.member >= type.count) return;
    const bool is_never = wanted != nullptr ? wanted->members == Members::Never
                                            : is_one_of(decorations_never_of_members(), row.decoration);
    // descriptor_heap.cpp reports a decoration that OpMemberDecorateIdEXT does not accept, and check_group() one with ids
    // in a group.
    if (is_never && row.form != DecorationForm::Id) {
      c_.report(Rule::DecorationOfMember, decoration_place(row), {name(row), target_text(c_, row)});
      note_target(c_, row.target, row.member);
    }
    if (row.decoration != Decoration::BuiltIn) return;
    const auto built_in = static_cast<spirv::BuiltIn>(c_.decorations.operand_or(row, 0));
    if (!is_heap(built_in)) return;
    c_.report(Rule::HeapMember, target_place(row), {built_in, target_text(c_, row)});
    note_target(c_, row.target, row.member);
  }

  void report_target(const DecorationRow& row, const DecorationTargetRow& wanted) {
    const std::string target = id_text(c_, row.target), op = op_text(c_, c_.op_of(row.target));
    const bool is_size = row.decoration == Decoration::BuiltIn &&
                         c_.decorations.operand_or(row, 0) == static_cast<Word>(spirv::BuiltIn::WorkgroupSize);
    constexpr Rule rule = Rule::DecorationTarget;
    if ((is_size && c_.findings.join(Rule::WorkgroupSizeConstant, target, "size", rule)) ||
        c_.findings.join_counterpart(wrong(row), rule)) {
      c_.note(target_place(row), "{text} decorates {text}, the result of {text}", {name(row), target, op});
      return;
    }
    c_.report(Rule::DecorationTarget, target_place(row), {name(row), target, op, expected_text(wanted.target)});
    c_.findings.await_counterpart(wrong(row));
    note_target(c_, row.target);
  }

  // OpenGL applications can query these implementation-defined layouts; Vulkan has no such query.
  [[nodiscard]] bool is_forbidden(const DecorationRow& row) const {
    return c_.is_vulkan() && (row.decoration == GLSLShared || row.decoration == GLSLPacked);
  }

  // Checks requirements of environments and capabilities that do not depend on the target.
  void check_module_wide(const DecorationRow& row) {
    if (is_forbidden(row)) {
      c_.report(Rule::VulkanDecoration, decoration_place(row), {name(row), target_text(c_, row)});
    }
    // In the Vulkan memory model, the memory operands of each access replace Coherent and Volatile.
    if (c_.has(Capability::VulkanMemoryModel) && (row.decoration == Coherent || row.decoration == Volatile)) {
      c_.report(Rule::MemoryModelDecoration, decoration_place(row),
                {name(row), target_text(c_, row),
                 row.decoration == Volatile ? "memory operand Volatile"
                                            : "memory operands such as MakePointerVisible and MakePointerAvailable"});
    }
    if (row.decoration == Decoration::FPFastMathMode) {
      const std::string_view lacking = lacking_of_transform(c_.decorations.operand_or(row, 0));
      if (!lacking.empty()) {
        c_.report(Rule::FastMathTransform, parameter_place(row), {target_text(c_, row), lacking});
      }
    }
  }

  // In shaders, WorkgroupSize is the only built-in that may decorate a constant.
  void check_built_in(const DecorationRow& row) {
    if (row.decoration != Decoration::BuiltIn || is_variable(c_.op_of(row.target)) || !c_.is_shader()) return;
    const auto built_in = static_cast<spirv::BuiltIn>(c_.decorations.operand_or(row, 0));
    if (built_in == spirv::BuiltIn::WorkgroupSize) return;
    c_.report(Rule::BuiltInConstant, parameter_place(row), {built_in, row.target});
    note_target(c_, row.target);
  }

  // Decorations of extensions name their storage classes in all environments. The table is small.
  void check_universal_storage(const DecorationRow& row, const TypeRow& type) {
    if (!type.is_pointer()) return;
    for (const DecorationStorageRow& rule : universal_storage_rows()) {
      if (rule.decoration == row.decoration) check_classes(row, rule, row.target, type.storage);
    }
  }

  void check_classes(const DecorationRow& row, const DecorationStorageRow& rule, Word variable, StorageClass storage) {
    if (std::find(rule.classes.begin(), rule.classes.end(), storage) != rule.classes.end()) return;
    // In Vulkan a built-in determines the storage class (built_ins.cpp). If it is wrong for both, that is one fault.
    if (row.decoration == Patch && c_.is_vulkan() && c_.decorations.find(row.target, row.member, Decoration::BuiltIn))
      return;
    std::vector<std::string> names;
    for (const StorageClass each : rule.classes) names.push_back(enumerant_text(c_, each));
    c_.report(rule.rule, target_place(row),
              {name(row), id_text(c_, variable), enumerant_text(c_, storage), list_text(names, "or")});
    note_target(c_, variable);
  }

  // A member has the storage class of the variables of its structure, which may be arrays of it.
  void check_members_of_variables() {
    std::set<Word> structures;
    for (const DecorationRow& row : c_.decorations.rows()) {
      if (row.member != no_member && is_universal(row.decoration)) structures.insert(row.target);
    }
    if (structures.empty()) return;
    for (const Word id : module_variables(c_)) {
      const TypeRow* pointee = pointee_of(c_, id);
      if (pointee == nullptr) continue;
      const Word structure = pointee->innermost().id;
      if (!structures.contains(structure)) continue;
      for (const DecorationStorageRow& rule : universal_storage_rows()) {
        if (!c_.decorations.has_on_member(structure, rule.decoration)) continue;
        const DecorationRow* row = find_on_member(c_, structure, rule.decoration);
        if (row != nullptr) check_classes(*row, rule, id, c_.type_of(id).storage);
      }
    }
  }
  // In Vulkan: decorations that only members of interfaces may have. A structure may be shared, so one variable of an
  // accepted storage class is enough.
  static constexpr Decoration of_interfaces[] = {Location, Component, Flat, NoPerspective, Centroid, Sample};
  struct StructureUse {
    Word variable;  // the first one
    std::vector<StorageClass> classes;
  };

  void check_members_of_interfaces() {
    std::map<Word, StructureUse> structures;
    for (const DecorationRow& row : c_.decorations.rows()) {
      if (row.member != no_member && is_one_of(of_interfaces, row.decoration)) structures[row.target];
    }
    if (structures.empty()) return;
    std::set<std::pair<Word, StorageClass>> searched;
    const VariableUses uses(c_);  // only its list of module-scope variables is used
    for (const Word id : uses.variables()) {
      const TypeRow* pointee = pointee_of(c_, id);
      if (pointee == nullptr || !pointee->contains.has_any(TypeTrait::Struct)) continue;
      const StorageClass storage = c_.type_of(id).storage;
      if (!searched.emplace(pointee->id, storage).second) continue;
      find_part(c_, *pointee, [&](const TypeRow& part) {
        const auto found = structures.find(part.id);
        if (found == structures.end()) return false;
        if (found->second.classes.empty()) found->second.variable = id;
        found->second.classes.push_back(storage);
        return false;
      });
    }
    for (const auto& [structure, use] : structures) {
      if (!use.classes.empty()) check_members(structure, use);
    }
  }

  void check_members(Word structure, const StructureUse& use) {
    for (const DecorationStorageRow& rule : decoration_storage_rows()) {
      if (!is_one_of(of_interfaces, rule.decoration)) continue;
      if (!c_.decorations.has_on_member(structure, rule.decoration)) continue;
      const auto is_accepted = [&](StorageClass each) { return std::ranges::count(rule.classes, each) != 0; };
      const DecorationRow* row = find_on_member(c_, structure, rule.decoration);
      if (row == nullptr || std::ranges::any_of(use.classes, is_accepted)) continue;
      c_.report(rule.rule, target_place(*row),
                {name(*row), fmt::format("{} in {}", target_text(c_, *row), object_text(c_, use.variable)),
                 interfaces_of(rule.decoration)});
      note_target(c_, use.variable);
    }
  }
  [[nodiscard]] static std::string_view interfaces_of(Decoration decoration) {
    return decoration == Component ? "an Input or Output variable"
                                   : "an Input, Output, ray tracing or TileImageEXT variable";
  }

  [[nodiscard]] static bool is_universal(Decoration decoration) {
    const auto rows = universal_storage_rows();
    return std::ranges::find(rows, decoration, &DecorationStorageRow::decoration) != rows.end();
  }

  // The host finds a variable by the name that HostAccessINTEL gives (SPV_INTEL_global_variable_host_access). Words
  // after the access are the string; equal strings have equal words.
  void check_host_names() {
    std::map<std::vector<Word>, const DecorationRow*> names;
    for (const DecorationRow& row : c_.decorations.rows()) {
      if (row.decoration != HostAccessINTEL || row.member != no_member) continue;
      if (c_.op_of(row.target) == Op::OpDecorationGroup) continue;  // its targets have rows of their own
      const Words operands = c_.decorations.operands(row);
      if (operands.empty()) continue;
      const auto [first, is_new] = names.try_emplace({operands.begin() + 1, operands.end()}, &row);
      // One target with two of them, and one group with two targets, have their own findings.
      if (is_new || first->second->target == row.target || first->second->instruction == row.instruction) continue;
      c_.report(Rule::HostAccessName, decoration_place(row), {target_text(c_, row)});
      note_decoration(c_, *first->second);
    }
  }

  void check_storage(const DecorationRow& row) {
    // If the storage class of a variable and of its type differ, the intended one is unknown.
    if (!c_.soundness.is_sound(row.target)) return;
    const TypeRow& type = c_.type_of(row.target);
    check_universal_storage(row, type);
    if (!c_.is_vulkan()) return;
    if (!type.is_pointer()) {
      if (row.decoration != PerVertexKHR) return;  // the target check covers all other decorations
      c_.report(Rule::PerVertexStorage, target_place(row), {name(row), object_text(c_, row.target)});
      note_target(c_, row.target);
      return;
    }
    // The table has at most one row for each decoration.
    for (const DecorationStorageRow& rule : decoration_storage_rows()) {
      if (rule.decoration != row.decoration) continue;
      if (std::find(rule.classes.begin(), rule.classes.end(), type.storage) != rule.classes.end()) return;
      // If all decorations of a rule have the same storage classes, its message contains them. The last text is then
      // unused.
      c_.report(rule.rule, target_place(row), {name(row), object_text(c_, row.target), interfaces_of(row.decoration)});
      c_.findings.await_counterpart(wrong(row));
      note_target(c_, row.target);
    }
  }

  // Checks the decorations of one target or one member together.
  void check_together(std::span<const DecorationRow> rows) {
    // A decoration group is not compared with itself: its targets have the same decorations and are checked. Only
    // repetitions are reported at the group, once for all its targets.
    if (c_.op_of(rows[0].target) == Op::OpDecorationGroup) return check_repetition(rows);
    check_location_of_built_in(rows);
    if (rows.size() < 2) return;
    // The number of pairs is fixed, so two searches for each pair are linear in the rows of a target.
    const auto find = [&](Decoration decoration, std::size_t from) {
      for (std::size_t i = from; i < rows.size(); ++i) {
        if (rows[i].decoration == decoration) return i;
      }
      return rows.size();
    };
    check_repetition(rows);
    for (const DecorationPair& pair : exclusive_decorations()) {
      const std::size_t first = find(pair.first, 0), second = find(pair.second, 0);
      if (first == rows.size() || second == rows.size()) continue;
      // The rows of a target are in module order, so the larger index is the later decoration.
      const std::size_t later = std::max(first, second);
      c_.report(Rule::ExclusiveDecorations, decoration_place(rows[later]),
                {name(rows[first]), name(rows[second]), target_text(c_, rows[0])});
      note_decoration(c_, rows[std::min(first, second)]);
    }
  }

  // A built-in has no location; nor has a variable with a structure of built-ins.
  void check_location_of_built_in(std::span<const DecorationRow> rows) {
    if (!c_.is_vulkan()) return;
    const auto find = [](std::span<const DecorationRow> all, Decoration decoration) {
      return std::ranges::find(all, decoration, &DecorationRow::decoration);
    };
    if (find(rows, Location) == rows.end() && find(rows, Component) == rows.end()) return;
    const DecorationRow* built_in = nullptr;
    if (const auto own = find(rows, Decoration::BuiltIn); own != rows.end()) {
      built_in = &*own;
    } else if (const TypeRow* pointee = pointee_of(c_, rows[0].target); pointee != nullptr) {
      const TypeRow& inner = pointee->innermost();
      // The search for the member is linear in the decorations of the structure, so it starts only if there is one.
      if (inner.is(TypeKind::Struct) && c_.decorations.has_on_member(inner.id, Decoration::BuiltIn)) {
        built_in = find_on_member(c_, inner.id, Decoration::BuiltIn);
      }
    }
    if (built_in == nullptr) return;
    for (const Decoration decoration : {Location, Component}) {
      const auto row = find(rows, decoration);
      if (row == rows.end()) continue;
      c_.report(Rule::BuiltInLocation, decoration_place(*row), {name(*row), target_text(c_, *row)});
      note_decoration(c_, *built_in);
    }
  }

  // After sorting, repeated decorations are adjacent.
  void check_repetition(std::span<const DecorationRow> rows) {
    sorted_.clear();
    for (const DecorationRow& row : rows) sorted_.push_back(&row);
    // Equal decorations are sorted by address, which is module order, so the note is at the first one.
    std::sort(sorted_.begin(), sorted_.end(),
              [](const auto* a, const auto* b) { return std::pair(a->decoration, a) < std::pair(b->decoration, b); });
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      const DecorationRow &first = *sorted_[i - 1], &second = *sorted_[i];
      if (first.decoration != second.decoration || may_repeat(first, second)) continue;
      // Old front ends apply a decoration of a target again through a group. With equal operands this has no effect.
      const bool is_by_group = !first.group_use.is_none() || !second.group_use.is_none();
      const Rule rule = is_by_group && are_equal(first, second) ? Rule::DecorationRepeated : Rule::DecorationTwice;
      if (rule == Rule::DecorationTwice && c_.findings.join_counterpart(wrong(second), rule)) {
        c_.note(decoration_place(second), "duplicate decoration {text} on {text}",
                {name(second), target_text(c_, second)});
        continue;
      }
      // One instruction may decorate many targets; it is reported once.
      c_.report_once(rule, decoration_place(second), fmt::format("{} {}", name(second), second.instruction.raw),
                     {name(second), target_text(c_, second)});
      if (rule == Rule::DecorationTwice) c_.findings.await_counterpart(wrong(second));
      c_.note(decoration_place(first), "first applied here");
      note_in_group(first);
      note_in_group(second);
      if (first.group_use.is_none() && second.group_use.is_none()) {
        fix_duplicate(c_, first.instruction, second.instruction);
      } else if (rule == Rule::DecorationRepeated && first.group_use.is_none() != second.group_use.is_none()) {
        // Without the decoration of the target itself, the group still applies it.
        fix_by_removal(c_, first.group_use.is_none() ? first.instruction : second.instruction);
      }
    }
  }

  // A decoration from a group is reported where the group is applied; the note is at the decoration of the group.
  void note_in_group(const DecorationRow& row) {
    if (row.group_use.is_none()) return;
    std::string text = name(row);
    // Only numbers are shown; the text of other operands is at the place of the note.
    const EnumerantRow* enumerant =
        c_.grammar().find_value(c_.grammar().find_kind("Decoration"), static_cast<Word>(row.decoration));
    const Words operands = c_.decorations.operands(row);
    if (enumerant != nullptr && operands.size() == 1) {
      const auto parameters = c_.grammar().operands(enumerant->parameters);
      if (parameters.size() == 1 && parameters[0].shape == OperandShape::LiteralInteger) {
        text += fmt::format(" {}", operands[0]);
      }
    }
    c_.note({row.instruction, static_cast<std::uint16_t>(row.first_operand - 1)}, "the group has {text}", {text});
  }

  // Whether a target may have two decorations of the same kind. Most decorations with id operands may repeat, because
  // the ids may have different values. Vendor decorations may repeat with different operands.
  [[nodiscard]] bool may_repeat(const DecorationRow& first, const DecorationRow& second) const {
    if (is_one_of(unique_id_decorations(), first.decoration)) return false;
    if (first.form == DecorationForm::Id || second.form == DecorationForm::Id) return true;
    // Several OpGroupDecorate may apply the same instruction to a target. check_group() reports a repetition within one
    // OpGroupDecorate, and the comparison of the group with itself a repetition within the group.
    if (first.instruction == second.instruction || are_of_one_group(first, second)) return true;
    if (is_one_of(repeatable_decorations(), first.decoration)) return true;
    // Numbers from 4096 on are vendor decorations.
    constexpr Word first_of_vendors = 4096;
    if (static_cast<Word>(first.decoration) < first_of_vendors) return false;
    // A pointer has one control for each level of the cache (SPV_INTEL_cache_controls).
    if (first.decoration == CacheControlLoadINTEL || first.decoration == CacheControlStoreINTEL) {
      const Words a = c_.decorations.operands(first), b = c_.decorations.operands(second);
      return a.empty() || b.empty() || a[0] != b[0];
    }
    return !are_equal(first, second);
  }

  // Whether two decorations of one kind have equal operands.
  [[nodiscard]] bool are_equal(const DecorationRow& first, const DecorationRow& second) const {
    return std::ranges::equal(c_.decorations.operands(first), c_.decorations.operands(second));
  }

  // Whether two decorations of a target come from the same group.
  [[nodiscard]] bool are_of_one_group(const DecorationRow& first, const DecorationRow& second) const {
    if (first.group_use.is_none() || second.group_use.is_none()) return false;
    const auto group_of = [&](const DecorationRow& row) {
      return View<Op::OpDecorate>(c_.module.instruction(row.instruction)).target();
    };
    return group_of(first) == group_of(second);
  }

  const ModuleCheck& c_;
  std::vector<const DecorationRow*> sorted_;                               // rows of the current target
  std::optional<std::pair<Decoration, const DecorationTargetRow*>> last_;  // the last result of wanted_of()
};

}  // namespace

void check_decorations(const ModuleCheck& c) { DecorationCheck(c).run(); }

}  // namespace vireo::spirv
