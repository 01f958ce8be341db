// SPDX-License-Identifier: Apache-2.0
//
// Dispatches arguments to a command. Handles only what all commands share: help, versions, usage errors.
//
// --help, --version and wrong options are handled here, so they behave alike for all commands.
#include "cli/program/run.h"

#include <new>
#include <string>

#include "cli/common/all_commands.h"
#include "cli/common/shared_options.h"
#include "cli/common/version.h"
#include "cli/program/help.h"
#include "cli/program/parse.h"
#include "support/io.h"
#include "vireo/spirv/grammar/grammar.h"

namespace vireo::cli {
namespace {

// Includes the grammar's revision, which determines the known instructions.
std::string version_text() {
  const spirv::Grammar& grammar = spirv::builtin_grammar();
  return "vireo " + std::string(program_version) + "\nSPIR-V grammar " + std::to_string(grammar.major_version) + '.' +
         std::to_string(grammar.minor_version) + " revision " + std::to_string(grammar.revision) + '\n';
}

// For a first or last word only: in between, `-h` may be the value of an option.
bool asks_for_help(std::string_view argument) { return argument == "-h" || argument == "--help"; }

int run_imitation(const Command& command, std::span<const std::string_view> arguments, const Streams& streams) {
  const ParseOutcome parsed = parse_compatibility(command, arguments);
  // The reference's message and status, without a prefix: scripts match them.
  if (!parsed.problem.empty()) {
    DescriptorSink(streams.err).write(parsed.problem + '\n');
    return 1;
  }
  // Help and version are about Vireo; everything else behaves like the reference.
  if (parsed.wants_usage) {
    DescriptorSink(streams.err).write(parsed.complaint);
    print(streams, long_help(command));
    return 1;
  }
  if (parsed.options.has(long_help_option)) return print(streams, long_help(command));
  if (parsed.options.has(version_option)) {
    return print(streams, "vireo " + std::string(program_version) + ", called " + std::string(command.name) +
                              "\nTarget: SPIR-V " + std::string(command.traits.target) + '\n');
  }
  return command.run({command, parsed.options, streams});
}

int run_vireo(std::span<const std::string_view> arguments, const Streams& streams) {
  // Without arguments the help goes to standard error, with a failure status; if requested, it goes to standard output.
  if (arguments.empty()) {
    DescriptorSink(streams.err).write(program_help());
    return exit_status::usage;
  }
  const std::string_view first = arguments.front();
  if (first == "--version" || first == "version") return print(streams, version_text());
  const bool wants_page = first == "help";  // `vireo help as` is `vireo as --help`
  if (wants_page) arguments = arguments.subspan(1);
  if (asks_for_help(first) || arguments.empty()) return print(streams, program_help());

  const FoundCommand found = find_command(arguments);
  if (found.command == nullptr) {
    // `vireo grammar --help` and `vireo help grammar` print help; a misspelt command with --help is an error.
    const bool wants_family = found.is_family && (arguments.size() > 1 ? asks_for_help(arguments[1]) : wants_page);
    if (wants_family) return print(streams, family_help(arguments.front()));
    const std::string family = found.is_family ? std::string(arguments.front()) + ' ' : std::string();
    return usage_problem(streams, found.problem, "vireo " + family + "--help");
  }
  const ParseOutcome parsed = parse_options(*found.command, arguments.subspan(found.words));
  const Invocation invocation{*found.command, parsed.options, streams};
  // A wrong option takes precedence over a request for help: `vireo as --hlep --help` is an error.
  if (!parsed.problem.empty()) return usage_error(invocation, parsed.problem);
  if (wants_page || parsed.options.has(long_help_option)) return print(streams, long_help(*found.command));
  if (parsed.options.has(help_option)) return print(streams, short_help(*found.command));
  if (parsed.options.has(version_option)) return print(streams, version_text());
  return found.command->run(invocation);
}

}  // namespace

int run(std::span<const std::string_view> arguments, const Streams& streams) {
  const std::string_view path = arguments.empty() ? "vireo" : arguments.front();
  // The last component of argv[0]: a link with another name selects another tool.
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 = 0
  const auto rest = arguments.empty() ? arguments : arguments.subspan(1);
  // The only handler of exceptions: components do not throw themselves, but any of them may run out of memory.
  try {
    for (const Command* command : all_commands) {
      if (command->is_imitation() && command->name == name) return run_imitation(*command, rest, streams);
    }
    return run_vireo(rest, streams);
  } catch (const std::bad_alloc&) {
    DescriptorSink(streams.err).write("vireo: out of memory\n");
    return exit_status::no_file;
  }
}

}  // namespace vireo::cli
