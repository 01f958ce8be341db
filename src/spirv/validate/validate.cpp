// SPDX-License-Identifier: Apache-2.0
//
// What runs when.
//
// The one idea: a stage runs when what it relies on holds. Facts are made of any words; ids and requirements are judged
// for every instruction that can be decoded; types and chapters for those whose ids are sound; the module as a whole and
// its functions come last. Nothing stops at a fault, and nothing says it twice.
#include "vireo/spirv/validate.h"

#include <optional>

#include "spirv/validate/checks.h"
#include "spirv/validate/walk.h"
#include "vireo/spirv/reader.h"

namespace vireo::spirv {
namespace {

// The newest universal environment: what holds when nobody says where a module shall run.
const Environment& default_environment() { return *find_environment("spv1.6"); }

// What an environment permits without being asked.
FeatureSet features_of(const Environment& environment, FeatureSet chosen) {
  if (chosen.has(Feature::BeforeHlslLegalization)) chosen.add(Feature::RelaxLogicalPointer);
  if (environment.client == Client::Vulkan && environment.client_version >= Version{1, 1}) {
    chosen.add(Feature::RelaxBlockLayout);
  }
  if (environment.client != Client::Vulkan || environment.client_version >= Version{1, 3}) {
    chosen.add(Feature::AllowLocalSizeId);
  }
  return chosen;
}

// Where the memory model is missing, nobody knows what holds for pointers; that it is missing is told.
bool is_logical(std::optional<AddressingModel> model) {
  return model == AddressingModel::Logical || model == AddressingModel::PhysicalStorageBuffer64;
}

// All that can be said of words that are instructions to their end.
void check_all(const Context& context, const Severities& severities, Report& report) {
  check_layout(context, report);
  check_capabilities(context, report);
  check_device(context, report);
  check_adjacency(context, report);
  check_unique_types(context, report);
  check_type_nesting(context, report);
  check_variable_limits(context, report);
  check_limits(context, report);
  check_instructions(context, severities, report);
  check_module(context, report);
}

}  // namespace

bool validate(Words words, const ValidateOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  if (!read_header(words, diagnostics)) return false;
  const Grammar& grammar = options.grammar == nullptr ? builtin_grammar() : *options.grammar;
  const Environment& environment = options.environment == nullptr ? default_environment() : *options.environment;

  const Module module = Module::read(words, grammar);
  const Facts facts(module);
  const Origins origins(module);
  const Fragments fragments(module);
  const Context context{module,
                        facts,
                        options,
                        environment,
                        facts.preamble(),
                        facts.types(),
                        facts.constants(),
                        facts.decorations(),
                        origins,
                        fragments,
                        KindsByName(grammar),
                        features_of(environment, options.features),
                        is_logical(facts.preamble().addressing_model()),
                        nullptr,
                        nullptr};
  const Severities severities(context.features, options.rules);
  Report report(module, severities, options.max_findings);
  check_header(context, report);
  if (check_form(context, report)) check_all(context, severities, report);
  const bool is_valid = !report.has_errors();  // also of errors that are only counted
  report.deliver(diagnostics);
  diagnostics.sort_by_place();
  return is_valid && diagnostics.error_count() == errors_before;
}

}  // namespace vireo::spirv
