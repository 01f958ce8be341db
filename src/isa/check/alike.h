// SPDX-License-Identifier: Apache-2.0
//
// Two words with the same text: where they differ, and whether the description determines which of them the assembler
// chooses.
#pragma once

#include <optional>

#include "isa/check/subject.h"
#include "vireo/isa/decode.h"

namespace vireo::isa {

/// Two words that print the same text, and their decoded forms.
struct AlikeWords {
  const Bits& first;
  const Bits& second;
  const Decoded& first_decoded;
  const Decoded& second_decoded;
};

/// Returns the outermost scope whose leaf or shown case differs; none if only the values of fields differ.
std::optional<std::size_t> first_difference(const AlikeWords& words);

/// Returns whether the description determines which of the two words the assembler chooses. It does if their assembly
/// marks differ, or if they differ only in fields with a default. `scope` is the first difference.
bool is_disambiguated(const Model& model, const AlikeWords& words, std::size_t scope);

/// Reports the difference in a scope, with the two words as evidence.
void report_alike(Subject& subject, std::string_view rule, const AlikeWords& words, std::size_t scope,
                  std::string_view text);

}  // namespace vireo::isa
