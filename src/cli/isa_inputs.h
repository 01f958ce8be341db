// SPDX-License-Identifier: Apache-2.0
//
// What the commands of `vireo isa` read: a description, words as bytes or hexadecimal lines, the texts of custom fields.
//
// The one idea: each function reports what is wrong through the command's Reporter and gives nothing then, so that a
// command says `if (!model) return status;` and goes on with what is sound.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/report.h"
#include "support/io.h"
#include "vireo/isa/custom_names.h"
#include "vireo/isa/isa.h"

namespace vireo::cli {

/// Loads a description as --mesa-compat says, with the positions of all it was read from.
isa::LoadedModel load_description(const Invocation& invocation, std::string_view path);

/// Loads a description and reports its errors; warnings are for `isa check`. `status` is set when there is no model.
std::optional<isa::Model> load_spec(const Invocation& invocation, std::string_view path, Reporter& reporter,
                                    int& status);

/// Reads a file, or standard input for "-", and reports what hinders it.
std::optional<FileBytes> read_input(const Invocation& invocation, std::string_view path, Reporter& reporter);

/// The number behind --gen.
std::uint32_t generation_of(const ParsedOptions& options);

/// The decoder for the generation behind --gen. A description beyond the bounds of what is compiled (load.h) has none: that
/// is reported, and `status` set. The model must outlive it.
std::optional<isa::Decoder> make_decoder(const Invocation& invocation, const isa::Model& model, Reporter& reporter,
                                         int& status);

/// Operands as a text, a line each: what diagnostics point into.
std::string lines_of(std::span<const std::string> operands);

/// Takes the first line off a text, without its end: LF or CR LF.
std::string_view next_line(std::string_view& text);
std::string_view without_blanks(std::string_view text);

/// The size of a hexadecimal line's instruction: that of all, or what its digits say where sizes differ.
std::uint32_t bits_of_line(const isa::Model& model, std::string_view line);

/// Lines of hexadecimal → the bytes of a program. Lines that are none are reported and left out.
std::string bytes_of_hex(const isa::Model& model, std::string_view text, Diagnostics& diagnostics);

/// Adds the files of --names, if there are any. False: something is wrong with it, and `status` says what.
bool load_names(const Invocation& invocation, Reporter& reporter, isa::CustomNames& names, int& status);

}  // namespace vireo::cli
