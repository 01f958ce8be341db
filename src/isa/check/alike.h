// SPDX-License-Identifier: Apache-2.0
//
// Two words with one text: what they differ in, and whether the author has said which is meant.
#pragma once

#include <optional>

#include "isa/check/subject.h"
#include "vireo/isa/decode.h"

namespace vireo::isa {

/// Two words that print the same, and what they were decoded to.
struct AlikeWords {
  const Bits& first;
  const Bits& second;
  const Decoded& first_decoded;
  const Decoded& second_decoded;
};

/// The first scope, going inwards, in which the leaf or the case that is shown differs. None: they differ in bits alone.
std::optional<std::size_t> first_difference(const AlikeWords& words);

/// Whether the author has said which of the two is meant: one is marked, or they differ in what has a default. `scope` is
/// the first difference.
bool is_settled(const Model& model, const AlikeWords& words, std::size_t scope);

/// Reports what differs in a scope, if it was not reported before, with the words as proof.
void report_alike(Subject& subject, std::string_view rule, const AlikeWords& words, std::size_t scope,
                  std::string_view text);

}  // namespace vireo::isa
