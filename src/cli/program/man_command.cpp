// SPDX-License-Identifier: Apache-2.0
//
// vireo man: prints the man page of a command.
#include <string>
#include <string_view>

#include "cli/common/all_commands.h"
#include "cli/common/shared_options.h"
#include "cli/common/version.h"
#include "cli/program/help.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

constexpr Flag list_option("--list", "print the names of all pages, one per line",
                           "Packages store each page in a file: 'vireo man NAME' prints it.");

constexpr auto man_options = option_list(list_option, help_options);

// Prints a page. cmake/install.cmake writes one file for each name that --list prints.
int run_man(const Invocation& invocation) {
  if (invocation.options.has(list_option)) {
    std::string names;
    for (const Command* command : all_commands) {
      if (!command->is_imitation()) names.append(command->name).append("\n");
    }
    return print(invocation.streams, names);
  }
  if (invocation.operands().empty()) return print(invocation.streams, program_man_page(program_version));
  // Accepts both `man isa as` and `man 'isa as'`.
  std::string name;
  for (const std::string_view word : invocation.operands()) name.append(name.empty() ? "" : " ").append(word);
  if (name == "vireo") return print(invocation.streams, program_man_page(program_version));
  NearestNames nearest(name);
  for (const Command* command : all_commands) {
    // Pages refer to each other by their page names: vireo-grammar-check(1).
    const std::string page = page_name(*command);
    const bool applies = command->name == name || page == name || page == "vireo-" + name;
    if (applies) return print(invocation.streams, man_page(*command, program_version));
    nearest.offer(command->name);
  }
  return usage_error(invocation, "unknown command " + vireo::quoted(name) + suggestion(nearest.best()));
}

}  // namespace

constinit const Command man_command(
    "man", "[COMMAND]", "print a man page",
    "Prints the page of a command, or of the whole program, in the roff language of man(1).",
    "vireo man as > vireo-as.1\n"
    "vireo man dis | man -l -\n"
    "vireo man --list",
    "", man_options, run_man);

}  // namespace vireo::cli
