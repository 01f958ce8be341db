// SPDX-License-Identifier: Apache-2.0
//
// Formats parts of grammars as short text (describe_text.h).
#include "spirv/grammar/load/describe_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace vireo::spirv {

// Names are quoted, as they may contain blanks and commas.
std::string text_of(std::span<const OperandDescription> operands) {
  std::string out;
  for (const OperandDescription& operand : operands) {
    if (!out.empty()) out.append(", ");
    out.append(operand.kind).append(symbol_of(operand.quantifier));
    if (!operand.name.empty()) fmt::format_to(std::back_inserter(out), " '{}'", operand.name);
  }
  return out.empty() ? "none" : out;
}

std::string text_of(Version version) {
  return version.is_none() ? "none" : fmt::format("{}.{}", version.major, version.minor);
}

std::string text_of(std::span<const std::string> names) {
  std::string out;
  for (const std::string& name : names) {
    if (!out.empty()) out.append(", ");
    out.append(name);
  }
  return out.empty() ? "none" : out;
}

// Grammar documents are untrusted: an escape sequence in a name must not reach a terminal. Bytes from 0x80 on are
// UTF-8 and stay.
std::string on_one_line(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return out;
}

// from_chars accepts no sign for unsigned numbers and no prefix, so only the two notations of the documents are
// accepted.
std::optional<std::uint64_t> number_in(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace vireo::spirv
