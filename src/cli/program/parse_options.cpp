// SPDX-License-Identifier: Apache-2.0
//
// Parses the arguments of Vireo's own commands. Only this file includes CLI11.
//
// The descriptors remain the only definition. Only those of the called command become options of a CLI::App.
// CLI11 reports each option through one callback per spelling, immediately and in the order of the arguments. So CLI11
// splits and matches arguments, while values, choices and messages come from the descriptors.
//
// Comments below mark where CLI11 behaves differently from what the descriptors need: `--output=` with an empty value, an
// optional choice, and words such as `-1`, which CLI11 treats as operands.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "cli/program/parse.h"
#include "support/nearest.h"
#include "support/printable.h"  // vireo::quoted, by its full name: CLI11 brings std::quoted along

namespace vireo::cli {
namespace {

// For messages; in descriptors the choices are separated by bars.
std::string list_of(std::string_view choices) {
  std::string list;
  for (const std::string_view choice : split_choices(choices)) {
    if (!list.empty()) list += ", ";
    list += choice;
  }
  return list;
}

bool is_choice(const Option& option, std::string_view value) {
  const auto choices = split_choices(option.choices);
  return std::find(choices.begin(), choices.end(), value) != choices.end();
}

bool is_count(std::string_view value) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size();
}

// CLI11 does not distinguish `--output=` from `--output` and would take the next argument as the value. An argument
// cannot contain a NUL, so a NUL marks the empty value; it is removed again from every result.
constexpr char empty_value = '\0';

std::string marked(std::string_view argument) {
  std::string text(argument);
  if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) text += empty_value;
  return text;
}

// Whether an argument may spell the option. CLI11 creates options slowly: creating all options of a command, of which a
// call uses one or two, took longer than disassembling a small module.
bool is_named(const Option& option, std::span<const std::string_view> arguments) {
  return !option.name.empty() && std::ranges::any_of(arguments, [&](std::string_view argument) {
    return argument.starts_with("--") && argument.substr(2).starts_with(option.name);
  });
}
bool is_lettered(const Option& option, std::span<const std::string_view> arguments) {
  return option.letter != 0 && std::ranges::any_of(arguments, [&](std::string_view argument) {
           return argument.starts_with('-') && argument.find(option.letter) != std::string_view::npos;
         });
}

std::string unmarked(std::string text) {
  if (text.ends_with(empty_value)) text.pop_back();
  return text;
}

}  // namespace

struct OptionParser {
  const Command& command;
  ParsedOptions& options;
  std::string problem{};  // the problem of the first wrong argument
  std::vector<std::string>
      rest{};  // arguments that CLI11 has not read yet, in reverse order, as it reads from the back

  void run(std::span<const std::string_view> arguments) {
    CLI::App app;
    app.set_help_flag();  // help is an option of ours; CLI11 would print its own
    app.allow_extras();   // operands and unknown options; take_others() separates them
    for (const Option* option : command.options) {
      // Each spelling is registered separately, so that a message can quote it.
      if (is_named(*option, arguments)) add(app, *option, "--" + std::string(option->name));
      if (is_lettered(*option, arguments)) add(app, *option, {'-', option->letter});
    }
    std::transform(arguments.rbegin(), arguments.rend(), std::back_inserter(rest), marked);
    try {
      app.parse(rest);
    } catch (const CLI::ArgumentMismatch&) {  // the last argument is an option without its value
      return needs_value(arguments.back());
    } catch (const CLI::ParseError&) {  // a callback rejected its value and set `problem`
      return;
    }
    take_others(app.remaining());
  }

  void add(CLI::App& app, const Option& option, const std::string& spelling) {
    CLI::Option* added = app.add_option(spelling, [this, &option, spelling](const CLI::results_t& values) {
      return take(option, spelling, unmarked(values.back()));
    });
    added->trigger_on_parse();
    if (option.kind == ValueKind::None || option.kind == ValueKind::OptionalChoice) added->expected(0);
  }

  bool take(const Option& option, std::string_view spelling, std::string value) {
    switch (option.kind) {
      case ValueKind::None:
        if (value == "false") {
          // Undoes an earlier `--flag`: wrappers that append arguments have no other way to switch it off.
          options.remove(option);
          return true;
        }
        if (value == "true") {
          value = option.name;
          break;
        }
        return refuse("option " + vireo::quoted(spelling) + " takes no value, found " + vireo::quoted(value));
      case ValueKind::Text: break;
      case ValueKind::Count:
        if (is_count(value)) break;
        return refuse("option " + vireo::quoted(spelling) + " needs a number, found " + vireo::quoted(value));
      case ValueKind::OptionalChoice:
        // Registered as a flag, whose value is "true" if none was written: as an option with at most one value it would
        // take any next argument. The next argument is used only if it is one of the choices.
        if (value == "true") {
          value = split_choices(option.choices).front();
          if (!rest.empty() && is_choice(option, rest.back())) {
            value = std::move(rest.back());
            rest.pop_back();
          }
          break;
        }
        [[fallthrough]];
      case ValueKind::Choice:
        if (is_choice(option, value)) break;
        NearestNames nearest(value);
        for (const std::string_view choice : split_choices(option.choices)) nearest.offer(choice);
        return refuse("option " + vireo::quoted(spelling) + " needs one of " + list_of(option.choices) + "; found " +
                      vireo::quoted(value) + suggestion(nearest.best()));
    }
    options.add(option, std::move(value));
    return true;
  }

  bool refuse(std::string what) {
    problem = std::move(what);
    return false;
  }

  // `-o` or `--output` at the end, or a group of letters of which the last needs a value.
  void needs_value(std::string_view last) {
    const std::string spelling = last.starts_with("--") ? std::string(last) : std::string{'-', last.back()};
    for (const Option* option : command.options) {
      if (spelling.size() == 2 ? option->letter == spelling[1] : option->name == std::string_view(spelling).substr(2)) {
        problem = "option " + vireo::quoted(spelling) + " needs a value: " + std::string(option->value);
      }
    }
  }

  // The other arguments, in order. CLI11 treats `-1` and `--=x` as operands; here they are unknown options. Files with
  // such names can be passed after `--`.
  void take_others(std::vector<std::string> others) {
    bool options_ended = false;
    for (std::string& other : others) {
      if (options_ended || other == "-" || !other.starts_with('-')) {
        options.add_operand(unmarked(std::move(other)));
      } else if (other == "--") {
        options_ended = true;
      } else {
        return unknown(other);
      }
    }
  }

  void unknown(std::string_view argument) {
    const std::string_view spelling = argument.starts_with("--") ? argument.substr(0, argument.find('=')) : argument;
    NearestNames nearest(spelling.substr(std::min(spelling.find_first_not_of('-'), spelling.size())));
    for (const Option* option : command.options) {
      if (!option->name.empty()) nearest.offer(option->name);
    }
    const std::string name = nearest.best().empty() ? std::string() : "--" + std::string(nearest.best());
    problem = "unknown option " + vireo::quoted(spelling);
    if (!command.traits.lacks.empty()) problem.append(": ").append(command.traits.lacks);
    problem += suggestion(name);
  }
};

ParseOutcome parse_options(const Command& command, std::span<const std::string_view> arguments) {
  ParseOutcome outcome;
  OptionParser parser{command, outcome.options};
  parser.run(arguments);
  outcome.problem = std::move(parser.problem);
  return outcome;
}

}  // namespace vireo::cli
