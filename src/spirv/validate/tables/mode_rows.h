// SPDX-License-Identifier: Apache-2.0
//
// Tables of execution modes and their execution models.
//
// The one idea: two tables. A mode has a row with the models that allow it. A model has rows of groups of modes, and
// how many modes of a group an entry point needs. execution_modes.cpp checks modules against the rows; tests generate
// modules from the rows.
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

/// How many modes of a group an entry point must have.
enum class HowMany : std::uint8_t { AtMostOne, ExactlyOne, All };
struct ModeGroup {
  Models models;
  HowMany how_many;
  std::initializer_list<ExecutionMode> modes;
};

std::span<const ModeModels> mode_models();
std::span<const ModeGroup> mode_groups();
/// Modes that may occur once for each value of their operand (a float width or type). All others may occur once.
std::span<const ExecutionMode> modes_of_operand();

}  // namespace vireo::spirv
