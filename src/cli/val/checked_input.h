// SPDX-License-Identifier: Apache-2.0
//
// An input with its findings, on their way from words to a text, a source file or records.
//
// `val` and `run` find different things in a module, and show them alike: this file places the findings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/option.h"
#include "cli/module/subject.h"
#include "cli/val/finding_context.h"
#include "support/json_writer.h"
#include "vireo/spirv/text/listing.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"
#include "vireo/support/source.h"

namespace vireo::cli {

/// The parts refer to those before them, so it does not move.
struct CheckedInput {
  SourceText source;  ///< of `val`: after fixes
  Diagnostics found;  ///< located in words; those that prevent reading, and those about comments, in the source
  std::optional<Subject> subject = {};         ///< none: the input cannot be read
  std::optional<spirv::Listing> listing = {};  ///< of a binary
  std::optional<FindingContext> context = {};  ///< if the module has findings

  [[nodiscard]] bool is_valid() const { return !found.has_errors(); }
  [[nodiscard]] const FindingContext* in_module() const { return context ? &*context : nullptr; }

  /// Names ids for messages as the text of the input does, or the disassembly of a binary, whose listing it creates. The
  /// function refers to this object.
  Function<std::string(spirv::Word)> id_names(const spirv::Grammar* grammar);
  /// The rules that comments of the text allow; none for a binary.
  [[nodiscard]] std::vector<spirv::AllowedRule> allowed_rules() const;
  /// Sorts findings by their locations in the text. Warnings about comments have no others.
  void sort_by_text();
};

/// Findings in the places that readers see first.
struct PlacedFindings {
  SourceText text;                          ///< that the locations refer to
  std::optional<Diagnostics> in_text = {};  ///< the findings with locations in the text; none: they refer to words

  [[nodiscard]] const Diagnostics* located() const { return in_text ? &*in_text : nullptr; }
};
/// Places the findings of an input, which is not empty, for a format; adds the other places to them.
PlacedFindings place_findings(CheckedInput& input, const ParsedOptions& options, std::string_view format,
                              const spirv::Grammar* grammar);

/// Adds all diagnostics, and counts those that were not kept.
void take_all(const Diagnostics& from, Diagnostics& to);

/// Writes a record for each finding of one input. `in_text` has the same findings with locations in the text of the
/// source; without it, `found` refers to words, or to that text if the input could not be read.
void write_records(JsonWriter& json, const SourceText& source, const Diagnostics& found, const Diagnostics* in_text,
                   const FindingContext* context);

}  // namespace vireo::cli
