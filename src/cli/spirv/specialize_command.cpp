// SPDX-License-Identifier: Apache-2.0
//
// vireo specialize: gives specialization constants values.
#include <utility>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/module/module_options.h"
#include "cli/module/specialization_options.h"
#include "cli/spirv/transform_command.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/transform/trim.h"

namespace vireo::cli {
namespace {

constexpr Flag all_defaults_option("--all-defaults", "give all other constants their default values");
constexpr Flag prune_option(
    "--prune", "fold branches, and remove what is unused then",
    "Blocks, functions, code, variables, types, constants, interface entries, and the capabilities "
    "and extensions that only these needed. Variables of the storage class Output stay.");
constexpr Option specialize_target_env_option =
    target_env_option.with("refuse values that break its rules (spv1.6)",
                           "A rule that the module breaks before it is specialized does not count.");

constexpr auto specialize_options = option_list(specialize_target_env_option, text_option, set_option, set_name_option,
                                                values_option, all_defaults_option, prune_option, transform_options);

int run_specialize(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  spirv::SpecializerOptions reading;
  const ChosenEnvironment target = environment_of_target(options);
  if (!target.problem.empty()) return usage_error(invocation, target.problem);
  if (target.environment) reading.environment = *target.environment;
  ChosenSpecialization chosen;
  if (const int status = chosen.load(invocation); status != exit_status::fine) return status;
  const spirv::SpecializeOptions specialize = {.freeze_rest = options.has(all_defaults_option),
                                               .prune = options.has(prune_option)};

  return run_transform(
      invocation,
      [&](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics,
          spirv::TransformReport* report) -> Result<spirv::WordBuffer> {
        spirv::SpecializerOptions with_grammar = reading;
        with_grammar.grammar = &grammar;
        const Result<spirv::Specializer> specializer = spirv::Specializer::read(words, with_grammar, diagnostics);
        if (!specializer) return specializer.failure();
        const Result<std::vector<spirv::Specialization>> values = chosen.values(*specializer, diagnostics);
        if (!values) return values.failure();
        spirv::SpecializerMemory memory;
        spirv::WordBuffer result;
        if (const auto refused = specializer->specialize(*values, specialize, memory, result, diagnostics))
          return *refused;
        if (specialize.prune) {
          Result<spirv::WordBuffer> trimmed = spirv::trim_newly_unneeded(words, result, diagnostics, grammar);
          if (!trimmed) return trimmed.failure();
          result = std::move(*trimmed);
        }
        if (report != nullptr) *report = spirv::describe_transform(words, result, grammar);
        return result;
      });
}

}  // namespace

constinit const Command specialize_command(
    "specialize", any_inputs, "give specialization constants values",
    "Replaces specialization constants by constants with the given values, and evaluates what depends on them. The "
    "other specialization constants stay. A value that does not fit, or that breaks a rule of the target environment, "
    "is an error, and no module is written.\n\n"
    "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
    "vireo specialize --set 3=64 --set 7=true shader.spv -o small.spv\n"
    "vireo specialize --values values.json --all-defaults --prune shader.spv -o small.spv",
    "spv|spvasm", specialize_options, run_specialize);

}  // namespace vireo::cli
