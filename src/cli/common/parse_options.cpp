// SPDX-License-Identifier: Apache-2.0
//
// Arguments of our own commands → options. The one door of CLI11.
//
// The one idea: the rows stay the source. Those of the chosen command, and of no other, become the options of a CLI::App;
// what CLI11 finds comes back through one callback a spelling, at once and in the order of the arguments. So CLI11 splits
// and matches arguments, and everything that is said to the user (values, choices, nearest names) is said from the rows.
//
// Where CLI11 has a habit of its own that the rows do not ask for, the place is marked below: `--output=` with nothing
// behind it, a choice that may be left out, and words such as `-1`, which it takes for operands.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "cli/common/options.h"
#include "support/nearest.h"
#include "support/printable.h"  // vireo::quoted, by its full name: CLI11 brings std::quoted along

namespace vireo::cli {
namespace {

// As people read them; in rows they are divided by bars.
std::string list_of(std::string_view choices) {
  std::string list;
  for (const std::string_view choice : split_choices(choices)) {
    if (!list.empty()) list += ", ";
    list += choice;
  }
  return list;
}

bool is_choice(const OptionRow& row, std::string_view value) {
  const auto choices = split_choices(row.choices);
  return std::find(choices.begin(), choices.end(), value) != choices.end();
}

bool is_count(std::string_view value) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size();
}

// CLI11 cannot tell `--output=` from `--output`, and would take the next argument for the value. No argument holds a NUL,
// so a NUL can stand for the empty value on the way in and be taken off on the way back, wherever it turns up.
constexpr char empty_value = '\0';

std::string marked(std::string_view argument) {
  std::string text(argument);
  if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) text += empty_value;
  return text;
}

// Whether an argument may spell the option. CLI11 makes options slowly: to give it all options of a command, of which a
// call uses one or two, took longer than disassembling a small module.
bool is_named(const OptionRow& row, std::span<const std::string_view> arguments) {
  return !row.name.empty() && std::ranges::any_of(arguments, [&](std::string_view argument) {
    return argument.starts_with("--") && argument.substr(2).starts_with(row.name);
  });
}
bool is_lettered(const OptionRow& row, std::span<const std::string_view> arguments) {
  return row.letter != 0 && std::ranges::any_of(arguments, [&](std::string_view argument) {
           return argument.starts_with('-') && argument.find(row.letter) != std::string_view::npos;
         });
}

std::string unmarked(std::string text) {
  if (text.ends_with(empty_value)) text.pop_back();
  return text;
}

}  // namespace

struct OptionParser {
  const CommandId command;
  ParsedOptions& options;
  std::string problem{};            // of the first argument that is wrong
  std::vector<std::string> rest{};  // what CLI11 has not read yet, the next argument last: it reads from the back

  void run(std::span<const std::string_view> arguments) {
    CLI::App app;
    app.set_help_flag();  // ours are rows; CLI11's would be printed by CLI11
    app.allow_extras();   // operands and what is unknown: told apart below, in our words
    for (const OptionRow& row : cli::options()) {
      if (!takes(row, command)) continue;
      // Each spelling by itself, so that a message can quote the one that was used.
      if (is_named(row, arguments)) add(app, row, "--" + std::string(row.name));
      if (is_lettered(row, arguments)) add(app, row, {'-', row.letter});
    }
    std::transform(arguments.rbegin(), arguments.rend(), std::back_inserter(rest), marked);
    try {
      app.parse(rest);
    } catch (const CLI::ArgumentMismatch&) {  // the last argument is an option that wants one more
      return needs_value(arguments.back());
    } catch (const CLI::ParseError&) {  // a callback refused its value, and has said why
      return;
    }
    take_others(app.remaining());
  }

  void add(CLI::App& app, const OptionRow& row, const std::string& spelling) {
    CLI::Option* option = app.add_option(spelling, [this, &row, spelling](const CLI::results_t& values) {
      return take(row, spelling, unmarked(values.back()));
    });
    option->trigger_on_parse();
    if (row.kind == ValueKind::None || row.kind == ValueKind::OptionalChoice) option->expected(0);
  }

  bool take(const OptionRow& row, std::string_view spelling, std::string value) {
    switch (row.kind) {
      case ValueKind::None:
        if (value == "false") return take_back(row.id);
        if (value == "true") break;
        return refuse("option " + vireo::quoted(spelling) + " takes no value, found " + vireo::quoted(value));
      case ValueKind::Text: break;
      case ValueKind::Count:
        if (is_count(value)) break;
        return refuse("option " + vireo::quoted(spelling) + " needs a number, found " + vireo::quoted(value));
      case ValueKind::OptionalChoice:
        // To CLI11 a flag, whose value is "true" when nothing was written: an option with at most one value would swallow
        // whatever follows it. The next argument belongs to it only if it is one of the choices.
        if (value == "true") {
          value = split_choices(row.choices).front();
          if (!rest.empty() && is_choice(row, rest.back())) {
            value = std::move(rest.back());
            rest.pop_back();
          }
          break;
        }
        [[fallthrough]];
      case ValueKind::Choice:
        if (is_choice(row, value)) break;
        NearestNames nearest(value);
        for (const std::string_view choice : split_choices(row.choices)) nearest.offer(choice);
        return refuse("option " + vireo::quoted(spelling) + " needs one of " + list_of(row.choices) + "; found " +
                      vireo::quoted(value) + suggestion(nearest.best()));
    }
    options.given_.emplace_back(row.id, std::move(value));
    return true;
  }

  // `--flag=false` undoes an earlier one: wrappers that append arguments have no other way to switch something off.
  bool take_back(OptionId id) {
    std::erase_if(options.given_, [&](const auto& given) { return given.first == id; });
    return true;
  }

  bool refuse(std::string what) {
    problem = std::move(what);
    return false;
  }

  // `-o` or `--output` at the end; or letters in a row, of which the last wants a value.
  void needs_value(std::string_view last) {
    const std::string spelling = last.starts_with("--") ? std::string(last) : std::string{'-', last.back()};
    for (const OptionRow& row : cli::options()) {
      if (!takes(row, command)) continue;
      if (spelling.size() == 2 ? row.letter == spelling[1] : row.name == std::string_view(spelling).substr(2)) {
        problem = "option " + vireo::quoted(spelling) + " needs a value: " + std::string(row.value);
      }
    }
  }

  // What was no option, in its order. `-1` and `--=x` are operands to CLI11; nobody calls a file so, and those who do can
  // write `--` before it.
  void take_others(std::vector<std::string> others) {
    bool options_ended = false;
    for (std::string& other : others) {
      if (options_ended || other == "-" || !other.starts_with('-')) {
        options.operands_.push_back(unmarked(std::move(other)));
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
    for (const OptionRow& row : cli::options()) {
      if (takes(row, command) && !row.name.empty()) nearest.offer(row.name);
    }
    const std::string name = nearest.best().empty() ? std::string() : "--" + std::string(nearest.best());
    problem = "unknown option " + vireo::quoted(spelling) + suggestion(name);
  }
};

ParseOutcome parse_options(CommandId command, std::span<const std::string_view> arguments) {
  ParseOutcome outcome;
  OptionParser parser{command, outcome.options};
  parser.run(arguments);
  outcome.problem = std::move(parser.problem);
  return outcome;
}

}  // namespace vireo::cli
