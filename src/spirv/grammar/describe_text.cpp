// SPDX-License-Identifier: Apache-2.0
//
// Pieces of grammars as short text; see describe_text.h.
#include "spirv/grammar/describe_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace vireo::spirv {

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

std::string on_one_line(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return out;
}

}  // namespace vireo::spirv
