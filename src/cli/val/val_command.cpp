// SPDX-License-Identifier: Apache-2.0
//
// vireo val: validates modules and prints results and findings.
//
// The library reports findings about words; this file maps them to the input. Text is assembled first,
// and findings point into it. A binary is disassembled only if there is a finding to show. With --format=json
// everything goes to standard output: one line per finding and one per result.
#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/batch.h"
#include "cli/common/inputs.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "cli/module/subject.h"
#include "cli/val/baseline.h"
#include "cli/val/checked_input.h"
#include "cli/val/fixed_input.h"
#include "cli/val/locate.h"
#include "cli/val/pipeline_check.h"
#include "cli/val/val_options.h"
#include "support/io.h"
#include "support/json_writer.h"
#include "vireo/spirv/one_call/fixes.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::cli {
namespace {

constexpr Flag fix_option("--fix", "write each module with all certain fixes",
                          "Adds missing capabilities, extensions, decorations, interface variables and the like, if "
                          "that removes the finding and causes no other. A text keeps its comments and layout. The "
                          "findings that remain refer to the output; without any the status is 0.");
constexpr Flag diff_option("--diff", "with --fix: print the changes; without -o, write no module",
                           "In the format of diff -u; the changes of a binary are those of its disassembly.");
constexpr Option val_text_option =
    text_option.with("with --fix: write a binary as assembly text", "Also if the name of the output ends in .spvasm.");
constexpr Option val_output_option =
    output_option.with("with --fix: write to FILE; '-' is standard output",
                       "A name that ends in .spvasm or .spv determines the form; otherwise it is that of the input.");
constexpr Option val_out_dir_option =
    out_dir_option.with("with --fix: write DIR/<name> for each input",
                        "DIR is created if it is missing. The folders of an input directory are recreated below DIR.");
constexpr Option val_format_option = format_option.with(
    "format of the findings (human)",
    "human and short go to standard error, the others to standard output: json is one record per line, the last one of "
    "each input is its result; sarif is one SARIF 2.1.0 document; github is workflow commands.");
constexpr Flag val_pipeline_option(
    "--pipeline", "treat all modules as stages of one pipeline; report conflicts too",
    "Stages conflict if no pipeline can have both, if they differ in a binding or SpecId, or if a stage reads an input "
    "that is no output of the previous one. 'vireo reflect --pipeline' prints what the stages need together.");
constexpr TextOption val_entry_option("--entry=NAME", "with --pipeline: only entry points with this name are stages",
                                      "May be repeated, for stages with different names.");

constexpr auto val_options =
    option_list(val_target_env_option, feature_options, limit_options, descriptor_options, rule_option, locate_option,
                profile_option, val_pipeline_option, val_entry_option, baseline_option, write_baseline_option,
                fix_option, diff_option, val_text_option, val_output_option, val_out_dir_option, jobs_option,
                force_option, grammar_option, val_format_option, diagnostics_format_option, max_errors_option,
                quiet_option, werror_option, color_option, no_color_option, help_options);

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// --- one input ------------------------------------------------------------------------------------------------------

// An input on its way through the steps of a Validation.
struct ValidatedInput : CheckedInput {
  std::optional<FixedInput> fixed = {};
};

// Writes the findings and the result of one input (write_records).
void write_json(const SourceText& source, const Diagnostics& found, const Diagnostics* in_text,
                const FindingContext* context, TextSink& output) {
  JsonWriter json(output);
  write_records(json, source, found, in_text, context);
  json.begin_object();
  json.key("file").string(source.name);
  json.key("valid").boolean(!found.has_errors());
  json.key("errors").number(found.error_count());
  json.key("warnings").number(found.warning_count());
  json.end_object().end_document();
}

// --- all inputs -----------------------------------------------------------------------------------------------------

// Validates the inputs of one invocation; reports their findings or records them in a baseline.
//
// Each step changes the findings of one input, and the last one shows what is left.
class Validation {
 public:
  Validation(const Invocation& invocation, const spirv::ValidateOptions& options, std::size_t limit)
      : options_(options),
        flags_(invocation.options),
        format_(flags_.value(diagnostics_format_option, flags_.value(format_option, "human"))),
        limit_(limit),
        is_json_(flags_.value(format_option) == "json"),
        records_(flags_.has(write_baseline_option)) {}

  /// Reads the file of --baseline. Returns an exit status.
  int read_known(const Invocation& invocation, Reporter& reporter) {
    return read_baseline(invocation, reporter, known_);
  }
  /// Writes the file of --write-baseline. Returns an exit status.
  int write_recorded(const Invocation& invocation, Reporter& reporter) const {
    return write_baseline(invocation, recorded_, reporter);
  }

  /// --pipeline: compares the modules that check() has read, as stages. Returns an exit status.
  int check_pipeline(const Invocation& invocation, Reporter& reporter) {
    // All findings, as for one module.
    ValidatedInput input{{{"pipeline", {}}, Diagnostics(records_ || known_ ? no_limit : limit_)}};
    const std::vector<std::string_view> entry_points = flags_.values(val_entry_option);
    stages_.run(entry_points, invocation.operands(), options_, input.found);
    if (records_) {
      record(input);
      return exit_status::fine;
    }
    filter(input);
    const int status = input.is_valid() ? exit_status::fine : exit_status::wrong_input;
    if (!is_json_ || input.found.all().empty()) {
      reporter.add(input.source, input.found);
      return status;
    }
    StringSink text;
    write_json(input.source, input.found, nullptr, nullptr, text);
    return std::max(status, print(invocation.streams, text.text()));
  }
  /// Whether check() could read all modules. Without one of them, others would seem to lack outputs.
  [[nodiscard]] bool has_all_stages() const { return !is_incomplete_; }

  /// Checks one input, on any thread.
  bool check(const BatchItem& item) {
    // A comparison with a baseline needs all findings.
    ValidatedInput input{{item.input, Diagnostics(records_ || known_ ? no_limit : limit_)}};
    input.subject = read_subject(item.input, options_, input.found);
    if (input.subject) {
      fix(input, item);
      find(input);
      if (flags_.has(val_pipeline_option)) stages_.add(item.index, item.input.name, *input.subject);
    } else {
      is_incomplete_ = true;
    }
    if (records_) return record(input);
    filter(input);
    show(input, item);
    return input.is_valid();
  }

  /// The output for an input that cannot be read: in JSON a result with its errors, as for every other input.
  [[nodiscard]] Refusal refusal() const {
    if (!is_json_) return {};
    return [](std::string_view name, const Diagnostics& why, TextSink& output) {
      write_json({name, {}}, why, nullptr, nullptr, output);
    };
  }

 private:
  // --fix: applies fixes, and writes the module or its changes.
  void fix(ValidatedInput& input, const BatchItem& item) const {
    if (!flags_.has(fix_option)) return;
    const bool shows_diff = flags_.has(diff_option);
    input.fixed.emplace(item.input, options_, *input.subject);
    input.source = input.fixed->text();
    item.is_kept = true;
    if (!item.path.empty() || !shows_diff) input.fixed->write(item.path, flags_.has(text_option), item.output);
    if (shows_diff) item.standard_output.write(input.fixed->diff(item.path));
  }

  // Messages use the id names of the input text, or of the disassembly if the input is a binary.
  void find(CheckedInput& input) const {
    const spirv::Words words = input.subject->words();
    spirv::ValidateOptions options = options_;
    options.max_findings = records_ || known_ ? no_limit : limit_;
    options.fixes = is_json_ || format_ == "sarif";  // the only formats with a place for them
    const std::vector<spirv::AllowedRule> allowed = input.allowed_rules();
    options.allowed = allowed;
    options.name_of_id = input.id_names(options.grammar);
    spirv::validate(words, options, input.found);
    if (!allowed.empty()) input.sort_by_text();
    if (!input.found.all().empty()) input.context.emplace(words, *options_.grammar);
  }

  bool record(const CheckedInput& input) {
    const std::lock_guard lock(recording_);
    recorded_.record(input.found, input.source.name, input.in_module());
    return true;  // recorded, not reported
  }

  // --baseline and --werror.
  void filter(CheckedInput& input) const {
    if (known_) input.found = known_->without_known(input.found, input.source.name, input.in_module(), limit_);
    if (flags_.has(werror_option)) input.found.raise_warnings();
  }

  void show(ValidatedInput& input, const BatchItem& item) const {
    if (!input.subject || input.found.all().empty()) {
      // A fault that prevents reading has its location in the input.
      if (is_json_) write_json(item.input, input.found, nullptr, nullptr, item.standard_output);
      else take_all(input.found, item.diagnostics);
      return;
    }
    const PlacedFindings placed = place_findings(input, flags_, format_, options_.grammar);
    if (is_json_)
      return write_json(placed.text, input.found, placed.located(), input.in_module(), item.standard_output);
    take_all(placed.in_text ? *placed.in_text : input.found, item.diagnostics);
    if (input.listing || input.fixed) item.shown = placed.text.text;
  }

  const spirv::ValidateOptions& options_;
  const ParsedOptions& flags_;
  const std::string_view format_;
  const std::size_t limit_;
  const bool is_json_, records_;
  std::optional<Baseline> known_;
  std::mutex recording_;
  Baseline recorded_;
  PipelineCheck stages_;
  std::atomic<bool> is_incomplete_ = false;
};

// Options that only --fix uses, and the ones that it cannot be combined with. Returns an empty text, or the problem.
std::string problem_of_fix(const ParsedOptions& options) {
  constexpr std::pair<const Option*, std::string_view> for_fixes[] = {{&diff_option, "--diff"},
                                                                      {&text_option, "--text"},
                                                                      {&output_option, "-o"},
                                                                      {&out_dir_option, "--out-dir"},
                                                                      {&force_option, "--force"}};
  if (!options.has(fix_option)) {
    for (const auto& [option, name] : for_fixes) {
      if (!options.has(*option)) continue;
      const bool is_output = option == &output_option || option == &out_dir_option;
      return std::string(name) + " needs --fix" +
             (is_output ? ", which writes modules; findings go to standard output or standard error" : "");
    }
    return {};
  }
  if (options.has(write_baseline_option)) return "--fix and --write-baseline cannot be combined";
  const std::string_view format = options.value(diagnostics_format_option, options.value(format_option));
  const bool findings_go_to_output = format == "json" || format == "sarif" || format == "github";
  const bool has_file = options.has(out_dir_option) || options.value(output_option, "-") != "-";
  if (!findings_go_to_output) return {};
  if (options.has(diff_option)) return "--diff and --format=" + std::string(format) + " cannot be combined";
  return has_file ? std::string() : "--fix with --format=" + std::string(format) + " needs -o FILE or --out-dir DIR";
}

constexpr std::string_view vuids_of_shader_objects[] = {"VUID-VkShaderCreateInfoEXT-codeType-08872",
                                                        "VUID-VkShaderCreateInfoEXT-codeType-12226"};

int run_val(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (const std::string problem = problem_of_fix(options); !problem.empty()) return usage_error(invocation, problem);
  if (options.has(val_entry_option) && !options.has(val_pipeline_option))
    return usage_error(invocation, "--entry needs --pipeline");
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  ChosenValidation validation;
  if (const int status = validation.load(invocation, chosen.grammar(), reporter); status != exit_status::fine) {
    return status;
  }
  // A stage of a pipeline may leave modes of tessellation to the other one; check_pipeline() checks both.
  std::vector<spirv::RuleChoice> rules;
  spirv::ValidateOptions validate_options = validation.options();
  if (options.has(val_pipeline_option)) {
    for (const std::string_view vuid : vuids_of_shader_objects) rules.push_back({vuid, std::nullopt});
    rules.insert(rules.end(), validate_options.rules.begin(), validate_options.rules.end());
    validate_options.rules = rules;
  }
  Validation run(invocation, validate_options, reporter.limit());
  if (const int status = run.read_known(invocation, reporter); status != exit_status::fine) return status;
  const bool writes_modules = options.has(fix_option) && !options.has(diff_option);
  const std::string_view extension = options.has(text_option) ? ".spvasm" : "";
  const bool is_binary = writes_modules && extension.empty();
  int status = run_batch(invocation, {{".spv", ".spvasm"}, extension, is_binary, run.refusal()}, reporter,
                         [&](const BatchItem& item) { return run.check(item); });
  if (options.has(val_pipeline_option) && status <= exit_status::wrong_input && run.has_all_stages())
    status = std::max(status, run.check_pipeline(invocation, reporter));
  if (!options.has(quiet_option)) reporter.summarize();
  if (!options.has(write_baseline_option) || status == exit_status::usage) return status;
  return std::max(status, run.write_recorded(invocation, reporter));
}

}  // namespace

constinit const Command val_command(
    "val", any_inputs, "validate SPIR-V modules and report every error",
    "Checks binary modules and assembly text against the specification and the rules of a target environment. Reports "
    "every error once, with its location in the text or, for a binary, in its disassembly. 'vireo explain RULE' "
    "describes a rule. Prints nothing for a valid module.\n\n"
    "--profile describes a device: the capabilities and extensions that modules may declare, its limits, and the rules "
    "that its features relax. --pipeline also compares the stages of a pipeline with each other. --write-baseline "
    "records the current findings; --baseline then reports only new ones.\n\n"
    "In assembly text, the comment '; vireo: allow RULE, RULE' suppresses findings of the instruction before it on the "
    "line; alone on its line, of the next instruction. An unused comment gets the warning unused-allow.\n\n"
    "An option that permits something disables rules; --rule cannot enable them again. Options add to the features of "
    "a profile.\n\n"
    "A directory means every *.spv and *.spvasm file below it; @LIST is a file with one input per line.",
    "vireo val shader.spv\n"
    "vireo val --target-env vulkan1.3 --format=json shaders/ -j 8\n"
    "vireo val --rule nesting-depth=warn --rule missing-extension=off shader.spv\n"
    "vireo val --fix shader.spvasm -o fixed.spvasm\n"
    "vireo val --fix --diff shader.spvasm",
    "spv|spvasm", val_options, run_val, {.only_reports = true});

}  // namespace vireo::cli
