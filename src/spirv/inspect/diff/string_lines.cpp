// SPDX-License-Identifier: Apache-2.0
//
// Splits printed texts at line feeds and aligns the lines (string_lines.h).
#include "spirv/inspect/diff/string_lines.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "spirv/inspect/diff/sequence_alignment.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view line_feed = "\\x0a";

// The next line feed from `at` on; npos if there is none. A backslash of the string is printed as two.
std::size_t next_line_feed(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (text[at] != '\\') continue;
    if (text.substr(at).starts_with(line_feed)) return at;
    ++at;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = next_line_feed(text, 0);
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + line_feed.size());
  }
}

// Only equal lines have a key in common, so only they are aligned.
std::vector<AlignmentKeys> keys_of(const std::vector<std::string_view>& lines) {
  std::vector<AlignmentKeys> keys;
  keys.reserve(lines.size());
  for (const std::string_view line : lines) {
    const std::uint64_t key = std::hash<std::string_view>()(line);
    keys.push_back({.deep = key, .value = key, .near = key, .shallow = key, .opcode = key});
  }
  return keys;
}

}  // namespace

bool has_lines(std::string_view text) { return next_line_feed(text, 0) != std::string_view::npos; }

std::vector<ComparedLine> compare_lines(std::string_view before, std::string_view after, std::uint32_t context) {
  const std::vector<std::string_view> old_lines = split(before), new_lines = split(after);
  std::vector<ComparedLine> all;
  std::size_t i = 0, k = 0;
  const auto write_until = [&](std::size_t old_end, std::size_t new_end) {
    for (; i < old_end; ++i) all.push_back({'-', old_lines[i]});
    for (; k < new_end; ++k) all.push_back({'+', new_lines[k]});
  };
  for (const auto& [old_line, new_line] : align_sequences(keys_of(old_lines), keys_of(new_lines))) {
    if (old_lines[old_line] != new_lines[new_line]) continue;  // equal hashes only
    write_until(old_line, new_line);
    all.push_back({' ', old_lines[i++]});
    ++k;
  }
  write_until(old_lines.size(), new_lines.size());

  // An unchanged line is shown if a change is near, before or after it.
  std::vector<bool> is_shown(all.size());
  is_shown[0] = true;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at].mark == ' ') continue;
    const std::size_t first = at - std::min<std::size_t>(at, context);
    const std::size_t end = std::min<std::size_t>(all.size(), at + std::size_t{context} + 1);
    // Those before `at` that an earlier change has marked are not marked again.
    for (std::size_t line = end; line-- > first;) {
      if (line < at && is_shown[line]) break;
      is_shown[line] = true;
    }
  }
  std::vector<ComparedLine> shown;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (!is_shown[at]) continue;
    shown.push_back(all[at]);
    shown.back().is_after_gap = at != 0 && !is_shown[at - 1];
  }
  return shown;
}

}  // namespace vireo::spirv
