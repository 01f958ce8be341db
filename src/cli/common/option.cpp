// SPDX-License-Identifier: Apache-2.0
//
// Queries of the parsed command line (option.h).
#include "cli/common/option.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace vireo::cli {

std::string Option::full_summary() const {
  return std::string(summary) + (traits.preset == 0 ? "" : " (" + std::to_string(traits.preset) + ')');
}

std::vector<std::string_view> split_choices(std::string_view choices) {
  std::vector<std::string_view> items;
  while (!choices.empty()) {
    const std::size_t bar = std::min(choices.find('|'), choices.size());
    items.push_back(choices.substr(0, bar));
    choices.remove_prefix(std::min(bar + 1, choices.size()));
  }
  return items;
}

bool ParsedOptions::has(const Option& option) const {
  return std::ranges::any_of(given_, [&](const auto& given) { return given.first == &option.origin(); });
}

std::string_view ParsedOptions::value(const Option& option, std::string_view otherwise) const {
  const auto found =
      std::find_if(given_.rbegin(), given_.rend(), [&](const auto& given) { return given.first == &option.origin(); });
  return found == given_.rend() ? otherwise : found->second;
}

std::vector<std::string_view> ParsedOptions::values(const Option& option) const {
  std::vector<std::string_view> values;
  for (const auto& [given, value] : given_) {
    if (given == &option.origin()) values.push_back(value);
  }
  return values;
}

std::size_t ParsedOptions::count(const Option& option, std::size_t otherwise) const {
  const std::string_view digits = value(option);
  std::from_chars(digits.data(), digits.data() + digits.size(), otherwise);
  return otherwise;
}

std::uint32_t ParsedOptions::count_up_to_max(const Option& option, std::uint32_t otherwise) const {
  constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min<std::size_t>(count(option, otherwise), largest));
}

void ParsedOptions::remove(const Option& option) {
  std::erase_if(given_, [&](const auto& given) { return given.first == &option.origin(); });
}

}  // namespace vireo::cli
