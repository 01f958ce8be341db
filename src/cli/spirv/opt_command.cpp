// SPDX-License-Identifier: Apache-2.0
//
// vireo opt, and spirv-opt: transforms in the order of their flags.
//
// The one idea: a flag is a row with a function, and the passes of a call are a list of such functions.
#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/spirv/transform_command.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"

namespace vireo::cli {
namespace {

using spirv::CleanOptions;

// The transform of a flag: parts of strip(), trim() or clean().
using Apply = Result<spirv::WordBuffer> (*)(spirv::Words, const spirv::Grammar&, Diagnostics&);

// A selection of parts of clean().
template <bool CleanOptions::*... parts>
Result<spirv::WordBuffer> clean_parts(spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics) {
  CleanOptions options = spirv::no_clean_options;
  ((options.*parts = true), ...);
  return spirv::clean(words, options, diagnostics, nullptr, grammar);
}

template <const spirv::StripOptions& options>
Result<spirv::WordBuffer> strip_parts(spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics) {
  return spirv::strip(words, options, diagnostics, nullptr, grammar);
}

template <const spirv::TrimOptions& options>
Result<spirv::WordBuffer> trim_parts(spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics) {
  return spirv::trim(words, options, diagnostics, nullptr, grammar);
}

constexpr spirv::StripOptions debug_parts{.debug = true, .names = true, .nonsemantic = false, .reflection = false};
constexpr spirv::StripOptions nonsemantic_parts{
    .debug = false, .names = false, .nonsemantic = true, .reflection = true};
constexpr spirv::TrimOptions declarations{.capabilities = true, .extensions = true, .interfaces = false};
constexpr spirv::TrimOptions interfaces{.capabilities = false, .extensions = false, .interfaces = true};

Result<spirv::WordBuffer> freeze(spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics) {
  return spirv::freeze_spec_constants(words, diagnostics, grammar);
}
Result<spirv::WordBuffer> fold(spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics) {
  return spirv::fold_spec_constants(words, {}, diagnostics, grammar);
}

struct PassRow {
  std::string_view flag;
  Apply apply;
};
constexpr PassRow pass_rows[] = {
    {"strip-debug", strip_parts<debug_parts>},
    {"strip-nonsemantic", strip_parts<nonsemantic_parts>},
    {"trim-capabilities", trim_parts<declarations>},
    {"remove-unused-interface-variables", trim_parts<interfaces>},
    {"eliminate-dead-functions", clean_parts<&CleanOptions::functions>},
    {"eliminate-dead-variables", clean_parts<&CleanOptions::variables, &CleanOptions::drop_bindings>},
    {"eliminate-dead-const", clean_parts<&CleanOptions::constants, &CleanOptions::drop_specs>},
    {"eliminate-dead-members", clean_parts<&CleanOptions::members>},
    {"eliminate-dead-branches", clean_parts<&CleanOptions::branches>},
    {"eliminate-dead-code-aggressive",
     clean_parts<&CleanOptions::functions, &CleanOptions::code, &CleanOptions::variables, &CleanOptions::types,
                 &CleanOptions::constants, &CleanOptions::drop_bindings, &CleanOptions::drop_specs>},
    {"remove-duplicates", clean_parts<&CleanOptions::duplicate_types, &CleanOptions::drop_struct_names>},
    {"unify-const", clean_parts<&CleanOptions::duplicate_constants>},
    {"cfg-cleanup", clean_parts<&CleanOptions::blocks>},
    {"merge-blocks", clean_parts<&CleanOptions::blocks>},
    {"freeze-spec-const", freeze},
    {"fold-spec-const-op-composite", fold},
    {"canonicalize-ids", clean_parts<&CleanOptions::canonical_ids>},
    {"compact-ids", clean_parts<&CleanOptions::compact_ids>},
};

// The passes of a call.
using PassFunction = std::function<Result<spirv::WordBuffer>(spirv::Words, const spirv::Grammar&, Diagnostics&)>;

// The reference skips a value that does not fit its constant.
PassFunction set_defaults(std::vector<spirv::SpecDefault> defaults) {
  return [defaults = std::move(defaults)](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics) {
    return spirv::set_spec_defaults(words, defaults, {.skip_unfit_values = true}, diagnostics, grammar);
  };
}

}  // namespace

int run_opt(const Invocation& invocation) {
  std::vector<PassFunction> passes;
  for (const auto& [id, value] : invocation.options.in_order()) {
    if (id == OptionId::Pass) {
      const auto row = std::ranges::find(pass_rows, std::string_view(value), &PassRow::flag);
      if (row != std::end(pass_rows)) passes.emplace_back(row->apply);
    } else if (id == OptionId::SpecDefaults) {
      Diagnostics faults;
      Result<std::vector<spirv::SpecDefault>> defaults = spirv::parse_spec_defaults(value, faults);
      if (!defaults) {
        return usage_error(invocation, "--set-spec-const-default-value: " + faults.all().front().message);
      }
      passes.push_back(set_defaults(std::move(*defaults)));
    }
  }
  return run_transform(invocation,
                       [&](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics,
                           spirv::TransformReport* report) -> Result<spirv::WordBuffer> {
                         spirv::WordBuffer result(words.begin(), words.end());
                         for (const PassFunction& pass : passes) {
                           Result<spirv::WordBuffer> changed = pass(result, grammar, diagnostics);
                           if (!changed) return changed.failure();
                           result = std::move(*changed);
                         }
                         if (report != nullptr) *report = spirv::describe_transform(words, result, grammar);
                         return result;
                       });
}

}  // namespace vireo::cli
