// SPDX-License-Identifier: Apache-2.0
//
// Reads the inputs of one module (module_run.h).
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/run/module_run.h"
#include "support/counted.h"

namespace vireo::cli {
namespace {

constexpr std::uint64_t default_elements = 64;

// An array of descriptors without a length grows.
RunBuffer* find_buffer_or_element(std::deque<RunBuffer>& buffers, std::string_view name, std::string& problem) {
  const BufferName wanted = BufferName::parse(name);
  for (const RunBuffer& first : buffers) {
    BufferName of_first = wanted;
    of_first.element = 0;
    if (wanted.element == 0 || wanted.element >= EntryInputs::max_descriptors || !first.is_open_array ||
        !of_first.matches(first))
      continue;
    const bool exists = std::ranges::any_of(buffers, [&](const RunBuffer& each) { return wanted.matches(each); });
    if (exists) break;
    RunBuffer added = first;
    added.element = wanted.element;
    added.is_given = false;
    added.bytes.clear();
    return &buffers.emplace_back(std::move(added));
  }
  return find_buffer(buffers, name, problem);
}

ValueText set(RunBuffer& buffer, std::string_view text, const ValueLimits& limits, std::string_view option) {
  InputValue value;
  ValueText read = read_value_text(text, *buffer.layout, limits, value);
  if (!read.problem.empty()) {
    if (!read.is_file_problem) read.problem = fmt::format("{}: {}", option, read.problem);
    return read;
  }
  buffer.bytes = std::move(value.bytes);
  buffer.is_given = true;
  return read;
}

// "B=V".
ValueText set_buffer(std::deque<RunBuffer>& buffers, const Option& option, std::string_view text,
                     const ValueLimits& limits, bool ignores_unknown) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return {fmt::format("--{} expects B=V", option.name)};
  const std::string_view name = text.substr(0, equals);
  std::string problem;
  RunBuffer* const buffer = find_buffer_or_element(buffers, name, problem);
  if (buffer == nullptr) return {ignores_unknown ? std::string() : fmt::format("--{}: {}", option.name, problem)};
  if (buffer->is_given) return {fmt::format("--{}: buffer {} already has contents", option.name, buffer->label())};
  return set(*buffer, text.substr(equals + 1), limits, fmt::format("--{} {}", option.name, name));
}

// Buffers without a value.
std::string add_zeros(std::deque<RunBuffer>& buffers, const ValueLimits& limits) {
  std::uint64_t total = 0;
  for (RunBuffer& buffer : buffers) {
    if (!buffer.is_given) {
      const std::uint64_t size = buffer.layout->size_with(default_elements);
      if (size > limits.max_bytes - std::min(total, limits.max_bytes))
        return fmt::format("buffer {} has {} bytes; an execution has at most {} (--memory)", buffer.label(), size,
                           limits.max_bytes);
      buffer.bytes.resize(static_cast<std::size_t>(size));
    }
    total += buffer.bytes.size();
  }
  return {};
}

}  // namespace

ValueText ModuleInputs::read(const ParsedOptions& options, const EntryInputs& entry, const ValueLimits& limits,
                             bool ignores_unknown) {
  buffers = entry.buffers();
  for (const auto& [option, text] : options.in_order()) {
    if (option != &buffer_option && option != &uniform_option) continue;
    ValueText read = set_buffer(buffers, *option, text, limits, ignores_unknown);
    if (!read.problem.empty()) return read;
  }
  if (const spirv::ReflectedPushConstants* const block = entry.push_constants()) {
    has_push_constants = true;
    push.layout = std::make_shared<const ValueLayout>(ValueLayout::of_type(entry.facts(), block->type));
    push.bytes.resize(static_cast<std::size_t>(std::min(block->end, limits.max_bytes)));
    if (options.has(push_option)) {
      ValueText read = set(push, options.value(push_option), limits, "--push");
      if (!read.problem.empty()) return read;
    }
  } else if (options.has(push_option) && entry.has_entry() && !ignores_unknown) {
    return {"--push: the entry point has no push constants"};
  }
  return {add_zeros(buffers, limits)};
}

std::vector<std::string> ModuleInputs::notes_of_defaults(const ParsedOptions& options,
                                                         const std::array<spirv::Word, 3>& workgroup_size) const {
  std::vector<std::string> notes;
  if (!options.has(groups_option))
    notes.push_back(fmt::format("runs one workgroup of {} x {} x {} invocations; --groups runs more", workgroup_size[0],
                                workgroup_size[1], workgroup_size[2]));
  if (has_push_constants && !options.has(push_option))
    notes.emplace_back("the push constants have no input: all are zero");
  for (const RunBuffer& buffer : buffers) {
    if (buffer.is_given) continue;
    const std::string elements =
        buffer.layout->open_list() == nullptr ? std::string() : fmt::format(", {} elements", default_elements);
    notes.push_back(fmt::format("buffer {} has no input: {} of zeros{}", buffer.label(),
                                counted(buffer.bytes.size(), "byte"), elements));
  }
  return notes;
}

}  // namespace vireo::cli
