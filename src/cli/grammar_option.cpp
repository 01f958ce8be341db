// SPDX-License-Identifier: Apache-2.0
//
// One file, one layer: so that every fault is reported with the name of its file.
#include "cli/grammar_option.h"

#include <algorithm>

#include "support/io.h"

namespace vireo::cli {

int ChosenGrammar::load(const Invocation& invocation, Reporter& reporter) {
  // A file that is wrong does not hide what is wrong with the next one, though nothing will be done with either.
  int status = exit_status::fine;
  for (const std::string_view path : invocation.options.values(OptionId::Grammar)) {
    Diagnostics diagnostics(reporter.limit());
    const Result<FileBytes> bytes = read_file(path, diagnostics);
    if (!bytes) {
      reporter.add({path, ""}, diagnostics);
      status = exit_status::no_file;
      continue;
    }
    const spirv::GrammarFile file{path, bytes->text(), {}};
    // On top of the layers so far, the built-in grammar below all: a later file may name what an earlier one declares.
    Result<spirv::GrammarData> data = spirv::load_grammar({&file, 1}, &grammar(), diagnostics);
    reporter.add({path, bytes->text()}, diagnostics);
    if (data) {
      layers_.push_back(std::move(data).value());
    } else {
      status = std::max(status, exit_status::wrong_input);
    }
  }
  return status;
}

}  // namespace vireo::cli
