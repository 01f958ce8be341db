// SPDX-License-Identifier: Apache-2.0
//
// LineIndex: from a byte's offset to the line and column that people count.
//
// The one idea: one memchr pass notes where lines begin; a place is then found by binary search. Only a line feed ends
// a line, so offsets inside multi-line strings need no special care.
#include "vireo/support/source.h"

#include <algorithm>
#include <cstring>

namespace vireo {

LineIndex::LineIndex(std::string_view text) : text_(text) {
  starts_.push_back(0);
  for (std::size_t at = 0; at < text.size();) {
    const void* feed = std::memchr(text.data() + at, '\n', text.size() - at);
    if (feed == nullptr) break;
    at = static_cast<std::size_t>(static_cast<const char*>(feed) - text.data()) + 1;
    starts_.push_back(at);
  }
}

LineColumn LineIndex::locate(std::uint64_t offset) const {
  offset = std::min<std::uint64_t>(offset, text_.size());
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return {static_cast<std::uint64_t>(after - starts_.begin()), offset - *(after - 1) + 1};
}

std::string_view LineIndex::line(std::uint64_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const std::uint64_t begin = starts_[number - 1];
  const std::uint64_t end = number < starts_.size() ? starts_[number] - 1 : text_.size();  // before the line feed
  std::string_view line = text_.substr(begin, end - begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace vireo
