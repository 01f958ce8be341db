// SPDX-License-Identifier: Apache-2.0
//
// The output of an execution: findings, printed lines, the contents of buffers, a summary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "cli/run/run_buffers.h"
#include "cli/run/run_options.h"
#include "cli/run/value_input.h"
#include "cli/val/baseline.h"
#include "cli/val/checked_input.h"
#include "support/io.h"
#include "support/json_writer.h"
#include "vireo/spirv/run.h"

namespace vireo::cli {

inline constexpr TextOption print_option(
    "--print=B", "print a buffer after the run; may be repeated",
    "B is SET.BINDING, SET.BINDING[i] or the name of the variable. B=N prints the first N values (16), B=all all of "
    "them. Default: the buffers that the run has changed.");
inline constexpr TextOption out_option("--out=B=FILE", "write a buffer to FILE; may be repeated",
                                       "As JSON by the layout of the block if the name ends in .json, else as bytes. "
                                       "After an interruption nothing is written.");
inline constexpr TextOption expect_option(
    "--expect=B=V[~TOL]", "compare a buffer with a value; may be repeated",
    "V is a value as of --buffer. Only the members and elements that V gives are compared; floats may differ by TOL. A "
    "difference is an error.");
inline constexpr auto result_options = option_list(print_option, out_option, expect_option);

/// Standard output of the command, and the formats of what goes to it.
class RunOutput {
 public:
  RunOutput(const Invocation& invocation, Reporter& reporter);

  [[nodiscard]] bool is_json() const { return format_ == "json"; }
  [[nodiscard]] std::string_view format() const { return format_; }

  /// A line of DebugPrintf.
  void add_printed(const spirv::PrintedLine& line);
  /// Findings of a module, for --baseline, --werror and --write-baseline.
  void add_findings(CheckedInput& input, const ChosenRun& chosen);
  /// Diagnostics without a place in a module.
  void add(std::string_view input, const Diagnostics& diagnostics);
  /// The problem of an option that has a value. Returns the exit status.
  int report(const ValueText& problem);
  /// Says that an execution did not end, so the buffers, and files of --out, lack a part of the results.
  void note_incomplete(std::string_view input);
  /// A note for people about an input.
  void add_note(std::string_view input, std::string text);

  /// Reads the options that name buffers. Returns an exit status; unless it is `fine`, the problem has been reported.
  int read(std::deque<RunBuffer>& buffers, const ValueLimits& limits);
  /// Compares buffers with --expect, and reports differences. Returns whether there is none.
  bool compare(std::string_view input);
  /// Prints buffers and, unless `is_interrupted`, writes files. Returns an exit status.
  int add_buffers(const std::deque<RunBuffer>& buffers, std::string_view input, bool is_interrupted);
  /// In JSON, the last record of an input.
  void add_result(std::string_view input, const spirv::DispatchReport* report);
  /// Ends the output: the file of --write-baseline, the summary. Returns an exit status.
  int finish();

  /// Whether an error has been reported.
  [[nodiscard]] bool has_errors() const { return errors_ != 0; }

 private:
  struct Expectation {
    RunBuffer* buffer = nullptr;
    InputValue value;
    double tolerance = 0;
  };
  struct Print {
    const RunBuffer* buffer = nullptr;
    std::uint64_t limit = 0;
  };
  struct OutputOfBuffer {
    const RunBuffer* buffer = nullptr;
    std::string_view path;
  };
  std::string read_print(std::string_view text, std::deque<RunBuffer>& buffers);
  std::string read_out(std::string_view text, std::deque<RunBuffer>& buffers);
  ValueText read_expectation(std::string_view text, std::deque<RunBuffer>& buffers, const ValueLimits& limits);
  void print_buffer(const RunBuffer& buffer, std::uint64_t limit);
  bool write_buffer(const OutputOfBuffer& output, Diagnostics& diagnostics) const;

  const Invocation& invocation_;
  Reporter& reporter_;
  std::string_view format_;
  DescriptorSink out_;
  JsonWriter json_;
  Baseline recorded_;
  std::vector<Print> prints_;
  std::vector<OutputOfBuffer> outputs_;
  std::vector<Expectation> expectations_;
  std::size_t errors_ = 0, warnings_ = 0;
};

}  // namespace vireo::cli
