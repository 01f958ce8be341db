// SPDX-License-Identifier: Apache-2.0
//
// Linking recorded and real modules: the recorded verdicts; a single module loses only its duplicates; pairs of real
// modules get no finding that the modules lack.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "outside.h"
#include "support/json.h"
#include "system/real_modules.h"
#include "vireo/spirv/transform/canonical_ids.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

// The number of findings by rule.
std::map<std::string_view, std::size_t> findings_in(Words words) {
  Diagnostics diagnostics;
  validate(words, {}, diagnostics);
  std::map<std::string_view, std::size_t> findings;
  for (const Diagnostic& each : diagnostics.all()) ++findings[each.rule];
  return findings;
}

// A rule that the result breaks, but no input; empty if there is none.
std::string new_finding(Words result, const std::vector<WordBuffer>& inputs) {
  std::map<std::string_view, std::size_t> before;
  for (const WordBuffer& words : inputs) before.merge(findings_in(words));
  for (const auto& [rule, count] : findings_in(result)) {
    if (!before.contains(rule)) return std::string(rule);
  }
  return {};
}

TEST(Link, gives_the_recorded_verdicts) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::filesystem::path path = *shared / "cases" / "link.jsonl.xz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  std::size_t count = 0;
  for (const std::string& line : packed_lines(path)) {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(line, fault);
    ASSERT_TRUE(document) << fault.message;
    const JsonValue row = document->root();
    const JsonValue options = row.find("options");
    const auto has = [&](std::string_view name) { return options.find(name).boolean(); };
    if (has("has_fnvar_capabilities")) continue;  // function variants
    std::vector<WordBuffer> modules;
    for (const JsonValue input : row.find("inputs").elements()) {
      modules.push_back(words_of_bytes(from_base64(input.text())));
    }
    std::vector<LinkInput> inputs;
    inputs.reserve(modules.size());
    for (const WordBuffer& words : modules) inputs.push_back({words});
    Diagnostics diagnostics;
    const Result<WordBuffer> result = link(inputs,
                                           {.library = has("create_library"),
                                            .partial = has("allow_partial_linkage"),
                                            .use_highest_version = has("use_highest_version"),
                                            .allow_pointer_mismatch = has("allow_ptr_type_mismatch")},
                                           diagnostics);
    EXPECT_EQ(result.ok(), !row.find("output").is(JsonType::Null)) << row.find("id").text();
    ++count;
    if (!result) continue;
    EXPECT_EQ(new_finding(*result, modules), "") << row.find("id").text();
  }
  EXPECT_GE(count, 50u);
}

constexpr LinkOptions partial_library = {.library = true, .partial = true};

TEST(Link, removes_only_duplicates_from_a_single_real_module) {
  CleanOptions duplicates = no_clean_options;
  duplicates.duplicate_types = duplicates.duplicate_constants = true;
  with_real_modules([&](const UnpackedArchive& unpacked) {
    check_words_of(unpacked, [&](const std::string&, Words words) -> std::string {
      Diagnostics diagnostics;
      const Result<WordBuffer> cleaned = clean(words, duplicates, diagnostics);
      if (!cleaned) return {};  // it cannot be decoded
      const LinkInput inputs[] = {{words}};
      const Result<WordBuffer> linked = link(inputs, partial_library, diagnostics);
      if (!linked) return "refused: " + diagnostics.all().front().message;
      const LinkInput again[] = {{*linked}};
      const Result<WordBuffer> twice = link(again, partial_library, diagnostics);
      if (!twice || *twice != *linked) return "a second application changes the module";
      if (const std::string finding = new_finding(*linked, {WordBuffer(words.begin(), words.end())}); !finding.empty())
        return "breaks " + finding;
      // Linking writes line information only where it changes, and also joins pointers with OpTypeForwardPointer. Such
      // modules are linked after cleaning as well.
      const LinkInput clean_input[] = {{*cleaned}};
      const Module module = Module::read(words);
      const bool differs = module.has(Op::OpLine) || module.has(Op::OpTypeForwardPointer);
      const Result<WordBuffer> expected = differs ? link(clean_input, partial_library, diagnostics) : *cleaned;
      if (!expected) return "the cleaned module is refused: " + diagnostics.all().front().message;
      const Result<WordBuffer> one = canonical_ids(*linked, diagnostics), other = canonical_ids(*expected, diagnostics);
      if (!one || !other) return "no canonical ids";
      if (*one != *other) return "another module than that of clean()";
      const Result<WordBuffer> without_more = clean(*linked, duplicates, diagnostics);
      return without_more && *without_more == *linked ? "" : "duplicates remain";
    });
  });
}

TEST(Link, adds_no_finding_to_pairs_of_real_modules) {
  with_real_modules([&](const UnpackedArchive& unpacked) {
    const std::vector<std::string> names = unpacked.modules();
    std::atomic<std::size_t> pairs = 0;
    const std::vector<std::string> failures = failures_of(names.size() - 1, [&](std::size_t i) -> std::string {
      std::vector<WordBuffer> modules;
      for (const std::size_t at : {i, i + 1})
        modules.push_back(words_of_bytes(bytes_of_file(unpacked.path_of(names[at]))));
      const LinkInput inputs[] = {{modules[0], "first"}, {modules[1], "second"}};
      Diagnostics diagnostics;
      const Result<WordBuffer> result = link(inputs, partial_library, diagnostics);
      if (!result) return {};  // two models, or two entry points with one name
      ++pairs;
      const std::string finding = new_finding(*result, modules);
      return finding.empty() ? "" : names[i] + " and " + names[i + 1] + ": " + finding + '\n';
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    std::cout << "             " << pairs << " pairs\n";
    EXPECT_GE(pairs, 100u);
  });
}

}  // namespace
}  // namespace vireo::system_test
