// SPDX-License-Identifier: Apache-2.0
//
// vireo val --pipeline: collects the modules of a validation, and compares them as stages of one pipeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/module/subject.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

class PipelineCheck {
 public:
  /// Adds a module, with its position among the inputs. Called on any thread. Copies what it needs.
  void add(std::size_t index, std::string_view file, const Subject& subject);

  /// Reports the conflicts between the stages: the entry points with one of these names, or all entry points. `operands`
  /// are those of the command; a module that is named twice is a conflict too.
  void run(std::span<const std::string_view> entry_points, std::span<const std::string> operands,
           const spirv::ValidateOptions& options, Diagnostics& diagnostics) const;

 private:
  void report_repeated(std::span<const std::string> operands, const spirv::ValidateOptions& options,
                       Diagnostics& diagnostics) const;

  struct Stage {
    std::string file;
    spirv::WordBuffer words;
    std::vector<std::pair<std::uint64_t, std::string>> allowed = {};  // AllowedRule
  };
  std::mutex adding_;
  std::map<std::size_t, Stage> modules_;  // by position
};

}  // namespace vireo::cli
