// SPDX-License-Identifier: Apache-2.0
//
// Descriptors of commands, their arguments, and their exit statuses.
//
// A command is a constant in its own file: its texts, its options, and a function from an Invocation to an
// exit status. The function reads and writes through the given descriptors and uses no other state of the process, so
// tests can call it.
//
// To add a command, define its Command and add its name to all_commands.h. The function reports through a Reporter
// (report.h), reads a grammar that the user chose with ChosenGrammar (module/module_options.h) and converts many inputs
// with run_batch (batch.h).
#pragma once

#include <string>
#include <string_view>

#include "cli/common/option.h"

namespace vireo::cli {

/// Open descriptors, owned by the caller.
struct Streams {
  int in = 0;
  int out = 1;
  int err = 2;
};

/// Whether a command has the name and the behaviour of a reference program, and how it reads its arguments.
enum class Imitation : std::uint8_t {
  None,
  Program,    // each flag once; the messages of spirv-as and its like
  Validator,  // the syntax of spirv-val
  Optimizer,  // flags may be repeated: each one applies its pass once more
};

struct Invocation;

/// What sets a command apart from others.
struct CommandTraits {
  Imitation imitation = Imitation::None;
  std::string_view target = "1.6";  ///< the version of SPIR-V that an imitated program prints
  std::string_view words = {};      ///< its operands are names: those of `vireo completion --words=KIND`
  bool only_reports = false;        ///< has no output but diagnostics
  bool compares = false;            ///< its exit statuses are those of diff
  std::string_view lacks = {};      ///< what an unknown option may be, and where to find it
};

/// The texts are those of help pages.
struct Command {
  std::string_view name;      ///< one word or two: "as", "grammar check"
  std::string_view operands;  ///< operands in the usage line
  std::string_view summary;   ///< one line
  std::string_view details;   ///< paragraphs, for --help and the man page
  std::string_view examples;  ///< one command per line; may be empty
  std::string_view files;     ///< extensions of its input files, for completion, separated by '|'; empty = any
  OptionSpan options;
  int (*run)(const Invocation&);
  CommandTraits traits;

  constexpr Command(std::string_view own_name, std::string_view own_operands, std::string_view own_summary,
                    std::string_view own_details, std::string_view own_examples, std::string_view own_files,
                    OptionSpan own_options, int (*own_run)(const Invocation&), CommandTraits own_traits = {})
      : name(own_name),
        operands(own_operands),
        summary(own_summary),
        details(own_details),
        examples(own_examples),
        files(own_files),
        options(own_options),
        run(own_run),
        traits(own_traits) {}

  /// "grammar" for "grammar check". A command of one word is its own family.
  [[nodiscard]] constexpr std::string_view family() const { return name.substr(0, name.find(' ')); }
  /// "check" for "grammar check"; empty for a command of one word.
  [[nodiscard]] constexpr std::string_view verb() const {
    return name.size() == family().size() ? std::string_view() : name.substr(family().size() + 1);
  }
  [[nodiscard]] constexpr bool is_imitation() const { return traits.imitation != Imitation::None; }
};

/// The operands of a command that converts any number of inputs.
inline constexpr std::string_view any_inputs = "[FILE|DIR|@LIST|-]...";

struct Invocation {
  const Command& command;
  const ParsedOptions& options;
  const Streams& streams;

  [[nodiscard]] const std::vector<std::string>& operands() const { return options.operands(); }
};

/// Exit statuses; scripts rely on them. If several apply, the highest counts.
namespace exit_status {
inline constexpr int fine = 0;
inline constexpr int wrong_input = 1;  ///< diagnostics were printed
inline constexpr int usage = 2;
inline constexpr int no_file = 3;  ///< something cannot be read or written
}  // namespace exit_status

/// Prints a problem of the command line to standard error, and how to get help; returns exit_status::usage.
int usage_problem(const Streams& streams, std::string_view problem, std::string_view advice);
/// The same for a problem of a command.
int usage_error(const Invocation& invocation, std::string_view problem);

/// Writes text to standard output; returns exit_status::fine, or no_file if that fails.
int print(const Streams& streams, std::string_view text);

}  // namespace vireo::cli
