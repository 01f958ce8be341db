// SPDX-License-Identifier: Apache-2.0
//
// Three linear steps (stages.h): record uses, propagate them up the call graph, and check entry points. They are linear
// because only one use is kept for each row and function.
#include "spirv/validate/checks/interfaces/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/validate/analysis/places.h"
#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {

namespace {

// Whether an execution model is known. Entry points of unknown models are not checked.
bool is_known(ExecutionModel model) {
  return std::find(std::begin(known_models), std::end(known_models), model) != std::end(known_models);
}

}  // namespace

// --- sets of models as text ------------------------------------------------------------------------------------------

std::string models_text(const ModuleCheck& c, Models models) {
  std::vector<std::string> names;
  for (const ExecutionModel model : known_models) {
    if (contains(models, model)) names.push_back(enumerant_text(c, model));
  }
  return list_text(names, "or");
}

std::string expected_models_text(const ModuleCheck& c, Models models) {
  // The last bit represents unknown models. Only complements of sets and any_model contain it. bit_of(~0) returns it.
  const bool is_complement = contains(models, static_cast<ExecutionModel>(~Word{0}));
  return is_complement ? std::string() : "; expected " + models_text(c, models);
}

// --- rows that apply to this module ----------------------------------------------------------------------------------

// Selects the rows that apply to the module. Rows of kind Instructions are indexed by opcode; the others are in lists
// that are usually empty.
StageCheck::StageCheck(const ModuleCheck& c)
    : c_(c), by_instruction_(find_rows()), last_use_(stage_rows().size(), none) {}

ByInstruction<StageCheck::RowIndex> StageCheck::find_rows() {
  // For speed, a row that no entry point of the module can violate is dropped. For example, only mesh shaders can
  // violate the row of OpLoad.
  Models present = 0;
  for (const EntryPointRow& entry : c_.module_declarations.entry_points()) {
    if (is_known(entry.model)) present |= bit_of(entry.model);
  }
  const auto is_satisfied = [present](const StageRow& row) {
    // The row allows all present models, no mode is needed, and no mode bounds a value. Without entry points, no check
    // runs.
    return (present & (~row.models | row.need.models)) == 0 && (present == 0 || !row.bound.operand);
  };
  std::vector<std::pair<Op, RowIndex>> named;
  RowIndex next = 0;
  for (const StageRow& row : stage_rows()) {
    const RowIndex r = next++;
    if (is_satisfied(row) || (row.holds != nullptr && !row.holds(c_))) continue;
    switch (row.subject.kind) {
      case StageSubject::Kind::Instructions:
        for (std::size_t i = 0; i < row.subject.opcode_count; ++i) named.emplace_back(row.subject.opcodes[i], r);
        break;
      case StageSubject::Kind::Extended: find_extended(r); break;
      case StageSubject::Kind::Storage: storage_.push_back(r); break;
      case StageSubject::Kind::Scope: scopes_.push_back(r); break;
    }
  }
  return {c_.grammar(), named};
}

// Finds the extended instructions of a row in the imported sets.
void StageCheck::find_extended(RowIndex row) {
  const Grammar& grammar = c_.grammar();
  const StageSubject& subject = stage_rows()[row].subject;
  for (const ImportRow& import : c_.module_declarations.imports()) {
    if (import.set.is_none() || grammar.text(grammar.sets[import.set.index()].name) != subject.set) continue;
    // The names of a row are separated by spaces.
    for (std::string_view rest = subject.names; !rest.empty();) {
      const std::size_t blank = std::min(rest.find(' '), rest.size());
      const ExtInstRow* inst = grammar.find_ext_inst(import.set, rest.substr(0, blank));
      rest.remove_prefix(std::min(blank + 1, rest.size()));
      if (inst != nullptr) extended_.push_back({inst, row});  // a loaded grammar may lack the instruction
    }
    return;  // a repeated import gives the same set
  }
}

// --- recording uses --------------------------------------------------------------------------------------------------

// Keeps one use for each row and function: the first one or, if the row bounds a value, the one with the largest value.
void StageCheck::note(RowIndex row, FunctionIndex function, Place place, std::uint64_t value) {
  // Functions are visited in order. If the current function has used the row before, that is the latest use of the row,
  // so no set is needed.
  std::uint32_t& last = last_use_[row];
  if (last != none && uses_[last].function == function) {
    Use& use = uses_[last];
    // Only bounds compare values; for scopes, the value is used in the message.
    if (stage_rows()[row].bound.operand && value > use.value) use.place = place, use.value = value;
    return;
  }
  last = static_cast<std::uint32_t>(uses_.size());
  uses_.push_back({row, function, place, value});
}

void StageCheck::visit(const InstructionCheck& c) {
  if (c.function.is_none()) return;
  for (const RowIndex r : by_instruction_.of(*c.decoded->row)) {
    const StageRow& row = stage_rows()[r];
    if (row.subject.applies != nullptr && !row.subject.applies(c)) continue;
    if (!row.bound.operand) {
      note(r, c.function, c.at());
      continue;
    }
    // The value of a specialization constant is unknown and not compared with the mode.
    const AnyOperand operand = c.operand(*row.bound.operand);
    if (const auto value = c_.constants.as_u64(operand)) note(r, c.function, c.at(operand), *value);
  }
  if (c.decoded->ext_inst != nullptr) {
    const Place place = c.at(c.as<Op::OpExtInst>().instruction());
    for (const ExtendedRow& row : extended_) {
      if (row.inst == c.decoded->ext_inst) note(row.row, c.function, place);
    }
  }
}

// A scope operand may match several rows.
void StageCheck::visit_scopes(const InstructionCheck& c) {
  if (c.function.is_none() || scopes_.empty()) return;
  for (const Operand& operand : c.operands) {
    if (!is_scope(c, operand)) continue;
    const std::optional<Scope> scope = scope_of(c, operand);
    if (!scope) continue;
    const ScopeRole role = role_of_scope(c, operand);
    for (const RowIndex r : scopes_) {
      const StageSubject& subject = stage_rows()[r].subject;
      if (subject.role != role || !subject.is_scope_meant(c.op(), *scope)) continue;
      note(r, c.function, c.at(operand), static_cast<Word>(*scope));
    }
  }
}

// A function uses a storage class if it refers to a variable or a pointer type of that class.
void StageCheck::note_storage() {
  if (storage_.empty()) return;
  const Module& module = c_.module;
  for (const InstructionView view : module.views(module.section(Section::Globals))) {
    const Word id = module.result_of(view);
    const TypeRow& pointer = is_variable(view.opcode) ? c_.type_of(id) : c_.types.of(id);
    if (!pointer.is_pointer() || !c_.soundness.is_sound(id)) continue;
    for (const RowIndex r : storage_) {
      if (stage_rows()[r].subject.storage != pointer.storage) continue;
      // Uses are in word order, so those of one function are adjacent, as note() requires. For variables the smaller
      // index some_uses() is enough (facts.h) and takes half the time; types need the full index.
      const Uses& uses = is_variable(view.opcode) ? c_.facts.some_uses() : c_.facts.uses();
      for (const spirv::Use& use : uses.of(id)) {
        if (use.kind != UseKind::Operand && use.kind != UseKind::ResultType) continue;
        // The storage class of an unsound variable is unknown.
        const InstructionView user = module.instruction(use.instruction);
        if (is_variable(user.opcode) && !c_.soundness.is_sound(module.result_of(user))) continue;
        const FunctionIndex function = module.function_at(use.instruction);
        if (!function.is_none()) note(r, function, {use.instruction, use.word});
      }
    }
  }
}

// --- propagation -----------------------------------------------------------------------------------------------------

// Keeps, for each function, the first use that it reaches or, for bounds, the one with the largest value. Functions and
// calls are in module order, so the result is deterministic.
void StageCheck::add_use(FunctionIndex function, ReachedUse found) {
  if (found.use == nullptr) return;
  ReachedUse& kept = reached_[function.index()];
  const bool is_larger =
      kept.use != nullptr && stage_rows()[found.use->row].bound.operand && found.use->value > kept.use->value;
  if (kept.use == nullptr || is_larger) kept = found;
}

void StageCheck::propagate_to_callers() {
  const CallGraph& calls = c_.facts.call_graph();
  // Linear in functions and calls: the strongly connected components of the call graph are in callee-first order, and
  // each is visited twice.
  for (std::size_t c = 0; c < calls.component_count(); ++c) {
    const auto functions = calls.functions_of(ComponentIndex(c));
    // The uses of callees in other components are already complete.
    for (const FunctionIndex f : functions) {
      for (const CallRow& call : calls.calls(f)) add_use(f, {reached_[call.callee.index()].use, call.callee});
    }
    if (functions.size() == 1) continue;
    // The functions of a component reach each other, so they share their uses.
    const FunctionIndex first = functions.front();
    // Collects the uses at the first function, then copies them to all.
    for (const FunctionIndex f : functions) add_use(first, {reached_[f.index()].use, f});
    for (const FunctionIndex f : functions) add_use(f, {reached_[first.index()].use, first});
  }
}

// --- checks ----------------------------------------------------------------------------------------------------------

std::string StageCheck::text_of(const Use& use) const {
  const StageRow& row = stage_rows()[use.row];
  const InstructionView view = c_.module.instruction(use.place.instruction);
  std::string op = op_text(c_, view.opcode);
  switch (row.subject.kind) {
    case StageSubject::Kind::Instructions: return op.append(row.of);
    case StageSubject::Kind::Storage: return fmt::format("storage class {}", enumerant_text(c_, row.subject.storage));
    case StageSubject::Kind::Scope:
      return fmt::format("{} with {} scope {}", op, row.subject.role == ScopeRole::Execution ? "execution" : "memory",
                         enumerant_text(c_, static_cast<Scope>(use.value)));
    case StageSubject::Kind::Extended: {
      const Grammar& grammar = c_.grammar();
      const View<Op::OpExtInst> extended(view);
      const ImportRow* import = c_.module_declarations.import_of(extended.set());
      const ExtInstRow* inst = import == nullptr ? nullptr : grammar.find_ext_inst(import->set, extended.instruction());
      return inst == nullptr ? op : std::string(grammar.text(inst->name));
    }
  }
  return op;
}

void StageCheck::check(const EntryPointRow& entry, FunctionIndex function) const {
  const ReachedUse reach = reached_[function.index()];
  const Use& use = *reach.use;
  const StageRow& row = stage_rows()[use.row];
  const auto has_mode = [&](ExecutionMode mode) {
    return c_.module_declarations.mode(entry.function, mode) != nullptr;
  };
  const auto model = [&] { return enumerant_text(c_, entry.model); };
  const ExecutionModeRow* limit = nullptr;
  // Reports at most one finding for each row and entry point: if the model is wrong, modes are not checked.
  if (!contains(row.models, entry.model)) {
    c_.report(row.rule, use.place, {text_of(use), model(), entry.name, expected_models_text(c_, row.models)});
    if (!row.hint.empty()) c_.hint(std::string(row.hint));
  } else if (contains(row.need.models, entry.model) &&
             std::none_of(row.need.one_of.begin(), row.need.one_of.end(), has_mode)) {
    std::vector<std::string> names;
    for (const ExecutionMode mode : row.need.one_of) names.push_back(enumerant_text(c_, mode));
    c_.report(Rule::StageMode, use.place, {text_of(use), model(), entry.name, list_text(names, "or")});
    for (const std::string& name : names) c_.findings.name_cause(Rule::StageMode, name);
  } else if (row.bound.operand) {
    limit = c_.module_declarations.mode(entry.function, row.bound.mode);
    // Without the mode there is no bound.
    if (limit == nullptr || limit->operands.empty() || use.value <= limit->operands[0]) return;
    c_.report(row.rule, use.place,
              {std::to_string(use.value), text_of(use), std::to_string(limit->operands[0]), model(), entry.name});
  } else {
    return;
  }
  const auto name_of = [&](FunctionIndex f) { return id_text(c_, c_.module.functions()[f.index()].id); };
  const Place place = model_place(c_, entry);
  if (use.function == function) {
    c_.note(place, "entry point declared here");
  } else if (use.function == reach.via) {
    c_.note(place, "entry point {text} calls {text}", {name_of(function), name_of(use.function)});
  } else {
    c_.note(place, "entry point {text} reaches {text} through a call of {text}",
            {name_of(function), name_of(use.function), name_of(reach.via)});
  }
  if (limit != nullptr) { c_.note(parameter_place(*limit, 0), "{enumerant} set here", {limit->mode}); }
}

// Checks one row at a time, so reached_ has only one entry for each function.
void StageCheck::check_row(std::span<const Use> uses) {
  reached_.assign(c_.module.functions().size(), {});
  // Initializes each function with its own use of the row.
  for (const Use& use : uses) add_use(use.function, {&use, {}});
  propagate_to_callers();
  for (const EntryPointRow& entry : c_.module_declarations.entry_points()) {
    const FunctionIndex function = c_.module.function_of(entry.function);
    if (is_known(entry.model) && !function.is_none() && reached_[function.index()].use != nullptr)
      check(entry, function);
  }
}

void StageCheck::finish() {
  note_storage();
  // Sorts by row, then by place, so that the first use of a row is the first in the module.
  std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) {
    return a.row != b.row ? a.row < b.row : a.place.instruction.raw < b.place.instruction.raw;
  });
  for (auto first = uses_.begin(); first != uses_.end();) {
    const auto end = std::find_if(first, uses_.end(), [&](const Use& use) { return use.row != first->row; });
    check_row({first, end});
    first = end;
  }
}

}  // namespace vireo::spirv
