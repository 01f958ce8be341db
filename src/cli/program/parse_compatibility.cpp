// SPDX-License-Identifier: Apache-2.0
//
// Parses the arguments of spirv-as, spirv-dis, spirv-val, spirv-opt, spirv-cfg and spirv-diff by the reference's rules.
//
// The reference programs have their own flag syntax, on which scripts rely. CLI11 cannot express it:
// CLI11 accepts repeated flags, reads a value from `-oFILE`, treats an empty argument as an operand, and prints its own
// messages.
//
// Observed behaviour of spirv-as, spirv-dis and spirv-cfg: a flag may occur once. Long flags take `--name=value` and `--name
// value`, `-o` only `-o value`. Flags without a value accept `=true` and `=false` in lower case. Empty arguments are
// ignored. Any number of operands is accepted.
#include <algorithm>
#include <optional>

#include "cli/common/shared_options.h"
#include "cli/program/parse.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

struct Argument {
  std::string_view flag;                  ///< the part before `=`
  std::optional<std::string_view> value;  ///< the part after it
};

// Only a long flag is split at its `=`: `-o=x` is an unknown flag.
Argument split(std::string_view argument) {
  const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
  if (equals == std::string_view::npos) return {argument, {}};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

// Searches the options of this command only: options of Vireo's own commands are unknown here.
const Option* find_flag(const Command& command, std::string_view flag) {
  const bool is_long = flag.starts_with("--");
  if (is_long ? flag.size() == 2 : flag.size() != 2) return nullptr;  // an empty name or letter matches no option
  for (const Option* option : command.options) {
    if (is_long ? option->name == flag.substr(2) : option->letter == flag[1]) return option;
  }
  return nullptr;
}

// The flag that is the most similar one; empty if none is.
std::string nearest_flag(const Command& command, std::string_view flag) {
  NearestNames nearest(flag.substr(std::min(flag.find_first_not_of('-'), flag.size())));
  for (const Option* option : command.options) nearest.offer(option->name);
  return nearest.best().empty() ? std::string() : "--" + std::string(nearest.best());
}

}  // namespace

struct CompatibilityParser {
  const Command& command;
  const std::span<const std::string_view> arguments;
  ParsedOptions& options;
  std::size_t next = 0;
  std::vector<const Option*> seen{};

  /// Returns the problem in the reference's words. The first fault ends parsing, as in the reference.
  std::string run() {
    bool options_ended = false;
    while (next < arguments.size()) {
      const std::string_view argument = arguments[next++];
      if (options_ended || argument == "-" || (!argument.empty() && !argument.starts_with('-'))) {
        options.add_operand(std::string(argument));
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
    const Option* option = find_flag(command, flag);
    if (option == nullptr) return "Unknown flag " + flag;
    if (std::find(seen.begin(), seen.end(), option) != seen.end()) {
      return "The flag " + flag + " was specified multiple times.";
    }
    seen.push_back(option);
    const bool is_flag = option->kind == ValueKind::None;
    std::string_view value = "true";
    if (argument.value) {
      value = *argument.value;
    } else if (!is_flag) {
      if (next == arguments.size()) return "Invalid usage for flag " + flag;
      value = arguments[next++];
    }
    if (is_flag && value != "true" && value != "false") return "Invalid usage for flag " + flag;
    if (!is_flag || value == "true") options.add(*option, std::string(value));
    return {};
  }
};

// spirv-val and spirv-opt have at most one input; a second one is a fault.
void take_input(std::string_view path, ParseOutcome& outcome) {
  if (outcome.options.operands().empty()) outcome.options.add_operand(std::string(path));
  else outcome.problem = "error: More than one input file specified";
}

// Reads the arguments of spirv-val or spirv-opt. Parser::take() reads a flag, and its value from the next argument. The
// first fault, or a request for help, ends parsing.
template <typename Parser>
void parse_arguments(Parser parser) {
  ParseOutcome& outcome = parser.outcome;
  while (parser.next < parser.arguments.size() && outcome.problem.empty() && !outcome.wants_usage) {
    const std::string_view argument = parser.arguments[parser.next++];
    if (argument != "-" && argument.starts_with('-')) parser.take(argument);
    else take_input(argument, outcome);
    if (outcome.options.has(long_help_option) || outcome.options.has(version_option)) return;
  }
}

// Observed behaviour of spirv-val: a value is the next argument, never after a `=`. Flags may be repeated. A number is
// the leading digits; the rest is ignored. An unknown flag prints the help page; Vireo also names the flag on
// standard error.
struct ValidatorCompatibilityParser {
  const Command& command;
  const std::span<const std::string_view> arguments;
  ParseOutcome& outcome;
  std::size_t next = 0;

  void take(std::string_view flag) {
    const Option* option = find_flag(command, flag);
    const Option* assigned = find_flag(command, split(flag).flag);
    if (option == nullptr && assigned != nullptr && assigned->kind == ValueKind::Count) {
      outcome.problem = "error: missing argument to " + std::string(flag);
      return;
    }
    outcome.wants_usage = option == nullptr;
    if (option == nullptr) {
      outcome.complaint = "error: unknown flag " + quoted(flag) + suggestion(nearest_flag(command, flag)) + '\n';
      return;
    }
    std::string value = "true";
    if (option->kind != ValueKind::None) {
      if (next == arguments.size()) {
        outcome.problem = "error: Missing argument to " + std::string(flag);
        return;
      }
      value = arguments[next++];
    }
    if (option->kind == ValueKind::Count) {
      value = value.substr(0, value.find_first_not_of("0123456789"));
      if (value.empty()) outcome.problem = "error: missing argument to " + std::string(flag);
    }
    outcome.options.add(*option, std::move(value));
  }
};

// Observed behaviour of spirv-opt: `-o` takes the next argument, and occurs once; --target-env takes a value after a `=` only.
// Passes may be repeated, and ignore values.
struct OptimizerCompatibilityParser {
  const Command& command;
  const std::span<const std::string_view> arguments;
  ParseOutcome& outcome;
  std::size_t next = 0;

  void take(std::string_view text) {
    const Argument argument = split(text);
    const Option* option = find_flag(command, argument.flag);
    if (option == nullptr) {
      unknown(argument.flag);
    } else if (option->kind == ValueKind::None) {
      outcome.options.add(*option, std::string(option->name));
    } else if (option->letter != 0) {
      outcome.wants_usage = next == arguments.size() || outcome.options.has(*option);
      if (!outcome.wants_usage) outcome.options.add(*option, std::string(arguments[next++]));
    } else if (argument.value) {
      outcome.options.add(*option, std::string(*argument.value));
    } else if (&option->origin() == &target_env_option) {
      outcome.problem = "error: expected " + std::string(argument.flag) + '=' + std::string(option->value);
    } else {
      outcome.options.add(*option, next == arguments.size() ? std::string() : std::string(arguments[next++]));
    }
  }

  // Scripts call spirv-opt with passes that Vireo lacks: the message names the flag and the program that has it.
  void unknown(std::string_view flag) {
    outcome.problem = "error: unknown flag " + quoted(flag) + ": ";
    outcome.problem.append(command.traits.lacks) += suggestion(nearest_flag(command, flag));
  }
};

ParseOutcome parse_compatibility(const Command& command, std::span<const std::string_view> arguments) {
  ParseOutcome outcome;
  if (command.traits.imitation == Imitation::Validator) {
    parse_arguments(ValidatorCompatibilityParser{command, arguments, outcome});
    return outcome;
  }
  if (command.traits.imitation == Imitation::Optimizer) {
    parse_arguments(OptimizerCompatibilityParser{command, arguments, outcome});
    return outcome;
  }
  outcome.problem = CompatibilityParser{command, arguments, outcome.options}.run();
  return outcome;
}

}  // namespace vireo::cli
