// SPDX-License-Identifier: Apache-2.0
//
// Baselines: findings that are known, and not told again.
//
// The one idea: a finding is recognised by what an edit elsewhere does not change: its input, its rule, the function it
// stands in, and its sentence without the numbers of ids. Equal ones are counted, so that one more is told. The file is
// JSON Lines, sorted, a record a kind of finding: people can read and review it.
//
//   {"file":"a.spv","rule":"undefined-id","function":"main","message":"%# is not defined","count":2}
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "cli/spirv/finding_context.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/source.h"

namespace vireo::cli {

class Baseline {
 public:
  /// Reads a file of records. Every line that is none is reported.
  static Result<Baseline> read(const SourceText& text, Diagnostics& diagnostics);

  /// Of the findings of an input those that are not in the baseline.
  [[nodiscard]] Diagnostics without_known(const Diagnostics& found, std::string_view file,
                                          const FindingContext* context, std::size_t limit) const;

  /// Adds all findings of an input.
  void record(const Diagnostics& found, std::string_view file, const FindingContext* context);
  /// The text of the file.
  [[nodiscard]] std::string text() const;

 private:
  struct Key {
    std::string file, rule, function, message;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  static Key key_of(const Diagnostic& diagnostic, std::string_view file, const FindingContext* context);

  std::map<Key, std::size_t> counts_;
};

}  // namespace vireo::cli
