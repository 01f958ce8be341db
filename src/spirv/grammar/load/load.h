// SPDX-License-Identifier: Apache-2.0
//
// The first half of loading: documents → one description, before rows are made of it.
//
// The one idea: checking and comparing want the description and the faults; only load_grammar needs rows.
#pragma once

#include <deque>
#include <span>

#include "spirv/grammar/load/description.h"
#include "spirv/grammar/load/faults.h"
#include "support/json.h"
#include "vireo/spirv/grammar_loader.h"

namespace vireo::spirv {

/// What documents say together, on top of a base. Keeps the documents, so that faults found later have JSON paths.
struct LoadedDescription {
  explicit LoadedDescription(Diagnostics& diagnostics) : faults(diagnostics) {}

  GrammarDescription description;
  std::deque<JsonDocument> documents;  // a deque: documents stay where they are, also when this is moved
  GrammarFaults faults;
};

/// Reads documents in order on top of `base` (nullptr: nothing). Every fault that shows so far is reported.
LoadedDescription load_descriptions(std::span<const GrammarFile> files, const Grammar* base, Diagnostics& diagnostics);

}  // namespace vireo::spirv
