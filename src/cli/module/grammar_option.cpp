// SPDX-License-Identifier: Apache-2.0
//
// Loads the files of --grammar as layers of a grammar (grammar_option.h). Each file is a layer, so its faults are
// reported with its name.
#include "cli/module/grammar_option.h"

#include <algorithm>
#include <optional>
#include <string>

#include "cli/common/inputs.h"
#include "cli/common/shared_options.h"
#include "support/io.h"

namespace vireo::cli {

int ChosenGrammar::load(const Invocation& invocation, Reporter& reporter) {
  const auto paths = invocation.options.values(grammar_option);
  if (const std::string problem = twice_from_standard_input(invocation); !problem.empty()) {
    return usage_error(invocation, problem);
  }
  // Reports the faults of all files, although one faulty file stops the command.
  int status = exit_status::fine;
  for (const std::string_view path : paths) {
    const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
    if (!bytes) {
      status = exit_status::no_file;
      continue;
    }
    Diagnostics diagnostics(reporter.limit());
    const spirv::GrammarFile file{name_of_input(path), bytes->text(), {}};
    // On top of the built-in grammar and the layers so far: a file may use the declarations of an earlier one.
    Result<spirv::GrammarData> data = spirv::load_grammar({&file, 1}, &grammar(), diagnostics);
    reporter.add({file.name, file.text}, diagnostics);
    if (data) {
      layers_.push_back(std::move(data).value());
    } else {
      status = std::max(status, exit_status::wrong_input);
    }
  }
  return status;
}

}  // namespace vireo::cli
