// SPDX-License-Identifier: Apache-2.0
//
// Execution modes: the execution models that allow each mode, the combinations of modes, and their operands.
//
// The tables of mode_rows.h state the models of each mode and the allowed combinations. Each mode with
// special operands has its own check function. workgroup_sizes.cpp checks workgroup sizes.
//
// Source: specification 3.6 (execution modes), 3.42.5 (mode-setting instructions), 2.16.1, 2.16.2;
// SPV_KHR_float_controls2.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/core/fast_math.h"
#include "spirv/validate/tables/mode_rows.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using enum ExecutionMode;
using enum Op;

// Whether an entry point refers to a function or to an undefined id, which may be the id of a missing function.
// Otherwise the modes of the entry point are not checked.
bool names_function(const ModuleCheck& c, const EntryPointRow& entry) {
  return c.op_of(entry.function) == OpFunction || c.module.definition(entry.function).is_none();
}

// --- groups of modes -------------------------------------------------------------------------------------------------

// "needs execution mode OriginUpperLeft", "has execution modes Quads and Isolines; expected at most one of them".
std::string group_text(const ModuleCheck& c, const ModeGroup& group, Word function) {
  std::vector<std::string> present, missing;
  for (const ExecutionMode mode : group.modes) {
    // In Vulkan, OriginLowerLeft is not allowed (VulkanOrigin), so it is not recommended.
    if (c.module_declarations.mode(function, mode) != nullptr) {
      present.push_back(enumerant_text(c, mode));
    } else if (mode != OriginLowerLeft || !c.is_vulkan()) {
      missing.push_back(enumerant_text(c, mode));
    }
  }
  if (group.how_many == HowMany::All) {
    return fmt::format("needs execution mode{} {}", missing.size() == 1 ? "" : "s", list_text(missing, "and"));
  }
  if (present.empty()) {
    return fmt::format("needs {} {}", missing.size() == 1 ? "execution mode" : "one of the execution modes",
                       list_text(missing, "or"));
  }
  return fmt::format("has execution modes {}; expected {} one of them", list_text(present, "and"),
                     group.how_many == HowMany::ExactlyOne ? "exactly" : "at most");
}

// Checks groups of modes. An entry point must have all modes of a group, exactly one, or at most one (such as the
// vertex order of tessellation).
void check_groups(const ModuleCheck& c, const EntryPointRow& entry) {
  for (const ModeGroup& group : mode_groups()) {
    if (group.how_many == HowMany::AtMostOneOfWidth || !contains(group.models, entry.model)) continue;
    const auto is_there = [&](ExecutionMode mode) {
      return c.module_declarations.mode(entry.function, mode) != nullptr;
    };
    const auto count = static_cast<std::size_t>(std::count_if(group.modes.begin(), group.modes.end(), is_there));
    // Counts distinct modes; check_repetition() reports repetitions.
    const bool is_fine = group.how_many == HowMany::All          ? count == group.modes.size()
                         : group.how_many == HowMany::ExactlyOne ? count == 1
                                                                 : count <= 1;
    if (is_fine) continue;
    const std::string model = enumerant_text(c, entry.model), text = group_text(c, group, entry.function);
    // A mode of the group may be set for another function by mistake.
    if (join_misplaced_mode(c, group.modes, entry, Rule::ModeCombination)) {
      c.note(model_place(c, entry), "{text} entry point \"{text}\" {text}", {model, entry.name, text});
      continue;
    }
    c.report(Rule::ModeCombination, model_place(c, entry), {model, entry.name, text});
    // A built-in may determine which mode of the group is missing.
    if (count == 0) {
      for (const ExecutionMode mode : group.modes)
        c.findings.name_cause(Rule::ModeCombination, missing_mode(entry, mode));
    }
    if (group.how_many != HowMany::All) {
      for (const ExecutionMode mode : group.modes) note_mode(c, entry.function, mode);
    }
    const bool needs_origin = count == 0 && *group.modes.begin() == OriginUpperLeft;
    if (needs_origin) hint_execution_mode(c, OriginUpperLeft, entry.function);
  }
}

// Checks the modes that another mode requires, and the mode that a capability requires of all entry points
// (SPV_KHR_poison_freeze).
void check_demands(const ModuleCheck& c, const EntryPointRow& entry) {
  const auto find = [&](ExecutionMode mode) { return c.module_declarations.mode(entry.function, mode); };
  const auto add = [&](const std::string& needed, const std::string& cause) {
    c.report(Rule::ModeCombination, model_place(c, entry),
             {entry.model, entry.name, fmt::format("needs {}, because {}", needed, cause)});
  };
  for (const ModeDemand& row : mode_demands()) {
    if (find(row.mode) == nullptr || find(row.with) == nullptr || std::ranges::any_of(row.one_of, find)) continue;
    std::vector<std::string> names;
    for (const ExecutionMode mode : row.one_of) names.push_back(enumerant_text(c, mode));
    const std::string with = row.with == row.mode ? "" : " and " + enumerant_text(c, row.with);
    add(fmt::format("{}{}", names.size() == 1 ? "execution mode " : "one of the execution modes ",
                    list_text(names, "or")),
        fmt::format("it has {}{}", enumerant_text(c, row.mode), with));
    note_mode(c, entry.function, row.mode);
  }
  if (c.has(Capability::PoisonFreezeKHR) && find(ArithmeticPoisonKHR) == nullptr) {
    add("execution mode ArithmeticPoisonKHR", "the module declares capability PoisonFreezeKHR");
    hint_execution_mode(c, ArithmeticPoisonKHR, entry.function);
  }
}

// Reports two modes of a group for the same float width. `modes` has all modes of the function of an entry point.
void check_widths(const ModuleCheck& c, InstructionIndex entry, std::span<const ExecutionModeRow> modes) {
  for (const ModeGroup& group : mode_groups()) {
    if (group.how_many != HowMany::AtMostOneOfWidth) continue;
    std::map<Word, const ExecutionModeRow*> seen;  // by width
    for (const ExecutionModeRow& row : modes) {
      if (!is_one_of(group.modes, row.mode) || row.operands.empty()) continue;
      const auto [first, is_new] = seen.try_emplace(row.operands[0], &row);
      if (is_new || first->second->mode == row.mode) continue;  // check_repetition() reports a repetition
      // The search is linear in the entry points, so only findings that are kept need it.
      if (!c.has_room_for(Rule::ModeCombination)) {
        c.report(Rule::ModeCombination, mode_place(row));
        continue;
      }
      const auto entries = c.module_declarations.entry_points();
      const EntryPointRow& named = *std::ranges::find(entries, entry, &EntryPointRow::instruction);
      c.report(Rule::ModeCombination, mode_place(row),
               {named.model, named.name,
                fmt::format("has execution modes {} and {} for floats of {} bits; expected at most one of them",
                            enumerant_text(c, first->second->mode), enumerant_text(c, row.mode), row.operands[0])});
      c.note(mode_place(*first->second), "{enumerant} set here", {first->second->mode});
    }
  }
}

// Reports repeated modes of a function. `modes` has all modes of that function.
void check_repetition(const ModuleCheck& c, std::span<const ExecutionModeRow> modes) {
  // The key includes the first operand if the mode applies to a width or a type (DenormPreserve 16, DenormPreserve 32).
  std::map<std::pair<ExecutionMode, Word>, const ExecutionModeRow*> seen;
  for (const ExecutionModeRow& row : modes) {
    const bool is_of_operand = is_one_of(modes_of_operand(), row.mode);
    const Word operand = is_of_operand && !row.operands.empty() ? row.operands[0] : 0;
    const auto [first, is_new] = seen.try_emplace({row.mode, operand}, &row);
    if (is_new) continue;
    c.report(Rule::ModeTwice, mode_place(row), {row.mode, row.function});
    c.findings.name_cause(Rule::ModeTwice, mode_cause(row));
    c.note(mode_place(*first->second), "first set here");
    fix_duplicate(c, first->second->instruction, row.instruction);
  }
}

// --- one mode --------------------------------------------------------------------------------------------------------

// Modes whose operands are ids need OpExecutionModeId (SPIR-V 1.2); all others need OpExecutionMode. The grammar states
// the operand kinds, so a new mode needs no row.
bool takes_ids(const ModuleCheck& c, ExecutionMode mode) {
  const Grammar& grammar = c.grammar();
  const KindId kind = c.kinds.execution_mode;
  const EnumerantRow* row = kind.is_none() ? nullptr : grammar.find_value(kind, static_cast<Word>(mode));
  if (row == nullptr) return false;
  const auto parameters = grammar.operands(row->parameters);
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const OperandRow& operand) { return operand.shape <= OperandShape::IdMemorySemantics; });
}

// Facts have no value for some vendor constants (strings, data). The names of their opcodes identify them as constants.
bool is_declared_constant(const ModuleCheck& c, Word id) {
  if (c.is_constant(id)) return true;
  const std::string name = op_text(c, c.op_of(id));
  return name.starts_with("OpConstant") || name.starts_with("OpSpecConstant");
}

// Operands of OpExecutionModeId must be constants, except for the type of FPFastMathDefault. Undefined ids are skipped.
void check_ids(const ModuleCheck& c, const ExecutionModeRow& row) {
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const Word id = row.operands[i];
    const bool is_type = row.mode == ExecutionMode::FPFastMathDefault && i == 0;  // check_fast_math checks it
    if (is_type || c.module.definition(id).is_none() || is_declared_constant(c, id)) continue;
    if (c.op_of(id) == OpDecorationGroup) continue;  // check_group_uses() reports it
    c.report(Rule::ModeOperand, parameter_place(row, i), {id, c.op_of(id)});
    c.note({c.module.definition(id), 0}, "defined here");
  }
}

// Checks FPFastMathDefault: its operands are a float type and a constant of flags for all computations with that type.
void check_fast_math(const ModuleCheck& c, const ExecutionModeRow& row) {
  if (row.operands.size() < 2) return;
  const auto mode = mode_of(c, row).FPFastMathDefault();
  if (!mode) return;
  const AnyOperand type = mode->target_type(), flags = mode->fast_math_mode();
  const bool is_reported = c.module.definition(type).is_none() || !c.soundness.is_sound(type);
  if (!is_reported && !c.types.of(type).is(TypeKind::Float))
    c.report(Rule::FastMathType, {row.instruction, type.word}, {type});
  const Place place{row.instruction, flags.word};
  const ConstantRow& constant = c.constants.of(flags);
  if (constant.kind == ConstantKind::None) return;  // check_ids reports it
  const TypeRow& flags_type = c.types.row(constant.type);
  if (constant.is_spec || !flags_type.is_int(32)) {
    c.report(Rule::FastMathConstant, place,
             {flags, constant.is_spec ? "are a specialization constant" : "have type " + type_name(c, flags_type.id)});
    return;
  }
  // The value comes from an operation that is not evaluated here, so the flags are unknown.
  if (constant.status != ConstantStatus::Known) return;
  using enum FPFastMathMode;
  // Fast is not allowed: the separate flags replace it (SPV_KHR_float_controls2).
  constexpr Word known = static_cast<Word>(NotNaN) | static_cast<Word>(NotInf) | static_cast<Word>(NSZ) |
                         static_cast<Word>(AllowRecip) | static_cast<Word>(AllowContract) |
                         static_cast<Word>(AllowReassoc) | static_cast<Word>(AllowTransform);
  const Word value = static_cast<Word>(constant.bits);
  if (const Word wrong = value & ~known; wrong != 0) {
    c.report(Rule::FastMathFlags, place,
             {flags, wrong == static_cast<Word>(Fast) ? std::string("Fast") : fmt::format("{:#x}", wrong)});
    return;
  }
  const std::string_view lacking = lacking_of_transform(value);
  if (!lacking.empty()) c.report(Rule::FastMathTransform, place, {row.mode, lacking});
}

void check_micromap(const ModuleCheck& c, const ExecutionModeRow& row) {
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const Word id = row.operands[i];
    const TypeRow& type = c.type_of(id);
    if (type.is(TypeKind::Bool) || type.is(TypeKind::None) || !c.soundness.is_sound(id)) continue;
    if (!is_declared_constant(c, id)) continue;  // check_ids reports it
    c.report(Rule::MicromapConstant, parameter_place(row, i), {id, type.id});
  }
}

// Checks a mode instruction once, however many entry points its function has. If the instruction has the wrong opcode
// for the mode, its operands have the wrong kind and are not checked.
void check_mode(const ModuleCheck& c, const ExecutionModeRow& row) {
  const Place place = mode_place(row);
  if (takes_ids(c, row.mode) != row.has_ids) {
    c.report(Rule::ModeInstruction, place,
             {row.mode, row.has_ids ? "OpExecutionMode" : "OpExecutionModeId",
              row.has_ids ? "OpExecutionModeId" : "OpExecutionMode"});
    return;
  }
  if (row.has_ids) check_ids(c, row);
  switch (row.mode) {
    case LocalSizeId:
      if (!c.is_vulkan() || c.has(Feature::AllowLocalSizeId)) return;
      c.report(Rule::LocalSizeIdAllowed, place);
      c.hint("legal with the feature maintenance4 (--allow-localsizeid)");
      return;
    // In Vulkan, the origin is the upper left corner, and pixel centers are at half-integer coordinates.
    case OriginLowerLeft:
      if (c.is_vulkan()) c.report(Rule::VulkanOrigin, place);
      return;
    case PixelCenterInteger:
      if (c.is_vulkan()) c.report(Rule::VulkanPixelCenter, place);
      return;
    case FPFastMathDefault: return check_fast_math(c, row);
    case OpacityMicromapIdKHR: return check_micromap(c, row);
    default: return;
  }
}

// --- a mode and its entry points -------------------------------------------------------------------------------------

// An execution model of an entry point that refers to the function.
struct FunctionModel {
  Word function;
  ExecutionModel model;
  InstructionIndex entry;  // the first entry point of this model
};

// The execution models of each function, sorted by function, each once and in module order. A function may have many
// entry points and modes, but few models. So modes are compared with models, not with entry points.
std::vector<FunctionModel> models_of_functions(std::span<const EntryPointRow> entries) {
  std::vector<FunctionModel> rows;
  rows.reserve(entries.size());
  for (const EntryPointRow& entry : entries) rows.push_back({entry.function, entry.model, entry.instruction});
  std::ranges::stable_sort(rows, {}, &FunctionModel::function);
  Word function = 0;
  Models seen = 0;
  std::erase_if(rows, [&](const FunctionModel& row) {
    seen = row.function == function ? seen : 0;
    function = row.function;
    const bool is_again = contains(seen, row.model);
    seen |= bit_of(row.model);
    return is_again;
  });
  return rows;
}

// Vulkan forbids a limit of zero for the outputs of a mesh shader.
void check_mesh_limit(const ModuleCheck& c, const ExecutionModeRow& row) {
  if (!c.is_vulkan() || row.operands.empty() || row.operands[0] != 0) return;
  const Place place = parameter_place(row, 0);
  if (row.mode == OutputVertices) c.report(Rule::MeshVertexLimit, place, {row.mode});
  if (row.mode == OutputPrimitivesEXT) c.report(Rule::MeshPrimitiveLimit, place, {row.mode});
}

// Checks a mode against `models`, the execution models of its function.
void check_models_of_mode(const ModuleCheck& c, std::span<const FunctionModel> models, const ExecutionModeRow& row) {
  if (models.empty()) {
    // Undefined ids have their own finding.
    if (c.module.definition(row.function).is_none()) return;
    // If an entry point is missing or does not refer to a function, the mode may belong to it. That error has its own
    // finding.
    const auto entries = c.module_declarations.entry_points();
    const bool is_reported =
        entries.empty()
            ? !c.has(Capability::Linkage)
            : std::ranges::any_of(entries, [&](const EntryPointRow& entry) { return !names_function(c, entry); });
    if (is_reported) return;
    // An entry point may lack this mode.
    if (c.findings.join(Rule::StageMode, mode_cause(row), enumerant_text(c, row.mode), Rule::ModeOfEntryPoint)) {
      c.note(function_place(row), Rule::ModeOfEntryPoint, {row.function});
      return;
    }
    c.report_once(Rule::ModeOfEntryPoint, function_place(row), mode_cause(row), {row.function});
    c.note({c.module.definition(row.function), 0}, "defined here");
    return;
  }
  if (std::ranges::count(models, MeshEXT, &FunctionModel::model) != 0) check_mesh_limit(c, row);
  const auto rows = mode_models();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const ModeModels& m) { return m.mode == row.mode; });
  if (found == rows.end()) return;
  const auto wrong = std::ranges::find_if(
      models, [&](ExecutionModel model) { return !contains(found->models, model); }, &FunctionModel::model);
  // Only the first wrong model is reported.
  if (wrong == models.end()) return;
  c.report(Rule::ModeModel, mode_place(row), {row.mode, wrong->model, models_text(c, found->models)});
  c.vuid(row.mode == NonCoherentTileAttachmentReadQCOM ? 10687 : row.mode == TileShadingRateQCOM ? 10688 : 0);
  c.findings.name_cause(Rule::ModeModel, mode_cause(row));
  c.note(place_of(c, wrong->entry, OperandName::execution_model), "entry point declared here");
}

// --- consequences of FPFastMathDefault -------------------------------------------------------------------------------

std::uint32_t has_fast_math_default(const ModuleCheck& c, const EntryPointRow& entry) {
  return c.module_declarations.mode(entry.function, FPFastMathDefault) != nullptr ? 1u : 0u;
}

// FPFastMathDefault replaces the older modes and decorations, so an entry point cannot have both.
void check_older_modes(const ModuleCheck& c, const ExecutionModeRow& row) {
  if (row.mode != ContractionOff && row.mode != SignedZeroInfNanPreserve) return;
  if (c.module_declarations.mode(row.function, FPFastMathDefault) == nullptr) return;
  c.report(Rule::FastMathModes, mode_place(row), {row.mode, row.function});
  note_mode(c, row.function, FPFastMathDefault);
}

void check_older_decorations(const ModuleCheck& c) {
  const auto modes = c.module_declarations.execution_modes();
  if (std::none_of(modes.begin(), modes.end(), [](const auto& row) { return row.mode == FPFastMathDefault; })) return;
  // FPFastMathDefault applies to an instruction if an entry point with the mode reaches it. `reach` sets bit 0 for each
  // function and global that such an entry point reaches.
  const EntryPointReachability reach(c, has_fast_math_default);
  for (const DecorationRow& row : c.decorations.rows()) {
    const bool is_fast = row.decoration == Decoration::FPFastMathMode &&
                         has_flag(c.decorations.operand_or(row, 0), FPFastMathMode::Fast);
    if (row.decoration != Decoration::NoContraction && !is_fast) continue;
    const InstructionIndex target = c.module.definition(row.target);
    // Undefined ids have their own finding.
    if (target.is_none()) continue;
    const FunctionIndex function = c.module.function_at(target);
    if ((function.is_none() ? reach.of_global(row.target) : reach.of(function)) == 0) continue;
    c.report(Rule::FastMathUse, {row.instruction, 0}, {is_fast ? "FPFastMathMode Fast" : "NoContraction", row.target});
    c.note({target, 0}, "defined here");
  }
}

}  // namespace

void check_execution_modes(const ModuleCheck& c) {
  const auto entries = c.module_declarations.entry_points();
  // Both lists are sorted by function, so they are merged in one pass.
  const std::vector<FunctionModel> models = models_of_functions(entries);
  auto its_models = models.begin();
  const auto modes = c.module_declarations.execution_modes();
  for (auto first = modes.begin(); first != modes.end();) {
    const Word function = first->function;
    const auto is_another = [&](const auto& row) { return row.function != function; };
    const auto end = std::find_if(first, modes.end(), is_another);
    its_models = std::find_if(its_models, models.end(), [&](const auto& row) { return row.function >= function; });
    const auto end_models = std::find_if(its_models, models.end(), is_another);
    for (const ExecutionModeRow& row : std::span(first, end)) {
      check_mode(c, row);
      check_models_of_mode(c, {its_models, end_models}, row);
      check_older_modes(c, row);
    }
    // Fast path: one mode neither repeats nor excludes another.
    if (end - first > 1) {
      check_repetition(c, {first, end});
      if (its_models != end_models) check_widths(c, its_models->entry, {first, end});
    }
    first = end;
  }
  for (const EntryPointRow& entry : entries) {
    // Without Shader, missing-capability reports the execution models of shaders.
    const bool is_allowed = c.is_shader() || entry.model == ExecutionModel::Kernel;
    if (!is_allowed || !names_function(c, entry)) continue;
    check_groups(c, entry);
    check_demands(c, entry);
  }
  check_older_decorations(c);
}

}  // namespace vireo::spirv
