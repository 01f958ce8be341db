// SPDX-License-Identifier: Apache-2.0
//
// The frame of a generated header, and the expansion of its names.
//
// Each generator produces two texts, the interface for callers, and the implementation for one source
// file of the program. The frame is the same for all generators: guards, includes, and the namespace or, in C, the
// prefix for `@`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/isa/generate.h"

namespace vireo::isa::generate {

/// Represents an `@` of the user's text until prefixes are expanded, so that this `@` is preserved.
inline constexpr char users_at_sign = '\x01';
/// The maximum number of faults in a report of a packer or encoder. It is small, because reports are copied by value.
inline constexpr std::uint32_t fault_room = 8;

struct HeaderParts {
  std::string title;           ///< "A disassembler"
  std::string note;            ///< further lines of the first comment; empty, or ends with a line break
  std::string cpp_includes;    ///< lines that the interface needs in C++
  std::string before;          ///< precedes the namespace
  std::string interface;       ///< for all callers
  std::string implementation;  ///< for one source file
};

/// The header, with all names expanded.
std::string header_text(const GenerateOptions& options, const HeaderParts& parts);

/// `ir3` → "IR3", the prefix of all macros.
std::string macro_name(const GenerateOptions& options);
/// `a::b` → "a_b": the prefix of names outside of the namespace.
std::string flat_name(const GenerateOptions& options);

/// A named constant of the generated code. C++ has typed constants; in C only enumerators are constant expressions.
std::string constant_text(const GenerateOptions& options, std::string_view name, std::uint64_t value);

void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Reports an error if the model has errors or the name of the generated code is invalid.
std::optional<Reported> refusal(const Model& model, const GenerateOptions& options, Diagnostics& diagnostics);
/// Reports that the code of a description would be too large.
Reported too_large(Diagnostics& diagnostics);

}  // namespace vireo::isa::generate
