// SPDX-License-Identifier: Apache-2.0
//
// Execution modes and the models that they go with, as rows.
//
// The one idea: two tables. A mode has a row with the models it is for; a model has rows of groups of modes of which it
// takes one at most, or exactly one. execution_modes.cpp compares modules with the rows; tests turn the rows round.
//
// Source: specification 3.6 (execution modes), 2.16.2.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "spirv/validate/tables/models.h"

namespace vireo::spirv {

/// A mode, and the models that have it. A mode without a row is of any model.
struct ModeModels {
  ExecutionMode mode;
  Models models;
};

/// How many of a group of modes an entry point has.
enum class HowMany : std::uint8_t { AtMostOne, ExactlyOne, All };
struct ModeGroup {
  Models models;
  HowMany how_many;
  std::initializer_list<ExecutionMode> modes;
};

std::span<const ModeModels> mode_models();
std::span<const ModeGroup> mode_groups();
/// Modes that are said once of each float width, or type, that stands behind them. All others are said once.
std::span<const ExecutionMode> modes_of_operand();

}  // namespace vireo::spirv
