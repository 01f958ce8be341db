// SPDX-License-Identifier: Apache-2.0
//
// Inputs through a conversion, many at once, results in order.
//
// The one idea: threads share nothing but the list of inputs. Each input has an outcome of its own (text, diagnostics,
// status), and outcomes are delivered one at a time, in the order of the inputs: what is seen never depends on how many
// worked.
#include "cli/common/batch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "cli/common/inputs.h"
#include "support/io.h"
#include "support/parallel.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

// What became of one input. Keeps the input's bytes: diagnostics show lines of them.
struct Outcome {
  explicit Outcome(std::size_t limit) : diagnostics(limit) {}

  int status = exit_status::fine;
  FileBytes bytes;
  Diagnostics diagnostics;
  std::string shown;  // what places refer to, instead of those bytes
  StringSink text;    // for standard output, when it cannot be written at once
};

// A line on the terminal that says how far the work is, once it has taken a while.
class ProgressLine {
 public:
  ProgressLine(const Streams& streams, std::size_t count)
      : descriptor_(streams.err),
        count_(count),
        // Not where output goes to the terminal as well: the line would stand in the middle of it.
        is_on_(count > 1 && ::isatty(streams.err) != 0 && ::isatty(streams.out) == 0),
        next_(Clock::now() + std::chrono::seconds(1)) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // A second of silence first, then ten lines a second: short runs flicker nothing, and long ones spend no time on it.
  void show(std::size_t done, std::string_view name) {
    if (!is_on_ || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    std::string line = "\r\x1b[K" + std::to_string(done) + '/' + std::to_string(count_) + ' ';
    // Cut, as a line that wraps cannot be erased by its carriage return; printable, as a name may hold anything but NUL
    // and a slash, escape sequences included.
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
  std::size_t limit;    // of diagnostics an input
  DescriptorSink& out;  // standard output
  bool writes_at_once;  // one thread: text for standard output needs no detour through memory

  Outcome process(const Input& input) const {
    Outcome outcome(limit);
    Diagnostics& diagnostics = outcome.diagnostics;
    TextSink& sink = writes_at_once ? static_cast<TextSink&>(out) : outcome.text;
    Result<FileBytes> bytes = read(input, diagnostics);
    // One file that cannot be read does not keep the others from being done.
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
      convert_into_file(source, input.output, outcome);
    } else {
      if (!convert({source, sink, diagnostics, outcome.shown})) outcome.status = exit_status::wrong_input;
    }
    diagnostics.sort_by_place();
    if (diagnostics.all().empty()) outcome.bytes = {};  // nobody will look at them again
    return outcome;
  }

  Result<FileBytes> read(const Input& input, Diagnostics& diagnostics) const {
    if (!input.problem.empty()) return diagnostics.error(rule::cannot_read, Location::none(), input.problem);
    if (!input.is_standard_input()) return read_file(input.path, diagnostics);
    return read_descriptor(invocation.streams.in, input.name(), diagnostics);
  }

  void convert_into_file(const SourceText& source, const std::string& path, Outcome& outcome) const {
    OutputFile file(path);
    const bool is_kept = convert({source, file, outcome.diagnostics, outcome.shown});
    if (!is_kept && outcome.diagnostics.has_errors()) {
      outcome.status = exit_status::wrong_input;
    } else if (!file.commit(outcome.diagnostics)) {  // a conversion that stopped without an error: the file was full
      outcome.status = exit_status::no_file;
    }
  }
};

// Where outputs go: -o or --out-dir. An empty text, or what is wrong.
std::string place_outputs(const Invocation& invocation, const BatchRules& rules, std::vector<Input>& inputs) {
  const ParsedOptions& options = invocation.options;
  // "-" is what nothing means here: standard output, as with every tool that reads standard input.
  const std::string_view output = options.value(OptionId::Output, "-");
  const std::string_view folder = options.value(OptionId::OutDir);
  if (options.has(OptionId::OutDir)) {
    if (options.has(OptionId::Output)) return "-o and --out-dir exclude each other";
    return folder.empty() ? "--out-dir needs the name of a folder"
                          : plan_outputs(inputs, folder, rules.output_extension);
  }
  if (output.empty()) return "-o needs the name of a file";
  // Texts may follow each other in one stream; a second module behind the first would be no module.
  const bool are_several = std::ranges::count_if(inputs, [](const Input& input) { return input.problem.empty(); }) > 1;
  if (are_several && (output != "-" || rules.is_binary)) return "several inputs need --out-dir";
  if (output != "-") {
    for (Input& input : inputs) input.output = output;
  } else if (rules.is_binary && ::isatty(invocation.streams.out) != 0 && !options.has(OptionId::Force)) {
    return "not writing a binary to a terminal; use -o FILE, or --force";
  }
  return {};
}

// Before any thread starts: two that make the same folder would have to agree on who reports its failure.
// The folders of planned outputs, each made once; inputs come sorted, so neighbours share theirs.
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

int run_batch(const Invocation& invocation, const BatchRules& rules, Reporter& reporter, const Conversion& convert) {
  const ParsedOptions& options = invocation.options;
  Diagnostics diagnostics(reporter.limit());
  std::vector<Input> inputs = expand_inputs(invocation.operands(), rules.input_extensions, invocation.streams.in);
  int status = exit_status::fine;

  if (const std::string problem = place_outputs(invocation, rules, inputs); !problem.empty()) {
    return usage_error(invocation, problem);
  }
  const bool has_folder =
      !options.has(OptionId::OutDir) || make_output_folders(inputs, options.value(OptionId::OutDir), diagnostics);
  reporter.add({"vireo", ""}, diagnostics);
  if (!has_folder) return exit_status::no_file;

  // One input starts no thread: making one costs as much as a small module. More than 256 would only wait for each other.
  const bool is_single = inputs.size() <= 1;
  const auto wanted = static_cast<unsigned>(std::min<std::size_t>(options.count(OptionId::Jobs, 0), 256));
  const unsigned threads = is_single ? 1 : wanted == 0 ? std::min(hardware_threads(), 256u) : wanted;

  // Above the threads, as deliver_in_order() returns only when all of them have ended.
  DescriptorSink out(invocation.streams.out);
  ProgressLine progress(invocation.streams, inputs.size());
  const Batch batch{invocation, convert, rules.refuse, reporter.limit(), out, threads == 1};
  deliver_in_order<Outcome>(
      inputs.size(), threads, [&](std::size_t i) { return batch.process(inputs[i]); },
      [&](std::size_t i, Outcome& outcome) {
        out.write(outcome.text.text());
        if (!outcome.diagnostics.all().empty()) {
          out.flush();  // text and what is said of it stay in order where both go to one place
          progress.clear();
          const std::string_view text = outcome.shown.empty() ? outcome.bytes.text() : std::string_view(outcome.shown);
          reporter.add({inputs[i].name(), text}, outcome.diagnostics);
        }
        // The worst of all: 3, the world refused, says more than 1, an input is wrong.
        status = std::max(status, outcome.status);
        progress.show(i + 1, inputs[i].path);
      });
  progress.clear();
  // Last, and heard: a full disk behind `> file` must not end in status 0.
  if (out.flush()) return status;

  Diagnostics refused;
  refused.error(rule::cannot_write, Location::none(),
                "cannot write to standard output: " + describe_error(out.error()));
  reporter.add({"vireo", ""}, refused);
  return exit_status::no_file;
}

}  // namespace vireo::cli
