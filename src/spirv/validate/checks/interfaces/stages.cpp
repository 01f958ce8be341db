// SPDX-License-Identifier: Apache-2.0
//
// Three steps, each linear (stages.h): uses are noted, handed up the call graph, and judged at entry points. They are
// linear since only one use is kept for each row and function.
#include "spirv/validate/checks/interfaces/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/validate/checks/interfaces/places.h"
#include "vireo/spirv/views/extension.h"

namespace vireo::spirv {

// --- sets of models as text ---------------------------------------------------------------------------------------------

std::string models_text(const Context& context, Models models) {
  // The last bit stands for models that are not known: sets that are all but a few have it.
  // ~0 is no model, and bit_of gives it the bit of all that are not known.
  const bool is_all_but = contains(models, static_cast<ExecutionModel>(~Word{0}));
  std::string list;
  for (const ExecutionModel model : known_models) {
    if (contains(models, model) == is_all_but) continue;
    list.append(list.empty() ? "" : ", ").append(enumerant_text(context, model));
  }
  return is_all_but ? fmt::format("none of {}", list) : list;
}

namespace {

// Of models that are not known nothing is known.
bool is_known(ExecutionModel model) {
  return std::find(std::begin(known_models), std::end(known_models), model) != std::end(known_models);
}

}  // namespace

// --- which rows hold in this module -------------------------------------------------------------------------------------

// Rows whose conditions do not hold for the module are left out here, once. An instruction finds its rows by its
// opcode; the few rows about other things stand in lists that are mostly empty.
StageCheck::StageCheck(const Context& context)
    : context_(context), by_instruction_(find_rows()), last_use_(stage_rows().size(), none) {}

ByInstruction<StageCheck::RowIndex> StageCheck::find_rows() {
  // Each load asks for its rows, and only a mesh shader could get an answer: a row that all entry points of the module
  // satisfy is not looked at.
  Models present = 0;
  for (const EntryPointRow& entry : context_.preamble.entry_points()) {
    if (is_known(entry.model)) present |= bit_of(entry.model);
  }
  const auto is_satisfied = [present](const StageRow& row) {
    // All models there are allowed, none needs a mode, and no number is bound by one. Without entry points there is
    // nothing to judge.
    return (present & (~row.models | row.need.models)) == 0 && (present == 0 || !row.bound.operand);
  };
  std::vector<std::pair<Op, RowIndex>> named;
  RowIndex next = 0;
  for (const StageRow& row : stage_rows()) {
    const RowIndex r = next++;
    if (is_satisfied(row) || (row.holds != nullptr && !row.holds(context_))) continue;
    switch (row.subject.kind) {
      case StageSubject::Kind::Instructions:
        for (std::size_t i = 0; i < row.subject.opcode_count; ++i) named.emplace_back(row.subject.opcodes[i], r);
        break;
      case StageSubject::Kind::Extended: find_extended(r); break;
      case StageSubject::Kind::Storage: storage_.push_back(r); break;
      case StageSubject::Kind::Scope: scopes_.push_back(r); break;
    }
  }
  return {context_.grammar(), named};
}

// Of sets that the module imports.
void StageCheck::find_extended(RowIndex row) {
  const Grammar& grammar = context_.grammar();
  const StageSubject& subject = stage_rows()[row].subject;
  for (const ImportRow& import : context_.preamble.imports()) {
    if (import.set.is_none() || grammar.text(grammar.sets[import.set.index()].name) != subject.set) continue;
    // The row's names are one text, parted by blanks.
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

// One use for each row and function: the first one or, where a row bounds a value, that with the largest value.
void StageCheck::note(RowIndex row, FunctionIndex function, Place place, std::uint64_t value) {
  // Functions are visited one after the other, so if this one has used the row before, that was the latest use of the
  // row: no set is needed.
  std::uint32_t& last = last_use_[row];
  if (last != none && uses_[last].function == function) {
    Use& use = uses_[last];
    // Only a bound compares values; of a scope the value is there for the message.
    if (stage_rows()[row].bound.operand && value > use.value) use.place = place, use.value = value;
    return;
  }
  last = static_cast<std::uint32_t>(uses_.size());
  uses_.push_back({row, function, place, value});
}

void StageCheck::visit(const Visit& visit) {
  if (visit.function.is_none()) return;
  for (const RowIndex r : by_instruction_.of(*visit.decoded->row)) {
    const StageRow& row = stage_rows()[r];
    if (row.subject.is_meant != nullptr && !row.subject.is_meant(context_, visit)) continue;
    if (!row.bound.operand) {
      note(r, visit.function, visit.at());
      continue;
    }
    // A value that specialization decides is not compared with the mode.
    const AnyOperand operand = visit.operand(*row.bound.operand);
    if (const auto value = context_.constants.as_u64(operand)) note(r, visit.function, visit.at(operand), *value);
  }
  if (visit.decoded->ext_inst != nullptr) {
    const Place place = visit.at(visit.as<Op::OpExtInst>().instruction());
    for (const ExtendedRow& row : extended_) {
      if (row.inst == visit.decoded->ext_inst) note(row.row, visit.function, place);
    }
  }
}

// A scope may be of several rows: one for each role, and one for each scope that is restricted.
void StageCheck::visit_scopes(const Visit& visit) {
  if (visit.function.is_none() || scopes_.empty()) return;
  for (const Operand& operand : visit.operands) {
    if (operand.shape != OperandShape::IdScope) continue;
    const std::optional<Scope> scope = scope_of(context_, visit, operand);
    if (!scope) continue;
    const ScopeRole role = role_of_scope(context_, visit, operand);
    for (const RowIndex r : scopes_) {
      const StageSubject& subject = stage_rows()[r].subject;
      if (subject.role != role || !subject.is_scope_meant(visit.op(), *scope)) continue;
      note(r, visit.function, visit.at(operand), static_cast<Word>(*scope));
    }
  }
}

// A function uses a storage class when it names a variable of it, or a type of pointers to it.
void StageCheck::note_storage() {
  if (storage_.empty()) return;
  const Module& module = context_.module;
  for (const InstructionView view : module.views(module.section(Section::Globals))) {
    const Word id = module.result_of(view);
    const TypeRow* pointer = is_variable(view.opcode) ? context_.type_of(id) : context_.types.find(id);
    if (pointer == nullptr || !pointer->is_pointer()) continue;
    for (const RowIndex r : storage_) {
      if (stage_rows()[r].subject.storage != pointer->storage) continue;
      // Uses come in the order of the words, so those of one function follow each other, as note() wants it.
      // The index of some uses has those of variables (facts.h), at half the time; types need the index of all.
      const Uses& uses = is_variable(view.opcode) ? context_.facts.some_uses() : context_.facts.uses();
      for (const spirv::Use& use : uses.of(id)) {
        if (use.kind != UseKind::Operand && use.kind != UseKind::ResultType) continue;
        const FunctionIndex function = module.function_at(use.instruction);
        if (!function.is_none()) note(r, function, {use.instruction, use.word});
      }
    }
  }
}

// --- handing them up ----------------------------------------------------------------------------------------------------

// Of all uses that a function leads to, the one that was found first is kept or, of values, the largest. Functions and
// calls come in the order of the module, so the result does not depend on chance.
void StageCheck::add_reach(FunctionIndex function, Reach found) {
  if (found.use == nullptr) return;
  Reach& kept = reach_[function.index()];
  const bool is_larger =
      kept.use != nullptr && stage_rows()[found.use->row].bound.operand && found.use->value > kept.use->value;
  if (kept.use == nullptr || is_larger) kept = found;
}

void StageCheck::hand_up() {
  const CallGraph& calls = context_.facts.call_graph();
  // Linear in functions and calls: the call graph comes in components, callees first, and a component is gone through
  // twice.
  for (std::size_t c = 0; c < calls.component_count(); ++c) {
    const auto functions = calls.functions_of(ComponentIndex(c));
    // Callees stand in front, so what they lead to is known.
    for (const FunctionIndex f : functions) {
      for (const CallRow& call : calls.calls(f)) add_reach(f, {reach_[call.callee.index()].use, call.callee});
    }
    if (functions.size() == 1) continue;
    // Functions that all reach each other: what one leads to, all do.
    const FunctionIndex first = functions.front();
    // Gathered at the first of them, then given back to all.
    for (const FunctionIndex f : functions) add_reach(first, {reach_[f.index()].use, f});
    for (const FunctionIndex f : functions) add_reach(f, {reach_[first.index()].use, first});
  }
}

// --- judging ------------------------------------------------------------------------------------------------------------

std::string StageCheck::text_of(const Use& use) const {
  const StageRow& row = stage_rows()[use.row];
  const InstructionView view = context_.module.instruction(use.place.instruction);
  std::string op = op_text(context_, view.opcode);
  switch (row.subject.kind) {
    case StageSubject::Kind::Instructions: return op.append(row.of);
    case StageSubject::Kind::Storage:
      return fmt::format("storage class {}", enumerant_text(context_, row.subject.storage));
    case StageSubject::Kind::Scope:
      return fmt::format("{} with {} scope {}", op, row.subject.role == ScopeRole::Execution ? "execution" : "memory",
                         enumerant_text(context_, static_cast<Scope>(use.value)));
    case StageSubject::Kind::Extended: {
      const Grammar& grammar = context_.grammar();
      const View<Op::OpExtInst> extended(view);
      const ImportRow* import = context_.preamble.import_of(extended.set());
      const ExtInstRow* inst = import == nullptr ? nullptr : grammar.find_ext_inst(import->set, extended.instruction());
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
  const Place place = model_place(entry);
  const std::string model = enumerant_text(context_, entry.model);
  // One finding a row and entry point: a model that may not is not asked for modes.
  if (!contains(row.models, entry.model)) {
    report.add(row.rule, place, {text_of(use), model, entry.name, models_text(context_, row.models)});
  } else if (contains(row.need.models, entry.model) &&
             std::none_of(row.need.one_of.begin(), row.need.one_of.end(), has_mode)) {
    std::string list;
    for (const ExecutionMode mode : row.need.one_of) {
      list.append(list.empty() ? "" : " or ").append(enumerant_text(context_, mode));
    }
    report.add(Rule::StageMode, place, {text_of(use), model, entry.name, list});
  } else if (row.bound.operand) {
    const ExecutionModeRow* mode = context_.preamble.mode(entry.function, row.bound.mode);
    // Without the mode there is no number to compare with.
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
  // The uses of the row, each at the function that it stands in.
  for (const Use& use : uses) add_reach(use.function, {&use, {}});
  hand_up();
  for (const EntryPointRow& entry : context_.preamble.entry_points()) {
    const FunctionIndex function = context_.module.function_of(entry.function);
    if (is_known(entry.model) && !function.is_none() && reach_[function.index()].use != nullptr)
      judge(entry, function, report);
  }
}

void StageCheck::finish(Report& report) {
  note_storage();
  // By row, so that each row is a run; within it by place, so that the first use is the first in the module.
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
