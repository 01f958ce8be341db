// SPDX-License-Identifier: Apache-2.0
//
// Options and inputs of the `vireo isa` commands: a description, words as bytes or hexadecimal lines, the names of
// custom fields.
//
// Each function reports faults through the command's Reporter and then returns nothing. A command only
// needs `if (!open) return status;`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cli/common/all_commands.h"
#include "cli/common/inputs.h"
#include "cli/common/output.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "support/io.h"
#include "vireo/isa/custom_names.h"
#include "vireo/isa/isa.h"

namespace vireo::cli {

// --- options ----------------------------------------------------------------------------------------------------------

inline constexpr CountOption gen_option(
    "--gen=N", "generation of the instruction set (0)",
    "The number used by the gen elements of the description: 600 for ir3, 7 for afuc.");
inline constexpr Flag mesa_compat_option("--mesa-compat", "accept what Mesa's tools accept, and follow their quirks");
inline constexpr TextOption names_option(
    "--names=FILE", "texts of custom fields: lines KIND<TAB>VALUE<TAB>NAME",
    "A row applies to the fields whose names begin with its kind, ignoring case. A value without a row is printed as "
    "0x%03x. May be repeated: the first row for a value counts.");
inline constexpr ChoiceOption floats_option(
    "--floats=STYLE", "fixed|roundtrip", "format of floats (fixed)",
    "fixed prints six decimals; roundtrip prints as many as are needed to read the same value back.");
inline constexpr Flag hex_option(
    "--hex", "one instruction per line, as one hexadecimal number",
    "The most significant digit comes first. Without --hex, words are little-endian bytes.");
inline constexpr Flag each_option(
    "--each", "process every line, or instruction, separately",
    "Each produces exactly one line and is treated as the first of its program; an invalid one produces 'error: …'.");

/// The last options of a command with one output.
inline constexpr auto isa_output_options = option_list(output_option, format_and_reporting_options);

// --- inputs -----------------------------------------------------------------------------------------------------------

/// Loads a description, honouring --mesa-compat, with the locations of all its elements. `-` is standard input; its
/// imports are searched in the working directory.
isa::LoadedModel load_description(const Invocation& invocation, std::string_view path);

/// Loads a description and reports its errors; only `isa check` reports warnings. Sets `status` if there is no model.
/// For commands that need the description but no decoder.
std::optional<isa::Model> load_spec(const Invocation& invocation, std::string_view path, Reporter& reporter,
                                    int& status);

/// The operand after the description: the input. The default is standard input.
std::string_view second_input(const Invocation& invocation);

/// The problem of the operands of a command that takes a description and an input; empty if there is none.
std::string_view problem_of_two_inputs(const Invocation& invocation);

/// The text of a file without its byte order mark.
std::string_view text_of(const FileBytes& bytes);

/// The number of --gen.
std::uint32_t generation_of(const ParsedOptions& options);
/// The style of --floats.
isa::FloatStyle float_style_of(const ParsedOptions& options);

/// A description in one generation, with its decoder. Cannot be moved: the decoder points into the model.
struct OpenDescription {
  OpenDescription(isa::Model loaded, isa::DecodeOptions options)
      : model(std::move(loaded)), decoder(model, options), names(model) {}
  OpenDescription(const OpenDescription&) = delete;
  OpenDescription& operator=(const OpenDescription&) = delete;

  const isa::Model model;
  const isa::Decoder decoder;
  isa::CustomNames names;  ///< those of the --names files, then those of the description
};

/// Opens the description that the first operand, --gen, --mesa-compat and --names select. Returns null after an error,
/// which is reported, and sets `status`. A description that exceeds the limits (load.h) is an error too.
std::unique_ptr<OpenDescription> open_description(const Invocation& invocation, Reporter& reporter, int& status);

/// What a command that needs a decoder works with.
struct DecoderRun {
  OpenDescription& open;
  const FileBytes& input;  ///< empty if the operands are values
  TextSink& output;
  Diagnostics& diagnostics;  ///< located in the text of the input, or in the operands with one line each
};

/// The frame of such a command: opens the description, reads the input unless the operands after the description are
/// values, calls `write`, and ends the output. Reports everything, and returns the exit status.
int run_with_decoder(const Invocation& invocation, bool has_input, const std::function<void(DecoderRun&)>& write);

/// Removes the first line from a text and returns it without its end, LF or CR LF.
std::string_view next_line(std::string_view& text);
std::string_view without_blanks(std::string_view text);

/// The size in bits of the instruction in a hexadecimal line: the common size or, if sizes differ, four bits per digit.
std::uint32_t bits_of_line(const isa::Model& model, std::string_view line);

/// Converts hexadecimal lines to the bytes of a program. Invalid lines are reported and skipped.
std::string bytes_of_hex(const isa::Model& model, std::string_view text, Diagnostics& diagnostics);

}  // namespace vireo::cli
