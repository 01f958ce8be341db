// SPDX-License-Identifier: Apache-2.0
//
// Arguments → options, by the rows of options.cpp.
//
// The one idea: a parser for rows is smaller than the code that would describe the rows to a parsing library, and costs
// nothing at start-up (a library measured at 0.1 ms, a quarter of what a whole small module takes).
//
// Two grammars of arguments live here: ours, and below it the one of the reference's tools, which scripts rely on.
#include <algorithm>
#include <charconv>

#include "cli/options.h"
#include "support/nearest.h"

namespace vireo::cli {
namespace {

std::string quoted(std::string_view text) { return '\'' + std::string(text) + '\''; }

std::string suggestion(const NearestNames& nearest, std::string_view before = {}) {
  if (nearest.best().empty()) return {};
  return "; did you mean " + quoted(std::string(before).append(nearest.best())) + '?';
}

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

const OptionRow* find_name(CommandId command, std::string_view name) {
  if (name.empty()) return nullptr;
  for (const OptionRow& row : options()) {
    if (takes(row, command) && row.name == name) return &row;
  }
  return nullptr;
}

const OptionRow* find_letter(CommandId command, char letter) {
  for (const OptionRow& row : options()) {
    if (takes(row, command) && row.letter != 0 && row.letter == letter) return &row;
  }
  return nullptr;
}

bool is_count(std::string_view value) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size();
}

}  // namespace

// --- Our grammar -------------------------------------------------------------------------------------------------------

struct OptionParser {
  CommandId command;
  std::span<const std::string_view> arguments;
  std::size_t next = 0;
  ParseOutcome outcome{};

  void run() {
    bool options_ended = false;
    while (next < arguments.size() && outcome.problem.empty()) {
      const std::string_view argument = arguments[next++];
      if (options_ended || argument == "-" || !argument.starts_with('-')) {
        outcome.options.operands_.push_back(argument);
      } else if (argument == "--") {
        options_ended = true;
      } else if (argument.starts_with("--")) {
        take_long(argument);
      } else {
        take_short(argument);
      }
    }
  }

  void take_long(std::string_view argument) {
    const std::size_t equals = argument.find('=');
    const std::string_view spelling = argument.substr(0, equals);
    const OptionRow* row = find_name(command, spelling.substr(2));
    if (row == nullptr) return unknown(spelling);
    if (equals != std::string_view::npos) return take_value(*row, spelling, argument.substr(equals + 1));
    take_following(*row, spelling);
  }

  // `-o FILE`, `-oFILE`, and letters without values in a row: `-hf`.
  void take_short(std::string_view argument) {
    for (std::size_t i = 1; i < argument.size(); ++i) {
      const OptionRow* row = find_letter(command, argument[i]);
      if (row == nullptr) return unknown(i == 1 ? argument : std::string_view(argument.substr(i, 1)));
      const std::string spelling{'-', argument[i]};
      if (row->kind == ValueKind::None) {
        give(*row, "true");
      } else if (i + 1 < argument.size()) {
        return take_value(*row, spelling, argument.substr(i + 1));
      } else {
        return take_following(*row, spelling);
      }
    }
  }

  // The value, if there is one, is the next argument.
  void take_following(const OptionRow& row, std::string_view spelling) {
    if (row.kind == ValueKind::None) return give(row, "true");
    if (row.kind == ValueKind::OptionalChoice) {
      const bool is_there = next < arguments.size() && is_choice(row, arguments[next]);
      return give(row, is_there ? arguments[next++] : split_choices(row.choices).front());
    }
    if (next == arguments.size()) {
      outcome.problem = "option " + quoted(spelling) + " needs a value: " + std::string(row.value);
      return;
    }
    take_value(row, spelling, arguments[next++]);
  }

  void take_value(const OptionRow& row, std::string_view spelling, std::string_view value) {
    switch (row.kind) {
      case ValueKind::None:
        if (value == "true") return give(row, value);
        if (value == "false") return take_back(row.id);
        outcome.problem = "option " + quoted(spelling) + " takes no value, found " + quoted(value);
        return;
      case ValueKind::Text: break;
      case ValueKind::Count:
        if (is_count(value)) break;
        outcome.problem = "option " + quoted(spelling) + " needs a number, found " + quoted(value);
        return;
      case ValueKind::Choice:
      case ValueKind::OptionalChoice: {
        if (is_choice(row, value)) break;
        NearestNames nearest(value);
        for (const std::string_view choice : split_choices(row.choices)) nearest.offer(choice);
        outcome.problem = "option " + quoted(spelling) + " needs one of " + list_of(row.choices) + "; found " +
                          quoted(value) + suggestion(nearest);
        return;
      }
    }
    give(row, value);
  }

  void give(const OptionRow& row, std::string_view value) { outcome.options.given_.emplace_back(row.id, value); }
  void take_back(OptionId id) {
    std::erase_if(outcome.options.given_, [&](const auto& g) { return g.first == id; });
  }

  void unknown(std::string_view spelling) {
    NearestNames nearest(spelling.substr(std::min(spelling.find_first_not_of('-'), spelling.size())));
    for (const OptionRow& row : options()) {
      if (takes(row, command) && !row.name.empty()) nearest.offer(row.name);
    }
    outcome.problem = "unknown option " + quoted(spelling) + suggestion(nearest, "--");
  }
};

ParseOutcome parse_options(CommandId command, std::span<const std::string_view> arguments) {
  OptionParser parser{command, arguments};
  parser.run();
  return std::move(parser.outcome);
}

FoundCommand find_command(std::span<const std::string_view> arguments) {
  if (arguments.empty()) return {};
  const std::string_view first = arguments.front();
  bool is_family = false;  // "grammar" of "grammar check"
  for (const CommandRow& row : commands()) {
    if (is_personality(row.id)) continue;
    if (row.name == first) return {&row, 1, {}};
    const std::size_t blank = row.name.find(' ');
    if (blank == std::string_view::npos || row.name.substr(0, blank) != first) continue;
    is_family = true;
    if (arguments.size() > 1 && row.name.substr(blank + 1) == arguments[1]) return {&row, 2, {}};
  }

  FoundCommand found;
  const std::string_view word = is_family ? (arguments.size() > 1 ? arguments[1] : "") : first;
  NearestNames nearest(word);
  std::string verbs;
  for (const CommandRow& row : commands()) {
    if (is_personality(row.id)) continue;
    const std::size_t blank = row.name.find(' ');
    if (!is_family) {
      nearest.offer(row.name.substr(0, blank));
    } else if (row.name.substr(0, blank) == first) {
      nearest.offer(row.name.substr(blank + 1));
      verbs.append(verbs.empty() ? "" : ", ").append(row.name.substr(blank + 1));
    }
  }
  if (is_family && word.empty()) {
    found.problem = quoted(first) + " needs one of " + verbs;
  } else {
    const std::string whole = is_family ? std::string(first) + ' ' + std::string(word) : std::string(word);
    found.problem = "unknown command " + quoted(whole) + suggestion(nearest, is_family ? std::string(first) + ' ' : "");
  }
  return found;
}

// --- The reference's grammar -------------------------------------------------------------------------------------------
// Observed: a flag may stand once; `--name=value` and `--name value` for those with a long name, `-o value` only; flags
// without a value take `=true` and `=false`; empty arguments do not count; operands are as many as there are.

struct PersonalityParser {
  CommandId command;
  std::span<const std::string_view> arguments;
  ParseOutcome outcome{};

  void run() {
    std::vector<const OptionRow*> seen;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string_view argument = arguments[i];
      if (argument.empty()) continue;
      if (argument == "--") {
        for (++i; i < arguments.size(); ++i) outcome.options.operands_.push_back(arguments[i]);
        return;
      }
      if (argument == "-" || !argument.starts_with('-')) {
        outcome.options.operands_.push_back(argument);
        continue;
      }
      const bool is_long = argument.starts_with("--");
      const std::size_t equals = is_long ? argument.find('=') : std::string_view::npos;
      const std::string_view flag = argument.substr(0, equals);
      const OptionRow* row = is_long            ? find_name(command, flag.substr(2))
                             : flag.size() == 2 ? find_letter(command, flag[1])
                                                : nullptr;
      if (row == nullptr) return fail("Unknown flag ", flag, "");
      if (std::find(seen.begin(), seen.end(), row) != seen.end()) {
        return fail("The flag ", flag, " was specified multiple times.");
      }
      seen.push_back(row);
      std::string_view value = "true";
      if (equals != std::string_view::npos) {
        value = argument.substr(equals + 1);
      } else if (row->kind != ValueKind::None) {
        if (i + 1 == arguments.size()) return fail("Invalid usage for flag ", flag, "");
        value = arguments[++i];
      }
      if (row->kind == ValueKind::None && value == "false") continue;
      if (row->kind == ValueKind::None && value != "true") return fail("Invalid usage for flag ", flag, "");
      outcome.options.given_.emplace_back(row->id, value);
    }
  }

  void fail(std::string_view before, std::string_view flag, std::string_view after) {
    outcome.problem.append(before).append(flag).append(after);
  }
};

ParseOutcome parse_personality(CommandId command, std::span<const std::string_view> arguments) {
  PersonalityParser parser{command, arguments};
  parser.run();
  return std::move(parser.outcome);
}

// --- What was parsed ---------------------------------------------------------------------------------------------------

bool ParsedOptions::has(OptionId id) const {
  return std::any_of(given_.begin(), given_.end(), [&](const auto& given) { return given.first == id; });
}

std::string_view ParsedOptions::value(OptionId id, std::string_view otherwise) const {
  const auto found = std::find_if(given_.rbegin(), given_.rend(), [&](const auto& given) { return given.first == id; });
  return found == given_.rend() ? otherwise : found->second;
}

std::vector<std::string_view> ParsedOptions::values(OptionId id) const {
  std::vector<std::string_view> values;
  for (const auto& [given, value] : given_) {
    if (given == id) values.push_back(value);
  }
  return values;
}

std::size_t ParsedOptions::count(OptionId id, std::size_t otherwise) const {
  const std::string_view digits = value(id);
  std::from_chars(digits.data(), digits.data() + digits.size(), otherwise);
  return otherwise;
}

}  // namespace vireo::cli
