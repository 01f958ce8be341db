// SPDX-License-Identifier: Apache-2.0
//
// Finds buffers (run_buffers.h).
#include "cli/run/run_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <tuple>

#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

// A number at the start of the text, which is removed.
bool take_number(std::string_view& text, spirv::Word& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool is_buffer(const spirv::ReflectedResource& resource) {
  return resource.descriptor == spirv::DescriptorType::UniformBuffer ||
         resource.descriptor == spirv::DescriptorType::StorageBuffer;
}

}  // namespace

std::string RunBuffer::label() const {
  std::string text;
  if (has_binding) text = fmt::format("{}.{}", set, binding);
  if (is_array) text += fmt::format("[{}]", element);
  if (!name.empty()) text.append(text.empty() ? "" : " ").append(name);
  return text;
}

std::uint64_t RunBuffer::changed_scalars() const {
  if (bytes == before || bytes.size() != before.size()) return bytes == before ? 0 : bytes.size();
  std::uint64_t count = 0;
  layout->for_each_scalar(bytes.size(), [&](std::uint64_t offset, const ScalarType& type) {
    const auto size = static_cast<std::size_t>(type.bytes());
    count += std::memcmp(bytes.data() + offset, before.data() + offset, size) != 0;
    return true;
  });
  return count;
}

BufferName BufferName::parse(std::string_view text) {
  BufferName result{.text = text};
  std::string_view name = text;
  if (name.ends_with(']')) {
    const std::size_t open = name.rfind('[');
    std::string_view index = open == std::string_view::npos ? "" : name.substr(open + 1);
    if (take_number(index, result.element) && index == "]") name = name.substr(0, open);
  }
  std::string_view rest = name;
  if (take_number(rest, result.set) && rest.starts_with('.')) {
    rest.remove_prefix(1);
    result.is_binding = take_number(rest, result.binding) && rest.empty();
  }
  result.name = name;
  return result;
}

bool BufferName::matches(const RunBuffer& buffer) const {
  if (element != buffer.element) return false;
  if (is_binding && buffer.has_binding) return set == buffer.set && binding == buffer.binding;
  return !name.empty() && name == buffer.name;
}

RunBuffer* find_buffer(std::deque<RunBuffer>& buffers, std::string_view name, std::string& problem) {
  const BufferName wanted = BufferName::parse(name);
  RunBuffer* found = nullptr;
  for (RunBuffer& buffer : buffers) {
    if (!wanted.matches(buffer)) continue;
    if (found != nullptr && !wanted.is_binding) {
      problem =
          fmt::format("several buffers have the name {}: write {} or {}", quoted(name), found->label(), buffer.label());
      return nullptr;
    }
    if (found == nullptr) found = &buffer;
  }
  if (found != nullptr) return found;
  std::vector<std::string> labels;
  labels.reserve(buffers.size());
  for (const RunBuffer& buffer : buffers) labels.push_back(buffer.label());
  const std::vector<std::string_view> names(labels.begin(), labels.end());
  problem = names.empty() ? fmt::format("no buffer {}: the entry point uses none", quoted(name))
                          : fmt::format("no buffer {}; {}", quoted(name), expected_one_of(names, name));
  return nullptr;
}

EntryInputs::EntryInputs(spirv::Words words, const spirv::Grammar& grammar,
                         std::span<const spirv::Specialization> values, std::string_view entry)
    : module_(spirv::Module::read(words, grammar)),
      facts_(module_, {.specializations = values, .defaults = spirv::ConstantOptions::Defaults::Freeze}),
      reflection_(facts_) {
  const auto rows = reflection_.entry_points();
  if (entry.empty() && rows.size() == 1) entry_ = &rows.front();
  for (const spirv::ReflectedEntryPoint& row : rows) {
    if (entry_ == nullptr && !entry.empty() && row.name == entry) entry_ = &row;
  }
}

std::deque<RunBuffer> EntryInputs::buffers() const {
  std::deque<RunBuffer> buffers;
  if (entry_ == nullptr) return buffers;
  for (const std::uint32_t index : entry_->resources) {
    const spirv::ReflectedResource& resource = reflection_.resources()[index];
    if (!is_buffer(resource)) continue;
    std::uint64_t count = 1;
    for (const spirv::ReflectedLength& length : resource.array) {
      count = std::min(max_descriptors, count * std::clamp<std::uint64_t>(length.count, 1, max_descriptors));
    }
    const auto layout = std::make_shared<const ValueLayout>(ValueLayout::of_type(facts_, resource.type));
    for (std::uint64_t i = 0; i < count; ++i) {
      RunBuffer buffer{.name = std::string(resource.name), .set = resource.set, .binding = resource.binding};
      buffer.element = static_cast<spirv::Word>(i);
      buffer.is_array = !resource.array.empty();
      buffer.is_open_array = buffer.is_array && resource.array.front().count == 0;
      buffer.layout = layout;
      // Two variables of one binding share the buffer; the larger one determines its size.
      const auto same = std::ranges::find_if(buffers, [&](const RunBuffer& each) {
        return each.set == buffer.set && each.binding == buffer.binding && each.element == buffer.element;
      });
      if (same == buffers.end()) buffers.push_back(std::move(buffer));
      else if (same->layout->size_with(1) < layout->size_with(1)) same->layout = layout;
    }
  }
  std::ranges::sort(buffers, {},
                    [](const RunBuffer& each) { return std::tuple(each.set, each.binding, each.element); });
  return buffers;
}

const spirv::ReflectedPushConstants* EntryInputs::push_constants() const {
  if (entry_ == nullptr || entry_->push_constants.empty()) return nullptr;
  return &reflection_.push_constants()[entry_->push_constants.front()];
}

}  // namespace vireo::cli
