// SPDX-License-Identifier: Apache-2.0
//
// The validator compared with recorded verdicts, and on real modules.
//
// A validator that rejects valid modules is useless. So every valid module must be accepted, unless the
// list of differences names it with a reason. Errors that we do not find yet are counted, and the count must not rise.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <set>

#include "outside.h"
#include "support/json.h"
#include "system/real_modules.h"
#include "system/validator_options.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

// Valid modules have no error. If the reference names a VUID for an invalid module, a finding has that VUID.
TEST(RecordedVerdicts, verdicts_and_vuids_are_as_recorded) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::filesystem::path path = *shared / "cases" / "val.jsonl.xz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const std::vector<std::string> lines = packed_lines(path);
  ASSERT_GE(lines.size(), 38'000u);
  const std::set<std::string> known = known_differences();
  std::atomic<std::size_t> valid = 0, right = 0, with_vuid = 0, same_vuid = 0;
  const std::vector<std::string> failures = failures_of(lines.size(), [&](std::size_t i) -> std::string {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(lines[i], fault);
    if (!document) return "line " + std::to_string(i + 1) + " is no JSON: " + fault.message;
    const JsonValue row = document->root();
    const WordBuffer words = words_of_bytes(from_base64(row.find("binary").text()));
    std::vector<std::string> flags;
    for (const JsonValue flag : row.find("flags").elements()) flags.emplace_back(flag.text());
    Diagnostics diagnostics;
    const bool is_valid = validate(words, options_of(flags), diagnostics);
    const bool should_be = row.find("valid").boolean();
    valid += should_be ? 1 : 0;
    right += is_valid == should_be ? 1 : 0;
    std::set<std::string, std::less<>> vuids;
    for (const JsonValue vuid : row.find("vuids").elements()) vuids.emplace(vuid.text());
    if (!should_be && !vuids.empty()) {
      ++with_vuid;
      same_vuid +=
          std::ranges::any_of(diagnostics.all(), [&](const Diagnostic& d) { return vuids.contains(d.requirement); });
    }
    if (is_valid || !should_be) return {};
    const std::string test(row.find("test").text());
    if (known.contains(test)) return {};
    return test + ": " + std::string(diagnostics.all().front().rule) + ": " + diagnostics.all().front().message;
  });
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  EXPECT_GE(valid, 11'000u);
  RecordProperty("right", static_cast<int>(right));
  // The current result; a lower value is a regression.
  EXPECT_GE(right * 1000 / lines.size(), 999u) << right << " of " << lines.size();
  EXPECT_GE(with_vuid, 11'000u);
  EXPECT_GE(same_vuid * 1000 / with_vuid, 995u) << same_vuid << " of " << with_vuid;
}

TEST(RealModules, are_accepted_if_the_reference_accepts_them) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    ASSERT_GE(rows.size(), 2370u);
    std::atomic<std::size_t> runs = 0;
    const std::vector<std::string> failures = failures_of(rows.size(), [&](std::size_t i) -> std::string {
      const ManifestRow& row = rows[i];
      if (!std::filesystem::exists(unpacked.path_of(row.path))) return {};  // in another archive
      const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(row.path)));
      std::string faults;
      for (const std::string& name : row.environments) {
        ValidateOptions options;
        const auto environment = find_environment(name);
        if (!environment) return row.path + ": no environment " + name;
        options.environment = *environment;
        Diagnostics diagnostics;
        ++runs;
        if (validate(words, options, diagnostics)) continue;
        faults += row.path + " in " + name + ": " + diagnostics.all().front().message + '\n';
      }
      return faults;
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    EXPECT_GE(runs, 14'000u);
  });
}

}  // namespace
}  // namespace vireo::system_test
