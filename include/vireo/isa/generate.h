// SPDX-License-Identifier: Apache-2.0
//
// Model → source code: a disassembler for one instruction set, as a single file without dependencies.
//
// The one idea: the generator walks every instruction as the interpreter would, with bits that are not known, and writes down
// what is left to be done. What it writes prints the same text as a Printer, faults, labels and entry points included, and
// needs nothing but the standard library of its language. The same model gives the same bytes.
//
//   Diagnostics diagnostics;
//   if (const auto source = generate_disassembler(model, {.name = "ir3"}, diagnostics)) write_file("ir3.h", *source);
//
// The file is a header: its declarations, and behind `#ifdef IR3_IMPLEMENTATION` all the rest, for one source file of the
// program. docs/isa-tools.md shows its use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/model.h"
#include "vireo/support/api.h"
#include "vireo/support/result.h"

namespace vireo::isa {

/// What the program is written in.
enum class GeneratedLanguage : std::uint8_t {
  Cpp,  ///< C++17 and later; names stand in a namespace
  C,    ///< C11 and later; names have a prefix
};

/// The language, and the names that the program gets.
struct VIREO_API GenerateOptions {
  GeneratedLanguage language = GeneratedLanguage::Cpp;
  /// The namespace or, in C, the prefix without its underscore: an identifier. In C++ it may have several parts, `a::b`.
  std::string name = "isa";
  /// Only these generations; empty: all that there are.
  std::vector<std::uint32_t> gens = {};
  /// As DecodeOptions::mesa_compat, and remarks on a word that two leaves match stand behind the next one that matches.
  bool mesa_compat = false;
};

/// The source. Reported are: a model with errors, a name that is no identifier, and a model that multiplies out to more
/// code than is good for anybody (displays nested in displays).
VIREO_API Result<std::string> generate_disassembler(const Model& model, const GenerateOptions& options,
                                                    Diagnostics& diagnostics);

/// An encoder, in C++: a struct with typed members for each leaf, and a function that makes its word. Reported is, besides,
/// that C was asked for.
VIREO_API Result<std::string> generate_encoder(const Model& model, const GenerateOptions& options,
                                               Diagnostics& diagnostics);

/// A packer: from the user's own structures to words, by the `<encode>` maps of the description. Reported are, besides: a
/// description in which no root of instructions has an encode type, a map that is no expression, and, as warnings, fields
/// that are needed and have no map.
VIREO_API Result<std::string> generate_packer(const Model& model, const GenerateOptions& options,
                                              Diagnostics& diagnostics);

/// An unpacker: from words to the user's own structures, for roots with `<decode/>`, by those maps that can be assigned to.
VIREO_API Result<std::string> generate_unpacker(const Model& model, const GenerateOptions& options,
                                                Diagnostics& diagnostics);

/// A name for generated code from any text, such as the name of a file: what is no letter or digit becomes `_`. A text that
/// is empty, or begins with a digit, gets `isa_` in front.
VIREO_API std::string identifier_from(std::string_view text);

}  // namespace vireo::isa
