// SPDX-License-Identifier: Apache-2.0
//
// Converts recorded options of the reference validator to ours, and lists the deliberate differences.
#pragma once

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "outside.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {

// The options for the recorded flags. Numbers follow their flag.
inline spirv::ValidateOptions options_of(const std::vector<std::string>& flags) {
  using namespace spirv;
  ValidateOptions options;
  const std::map<std::string, Word Limits::*> limits = {
      {"--max-struct-members", &Limits::struct_members},
      {"--max-local-variables", &Limits::local_variables},
      {"--max-global-variables", &Limits::global_variables},
      {"--max-access-chain-indexes", &Limits::access_chain_indexes},
      {"--max-control-flow-nesting-depth", &Limits::nesting_depth},
      {"--max-id-bound", &Limits::id_bound},
  };
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == "--target-env" && i + 1 < flags.size())
      options.environment = find_environment_by_prefix(flags[++i]).value();
    if (const auto limit = limits.find(flags[i]); limit != limits.end() && i + 1 < flags.size()) {
      options.limits.*limit->second = static_cast<Word>(std::stoul(flags[++i]));
    }
    for (const FeatureRow& feature : features()) {
      if (flags[i] == "--" + std::string(feature.name)) options.features.add(feature.feature);
    }
  }
  return options;
}

// The rules and cases with a deliberate difference: the first column of the list.
inline std::set<std::string> known_differences() {
  std::ifstream file(outside::source_folder() / "test/system/validator_differences.tsv");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find('\t')));
  }
  return names;
}

}  // namespace vireo::system_test
