// SPDX-License-Identifier: Apache-2.0
//
// From offsets to members, elements and components (element_path.h).
#include "spirv/execute/report/element_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "support/ascii.h"

namespace vireo::spirv {
namespace {

// Names of other characters could confuse a terminal.
bool is_identifier(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

std::int64_t quotient_down(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

std::string element_path(const Facts& facts, const TypeCells& cells, const PlacedType& type, std::string path,
                         std::int64_t offset) {
  PlacedType part = type;
  // Types nest at most as deep as they are declared.
  for (std::size_t depth = facts.types().rows().size(); depth-- > 0;) {
    const TypeRow& row = facts.types().of(part.type);
    if (row.is(TypeKind::Struct)) {
      const Words members = facts.types().members(row);
      if (members.empty()) break;
      std::size_t found = 0;
      std::int64_t begin = 0;
      PlacedType inner = part;
      for (std::size_t i = 0; i < members.size(); ++i) {
        const auto [at, member] = cells.member(part, i);
        const auto place = static_cast<std::int64_t>(at);
        if (i != 0 && (place > offset || place < begin)) continue;
        found = i, begin = place, inner = member;
      }
      const std::string_view name = facts.names().of(row.id, static_cast<Word>(found));
      if (!is_identifier(name)) path += fmt::format("[{}]", found);
      else path += (path.empty() ? "" : ".") + std::string(name);
      offset -= begin;
      part = inner;
      continue;
    }
    if (!row.is_array() && !row.is_vector() && !row.is(TypeKind::Matrix)) break;
    const auto stride = static_cast<std::int64_t>(cells.stride(part));
    if (stride == 0) break;
    const std::int64_t index = quotient_down(offset, stride);
    if (row.is_vector() && index >= 0 && index < 4) path += fmt::format(".{}", "xyzw"[index]);
    else path += fmt::format("[{}]", index);
    offset -= index * stride;
    part = cells.element(part);
  }
  return path;
}

}  // namespace vireo::spirv
