// SPDX-License-Identifier: Apache-2.0
//
// Parses --target-env: a name or its prefix (find_environment_by_prefix()). An unknown name gets a suggestion.
#include "cli/module/environment_option.h"

#include "cli/common/shared_options.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/spirv/environment.h"

namespace vireo::cli {

ChosenEnvironment environment_of_target(const ParsedOptions& options) {
  const std::string_view spelling = options.value(target_env_option);
  if (!options.has(target_env_option)) return {};
  if (const auto environment = spirv::find_environment_by_prefix(spelling)) return {environment, {}};
  NearestNames nearest(spelling);
  for (const spirv::Environment& environment : spirv::environments()) nearest.offer(environment.name);
  return {std::nullopt, "unknown target environment " + quoted(spelling) + suggestion(nearest.best())};
}

// The assembler only uses the version of the environment; its other requirements are for the validator.
ChosenVersion version_of_target(const ParsedOptions& options) {
  const ChosenEnvironment chosen = environment_of_target(options);
  return {chosen.environment ? chosen.environment->version : spirv::Version::none(), chosen.problem};
}

}  // namespace vireo::cli
