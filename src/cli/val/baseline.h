// SPDX-License-Identifier: Apache-2.0
//
// Baselines: known findings that are not reported again.
//
// A finding is identified by properties that an edit elsewhere does not change: its input, its rule, its
// function, and its message without the numbers of ids. Equal findings are counted, so one more than recorded is
// reported. A finding is also reported if a note names a consequence that is not recorded. The file is sorted JSON Lines
// with one record per kind of finding, which people can review.
//
//   {"file":"a.spv","rule":"undefined-id","function":"main","message":"%# is not defined","count":2}
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "cli/val/finding_context.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/source.h"

namespace vireo::cli {

inline constexpr TextOption baseline_option(
    "--baseline=FILE", "do not report the findings recorded in FILE",
    "A finding is identified by the name of its file without the folder, its rule, function and message, without the "
    "numbers of ids and locations. '-' is standard input.",
    {.file_purpose = "the baseline"});
inline constexpr TextOption write_baseline_option(
    "--write-baseline=FILE", "record all findings in FILE instead of reporting them",
    "'-' is standard output. The status is then 0, unless an input cannot be read.");

class Baseline {
 public:
  /// Reads a file of records. Every invalid line is reported.
  static Result<Baseline> read(const SourceText& text, Diagnostics& diagnostics);

  /// The findings of an input that are not in the baseline.
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

  struct Known {
    std::size_t count = 0;
    std::set<std::string> consequences;  // messages of notes
  };
  static std::set<std::string> consequences_of(const Diagnostic& diagnostic);

  std::map<Key, Known> known_;
};

/// Reads the file of --baseline, if there is one. Returns an exit status; the problem has been reported.
int read_baseline(const Invocation& invocation, Reporter& reporter, std::optional<Baseline>& baseline);
/// Writes the file of --write-baseline. Returns an exit status.
int write_baseline(const Invocation& invocation, const Baseline& baseline, Reporter& reporter);

}  // namespace vireo::cli
