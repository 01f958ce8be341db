// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a command, and the functions that implement the commands.
//
// The one idea: a command is a function from an Invocation to an exit status. It reads and writes through the given
// descriptors and uses no other state of the process, so tests can call it.
//
// To add a command: see the head of options.h. The function reports through a Reporter (report.h), reads a grammar that
// the user chose with ChosenGrammar (grammar_option.h) and converts many inputs with run_batch (batch.h).
#pragma once

#include <string>
#include <string_view>

#include "cli/common/options.h"

namespace vireo::cli {

/// Open descriptors, owned by the caller.
struct Streams {
  int in = 0;
  int out = 1;
  int err = 2;
};

struct Invocation {
  const CommandRow& command;
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

/// Prints a usage error to standard error; returns exit_status::usage.
int usage_error(const Invocation& invocation, std::string_view problem);

/// Writes text to standard output; returns exit_status::fine, or no_file if that fails.
int print(const Streams& streams, std::string_view text);

// spirv_commands.cpp
int run_as(const Invocation& invocation);
int run_dis(const Invocation& invocation);

// val/val_command.cpp
int run_val(const Invocation& invocation);

// transform_command.cpp
int run_strip(const Invocation& invocation);
int run_trim(const Invocation& invocation);
int run_clean(const Invocation& invocation);
int run_specialize(const Invocation& invocation);
int run_reflect(const Invocation& invocation);
int run_opt(const Invocation& invocation);

// shrink/shrink_command.cpp
int run_shrink(const Invocation& invocation);

// link_command.cpp: vireo link and spirv-link.
int run_link(const Invocation& invocation);

// inspect/info_command.cpp
int run_info(const Invocation& invocation);
// inspect/graph_commands.cpp
int run_cfg(const Invocation& invocation);
int run_callgraph(const Invocation& invocation);
// inspect/diff_command.cpp
int run_diff(const Invocation& invocation);
int run_spirv_diff(const Invocation& invocation);

// compatibility.cpp: spirv-as and spirv-dis. The options are those of parse_compatibility().
int run_spirv_as(const Invocation& invocation);
int run_spirv_dis(const Invocation& invocation);
int run_spirv_cfg(const Invocation& invocation);

// val/val_compatibility.cpp: spirv-val.
int run_spirv_val(const Invocation& invocation);

// grammar_commands.cpp. `invocation.command.id` distinguishes GrammarCheck from GrammarDiff; the operands are those
// after the verb.
int run_explain(const Invocation& invocation);
int run_rules(const Invocation& invocation);
int run_grammar(const Invocation& invocation);

// isa_*_command.cpp
int run_isa_check(const Invocation& invocation);
int run_isa_dis(const Invocation& invocation);
int run_isa_explain(const Invocation& invocation);
int run_isa_doc(const Invocation& invocation);
int run_isa_generate(const Invocation& invocation);
int run_isa_diff(const Invocation& invocation);
int run_isa_as(const Invocation& invocation);
int run_isa_encode(const Invocation& invocation);
int run_isa_vectors(const Invocation& invocation);

}  // namespace vireo::cli
