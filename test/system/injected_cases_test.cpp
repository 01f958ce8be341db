// SPDX-License-Identifier: Apache-2.0
//
// Recorded faults in real shaders: each gives one finding.
//
// Each record is a shader with one fault. Two of the shaders also have a fault of their own, which every
// record of these shaders shows; so a record of them may have two findings. Pairs of records test the opposite: if two
// faults of one shader are in different lines, the shader with both has the findings of both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"
#include "support/json.h"
#include "system/corpus.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

struct Record {
  std::string id, shader, env, text;
};

// Faults of the shaders themselves.
struct ShaderFault {
  std::string_view shader, rule;
};
constexpr ShaderFault shader_faults[] = {
    {"half.comp", "device-scope"},            // a Device scope without VulkanMemoryModelDeviceScope
    {"hit.rchit", "array-stride-alignment"},  // a scalar layout
};

std::vector<Record> read_records(const std::filesystem::path& path) {
  std::vector<Record> records;
  for (const std::string& line : packed_lines(path)) {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(line, fault);
    if (!document) continue;
    const JsonValue row = document->root();
    const auto text = [&](std::string_view name) { return std::string(row.find(name).text()); };
    records.push_back({text("id"), text("shader"), text("env"), text("text")});
  }
  return records;
}

Result<WordBuffer> assembled(const std::string& text, Diagnostics& found) {
  AssembleOptions options;
  options.preserve_numeric_ids = true;
  options.version = {1, 6};  // as in the comments of the texts
  return assemble({"case", text}, options, found);
}

// The rules of the findings, sorted: errors of the assembler, or findings of the validator. Warnings count, too.
std::vector<std::string> rules_of(const std::string& text, std::string_view environment) {
  Diagnostics found;
  ValidateOptions options;
  options.environment = find_environment(environment).value();
  if (const Result<WordBuffer> words = assembled(text, found)) validate(*words, options, found);
  std::vector<std::string> rules;
  for (const Diagnostic& diagnostic : found.all()) rules.emplace_back(diagnostic.rule);
  std::ranges::sort(rules);
  return rules;
}

// --- lines --------------------------------------------------------------------------------------------------------------

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.emplace_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// A difference: lines [first, last) of the base are replaced.
struct Hunk {
  std::size_t first, last;
  Lines lines;
  friend auto operator<=>(const Hunk&, const Hunk&) = default;
};

// By a longest common subsequence. The texts have a few hundred lines.
std::vector<Hunk> hunks_between(const Lines& base, const Lines& changed) {
  const std::size_t n = base.size(), m = changed.size();
  std::vector<std::vector<std::uint32_t>> common(n + 1, std::vector<std::uint32_t>(m + 1));
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = m; j-- > 0;) {
      common[i][j] = base[i] == changed[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::vector<Hunk> hunks;
  for (std::size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && base[i] == changed[j]) {
      ++i, ++j;
      continue;
    }
    Hunk hunk{i, i, {}};
    while ((i < n || j < m) && !(i < n && j < m && base[i] == changed[j])) {
      if (j == m || (i < n && common[i + 1][j] >= common[i][j + 1])) {
        hunk.last = ++i;
      } else {
        hunk.lines.push_back(changed[j++]);
      }
    }
    hunks.push_back(std::move(hunk));
  }
  return hunks;
}

std::string applied(const Lines& base, std::vector<Hunk> hunks) {
  std::ranges::sort(hunks);
  std::string text;
  std::size_t at = 0;
  for (const Hunk& hunk : hunks) {
    for (; at < hunk.first; ++at) text += base[at];
    for (const std::string& line : hunk.lines) text += line;
    at = hunk.last;
  }
  for (; at < base.size(); ++at) text += base[at];
  return text;
}

// The shader without a fault: each record is changed in other lines, so most records agree in each line.
Lines base_of(const std::vector<const Record*>& records) {
  const Lines first = lines_of(records[0]->text);
  std::map<Hunk, std::size_t> votes;
  for (const Record* record : records) {
    for (const Hunk& hunk : hunks_between(first, lines_of(record->text))) ++votes[hunk];
  }
  std::vector<Hunk> agreed;
  for (const auto& [hunk, count] : votes) {
    if (2 * count > records.size()) agreed.push_back(hunk);
  }
  return lines_of(applied(first, agreed));
}

// Whether two differences have an equal line between them.
bool are_apart(const std::vector<Hunk>& one, const std::vector<Hunk>& two) {
  return std::ranges::all_of(one, [&](const Hunk& a) {
    return std::ranges::all_of(two, [&](const Hunk& b) { return a.last < b.first || b.last < a.first; });
  });
}

// --- tests --------------------------------------------------------------------------------------------------------------

class InjectedCases : public testing::Test {
 protected:
  void SetUp() override {
    const auto shared = outside::shared_folder();
    if (!shared) GTEST_SKIP() << outside::no_shared;
    const std::filesystem::path path = *shared / "cases" / "injected.jsonl.xz";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    records_ = read_records(path);
    ASSERT_GE(records_.size(), 90u);
  }
  std::vector<Record> records_;
};

TEST_F(InjectedCases, give_one_finding) {
  for (const Record& record : records_) {
    std::vector<std::string> rules = rules_of(record.text, record.env);
    // The fault of the shader itself, if it has one, is a second finding.
    for (const ShaderFault& fault : shader_faults) {
      const auto own = std::ranges::find(rules, fault.rule);
      if (fault.shader == record.shader && own != rules.end() && rules.size() > 1) rules.erase(own);
    }
    EXPECT_EQ(rules.size(), 1u) << record.id << ": " << testing::PrintToString(rules);
  }
}

// A fault may hide another: the structure of a function without a terminator is not checked, for example, and nor are
// the values of an ill-formed type. So not all pairs have both findings. A text that does not assemble hides all.
TEST_F(InjectedCases, give_two_findings_in_pairs) {
  std::map<std::string, std::vector<const Record*>> by_shader;
  for (const Record& record : records_) {
    Diagnostics found;
    if (assembled(record.text, found)) by_shader[record.shader].push_back(&record);
  }
  std::size_t pairs = 0, both = 0;
  for (const auto& [shader, records] : by_shader) {
    if (records.size() < 4) continue;  // too few to agree on the shader
    const Lines base = base_of(records);
    // One shader selects textures by a value that may differ between invocations.
    std::vector<std::string> own;
    if (shader == "pbr.frag") own.emplace_back("missing-non-uniform");
    EXPECT_EQ(rules_of(applied(base, {}), records[0]->env), own) << shader;
    std::vector<std::vector<Hunk>> hunks;
    std::vector<std::vector<std::string>> rules;
    for (const Record* record : records) {
      hunks.push_back(hunks_between(base, lines_of(record->text)));
      rules.push_back(rules_of(record->text, record->env));
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (rules[i].size() != 1 || rules[j].size() != 1 || records[i]->env != records[j]->env) continue;
        if (!are_apart(hunks[i], hunks[j])) continue;
        std::vector<Hunk> merged = hunks[i];
        merged.insert(merged.end(), hunks[j].begin(), hunks[j].end());
        const std::vector<std::string> found = rules_of(applied(base, merged), records[i]->env);
        std::vector<std::string> expected{rules[i][0], rules[j][0]};
        std::ranges::sort(expected);
        ++pairs;
        both += found == expected ? 1 : 0;
        if (found != expected && std::getenv("VIREO_FAULTS_SHOW") != nullptr) {
          std::cout << records[i]->id << " and " << records[j]->id << ": " << testing::PrintToString(found)
                    << ", expected " << testing::PrintToString(expected) << '\n';
        }
      }
    }
  }
  std::cout << "             " << pairs << " pairs, " << both << " with both findings\n";
  EXPECT_GE(pairs, 500u);
  EXPECT_GE(both * 100, pairs * 95);
}

}  // namespace
}  // namespace vireo::system_test
