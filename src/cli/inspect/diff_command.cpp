// SPDX-License-Identifier: Apache-2.0
//
// vireo diff: compares two modules, two directories, or two versions of a file for Git.
//
// Whatever the arguments are, they become a list of pairs of files. Exit statuses are those of diff:
// 0 equal, 1 different, 2 trouble.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/compatibility.h"
#include "cli/common/inputs.h"
#include "cli/common/output.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "cli/module/subject.h"
#include "spirv/rules.h"
#include "support/io.h"
#include "support/json_writer.h"
#include "vireo/spirv/inspect/diff.h"

namespace vireo::cli {
namespace {

constexpr Flag ignore_debug_option("--ignore-debug", "ignore names, debug information and the generator",
                                   "Both modules are compared without what 'vireo strip --debug --names' removes.");
constexpr Flag ignore_set_binding_option("--ignore-set-binding", "ignore the decorations DescriptorSet and Binding");
constexpr Flag ignore_location_option("--ignore-location", "ignore the decoration Location");
constexpr CountOption unified_option("-U, --unified=N", "show N unchanged instructions around each change (3)");
constexpr Flag brief_option("-q, --brief", "print only which modules differ");
constexpr Option diff_format_option =
    format_with("text|json|human|short|sarif|github", "output format (text)",
                "json prints one document per line for each pair of modules. human, short, sarif and github select the "
                "format of the diagnostics, as in other commands; --diagnostics-format takes precedence.");
constexpr Flag id_map_option("--with-id-map", "also print the ids that correspond to each other");

constexpr auto diff_options =
    option_list(ignore_debug_option, ignore_set_binding_option, ignore_location_option, unified_option, brief_option,
                diff_format_option, output_option, grammar_option, reporting_options);
constexpr auto spirv_diff_options =
    option_list(no_indent_option, no_header_option, ignore_set_binding_option, id_map_option, ignore_location_option,
                reference_color_options, reference_help_options);

// The statuses of diff.
constexpr int equal = 0, different = 1, trouble = 2;

constexpr std::uint32_t most_context = std::numeric_limits<std::uint32_t>::max() / 4;  // lines

// Git names this file where a version of a file does not exist.
constexpr std::string_view git_null_path = "/dev/null";
// path, old file, hash, mode, new file, hash, mode; for a renamed file also its new path and the similarity.
constexpr std::size_t git_operand_count = 7, git_operand_count_of_rename = 9;

struct ComparedFile {
  std::string path;
  std::string name;  // shown
  bool is_missing = false;
};
struct FilePair {
  ComparedFile before, after;
  std::string folder = {};  // of two directories, one that has the file
};

// A module of a pair. The subject refers to the bytes.
struct ComparedModule {
  std::optional<FileBytes> bytes;
  Subject subject;

  [[nodiscard]] Function<std::string(spirv::Word)> names() const {
    if (!subject.is_text()) return {};
    return [this](spirv::Word id) { return subject.text->name_of(id); };
  }
};

class DiffCommand {
 public:
  DiffCommand(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter, TextSink& out,
              bool is_git)
      : invocation_(invocation), reporter_(reporter), out_(out), is_git_(is_git) {
    const ParsedOptions& given = invocation.options;
    options_.grammar = &grammar;
    options_.ignore_debug = given.has(ignore_debug_option);
    options_.ignore_set_binding = given.has(ignore_set_binding_option);
    options_.ignore_location = given.has(ignore_location_option);
    is_json_ = given.value(format_option) == "json";
    is_brief_ = given.has(brief_option);
    text_.context = std::min(given.count_up_to_max(unified_option, 3), most_context);
    text_.color = writes_to_standard_output(given) ? wants_color(given, invocation.streams.out)
                                                   : given.value(color_option) == "always";
  }

  // Returns the status.
  int compare(const FilePair& pair) {
    if (pair.before.is_missing != pair.after.is_missing && !is_git_) return report_missing(pair);
    ComparedModule before, after;
    const bool has_before = pair.before.is_missing || read(pair.before, before);
    const bool has_after = pair.after.is_missing || read(pair.after, after);
    if (!has_before || !has_after) return trouble;
    // Everything is new, or was removed.
    if (pair.before.is_missing) before.subject.assembled = header_of(after.subject.words());
    if (pair.after.is_missing) after.subject.assembled = header_of(before.subject.words());
    Diagnostics diagnostics(reporter_.limit());
    const Result<spirv::ModuleDiff> diff =
        spirv::ModuleDiff::compare(before.subject.words(), after.subject.words(), options_, diagnostics);
    if (!diff) {
      report_undecodable(pair, before, after);
      return trouble;
    }
    spirv::DiffTextOptions text = text_;
    text.before_name = pair.before.name;
    text.after_name = pair.after.name;
    text.name_of_id_before = before.names();
    text.name_of_id_after = after.names();
    if (is_json_) {
      spirv::write_diff_json(*diff, text, out_);
    } else if (is_brief_) {
      if (!diff->is_equal()) out_.write(fmt::format("Modules {} and {} differ\n", text.before_name, text.after_name));
    } else {
      spirv::write_diff_text(*diff, text, out_);
    }
    return diff->is_equal() ? equal : different;
  }

 private:
  static spirv::WordBuffer header_of(spirv::Words words) {
    return {words.begin(),
            words.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(words.size(), spirv::header_word_count))};
  }

  bool read(const ComparedFile& file, ComparedModule& module) {
    module.bytes = read_input(invocation_, file.path, reporter_);
    if (!module.bytes) return false;
    Diagnostics diagnostics(reporter_.limit());
    const SourceText source{file.name, module.bytes->text()};
    std::optional<Subject> subject = read_subject(source, {.grammar = options_.grammar}, diagnostics);
    reporter_.add(source, diagnostics);
    if (subject) module.subject = std::move(*subject);
    return subject.has_value();
  }

  // A comparison with itself finds the faults of one module.
  void report_undecodable(const FilePair& pair, const ComparedModule& before, const ComparedModule& after) {
    const auto report = [&](const ComparedFile& file, const ComparedModule& module) {
      if (file.is_missing) return;
      Diagnostics diagnostics(reporter_.limit());
      const spirv::Words words = module.subject.words();
      const bool has_faults = !spirv::ModuleDiff::compare(words, words, options_, diagnostics);
      if (has_faults) reporter_.add({file.name, module.bytes->text()}, diagnostics);
    };
    report(pair.before, before);
    report(pair.after, after);
  }

  int report_missing(const FilePair& pair) {
    if (!is_json_) {
      const ComparedFile& present = pair.before.is_missing ? pair.after : pair.before;
      out_.write(fmt::format("Only in {}: {}\n", pair.folder, present.name.substr(pair.folder.size() + 1)));
      return different;
    }
    JsonWriter json(out_);
    const auto name = [&](std::string_view key, const ComparedFile& file) {
      json.key(key);
      if (file.is_missing) json.null();
      else json.string(file.name);
    };
    json.begin_object();
    name("before", pair.before);
    name("after", pair.after);
    json.key("equal").boolean(false).key("changes").begin_array().end_array().end_object();
    json.end_document();
    return different;
  }

  const Invocation& invocation_;
  Reporter& reporter_;
  TextSink& out_;
  spirv::DiffOptions options_;
  spirv::DiffTextOptions text_;
  const bool is_git_;  // called by Git, which names a missing file
  bool is_json_ = false, is_brief_ = false;
};

// The modules below two directories, paired by their paths there.
std::vector<FilePair> pairs_in(const std::string& before, const std::string& after, const Invocation& invocation,
                               Reporter& reporter, bool& has_problem) {
  std::map<std::string, FilePair> pairs;  // by path below the directories
  constexpr std::string_view extensions[] = {".spv", ".spvasm"};
  const auto add = [&](const std::string& folder, ComparedFile FilePair::*side) {
    const std::string operands[] = {folder};
    for (const Input& input : expand_inputs(operands, extensions, invocation.streams.in)) {
      if (!input.problem.empty()) {
        Diagnostics diagnostics;
        diagnostics.error(rule::cannot_read, Location::none(), input.problem);
        reporter.add({input.name(), {}}, diagnostics);
        has_problem = true;
        continue;
      }
      FilePair fresh;
      fresh.before.is_missing = fresh.after.is_missing = true;
      FilePair& pair = pairs.try_emplace(input.path.substr(input.root), fresh).first->second;
      pair.*side = {input.path, input.path, false};
      pair.folder = input.path.substr(0, input.root - 1);
    }
  };
  add(before, &FilePair::before);
  add(after, &FilePair::after);
  std::vector<FilePair> sorted;
  sorted.reserve(pairs.size());
  for (auto& [path, pair] : pairs) sorted.push_back(std::move(pair));
  return sorted;
}

std::string first_error(const Diagnostics& diagnostics) {
  const auto found = std::ranges::find(diagnostics.all(), Severity::Error, &Diagnostic::severity);
  return found == diagnostics.all().end() ? std::string() : found->message;
}

ComparedFile file_at(const std::string& path) { return {path, std::string(name_of_input(path)), false}; }

// "dir/a.spv" for the directory "dir" beside the file "x/a.spv".
std::string path_in(const std::string& folder, const std::string& file) {
  return folder + (folder.ends_with('/') ? "" : "/") + file.substr(file.rfind('/') + 1);
}

int run_diff(const Invocation& invocation) {
  std::vector<std::string> operands = invocation.operands();
  // Git passes only the path of a file that has conflicts.
  if (operands.size() == 1 && std::getenv("GIT_DIFF_PATH_TOTAL") != nullptr) {
    return print(invocation.streams, "* Unmerged path " + operands[0] + '\n');
  }
  const bool is_git = operands.size() == git_operand_count || operands.size() == git_operand_count_of_rename;
  if (operands.size() != 2 && !is_git) return usage_error(invocation, "expected two modules or two directories");
  if (invocation.options.has(brief_option) && invocation.options.value(format_option) == "json") {
    return usage_error(invocation, "--brief and --format=json exclude each other");
  }
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (chosen.load(invocation, reporter) != exit_status::fine) return trouble;

  std::vector<FilePair> pairs;
  bool has_problem = false;
  if (is_git) {
    const std::string& path = operands[0];
    const std::string& new_path = operands.size() == git_operand_count_of_rename ? operands[7] : path;
    const auto version = [](const std::string& file, const std::string& name) {
      const bool is_missing = file == git_null_path;
      return ComparedFile{file, is_missing ? file : name, is_missing};
    };
    pairs.push_back({version(operands[1], "a/" + path), version(operands[4], "b/" + new_path)});
  } else if (is_directory(operands[0]) && is_directory(operands[1])) {
    pairs = pairs_in(operands[0], operands[1], invocation, reporter, has_problem);
  } else {
    if (is_directory(operands[0])) operands[0] = path_in(operands[0], operands[1]);
    else if (is_directory(operands[1])) operands[1] = path_in(operands[1], operands[0]);
    pairs.push_back({file_at(operands[0]), file_at(operands[1])});
  }

  CommandOutput output(invocation);
  DiffCommand command(invocation, chosen.grammar(), reporter, output.sink(), is_git);
  int status = has_problem ? trouble : equal;
  for (const FilePair& pair : pairs) status = std::max(status, command.compare(pair));

  Diagnostics diagnostics;
  const bool is_written = output.commit(diagnostics);
  reporter.add({"vireo diff", {}}, diagnostics);
  if (!is_written) return trouble;
  // Git stops at any other status.
  return is_git ? equal : status;
}

// Like the reference, it shows the first module as a whole.
int run_spirv_diff(const Invocation& invocation) {
  const ParsedOptions& given = invocation.options;
  const Streams& streams = invocation.streams;
  const std::vector<std::string>& operands = invocation.operands();
  if (operands.size() != 2) return complain(streams, "two input files required.");
  ComparedModule modules[2];
  spirv::DiffOptions options;
  options.ignore_set_binding = given.has(ignore_set_binding_option);
  options.ignore_location = given.has(ignore_location_option);
  Diagnostics diagnostics;
  CompatibilityInput inputs[2];  // the modules may refer to their bytes
  for (std::size_t m = 0; m < 2; ++m) {
    CompatibilityInput& input = inputs[m];
    input = read_input(streams, operands[m]);
    if (!input.problem.empty()) return complain(streams, input.problem);
    std::optional<Subject> subject = read_subject({operands[m], input.bytes.text()}, {}, diagnostics);
    if (!subject) return complain(streams, first_error(diagnostics));
    modules[m].subject = std::move(*subject);
  }
  const Result<spirv::ModuleDiff> diff =
      spirv::ModuleDiff::compare(modules[0].subject.words(), modules[1].subject.words(), options, diagnostics);
  if (!diff) return complain(streams, first_error(diagnostics));
  spirv::DiffTextOptions text;
  text.before_name = operands[0];
  text.after_name = operands[1];
  text.context = most_context;
  text.header = !given.has(no_header_option);
  text.color = wants_color(given, streams.out);
  text.name_of_id_before = modules[0].names();
  text.name_of_id_after = modules[1].names();
  StringSink out;
  spirv::write_diff_text(*diff, text, out);
  std::string all = std::move(out).text();
  if (given.has(id_map_option)) {
    all += "  Src ->   Dst\n";
    for (const spirv::IdPair& pair : diff->id_pairs()) all += fmt::format("{:5} -> {:5}\n", pair.before, pair.after);
  }
  return print(streams, all) == exit_status::fine ? 0 : usage_status;
}

}  // namespace

constinit const Command diff_command(
    "diff", "BEFORE AFTER", "compare two SPIR-V modules by meaning",
    "Prints the differences in the unified format of diff; a line is an instruction. Ids are compared by their "
    "definitions, not by their numbers. The order of declarations, functions and blocks is ignored. So modules are "
    "equal if they differ only in ids and order.\n\n"
    "The inputs are binaries or assembly texts; '-' is standard input. For two directories, the *.spv and *.spvasm "
    "files with equal paths are compared. With the arguments of GIT_EXTERNAL_DIFF, the command compares two versions "
    "of a file for Git; the exit status is then 0, unless the command line is wrong or the output cannot be written.",
    "vireo diff old.spv new.spv\n"
    "vireo diff --ignore-debug --format=json old.spv new.spv\n"
    "vireo diff -q shaders/ build/shaders/\n"
    "GIT_EXTERNAL_DIFF='vireo diff --color' git diff -- '*.spv'",
    "spv|spvasm", diff_options, run_diff, {.compares = true});

constinit const Command spirv_diff_command(
    "spirv-diff", "BEFORE AFTER", "compare two modules",
    "Prints the differences as 'vireo diff' does, with the whole of the first module around them. The inputs are "
    "binaries or assembly texts. The exit status is 0 with or without differences, and 1 after an error.",
    "", "spv|spvasm", spirv_diff_options, run_spirv_diff, {.imitation = Imitation::Program});

}  // namespace vireo::cli
