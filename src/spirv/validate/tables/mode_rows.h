// SPDX-License-Identifier: Apache-2.0
//
// Tables of execution modes and their execution models.
//
// One table has a row for each mode, with the models that allow it. The other table has rows for sets of
// models, with a group of modes and the number of modes of that group that an entry point needs. execution_modes.cpp
// checks modules against the rows; tests generate modules from the rows.
//
// Source: specification 3.6 (execution modes), 2.16.2.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "spirv/validate/tables/models.h"

namespace vireo::spirv {

/// A mode and the models that allow it. All models allow a mode without a row.
struct ModeModels {
  ExecutionMode mode;
  Models models;
};

/// The number of modes of a group that an entry point must have.
enum class HowMany : std::uint8_t {
  AtMostOne,
  AtMostOneOfWidth,  ///< at most one for each value of the first operand, a float width
  ExactlyOne,
  All,
};
struct ModeGroup {
  Models models;
  HowMany how_many;
  std::initializer_list<ExecutionMode> modes;
};

/// A mode that requires one of some other modes.
struct ModeDemand {
  ExecutionMode mode;
  ExecutionMode with;  ///< the row applies if the entry point also has this mode; may be `mode` itself
  std::initializer_list<ExecutionMode> one_of;
};

std::span<const ModeDemand> mode_demands();
std::span<const ModeModels> mode_models();
std::span<const ModeGroup> mode_groups();
/// Modes that may occur once for each value of their operand (a float width or type). All others may occur once.
std::span<const ExecutionMode> modes_of_operand();

}  // namespace vireo::spirv
