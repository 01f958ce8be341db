// SPDX-License-Identifier: Apache-2.0
//
// vireo val: validates modules and prints results and findings.
//
// The one idea: the library reports findings about words; this file maps them to the input. Text is assembled first,
// and findings point into it. A binary is disassembled only if there is a finding to show. With --format=json
// everything goes to standard output: one line per finding and one per result.
#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/batch.h"
#include "cli/common/commands.h"
#include "cli/common/inputs.h"
#include "cli/spirv/assembled_text.h"
#include "cli/spirv/grammar_option.h"
#include "cli/val/baseline.h"
#include "cli/val/finding_context.h"
#include "cli/val/fixed_input.h"
#include "cli/val/locate.h"
#include "cli/val/val_options.h"
#include "cli/val/val_subject.h"
#include "support/io.h"
#include "support/json_writer.h"
#include "support/render/render_machine.h"
#include "vireo/spirv/assemble.h"
#include "vireo/spirv/listing.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/validate.h"
#include "vireo/spirv/validate/fixes.h"
#include "vireo/support/render.h"

namespace vireo::cli {
namespace {

void take_all(const Diagnostics& from, Diagnostics& to) {
  for (const Diagnostic& diagnostic : from.all()) to.report(diagnostic);
}

// Counts the findings that were not kept, for the summary.
void count_rest(const Diagnostics& found, Diagnostics& to) {
  const auto kept = [&](Severity severity) {
    return static_cast<std::size_t>(std::ranges::count(found.all(), severity, &Diagnostic::severity));
  };
  to.count(Severity::Error, found.error_count() - kept(Severity::Error));
  to.count(Severity::Warning, found.warning_count() - kept(Severity::Warning));
}

Diagnostics with_warnings_as_errors(const Diagnostics& found) {
  Diagnostics raised(std::numeric_limits<std::size_t>::max());
  for (Diagnostic diagnostic : found.all()) {
    if (diagnostic.severity == Severity::Warning) diagnostic.severity = Severity::Error;
    raised.report(std::move(diagnostic));
  }
  raised.count(Severity::Error, found.error_count() + found.warning_count() - raised.error_count());
  return raised;
}

// The same diagnostics, in the order of their locations in the text.
Diagnostics in_text_order(const Diagnostics& found, spirv::Words words, const spirv::SourceMap& map) {
  const Diagnostics in_text = spirv::point_into_text(found, words, map);
  std::vector<std::size_t> order(found.all().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return in_text.all()[i].where.begin; });
  Diagnostics sorted(std::numeric_limits<std::size_t>::max());
  for (const std::size_t i : order) sorted.report(found.all()[i]);
  count_rest(found, sorted);
  return sorted;
}

// Validates the inputs of one invocation; reports their findings or records them in a baseline.
class Validation {
 public:
  Validation(const Invocation& invocation, const spirv::ValidateOptions& options, std::size_t limit)
      : options_(options),
        flags_(invocation.options),
        format_(flags_.value(OptionId::DiagnosticsFormat, flags_.value(OptionId::Format, "human"))),
        limit_(limit),
        is_json_(flags_.value(OptionId::Format) == "json"),
        warnings_are_errors_(invocation.options.has(OptionId::Werror)),
        records_(invocation.options.has(OptionId::WriteBaseline)),
        fixes_(invocation.options.has(OptionId::Fix)),
        shows_diff_(invocation.options.has(OptionId::Diff)),
        writes_text_(invocation.options.has(OptionId::Text)),
        // SARIF shows fixes for texts; only JSON and SARIF have a place for them.
        reports_fixes_(is_json_ || format_ == "sarif") {}

  /// Reads the file of --baseline. Returns an exit status.
  int read_baseline(const Invocation& invocation, Reporter& reporter) {
    const std::string_view path = invocation.options.value(OptionId::Baseline);
    const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
    if (!bytes) return exit_status::no_file;
    const SourceText file{name_of_input(path), bytes->text()};
    Diagnostics diagnostics(limit_);
    Result<Baseline> baseline = Baseline::read(file, diagnostics);
    reporter.add(file, diagnostics);
    if (!baseline) return exit_status::wrong_input;
    known_.emplace(std::move(baseline).value());
    return exit_status::fine;
  }

  /// Writes the file of --write-baseline. Returns an exit status.
  int write_baseline(std::string_view path, const Streams& streams, Reporter& reporter) const {
    if (path == "-") return print(streams, recorded_.text());
    Diagnostics diagnostics;
    OutputFile file(path);
    file.write(recorded_.text());
    const bool is_written = file.commit(diagnostics);
    reporter.add({"vireo", ""}, diagnostics);
    return is_written ? exit_status::fine : exit_status::no_file;
  }

  /// Checks one input, on any thread.
  bool check(const BatchItem& item) {
    // A comparison with a baseline needs all findings.
    const bool wants_all = records_ || known_;
    const std::size_t limit = wants_all ? std::numeric_limits<std::size_t>::max() : limit_;
    Diagnostics found(limit);
    Subject subject;
    const bool is_read = read_subject(item.input, options_, found, subject);
    bool is_valid = is_read;
    std::optional<FixedInput> fixed;
    if (is_read && fixes_) {
      fixed.emplace(item.input, options_, subject);
      write_fixed(*fixed, item);
    }
    const SourceText input = fixed ? fixed->text() : item.input;
    std::optional<AssembledText> text;
    std::optional<spirv::Listing> listing;
    if (is_read) {
      spirv::ValidateOptions options = options_;
      options.max_findings = limit;
      options.fixes = reports_fixes_;
      // Messages use the id names of the input text, or of the disassembly if the input is a binary.
      std::vector<spirv::AllowedRule> allowed;
      if (subject.is_text) {
        text.emplace(input, subject.assembly, subject.words());
        allowed = text->allowed_rules();
        options.allowed = allowed;
        options.name_of_id = [&](spirv::Word id) { return text->name_of(id); };
      } else {
        listing.emplace(subject.words(), options.grammar);
        options.name_of_id = [&](spirv::Word id) { return listing->name_of(id); };
      }
      is_valid = spirv::validate(subject.words(), options, found);
      // Warnings about comments have locations in the text, all others in the words.
      if (!allowed.empty()) found = in_text_order(found, subject.words(), text->map());
    }
    std::optional<FindingContext> context;
    if (is_read && !found.all().empty()) context.emplace(subject.words(), *options_.grammar);
    const FindingContext* const in_module = context ? &*context : nullptr;
    if (records_) {
      const std::lock_guard lock(recording_);
      recorded_.record(found, item.input.name, in_module);
      return true;  // recorded, not reported
    }
    if (known_) {
      found = known_->without_known(found, item.input.name, in_module, limit_);
      is_valid = !found.has_errors();
    }
    if (warnings_are_errors_ && found.warning_count() != 0) {
      found = with_warnings_as_errors(found);
      is_valid = false;
    }
    if (!is_read || found.all().empty()) {
      // A fault that prevents reading has its location in the input.
      if (is_json_) write_json(input, found, input.text, nullptr, nullptr, is_valid, item.standard_output);
      else take_all(found, item.diagnostics);
      return is_valid;
    }
    const Places places = places_of(flags_, format_, subject.is_text);
    if (places.source_first) found = located_in_sources(found, *context, format_);
    else if (!is_json_) found = with_source_notes(found, *context);
    std::optional<Diagnostics> in_text;
    if (!places.only_words) {
      in_text.emplace(listing
                          ? listing->point_into_text(found)
                          : spirv::point_into_text(found, subject.words(), text->map(), input.text, options_.grammar));
    }
    const std::string_view shown = listing ? listing->text() : input.text;
    if (is_json_) {
      write_json(input, found, shown, in_text ? &*in_text : nullptr, in_module, is_valid, item.standard_output);
    } else {
      take_all(in_text ? *in_text : found, item.diagnostics);
      if (listing || fixed) item.shown = shown;
      count_rest(found, item.diagnostics);
    }
    return is_valid;
  }

  /// The output for an input that cannot be read: in JSON a result with its errors, as for every other input.
  [[nodiscard]] Refusal refusal() const {
    if (!is_json_) return {};
    return [](std::string_view name, const Diagnostics& why, TextSink& output) {
      write_json({name, {}}, why, {}, nullptr, nullptr, false, output);
    };
  }

 private:
  void write_fixed(const FixedInput& fixed, const BatchItem& item) const {
    const bool is_file = !item.path.empty();
    item.is_kept = true;
    if (is_file || !shows_diff_) fixed.write(item.path, writes_text_, item.output);
    if (shows_diff_) item.standard_output.write(fixed.diff(item.path));
  }

  // Writes the findings and the result of one input. `in_text` has the same findings with locations in `text`; without
  // it, `found` refers to words, or to `text` if the input could not be read.
  static void write_json(const SourceText& input, const Diagnostics& found, std::string_view text,
                         const Diagnostics* in_text, const FindingContext* context, bool is_valid, TextSink& output) {
    JsonWriter json(output);
    RecordWriter records(json, {input.name, text});
    for (std::size_t i = 0; i < found.all().size(); ++i) {
      const Diagnostic& diagnostic = found.all()[i];
      // A warning about a comment has only a location in the text.
      const bool is_in_words = diagnostic.where.kind == Location::Kind::Words;
      records.begin(diagnostic, in_text != nullptr && is_in_words ? &in_text->all()[i] : nullptr);
      if (!diagnostic.requirement.empty()) json.key("vuid").string(diagnostic.requirement);
      if (context != nullptr) add_context(json, *context, diagnostic.where);
      records.end();
    }
    json.begin_object();
    json.key("file").string(input.name);
    json.key("valid").boolean(is_valid);
    json.key("errors").number(found.error_count());
    json.key("warnings").number(found.warning_count());
    json.end_object().end_document();
  }

  static void add_context(JsonWriter& json, const FindingContext& context, const Location& where) {
    if (const spirv::Word id = context.id_of(where); id != 0) json.key("id").number(id);
    if (const std::string function = context.function_of(where); !function.empty()) {
      json.key("function").string(function);
    }
    const std::optional<spirv::SourceLine> source = context.source_of(where);
    if (!source) return;
    json.key("source").begin_object();
    json.key("file").string(source->name).key("line").number(source->line).key("column").number(source->column);
    json.end_object();
  }

  const spirv::ValidateOptions& options_;
  const ParsedOptions& flags_;
  const std::string_view format_;
  const std::size_t limit_;
  const bool is_json_, warnings_are_errors_, records_, fixes_, shows_diff_, writes_text_, reports_fixes_;
  std::optional<Baseline> known_;
  std::mutex recording_;
  Baseline recorded_;
};

// Options that only --fix uses, and the ones that it cannot be combined with. Returns an empty text, or the problem.
std::string problem_of_fix(const ParsedOptions& options) {
  constexpr std::pair<OptionId, std::string_view> for_fixes[] = {{OptionId::Diff, "--diff"},
                                                                 {OptionId::Text, "--text"},
                                                                 {OptionId::Output, "-o"},
                                                                 {OptionId::OutDir, "--out-dir"},
                                                                 {OptionId::Force, "--force"}};
  if (!options.has(OptionId::Fix)) {
    for (const auto& [id, name] : for_fixes) {
      if (options.has(id)) return std::string(name) + " needs --fix";
    }
    return {};
  }
  if (options.has(OptionId::WriteBaseline)) return "--fix and --write-baseline cannot be combined";
  const std::string_view format = options.value(OptionId::DiagnosticsFormat, options.value(OptionId::Format));
  const bool findings_go_to_output = format == "json" || format == "sarif" || format == "github";
  const bool has_file = options.has(OptionId::OutDir) || options.value(OptionId::Output, "-") != "-";
  if (!findings_go_to_output) return {};
  if (options.has(OptionId::Diff)) return "--diff and --format=" + std::string(format) + " cannot be combined";
  return has_file ? std::string() : "--fix with --format=" + std::string(format) + " needs -o FILE or --out-dir DIR";
}

}  // namespace

int run_val(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (const std::string problem = problem_of_fix(options); !problem.empty()) return usage_error(invocation, problem);
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  ChosenValidation validation;
  if (const int status = validation.load(invocation, chosen.grammar(), reporter); status != exit_status::fine) {
    return status;
  }
  Validation run(invocation, validation.options(), reporter.limit());
  if (options.has(OptionId::Baseline)) {
    const int status = run.read_baseline(invocation, reporter);
    if (status != exit_status::fine) return status;
  }
  const bool writes_modules = options.has(OptionId::Fix) && !options.has(OptionId::Diff);
  const std::string_view extension = options.has(OptionId::Text) ? ".spvasm" : "";
  const bool is_binary = writes_modules && extension.empty();
  const int status = run_batch(invocation, {{".spv", ".spvasm"}, extension, is_binary, run.refusal()}, reporter,
                               [&](const BatchItem& item) { return run.check(item); });
  if (!options.has(OptionId::Quiet)) reporter.summarize();
  if (!options.has(OptionId::WriteBaseline) || status == exit_status::usage) return status;
  return std::max(status, run.write_baseline(options.value(OptionId::WriteBaseline), invocation.streams, reporter));
}

}  // namespace vireo::cli
