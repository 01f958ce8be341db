// SPDX-License-Identifier: Apache-2.0
//
// Compare two words scope by scope, as the decoder produces the scopes. The report names the first scope
// that differs; differences in nested scopes are a consequence.
#include "isa/check/alike.h"

#include <algorithm>
#include <string>

namespace vireo::isa {

std::optional<std::size_t> first_difference(const AlikeWords& words) {
  const std::span<const DecodedScope> a = words.first_decoded.scopes();
  const std::span<const DecodedScope> b = words.second_decoded.scopes();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].leaf != b[i].leaf || a[i].display != b[i].display) return i;
  }
  return std::nullopt;
}

bool is_disambiguated(const Model& model, const AlikeWords& words, std::size_t scope) {
  const DecodedScope& a = words.first_decoded.scopes()[scope];
  const DecodedScope& b = words.second_decoded.scopes()[scope];
  if (model.assembly_mark(model[a.leaf]) != model.assembly_mark(model[b.leaf])) return true;
  // A default cannot choose between two leaves: the differing bits belong to their patterns.
  if (a.leaf != b.leaf) return false;
  if (a.display && b.display && model[a.display].mark != model[b.display].mark) return true;
  // If all differing bits are in fields with a default, at most one of the words has all defaults, and the assembler
  // chooses that word.
  const Bits difference = words.first ^ words.second;
  Bits defaulted(difference.width());
  for (const DecodedScope& opened : words.first_decoded.scopes()) {
    for (const BitsetId id : model.chain(model[opened.leaf])) {
      for (const Field& field : model.fields(model.cases(model[id]).back())) {
        if (field.default_value) defaulted.set_range(opened.low + field.low, opened.low + field.high());
      }
    }
  }
  return (difference & ~defaulted).is_zero();
}

void report_alike(Subject& subject, std::string_view rule, const AlikeWords& words, std::size_t scope,
                  std::string_view text) {
  const Model& model = subject.model;
  const DecodedScope& a = words.first_decoded.scopes()[scope];
  const DecodedScope& b = words.second_decoded.scopes()[scope];
  const Bitset& one = model[a.leaf];
  const Bitset& other = model[b.leaf];
  const std::string proof = to_hex(words.first) + " and " + to_hex(words.second) + " both print " + quoted_name(text);
  if (a.leaf != b.leaf) {
    // The report names the later leaf: it may have been added to a description that had only the first.
    subject.emit(rule, other.where,
                 subject.name_of(one) + " and " + subject.name_of(other) + " print the same text: " + proof);
    subject.note(one.where, "the other leaf");
  } else if (a.display && b.display) {
    subject.emit(rule, model[b.display].where,
                 "two cases of " + subject.name_of(one) + " print the same text: " + proof);
    subject.note(model[a.display].where, "the other case");
  }
}

}  // namespace vireo::isa
