// SPDX-License-Identifier: Apache-2.0
//
// Noting uses, handing them up the call graph, judging entry points.
#include "spirv/validate/stages.h"

#include <fmt/format.h>

#include <algorithm>

namespace vireo::spirv {

// --- sets of models as text ---------------------------------------------------------------------------------------------

std::string models_text(const Context& context, Models models) {
  // The last bit stands for models that are not known: sets that are all but a few have it.
  const bool is_all_but = contains(models, static_cast<ExecutionModel>(~Word{0}));
  std::string list;
  for (const ExecutionModel model : known_models) {
    if (contains(models, model) == is_all_but) continue;
    list.append(list.empty() ? "" : ", ").append(enumerant_text(context, "ExecutionModel", static_cast<Word>(model)));
  }
  return is_all_but ? fmt::format("none of {}", list) : list;
}

// --- which rows hold in this module -------------------------------------------------------------------------------------

StageCheck::StageCheck(const Context& context)
    : context_(context), holds_(stage_rows().size()), last_use_(stage_rows().size(), none) {
  RowIndex next = 0;
  for (const StageRow& row : stage_rows()) {
    const RowIndex r = next++;
    holds_[r] = row.holds == nullptr || row.holds(context);
    if (!holds_[r]) continue;
    switch (row.subject.kind) {
      case StageSubject::Kind::Instructions: break;  // found by opcode
      case StageSubject::Kind::Extended: find_extended(r); break;
      case StageSubject::Kind::Storage: storage_.push_back(r); break;
      case StageSubject::Kind::Scope: scopes_.push_back(r); break;
    }
  }
}

// Of sets that the module imports.
void StageCheck::find_extended(RowIndex row) {
  const Grammar& grammar = context_.grammar();
  const StageSubject& subject = stage_rows()[row].subject;
  for (const ImportRow& import : context_.preamble.imports()) {
    if (import.set.is_none() || grammar.text(grammar.sets[import.set.index()].name) != subject.set) continue;
    for (std::string_view rest = subject.names; !rest.empty();) {
      const std::size_t blank = std::min(rest.find(' '), rest.size());
      const ExtInstRow* inst = grammar.find_ext_inst(import.set, rest.substr(0, blank));
      rest.remove_prefix(std::min(blank + 1, rest.size()));
      if (inst != nullptr) extended_.push_back({inst, row});  // a grammar that was loaded may lack it
    }
    return;  // a set may be imported twice, and is the same
  }
}

// --- noting uses --------------------------------------------------------------------------------------------------------

// The first use of a function stands for all, but where values count: there the largest does.
void StageCheck::note(RowIndex row, FunctionIndex function, Place place, std::uint64_t value) {
  std::uint32_t& last = last_use_[row];
  if (last != none && uses_[last].function == function) {
    Use& use = uses_[last];
    if (stage_rows()[row].bound.word != 0 && value > use.value) use.place = place, use.value = value;
    return;
  }
  last = static_cast<std::uint32_t>(uses_.size());
  uses_.push_back({row, function, place, value});
}

void StageCheck::visit(const Visit& visit) {
  if (visit.function.is_none()) return;
  const std::span<const StageRow> rows = stage_rows();
  for (const RowIndex r : stage_rows_of(visit.op())) {
    const StageRow& row = rows[r];
    if (!holds_[r] || (row.subject.is_meant != nullptr && !row.subject.is_meant(context_, visit))) continue;
    if (row.bound.word == 0) {
      note(r, visit.function, visit.at());
    } else if (const auto value = context_.constants.as_u64(visit.word(row.bound.word))) {
      note(r, visit.function, visit.at(row.bound.word), *value);
    }
  }
  if (visit.decoded->ext_inst != nullptr) {
    for (const ExtendedRow& row : extended_) {
      if (row.inst == visit.decoded->ext_inst) note(row.row, visit.function, visit.at(4));
    }
  }
  if (!scopes_.empty()) note_scopes(visit);
}

void StageCheck::note_scopes(const Visit& visit) {
  for (const Operand& operand : visit.operands) {
    if (operand.shape != OperandShape::IdScope) continue;
    const std::optional<Scope> scope = scope_of(context_, visit, operand);
    if (!scope) continue;
    const ScopeRole role = role_of_scope(context_, visit, operand);
    for (const RowIndex r : scopes_) {
      const StageSubject& subject = stage_rows()[r].subject;
      if (subject.role != role || !subject.is_scope_meant(visit.op(), *scope)) continue;
      note(r, visit.function, visit.at(operand.word), static_cast<Word>(*scope));
    }
  }
}

// A function uses a storage class when it names a variable of it, or a type of pointers to it.
void StageCheck::note_storage() {
  const Module& module = context_.module;
  for (const InstructionView view : module.views(module.section(Section::Globals))) {
    const Word id = module.result_of(view);
    const TypeRow* pointer = is_variable(static_cast<Op>(view.opcode)) ? context_.type_of(id) : context_.types.find(id);
    if (pointer == nullptr || !pointer->is_pointer()) continue;
    for (const RowIndex r : storage_) {
      if (stage_rows()[r].subject.storage != pointer->storage) continue;
      for (const spirv::Use& use : context_.facts.uses().of(id)) {
        if (use.kind != UseKind::Operand && use.kind != UseKind::ResultType) continue;
        const FunctionIndex function = module.function_at(use.instruction);
        if (!function.is_none()) note(r, function, {use.instruction, use.word});
      }
    }
  }
}

// --- handing them up ----------------------------------------------------------------------------------------------------

// What a function has found first it keeps; of values the largest.
void StageCheck::take(Reach& mine, Reach other) const {
  if (other.use == nullptr) return;
  const bool is_larger =
      mine.use != nullptr && stage_rows()[other.use->row].bound.word != 0 && other.use->value > mine.use->value;
  if (mine.use == nullptr || is_larger) mine = other;
}

void StageCheck::hand_up() {
  const CallGraph& calls = context_.facts.call_graph();
  for (std::size_t c = 0; c < calls.component_count(); ++c) {
    const auto functions = calls.functions_of(ComponentIndex(c));
    // Callees stand in front, so what they lead to is known.
    for (const FunctionIndex f : functions) {
      for (const CallRow& call : calls.calls(f))
        take(reach_[f.index()], {reach_[call.callee.index()].use, call.callee});
    }
    if (functions.size() == 1) continue;
    // Functions that all reach each other: what one leads to, all do.
    const FunctionIndex first = functions.front();
    for (const FunctionIndex f : functions) take(reach_[first.index()], {reach_[f.index()].use, f});
    for (const FunctionIndex f : functions) take(reach_[f.index()], {reach_[first.index()].use, first});
  }
}

// --- judging ------------------------------------------------------------------------------------------------------------

std::string StageCheck::text_of(const Use& use) const {
  const StageRow& row = stage_rows()[use.row];
  const InstructionView view = context_.module.instruction(use.place.instruction);
  std::string op = op_text(context_, static_cast<Op>(view.opcode));
  switch (row.subject.kind) {
    case StageSubject::Kind::Instructions: return op.append(row.of);
    case StageSubject::Kind::Storage:
      return fmt::format("storage class {}",
                         enumerant_text(context_, "StorageClass", static_cast<Word>(row.subject.storage)));
    case StageSubject::Kind::Scope:
      return fmt::format("{} with {} scope {}", op, row.subject.role == ScopeRole::Execution ? "execution" : "memory",
                         enumerant_text(context_, "Scope", static_cast<Word>(use.value)));
    case StageSubject::Kind::Extended: {
      const Grammar& grammar = context_.grammar();
      const ImportRow* import = context_.preamble.import_of(view.word(3));
      const ExtInstRow* inst = import == nullptr ? nullptr : grammar.find_ext_inst(import->set, view.word(4));
      return inst == nullptr ? op : std::string(grammar.text(inst->name));
    }
  }
  return op;
}

void StageCheck::judge(const EntryPointRow& entry, FunctionIndex function, Report& report) const {
  const Reach reach = reach_[function.index()];
  const Use& use = *reach.use;
  const StageRow& row = stage_rows()[use.row];
  const auto has_mode = [&](ExecutionMode mode) { return context_.preamble.mode(entry.function, mode) != nullptr; };
  const Place place{entry.instruction, 1};
  const std::string model = enumerant_text(context_, "ExecutionModel", static_cast<Word>(entry.model));
  if (!contains(row.models, entry.model)) {
    report.add(row.rule, place, {text_of(use), model, entry.name, models_text(context_, row.models)});
  } else if (contains(row.need.models, entry.model) &&
             std::none_of(row.need.one_of.begin(), row.need.one_of.end(), has_mode)) {
    std::string list;
    for (const ExecutionMode mode : row.need.one_of) {
      list.append(list.empty() ? "" : " or ")
          .append(enumerant_text(context_, "ExecutionMode", static_cast<Word>(mode)));
    }
    report.add(Rule::StageMode, place, {text_of(use), model, entry.name, list});
  } else if (row.bound.word != 0) {
    const ExecutionModeRow* mode = context_.preamble.mode(entry.function, row.bound.mode);
    if (mode == nullptr || mode->operands.empty() || use.value <= mode->operands[0]) return;
    report.add(row.rule, place,
               {text_of(use), std::to_string(use.value), model, entry.name, std::to_string(mode->operands[0])});
  } else {
    return;
  }
  const auto name_of = [&](FunctionIndex f) { return id_text(context_, context_.module.functions()[f.index()].id); };
  if (use.function == function) {
    report.note(use.place, "it stands here");
  } else {
    report.note(use.place, fmt::format("it stands here, in {}, which {} leads to over {}", name_of(use.function),
                                       name_of(function), name_of(reach.via)));
  }
}

// One row after the other: what is held is a few bytes a function.
void StageCheck::judge_row(std::span<const Use> uses, Report& report) {
  reach_.assign(context_.module.functions().size(), {});
  for (const Use& use : uses) take(reach_[use.function.index()], {&use, {}});
  hand_up();
  for (const EntryPointRow& entry : context_.preamble.entry_points()) {
    const FunctionIndex function = context_.module.function_of(entry.function);
    // Of models that are not known nothing is known.
    const bool is_known =
        std::find(std::begin(known_models), std::end(known_models), entry.model) != std::end(known_models);
    if (is_known && !function.is_none() && reach_[function.index()].use != nullptr) judge(entry, function, report);
  }
}

void StageCheck::take(StageCheck&& other) {
  const auto shift = static_cast<std::uint32_t>(uses_.size());
  uses_.insert(uses_.end(), other.uses_.begin(), other.uses_.end());
  for (std::size_t row = 0; row < last_use_.size(); ++row) {
    if (other.last_use_[row] != none) last_use_[row] = other.last_use_[row] + shift;
  }
  other.uses_.clear();
}

void StageCheck::finish(Report& report) {
  note_storage();
  std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) {
    return a.row != b.row ? a.row < b.row : a.place.instruction.raw < b.place.instruction.raw;
  });
  for (auto first = uses_.begin(); first != uses_.end();) {
    const auto end = std::find_if(first, uses_.end(), [&](const Use& use) { return use.row != first->row; });
    judge_row({first, end}, report);
    first = end;
  }
}

}  // namespace vireo::spirv
