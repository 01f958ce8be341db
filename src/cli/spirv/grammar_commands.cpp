// SPDX-License-Identifier: Apache-2.0
//
// vireo grammar check, vireo grammar diff: queries of grammar documents.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/changes.h"
#include "cli/common/inputs.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "vireo/spirv/grammar/grammar_loader.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::cli {
namespace {

constexpr auto diff_options = option_list(format_of_changes_option, reporting_options);

// The name of the built-in grammar in place of a file.
constexpr std::string_view builtin_name = "builtin";

// The document is checked on top of the built-in grammar, as for --grammar: it may use kinds and capabilities of it.
int check_file(const Invocation& invocation, std::string_view path, Reporter& reporter) {
  const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
  if (!bytes) return exit_status::no_file;
  Diagnostics diagnostics(reporter.limit());
  const std::string_view name = name_of_input(path);
  const bool is_sound = spirv::check_grammar({name, bytes->text(), {}}, &spirv::builtin_grammar(), diagnostics);
  reporter.add({name, bytes->text()}, diagnostics);
  return is_sound ? exit_status::fine : exit_status::wrong_input;
}

/// One side of a comparison: the built-in grammar, or a document on top of it.
class Side {
 public:
  int load(const Invocation& invocation, std::string_view path, Reporter& reporter) {
    if (path == builtin_name) return exit_status::fine;
    const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
    if (!bytes) return exit_status::no_file;
    Diagnostics diagnostics(reporter.limit());
    const spirv::GrammarFile file{name_of_input(path), bytes->text(), {}};
    // The loaded grammar owns its rows, so the bytes may be released.
    Result<spirv::GrammarData> data = spirv::load_grammar({&file, 1}, &spirv::builtin_grammar(), diagnostics);
    reporter.add({file.name, file.text}, diagnostics);
    if (!data) return exit_status::wrong_input;
    data_.emplace(std::move(*data));
    return exit_status::fine;
  }
  [[nodiscard]] const spirv::Grammar& grammar() const { return data_ ? data_->grammar() : spirv::builtin_grammar(); }

 private:
  std::optional<spirv::GrammarData> data_;
};

ChangeRecord record_of(const spirv::GrammarChange& change) {
  using Kind = spirv::GrammarChange::Kind;
  ChangeRecord record{change_word(change.kind), change.subject, change.field, {}, {}};
  if (change.kind != Kind::Added) record.before = change.before;
  if (change.kind != Kind::Removed) record.after = change.after;
  return record;
}

int run_grammar_diff(const Invocation& invocation) {
  Reporter reporter(invocation);
  const std::vector<std::string>& operands = invocation.operands();
  // A single document is compared with the built-in grammar, for authors of extensions.
  if (operands.empty() || operands.size() > 2) return usage_error(invocation, "expected one or two grammar documents");
  const std::string_view second = operands.size() == 2 ? std::string_view(operands[1]) : builtin_name;
  if (operands[0] == standard_input && second == standard_input) {
    return usage_error(invocation, "standard input can be only one of the two documents");
  }
  Side before;
  Side after;
  if (const int status = before.load(invocation, operands[0], reporter); status != exit_status::fine) return status;
  if (const int status = after.load(invocation, second, reporter); status != exit_status::fine) return status;

  const std::vector<spirv::GrammarChange> changes = spirv::diff_grammars(before.grammar(), after.grammar());
  const bool is_json = invocation.options.value(format_option) == "json";
  return print(invocation.streams, text_of_changes(changes, is_json, record_of));
}

// Documents are checked separately; --grammar checks them together.
int run_grammar_check(const Invocation& invocation) {
  Reporter reporter(invocation);
  if (invocation.operands().empty()) return check_file(invocation, standard_input, reporter);
  int status = exit_status::fine;
  bool has_read_standard_input = false;
  for (const std::string_view path : invocation.operands()) {
    // Standard input is read once, as with modules.
    if (path == standard_input && std::exchange(has_read_standard_input, true)) continue;
    status = std::max(status, check_file(invocation, path, reporter));
  }
  return status;
}

}  // namespace

constinit const Command grammar_check_command("grammar check", "[FILE|-]...", "check a grammar document",
                                              "Reads Khronos grammar JSON like --grammar and reports every error with "
                                              "its JSON path. Without a file, or with '-', it reads standard input.",
                                              "vireo grammar check spirv.core.grammar.json", "json",
                                              format_and_reporting_options, run_grammar_check, {.only_reports = true});

constinit const Command grammar_diff_command(
    "grammar diff", "A [B]", "compare two grammar documents",
    "Lists the additions, removals and changes from A to B. Without B, A is compared with the built-in grammar. "
    "'builtin' names the built-in grammar, '-' is standard input.\n\n"
    "One line per change: + added, - removed, ~ changed. The exit status is 0 with or without changes.",
    "vireo grammar diff old.grammar.json new.grammar.json", "json", diff_options, run_grammar_diff);

}  // namespace vireo::cli
