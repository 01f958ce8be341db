// SPDX-License-Identifier: Apache-2.0
//
// The first half of loading: merges documents into one description. compact() then converts it to rows.
//
// Checking and comparing need the description and the faults; only load_grammar needs rows.
#pragma once

#include <deque>
#include <span>

#include "spirv/grammar/load/description.h"
#include "spirv/grammar/load/faults.h"
#include "support/json.h"
#include "vireo/spirv/grammar/grammar_loader.h"

namespace vireo::spirv {

/// The description of all documents, merged on top of a base. Keeps the documents, so that later faults have JSON
/// paths.
struct LoadedDescription {
  explicit LoadedDescription(Diagnostics& diagnostics) : faults(diagnostics) {}

  GrammarDescription description;
  std::deque<JsonDocument> documents;  // in a deque, elements do not move, even if this object is moved
  GrammarFaults faults;
};

/// Reads documents in order on top of `base` (nullptr: an empty grammar). Reports every fault that this phase can
/// find.
LoadedDescription load_descriptions(std::span<const GrammarFile> files, const Grammar* base, Diagnostics& diagnostics);

}  // namespace vireo::spirv
