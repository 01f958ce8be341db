// SPDX-License-Identifier: Apache-2.0
//
// Findings in descriptions of real instruction sets. The test decodes the words that the findings name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "outside.h"
#include "vireo/isa/check.h"
#include "vireo/isa/decode.h"

namespace vireo::isa {
namespace {

struct Checked {
  LoadedModel loaded;
  CheckReport report;
};

Checked check_file(const std::filesystem::path& path, const CheckOptions& options = {}) {
  Checked result{load_model(path.string(), {options.mesa_compat, {}}), {}};
  result.report = check(result.loaded, options);
  return result;
}

// "rule: message" of all findings, including warnings.
std::vector<std::string> messages_of(const CheckReport& report, std::string_view rule) {
  std::vector<std::string> messages;
  for (const Diagnostics& file : report.files) {
    for (const Diagnostic& diagnostic : file.all()) {
      if (diagnostic.rule == rule) messages.push_back(diagnostic.message);
    }
  }
  return messages;
}

bool any_starts_with(const std::vector<std::string>& messages, std::string_view begin) {
  return std::any_of(messages.begin(), messages.end(), [&](const std::string& m) { return m.starts_with(begin); });
}

std::vector<std::string> faults_of(const Model& model, std::uint32_t gen, const Bits& word) {
  Decoded decoded;
  Decoder(model, {.gen = gen}).decode(word, decoded);
  std::vector<std::string> messages;
  for (const DecodeFault& fault : decoded.faults()) messages.push_back(fault.message);
  return messages;
}

TEST(CheckDescriptions, ir3_has_five_overlaps_and_each_is_a_conflict) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const auto [loaded, report] = check_file(*shared / "isa/mesa/ir3.xml");
  ASSERT_TRUE(loaded.ok());
  std::set<std::string> found;
  for (const Overlap& overlap : report.overlaps) {
    const std::string first(loaded.model[overlap.first].display_name);
    const std::string second(loaded.model[overlap.second].display_name);
    found.insert(first + ' ' + second + ' ' + std::to_string(overlap.gens.min) + ' ' + to_hex(overlap.witness));
    EXPECT_EQ(overlap.gens.max, GenRange{}.max);
    // Where three leaves match, the decoder names the first two.
    const std::vector<std::string> at_first = faults_of(loaded.model, overlap.gens.min, overlap.witness);
    ASSERT_EQ(at_first.size(), 1u);
    EXPECT_TRUE(at_first.front().starts_with("bitset conflict: ")) << at_first.front();
    EXPECT_FALSE(any_starts_with(faults_of(loaded.model, overlap.gens.min - 1, overlap.witness), "bitset conflict: "));
  }
  EXPECT_EQ(found, (std::set<std::string>{"ldl ldib.b 600 c060000000e18001", "ldlw ldib.b 600 c2a0000000e18001",
                                          "ldp ldib.b 600 c0a0000000e18001", "stsc ldib.b 700 c760000000e18000",
                                          "stsc stib.b 700 c760000000e74000"}));
  EXPECT_EQ(report.error_count(), 5u);
  EXPECT_TRUE(check_file(*shared / "isa/mesa/ir3.xml", {.gen = 500}).report.overlaps.empty());
}

TEST(CheckDescriptions, unresolved_names_of_ir3_and_afuc_are_found) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const Checked afuc = check_file(*shared / "isa/mesa/afuc.xml");
  EXPECT_TRUE(afuc.report.overlaps.empty());
  EXPECT_TRUE(any_starts_with(messages_of(afuc.report, "unresolved-field"), "no field 'XREG' in 'sread'"));

  const Checked ir3 = check_file(*shared / "isa/mesa/ir3.xml");
  const std::vector<std::string> unresolved = messages_of(ir3.report, "unresolved-field");
  const std::string nop = "no field 'NOP' in 'dp2acc' for ";
  const auto message =
      std::find_if(unresolved.begin(), unresolved.end(), [&](const std::string& m) { return m.starts_with(nop); });
  ASSERT_NE(message, unresolved.end());
  const std::optional<Bits> word = parse_hex(message->substr(nop.size(), 16), 64);
  ASSERT_TRUE(word);
  EXPECT_TRUE(any_starts_with(faults_of(ir3.loaded.model, 600, *word), "no field 'NOP'"));
  EXPECT_EQ(messages_of(ir3.report, "misplaced-pattern").size(), 3u);
}

TEST(CheckDescriptions, etnaviv_has_no_overlaps_and_no_errors) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const Checked etnaviv = check_file(*shared / "isa/mesa/etnaviv.xml");
  EXPECT_TRUE(etnaviv.report.overlaps.empty());
  EXPECT_EQ(etnaviv.report.error_count(), 0u);
}

// Our descriptions are valid, except those that contain faults on purpose.
TEST(CheckDescriptions, teaching_descriptions_have_only_the_intended_faults) {
  // All but the first are only imported.
  const std::set<std::string> faulty{"faults.xml", "finch-operands.xml", "numbers-expressions.xml"};
  for (const auto& entry : std::filesystem::directory_iterator(outside::source_folder() / "data/isa")) {
    if (entry.path().extension() != ".xml") continue;
    const std::string name = entry.path().filename().string();
    const CheckReport report = check_file(entry.path()).report;
    EXPECT_EQ(report.ok(), !faulty.contains(name)) << name;
    for (const Diagnostics& file : report.files) {
      for (const Diagnostic& diagnostic : file.all()) {
        // Two descriptions have texts that do not show all bits.
        const bool is_lossy = diagnostic.rule == "unread-name" && (name == "choices.xml" || name == "scopes.xml");
        EXPECT_TRUE(diagnostic.rule == "bad-size" || is_lossy || faulty.contains(name))
            << name << ": " << diagnostic.message;
      }
    }
  }
}

}  // namespace
}  // namespace vireo::isa
