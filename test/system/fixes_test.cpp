// SPDX-License-Identifier: Apache-2.0
//
// Fixes of findings, for recorded invalid modules and for mutated real ones.
//
// The property that validate() states. After all fixes, the module has exactly the findings without a
// fix: the fixed ones are gone, and there is no new one. The same holds for the text of the module.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "outside.h"
#include "spirv/mutations.h"
#include "support/json.h"
#include "system/real_modules.h"
#include "system/validator_options.h"
#include "vireo/spirv/one_call/fixes.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

std::multiset<std::string> texts_of(const Diagnostics& findings, bool only_without_fix) {
  std::multiset<std::string> texts;
  for (const Diagnostic& each : findings.all()) {
    if (only_without_fix && !each.fix.empty()) continue;
    texts.insert(std::string(each.rule) + ": " + each.message + ' ' + each.requirement);
  }
  return texts;
}

// The texts that only one of the sets has.
std::string difference(const std::multiset<std::string>& expected, const std::multiset<std::string>& found) {
  std::string text;
  for (const std::string& each : found) {
    if (found.count(each) > expected.count(each)) text += "\n  new: " + each;
  }
  for (const std::string& each : expected) {
    if (expected.count(each) > found.count(each)) text += "\n  gone without a fix: " + each;
  }
  return text;
}

struct Counts {
  std::atomic<std::size_t> invalid = 0, with_fix = 0, fixed_wholly = 0, in_text = 0;
};

Diagnostics findings_of(Words words, ValidateOptions options, bool fixes) {
  options.fixes = fixes;
  options.max_findings = std::numeric_limits<std::size_t>::max();
  Diagnostics found(options.max_findings);
  validate(words, options, found);
  return found;
}

// The same through the text: the disassembly with numeric ids gets the fixes and is assembled again.
std::string text_fault(Words words, const ValidateOptions& options, Counts& counts) {
  StringSink sink;
  Diagnostics problems;
  if (!disassemble(words, {.friendly_names = false}, sink, problems)) return {};
  const std::string text = std::move(sink).text();
  const AssembleOptions assembly{.preserve_numeric_ids = true, .exact = true};
  SourceMap map;
  const Result<WordBuffer> assembled = assemble({"disassembly", text}, assembly, problems, &map);
  if (!assembled || !std::ranges::equal(*assembled, words)) return {};
  ++counts.in_text;
  const Diagnostics found = findings_of(words, options, true);
  const std::string fixed = apply_fixes(text, map, words, found.all());
  const Result<WordBuffer> again = assemble({"fixed", fixed}, assembly, problems);
  if (!again) return "the fixed text has a fault: " + problems.all().front().message;
  const Diagnostics in_text = point_into_text(found, words, map, text);
  return difference(texts_of(in_text, true), texts_of(findings_of(*again, options, false), false));
}

// Why the fixes of a module are wrong; empty if they are right.
std::string fix_fault(Words words, const ValidateOptions& options, Counts& counts) {
  const Diagnostics found = findings_of(words, options, true);
  if (found.all().empty()) return {};
  ++counts.invalid;
  const bool has_fix = std::ranges::any_of(found.all(), [](const Diagnostic& each) { return !each.fix.empty(); });
  if (!has_fix) return {};
  ++counts.with_fix;
  const WordBuffer fixed = apply_fixes(words, found.all());
  const Diagnostics after = findings_of(fixed, options, false);
  if (after.all().empty()) ++counts.fixed_wholly;
  std::string fault = difference(texts_of(found, true), texts_of(after, false));
  if (fault.empty()) fault = text_fault(words, options, counts);
  return fault;
}

TEST(Fixes, of_recorded_modules_remove_their_findings_and_cause_no_other) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::filesystem::path path = *shared / "cases" / "val.jsonl.xz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const std::vector<std::string> lines = packed_lines(path);
  Counts counts;
  const std::vector<std::string> failures = failures_of(lines.size(), [&](std::size_t i) -> std::string {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(lines[i], fault);
    if (!document) return "line " + std::to_string(i + 1) + " is no JSON: " + fault.message;
    const JsonValue row = document->root();
    if (row.find("valid").boolean()) return {};
    std::vector<std::string> flags;
    for (const JsonValue flag : row.find("flags").elements()) flags.emplace_back(flag.text());
    const WordBuffer words = words_of_bytes(from_base64(row.find("binary").text()));
    const std::string problem = fix_fault(words, options_of(flags), counts);
    return problem.empty() ? std::string() : std::string(row.find("test").text()) + problem;
  });
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  RecordProperty("with a fix", static_cast<int>(counts.with_fix));
  RecordProperty("valid afterwards", static_cast<int>(counts.fixed_wholly));
  EXPECT_GE(counts.invalid, 20'000u);
  EXPECT_GE(counts.with_fix, 1'000u);
  EXPECT_GE(counts.fixed_wholly, 1'000u);
  EXPECT_GE(counts.in_text, counts.with_fix / 2);
}

// Two mutations of every real module that is not large.
TEST(Fixes, of_mutated_modules_remove_their_findings_and_cause_no_other) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    Counts counts;
    const std::vector<std::string> failures = failures_of(rows.size(), [&](std::size_t i) -> std::string {
      const ManifestRow& row = rows[i];
      if (row.environments.empty() || !std::filesystem::exists(unpacked.path_of(row.path))) return {};
      const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(row.path)));
      if (words.size() > 12'000) return {};
      ValidateOptions options;
      options.environment = find_environment(row.environments[i % row.environments.size()]).value();
      Mutations mutations(i);
      std::string problem;
      for (int round = 0; round < 2; ++round) problem += fix_fault(mutations.apply(words), options, counts);
      return problem.empty() ? std::string() : row.path + problem;
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    EXPECT_GE(counts.invalid, 1'000u);
    EXPECT_GE(counts.with_fix, 50u);
  });
}

}  // namespace
}  // namespace vireo::system_test
