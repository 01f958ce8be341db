// SPDX-License-Identifier: Apache-2.0
//
// Modules that cannot be read to their end. After a word count of 0, or one that exceeds the module, the start of the
// next instruction is unknown (specification 2.3).
#pragma once

#include <algorithm>
#include <optional>

#include "spirv/binary/decode_report.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// Reports why and where reading the module stopped early. Returns nothing if it was read to its end.
inline std::optional<Reported> report_break(const Module& module, Diagnostics& diagnostics) {
  using Kind = LayoutViolation::Kind;
  const auto layout_violations = module.layout_violations();
  const auto end = std::ranges::find_if(layout_violations, [](const LayoutViolation& violation) {
    return violation.kind == Kind::ZeroWordCount || violation.kind == Kind::Truncated;
  });
  if (end == layout_violations.end()) return std::nullopt;
  return report_walk_end(end->kind == Kind::Truncated ? WalkEnd::Truncated : WalkEnd::ZeroWordCount, module.words(),
                         end->offset, module.instruction_count() + std::uint64_t{1}, diagnostics);
}

}  // namespace vireo::spirv
