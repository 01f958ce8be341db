// SPDX-License-Identifier: Apache-2.0
//
// The name is matched as the library matches it; what is not known gets a suggestion.
#include "cli/environment_option.h"

#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/spirv/environment.h"

namespace vireo::cli {

ChosenEnvironment environment_of_target(const ParsedOptions& options) {
  const std::string_view spelling = options.value(OptionId::TargetEnv);
  if (!options.has(OptionId::TargetEnv)) return {};
  if (const spirv::Environment* environment = spirv::find_environment(spelling)) return {environment, {}};
  NearestNames nearest(spelling);
  for (const spirv::Environment& environment : spirv::environments()) nearest.offer(environment.name);
  return {nullptr, "unknown target environment " + quoted(spelling) + suggestion(nearest.best())};
}

// For who only makes words: the environment's version counts, and what else it demands is the validator's to say.
ChosenVersion version_of_target(const ParsedOptions& options) {
  const ChosenEnvironment chosen = environment_of_target(options);
  return {chosen.environment == nullptr ? spirv::Version::none() : chosen.environment->version, chosen.problem};
}

}  // namespace vireo::cli
