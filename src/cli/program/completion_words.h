// SPDX-License-Identifier: Apache-2.0
//
// The words that completion scripts offer for operands and values: `vireo completion --words=KIND` prints them.
//
// The one idea: a script calls the program for long lists, so that the lists are those of the installed version, and the
// scripts stay short.
#pragma once

#include <string>
#include <string_view>

namespace vireo::cli {

/// The words of a kind, sorted, one per line: "names" (all that `vireo explain` explains), "rules" (for `val --rule`),
/// "sections" and "vuids" (for `vireo rules`). Empty for another kind.
std::string completion_words(std::string_view kind);

}  // namespace vireo::cli
