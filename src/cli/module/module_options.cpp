// SPDX-License-Identifier: Apache-2.0
//
// Reads the options of module_options.h.
#include "cli/module/module_options.h"

#include <algorithm>

#include "cli/common/inputs.h"
#include "cli/common/shared_options.h"
#include "support/io.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {

// Each file is a layer, so its faults are reported with its name.
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

// A name or its prefix (find_environment_by_prefix()). An unknown name gets a suggestion.
ChosenEnvironment environment_of_target(const ParsedOptions& options) {
  const std::string_view spelling = options.value(target_env_option);
  if (!options.has(target_env_option)) return {};
  if (const auto environment = spirv::find_environment_by_prefix(spelling)) return {environment, {}};
  std::vector<std::string_view> names;
  for (const spirv::Environment& environment : spirv::environments()) names.push_back(environment.name);
  return {std::nullopt, "unknown target environment " + quoted(spelling) + "; " + expected_one_of(names, spelling)};
}

// Options named no-… switch off a default.
spirv::DisassembleOptions style_of(const ParsedOptions& options) {
  spirv::DisassembleOptions style;
  style.header = !options.has(no_header_option);
  style.indent = !options.has(no_indent_option);
  style.friendly_names = !options.has(raw_id_option);
  style.show_raw_ids = options.has(show_ids_option);
  style.offsets = options.has(offsets_option);
  style.comments = options.has(comment_option);
  style.nested_indent = options.has(nested_indent_option);
  style.reorder_blocks = options.has(reorder_blocks_option);
  style.annotate = options.has(annotate_option);
  style.escape_strings = options.has(safe_strings_option);
  style.handle_unknown = options.has(handle_unknown_opcodes_option);
  return style;
}

}  // namespace vireo::cli
