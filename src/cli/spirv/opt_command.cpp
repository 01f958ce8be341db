// SPDX-License-Identifier: Apache-2.0
//
// vireo opt, and spirv-opt: transforms in the order of their flags.
//
// A flag is a row with a function, and the passes of a call are a list of such functions.
#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/compatibility.h"
#include "cli/common/row_options.h"
#include "cli/module/module_options.h"
#include "cli/module/subject.h"
#include "cli/spirv/transform_command.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"
#include "vireo/spirv/validate/option_rows.h"

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
constexpr spirv::StripOptions no_parts{.debug = false, .names = false, .nonsemantic = false, .reflection = false};
constexpr spirv::TrimOptions declarations{.capabilities = true, .extensions = true, .interfaces = false};
constexpr spirv::TrimOptions interfaces{.capabilities = false, .extensions = false, .interfaces = true};

Result<spirv::WordBuffer> freeze(spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics) {
  return spirv::freeze_spec_constants(words, diagnostics, grammar);
}
Result<spirv::WordBuffer> fold(spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics) {
  return spirv::fold_spec_constants(words, {}, diagnostics, grammar);
}

// A flag is a row: its texts, and its transform.
struct PassRow {
  Flag flag;
  Apply apply;
};
constexpr PassRow pass_rows[] = {
    {{"--strip-debug", "remove debug information and names"}, strip_parts<debug_parts>},
    {{"--strip-nonsemantic", "remove the instructions of NonSemantic sets"}, strip_parts<nonsemantic_parts>},
    {{"--trim-capabilities", "remove unneeded capabilities and extensions"}, trim_parts<declarations>},
    {{"--eliminate-dead-functions", "remove functions that no entry point and no export reaches"},
     clean_parts<&CleanOptions::functions>},
    {{"--eliminate-dead-variables", "remove unused variables"},
     clean_parts<&CleanOptions::variables, &CleanOptions::drop_bindings>},
    {{"--eliminate-dead-const", "remove unused constants"},
     clean_parts<&CleanOptions::constants, &CleanOptions::drop_specs>},
    {{"--eliminate-dead-members", "remove unused members of structures"}, clean_parts<&CleanOptions::members>},
    {{"--eliminate-dead-branches", "fold branches with a constant condition"}, clean_parts<&CleanOptions::branches>},
    {{"--eliminate-dead-code-aggressive", "remove unused code, bindings and SpecIds"},
     clean_parts<&CleanOptions::functions, &CleanOptions::code, &CleanOptions::variables, &CleanOptions::types,
                 &CleanOptions::constants, &CleanOptions::drop_bindings, &CleanOptions::drop_specs>},
    {{"--remove-duplicates", "remove duplicates of types, decorations and declarations"},
     clean_parts<&CleanOptions::duplicate_types, &CleanOptions::drop_struct_names>},
    {{"--unify-const", "remove duplicates of constants"}, clean_parts<&CleanOptions::duplicate_constants>},
    {{"--cfg-cleanup", "remove unreachable blocks and join blocks"}, clean_parts<&CleanOptions::blocks>},
    {{"--merge-blocks", "the same as --cfg-cleanup"}, clean_parts<&CleanOptions::blocks>},
    {{"--remove-unused-interface-variables", "remove unused interface variables"}, trim_parts<interfaces>},
    {{"--freeze-spec-const", "replace specialization constants by constants"}, freeze},
    {{"--fold-spec-const-op-composite", "compute OpSpecConstantOp of constants"}, fold},
    {{"--compact-ids", "renumber the ids"}, clean_parts<&CleanOptions::compact_ids>},
    {{"--canonicalize-ids", "order declarations and number ids by their contents"},
     clean_parts<&CleanOptions::canonical_ids>},
};

constexpr TextOption spec_defaults_option("--set-spec-const-default-value=ID:VALUE...",
                                          "set defaults of specialization constants",
                                          "Pairs of a SpecId and its value, separated by spaces.");
constexpr Flag skip_validation_option("--skip-validation", "accepted; modules are not validated");
constexpr Option opt_target_env_option = target_env_option.with("accepted; transforms do not depend on it");

constexpr auto optimizer_options = option_list(options_in(pass_rows, &PassRow::flag), spec_defaults_option,
                                               skip_validation_option, opt_target_env_option);
constexpr auto opt_options = option_list(text_option, optimizer_options, transform_options);
// Flags for the validation of the input.
constexpr auto feature_options = [] {
  auto options = options_of(spirv::feature_rows);
  for (Option& option : options) {
    option.summary = "accepted; modules are not validated";
    option.details = {};
  }
  return options;
}();
constexpr auto spirv_opt_options =
    option_list(optimizer_options, feature_options, reference_output_option, reference_help_options);
constexpr std::string_view lacks_pass =
    "Vireo lacks this pass; spirv-opt of SPIRV-Tools may have it (https://github.com/KhronosGroup/SPIRV-Tools, Debian "
    "package spirv-tools)";

// The passes of a call.
using PassFunction = std::function<Result<spirv::WordBuffer>(spirv::Words, const spirv::Grammar&, Diagnostics&)>;

// The reference skips a value that does not fit its constant.
PassFunction set_defaults(std::vector<spirv::SpecDefault> defaults) {
  return [defaults = std::move(defaults)](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics) {
    return spirv::set_spec_defaults(words, defaults, {.skip_unfit_values = true}, diagnostics, grammar);
  };
}

// The passes of the flags. `problem` is not empty if a value is wrong.
struct ChosenPasses {
  std::vector<PassFunction> passes = {};
  std::string problem = {};
};

ChosenPasses passes_of(const ParsedOptions& options) {
  ChosenPasses chosen;
  for (const auto& [option, value] : options.in_order()) {
    const auto* const row =
        std::ranges::find_if(pass_rows, [flag = option](const PassRow& each) { return &each.flag == flag; });
    if (row != std::end(pass_rows)) {
      chosen.passes.emplace_back(row->apply);
    } else if (option == &spec_defaults_option) {
      Diagnostics faults;
      Result<std::vector<spirv::SpecDefault>> defaults = spirv::parse_spec_defaults(value, faults);
      if (!defaults) {
        chosen.problem = "--set-spec-const-default-value: " + faults.all().front().message;
        return chosen;
      }
      chosen.passes.push_back(set_defaults(std::move(*defaults)));
    }
  }
  if (chosen.passes.empty()) chosen.passes.emplace_back(strip_parts<no_parts>);  // reads the module
  return chosen;
}

Result<spirv::WordBuffer> apply_all(const std::vector<PassFunction>& passes, spirv::Words words,
                                    const spirv::Grammar& grammar, Diagnostics& diagnostics) {
  spirv::WordBuffer result(words.begin(), words.end());
  for (const PassFunction& pass : passes) {
    Result<spirv::WordBuffer> changed = pass(result, grammar, diagnostics);
    if (!changed) return changed.failure();
    result = std::move(*changed);
  }
  return result;
}

int run_opt(const Invocation& invocation) {
  const ChosenPasses chosen = passes_of(invocation.options);
  if (!chosen.problem.empty()) return usage_error(invocation, chosen.problem);
  return run_transform(invocation,
                       [&](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics,
                           spirv::TransformReport* report) -> Result<spirv::WordBuffer> {
                         Result<spirv::WordBuffer> result = apply_all(chosen.passes, words, grammar, diagnostics);
                         if (result && report != nullptr) *report = spirv::describe_transform(words, *result, grammar);
                         return result;
                       });
}

// The messages, the statuses and the order of the checks are those of the reference.
int run_spirv_opt(const Invocation& invocation) {
  const Streams& streams = invocation.streams;
  const ParsedOptions& options = invocation.options;
  if (!environment_of_target(options).problem.empty()) return complain(streams, "Invalid value passed to --target-env");
  const ChosenPasses chosen = passes_of(options);
  if (!chosen.problem.empty()) return complain(streams, chosen.problem);
  if (!options.has(output_option)) return complain(streams, "-o required");
  const CompatibilityInput input = read_input(streams, first_operand(invocation));
  if (!input.problem.empty()) return complain(streams, input.problem);

  Diagnostics diagnostics;
  const std::optional<Subject> subject = read_subject({"", input.bytes.text()}, {}, diagnostics);
  if (!subject) {
    print_first_error(streams, input.bytes.text(), diagnostics);
    return usage_status;
  }
  const Result<spirv::WordBuffer> words =
      apply_all(chosen.passes, subject->words(), spirv::builtin_grammar(), diagnostics);
  if (!words) {
    Diagnostics located = located_in_input(diagnostics, *subject);
    print_first_error(streams, input.bytes.text(), located);
    return usage_status;
  }
  return write_to(streams, options.value(output_option), spirv::bytes_of(*words));
}

}  // namespace

constinit const Command opt_command(
    "opt", any_inputs, "transform SPIR-V modules with the flags of spirv-opt",
    "Applies transforms in the order of their flags. The flags are those of spirv-opt that 'strip', 'trim' and 'clean' "
    "cover; any other flag is an error. Modules are not validated first.\n\n"
    "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
    "vireo opt --eliminate-dead-functions --compact-ids shader.spv -o small.spv", "spv|spvasm", opt_options, run_opt,
    {.lacks = lacks_pass});

constinit const Command spirv_opt_command(
    "spirv-opt", "[FILE]", "transform a SPIR-V module",
    "Applies transforms in the order of their flags. Any flag that is not listed is an error: Vireo lacks most passes "
    "of "
    "the reference, so neither a package nor VIREO_DROP_IN_NAMES=ON installs this name. Modules are not validated.",
    "", "spv", spirv_opt_options, run_spirv_opt, {.imitation = Imitation::Optimizer, .lacks = lacks_pass});

}  // namespace vireo::cli
