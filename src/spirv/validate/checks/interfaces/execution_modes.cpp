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

#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/checks/decorations/fast_math.h"
#include "spirv/validate/checks/interfaces/places.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "spirv/validate/tables/mode_rows.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using enum ExecutionMode;
using enum Op;

// Whether an entry point refers to a function or to an undefined id, which may be the id of a missing function.
// Otherwise the modes of the entry point are not checked.
bool names_function(const Context& context, const EntryPointRow& entry) {
  return context.op_of(entry.function) == OpFunction || context.module.definition(entry.function).is_none();
}

// The cause of a finding about a mode of a function that is no entry point (Report::add_once).
std::string mode_cause(const ExecutionModeRow& row) {
  return fmt::format("{} {}", static_cast<Word>(row.mode), row.function);
}

// Makes the finding about a mode of the group that is set for no entry point the last one. Returns false if there is
// none. The search is linear in the modes, so only findings that are kept need it.
bool join_misplaced_mode(const Context& context, const ModeGroup& group, const EntryPointRow& entry, Report& report) {
  if (!report.has_room_for(Rule::ModeCombination)) return false;
  return std::ranges::any_of(context.module_declarations.execution_modes(), [&](const ExecutionModeRow& row) {
    const std::string cause = mode_cause(row);
    return is_one_of(group.modes, row.mode) &&
           report.join(Rule::ModeOfEntryPoint, fmt::format("{} for {}", cause, entry.instruction.raw), cause);
  });
}

// --- groups of modes -------------------------------------------------------------------------------------------------

// "needs execution mode OriginUpperLeft", "has execution modes Quads and Isolines; expected at most one of them".
std::string group_text(const Context& context, const ModeGroup& group, Word function) {
  std::vector<std::string> present, missing;
  for (const ExecutionMode mode : group.modes) {
    // In Vulkan, OriginLowerLeft is not allowed (VulkanOrigin), so it is not recommended.
    if (context.module_declarations.mode(function, mode) != nullptr) {
      present.push_back(enumerant_text(context, mode));
    } else if (mode != OriginLowerLeft || !context.is_vulkan()) {
      missing.push_back(enumerant_text(context, mode));
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
void check_groups(const Context& context, const EntryPointRow& entry, Report& report) {
  for (const ModeGroup& group : mode_groups()) {
    if (group.how_many == HowMany::AtMostOneOfWidth || !contains(group.models, entry.model)) continue;
    const auto is_there = [&](ExecutionMode mode) {
      return context.module_declarations.mode(entry.function, mode) != nullptr;
    };
    const auto count = static_cast<std::size_t>(std::count_if(group.modes.begin(), group.modes.end(), is_there));
    // Counts distinct modes; check_repetition() reports repetitions.
    const bool is_fine = group.how_many == HowMany::All          ? count == group.modes.size()
                         : group.how_many == HowMany::ExactlyOne ? count == 1
                                                                 : count <= 1;
    if (is_fine) continue;
    const std::string model = enumerant_text(context, entry.model), text = group_text(context, group, entry.function);
    // A mode of the group may be set for another function by mistake.
    if (join_misplaced_mode(context, group, entry, report)) {
      report.note(model_place(context, entry), fmt::format("{} entry point \"{}\" {}", model, entry.name, text));
      continue;
    }
    report.add(Rule::ModeCombination, model_place(context, entry), {model, entry.name, text});
    // A built-in may determine which mode of the group is missing.
    if (count == 0) {
      for (const ExecutionMode mode : group.modes) report.name_cause(Rule::ModeCombination, missing_mode(entry, mode));
    }
    if (group.how_many != HowMany::All) {
      for (const ExecutionMode mode : group.modes) note_mode(context, report, entry.function, mode);
    }
    const bool needs_origin = count == 0 && *group.modes.begin() == OriginUpperLeft;
    if (needs_origin) hint_execution_mode(context, report, OriginUpperLeft, entry.function);
  }
}

// Checks the modes that another mode requires, and the mode that a capability requires of all entry points
// (SPV_KHR_poison_freeze).
void check_demands(const Context& context, const EntryPointRow& entry, Report& report) {
  const auto find = [&](ExecutionMode mode) { return context.module_declarations.mode(entry.function, mode); };
  const auto add = [&](const std::string& needed, const std::string& cause) {
    report.add(Rule::ModeCombination, model_place(context, entry),
               {enumerant_text(context, entry.model), entry.name, fmt::format("needs {}, because {}", needed, cause)});
  };
  for (const ModeDemand& row : mode_demands()) {
    if (find(row.mode) == nullptr || find(row.with) == nullptr || std::ranges::any_of(row.one_of, find)) continue;
    std::vector<std::string> names;
    for (const ExecutionMode mode : row.one_of) names.push_back(enumerant_text(context, mode));
    const std::string with = row.with == row.mode ? "" : " and " + enumerant_text(context, row.with);
    add(fmt::format("{}{}", names.size() == 1 ? "execution mode " : "one of the execution modes ",
                    list_text(names, "or")),
        fmt::format("it has {}{}", enumerant_text(context, row.mode), with));
    note_mode(context, report, entry.function, row.mode);
  }
  if (context.has(Capability::PoisonFreezeKHR) && find(ArithmeticPoisonKHR) == nullptr) {
    add("execution mode ArithmeticPoisonKHR", "the module declares capability PoisonFreezeKHR");
    hint_execution_mode(context, report, ArithmeticPoisonKHR, entry.function);
  }
}

// Reports two modes of a group for the same float width. `modes` has all modes of the function of an entry point.
void check_widths(const Context& context, InstructionIndex entry, std::span<const ExecutionModeRow> modes,
                  Report& report) {
  for (const ModeGroup& group : mode_groups()) {
    if (group.how_many != HowMany::AtMostOneOfWidth) continue;
    std::map<Word, const ExecutionModeRow*> seen;  // by width
    for (const ExecutionModeRow& row : modes) {
      if (!is_one_of(group.modes, row.mode) || row.operands.empty()) continue;
      const auto [first, is_new] = seen.try_emplace(row.operands[0], &row);
      if (is_new || first->second->mode == row.mode) continue;  // check_repetition() reports a repetition
      // The search is linear in the entry points, so only findings that are kept need it.
      if (!report.has_room_for(Rule::ModeCombination)) {
        report.add(Rule::ModeCombination, mode_place(row));
        continue;
      }
      const auto entries = context.module_declarations.entry_points();
      const EntryPointRow& named = *std::ranges::find(entries, entry, &EntryPointRow::instruction);
      report.add(Rule::ModeCombination, mode_place(row),
                 {enumerant_text(context, named.model), named.name,
                  fmt::format("has execution modes {} and {} for floats of {} bits; expected at most one of them",
                              enumerant_text(context, first->second->mode), enumerant_text(context, row.mode),
                              row.operands[0])});
      report.note(mode_place(*first->second), enumerant_text(context, first->second->mode) + " set here");
    }
  }
}

// Reports repeated modes of a function. `modes` has all modes of that function.
void check_repetition(const Context& context, std::span<const ExecutionModeRow> modes, Report& report) {
  // The key includes the first operand if the mode applies to a width or a type (DenormPreserve 16, DenormPreserve 32).
  std::map<std::pair<ExecutionMode, Word>, const ExecutionModeRow*> seen;
  for (const ExecutionModeRow& row : modes) {
    const bool is_of_operand = is_one_of(modes_of_operand(), row.mode);
    const Word operand = is_of_operand && !row.operands.empty() ? row.operands[0] : 0;
    const auto [first, is_new] = seen.try_emplace({row.mode, operand}, &row);
    if (is_new) continue;
    report.add(Rule::ModeTwice, mode_place(row), {enumerant_text(context, row.mode), id_text(context, row.function)});
    report.note(mode_place(*first->second), "first set here");
    fix_duplicate(context, report, first->second->instruction, row.instruction);
  }
}

// --- one mode --------------------------------------------------------------------------------------------------------

// Modes whose operands are ids need OpExecutionModeId (SPIR-V 1.2); all others need OpExecutionMode. The grammar states
// the operand kinds, so a new mode needs no row.
bool takes_ids(const Context& context, ExecutionMode mode) {
  const Grammar& grammar = context.grammar();
  const KindId kind = context.kinds.execution_mode;
  const EnumerantRow* row = kind.is_none() ? nullptr : grammar.find_value(kind, static_cast<Word>(mode));
  if (row == nullptr) return false;
  const auto parameters = grammar.operands(row->parameters);
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const OperandRow& operand) { return operand.shape <= OperandShape::IdMemorySemantics; });
}

// Facts have no value for some vendor constants (strings, data). The names of their opcodes identify them as constants.
bool is_declared_constant(const Context& context, Word id) {
  if (context.is_constant(id)) return true;
  const std::string name = op_text(context, context.op_of(id));
  return name.starts_with("OpConstant") || name.starts_with("OpSpecConstant");
}

// Operands of OpExecutionModeId must be constants, except for the type of FPFastMathDefault. Undefined ids are skipped.
void check_ids(const Context& context, const ExecutionModeRow& row, Report& report) {
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const Word id = row.operands[i];
    const bool is_type = row.mode == ExecutionMode::FPFastMathDefault && i == 0;  // check_fast_math checks it
    if (is_type || context.module.definition(id).is_none() || is_declared_constant(context, id)) continue;
    report.add(Rule::ModeOperand, parameter_place(row, i), {id_text(context, id), op_text(context, context.op_of(id))});
    report.note({context.module.definition(id), 0}, "defined here");
  }
}

// Checks FPFastMathDefault: its operands are a float type and a constant of flags for all computations with that type.
void check_fast_math(const Context& context, const ExecutionModeRow& row, Report& report) {
  if (row.operands.size() < 2) return;
  const auto mode = mode_of(context, row).FPFastMathDefault();
  if (!mode) return;
  const AnyOperand type = mode->target_type(), flags = mode->fast_math_mode();
  if (!context.types.of(type).is(TypeKind::Float)) {
    report.add(Rule::FastMathType, {row.instruction, type.word}, {type_text(context, type)});
  }
  const Place place{row.instruction, flags.word};
  const ConstantRow& constant = context.constants.of(flags);
  if (constant.kind == ConstantKind::None) return;  // check_ids reports it
  const TypeRow& flags_type = context.types.row(constant.type);
  if (constant.is_spec || !flags_type.is_int(32)) {
    report.add(Rule::FastMathConstant, place,
               {id_text(context, flags),
                constant.is_spec ? "are a specialization constant" : "have type " + type_name(context, flags_type.id)});
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
    report.add(Rule::FastMathFlags, place,
               {id_text(context, flags),
                wrong == static_cast<Word>(Fast) ? std::string("Fast") : fmt::format("{:#x}", wrong)});
    return;
  }
  const std::string_view lacking = lacking_of_transform(value);
  if (!lacking.empty()) report.add(Rule::FastMathTransform, place, {enumerant_text(context, row.mode), lacking});
}

void check_micromap(const Context& context, const ExecutionModeRow& row, Report& report) {
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const Word id = row.operands[i];
    const TypeRow& type = context.type_of(id);
    if (type.is(TypeKind::Bool)) continue;
    report.add(Rule::MicromapConstant, parameter_place(row, i), {id_text(context, id), type_name(context, type.id)});
  }
}

// Checks a mode instruction once, however many entry points its function has. If the instruction has the wrong opcode
// for the mode, its operands have the wrong kind and are not checked.
void check_mode(const Context& context, const ExecutionModeRow& row, Report& report) {
  const Place place = mode_place(row);
  if (takes_ids(context, row.mode) != row.has_ids) {
    report.add(Rule::ModeInstruction, place,
               {enumerant_text(context, row.mode), row.has_ids ? "OpExecutionMode" : "OpExecutionModeId",
                row.has_ids ? "OpExecutionModeId" : "OpExecutionMode"});
    return;
  }
  if (row.has_ids) check_ids(context, row, report);
  switch (row.mode) {
    case LocalSizeId:
      if (!context.is_vulkan() || context.has(Feature::AllowLocalSizeId)) return;
      report.add(Rule::LocalSizeIdAllowed, place);
      report.hint("legal with maintenance4 (--allow-localsizeid)");
      return;
    // In Vulkan, the origin is the upper left corner, and pixel centers are at half-integer coordinates.
    case OriginLowerLeft:
      if (context.is_vulkan()) report.add(Rule::VulkanOrigin, place);
      return;
    case PixelCenterInteger:
      if (context.is_vulkan()) report.add(Rule::VulkanPixelCenter, place);
      return;
    case FPFastMathDefault: return check_fast_math(context, row, report);
    case OpacityMicromapIdKHR: return check_micromap(context, row, report);
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
void check_mesh_limit(const Context& context, const ExecutionModeRow& row, Report& report) {
  if (!context.is_vulkan() || row.operands.empty() || row.operands[0] != 0) return;
  const Place place = parameter_place(row, 0);
  if (row.mode == OutputVertices) report.add(Rule::MeshVertexLimit, place, {enumerant_text(context, row.mode)});
  if (row.mode == OutputPrimitivesEXT) report.add(Rule::MeshPrimitiveLimit, place, {enumerant_text(context, row.mode)});
}

// Checks a mode against `models`, the execution models of its function.
void check_models_of_mode(const Context& context, std::span<const FunctionModel> models, const ExecutionModeRow& row,
                          Report& report) {
  if (models.empty()) {
    // Undefined ids have their own finding.
    if (context.module.definition(row.function).is_none()) return;
    // If an entry point is missing or does not refer to a function, the mode may belong to it. That error has its own
    // finding.
    const auto entries = context.module_declarations.entry_points();
    const bool is_reported =
        entries.empty()
            ? !context.has(Capability::Linkage)
            : std::ranges::any_of(entries, [&](const EntryPointRow& entry) { return !names_function(context, entry); });
    if (is_reported) return;
    report.add_once(Rule::ModeOfEntryPoint, function_place(row), mode_cause(row), {id_text(context, row.function)});
    report.note({context.module.definition(row.function), 0}, "defined here");
    return;
  }
  if (std::ranges::count(models, MeshEXT, &FunctionModel::model) != 0) check_mesh_limit(context, row, report);
  const auto rows = mode_models();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const ModeModels& m) { return m.mode == row.mode; });
  if (found == rows.end()) return;
  const auto wrong = std::ranges::find_if(
      models, [&](ExecutionModel model) { return !contains(found->models, model); }, &FunctionModel::model);
  // Only the first wrong model is reported.
  if (wrong == models.end()) return;
  report.add(
      Rule::ModeModel, mode_place(row),
      {enumerant_text(context, row.mode), enumerant_text(context, wrong->model), models_text(context, found->models)});
  report.vuid(row.mode == NonCoherentTileAttachmentReadQCOM ? 10687 : row.mode == TileShadingRateQCOM ? 10688 : 0);
  report.note(place_of(context, wrong->entry, OperandName::execution_model), "entry point declared here");
}

// --- consequences of FPFastMathDefault -------------------------------------------------------------------------------

std::uint32_t has_fast_math_default(const Context& context, const EntryPointRow& entry) {
  return context.module_declarations.mode(entry.function, FPFastMathDefault) != nullptr ? 1u : 0u;
}

// FPFastMathDefault replaces the older modes and decorations, so an entry point cannot have both.
void check_older_modes(const Context& context, const ExecutionModeRow& row, Report& report) {
  if (row.mode != ContractionOff && row.mode != SignedZeroInfNanPreserve) return;
  if (context.module_declarations.mode(row.function, FPFastMathDefault) == nullptr) return;
  report.add(Rule::FastMathModes, mode_place(row), {enumerant_text(context, row.mode), id_text(context, row.function)});
  note_mode(context, report, row.function, FPFastMathDefault);
}

void check_older_decorations(const Context& context, Report& report) {
  const auto modes = context.module_declarations.execution_modes();
  if (std::none_of(modes.begin(), modes.end(), [](const auto& row) { return row.mode == FPFastMathDefault; })) return;
  // FPFastMathDefault applies to an instruction if an entry point with the mode reaches it. `reach` sets bit 0 for each
  // function and global that such an entry point reaches.
  const EntryPointReachability reach(context, has_fast_math_default);
  for (const DecorationRow& row : context.decorations.rows()) {
    const bool is_fast = row.decoration == Decoration::FPFastMathMode &&
                         has_flag(context.decorations.operand_or(row, 0), FPFastMathMode::Fast);
    if (row.decoration != Decoration::NoContraction && !is_fast) continue;
    const InstructionIndex target = context.module.definition(row.target);
    // Undefined ids have their own finding.
    if (target.is_none()) continue;
    const FunctionIndex function = context.module.function_at(target);
    if ((function.is_none() ? reach.of_global(row.target) : reach.of(function)) == 0) continue;
    report.add(Rule::FastMathUse, {row.instruction, 0},
               {is_fast ? "FPFastMathMode Fast" : "NoContraction", id_text(context, row.target)});
    report.note({target, 0}, "defined here");
  }
}

}  // namespace

void check_execution_modes(const Context& context, Report& report) {
  const auto entries = context.module_declarations.entry_points();
  // Both lists are sorted by function, so they are merged in one pass.
  const std::vector<FunctionModel> models = models_of_functions(entries);
  auto its_models = models.begin();
  const auto modes = context.module_declarations.execution_modes();
  for (auto first = modes.begin(); first != modes.end();) {
    const Word function = first->function;
    const auto is_another = [&](const auto& row) { return row.function != function; };
    const auto end = std::find_if(first, modes.end(), is_another);
    its_models = std::find_if(its_models, models.end(), [&](const auto& row) { return row.function >= function; });
    const auto end_models = std::find_if(its_models, models.end(), is_another);
    for (const ExecutionModeRow& row : std::span(first, end)) {
      check_mode(context, row, report);
      check_models_of_mode(context, {its_models, end_models}, row, report);
      check_older_modes(context, row, report);
    }
    // Fast path: one mode neither repeats nor excludes another.
    if (end - first > 1) {
      check_repetition(context, {first, end}, report);
      if (its_models != end_models) check_widths(context, its_models->entry, {first, end}, report);
    }
    first = end;
  }
  for (const EntryPointRow& entry : entries) {
    // Without Shader, missing-capability reports the execution models of shaders.
    const bool is_allowed = context.is_shader() || entry.model == ExecutionModel::Kernel;
    if (!is_allowed || !names_function(context, entry)) continue;
    check_groups(context, entry, report);
    check_demands(context, entry, report);
  }
  check_older_decorations(context, report);
}

}  // namespace vireo::spirv
