// SPDX-License-Identifier: Apache-2.0
//
// Jobs: executions in one JSON file, with their inputs and what they must give (docs/run.md, "vireo-run-test 1").
//
// The document is interpreted as it is, after job_format.cpp has checked the types of all values. A key of an inner object
// that nothing reads has no effect, so tests of other programs can be converted without loss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/run/run_buffers.h"
#include "cli/run/run_options.h"
#include "cli/run/runnable_module.h"
#include "support/io.h"
#include "support/json.h"
#include "vireo/spirv/run.h"
#include "vireo/support/function.h"

namespace vireo::cli {

/// How a job ended.
struct JobEnd {
  enum class Kind : std::uint8_t {
    Passed,
    Failed,      ///< an expectation does not hold, or an execution has no end
    Skipped,     ///< an execution needs what the executor lacks
    Invalid,     ///< the document, or a module, is wrong
    Unreadable,  ///< a file cannot be read
    Interrupted,
  };
  Kind kind = Kind::Passed;
  std::string reason = {};
  bool is_reported = false;  ///< the reason is a finding of a module
};

class Job {
 public:
  /// The options must outlive it. `path` is that of the job, whose folder contains the files that it names.
  Job(std::string path, const ChosenRun& chosen, std::size_t limit);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Reads the document, its modules and the contents of its buffers. `Passed`: it can run.
  JobEnd read(std::string_view text);
  /// Executes the commands up to the first failure.
  JobEnd run(const Function<bool()>& is_interrupted);

  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::deque<RunBuffer>& buffers() { return buffers_; }
  /// The modules that were read, with the findings of their executions.
  [[nodiscard]] std::vector<RunnableModule*> modules();
  /// The lines of DebugPrintf so far.
  [[nodiscard]] const std::vector<std::string>& printed() const { return printed_; }
  /// The last dispatch; nullptr: none.
  [[nodiscard]] const spirv::DispatchReport* report() const { return report_ ? &*report_ : nullptr; }
  /// Whether the job states the findings that it must have.
  [[nodiscard]] bool states_findings() const;
  /// The rules of all findings that are no notes, sorted.
  [[nodiscard]] std::vector<std::string_view> rules();

 private:
  struct Module;
  using Components = std::vector<std::pair<std::uint64_t, ScalarType>>;
  struct Element {
    std::uint64_t stride = 0;
    Components components;
  };

  // Each step returns `Passed` if the job goes on.
  JobEnd read_modules();
  JobEnd read_buffers();
  JobEnd read_buffer(JsonValue json, std::size_t index);
  JobEnd read_contents(JsonValue json, RunBuffer& buffer);
  JobEnd read_layouts();
  JobEnd read_pipeline(JsonValue pipeline);
  JobEnd check_kind();
  JobEnd check_values();
  JobEnd check_support();
  JobEnd check_specializations(JsonValue stage);
  JobEnd run_command(JsonValue command, const Function<bool()>& is_interrupted);
  JobEnd dispatch(JsonValue command, const Function<bool()>& is_interrupted);
  JobEnd bind(JsonValue pipeline, spirv::Executor& executor);
  JobEnd bind_image(JsonValue name, const spirv::BufferBinding& place, spirv::Executor& executor) const;
  JobEnd bind_sampler(JsonValue name, spirv::SamplerBinding place, spirv::Executor& executor) const;
  JobEnd write(JsonValue command);
  JobEnd expect(JsonValue command);
  JobEnd expect_values(JsonValue command, const RunBuffer& buffer, const Element& element);
  JobEnd compare_findings();

  JobEnd invalid(JsonValue at, std::string_view problem) const;
  JobEnd read_bytes(std::string_view file, FileBytes& bytes, const ReadLimits& limits = {}) const;
  [[nodiscard]] std::string path_of(std::string_view file) const;
  RunBuffer* buffer_of(JsonValue name);
  Module* module_of(JsonValue stage);
  JobEnd specializations_of(JsonValue stage, std::vector<spirv::Specialization>& values) const;

  const std::string path_;
  const ChosenRun& chosen_;
  const std::size_t limit_;
  std::optional<JsonDocument> document_;
  std::map<std::string, std::unique_ptr<Module>, std::less<>> modules_;
  std::map<std::string, JsonValue, std::less<>> pipelines_;
  std::deque<RunBuffer> buffers_;
  std::vector<Element> elements_;             // of each buffer
  std::vector<std::uint32_t> buffer_values_;  // of each buffer: its value in the document
  std::map<std::string, std::size_t, std::less<>> buffer_numbers_;
  std::vector<std::string> printed_;
  std::optional<spirv::DispatchReport> report_;
};

// job_format.cpp: each returns an empty text, or the problem with its place.

/// Checks the keys of the document, and the value of "kind".
std::string check_job_keys(JsonValue root);
/// Checks the types of all other values of a compute job. What depends on modules and contents is checked by Job.
std::string check_job_values(JsonValue root);

}  // namespace vireo::cli
