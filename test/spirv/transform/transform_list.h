// SPDX-License-Identifier: Apache-2.0
//
// The transforms that take a module and no further input: each flag of clean, strip, trim, specialize and opt.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"

namespace vireo::spirv::test {

// Some parts of clean().
template <bool CleanOptions::*... parts>
CleanOptions parts_of_clean() {
  CleanOptions options = no_clean_options;
  ((options.*parts = true), ...);
  return options;
}

struct Transform {
  std::string_view name;
  std::function<Result<WordBuffer>(Words, Diagnostics&, TransformReport&)> apply;
  // Whether a second application changes nothing. After pruning, an OpPhi can be a constant, and the branch on it is
  // folded the next time.
  bool is_idempotent = true;
  // The result is valid if the module is valid with the default values of its specialization constants.
  bool takes_defaults = false;
};

// Pruning also removes what is unused in a module without specialization constants.
inline Result<WordBuffer> specialize_with(SpecializeOptions options, Words words, Diagnostics& diagnostics,
                                          TransformReport& report) {
  const Result<Specializer> specializer = Specializer::read(words, {}, diagnostics);
  if (!specializer) return specializer.failure();
  SpecializerMemory memory;
  WordBuffer result;
  if (const auto refused = specializer->specialize({}, options, memory, result, diagnostics)) return *refused;
  report = describe_transform(words, result);
  return result;
}

// Whether a module is valid with the default values of its specialization constants. The default of an array length, for
// example, can be 0.
inline bool has_valid_defaults(Words words) {
  Diagnostics diagnostics;
  TransformReport report;
  return specialize_with({.freeze_rest = true}, words, diagnostics, report).ok();
}

// Each part of clean and strip alone, and all of them.
inline std::vector<Transform> transforms() {
  const auto strip_of = [](StripOptions options) {
    return [options](Words words, Diagnostics& diagnostics, TransformReport& report) {
      return strip(words, options, diagnostics, &report);
    };
  };
  const auto clean_of = [](CleanOptions options) {
    return [options](Words words, Diagnostics& diagnostics, TransformReport& report) {
      return clean(words, options, diagnostics, &report);
    };
  };
  const auto specialize_of = [](SpecializeOptions options) {
    return [options](Words words, Diagnostics& diagnostics, TransformReport& report) {
      return specialize_with(options, words, diagnostics, report);
    };
  };
  const auto described = [](auto change) {
    return [change](Words words, Diagnostics& diagnostics, TransformReport& report) {
      Result<WordBuffer> result = change(words, diagnostics);
      if (result) report = describe_transform(words, *result);
      return result;
    };
  };
  using Clean = CleanOptions;
  return {{"clean", clean_of({})},
          {"clean --functions", clean_of(parts_of_clean<&Clean::functions>())},
          {"clean --blocks", clean_of(parts_of_clean<&Clean::branches, &Clean::blocks>())},
          {"clean --code", clean_of(parts_of_clean<&Clean::code>())},
          {"clean --variables", clean_of(parts_of_clean<&Clean::variables>())},
          {"clean --types", clean_of(parts_of_clean<&Clean::types, &Clean::duplicate_types>())},
          {"clean --constants", clean_of(parts_of_clean<&Clean::constants, &Clean::duplicate_constants>())},
          {"clean everything unused",
           clean_of(parts_of_clean<&Clean::functions, &Clean::code, &Clean::variables, &Clean::types, &Clean::constants,
                                   &Clean::drop_bindings, &Clean::drop_specs>())},
          {"clean --members", clean_of(parts_of_clean<&Clean::members>())},
          {"clean --compact-ids", clean_of(parts_of_clean<&Clean::compact_ids>())},
          {"clean --canonical-ids", clean_of(parts_of_clean<&Clean::canonical_ids>())},
          {"clean everything, canonical",
           clean_of(parts_of_clean<&Clean::functions, &Clean::branches, &Clean::blocks, &Clean::code, &Clean::variables,
                                   &Clean::types, &Clean::constants, &Clean::duplicate_types,
                                   &Clean::duplicate_constants, &Clean::members, &Clean::canonical_ids>())},
          {"opt --remove-duplicates", clean_of(parts_of_clean<&Clean::duplicate_types, &Clean::drop_struct_names>())},
          {"opt --unify-const", clean_of(parts_of_clean<&Clean::duplicate_constants>())},
          {"opt --freeze-spec-const",
           described([](Words words, Diagnostics& diagnostics) { return freeze_spec_constants(words, diagnostics); }),
           true, true},
          {"opt --fold-spec-const-op-composite", described([](Words words, Diagnostics& diagnostics) {
             return fold_spec_constants(words, {}, diagnostics);
           })},
          {"specialize --prune", specialize_of({.prune = true}), false},
          {"specialize --all-defaults", specialize_of({.freeze_rest = true}), true, true},
          {"specialize --all-defaults --prune", specialize_of({.freeze_rest = true, .prune = true}), false, true},
          {"strip", strip_of({})},
          {"strip --debug", strip_of({.names = false, .nonsemantic = false, .reflection = false})},
          {"strip --names", strip_of({.debug = false, .nonsemantic = false, .reflection = false})},
          {"strip --nonsemantic", strip_of({.debug = false, .names = false, .reflection = false})},
          {"strip --reflection", strip_of({.debug = false, .names = false, .nonsemantic = false})},
          {"trim", [](Words words, Diagnostics& diagnostics,
                      TransformReport& report) { return trim(words, {}, diagnostics, &report); }},
          {"trim --interfaces", [](Words words, Diagnostics& diagnostics, TransformReport& report) {
             return trim(words, {.capabilities = false, .extensions = false, .interfaces = true}, diagnostics, &report);
           }}};
}

}  // namespace vireo::spirv::test
