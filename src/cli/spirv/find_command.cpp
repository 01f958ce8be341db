// SPDX-License-Identifier: Apache-2.0
//
// Finds the command that the first arguments name.
//
// The one idea: the command is found first, by comparing names, so the options of other commands are never built.
#include <algorithm>

#include "cli/common/options.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

// "grammar" for "grammar check". A command of one word is its own family.
std::string_view family_of(const CommandRow& row) { return row.name.substr(0, row.name.find(' ')); }

// "check" for "grammar check"; empty for a command of one word.
std::string_view verb_of(const CommandRow& row) {
  return row.name.substr(std::min(family_of(row).size() + 1, row.name.size()));
}

std::string unknown_family(std::string_view word) {
  NearestNames nearest(word);
  // "dis" for "disasm" and "disassemble", but not for the name of a file.
  const bool may_be_file = word.find_first_of("./") != std::string_view::npos;
  std::string_view abbreviation;
  for (const CommandRow& row : commands()) {
    // Compatibility commands are called by their own names and cannot follow `vireo`.
    if (is_compatibility_command(row.id)) continue;
    nearest.offer(family_of(row));
    if (!may_be_file && word.starts_with(family_of(row)) && family_of(row).size() > abbreviation.size())
      abbreviation = family_of(row);
  }
  return "unknown command " + quoted(word) + suggestion(nearest.best().empty() ? abbreviation : nearest.best());
}

std::string unknown_verb(std::string_view family, std::string_view word) {
  const std::string before = std::string(family) + ' ';
  NearestNames nearest(word);
  std::string verbs;
  for (const CommandRow& row : commands()) {
    if (family_of(row) != family) continue;
    nearest.offer(verb_of(row));
    verbs.append(verbs.empty() ? "" : ", ").append(verb_of(row));
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
  for (const CommandRow& row : commands()) {
    if (is_compatibility_command(row.id) || family_of(row) != first) continue;
    if (verb_of(row).empty()) return {&row, 1, {}};
    if (verb_of(row) == second) return {&row, 2, {}};
    is_family = true;
  }
  return {nullptr, 0, is_family ? unknown_verb(first, second) : unknown_family(first), is_family};
}

}  // namespace vireo::cli
