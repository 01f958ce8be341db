// SPDX-License-Identifier: Apache-2.0
//
// Findings of an execution (run_report.h).
#include "spirv/execute/report/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "spirv/execute/report/element_path.h"
#include "support/ascii.h"

namespace vireo::spirv {
namespace {

// The rules that an execution and validate() have in common: what is suspected there has happened here.
constexpr std::string_view shared_errors[] = {
    "access-index",       "address-storage",   "bit-field-range",    "cluster-size-power",
    "conversion-range",   "division-overflow", "false-assumption",   "function-domain",
    "lookup-table-index", "null-access",       "pointer-difference", "quad-index",
    "shift-amount",       "vector-index",      "wrap-overflow",      "zero-divisor",
};

ValidateOptions validate_options(const RunOptions& options, const std::vector<RuleChoice>& choices) {
  ValidateOptions result;
  result.grammar = options.grammar;
  result.environment = options.environment;
  result.rules = choices;
  result.allowed = options.allowed;
  result.max_findings = options.max_findings;
  result.name_of_id = options.name_of_id;
  return result;
}

constexpr std::uint64_t key_of(std::uint64_t rule, std::uint64_t instruction) { return rule << 32 | instruction; }

}  // namespace

std::vector<RuleChoice> run_choices(const RunOptions& options) {
  std::vector<RuleChoice> choices;
  for (const std::string_view rule : shared_errors) choices.push_back({rule, Severity::Error});
  if (options.robustness != Robustness::Off) choices.push_back({"out-of-bounds", Severity::Warning});
  choices.insert(choices.end(), options.rules.begin(), options.rules.end());
  return choices;
}

RunReport::RunReport(const Module& module, const Facts& facts, const RunOptions& options,
                     std::vector<RuleChoice> choices)
    : choices_(std::move(choices)),
      options_(validate_options(options, choices_)),
      context_(module, facts, options_),
      facts_(facts) {}

bool RunReport::begins(Rule rule, InstructionIndex instruction) {
  ++count_;
  return ++counts_[key_of(static_cast<std::uint64_t>(rule), instruction.index())] == 1;
}

bool RunReport::begins_pair(Rule rule, InstructionIndex instruction, InstructionIndex other) {
  const bool is_first = begins(rule, instruction);
  racing_.insert(instruction.index());
  racing_.insert(other.index());
  return pairs_.emplace(std::minmax(instruction.index(), other.index())).second && is_first;
}

void RunReport::add(Rule rule, Place place, Arguments arguments, const std::string& context) {
  last_ = key_of(static_cast<std::uint64_t>(rule), place.instruction.index());
  check().report(rule, place, arguments);
  if (!context.empty()) check().note({place.instruction, 0}, "{text}", {context});
}

std::string RunReport::path_of(const ProgramVariable& variable, std::uint32_t element, std::int64_t offset) {
  if (!cells_) cells_.emplace(facts_);
  // The members of a block without a name are names of their own in GLSL.
  const TypeRow& type = facts_.types().of(variable.type);
  const bool is_nameless = facts_.names().of(variable.id).empty() && type.is(TypeKind::Struct) &&
                           variable.descriptors == 1 && !facts_.names().of(type.id, 0).empty();
  std::string path = is_nameless ? std::string() : id_text(check(), variable.id);
  if (path.size() > 1 && !is_digit(path[1])) path.erase(0, 1);
  if (variable.descriptors != 1) path += "[" + std::to_string(element) + "]";
  return element_path(facts_, *cells_, {variable.type, variable.is_explicit, {}}, std::move(path), offset);
}

std::string RunReport::name_of(const ProgramVariable& variable) const {
  if (!variable.has_binding || !facts_.names().of(variable.id).empty()) return id_text(check(), variable.id);
  const std::string_view what = variable.storage == StorageClass::UniformConstant ? "image" : "buffer";
  return fmt::format("the {} of set {}, binding {}", what, variable.set, variable.binding);
}

// A value is undefined because the race let an invocation read it too early.
bool RunReport::follows_from_race(std::uint64_t finding) const {
  const auto origin = origins_.find(finding);
  return origin != origins_.end() && racing_.contains(origin->second);
}

void RunReport::deliver(Diagnostics& diagnostics) {
  Diagnostics found(options_.max_findings);
  context_.report().deliver(found);
  for (const Diagnostic& each : found.all()) {
    Diagnostic finding = each;
    const ValidationRule* row = find_validation_rule(finding.rule);
    if (row != nullptr && follows_from_race(key_of(static_cast<std::uint64_t>(row - validation_rules().data()),
                                                   finding.where.instruction - 1)))
      continue;
    // The first note says which invocation; its place is that of the finding, whose line need not be shown again.
    if (!finding.notes.empty() && finding.notes.front().where.instruction == finding.where.instruction)
      finding.notes.front().where = Location::none();
    if (row != nullptr && finding.where.instruction != 0 && !finding.notes.empty()) {
      const auto rule = static_cast<std::uint64_t>(row - validation_rules().data());
      const auto counted = counts_.find(key_of(rule, finding.where.instruction - 1));
      if (counted != counts_.end() && counted->second > 1)
        finding.notes.front().message += "; found " + std::to_string(counted->second) + " times";
    }
    diagnostics.report(std::move(finding));
  }
  diagnostics.count(Severity::Error, found.error_count() - std::min(found.error_count(), found.all().size()));
}

std::optional<Severity> run_severity(std::string_view rule) {
  if (std::ranges::find(shared_errors, rule) != std::end(shared_errors)) return Severity::Error;
  const ValidationRule* row = find_validation_rule(rule);
  if (row == nullptr || !is_of_runs(*row)) return std::nullopt;
  return row->severity;
}

}  // namespace vireo::spirv
