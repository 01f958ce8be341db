// SPDX-License-Identifier: Apache-2.0
//
// LineIndex: maps a byte offset to its line and column, and a line number to its bytes.
//
// One memchr pass records, for every chunk of the text, the line in which the chunk begins and where that
// line begins. A lookup finds its chunk directly or by binary search, and counts line feeds in this chunk only. So
// lookups are fast for many short lines and for very long lines. Only a line feed ends a line.
#include "vireo/support/source.h"

#include <algorithm>
#include <cstring>

#include "support/utf8.h"

namespace vireo {
namespace {

constexpr std::uint64_t bytes_per_chunk = 512;

// Offset of the first line feed in text[begin, end), or `end`.
std::uint64_t find_feed(std::string_view text, std::uint64_t begin, std::uint64_t end) {
  const void* feed = begin < end ? std::memchr(text.data() + begin, '\n', end - begin) : nullptr;
  return feed == nullptr ? end : static_cast<std::uint64_t>(static_cast<const char*>(feed) - text.data());
}

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text) {
  chunks_.reserve(text.size() / bytes_per_chunk + 1);
  std::uint64_t line_start = mark_size(text);
  for (std::uint64_t begin = 0; begin <= text.size(); begin += bytes_per_chunk) {
    chunks_.push_back({line_count_, line_start});
    const std::uint64_t end = std::min<std::uint64_t>(begin + bytes_per_chunk, text.size());
    for (std::uint64_t feed = find_feed(text, begin, end); feed < end; feed = find_feed(text, feed + 1, end)) {
      ++line_count_;
      line_start = feed + 1;
    }
  }
}

LineColumn LineIndex::locate(std::uint64_t offset) const {
  offset = std::clamp<std::uint64_t>(offset, mark_size(text_), text_.size());
  const std::uint64_t begin = offset / bytes_per_chunk * bytes_per_chunk;
  auto [line, line_start] = chunks_[offset / bytes_per_chunk];
  for (std::uint64_t feed = find_feed(text_, begin, offset); feed < offset; feed = find_feed(text_, feed + 1, offset)) {
    ++line;
    line_start = feed + 1;
  }
  return {line, offset - line_start + 1};
}

std::string_view LineIndex::line(std::uint64_t number) const {
  if (number == 0 || number > line_count_) return {};

  // The last chunk that begins in an earlier line contains the line feed before the wanted line.
  const auto start_of = [&](std::uint64_t wanted) -> std::uint64_t {
    if (wanted == 1) return mark_size(text_);
    const auto after =
        std::partition_point(chunks_.begin(), chunks_.end(), [&](const Chunk& c) { return c.line < wanted; });
    const auto index = static_cast<std::uint64_t>(after - chunks_.begin()) - 1;
    std::uint64_t start = index * bytes_per_chunk;
    for (std::uint64_t line = chunks_[index].line; line < wanted; ++line)
      start = find_feed(text_, start, text_.size()) + 1;
    return start;
  };
  const std::uint64_t begin = start_of(number);
  const std::uint64_t end = number < line_count_ ? start_of(number + 1) - 1 : text_.size();  // before the line feed
  std::string_view line = text_.substr(begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace vireo
