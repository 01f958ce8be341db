// SPDX-License-Identifier: Apache-2.0
//
// --target-env: a name or its start (find_environment_by_prefix()); an unknown one gets a suggestion (environment_option.h).
#include "cli/spirv/environment_option.h"

#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/spirv/environment.h"

namespace vireo::cli {

ChosenEnvironment environment_of_target(const ParsedOptions& options) {
  const std::string_view spelling = options.value(OptionId::TargetEnv);
  if (!options.has(OptionId::TargetEnv)) return {};
  if (const auto environment = spirv::find_environment_by_prefix(spelling)) return {environment, {}};
  NearestNames nearest(spelling);
  for (const spirv::Environment& environment : spirv::environments()) nearest.offer(environment.name);
  return {std::nullopt, "unknown target environment " + quoted(spelling) + suggestion(nearest.best())};
}

// For the assembler: only the version of the environment counts, its other demands are the validator's.
ChosenVersion version_of_target(const ParsedOptions& options) {
  const ChosenEnvironment chosen = environment_of_target(options);
  return {chosen.environment ? chosen.environment->version : spirv::Version::none(), chosen.problem};
}

}  // namespace vireo::cli
