// SPDX-License-Identifier: Apache-2.0
//
// Generates source code from a model: a disassembler, an encoder, a packer or an unpacker, each as a single file.
//
// The generator visits every instruction as the Printer does, but with unknown bits, and writes code for
// each step that depends on these bits. The generated disassembler prints the same text as a Printer, including faults,
// labels and entry points. Generated code needs only the standard library of its language. The same model produces the
// same bytes.
//
//   Diagnostics diagnostics;
//   if (const auto source = generate_disassembler(model, {.name = "ir3"}, diagnostics)) write_file("ir3.h", *source);
//
// The file is a header. Its implementation is within `#ifdef IR3_IMPLEMENTATION`; exactly one source file of the
// program must define this macro before it includes the header. docs/isa-tools.md shows the use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/model.h"
#include "vireo/support/api.h"
#include "vireo/support/result.h"

namespace vireo::isa {

/// The language of the generated code.
enum class GeneratedLanguage : std::uint8_t {
  Cpp,  ///< C++17 and later; names are in a namespace
  C,    ///< C11 and later; names have a prefix
};

/// Options of the functions below.
struct VIREO_API GenerateOptions {
  GeneratedLanguage language = GeneratedLanguage::Cpp;
  /// The namespace or, in C, the prefix without its underscore. Must be an identifier; in C++ also `a::b`.
  std::string name = "isa";
  /// Generate code only for these generations; empty: all generations.
  std::vector<std::uint32_t> gens = {};
  /// As DecodeOptions::mesa_compat. In addition, the annotations of a word that two leaves match are printed after the
  /// next word that matches.
  bool mesa_compat = false;
};

/// Generates a disassembler and returns its source code. Errors: the model is not sound, the name is not an identifier,
/// or nested displays would need too much code.
VIREO_API Result<std::string> generate_disassembler(const Model& model, const GenerateOptions& options,
                                                    Diagnostics& diagnostics);

/// Generates an encoder in C++: for each leaf, a struct with typed members and a function that computes its word.
/// Errors: as for generate_disassembler(); the language is C.
VIREO_API Result<std::string> generate_encoder(const Model& model, const GenerateOptions& options,
                                               Diagnostics& diagnostics);

/// Generates a packer: code that computes words from the user's structures, with the `<encode>` maps of the
/// description.
/// Errors: as for generate_disassembler(); no instruction root has an encode type; a map is not an expression. Warns
/// about required fields without a map.
VIREO_API Result<std::string> generate_packer(const Model& model, const GenerateOptions& options,
                                              Diagnostics& diagnostics);

/// Generates an unpacker: code that fills the user's structures from words. It covers the roots with `<decode/>` and
/// the maps that are assignable. Errors: as for generate_packer(); no instruction root has `<decode/>` and an encode
/// type.
VIREO_API Result<std::string> generate_unpacker(const Model& model, const GenerateOptions& options,
                                                Diagnostics& diagnostics);

/// Converts any text, such as a file name, to an identifier: characters other than letters and digits become `_`. If
/// the text is empty or begins with a digit, prepends `isa_`.
VIREO_API std::string identifier_from(std::string_view text);

}  // namespace vireo::isa
