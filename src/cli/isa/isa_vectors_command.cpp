// SPDX-License-Identifier: Apache-2.0
//
// vireo isa vectors: writes test vectors, words of a description with their texts, or compares a file of them
// (--check).
//
// A file of vectors records the current behaviour of a description. It is deterministic: the same
// description gives the same lines. A check only requires that each line still holds.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "cli/isa/isa_inputs.h"
#include "vireo/isa/vectors.h"

namespace vireo::cli {
namespace {

constexpr TextOption check_option("--check=FILE", "compare FILE with the current description; may be repeated",
                                  "Writes no vectors. Each difference is an error with its line.");
constexpr Flag faults_option("--with-remarks", "include words with faults");

constexpr auto isa_vectors_options =
    option_list(gen_option, mesa_compat_option, check_option, faults_option, isa_output_options);

// Lines are short: a system call for each would dominate the time.
constexpr std::size_t flush_at = std::size_t{1} << 16;

// The description applies to all files; each line names its generation. A missing file does not stop the check of the
// others.
int check_files(const Invocation& invocation, const isa::Model& model, Reporter& reporter) {
  int status = exit_status::fine;
  std::string summary;
  for (const std::string_view path : invocation.options.values(check_option)) {
    const std::optional<FileBytes> input = read_input(invocation, path, reporter);
    if (!input) {
      status = exit_status::no_file;
      continue;
    }
    Diagnostics diagnostics(reporter.limit());
    const isa::Replay replay =
        isa::replay_vectors(model, invocation.options.has(mesa_compat_option), input->text(), diagnostics);
    reporter.add({path, input->text()}, diagnostics);
    if (replay.differ != 0) status = std::max(status, exit_status::wrong_input);
    // One line per file on standard output, so that a log shows that the file was checked.
    summary.append(path).append(": ").append(std::to_string(replay.held)).append(" hold");
    if (replay.differ != 0) summary += ", " + std::to_string(replay.differ) + " differ";
    if (replay.skipped != 0) summary += ", " + std::to_string(replay.skipped) + " skipped";
    summary += '\n';
  }
  return std::max(status, print(invocation.streams, summary));
}

int run_isa_vectors(const Invocation& invocation) {
  if (invocation.operands().size() != 1) return usage_error(invocation, "expected a description");
  const std::string_view spec = invocation.operands()[0];
  Reporter reporter(invocation);
  int status = exit_status::fine;
  if (invocation.options.has(check_option)) {
    // Each line names its generation, so --gen needs no decoder here.
    const std::optional<isa::Model> model = load_spec(invocation, spec, reporter, status);
    return model ? check_files(invocation, *model, reporter) : status;
  }
  const std::unique_ptr<OpenDescription> open = open_description(invocation, reporter, status);
  if (!open) return status;

  Diagnostics diagnostics(reporter.limit());
  CommandOutput output(invocation);
  std::string lines;
  isa::make_vectors(open->decoder, {.includes_faulty_words = invocation.options.has(faults_option)},
                    [&](const isa::TestVector& vector) {
                      isa::append_json_line(lines, vector);
                      if (lines.size() < flush_at) return;
                      output.sink().write(lines);
                      lines.clear();
                    });
  output.sink().write(lines);
  status = output.finish(diagnostics);
  reporter.add({spec, {}}, diagnostics);
  return status;
}

}  // namespace

constinit const Command isa_vectors_command(
    "isa vectors", "SPEC", "write test vectors, words with their texts, for an XML description",
    "Writes JSON Lines: for every leaf of the generation, words that set each field to its extreme values and each "
    "override on and off, with their texts. 'asm' is the result of assembling the text: same_bits, same_text (another "
    "word with that text), or empty. The output depends only on the description. --check decodes and assembles "
    "recorded lines again, so that a file of them serves as a regression test. Custom fields are numbers.",
    "vireo isa vectors ir3.xml --gen 600 -o ir3-600.jsonl\n"
    "vireo isa vectors ir3.xml --check ir3-600.jsonl",
    "xml", isa_vectors_options, run_isa_vectors);

}  // namespace vireo::cli
