// SPDX-License-Identifier: Apache-2.0
//
// DebugPrintf: a line for each active lane (operations.h).
//
// Source: NonSemantic.DebugPrintf; Vulkan-ValidationLayers, "Debug Printf" (conversions of vectors).
#include <fmt/format.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <string_view>

#include "spirv/execute/machine/operations.h"
#include "spirv/module/fold.h"
#include "support/ascii.h"
#include "support/counted.h"

namespace vireo::spirv {
namespace {

// One conversion of a format: "%8.3v2f".
struct Conversion {
  std::string flags;        // with width and precision
  std::uint32_t parts = 1;  // components of a vector
  char kind = 0;            // the letter; 0: the format ends, or the letter is unknown
  std::size_t length = 0;   // characters with the percent sign
};

Conversion read_conversion(std::string_view text) {
  Conversion result;
  std::size_t at = 1;
  const auto here = [&] { return at < text.size() ? text[at] : '\0'; };
  while (std::string_view("-+ #0").find(here()) != std::string_view::npos && here() != 0 && at < 8)
    result.flags += text[at++];
  // Two digits are enough for a width, and bound the line.
  for (int digits = 0; digits < 2 && is_digit(here()); ++digits) result.flags += text[at++];
  if (here() == '.') {
    result.flags += text[at++];
    for (int digits = 0; digits < 2 && is_digit(here()); ++digits) result.flags += text[at++];
  }
  if (here() == 'v' && at + 1 < text.size() && text[at + 1] >= '2' && text[at + 1] <= '4') {
    result.parts = static_cast<std::uint32_t>(text[at + 1] - '0');
    at += 2;
  }
  while (here() == 'l' || here() == 'h') ++at;
  if (std::string_view("diouxXaAeEfFgGp").find(here()) != std::string_view::npos && here() != 0)
    result.kind = text[at++];
  if (result.kind == 'u' && here() == 'l') ++at;  // "%ul"
  result.length = at;
  return result;
}

std::string converted(const Conversion& conversion, CellType type, Cell bits) {
  std::array<char, 512> buffer{};
  const bool is_float = std::string_view("aAeEfFgG").find(conversion.kind) != std::string_view::npos;
  const bool is_signed = conversion.kind == 'd' || conversion.kind == 'i';
  std::string format = "%" + conversion.flags;
  int length = 0;
  // A value of the other kind is converted, so that a wrong letter shows a number.
  if (is_float) {
    format += conversion.kind;
    const double value = type.kind == CellType::Kind::Float ? double_of(bits, type.format).value_or(0)
                                                            : static_cast<double>(static_cast<std::int64_t>(bits));
    length = std::snprintf(buffer.data(), buffer.size(), format.c_str(), value);
  } else if (type.kind == CellType::Kind::Float && conversion.kind != 'x' && conversion.kind != 'X') {
    length =
        std::snprintf(buffer.data(), buffer.size(), (format + "f").c_str(), double_of(bits, type.format).value_or(0));
  } else if (is_signed) {
    const std::int64_t value =
        type.kind == CellType::Kind::Int ? sign_extended(bits, type.width) : static_cast<std::int64_t>(bits);
    length = std::snprintf(buffer.data(), buffer.size(), (format + PRId64).c_str(), value);
  } else {
    const bool is_pointer = conversion.kind == 'p';
    format += is_pointer               ? PRIx64
              : conversion.kind == 'o' ? PRIo64
              : conversion.kind == 'x' ? PRIx64
              : conversion.kind == 'X' ? PRIX64
                                       : PRIu64;
    length = std::snprintf(buffer.data(), buffer.size(), (is_pointer ? "0x" + format : format).c_str(), bits);
  }
  return {buffer.data(), static_cast<std::size_t>(std::max(length, 0))};
}

std::string line_of(Machine& m, const PrintRow& row, std::uint32_t lane) {
  std::string line;
  std::size_t argument = 0;
  for (std::string_view rest = row.format; !rest.empty();) {
    if (rest.front() != '%' || rest.starts_with("%%")) {
      line += rest.front();
      rest.remove_prefix(rest.front() == '%' ? 2 : 1);
      continue;
    }
    const Conversion conversion = read_conversion(rest);
    if (conversion.kind == 0 || argument >= row.arguments.size()) {
      line += rest.substr(0, conversion.length);
    } else {
      const PrintArgument& given = row.arguments[argument++];
      for (std::uint32_t i = 0; i < std::min(conversion.parts, given.count); ++i)
        line += (i == 0 ? "" : ", ") + converted(conversion, given.type, m.cells(given.cells.plus(i))[lane]);
    }
    rest.remove_prefix(conversion.length);
  }
  // A line has an end anyway.
  if (line.ends_with('\n')) line.pop_back();
  return line;
}

std::size_t conversions_of(std::string_view format) {
  std::size_t count = 0;
  while (!format.empty()) {
    const bool is_percent = format.starts_with("%%");
    count += format.front() == '%' && !is_percent;
    format.remove_prefix(is_percent ? 2 : 1);
  }
  return count;
}

}  // namespace

void print(Machine& m, const Step& s) {
  const PrintRow& row = m.program().prints[s.extra];
  const std::size_t conversions = conversions_of(row.format);
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    if (conversions > row.arguments.size() && m.begins(Rule::PrintfArguments, s))
      m.report(Rule::PrintfArguments, s, 5, lane,
               {row.id, counted(conversions, "conversion"), counted(row.arguments.size(), "argument")});
    if (m.has_checks()) {
      for (const PrintArgument& given : row.arguments)
        m.require_defined(Rule::UndefinedOutput, s, given.word, given.cells, given.count);
    }
    if (*m.state().print) (*m.state().print)({line_of(m, row, lane), m.places().global(lane)});
  });
}

}  // namespace vireo::spirv
