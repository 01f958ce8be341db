// SPDX-License-Identifier: Apache-2.0
//
// Options that are derived from tables of the library.
//
// The library names the parts of its transforms and describes them, so a new part is a row there, and an
// option here without further code.
#pragma once

#include <array>
#include <cstddef>

#include "cli/common/option.h"
#include "vireo/spirv/transform/parts.h"

namespace vireo::cli {

/// A flag for each row of a table with names and texts.
template <typename Row, std::size_t N>
constexpr std::array<Option, N> options_of(const Row (&rows)[N]) {
  std::array<Option, N> options;
  for (std::size_t i = 0; i < N; ++i) {
    options[i].name = rows[i].name;
    options[i].summary = rows[i].meaning;
    options[i].details = rows[i].details;
  }
  return options;
}

/// The option with a name. A wrong name does not compile.
template <std::size_t N>
consteval const Option& named(const std::array<Option, N>& options, std::string_view name) {
  for (const Option& option : options) {
    if (option.name == name) return option;
  }
  throw "no such option";
}

/// The options of a transform with the parts that were given; without any, the defaults and the given modifiers.
template <typename Options, std::size_t N>
Options chosen_parts(const ParsedOptions& given, const std::array<Option, N>& options,
                     const spirv::TransformPart<Options> (&parts)[N]) {
  std::uint32_t flags = 0;
  Options chosen;
  bool has_part = false;
  for (std::size_t i = 0; i < N; ++i) {
    if (!given.has(options[i])) continue;
    flags |= parts[i].flag;
    chosen.*parts[i].option = true;
    has_part |= !parts[i].is_modifier;
  }
  return has_part ? spirv::select_parts(parts, flags).value() : chosen;
}

}  // namespace vireo::cli
