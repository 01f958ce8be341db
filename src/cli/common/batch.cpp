// SPDX-License-Identifier: Apache-2.0
//
// Converts many inputs in parallel and delivers the results in order.
//
// Threads share only the list of inputs. Each input has its own result (text, diagnostics, status).
// Results are delivered one at a time, in the order of the inputs, so the output does not depend on the number of
// threads.
#include "cli/common/batch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "cli/common/inputs.h"
#include "cli/common/output.h"
#include "cli/common/shared_options.h"
#include "support/io.h"
#include "support/parallel.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

// The result of one input. Keeps the input's bytes, because diagnostics show its lines.
struct Outcome {
  explicit Outcome(std::size_t limit) : diagnostics(limit) {}

  int status = exit_status::fine;
  FileBytes bytes;
  Diagnostics diagnostics;
  std::string shown;  // text that locations refer to, if not the input
  StringSink text;    // for standard output, if it cannot be written at once
};

// A progress line on the terminal, shown once a run takes long.
class ProgressLine {
 public:
  ProgressLine(const Streams& streams, std::size_t count)
      : descriptor_(streams.err),
        count_(count),
        // Not if output goes to the terminal as well: the line would appear in the middle of it.
        is_on_(count > 1 && ::isatty(streams.err) != 0 && ::isatty(streams.out) == 0),
        next_(Clock::now() + std::chrono::seconds(1)) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // The first second shows nothing, then ten updates a second: short runs do not flicker, and updates cost little.
  void show(std::size_t done, std::string_view name) {
    if (!is_on_ || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    std::string line = "\r\x1b[K" + std::to_string(done) + '/' + std::to_string(count_) + ' ';
    // The name is cut, because a carriage return cannot erase a line that wraps. It is escaped, because a file name may
    // contain escape sequences.
    append_printable(line, name.substr(0, 60));
    DescriptorSink(descriptor_).write(line);
    is_shown_ = true;
  }
  void clear() {
    if (is_shown_) DescriptorSink(descriptor_).write("\r\x1b[K");
    is_shown_ = false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  int descriptor_;
  std::size_t count_;
  bool is_on_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

struct Batch {
  const Invocation& invocation;
  const Conversion& convert;
  const Refusal& refuse;
  std::size_t limit;    // of diagnostics for each input
  DescriptorSink& out;  // standard output
  bool writes_at_once;  // one thread: standard output needs no buffering in memory

  Outcome process(const Input& input, std::size_t index) const {
    Outcome outcome(limit);
    Diagnostics& diagnostics = outcome.diagnostics;
    TextSink& sink = writes_at_once ? static_cast<TextSink&>(out) : outcome.text;
    Result<FileBytes> bytes = read_bytes(invocation.streams, input, diagnostics);
    // An unreadable file does not stop the conversion of the others.
    if (!bytes) {
      outcome.status = exit_status::no_file;
      if (refuse) {
        refuse(input.name(), diagnostics, sink);
        outcome.diagnostics = Diagnostics(limit);
      }
      return outcome;
    }
    outcome.bytes = std::move(bytes).value();
    const SourceText source(input.name(), outcome.bytes.text());
    if (!input.output.empty()) {
      convert_into_file(source, input.output, index, sink, outcome);
    } else {
      bool is_kept = false;
      const BatchItem item{source, sink, diagnostics, outcome.shown, sink, {}, index, is_kept};
      if (!convert(item)) outcome.status = exit_status::wrong_input;
    }
    diagnostics.sort_by_place();
    if (diagnostics.all().empty()) outcome.bytes = {};  // no diagnostic needs them
    return outcome;
  }

  void convert_into_file(const SourceText& source, const std::string& path, std::size_t index,
                         TextSink& standard_output, Outcome& outcome) const {
    OutputFile file(path);
    bool is_kept = false;
    const BatchItem item{source, file, outcome.diagnostics, outcome.shown, standard_output, path, index, is_kept};
    const bool is_converted = convert(item);
    // A conversion that could not write, because the file was full, also returns false; commit() reports that. Any other
    // one has shown its errors: as diagnostics, or in its own format.
    const bool is_wrong = !is_converted && !file.has_failed();
    if (is_wrong) outcome.status = exit_status::wrong_input;
    if (is_wrong && !is_kept) return;
    if (!file.commit(outcome.diagnostics)) outcome.status = exit_status::no_file;
  }
};

// Sets the outputs from -o or --out-dir. Returns an empty text, or the problem.
std::string place_outputs(const Invocation& invocation, const BatchRules& rules, std::vector<Input>& inputs) {
  const ParsedOptions& options = invocation.options;
  // Without -o the output is "-", standard output.
  const std::string_view output = options.value(output_option, "-");
  const std::string_view folder = options.value(out_dir_option);
  if (options.has(out_dir_option)) {
    if (options.has(output_option)) return "-o and --out-dir cannot be combined";
    return folder.empty() ? "--out-dir needs the name of a folder"
                          : plan_outputs(inputs, folder, rules.output_extension);
  }
  if (output.empty()) return "-o needs the name of a file";
  // Several texts may share one stream; several modules may not.
  const bool are_several = std::ranges::count_if(inputs, [](const Input& input) { return input.problem.empty(); }) > 1;
  if (are_several && (output != "-" || rules.is_binary)) return "several inputs need --out-dir";
  if (output != "-") {
    for (Input& input : inputs) input.output = output;
  } else if (rules.is_binary && ::isatty(invocation.streams.out) != 0 && !options.has(force_option)) {
    return "not writing a binary to a terminal; use -o FILE, or --force";
  }
  return {};
}

// Creates the folders of the planned outputs before any thread starts, so that a failure is reported once. Inputs are
// sorted, so equal folders are adjacent.
bool make_output_folders(const std::vector<Input>& inputs, std::string_view out_dir, Diagnostics& diagnostics) {
  if (!make_folders(out_dir, diagnostics)) return false;
  std::string last;
  for (const Input& input : inputs) {
    if (!input.problem.empty()) continue;
    std::string folder = input.output.substr(0, input.output.rfind('/') + 1);
    if (folder == last) continue;
    if (!make_folders(folder, diagnostics)) return false;
    last = std::move(folder);
  }
  return true;
}

}  // namespace

// One input starts no thread: creating one costs as much as a small module. More than 256 threads would only wait for each
// other.
unsigned thread_count(const ParsedOptions& options, std::size_t inputs) {
  const auto wanted = static_cast<unsigned>(std::min<std::size_t>(options.count(jobs_option, 0), 256));
  if (inputs <= 1) return 1;
  return wanted == 0 ? std::min(hardware_threads(), 256u) : wanted;
}

int run_batch(const Invocation& invocation, const BatchRules& rules, Reporter& reporter, const Conversion& convert) {
  const ParsedOptions& options = invocation.options;
  Diagnostics diagnostics(reporter.limit());
  std::vector<Input> inputs = expand_inputs(invocation.operands(), rules.input_extensions, invocation.streams.in);
  int status = exit_status::fine;

  if (const std::string problem = place_outputs(invocation, rules, inputs); !problem.empty()) {
    return usage_error(invocation, problem);
  }
  const bool has_folder =
      !options.has(out_dir_option) || make_output_folders(inputs, options.value(out_dir_option), diagnostics);
  reporter.add({"vireo", ""}, diagnostics);
  if (!has_folder) return exit_status::no_file;

  const unsigned threads = thread_count(options, inputs.size());

  // Declared before the call: deliver_in_order() returns only when all threads have ended.
  DescriptorSink out(invocation.streams.out);
  ProgressLine progress(invocation.streams, inputs.size());
  const Batch batch{invocation, convert, rules.refuse, reporter.limit(), out, threads == 1};
  deliver_in_order<Outcome>(
      inputs.size(), threads, [&](std::size_t i) { return batch.process(inputs[i], i); },
      [&](std::size_t i, Outcome& outcome) {
        out.write(outcome.text.text());
        if (!outcome.diagnostics.all().empty()) {
          out.flush();  // keeps text and diagnostics in order if both go to one descriptor
          progress.clear();
          const std::string_view text = outcome.shown.empty() ? outcome.bytes.text() : std::string_view(outcome.shown);
          reporter.add({inputs[i].name(), text}, outcome.diagnostics);
        }
        // The highest status counts: 3 (a file cannot be read or written) over 1 (an input is wrong).
        status = std::max(status, outcome.status);
        progress.show(i + 1, inputs[i].path);
      });
  progress.clear();
  // Flushed last, and checked: a full disk must not end with status 0.
  Diagnostics refused;
  if (flush_standard_output(out, refused)) return status;
  reporter.add({"vireo", ""}, refused);
  return exit_status::no_file;
}

}  // namespace vireo::cli
