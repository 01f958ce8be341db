// SPDX-License-Identifier: Apache-2.0
//
// vireo isa vectors: writes test vectors, words of a description with their texts, or compares a file of them
// (--check).
//
// The one idea: a file of vectors records the current behaviour of a description. It is deterministic: the same
// description gives the same lines. A check only requires that each line still holds.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "cli/isa/isa_inputs.h"
#include "cli/isa/isa_output.h"
#include "vireo/isa/vectors.h"

namespace vireo::cli {
namespace {

// Lines are short: a system call for each would dominate the time.
constexpr std::size_t flush_at = std::size_t{1} << 16;

// The description applies to all files; each line names its generation. A missing file does not stop the check of the
// others.
int check_files(const Invocation& invocation, const isa::Model& model, Reporter& reporter) {
  int status = exit_status::fine;
  std::string summary;
  for (const std::string_view path : invocation.options.values(OptionId::Check)) {
    const std::optional<FileBytes> input = read_input(invocation, path, reporter);
    if (!input) {
      status = exit_status::no_file;
      continue;
    }
    Diagnostics diagnostics(reporter.limit());
    const isa::Replay replay =
        isa::replay_vectors(model, invocation.options.has(OptionId::MesaCompat), input->text(), diagnostics);
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

}  // namespace

int run_isa_vectors(const Invocation& invocation) {
  if (invocation.operands().size() != 1) return usage_error(invocation, "expected a description");
  const std::string_view spec = invocation.operands()[0];
  Reporter reporter(invocation);
  int status = exit_status::fine;
  if (invocation.options.has(OptionId::Check)) {
    // Each line names its generation, so --gen needs no decoder here.
    const std::optional<isa::Model> model = load_spec(invocation, spec, reporter, status);
    return model ? check_files(invocation, *model, reporter) : status;
  }
  const std::unique_ptr<OpenDescription> open = open_description(invocation, reporter, status);
  if (!open) return status;

  Diagnostics diagnostics(reporter.limit());
  IsaOutput output(invocation);
  std::string lines;
  isa::make_vectors(open->decoder, {.includes_faulty_words = invocation.options.has(OptionId::Faults)},
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

}  // namespace vireo::cli
