// SPDX-License-Identifier: Apache-2.0
//
// The row type of the tables strip_parts, trim_parts, clean_parts and link_options, which are in strip.h, trim.h, clean.h
// and link.h. The command line and the C interface are derived from these tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vireo/support/cpp20.h"

namespace vireo::spirv {

/// A part of a transform that users can select.
template <typename Options>
struct TransformPart {
  std::string_view name;                   ///< "functions", for `vireo clean --functions`
  std::string_view meaning;                ///< "remove unused variables"
  std::string_view details;                ///< further sentences; often empty
  std::uint32_t flag;                      ///< its bit in a set of parts, as in the C interface
  bool Options::*option;                   ///< selects it
  bool Options::*second_option = nullptr;  ///< selects it as well
  bool is_modifier = false;                ///< extends the other parts; removes nothing alone
};

/// The options with exactly these parts; none if a flag is unknown. Options that no part has keep their defaults.
template <typename Options, std::size_t N>
constexpr std::optional<Options> select_parts(const TransformPart<Options> (&parts)[N], std::uint32_t flags) {
  Options options;
  for (const TransformPart<Options>& part : parts) {
    const bool is_selected = (flags & part.flag) != 0;
    options.*part.option = is_selected;
    if (part.second_option != nullptr) options.*part.second_option = is_selected;
    flags &= ~part.flag;
  }
  return flags == 0 ? std::optional(options) : std::nullopt;
}

}  // namespace vireo::spirv
