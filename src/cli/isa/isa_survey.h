// SPDX-License-Identifier: Apache-2.0
//
// What `vireo isa check --assembler` prints beside its diagnostics: a line for each leaf.
#pragma once

#include <string>

#include "support/io.h"
#include "vireo/isa/check.h"

namespace vireo::cli {

/// A table for people: what comes back of each leaf, what its texts do not say, which texts have two meanings.
std::string survey_table(const isa::Model& model, const isa::AssemblySurvey& survey);

/// The same as JSON Lines: a record for each leaf, then one for each pair.
void write_survey(const isa::Model& model, const isa::AssemblySurvey& survey, TextSink& sink);

}  // namespace vireo::cli
