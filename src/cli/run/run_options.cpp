// SPDX-License-Identifier: Apache-2.0
//
// Reads the options of executions (run_options.h).
#include "cli/run/run_options.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

#include "support/printable.h"

namespace vireo::cli {
namespace {

bool parse_number(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string read_groups(std::string_view text, std::array<spirv::Word, 3>& groups) {
  std::string problem = "expected --groups X, X,Y or X,Y,Z with numbers from 1, found " + quoted(text);
  std::size_t i = 0;
  for (std::string_view rest = text;; ++i) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::uint64_t number = 0;
    if (i == groups.size() || !parse_number(rest.substr(0, comma), number) || number == 0 ||
        number > std::numeric_limits<spirv::Word>::max())
      return problem;
    groups[i] = static_cast<spirv::Word>(number);
    if (comma == rest.size()) return {};
    rest.remove_prefix(comma + 1);
  }
}

std::string read_size(std::string_view text, std::uint64_t& bytes) {
  constexpr std::pair<char, std::uint32_t> units[] = {{'K', 10}, {'M', 20}, {'G', 30}};
  std::string_view digits = text;
  std::uint32_t shift = 0;
  for (const auto& [letter, bits] : units) {
    if (!text.ends_with(letter)) continue;
    digits.remove_suffix(1);
    shift = bits;
  }
  std::uint64_t number = 0;
  if (!parse_number(digits, number) || number > std::numeric_limits<std::uint64_t>::max() >> shift)
    return "expected --memory SIZE, a number of bytes, K, M or G, found " + quoted(text);
  bytes = number << shift;
  return {};
}

}  // namespace

int ChosenRun::load(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter) {
  if (const int status = validation_.load(invocation, grammar, reporter); status != exit_status::fine) return status;
  if (const std::string problem = read(invocation.options); !problem.empty()) return usage_error(invocation, problem);
  if (const int status = specialization_.load(invocation); status != exit_status::fine) return status;
  return read_baseline(invocation, reporter, known_);
}

std::string ChosenRun::read(const ParsedOptions& options) {
  options_.grammar = validation().grammar;
  options_.environment = validation().environment;
  has_environment_ = options.has(run_target_env_option);
  options_.rules = validation().rules;
  // A comparison with a baseline, or its file, needs all findings.
  options_.max_findings = options.has(baseline_option) || options.has(write_baseline_option)
                              ? std::numeric_limits<std::size_t>::max()
                              : validation().max_findings;
  options_.entry_point = options.value(run_entry_option);
  options_.checks = options.value(checks_option, "all") == "all";
  const std::string_view robustness = options.value(robustness_option, "off");
  options_.robustness = robustness == "off"      ? spirv::Robustness::Off
                        : robustness == "robust" ? spirv::Robustness::Robust
                                                 : spirv::Robustness::Robust2;
  const std::string_view undefined = options.value(undef_option, "random");
  options_.undefined = undefined == "random" ? spirv::UndefinedBytes::Random
                       : undefined == "zero" ? spirv::UndefinedBytes::Zero
                                             : spirv::UndefinedBytes::Ones;
  const std::string_view schedule = options.value(schedule_option, "forward");
  options_.schedule = schedule == "forward"   ? spirv::Schedule::Forward
                      : schedule == "reverse" ? spirv::Schedule::Reverse
                                              : spirv::Schedule::Random;
  options_.seed = options.count(seed_option, 1);
  options_.max_steps = options.count(steps_option, options_.max_steps);
  options_.max_steps_of_subgroup = options.count(subgroup_steps_option, options_.max_steps_of_subgroup);
  if (options.has(subgroup_size_option)) {
    std::uint64_t size = 0;
    const std::string_view text = options.value(subgroup_size_option);
    if (!parse_number(text, size) || !std::has_single_bit(size) || size > 128)
      return "expected --subgroup-size N, a power of two from 1 to 128, found " + quoted(text);
    options_.subgroup_size = static_cast<spirv::Word>(size);
  }
  if (options.has(memory_option)) {
    if (std::string problem = read_size(options.value(memory_option), options_.max_memory); !problem.empty())
      return problem;
  }
  return options.has(groups_option) ? read_groups(options.value(groups_option), groups_) : std::string();
}

}  // namespace vireo::cli
