// SPDX-License-Identifier: Apache-2.0
//
// Reads modules for executions (runnable_module.h).
#include "cli/run/runnable_module.h"

#include <algorithm>
#include <utility>

#include "vireo/spirv/transform/specialize.h"

namespace vireo::cli {

RunnableModule::RunnableModule(const SourceText& source, const ChosenRun& chosen, std::size_t limit,
                               std::optional<spirv::Environment> environment)
    : chosen_(chosen),
      validation_(chosen.validation()),
      input_{source, Diagnostics(std::max(limit, chosen.options().max_findings))} {
  if (environment) validation_.environment = *environment;
}

bool RunnableModule::read() {
  input_.subject = read_subject(input_.source, validation_, input_.found);
  return input_.subject.has_value();
}

bool RunnableModule::specialize(const ChosenSpecialization& chosen) {
  if (chosen.is_empty()) return true;
  const auto specializer =
      spirv::Specializer::read(words(), {.grammar = &grammar(), .environment = validation_.environment}, input_.found);
  if (!specializer) return false;
  Result<std::vector<spirv::Specialization>> values = chosen.values(*specializer, input_.found);
  if (!values) return false;
  values_ = std::move(*values);
  return true;
}

spirv::RunOptions RunnableModule::options() {
  spirv::RunOptions options = chosen_.options();
  options.environment = validation_.environment;
  options.specializations = values_;
  allowed_ = input_.allowed_rules();
  options.allowed = allowed_;
  options.name_of_id = input_.id_names(options.grammar);
  return options;
}

void RunnableModule::sort() {
  if (!allowed_.empty()) input_.sort_by_text();
}

CheckedInput& RunnableModule::input() {
  if (input_.subject && !input_.found.all().empty() && !input_.context) input_.context.emplace(words(), grammar());
  return input_;
}

}  // namespace vireo::cli
