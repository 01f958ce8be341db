// SPDX-License-Identifier: Apache-2.0
//
// Pieces of grammars as short text; see describe_text.h.
#include "spirv/grammar/describe_text.h"

#include <fmt/format.h>

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

}  // namespace vireo::spirv
