// SPDX-License-Identifier: Apache-2.0
//
// Arguments of spirv-as, spirv-dis and spirv-val → options, in the reference's grammars of flags.
//
// The one idea: these are small grammars of their own, which scripts rely on, and no dialects of ours. CLI11 cannot say
// them: there a flag may be repeated, `-oFILE` holds a value, an empty argument is an operand, and every message is its
// own.
//
// Observed of the first two: a flag may stand once; `--name=value` and `--name value` for those with a long name, `-o value`
// only; flags without a value take `=true` and `=false` in lower case; empty arguments do not count; operands are as many
// as there are.
#include <algorithm>
#include <optional>

#include "cli/common/options.h"

namespace vireo::cli {
namespace {

struct Argument {
  std::string_view flag;                  ///< what stands before a `=`
  std::optional<std::string_view> value;  ///< what stands behind it
};

// Only a long flag is cut at its `=`: `-o=x` is a flag that nobody knows.
Argument split(std::string_view argument) {
  const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
  if (equals == std::string_view::npos) return {argument, {}};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

// Rows of this personality alone: `-o` means what it means there, and what is ours only is unknown.
const OptionRow* find_row(CommandId command, std::string_view flag) {
  const bool is_long = flag.starts_with("--");
  if (is_long ? flag.size() == 2 : flag.size() != 2) return nullptr;  // an option without a name or a letter has none
  for (const OptionRow& row : options()) {
    if (takes(row, command) && (is_long ? row.name == flag.substr(2) : row.letter == flag[1])) return &row;
  }
  return nullptr;
}

}  // namespace

struct PersonalityParser {
  const CommandId command;
  const std::span<const std::string_view> arguments;
  ParsedOptions& options;
  std::size_t next = 0;
  std::vector<const OptionRow*> seen{};

  /// Gives what is wrong, in the reference's words; the first fault ends the parse, as there.
  std::string run() {
    bool options_ended = false;
    while (next < arguments.size()) {
      const std::string_view argument = arguments[next++];
      if (options_ended || argument == "-" || (!argument.empty() && !argument.starts_with('-'))) {
        options.operands_.emplace_back(argument);
      } else if (argument == "--") {
        options_ended = true;
      } else if (!argument.empty()) {
        if (std::string problem = take(split(argument)); !problem.empty()) return problem;
      }
    }
    return {};
  }

  std::string take(const Argument& argument) {
    const std::string flag(argument.flag);
    const OptionRow* row = find_row(command, flag);
    if (row == nullptr) return "Unknown flag " + flag;
    if (std::find(seen.begin(), seen.end(), row) != seen.end()) {
      return "The flag " + flag + " was specified multiple times.";
    }
    seen.push_back(row);
    const bool is_flag = row->kind == ValueKind::None;
    std::string_view value = "true";
    if (argument.value) {
      value = *argument.value;
    } else if (!is_flag) {
      if (next == arguments.size()) return "Invalid usage for flag " + flag;
      value = arguments[next++];
    }
    if (is_flag && value != "true" && value != "false") return "Invalid usage for flag " + flag;
    if (!is_flag || value == "true") options.given_.emplace_back(row->id, value);
    return {};
  }
};

// Observed of spirv-val: a value is the next argument, never behind a `=`; flags may be repeated; a number is as many
// digits as there are, and what follows them does not count; a flag that is none is answered with the help page; the first
// fault, or request for help, ends the parse.
struct ValidatorPersonalityParser {
  const std::span<const std::string_view> arguments;
  ParseOutcome& outcome;
  std::size_t next = 0;

  void run() {
    while (next < arguments.size() && outcome.problem.empty() && !outcome.wants_usage) {
      const std::string_view argument = arguments[next++];
      if (argument == "-" || !argument.starts_with('-')) {
        outcome.options.operands_.emplace_back(argument);
      } else {
        take(argument);
      }
      if (outcome.options.has(OptionId::LongHelp) || outcome.options.has(OptionId::Version)) return;
    }
  }

  void take(std::string_view flag) {
    const OptionRow* row = find_row(CommandId::SpirvVal, flag);
    outcome.wants_usage = row == nullptr;
    if (row == nullptr) return;
    std::string value = "true";
    if (row->kind != ValueKind::None) {
      if (next == arguments.size()) {
        outcome.problem = "error: Missing argument to " + std::string(flag);
        return;
      }
      value = arguments[next++];
    }
    if (row->kind == ValueKind::Count) {
      value = value.substr(0, value.find_first_not_of("0123456789"));
      if (value.empty()) outcome.problem = "error: missing argument to " + std::string(flag);
    }
    outcome.options.given_.emplace_back(row->id, std::move(value));
  }
};

ParseOutcome parse_personality(CommandId command, std::span<const std::string_view> arguments) {
  ParseOutcome outcome;
  if (command == CommandId::SpirvVal) {
    ValidatorPersonalityParser{arguments, outcome}.run();
    return outcome;
  }
  outcome.problem = PersonalityParser{command, arguments, outcome.options}.run();
  return outcome;
}

}  // namespace vireo::cli
