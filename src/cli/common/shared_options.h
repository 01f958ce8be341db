// SPDX-License-Identifier: Apache-2.0
//
// Options of several commands, and groups of them. A command with another text for an option has a variant in its file.
#pragma once

#include "cli/common/option.h"

namespace vireo::cli {

// --- help -----------------------------------------------------------------------------------------------------------

inline constexpr Flag help_option("-h", "short help");
inline constexpr Flag long_help_option("--help", "long help");
inline constexpr Flag version_option("--version", "print the version of the program and of its grammar");

inline constexpr auto help_options = option_list(help_option, long_help_option, version_option);

/// Of the programs that are called by the name of a reference program.
inline constexpr Flag reference_help_option("-h, --help", "print this help", "", {.variant_of = &long_help_option});
inline constexpr auto reference_help_options = option_list(reference_help_option, version_option);

// --- diagnostics ------------------------------------------------------------------------------------------------------

inline constexpr ChoiceOption format_option(
    "--format=FORM", "human|short|json|sarif|github", "format of the diagnostics (human)",
    "json is one record per line, sarif is one SARIF 2.1.0 document, github is workflow commands. Diagnostics go to "
    "standard error; those for machines go to standard output if the command has no other output.");
inline constexpr ChoiceOption diagnostics_format_option("--diagnostics-format=FORM", "human|short|json|sarif|github",
                                                        "format of the diagnostics; overrides --format");
inline constexpr CountOption max_errors_option("--max-errors=N",
                                               "keep at most N errors per input, and as many warnings (1000)",
                                               "0 means no limit.");
inline constexpr Option color_option(
    ValueKind::OptionalChoice, "--color=WHEN", "always|auto|never", "colour: always, auto, never (auto)",
    "auto colours what goes to a terminal; NO_COLOR switches it off, CLICOLOR_FORCE on. --color alone means always.",
    {});
inline constexpr Flag no_color_option("--no-color", "the same as --color=never");

/// The options of commands that report diagnostics, except for --format.
inline constexpr auto reporting_options =
    option_list(diagnostics_format_option, max_errors_option, color_option, no_color_option, help_options);
inline constexpr auto format_and_reporting_options = option_list(format_option, reporting_options);

/// --format of a command whose output has formats too.
constexpr Option format_with(std::string_view choices, std::string_view summary, std::string_view details) {
  return ChoiceOption("--format=FORM", choices, summary, details, {.variant_of = &format_option});
}
/// For commands whose output is a list of changes.
inline constexpr Option format_of_changes_option =
    format_option.with("format of the changes and of the diagnostics (human)",
                       "json is one record per line; changes are written to standard output. The other formats apply "
                       "to diagnostics, which go to standard error; changes are then lines of text.");

inline constexpr Flag reference_color_option("--color", "print in colour; the default on a terminal", "",
                                             {.variant_of = &color_option});
inline constexpr Option reference_no_color_option = no_color_option.with("print without colour, even with --color");
inline constexpr auto reference_color_options = option_list(reference_color_option, reference_no_color_option);

// --- inputs and outputs ---------------------------------------------------------------------------------------------

inline constexpr TextOption output_option(
    "-o, --output=FILE", "write to FILE; '-' is standard output",
    "FILE is written only when the output is complete; after an error it is left unchanged.");
inline constexpr TextOption out_dir_option(
    "--out-dir=DIR", "write DIR/<stem>.spv, .spvasm, .json or the like",
    "DIR is created if it is missing. The folders of an input directory are recreated below DIR. Two inputs with the "
    "same output are a usage error.");
inline constexpr CountOption jobs_option("-j, --jobs=N", "process N inputs in parallel (all processors)",
                                         "The output is in the order of the inputs. 0 means all processors.");
inline constexpr Flag force_option("-f, --force", "write a binary even to a terminal");
inline constexpr Flag text_option("--text", "write assembly text", "Also if the name of the output ends in .spvasm.");
inline constexpr TextOption reference_output_option("-o FILE", "write to FILE; '-' is standard output", "",
                                                    {.variant_of = &output_option});
inline constexpr TextOption grammar_option(
    "--grammar=FILE", "add or replace grammar from Khronos JSON; may be repeated",
    "A complete core grammar replaces the built-in one. Other documents are added to it: instructions, enumerants, "
    "extended instruction sets. '-' is standard input.",
    {.file_purpose = "the grammar"});

inline constexpr std::string_view environment_names =
    "vulkan1.0|vulkan1.1spv1.4|vulkan1.1|vulkan1.2|vulkan1.3|vulkan1.4|"
    "spv1.0|spv1.1|spv1.2|spv1.3|spv1.4|spv1.5|spv1.6|"
    "opencl1.2embedded|opencl1.2|opencl2.0embedded|opencl2.0|opencl2.1embedded|opencl2.1|opencl2.2embedded|opencl2.2|"
    "opengl4.0|opengl4.1|opengl4.2|opengl4.3|opengl4.5";
/// The assembler's. Other commands have variants of --target-env.
inline constexpr TextOption target_env_option("--target-env=ENV", "assemble for an environment",
                                              "The header states the newest version that the environment accepts. "
                                              "Default: the version in the text's header comment, else 1.6.",
                                              {.suggestions = environment_names});
inline constexpr Flag preserve_numeric_ids_option("--preserve-numeric-ids", "%42 becomes id 42",
                                                  "All other names get the lowest free ids.");

}  // namespace vireo::cli
