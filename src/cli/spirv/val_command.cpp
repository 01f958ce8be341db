// SPDX-License-Identifier: Apache-2.0
//
// vireo val: verdicts and findings.
//
// The one idea: the library says what is wrong with words; this file decides what they came from and what people see of
// it. Text is assembled first, and findings point into it; a binary is disassembled when there is something to point at.
// With --format=json everything goes to standard output, a line a finding and a line a verdict.
#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/batch.h"
#include "cli/common/commands.h"
#include "cli/common/inputs.h"
#include "cli/spirv/assembled_text.h"
#include "cli/spirv/baseline.h"
#include "cli/spirv/finding_context.h"
#include "cli/spirv/grammar_option.h"
#include "cli/spirv/val_options.h"
#include "support/io.h"
#include "support/json_writer.h"
#include "support/render/render_machine.h"
#include "vireo/spirv/assemble.h"
#include "vireo/spirv/listing.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/validate.h"
#include "vireo/support/render.h"

namespace vireo::cli {
namespace {

// What was validated: the words, and how they came of a text if they did.
struct Subject {
  spirv::WordBuffer assembled;
  std::optional<spirv::ModuleWords> read;
  spirv::AssembleOptions assembly;
  bool is_text = false;

  [[nodiscard]] spirv::Words words() const { return read ? read->words() : spirv::Words(assembled); }
};

bool read_subject(const SourceText& input, const spirv::ValidateOptions& validation, Diagnostics& diagnostics,
                  Subject& subject) {
  if (looks_like_assembly(input.text)) {
    subject.is_text = true;
    spirv::AssembleOptions& assembly = subject.assembly;
    assembly.grammar = validation.grammar;
    assembly.preserve_numeric_ids = true;  // a message about %12 is about the %12 of the text
    Result<spirv::WordBuffer> words = spirv::assemble(input, assembly, diagnostics);
    if (!words) return false;
    // But such a number may be larger than ids may be in words; the name is what messages say anyway.
    if ((*words)[3] > validation.limits.id_bound) {
      assembly.preserve_numeric_ids = false;
      words = spirv::assemble(input, assembly, diagnostics);
      if (!words) return false;
    }
    subject.assembled = std::move(*words);
    // A text that states no version is of the newest one that the environment takes.
    const bool states_version = input.text.find("; Version:") != std::string_view::npos;
    if (!states_version) subject.assembled[1] = validation.environment.version.to_word();
    return true;
  }
  Result<spirv::ModuleWords> words = spirv::read_module_words(input.text, diagnostics);
  if (words) subject.read.emplace(std::move(*words));
  return words.ok();
}

void take_all(const Diagnostics& from, Diagnostics& to) {
  for (const Diagnostic& diagnostic : from.all()) to.report(diagnostic);
}

// What was found and not kept, so that people hear of it.
void count_rest(const Diagnostics& found, Diagnostics& to) {
  const auto kept = [&](Severity severity) {
    return static_cast<std::size_t>(std::ranges::count(found.all(), severity, &Diagnostic::severity));
  };
  to.count(Severity::Error, found.error_count() - kept(Severity::Error));
  to.count(Severity::Warning, found.warning_count() - kept(Severity::Warning));
}

// Who compiled the module from something else wants to see that: where the instruction comes from, as far as the module
// says so.
Diagnostics with_sources(const Diagnostics& found, const FindingContext& context) {
  Diagnostics told(std::numeric_limits<std::size_t>::max());
  for (Diagnostic diagnostic : found.all()) {
    if (const std::optional<spirv::SourceLine> source = context.source_of(diagnostic.where)) {
      std::string text = "from " + std::string(source->name) + ':' + std::to_string(source->line);
      if (source->column != 0) text += ':' + std::to_string(source->column);
      if (const std::string function = context.function_of(diagnostic.where); !function.empty())
        text += " in " + function;
      diagnostic.notes.push_back({Location::none(), std::move(text)});
    }
    told.report(std::move(diagnostic));
  }
  return told;
}

// One invocation: what is checked how, and what becomes of what is found.
class Validation {
 public:
  Validation(const Invocation& invocation, const spirv::ValidateOptions& options, std::size_t limit)
      : options_(options),
        limit_(limit),
        is_json_(invocation.options.value(OptionId::Format) == "json"),
        records_(invocation.options.has(OptionId::WriteBaseline)) {}

  /// Reads the file of --baseline. An exit status.
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

  /// Writes the file of --write-baseline. An exit status.
  int write_baseline(std::string_view path, const Streams& streams, Reporter& reporter) const {
    if (path == "-") return print(streams, recorded_.text());
    Diagnostics diagnostics;
    OutputFile file(path);
    file.write(recorded_.text());
    const bool is_written = file.commit(diagnostics);
    reporter.add({"vireo", ""}, diagnostics);
    return is_written ? exit_status::fine : exit_status::no_file;
  }

  /// One input, on any thread.
  bool check(const BatchItem& item) {
    // What is compared with a baseline is compared in full.
    const bool wants_all = records_ || known_;
    const std::size_t limit = wants_all ? std::numeric_limits<std::size_t>::max() : limit_;
    Diagnostics found(limit);
    Subject subject;
    const bool is_read = read_subject(item.input, options_, found, subject);
    bool is_valid = is_read;
    std::optional<AssembledText> text;
    std::optional<spirv::Listing> listing;
    if (is_read) {
      spirv::ValidateOptions options = options_;
      options.max_findings = limit;
      // Messages speak of ids as the text does that people see: theirs, or the disassembly of a binary.
      if (subject.is_text) {
        text.emplace(item.input, subject.assembly, subject.words());
        options.name_of_id = [&](spirv::Word id) { return text->name_of(id); };
      } else {
        listing.emplace(subject.words(), options.grammar);
        options.name_of_id = [&](spirv::Word id) { return listing->name_of(id); };
      }
      is_valid = spirv::validate(subject.words(), options, found);
    }
    std::optional<FindingContext> context;
    if (is_read && !found.all().empty()) context.emplace(subject.words(), *options_.grammar);
    const FindingContext* const in_module = context ? &*context : nullptr;
    if (records_ && is_read) {
      const std::lock_guard lock(recording_);
      recorded_.record(found, item.input.name, in_module);
      return true;  // known from now on
    }
    if (known_ && is_read) {
      found = known_->without_known(found, item.input.name, in_module, limit_);
      is_valid = !found.has_errors();
    }
    if (is_json_) {
      write_json(item.input, found, subject, text ? &*text : nullptr, in_module, is_valid, item.output);
    } else if (!is_read || found.all().empty()) {
      take_all(found, item.diagnostics);
    } else {
      const Diagnostics told = with_sources(found, *context);
      take_all(listing ? listing->point_into_text(told) : spirv::point_into_text(told, subject.words(), text->map()),
               item.diagnostics);
      if (listing) item.shown = listing->text();
      count_rest(found, item.diagnostics);
    }
    return is_valid;
  }

  /// What becomes of an input that cannot be read. A script that counts verdicts finds one for it, too.
  [[nodiscard]] Refusal refusal() const {
    if (!is_json_) return {};
    return [](std::string_view name, const Diagnostics& why, TextSink& output) {
      write_json({name, {}}, why, {}, nullptr, nullptr, false, output);
    };
  }

 private:
  // Findings and the verdict of one input. Those about words have lines, too, where the input was text.
  static void write_json(const SourceText& input, const Diagnostics& found, const Subject& subject,
                         const AssembledText* text, const FindingContext* context, bool is_valid, TextSink& output) {
    JsonWriter json(output);
    std::optional<Diagnostics> in_text;
    if (text != nullptr && context != nullptr)
      in_text.emplace(spirv::point_into_text(found, subject.words(), text->map()));
    // What keeps an input from being read has a place in its text; of a binary that was read nothing has.
    RecordWriter records(json, {input.name, subject.read ? std::string_view() : input.text});
    for (std::size_t i = 0; i < found.all().size(); ++i) {
      const Diagnostic& diagnostic = found.all()[i];
      records.begin(diagnostic, in_text ? &in_text->all()[i] : nullptr);
      const spirv::ValidationRule* rule = spirv::find_validation_rule(diagnostic.rule);
      if (rule != nullptr && !rule->vuid.empty()) json.key("vuid").string(rule->vuid);
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
  const std::size_t limit_;
  const bool is_json_, records_;
  std::optional<Baseline> known_;
  std::mutex recording_;
  Baseline recorded_;
};

}  // namespace

int run_val(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
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
  const int status = run_batch(invocation, {{".spv", ".spvasm"}, "", false, run.refusal()}, reporter,
                               [&](const BatchItem& item) { return run.check(item); });
  if (!options.has(OptionId::WriteBaseline) || status == exit_status::usage) return status;
  return std::max(status, run.write_baseline(options.value(OptionId::WriteBaseline), invocation.streams, reporter));
}

}  // namespace vireo::cli
