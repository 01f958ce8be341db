// SPDX-License-Identifier: Apache-2.0
//
// The table of transforms (variants.h).
#include "equivalence/variants.h"

#include <algorithm>
#include <random>

#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"

namespace vireo::equivalence {
namespace {

using namespace spirv;

using Step = Result<WordBuffer> (*)(Words, Diagnostics&);

CleanOptions without_unused() {
  CleanOptions options = no_clean_options;
  options.functions = options.code = options.variables = options.types = options.constants = true;
  options.drop_bindings = options.drop_specs = true;
  return options;
}
CleanOptions only(bool CleanOptions::*option) {
  CleanOptions options = no_clean_options;
  options.*option = true;
  return options;
}

// Removes unused code as an optimizer does, in several passes; the API may not see the removed bindings.
Result<WordBuffer> chain(Words words, Diagnostics& diagnostics) {
  Result<WordBuffer> result = clean(words, without_unused(), diagnostics);
  for (bool CleanOptions::*option : {&CleanOptions::branches, &CleanOptions::blocks}) {
    if (result) result = clean(*result, only(option), diagnostics);
  }
  return result;
}

struct TransformRow {
  std::string_view name;
  Step apply;
};
constexpr TransformRow transform_rows[] = {
    {"clean", [](Words words, Diagnostics& diagnostics) { return clean(words, {}, diagnostics); }},
    {"chain", chain},
    {"canonical",
     [](Words words, Diagnostics& diagnostics) {
       CleanOptions options;
       options.canonical_ids = options.members = true;
       return clean(words, options, diagnostics);
     }},
    {"strip", [](Words words, Diagnostics& diagnostics) { return strip(words, {}, diagnostics); }},
    {"trim", [](Words words, Diagnostics& diagnostics) { return trim(words, {}, diagnostics); }},
};

Variant sequence_of(Words words, const std::vector<const TransformRow*>& rows) {
  Variant variant;
  variant.words.assign(words.begin(), words.end());
  for (const TransformRow* row : rows) {
    variant.name += (variant.name.empty() ? "" : ", ") + std::string(row->name);
    Diagnostics diagnostics;
    Result<WordBuffer> result = row->apply(variant.words, diagnostics);
    if (!result) {
      variant.refusal = diagnostics.all().front().message;
      return variant;
    }
    variant.words = std::move(*result);
  }
  return variant;
}

}  // namespace

std::vector<Variant> variants_of(Words words, std::uint32_t seed) {
  std::vector<Variant> variants;
  const auto add = [&](Variant variant) {
    const bool is_old = variant.refusal.empty() &&
                        (std::ranges::equal(variant.words, words) ||
                         std::ranges::any_of(variants, [&](const Variant& v) { return v.words == variant.words; }));
    if (!is_old) variants.push_back(std::move(variant));
  };
  for (const TransformRow& row : transform_rows) add(sequence_of(words, {&row}));
  std::mt19937 random(seed);
  std::vector<const TransformRow*> rows(1 + random() % 4);
  for (const TransformRow*& row : rows) row = &transform_rows[random() % std::size(transform_rows)];
  add(sequence_of(words, rows));
  return variants;
}

}  // namespace vireo::equivalence
