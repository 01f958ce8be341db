// SPDX-License-Identifier: Apache-2.0
//
// --grammar FILE… → layers of a grammar (grammar_option.h). Each file is a layer, so that its faults are reported with
// its name.
#include "cli/grammar_option.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cli/inputs.h"
#include "support/io.h"

namespace vireo::cli {

namespace {

// What is wrong when two things would read standard input; else empty. (The operands of `explain` are names, not
// inputs.)
std::string_view twice_from_standard_input(const Invocation& invocation, std::size_t grammars) {
  if (grammars == 0) return {};
  if (grammars > 1) return "standard input can be only one of the grammars";
  if (invocation.command.id == CommandId::Explain) return {};
  const std::vector<std::string>& operands = invocation.operands();
  const bool is_input = operands.empty() || std::ranges::any_of(operands, [](const std::string& operand) {
                          return operand == standard_input || operand == "@-";
                        });
  return is_input ? "standard input is the grammar, expected files as inputs" : std::string_view();
}

}  // namespace

int ChosenGrammar::load(const Invocation& invocation, Reporter& reporter) {
  const auto paths = invocation.options.values(OptionId::Grammar);
  const auto from_standard_input = static_cast<std::size_t>(std::ranges::count(paths, standard_input));
  if (const std::string_view problem = twice_from_standard_input(invocation, from_standard_input); !problem.empty()) {
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
