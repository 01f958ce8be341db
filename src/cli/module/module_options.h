// SPDX-License-Identifier: Apache-2.0
//
// Options of several commands on modules: the grammar, the target environment, the style of a disassembly.
#pragma once

#include <list>
#include <optional>
#include <string>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/grammar/grammar_loader.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::cli {

/// The built-in grammar with the user's files on top, in order. Must outlive its users.
class ChosenGrammar {
 public:
  /// Loads the files of --grammar; `-` is standard input, unless it is used for another input. Returns the exit status:
  /// fine, or wrong_input, usage or no_file after an error, which is reported.
  int load(const Invocation& invocation, Reporter& reporter);

  [[nodiscard]] const spirv::Grammar& grammar() const {
    return layers_.empty() ? spirv::builtin_grammar() : layers_.back().grammar();
  }

 private:
  std::list<spirv::GrammarData> layers_;  // each on top of the one before it
};

/// The environment of --target-env.
struct ChosenEnvironment {
  std::optional<spirv::Environment> environment = {};  ///< none: the user named none
  std::string problem = {};                            ///< not empty: there is no such environment

  /// Its version, for the assembler; none: the version in the text.
  [[nodiscard]] spirv::Version version() const { return environment ? environment->version : spirv::Version::none(); }
};
ChosenEnvironment environment_of_target(const ParsedOptions& options);

// The style of `vireo dis`; `spirv-dis` has most of these options too.
inline constexpr Flag raw_id_option("--raw-id", "show ids as numbers, not as friendly names");
inline constexpr Flag show_ids_option("--show-ids", "show the number beside a friendly name");
inline constexpr Flag no_indent_option("--no-indent", "do not indent instructions");
inline constexpr Flag no_header_option("--no-header", "omit the header comments",
                                       "The text then does not state its version.");
inline constexpr Flag nested_indent_option("--nested-indent", "indent by the nesting of structured control flow");
inline constexpr Flag reorder_blocks_option("--reorder-blocks", "print blocks in structured order",
                                            "The order of instructions is then no longer that of the module.");
inline constexpr Flag offsets_option("--offsets", "comment each instruction with its byte offset");
inline constexpr Flag comment_option("--comment", "add section headings and comments");
inline constexpr Flag annotate_option("--annotate", "explain types, constants and control flow in comments");
inline constexpr Flag handle_unknown_opcodes_option("--handle-unknown-opcodes", "print unknown opcodes as OpUnknown",
                                                    "Otherwise they are errors. The text can be assembled again; the "
                                                    "bound may be wrong if an unknown instruction has a result.");
inline constexpr Flag safe_strings_option(
    "--safe-strings", "escape control bytes in strings",
    "For terminals: strings then cannot send escape sequences. Such a string does not assemble to the same bytes.");

/// The style as far as it depends on the options alone. Colour also depends on the output, so the command sets it. An
/// option that a command does not have counts as absent.
spirv::DisassembleOptions style_of(const ParsedOptions& options);

}  // namespace vireo::cli
