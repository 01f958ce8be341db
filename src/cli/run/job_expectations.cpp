// SPDX-License-Identifier: Apache-2.0
//
// Compares buffers, findings and printed lines with what a job states (job.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/run/job.h"
#include "cli/run/value_input.h"
#include "cli/run/value_text.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

using Kind = JobEnd::Kind;

// The operation of "compare" and its tolerance.
struct Comparison {
  std::string_view operation = "eq";
  double tolerance = 0;
  bool is_percent = false;

  [[nodiscard]] double tolerance_of(double expected) const {
    if (operation != "near") return std::fabs(expected) * 1e-8;  // practically exact
    return is_percent ? std::fabs(expected) * tolerance / 100 : tolerance;
  }
};

std::optional<double> number(JsonValue json) {
  std::uint64_t bits = 0;
  const ScalarType type{.is_float = true, .is_signed = false, .width = 64, .format = FloatFormat::Double};
  if (json.is_absent() || !read_scalar_value(json, type, bits).empty()) return std::nullopt;
  return number_of(bits, type);
}

// Returns none for an unknown operation.
std::optional<Comparison> comparison_of(JsonValue command) {
  constexpr std::string_view operations[] = {"eq", "ne", "lt", "le", "gt", "ge", "near"};
  Comparison comparison;
  if (const std::string_view text = command.find("compare").text(); !text.empty()) comparison.operation = text;
  if (std::ranges::find(operations, comparison.operation) == std::end(operations)) return std::nullopt;
  const JsonValue tolerance = command.find("tolerance");
  if (tolerance.is_absent()) return comparison;
  const std::optional<double> value = number(tolerance.is(JsonType::Object) ? tolerance.find("value") : tolerance);
  if (!value) return std::nullopt;
  comparison.operation = "near";
  comparison.tolerance = *value;
  comparison.is_percent = tolerance.find("percent").boolean();
  return comparison;
}

template <typename Number>
bool holds(const Comparison& comparison, Number actual, Number expected, bool is_equal) {
  const std::string_view operation = comparison.operation;
  if (operation == "eq" || operation == "near") return is_equal;
  if (operation == "ne") return !is_equal;
  if (operation == "lt") return actual < expected;
  if (operation == "le") return actual <= expected;
  return operation == "gt" ? actual > expected : actual >= expected;
}

bool holds(const Comparison& comparison, std::uint64_t actual, std::uint64_t expected, const ScalarType& type) {
  const double a = number_of(actual, type), b = number_of(expected, type);
  const double tolerance = comparison.tolerance_of(b);
  if (type.is_float) {
    const bool is_equal = std::isnan(b) ? std::isnan(a) : a == b || std::fabs(a - b) <= tolerance;
    return holds(comparison, a, b, is_equal);
  }
  const bool is_equal = actual == expected || (comparison.operation == "near" && std::fabs(a - b) <= tolerance);
  if (!type.is_signed) return holds(comparison, actual, expected, is_equal);
  // Both are sign-extended to compare them.
  const auto extended = [&](std::uint64_t bits) {
    const std::uint32_t unused = 64 - type.width;
    return static_cast<std::int64_t>(bits << unused) >> unused;
  };
  return holds(comparison, extended(actual), extended(expected), is_equal);
}

std::string difference_text(const Comparison& comparison, std::string_view place, std::uint64_t actual,
                            std::uint64_t expected, const ScalarType& type) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {{"ne", "another value than "},
                                                                     {"lt", "less than "},
                                                                     {"le", "at most "},
                                                                     {"gt", "more than "},
                                                                     {"ge", "at least "}};
  std::string_view relation;
  for (const auto& [operation, text] : words) {
    if (operation == comparison.operation) relation = text;
  }
  std::string text =
      fmt::format("{} is {}; expected {}{}", place, scalar_text(actual, type), relation, scalar_text(expected, type));
  if (comparison.operation == "near")
    text += fmt::format(" ± {}{}", comparison.tolerance, comparison.is_percent ? " %" : "");
  return text;
}

}  // namespace

JobEnd Job::expect(JsonValue command) {
  RunBuffer* const buffer = buffer_of(command.find("buffer"));
  if (buffer == nullptr) return invalid(command, "expected the name of a buffer");
  const JsonValue value = command.find("value");
  const auto& element = elements_[buffer_numbers_.find(buffer->name)->second];
  if (value.is_absent()) return expect_values(command, *buffer, element);
  const std::optional<Comparison> comparison = comparison_of(command);
  if (!comparison || (comparison->operation != "eq" && (comparison->operation != "near" || comparison->is_percent)))
    return invalid(command, "\"value\" is compared by eq, or with a \"tolerance\"");
  InputValue expected;
  if (const std::string problem = read_value(value, *buffer->layout, chosen_.value_limits(), expected);
      !problem.empty())
    return invalid({}, problem);
  std::string text = difference(buffer->name, *buffer->layout, buffer->bytes, expected, comparison->tolerance);
  return text.empty() ? JobEnd() : JobEnd{Kind::Failed, std::move(text)};
}

// Component by component from an offset, which is that of an element.
JobEnd Job::expect_values(JsonValue command, const RunBuffer& buffer, const Element& element) {
  const std::optional<Comparison> comparison = comparison_of(command);
  if (!comparison) return invalid(command, "\"compare\" is eq, ne, lt, le, gt, ge or near");
  if (element.components.empty()) return invalid(command, "the buffer has no \"element\"; expected \"value\"");
  const std::int64_t offset = command.find("offset").integer().value_or(0);
  std::uint64_t i = 0;
  for (const JsonValue value : command.find("values").elements()) {
    const std::uint64_t count = element.components.size();
    const auto& [within, type] = element.components[static_cast<std::size_t>(i % count)];
    const std::uint64_t at = static_cast<std::uint64_t>(offset) + i / count * element.stride + within;
    ++i;
    std::uint64_t expected = 0;
    if (const std::string problem = read_scalar_value(value, type, expected); !problem.empty())
      return invalid(value, problem);
    if (type.bytes() > buffer.bytes.size() || at > buffer.bytes.size() - type.bytes())
      return invalid(value, "the value is outside the buffer");
    const std::uint64_t actual = read_scalar(buffer.bytes, at, type);
    if (holds(*comparison, actual, expected, type)) continue;
    const std::string place = buffer.layout->place_of(at, buffer.name);
    return {Kind::Failed, difference_text(*comparison, place, actual, expected, type)};
  }
  return {};
}

// The keys "findings" and "printf", which are optional.
JobEnd Job::compare_findings() {
  const JsonValue lines = document_->root().find("printf");
  std::size_t i = 0;
  for (const JsonValue line : lines.elements()) {
    if (i == printed_.size()) return {Kind::Failed, fmt::format("expected the line {}", quoted(line.text()))};
    if (printed_[i] != line.text())
      return {Kind::Failed, fmt::format("printed {}; expected {}", vireo::quoted(printed_[i]), quoted(line.text()))};
    ++i;
  }
  if (lines.is(JsonType::Array) && i < printed_.size())
    return {Kind::Failed, fmt::format("printed one more line: {}", vireo::quoted(printed_[i]))};
  if (!states_findings()) return {};
  std::vector<std::string_view> expected;
  for (const JsonValue rule : document_->root().find("findings").elements()) expected.push_back(rule.text());
  std::ranges::sort(expected);
  const std::vector<std::string_view> actual = rules();
  if (expected == actual) return {};
  const auto list = [](const std::vector<std::string_view>& names) {
    return names.empty() ? std::string("no findings") : fmt::format("{}", fmt::join(names, ", "));
  };
  return {Kind::Failed, fmt::format("found {}; expected {}", list(actual), list(expected))};
}

}  // namespace vireo::cli
