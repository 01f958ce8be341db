// SPDX-License-Identifier: Apache-2.0
//
// The frame of a generated header, and the spelling of its names.
//
// The one idea: what a generator makes is two texts, what callers see and what one source file of the program holds. The
// frame is the same around all of them: guards, includes, the namespace or, in C, the prefix that stands for `@`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/isa/generate.h"

namespace vireo::isa::generate {

/// A character of a user's own text that stands for `@` until names are spelled: theirs is no prefix of ours.
inline constexpr char users_at_sign = '\x01';
/// Faults of one instruction that a packer's or an encoder's report keeps; it is a value, and so has to be small.
inline constexpr std::uint32_t fault_room = 8;

struct HeaderParts {
  std::string title;           ///< "A disassembler"
  std::string note;            ///< more lines of the first comment; empty, or ended by a line break
  std::string cpp_includes;    ///< lines that the interface needs in C++
  std::string before;          ///< stands outside of the namespace
  std::string interface;       ///< for everybody
  std::string implementation;  ///< for one source file
};

/// The header, with all names spelled.
std::string header_text(const GenerateOptions& options, const HeaderParts& parts);

/// `ir3` → "IR3", the beginning of all macros.
std::string macro_name(const GenerateOptions& options);
/// `a::b` → "a_b": the beginning of names that stand outside of the namespace.
std::string flat_name(const GenerateOptions& options);

/// A number that the generated code knows by name. C++ has constants with a type; in C only enumerators are constant.
std::string constant_text(const GenerateOptions& options, std::string_view name, std::uint64_t value);

void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Reports a model with errors, and a name that is none: nothing is to be made then.
std::optional<Reported> refusal(const Model& model, const GenerateOptions& options, Diagnostics& diagnostics);
/// Said when a description multiplies out to more code than is good for anybody.
Reported too_large(Diagnostics& diagnostics);

}  // namespace vireo::isa::generate
