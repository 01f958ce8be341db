// SPDX-License-Identifier: Apache-2.0
//
// --grammar FILE… → layers of a grammar (grammar_option.h). Each file is a layer, so that its faults are reported with
// its name.
#include "cli/spirv/grammar_option.h"

#include <algorithm>
#include <optional>
#include <string>

#include "cli/common/inputs.h"
#include "support/io.h"

namespace vireo::cli {

int ChosenGrammar::load(const Invocation& invocation, Reporter& reporter) {
  const auto paths = invocation.options.values(OptionId::Grammar);
  if (const std::string problem = twice_from_standard_input(invocation); !problem.empty()) {
    return usage_error(invocation, problem);
  }
  // The faults of all files are reported, even though nothing will be done when one of them is wrong.
  int status = exit_status::fine;
  for (const std::string_view path : paths) {
    const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
    if (!bytes) {
      status = exit_status::no_file;
      continue;
    }
    Diagnostics diagnostics(reporter.limit());
    const spirv::GrammarFile file{name_of_input(path), bytes->text(), {}};
    // On top of the layers so far and the built-in grammar below them: a file may use what an earlier one declares.
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
