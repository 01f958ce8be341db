// SPDX-License-Identifier: Apache-2.0
//
// Finds the command that the first arguments name.
//
// The command is found first, by comparing names, so the options of other commands are never built.
#include <algorithm>

#include "cli/common/all_commands.h"
#include "cli/program/parse.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

std::string unknown_family(std::string_view word) {
  NearestNames nearest(word);
  // "dis" for "disasm" and "disassemble", but not for the name of a file.
  const bool may_be_file = word.find_first_of("./") != std::string_view::npos;
  std::string_view abbreviation;
  for (const Command* command : all_commands) {
    // Compatibility commands are called by their own names and cannot follow `vireo`.
    if (command->is_imitation()) continue;
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
  const std::string meant = nearest.best().empty() ? std::string() : before + std::string(nearest.best());
  return "unknown command " + quoted(before + std::string(word)) + suggestion(meant);
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
