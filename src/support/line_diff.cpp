// SPDX-License-Identifier: Apache-2.0
//
// Shortest edit script of two lists of lines, by the greedy algorithm of Myers (1986): the furthest reach of each
// diagonal after each number of edits.
#include "support/line_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vireo {
namespace {

constexpr std::size_t context_lines = 3;
constexpr std::ptrdiff_t most_edits = 1000;

using Lines = std::vector<std::string_view>;  // with their newlines, which the last may lack

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Lines first … end - 1 of the first text are replaced by those of the second.
struct Edit {
  std::size_t old_first, old_end, new_first, new_end;
};

class Comparison {
 public:
  Comparison(const Lines& before, const Lines& after) : before_(before), after_(after) {}

  std::vector<Edit> run() {
    std::size_t first = 0, old_end = before_.size(), new_end = after_.size();
    while (first < old_end && first < new_end && before_[first] == after_[first]) ++first;
    while (old_end > first && new_end > first && before_[old_end - 1] == after_[new_end - 1]) --old_end, --new_end;
    if (old_end == first && new_end == first) return {};
    if (!find_path(first, old_end, new_end)) return {{first, old_end, first, new_end}};
    return join();
  }

 private:
  using Reach = std::vector<std::ptrdiff_t>;  // by diagonal, from -edits to edits

  // Fills the matched_ lines. Returns false if there are too many edits.
  bool find_path(std::size_t first, std::size_t old_end, std::size_t new_end) {
    const auto rows = static_cast<std::ptrdiff_t>(old_end - first),
               columns = static_cast<std::ptrdiff_t>(new_end - first);
    const auto equal = [&](std::ptrdiff_t x, std::ptrdiff_t y) {
      return before_[first + static_cast<std::size_t>(x)] == after_[first + static_cast<std::size_t>(y)];
    };
    std::vector<Reach> steps;
    const auto reach = [&](std::ptrdiff_t edits, std::ptrdiff_t diagonal) {
      return steps[static_cast<std::size_t>(edits)][static_cast<std::size_t>(diagonal + edits)];
    };
    // The position before the matching lines, coming from the diagonal that reaches further.
    const auto comes_from_insertion = [&](std::ptrdiff_t edits, std::ptrdiff_t diagonal) {
      return diagonal == -edits ||
             (diagonal != edits && reach(edits - 1, diagonal - 1) < reach(edits - 1, diagonal + 1));
    };
    for (std::ptrdiff_t edits = 0; edits <= most_edits; ++edits) {
      Reach step(static_cast<std::size_t>(2 * edits + 1), 0);
      for (std::ptrdiff_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
        std::ptrdiff_t x = 0;
        if (edits != 0) {
          x = comes_from_insertion(edits, diagonal) ? reach(edits - 1, diagonal + 1)
                                                    : reach(edits - 1, diagonal - 1) + 1;
        }
        while (x < rows && x - diagonal < columns && x - diagonal >= 0 && equal(x, x - diagonal)) ++x;
        step[static_cast<std::size_t>(diagonal + edits)] = x;
        if (x < rows || x - diagonal < columns) continue;
        steps.push_back(std::move(step));
        trace_back(first, edits, rows, columns, comes_from_insertion, reach);
        return true;
      }
      steps.push_back(std::move(step));
    }
    return false;
  }

  // Walks from the end to the start and records each edit.
  template <typename ComesFromInsertion, typename ReachOf>
  void trace_back(std::size_t first, std::ptrdiff_t edits, std::ptrdiff_t x, std::ptrdiff_t y,
                  const ComesFromInsertion& comes_from_insertion, const ReachOf& reach) {
    for (; edits > 0; --edits) {
      const std::ptrdiff_t diagonal = x - y;
      const bool is_insertion = comes_from_insertion(edits, diagonal);
      const std::ptrdiff_t previous = is_insertion ? diagonal + 1 : diagonal - 1;
      x = reach(edits - 1, previous);
      y = x - previous;
      const std::size_t old_at = first + static_cast<std::size_t>(x), new_at = first + static_cast<std::size_t>(y);
      edits_.push_back({old_at, old_at + (is_insertion ? 0u : 1u), new_at, new_at + (is_insertion ? 1u : 0u)});
    }
    std::ranges::reverse(edits_);
  }

  // Joins adjacent edits.
  [[nodiscard]] std::vector<Edit> join() const {
    std::vector<Edit> joined;
    for (const Edit& edit : edits_) {
      if (!joined.empty() && joined.back().old_end == edit.old_first && joined.back().new_end == edit.new_first) {
        joined.back().old_end = edit.old_end;
        joined.back().new_end = edit.new_end;
      } else {
        joined.push_back(edit);
      }
    }
    return joined;
  }

  const Lines& before_;
  const Lines& after_;
  std::vector<Edit> edits_;
};

// "12,3": the first line and the number of lines, as diff writes them.
std::string range_text(std::size_t first, std::size_t end) {
  const std::size_t count = end - first;
  if (count == 1) return fmt::format("{}", first + 1);
  return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, std::string_view name_before,
                         std::string_view name_after) {
  const Lines old_lines = lines_of(before), new_lines = lines_of(after);
  const std::vector<Edit> edits = Comparison(old_lines, new_lines).run();
  if (edits.empty()) return {};
  std::string text = fmt::format("--- {}\n+++ {}\n", name_before, name_after);
  const auto add_line = [&](char mark, std::string_view line) {
    text.append(1, mark).append(line);
    if (!line.ends_with('\n')) text.append("\n\\ No newline at end of file\n");
  };
  for (std::size_t i = 0; i < edits.size();) {
    // A hunk has all edits whose context touches.
    std::size_t last = i;
    while (last + 1 < edits.size() && edits[last + 1].old_first - edits[last].old_end <= 2 * context_lines) ++last;
    const std::size_t lead = std::min(context_lines, edits[i].old_first);
    const std::size_t tail = std::min(context_lines, old_lines.size() - edits[last].old_end);
    text += fmt::format("@@ -{} +{} @@\n", range_text(edits[i].old_first - lead, edits[last].old_end + tail),
                        range_text(edits[i].new_first - lead, edits[last].new_end + tail));
    std::size_t at = edits[i].old_first - lead;
    for (; i <= last; ++i) {
      for (; at < edits[i].old_first; ++at) add_line(' ', old_lines[at]);
      for (; at < edits[i].old_end; ++at) add_line('-', old_lines[at]);
      for (std::size_t n = edits[i].new_first; n < edits[i].new_end; ++n) add_line('+', new_lines[n]);
    }
    for (const std::size_t end = at + tail; at < end; ++at) add_line(' ', old_lines[at]);
  }
  return text;
}

}  // namespace vireo
