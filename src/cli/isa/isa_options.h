// SPDX-License-Identifier: Apache-2.0
//
// Options of several `vireo isa` commands.
#pragma once

#include "cli/common/shared_options.h"

namespace vireo::cli {

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

}  // namespace vireo::cli
