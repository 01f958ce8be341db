// SPDX-License-Identifier: Apache-2.0
//
// Stores the names of custom fields in a list, and searches it linearly: register tables are small and rarely used.
//
// Earlier rows take precedence over later ones (add()). read() returns every possible reading, and the assembler
// verifies each by printing it. So the assembler uses only values that print the text of the line.
#include "vireo/isa/custom_names.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "isa/model/rules.h"

namespace vireo::isa {
namespace {

// Kinds are compared case-insensitively: descriptions usually write field names in capitals.
std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return result;
}

// Length of a printed number: `0x` and the 16 digits of 64 bits.
constexpr std::size_t longest_number = 18;

// As in Mesa's afuc syntax, `%` marks registers of the processor itself (kind `sqe`), and `@` marks all others.
char mark_of(const CustomNames::Row& row) { return row.kind == "sqe" ? '%' : '@'; }

}  // namespace

CustomNames::CustomNames(const Model& model) {
  for (const CustomName& row : model.custom_names())
    rows_.push_back({lower_case(row.kind), row.value, std::string(row.name)});
}

bool CustomNames::add(std::string_view text, Diagnostics& diagnostics) {
  const char* begin = text.data();
  std::vector<Row> found;  // inserted together: inserting one row at a time would be quadratic
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    const auto at = static_cast<std::uint64_t>(line.data() - begin);
    // A name may contain tabs; only the first two tabs separate columns.
    const std::size_t first = line.find('\t');
    const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
    Row row;
    if (second != std::string_view::npos) {
      std::string_view digits = line.substr(first + 1, second - first - 1);
      const bool is_hex = digits.starts_with("0x");
      if (is_hex) digits.remove_prefix(2);
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), row.value, is_hex ? 16 : 10);
      if (error == std::errc() && end == digits.data() + digits.size()) {
        row.kind = lower_case(line.substr(0, first));
        row.name = line.substr(second + 1);
        found.push_back(std::move(row));
        continue;
      }
    }
    // Continue after a malformed line, so that one run reports all errors.
    diagnostics.error(rule::malformed_input, Location::in_text(at, at + line.size()),
                      "expected KIND<TAB>VALUE<TAB>NAME");
  }
  // Insert after the rows of earlier texts and before those of the description: earlier rows take precedence.
  rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(added_), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
  added_ += found.size();
  return !diagnostics.has_errors();
}

void CustomNames::custom(std::string_view field, std::uint64_t value, std::string& text) {
  const std::string name = lower_case(field);
  // The first matching row wins: rows of added texts in the order of add(), then the description's.
  for (const Row& row : rows_) {
    if (row.value != value || !name.starts_with(row.kind)) continue;
    text.push_back(mark_of(row));
    text.append(row.name);
    return;
  }
  char digits[20];
  const char* end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  text.append("0x");
  const auto count = static_cast<std::size_t>(end - digits);
  if (count < 3) text.append(3 - count, '0');
  text.append(digits, count);
}

void CustomNames::read(std::string_view field, std::string_view text, std::vector<Reading>& readings) {
  // Reads a number at a position: hexadecimal after `0x`, otherwise decimal.
  const auto number = [&](std::size_t at, std::size_t most) -> std::optional<Reading> {
    const bool is_hex = text.substr(at).starts_with("0x");
    if (is_hex) at += 2;
    Reading reading;
    const auto [end, error] =
        std::from_chars(text.data() + std::min(at, most), text.data() + most, reading.value, is_hex ? 16 : 10);
    if (error != std::errc()) return std::nullopt;
    reading.length = static_cast<std::size_t>(end - text.data());
    return reading;
  };
  if (text.empty()) return;
  // A text without a mark is a number, whether or not its value has a name.
  if (text.front() != '@' && text.front() != '%') {
    if (const std::optional<Reading> plain = number(0, text.size())) readings.push_back(*plain);
    // Trailing digits may belong to the following text, so also add each shorter prefix that custom() prints for its
    // value.
    std::string printed;
    for (std::size_t most = std::min(text.size(), longest_number); most > 0; --most) {
      const std::optional<Reading> shorter = number(0, most);
      if (!shorter || shorter->length != most || (!readings.empty() && most >= readings.front().length)) continue;
      printed.clear();
      custom(field, shorter->value, printed);
      if (text.starts_with(printed) && printed.size() == most) readings.push_back(*shorter);
    }
    return;
  }
  const std::string name = lower_case(field);
  for (const Row& row : rows_) {
    if (mark_of(row) != text.front() || !text.substr(1).starts_with(row.name)) continue;
    if (!name.starts_with(row.kind)) continue;
    const std::size_t length = 1 + row.name.size();
    // The first row with this name wins.
    const auto is_same = [&](const Reading& reading) { return reading.length == length; };
    if (std::any_of(readings.begin(), readings.end(), is_same)) continue;
    readings.push_back({length, row.value});
    if (length == text.size() || text[length] != '+') continue;
    // A register at an offset from a named one. The name alone remains a reading, because `+` may belong to the
    // following text.
    if (const std::optional<Reading> more = number(length + 1, text.size())) {
      readings.push_back({more->length, row.value + more->value});
    }
  }
}

}  // namespace vireo::isa
