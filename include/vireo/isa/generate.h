// SPDX-License-Identifier: Apache-2.0
//
// Model → source code: a disassembler for one instruction set, as a single file without dependencies.
//
// The one idea: the generator walks every instruction as the interpreter does, but with unknown bits, and writes the
// code for everything that depends on them. The generated code prints the same text as a Printer, including faults,
// labels and entry points, and needs only the standard library of its language. The same model gives the same bytes.
//
//   Diagnostics diagnostics;
//   if (const auto source = generate_disassembler(model, {.name = "ir3"}, diagnostics)) write_file("ir3.h", *source);
//
// The file is a header with declarations. The implementation is within `#ifdef IR3_IMPLEMENTATION`, which one source
// file of the program defines. docs/isa-tools.md shows its use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/model.h"
#include "vireo/support/api.h"
#include "vireo/support/result.h"

namespace vireo::isa {

/// The language of the generated program.
enum class GeneratedLanguage : std::uint8_t {
  Cpp,  ///< C++17 and later; names are in a namespace
  C,    ///< C11 and later; names have a prefix
};

/// Options for generating.
struct VIREO_API GenerateOptions {
  GeneratedLanguage language = GeneratedLanguage::Cpp;
  /// The namespace or, in C, the prefix without its underscore: an identifier. In C++ it may have several parts, `a::b`.
  std::string name = "isa";
  /// Only these generations; empty: all.
  std::vector<std::uint32_t> gens = {};
  /// As DecodeOptions::mesa_compat. In addition, the annotations of a word that two leaves match follow the next word
  /// that matches.
  bool mesa_compat = false;
};

/// Generates a disassembler. Reports an error if the model has errors, if the name is no identifier, or if nested
/// displays would need too much code.
VIREO_API Result<std::string> generate_disassembler(const Model& model, const GenerateOptions& options,
                                                    Diagnostics& diagnostics);

/// Generates an encoder in C++: for each leaf, a struct with typed members and a function that makes its word. Also
/// reports an error if the language is C.
VIREO_API Result<std::string> generate_encoder(const Model& model, const GenerateOptions& options,
                                               Diagnostics& diagnostics);

/// Generates a packer: from the user's structures to words, with the `<encode>` maps of the description. Also reports
/// an error if no instruction root has an encode type, or if a map is not an expression; warns about required fields
/// without a map.
VIREO_API Result<std::string> generate_packer(const Model& model, const GenerateOptions& options,
                                              Diagnostics& diagnostics);

/// Generates an unpacker: from words to the user's structures, for roots with `<decode/>`, with the maps that are
/// assignable.
VIREO_API Result<std::string> generate_unpacker(const Model& model, const GenerateOptions& options,
                                                Diagnostics& diagnostics);

/// Makes an identifier from any text, such as a file name: characters other than letters and digits become `_`.
/// Prepends `isa_` if the text is empty or begins with a digit.
VIREO_API std::string identifier_from(std::string_view text);

}  // namespace vireo::isa
