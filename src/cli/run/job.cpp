// SPDX-License-Identifier: Apache-2.0
//
// Reads and executes jobs (job.h). Expectations are in job_expectations.cpp.
#include "cli/run/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/run/job_values.h"
#include "cli/run/value_input.h"
#include "spirv/rules.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

using Kind = JobEnd::Kind;

bool is_buffer_kind(std::string_view kind) {
  return kind.starts_with("storage_buffer") || kind.starts_with("uniform_buffer");
}

}  // namespace

struct Job::Module {
  std::string name;
  FileBytes bytes;
  std::unique_ptr<RunnableModule> module;
};

Job::Job(std::string path, const ChosenRun& chosen, std::size_t limit)
    : path_(std::move(path)), chosen_(chosen), limit_(limit) {}
Job::~Job() = default;

std::string_view Job::name() const { return document_ ? document_->root().find("name").text() : std::string_view(); }

std::vector<RunnableModule*> Job::modules() {
  std::vector<RunnableModule*> modules;
  for (const auto& [name, module] : modules_) modules.push_back(module->module.get());
  return modules;
}

bool Job::states_findings() const { return document_ && document_->root().find("findings").is(JsonType::Array); }

std::vector<std::string_view> Job::rules() {
  std::vector<std::string_view> rules;
  for (RunnableModule* const module : modules()) {
    for (const Diagnostic& each : module->found().all()) {
      if (each.severity != Severity::Note) rules.push_back(each.rule);
    }
  }
  std::ranges::sort(rules);
  return rules;
}

JobEnd Job::invalid(JsonValue at, std::string_view problem) const {
  return {Kind::Invalid, at.is_absent() ? std::string(problem) : fmt::format("{}: {}", at.path(), problem)};
}

// --- files ------------------------------------------------------------------------------------------------------------

// A file in the folder of the job, or in the folder above, which can contain the modules of several folders of jobs.
std::string Job::path_of(std::string_view file) const {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path_ == "-" ? "." : path_).parent_path();
  const fs::path usual = folder / fs::path(file), above = folder / ".." / fs::path(file);
  std::error_code error;
  return (!fs::exists(usual, error) && fs::exists(above, error) ? above : usual).lexically_normal().string();
}

JobEnd Job::read_bytes(std::string_view file, FileBytes& bytes, const ReadLimits& limits) const {
  Diagnostics diagnostics;
  Result<FileBytes> read = read_file(path_of(file), diagnostics, limits);
  if (!read) return {Kind::Unreadable, diagnostics.all().front().message};
  bytes = std::move(*read);
  return {};
}

// --- reading ----------------------------------------------------------------------------------------------------------

JobEnd Job::read(std::string_view text) {
  JsonFault fault;
  document_ = JsonDocument::parse(text, fault);
  if (!document_) return {Kind::Invalid, text_of(fault)};
  const JsonValue format = document_->root().find("format");
  if (format.text() != "vireo-run-test 1")
    return invalid(format, "expected the key \"format\" with the value \"vireo-run-test 1\"");
  if (std::string problem = check_job_keys(document_->root()); !problem.empty())
    return {Kind::Invalid, std::move(problem)};
  for (const auto step : {&Job::check_kind, &Job::check_values, &Job::check_support, &Job::read_modules,
                          &Job::read_buffers, &Job::read_layouts}) {
    if (JobEnd end = (this->*step)(); end.kind != Kind::Passed) return end;
  }
  return {};
}

// A job with other stages or resources is skipped, not refused.
JobEnd Job::check_kind() {
  const std::string_view kind = document_->root().find("kind").text();
  return kind == "graphics" ? JobEnd{Kind::Skipped, fmt::format("jobs of kind {}", kind)} : JobEnd();
}

JobEnd Job::check_values() {
  std::string problem = check_job_values(document_->root());
  return problem.empty() ? JobEnd() : JobEnd{Kind::Invalid, std::move(problem)};
}

JobEnd Job::check_support() {
  for (const JsonValue pipeline : document_->root().find("pipelines").elements()) {
    if (const std::string_view kind = pipeline.find("kind").text(); kind == "graphics")
      return {Kind::Skipped, fmt::format("pipelines of kind {}", kind)};
    for (const JsonValue descriptor : pipeline.find("descriptors").elements()) {
      const std::string_view type = descriptor.find("kind").text();
      const bool is_known = is_buffer_kind(type) || is_image_kind(type) || is_sampler_kind(type);
      if (!is_known || descriptor.find("mip").integer().value_or(0) != 0)
        return {Kind::Skipped, fmt::format("descriptors of kind {}", type)};
    }
  }
  return {};
}

JobEnd Job::read_modules() {
  for (const JsonValue json : document_->root().find("modules").elements()) {
    const JsonValue file = json.find("file");
    auto module = std::make_unique<Module>();
    module->name = path_of(file.text());
    if (JobEnd end = read_bytes(file.text(), module->bytes); end.kind != Kind::Passed) return end;
    std::optional<spirv::Environment> environment;
    if (!chosen_.has_environment()) environment = spirv::find_environment(json.find("target_env").text());
    module->module =
        std::make_unique<RunnableModule>(SourceText{module->name, module->bytes.text()}, chosen_, limit_, environment);
    RunnableModule& read = *modules_.insert_or_assign(std::string(json.key()), std::move(module)).first->second->module;
    if (!read.read()) return {Kind::Invalid, fmt::format("{}: {}", file.text(), read.found().all().front().message)};
  }
  return {};
}

JobEnd Job::read_buffers() {
  for (const JsonValue json : document_->root().find("buffers").elements()) {
    const std::size_t index = buffers_.size();
    buffers_.push_back({.name = std::string(json.key()), .has_binding = false});
    buffer_numbers_.emplace(json.key(), index);
    buffer_values_.push_back(json.index());
    elements_.emplace_back();
    if (JobEnd end = read_buffer(json, index); end.kind != Kind::Passed) return end;
  }
  return {};
}

JobEnd Job::read_buffer(JsonValue json, std::size_t index) {
  Element& element = elements_[index];
  const JsonValue pattern = json.find("element");
  for (const JsonValue component : pattern.find("components").elements()) {
    std::optional<std::int64_t> offset;
    std::optional<ScalarType> type;
    for (const JsonValue part : component.elements()) {
      if (part.is(JsonType::Integer)) offset = part.integer();
      else type = find_scalar_type(part.text());
    }
    if (!offset || *offset < 0 || !type) return invalid(component, "expected [offset, type], such as [4, \"f32\"]");
    element.components.emplace_back(static_cast<std::uint64_t>(*offset), *type);
  }
  if (!pattern.is_absent()) {
    const std::optional<std::int64_t> stride = pattern.find("stride").integer();
    if (!stride || *stride <= 0 || element.components.empty())
      return invalid(pattern, "expected \"stride\" and \"components\"");
    element.stride = static_cast<std::uint64_t>(*stride);
    buffers_[index].layout = std::make_shared<const ValueLayout>(element.stride, element.components);
  }
  const JsonValue size = json.find("size");
  if (size.is_absent()) return {};  // that of its value, or of its block
  std::uint64_t total = static_cast<std::uint64_t>(*size.integer());
  for (const RunBuffer& each : buffers_) total += each.bytes.size();
  if (total > chosen_.options().max_memory)
    return invalid(size, fmt::format("the buffers have {} bytes; an execution has at most {} (--memory)", total,
                                     chosen_.options().max_memory));
  buffers_[index].bytes.resize(static_cast<std::size_t>(*size.integer()));
  return read_contents(json, buffers_[index]);
}

JobEnd Job::read_contents(JsonValue json, RunBuffer& buffer) {
  const JsonValue base64 = json.find("bytes"), file = json.find("file");
  const auto copy = [&](JsonValue at, std::string_view bytes) {
    if (bytes.size() > buffer.bytes.size()) return invalid(at, "the contents have more bytes than \"size\"");
    if (!bytes.empty()) std::memcpy(buffer.bytes.data(), bytes.data(), bytes.size());
    return JobEnd();
  };
  if (base64.is(JsonType::String)) {
    std::string bytes;
    if (!decode_base64(base64.text(), bytes)) return invalid(base64, "expected base64");
    return copy(base64, bytes);
  } else if (file.is(JsonType::String)) {
    FileBytes bytes;
    // One byte more shows that the file is too large.
    const ReadLimits limits{.max_bytes = buffer.bytes.size() + 1};
    if (JobEnd end = read_bytes(file.text(), bytes, limits); end.kind != Kind::Passed) return end;
    return copy(file, bytes.text());
  }
  return {};
}

// Buffers without a pattern get the layout of the first block that they are bound to, and then their values.
JobEnd Job::read_layouts() {
  for (const JsonValue pipeline : document_->root().find("pipelines").elements()) {
    pipelines_.emplace(pipeline.key(), pipeline);
    const JsonValue push = pipeline.find("push_constants");
    if (push.is(JsonType::String) && buffer_of(push) == nullptr) return invalid(push, "there is no such buffer");
    for (const JsonValue stage : pipeline.find("stages").elements()) {
      if (JobEnd end = check_specializations(stage); end.kind != Kind::Passed) return end;
    }
    if (JobEnd end = read_pipeline(pipeline); end.kind != Kind::Passed) return end;
  }
  std::size_t index = 0;
  for (const JsonValue json : document_->root().find("buffers").elements()) {
    RunBuffer& buffer = buffers_[index++];
    if (!buffer.layout) buffer.layout = std::make_shared<const ValueLayout>();
    const JsonValue value = json.find("value");
    if (!value.is_absent()) {
      InputValue read;
      if (const std::string problem = read_value(value, *buffer.layout, chosen_.value_limits(), read); !problem.empty())
        return invalid({}, problem);
      const bool has_size = !json.find("size").is_absent();
      if (has_size && read.bytes.size() > std::max<std::uint64_t>(buffer.bytes.size(), buffer.layout->fixed_size()))
        return invalid(value, fmt::format("the value has {} bytes, more than \"size\"", read.bytes.size()));
      read.bytes.resize(has_size ? buffer.bytes.size() : read.bytes.size());
      buffer.bytes = std::move(read.bytes);
    }
    buffer.before = buffer.bytes;
  }
  return {};
}

JobEnd Job::read_pipeline(JsonValue pipeline) {
  bool is_needed = false;
  const auto needs_layout = [&](JsonValue name) {
    const RunBuffer* const buffer = buffer_of(name);
    is_needed |= buffer != nullptr && !buffer->layout;
  };
  needs_layout(pipeline.find("push_constants"));
  for (const JsonValue descriptor : pipeline.find("descriptors").elements()) {
    for (const JsonValue name : descriptor.find("buffers").elements()) needs_layout(name);
  }
  if (!is_needed) return {};
  for (const JsonValue stage : pipeline.find("stages").elements()) {
    Module* const module = module_of(stage);
    if (module == nullptr) return invalid(stage, "expected the key \"module\" with the name of a module");
    std::vector<spirv::Specialization> values;
    if (JobEnd end = specializations_of(stage, values); end.kind != Kind::Passed) return end;
    const EntryInputs inputs(module->module->words(), module->module->grammar(), values, stage.find("entry").text());
    RunBuffer* const push = buffer_of(pipeline.find("push_constants"));
    if (const auto* block = inputs.push_constants(); block != nullptr && push != nullptr && !push->layout)
      push->layout = std::make_shared<const ValueLayout>(ValueLayout::of_type(inputs.facts(), block->type));
    const std::deque<RunBuffer> bound = inputs.buffers();
    for (const JsonValue descriptor : pipeline.find("descriptors").elements()) {
      const auto is_of = [&](const RunBuffer& each) {
        return each.set == descriptor.find("set").integer() && each.binding == descriptor.find("binding").integer();
      };
      const auto block = std::ranges::find_if(bound, is_of);
      if (block == bound.end()) continue;
      for (const JsonValue name : descriptor.find("buffers").elements()) {
        RunBuffer* const buffer = buffer_of(name);
        if (buffer != nullptr && !buffer->layout) buffer->layout = block->layout;
      }
    }
  }
  return {};
}

RunBuffer* Job::buffer_of(JsonValue name) {
  if (!name.is(JsonType::String)) return nullptr;
  const auto found = buffer_numbers_.find(name.text());
  return found == buffer_numbers_.end() ? nullptr : &buffers_[found->second];
}

Job::Module* Job::module_of(JsonValue stage) {
  const auto found = modules_.find(stage.find("module").text());
  return found == modules_.end() ? nullptr : found->second.get();
}

// A value of no constant is probably a typing error.
JobEnd Job::check_specializations(JsonValue stage) {
  Module* const module = module_of(stage);
  if (module == nullptr) return invalid(stage.find("module"), "there is no such module");
  const JsonValue given = stage.find("specialize");
  if (given.elements().begin() == given.elements().end()) return {};
  const EntryInputs inputs(module->module->words(), module->module->grammar(), {}, stage.find("entry").text());
  for (const JsonValue each : given.elements()) {
    const JsonValue id = each.find("id");
    const auto is_same = [&](const spirv::ReflectedSpecConstant& constant) { return constant.spec_id == id.integer(); };
    if (!std::ranges::any_of(inputs.reflection().spec_constants(), is_same))
      return invalid(id, "no constant of the module has this SpecId");
  }
  return {};
}

JobEnd Job::specializations_of(JsonValue stage, std::vector<spirv::Specialization>& values) const {
  for (const JsonValue each : stage.find("specialize").elements()) {
    spirv::Specialization value{.spec_id = static_cast<spirv::Word>(*each.find("id").integer())};
    if (const JsonValue bits = each.find("bits"); bits.is(JsonType::Integer)) {
      value.bits = static_cast<std::uint32_t>(*bits.integer());
    } else {
      const std::string_view name = each.find("type").text();
      const std::optional<ScalarType> type = name == "bool" ? ScalarType{} : find_scalar_type(name);
      if (!type) return invalid(each, "expected the key \"bits\", or \"type\" (u32, f32, bool, …) and \"value\"");
      const std::string problem = read_scalar_value(each.find("value"), *type, value.bits);
      if (!problem.empty()) return invalid(each, problem);
    }
    values.push_back(value);
  }
  return {};
}

// --- commands ---------------------------------------------------------------------------------------------------------

JobEnd Job::run(const Function<bool()>& is_interrupted) {
  std::size_t number = 0;
  for (const JsonValue command : document_->root().find("commands").elements()) {
    JobEnd end = run_command(command, is_interrupted);
    ++number;
    if (end.kind == Kind::Failed) end.reason = fmt::format("command {}: {}", number, end.reason);
    if (end.kind != Kind::Passed) return end;
  }
  return compare_findings();
}

JobEnd Job::run_command(JsonValue command, const Function<bool()>& is_interrupted) {
  const std::string_view op = command.find("op").text();
  if (op == "dispatch") return dispatch(command, is_interrupted);
  if (op == "write") return write(command);
  if (op == "expect") return expect(command);
  if (op == "draw" || op == "clear" || op == "expect_rect") return {Kind::Skipped, fmt::format("commands {}", op)};
  const bool is_copy = op == "copy";
  const JsonValue names[] = {command.find(is_copy ? "from" : "buffer"), command.find(is_copy ? "to" : "other")};
  RunBuffer *const first = buffer_of(names[0]), *const second = buffer_of(names[1]);
  if (first == nullptr || second == nullptr) return invalid(command, "expected the names of two buffers");
  if (is_copy) {
    if (first->bytes.size() > second->bytes.size())
      return invalid(command, fmt::format("{} has {} bytes, {} only {}", first->name, first->bytes.size(), second->name,
                                          second->bytes.size()));
    std::ranges::copy(first->bytes, second->bytes.begin());
    return {};
  }
  if (const std::string_view how = command.find("compare").text(); !how.empty() && how != "bytes")
    return {Kind::Skipped, fmt::format("comparisons by {}", how)};
  if (first->bytes == second->bytes) return {};
  return {Kind::Failed, fmt::format("the buffers {} and {} differ", first->name, second->name)};
}

JobEnd Job::dispatch(JsonValue command, const Function<bool()>& is_interrupted) {
  const auto named = pipelines_.find(command.find("pipeline").text());
  const JsonValue pipeline = named == pipelines_.end() ? JsonValue() : named->second;
  std::array<spirv::Word, 3> groups = {1, 1, 1};
  std::size_t dimension = 0;
  for (const JsonValue each : command.find("groups").elements()) {
    groups[dimension++] = static_cast<spirv::Word>(*each.integer());
  }
  JsonValue stage;
  for (const JsonValue each : pipeline.find("stages").elements()) stage = each;
  Module* const module = module_of(stage);
  if (module == nullptr) return invalid(command, "expected the name of a pipeline with a stage and its module");
  std::vector<spirv::Specialization> values;
  if (JobEnd end = specializations_of(stage, values); end.kind != Kind::Passed) return end;

  Diagnostics& found = module->module->found();
  spirv::RunOptions options = module->module->options();
  options.specializations = values;
  options.entry_point = stage.find("entry").text();
  if (const auto size = stage.find("subgroup").find("required_size").integer())
    options.subgroup_size = static_cast<spirv::Word>(*size);
  options.print = [&](const spirv::PrintedLine& line) { printed_.emplace_back(line.text); };
  options.is_interrupted = is_interrupted;
  Result<spirv::Executor> executor = spirv::Executor::create(module->module->words(), options, found);
  const auto failed = [&] {
    const Diagnostic& last = found.all().back();
    const bool is_unsupported = last.rule == spirv::rule::run_unsupported;
    return JobEnd{is_unsupported ? Kind::Skipped : Kind::Failed, last.message, true};
  };
  if (!executor) return failed();
  if (JobEnd end = bind(pipeline, *executor); end.kind != Kind::Passed) return end;
  const Result<spirv::DispatchReport> report = executor->dispatch(groups, found);
  if (!report) return failed();
  report_ = *report;
  if (report->end == spirv::DispatchEnd::Interrupted) return {Kind::Interrupted, "interrupted"};
  // A test that states findings can be about an execution without an end; without checks nothing is found.
  if (report->end == spirv::DispatchEnd::Finished || (states_findings() && options.checks)) return {};
  if (found.all().empty()) return {Kind::Failed, "the execution has no end"};
  return {Kind::Failed, found.all().back().message, true};
}

JobEnd Job::bind(JsonValue pipeline, spirv::Executor& executor) {
  for (const JsonValue descriptor : pipeline.find("descriptors").elements()) {
    const std::int64_t set = *descriptor.find("set").integer(), binding = *descriptor.find("binding").integer();
    const std::vector<std::int64_t> offsets = integers_of(descriptor.find("offsets")),
                                    dynamic_offsets = integers_of(descriptor.find("dynamic_offsets")),
                                    ranges = integers_of(descriptor.find("ranges"));
    spirv::Word element = 0;
    for (const JsonValue name : descriptor.find("buffers").elements()) {
      RunBuffer* const buffer = buffer_of(name);
      if (buffer == nullptr) return invalid(name, "there is no such buffer");
      const std::size_t size = buffer->bytes.size();
      std::uint64_t offset = 0, range = size;
      for (const std::vector<std::int64_t>* numbers : {&offsets, &dynamic_offsets}) {
        if (element < numbers->size()) offset += static_cast<std::uint64_t>((*numbers)[element]);
      }
      if (element < ranges.size()) range = static_cast<std::uint64_t>(ranges[element]);
      const auto begin = static_cast<std::size_t>(std::min<std::uint64_t>(offset, size));
      const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(range, size - begin));
      const std::span<std::byte> bytes = std::span(buffer->bytes).subspan(begin, length);
      const spirv::BufferBinding place{static_cast<spirv::Word>(set), static_cast<spirv::Word>(binding), element++,
                                       bytes};
      if (is_image_kind(descriptor.find("kind").text())) {
        if (JobEnd end = bind_image(name, place, executor); end.kind != Kind::Passed) return end;
      } else {
        executor.bind(place);
      }
    }
    spirv::SamplerBinding place{static_cast<spirv::Word>(set), static_cast<spirv::Word>(binding)};
    for (const JsonValue name : descriptor.find("samplers").elements()) {
      if (JobEnd end = bind_sampler(name, place, executor); end.kind != Kind::Passed) return end;
      ++place.element;
    }
    // The sampler of all elements of an array of combined descriptors.
    if (const JsonValue name = descriptor.find("sampler"); name.is(JsonType::String)) {
      for (place.element = 0; place.element < element; ++place.element) {
        if (JobEnd end = bind_sampler(name, place, executor); end.kind != Kind::Passed) return end;
      }
    }
  }
  if (RunBuffer* const push = buffer_of(pipeline.find("push_constants"))) executor.push(push->bytes);
  return {};
}

JobEnd Job::bind_image(JsonValue name, const spirv::BufferBinding& place, spirv::Executor& executor) const {
  const JsonValue json = document_->at(buffer_values_[buffer_numbers_.find(name.text())->second]);
  spirv::ImageBinding image = image_of(json, place.bytes);
  image.set = place.set;
  image.binding = place.binding;
  image.element = place.element;
  if (executor.bind_image(image)) {
    // In SPIR-V a texel buffer can be a combined image and sampler; Vulkan has no sampler for it.
    const bool is_texel_buffer = json.find("image").is_absent();
    if (is_texel_buffer) executor.bind_sampler(spirv::SamplerBinding{place.set, place.binding, place.element});
    return {};
  }
  return invalid(json, "the executor does not have the format, or the buffer is too small for the image");
}

JobEnd Job::bind_sampler(JsonValue name, spirv::SamplerBinding place, spirv::Executor& executor) const {
  const JsonValue json = document_->root().find("samplers").find(name.text());
  if (json.is_absent()) return invalid(name, "there is no such sampler");
  if (const std::string problem = read_sampler(json, place.sampler); !problem.empty()) return invalid(json, problem);
  executor.bind_sampler(place);
  return {};
}

JobEnd Job::write(JsonValue command) {
  RunBuffer* const buffer = buffer_of(command.find("buffer"));
  if (buffer == nullptr) return invalid(command, "expected the name of a buffer");
  std::string bytes;
  if (!decode_hex(command.find("data").text(), bytes)) return invalid(command, "expected hexadecimal \"data\"");
  const std::int64_t offset = command.find("offset").integer().value_or(0);
  if (static_cast<std::uint64_t>(offset) > buffer->bytes.size() ||
      bytes.size() > buffer->bytes.size() - static_cast<std::uint64_t>(offset))
    return invalid(command, "the data ends outside the buffer");
  if (!bytes.empty()) std::memcpy(buffer->bytes.data() + offset, bytes.data(), bytes.size());
  return {};
}

}  // namespace vireo::cli
