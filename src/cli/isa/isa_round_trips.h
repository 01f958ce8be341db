// SPDX-License-Identifier: Apache-2.0
//
// The output of `vireo isa check --assembler`: a line for each leaf.
#pragma once

#include <string>

#include "support/io.h"
#include "vireo/isa/check.h"

namespace vireo::cli {

/// A table for people: the round-trip result of each leaf, the fields that its texts do not show, and ambiguous texts.
std::string survey_table(const isa::Model& model, const isa::RoundTripReport& survey);

/// The same as JSON Lines: a record for each leaf, then one for each pair.
void write_survey(const isa::Model& model, const isa::RoundTripReport& survey, TextSink& sink);

}  // namespace vireo::cli
