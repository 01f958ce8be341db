// SPDX-License-Identifier: Apache-2.0
//
// Dispatches arguments to a command. Handles only what all commands share: help, versions, usage errors.
//
// The one idea: a command is a row of options.cpp and a function in the table below. --help, --version and wrong
// options are handled here, so they behave alike for all commands.
#include "cli/common/run.h"

#include <new>
#include <string>

#include "cli/common/help.h"
#include "cli/common/version.h"
#include "cli/spirv/completion_words.h"
#include "support/io.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/spirv/grammar.h"

namespace vireo::cli {
namespace {

int run_completion(const Invocation& invocation) {
  if (invocation.options.has(OptionId::Words)) {
    return print(invocation.streams, completion_words(invocation.options.value(OptionId::Words)));
  }
  if (invocation.operands().size() != 1) return usage_error(invocation, "expected the name of one shell");
  const std::string script = completion_script(invocation.operands().front());
  if (script.empty()) return usage_error(invocation, "expected bash, zsh or fish");
  return print(invocation.streams, script);
}

// Prints a page. cmake/install.cmake writes one file for each name that --list prints.
int run_man(const Invocation& invocation) {
  if (invocation.options.has(OptionId::List)) {
    std::string names;
    for (const CommandRow& row : commands()) {
      if (!is_compatibility_command(row.id)) names.append(row.name).append("\n");
    }
    return print(invocation.streams, names);
  }
  if (invocation.operands().empty()) return print(invocation.streams, program_man_page(program_version));
  // Accepts both `man isa as` and `man 'isa as'`.
  std::string name;
  for (const std::string_view word : invocation.operands()) name.append(name.empty() ? "" : " ").append(word);
  if (name == "vireo") return print(invocation.streams, program_man_page(program_version));
  for (const CommandRow& row : commands()) {
    // Pages refer to each other by their page names: vireo-grammar-check(1).
    const bool applies = row.name == name || page_name(row) == name || page_name(row) == "vireo-" + name;
    if (applies) return print(invocation.streams, man_page(row, program_version));
  }
  NearestNames nearest(name);
  for (const CommandRow& row : commands()) nearest.offer(row.name);
  return usage_error(invocation, "unknown command " + vireo::quoted(name) + suggestion(nearest.best()));
}

// One line per command. The two grammar commands share a function, which checks the id.
struct Dispatch {
  CommandId command;
  int (*run)(const Invocation&);
};
constexpr Dispatch dispatch[] = {
    {CommandId::As, run_as},
    {CommandId::Dis, run_dis},
    {CommandId::Val, run_val},
    {CommandId::Strip, run_strip},
    {CommandId::Trim, run_trim},
    {CommandId::Clean, run_clean},
    {CommandId::Specialize, run_specialize},
    {CommandId::Shrink, run_shrink},
    {CommandId::Link, run_link},
    {CommandId::Opt, run_opt},
    {CommandId::Reflect, run_reflect},
    {CommandId::Info, run_info},
    {CommandId::Cfg, run_cfg},
    {CommandId::CallGraph, run_callgraph},
    {CommandId::DiffModules, run_diff},
    {CommandId::SpirvDiff, run_spirv_diff},
    {CommandId::Explain, run_explain},
    {CommandId::Rules, run_rules},
    {CommandId::GrammarCheck, run_grammar},
    {CommandId::GrammarDiff, run_grammar},
    {CommandId::IsaCheck, run_isa_check},
    {CommandId::IsaDis, run_isa_dis},
    {CommandId::IsaExplain, run_isa_explain},
    {CommandId::IsaDoc, run_isa_doc},
    {CommandId::IsaGenerate, run_isa_generate},
    {CommandId::IsaDiff, run_isa_diff},
    {CommandId::IsaAs, run_isa_as},
    {CommandId::IsaEncode, run_isa_encode},
    {CommandId::IsaVectors, run_isa_vectors},
    {CommandId::Completion, run_completion},
    {CommandId::Man, run_man},
    {CommandId::SpirvAs, run_spirv_as},
    {CommandId::SpirvDis, run_spirv_dis},
    {CommandId::SpirvVal, run_spirv_val},
    {CommandId::SpirvOpt, run_opt},
    {CommandId::SpirvCfg, run_spirv_cfg},
    {CommandId::SpirvLink, run_link},
};

int run_row(const Invocation& invocation) {
  for (const Dispatch& row : dispatch) {
    if (row.command == invocation.command.id) return row.run(invocation);
  }
  return exit_status::usage;  // not reached: every command has a row
}

// Includes the grammar's revision, which determines the known instructions.
std::string version_text() {
  const spirv::Grammar& grammar = spirv::builtin_grammar();
  return "vireo " + std::string(program_version) + "\nSPIR-V grammar " + std::to_string(grammar.major_version) + '.' +
         std::to_string(grammar.minor_version) + " revision " + std::to_string(grammar.revision) + '\n';
}

// Two lines and no help page, which would scroll the problem off the screen.
int complain(const Streams& streams, std::string_view problem, std::string_view advice) {
  std::string line = "vireo: ";
  append_printable(line, problem);  // an argument may contain escape sequences
  line.append("\ntry '").append(advice) += "'\n";
  DescriptorSink(streams.err).write(line);
  return exit_status::usage;
}

// For a first or last word only: in between, `-h` may be the value of an option.
bool asks_for_help(std::string_view argument) { return argument == "-h" || argument == "--help"; }

int run_compatibility_command(CommandId id, std::span<const std::string_view> arguments, const Streams& streams) {
  const ParseOutcome parsed = parse_compatibility(id, arguments);
  // The reference's message and status, without a prefix: scripts match them.
  if (!parsed.problem.empty()) {
    DescriptorSink(streams.err).write(parsed.problem + '\n');
    return 1;
  }
  // Help and version are about Vireo; everything else behaves like the reference.
  const CommandRow& command = command_row(id);
  if (parsed.wants_usage) {
    print(streams, long_help(command));
    return 1;
  }
  if (parsed.options.has(OptionId::LongHelp)) return print(streams, long_help(command));
  if (parsed.options.has(OptionId::Version)) {
    const std::string_view target = id == CommandId::SpirvDis ? "1.5" : "1.6";  // the reference's default environments
    return print(streams, "vireo " + std::string(program_version) + ", called " + std::string(command.name) +
                              "\nTarget: SPIR-V " + std::string(target) + '\n');
  }
  return run_row({command, parsed.options, streams});
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
    // `vireo grammar --help` prints help; a misspelt command with --help is an error.
    if (found.is_family && arguments.size() > 1 && asks_for_help(arguments[1])) return print(streams, program_help());
    return complain(streams, found.problem, "vireo --help");
  }
  const ParseOutcome parsed = parse_options(found.command->id, arguments.subspan(found.words));
  const Invocation invocation{*found.command, parsed.options, streams};
  // A wrong option takes precedence over a request for help: `vireo as --hlep --help` is an error.
  if (!parsed.problem.empty()) return usage_error(invocation, parsed.problem);
  if (wants_page || parsed.options.has(OptionId::LongHelp)) return print(streams, long_help(*found.command));
  if (parsed.options.has(OptionId::Help)) return print(streams, short_help(*found.command));
  if (parsed.options.has(OptionId::Version)) return print(streams, version_text());
  return run_row(invocation);
}

}  // namespace

int usage_error(const Invocation& invocation, std::string_view problem) {
  const std::string name(invocation.command.name);
  return complain(invocation.streams, name + ": " + std::string(problem), "vireo " + name + " --help");
}

int print(const Streams& streams, std::string_view text) {
  // A full disk or a closed pipe is detected by the flush and becomes the status of the command.
  DescriptorSink out(streams.out);
  out.write(text);
  return out.flush() ? exit_status::fine : exit_status::no_file;
}

int run(std::span<const std::string_view> arguments, const Streams& streams) {
  const std::string_view path = arguments.empty() ? "vireo" : arguments.front();
  // The last component of argv[0]: a link with another name selects another tool.
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 = 0
  const auto rest = arguments.empty() ? arguments : arguments.subspan(1);
  // The only handler of exceptions: components do not throw themselves, but any of them may run out of memory.
  try {
    for (const CommandRow& row : commands()) {
      if (is_compatibility_command(row.id) && row.name == name) return run_compatibility_command(row.id, rest, streams);
    }
    return run_vireo(rest, streams);
  } catch (const std::bad_alloc&) {
    DescriptorSink(streams.err).write("vireo: out of memory\n");
    return exit_status::no_file;
  }
}

}  // namespace vireo::cli
