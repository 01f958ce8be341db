// SPDX-License-Identifier: Apache-2.0
//
// What the commands of `vireo isa` read: a description, words as bytes or hexadecimal lines, the texts of custom fields.
//
// The one idea: each function reports what is wrong through the command's Reporter and gives nothing then, so that a
// command says `if (!open) return status;` and goes on with what is sound.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cli/common/commands.h"
#include "cli/common/inputs.h"
#include "cli/common/report.h"
#include "support/io.h"
#include "vireo/isa/custom_names.h"
#include "vireo/isa/isa.h"

namespace vireo::cli {

/// Loads a description as --mesa-compat says, with the positions of all it was read from. `-` is standard input; what it
/// imports is looked for in the working directory.
isa::LoadedModel load_description(const Invocation& invocation, std::string_view path);

/// Loads a description and reports its errors; warnings are for `isa check`. `status` is set when there is no model. For
/// commands that look at the description alone, whatever the generation.
std::optional<isa::Model> load_spec(const Invocation& invocation, std::string_view path, Reporter& reporter,
                                    int& status);

/// The operand behind the description: what is read by means of it. Without one it is standard input.
std::string_view second_input(const Invocation& invocation);

/// The bytes of a file that is a text: a byte order mark in front is no part of it.
std::string_view text_of(const FileBytes& bytes);

/// The number behind --gen.
std::uint32_t generation_of(const ParsedOptions& options);
/// What --floats chooses.
isa::FloatStyle float_style_of(const ParsedOptions& options);

/// A description in one generation, ready for words and texts. It stays where it was made: the decoder points into the
/// model.
struct OpenDescription {
  OpenDescription(isa::Model loaded, isa::DecodeOptions options)
      : model(std::move(loaded)), decoder(model, options), names(model) {}
  OpenDescription(const OpenDescription&) = delete;
  OpenDescription& operator=(const OpenDescription&) = delete;

  const isa::Model model;
  const isa::Decoder decoder;
  isa::CustomNames names;  ///< those of the description, and before them the files of --names
};

/// What the first operand, --gen, --mesa-compat and --names say. Null: something is wrong with one of them, which has been
/// reported, and `status` says what. A description beyond the bounds of what is compiled (load.h) is wrong, too.
std::unique_ptr<OpenDescription> open_description(const Invocation& invocation, Reporter& reporter, int& status);

/// Operands as a text, a line each: what diagnostics point into.
std::string lines_of(std::span<const std::string> operands);

/// Takes the first line off a text, without its end: LF or CR LF.
std::string_view next_line(std::string_view& text);
std::string_view without_blanks(std::string_view text);

/// The size of a hexadecimal line's instruction: that of all, or what its digits say where sizes differ.
std::uint32_t bits_of_line(const isa::Model& model, std::string_view line);

/// Lines of hexadecimal → the bytes of a program. Lines that are none are reported and left out.
std::string bytes_of_hex(const isa::Model& model, std::string_view text, Diagnostics& diagnostics);

}  // namespace vireo::cli
