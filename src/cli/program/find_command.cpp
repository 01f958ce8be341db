// SPDX-License-Identifier: Apache-2.0
//
// Finds the command that the first arguments name.
//
// The command is found first, by comparing names, so the options of other commands are never built.
#include <algorithm>

#include "cli/common/all_commands.h"
#include "cli/common/shared_options.h"
#include "cli/program/parse.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

std::string unknown_option(std::string_view before, std::string_view word) {
  NearestNames nearest(word.substr(std::min(word.find_first_not_of('-'), word.size())));
  for (const Option* option : help_options) nearest.offer(option->name);
  const std::string name = nearest.best().empty() ? std::string() : "--" + std::string(nearest.best());
  return "unknown option " + quoted(std::string(before) + std::string(word)) + suggestion(name);
}

std::string unknown_family(std::string_view word) {
  if (word.starts_with('-')) return unknown_option("", word);
  NearestNames nearest(word);
  // "dis" for "disasm" and "disassemble", but not for the name of a file.
  const bool may_be_file = word.find_first_of("./") != std::string_view::npos;
  std::string_view abbreviation;
  for (const Command* command : all_commands) {
    // Compatibility commands are called by their own names and cannot follow `vireo`.
    if (command->is_imitation()) {
      if (command->name == word) return quoted(word) + " is the name of a link to vireo, not a command";
      continue;
    }
    nearest.offer(command->family());
    if (!may_be_file && word.starts_with(command->family()) && command->family().size() > abbreviation.size())
      abbreviation = command->family();
  }
  return "unknown command " + quoted(word) + suggestion(nearest.best().empty() ? abbreviation : nearest.best());
}

std::string unknown_verb(std::string_view family, std::string_view word) {
  const std::string before = std::string(family) + ' ';
  NearestNames nearest(word);
  std::string verbs;
  for (const Command* command : all_commands) {
    if (command->family() != family) continue;
    nearest.offer(command->verb());
    verbs.append(verbs.empty() ? "" : ", ").append(command->verb());
  }
  if (word.empty()) return quoted(family) + " needs one of " + verbs;
  if (word.starts_with('-')) return unknown_option(before, word);
  const std::string meant = nearest.best().empty() ? std::string() : before + std::string(nearest.best());
  return "unknown command " + quoted(before + std::string(word)) + "; " + quoted(family) + " needs one of " + verbs +
         suggestion(meant);
}

}  // namespace

FoundCommand find_command(std::span<const std::string_view> arguments) {
  if (arguments.empty()) return {};
  const std::string_view first = arguments.front();
  const std::string_view second = arguments.size() > 1 ? arguments[1] : std::string_view();
  bool is_family = false;
  for (const Command* command : all_commands) {
    if (command->is_imitation() || command->family() != first) continue;
    if (command->verb().empty()) return {command, 1};
    if (command->verb() == second) return {command, 2};
    is_family = true;
  }
  return {nullptr, 0, is_family ? unknown_verb(first, second) : unknown_family(first), is_family};
}

}  // namespace vireo::cli
