// SPDX-License-Identifier: Apache-2.0
//
// Formats times and ratios, and prints lines.
//
// Lines are printed immediately, in columns of fixed width, so an interrupted benchmark has shown its
// results so far.
#pragma once

#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace vireo::bench {

template <typename... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  std::fputs(fmt::format(format, std::forward<Arguments>(arguments)...).c_str(), stdout);
  std::fflush(stdout);
}

inline std::string time_text(double seconds) {
  if (seconds <= 0) return "-";
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

/// "12.3x", with a mark if the target was missed.
inline std::string ratio_text(double ours, double peer, double target) {
  if (ours <= 0 || peer <= 0) return "-";
  const double ratio = peer / ours;
  return fmt::format("{:.1f}x{}", ratio, ratio < target ? fmt::format(" (< {:g}x)", target) : "");
}

}  // namespace vireo::bench
