// SPDX-License-Identifier: Apache-2.0
//
// Prints the results of executions (run_output.h).
#include "cli/run/run_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "cli/common/output.h"
#include "cli/run/value_text.h"
#include "cli/val/locate.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

constexpr std::uint64_t usual_limit = 16;

// "B=V": the name of a buffer and the rest.
bool split(std::string_view text, std::string_view& name, std::string_view& rest) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  name = text.substr(0, equals);
  rest = text.substr(equals + 1);
  return true;
}

std::string_view bytes_of(const RunBuffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size()};
}

// "1,024".
std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

// Notes about other instructions get their lines of the source. Those about the instruction of the finding, whose line
// precedes them, need no place.
void locate_notes_in_sources(CheckedInput& input) {
  input.found.change_each([&](Diagnostic& diagnostic) {
    if (!input.context->position_of(diagnostic.where)) return;
    for (Note& note : diagnostic.notes) {
      if (note.where.instruction == diagnostic.where.instruction) note.where = Location::none();
      else note.source = input.context->position_of(note.where);
    }
  });
}

}  // namespace

RunOutput::RunOutput(const Invocation& invocation, Reporter& reporter)
    : invocation_(invocation),
      reporter_(reporter),
      format_(invocation.options.value(diagnostics_format_option, invocation.options.value(format_option, "human"))),
      out_(invocation.streams.out),
      json_(out_) {}

void RunOutput::add_printed(const spirv::PrintedLine& line) {
  if (is_json()) {
    json_.begin_object().key("printed").string(line.text).key("invocation").begin_array();
    for (const spirv::Word number : line.invocation) json_.number(number);
    json_.end_array().end_object().end_document();
  } else if (format_ != "sarif") {
    std::string text;
    append_printable(text, line.text);
    out_.write(text + '\n');
  }
}

void RunOutput::add(std::string_view input, const Diagnostics& diagnostics) {
  errors_ += diagnostics.error_count();
  warnings_ += diagnostics.warning_count();
  out_.flush();
  if (is_json()) write_records(json_, {input, {}}, diagnostics, nullptr, nullptr);
  else reporter_.add({input, {}}, diagnostics);
}

int RunOutput::report(const ValueText& problem) {
  if (!problem.is_file_problem) return usage_error(invocation_, problem.problem);
  Diagnostics diagnostics;
  diagnostics.error(rule::cannot_read, Location::none(), problem.problem);
  add("vireo", diagnostics);
  return exit_status::no_file;
}

void RunOutput::add_note(std::string_view input, std::string text) {
  Diagnostics diagnostics;
  diagnostics.report({.rule = "", .severity = Severity::Note, .message = std::move(text)});
  add(input, diagnostics);
}

void RunOutput::note_incomplete(std::string_view input) {
  const bool has_files = invocation_.options.has(out_option);
  if (invocation_.options.has(quiet_option) && !has_files) return;
  add_note(input, fmt::format("the execution did not end: the buffers{} are incomplete",
                              has_files ? " and the files of --out" : ""));
}

void RunOutput::add_findings(CheckedInput& input, const ChosenRun& chosen) {
  if (invocation_.options.has(write_baseline_option)) {
    recorded_.record(input.found, input.source.name, input.in_module());
    return;
  }
  if (chosen.known())
    input.found = chosen.known()->without_known(input.found, input.source.name, input.in_module(), reporter_.limit());
  if (invocation_.options.has(werror_option)) input.found.raise_warnings();
  errors_ += input.found.error_count();
  warnings_ += input.found.warning_count();
  if (input.found.all().empty()) return;
  out_.flush();
  if (!input.subject) {
    if (is_json()) write_records(json_, input.source, input.found, nullptr, nullptr);
    else reporter_.add(input.source, input.found);
    return;
  }
  if (!is_json() && places_of(invocation_.options, format_, input.subject->is_text()).source_first)
    locate_notes_in_sources(input);
  const PlacedFindings placed = place_findings(input, invocation_.options, format_, chosen.validation().grammar);
  if (is_json()) write_records(json_, placed.text, input.found, placed.located(), input.in_module());
  else reporter_.add(placed.text, placed.in_text ? *placed.in_text : input.found);
}

// --- options that name buffers ----------------------------------------------------------------------------------------

std::string RunOutput::read_print(std::string_view text, std::deque<RunBuffer>& buffers) {
  std::string_view name = text, count;
  std::uint64_t limit = usual_limit;
  if (split(text, name, count)) {
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), limit);
    if (count == "all") limit = std::numeric_limits<std::uint64_t>::max();
    else if (error != std::errc() || end != count.data() + count.size() || limit == 0)
      return fmt::format("expected --print B, B=N or B=all, found {}", quoted(text));
  }
  std::string problem;
  const RunBuffer* const buffer = find_buffer(buffers, name, problem);
  if (buffer != nullptr) prints_.push_back({buffer, limit});
  return problem.empty() ? problem : "--print: " + problem;
}

std::string RunOutput::read_out(std::string_view text, std::deque<RunBuffer>& buffers) {
  std::string_view name, path;
  if (!split(text, name, path) || path.empty()) return fmt::format("expected --out B=FILE, found {}", quoted(text));
  std::string problem;
  const RunBuffer* const buffer = find_buffer(buffers, name, problem);
  if (buffer != nullptr) outputs_.push_back({buffer, path});
  return problem.empty() ? problem : "--out: " + problem;
}

ValueText RunOutput::read_expectation(std::string_view text, std::deque<RunBuffer>& buffers,
                                      const ValueLimits& limits) {
  Expectation expectation;
  std::string_view name, value;
  if (!split(text, name, value)) return {fmt::format("expected --expect B=V, found {}", quoted(text))};
  if (const std::size_t tilde = value.rfind('~'); tilde != std::string_view::npos && !value.starts_with('@')) {
    const std::string_view digits = value.substr(tilde + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), expectation.tolerance);
    if (error != std::errc() || end != digits.data() + digits.size() || !(expectation.tolerance >= 0))
      return {fmt::format("--expect: expected a tolerance after '~', found {}", quoted(digits))};
    value = value.substr(0, tilde);
  }
  std::string problem;
  expectation.buffer = find_buffer(buffers, name, problem);
  if (expectation.buffer == nullptr) return {"--expect: " + problem};
  ValueText result = read_value_text(value, *expectation.buffer->layout, limits, expectation.value);
  if (!result.problem.empty()) {
    if (!result.is_file_problem) result.problem.insert(0, fmt::format("--expect {}: ", name));
    return result;
  }
  expectations_.push_back(std::move(expectation));
  return result;
}

int RunOutput::read(std::deque<RunBuffer>& buffers, const ValueLimits& limits) {
  for (const auto& [option, text] : invocation_.options.in_order()) {
    ValueText read;
    if (option == &print_option) read.problem = read_print(text, buffers);
    if (option == &out_option) read.problem = read_out(text, buffers);
    if (option == &expect_option) read = read_expectation(text, buffers, limits);
    if (!read.problem.empty()) return report(read);
  }
  return exit_status::fine;
}

// --- buffers ----------------------------------------------------------------------------------------------------------

bool RunOutput::compare(std::string_view input) {
  Diagnostics diagnostics;
  for (const Expectation& each : expectations_) {
    std::string text =
        difference(each.buffer->label(), *each.buffer->layout, each.buffer->bytes, each.value, each.tolerance);
    if (!text.empty()) diagnostics.error(spirv::rule::failed_expectation, Location::none(), std::move(text));
  }
  if (!diagnostics.all().empty()) add(input, diagnostics);
  return !diagnostics.has_errors();
}

void RunOutput::print_buffer(const RunBuffer& buffer, std::uint64_t limit) {
  const std::uint64_t changed = buffer.changed_scalars();
  if (is_json()) {
    json_.begin_object().key("buffer").string(buffer.label());
    if (!buffer.name.empty()) json_.key("name").string(buffer.name);
    json_.key("size").number(static_cast<std::uint64_t>(buffer.bytes.size())).key("changed").number(changed);
    json_.key("value");
    write_value(json_, *buffer.layout, buffer.bytes);
    json_.end_object().end_document();
    return;
  }
  std::string text;
  append_printable(text, buffer.label());
  text += ": ";
  append_printable(text, value_text(*buffer.layout, buffer.bytes, limit));
  const std::string difference = changed == 0 ? "unchanged"
                                              : fmt::format("{} element{} from before", with_commas(changed),
                                                            changed == 1 ? " differs" : "s differ");
  text += fmt::format("  {} bytes, {}\n", with_commas(buffer.bytes.size()), difference);
  out_.write(text);
}

bool RunOutput::write_buffer(const OutputOfBuffer& output, Diagnostics& diagnostics) const {
  CommandOutput file(invocation_.streams, output.path);
  if (output.path.ends_with(".json")) {
    JsonWriter json(file.sink());
    write_value(json, *output.buffer->layout, output.buffer->bytes);
    json.end_document();
  } else {
    file.sink().write(bytes_of(*output.buffer));
  }
  return file.commit(diagnostics);
}

int RunOutput::add_buffers(const std::deque<RunBuffer>& buffers, std::string_view input, bool is_interrupted) {
  if (format_ != "sarif") {
    bool is_any_printed = !prints_.empty() || invocation_.options.has(quiet_option);
    for (const Print& each : prints_) print_buffer(*each.buffer, each.limit);
    const bool prints_changed = !is_any_printed;
    for (const RunBuffer& buffer : buffers) {
      if (!prints_changed || buffer.bytes == buffer.before) continue;
      print_buffer(buffer, usual_limit);
      is_any_printed = true;
    }
    if (!is_any_printed && !buffers.empty()) add_note(input, "no buffer has changed");
  }
  out_.flush();
  if (is_interrupted) return exit_status::fine;
  Diagnostics diagnostics;
  for (const OutputOfBuffer& each : outputs_) write_buffer(each, diagnostics);
  if (diagnostics.has_errors()) add(input, diagnostics);
  return diagnostics.has_errors() ? exit_status::no_file : exit_status::fine;
}

void RunOutput::add_result(std::string_view input, const spirv::DispatchReport* report) {
  if (!is_json()) return;
  constexpr std::string_view ends[] = {"finished", "step-limit", "stuck", "interrupted"};
  json_.begin_object().key("file").string(input);
  json_.key("end").string(report == nullptr ? "not started" : ends[static_cast<std::size_t>(report->end)]);
  if (report != nullptr) {
    json_.key("invocations").number(report->invocations);
    json_.key("instructions").number(report->invocation_instructions);
  }
  json_.key("errors").number(errors_).key("warnings").number(warnings_);
  json_.end_object().end_document();
}

int RunOutput::finish() {
  json_.flush();
  int status = out_.flush() ? exit_status::fine : exit_status::no_file;
  if (!invocation_.options.has(quiet_option)) reporter_.summarize();
  if (invocation_.options.has(write_baseline_option))
    status = std::max(status, write_baseline(invocation_, recorded_, reporter_));
  return status;
}

}  // namespace vireo::cli
