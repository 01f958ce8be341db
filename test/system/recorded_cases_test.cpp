// SPDX-License-Identifier: Apache-2.0
//
// Recorded results of the reference programs: identical words, rejections and text.
//
// deliberate_differences.tsv lists the deliberate differences with their reasons. A difference that is
// not listed fails the test, and so does a listed case without a difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "outside.h"
#include "support/json.h"
#include "system/corpus.h"
#include "system/round_trip.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/environment.h"

namespace vireo::system_test {
namespace {

/// Ids of the cases with a deliberate difference. Columns: file, id, reason.
std::set<std::string> deliberate_differences(std::string_view file) {
  const std::string table = bytes_of_file(outside::source_folder() / "test/system/deliberate_differences.tsv");
  std::set<std::string> ids;
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = std::min(table.find('\n', at), table.size());
    const std::string_view line(table.data() + at, end - at);
    at = end + 1;
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (line.starts_with('#') || second == std::string_view::npos) continue;
    EXPECT_GT(line.size(), second + 1) << line << " has no reason";
    if (line.substr(0, first) == file) ids.emplace(line.substr(first + 1, second - first - 1));
  }
  return ids;
}

/// The difference in one case: its id and a short description.
struct Difference {
  std::string id;
  std::string what;
};

using Compare = std::vector<Difference> (*)(JsonValue row);

void check(std::string_view name, Compare compare) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::filesystem::path path = *shared / "cases" / (std::string(name) + ".jsonl.xz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const std::vector<std::string> lines = packed_lines(path);
  ASSERT_FALSE(lines.empty()) << "xz could not unpack " << path;

  const std::vector<std::string> found = failures_of(lines.size(), [&](std::size_t i) {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(lines[i], fault);
    if (!document) return "line " + std::to_string(i + 1) + "\tis no JSON: " + fault.message + '\n';
    std::string text;
    for (const Difference& difference : compare(document->root()))
      text += difference.id + '\t' + difference.what + '\n';
    return text;
  });

  std::set<std::string> expected = deliberate_differences(name);
  const std::size_t on_purpose = expected.size();
  for (const std::string& text : found) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at), tab = text.find('\t', at);
      if (expected.erase(text.substr(at, tab - at)) == 0) ADD_FAILURE() << name << ": " << text.substr(at, end - at);
      at = end + 1;
    }
  }
  for (const std::string& id : expected) ADD_FAILURE() << name << ": " << id << " is no difference any more";
  std::cout << "             " << lines.size() << " lines of cases, " << on_purpose << " deliberate differences\n";
}

// --- assembling ---

std::vector<Difference> compare_words(JsonValue row) {
  const std::string id(row.find("id").text());
  spirv::AssembleOptions options;
  const auto environment = spirv::find_environment_by_prefix(row.find("env").text());
  if (!environment) return {{id, "unknown environment"}};
  options.version = environment->version;
  options.preserve_numeric_ids = row.find("preserve").boolean();
  Diagnostics diagnostics;
  const Result<WordBuffer> got = spirv::assemble({"case", row.find("text").text()}, options, diagnostics);

  if (!row.find("binary").is(JsonType::String)) {
    if (!got) return {};
    return {{id, "accepted, but should be refused"}};
  }
  if (!got) return {{id, "refused: " + diagnostics.all().front().message}};
  WordBuffer want = words_of_bytes(from_base64(row.find("binary").text()));
  if (want.size() > 2) want[2] = (*got)[2];  // the generator word may differ
  if (*got == want) return {};
  return {{id, "other words"}};
}

// --- disassembling ---

struct OptionRow {
  std::string_view name;  // of the reference program's option
  bool spirv::DisassembleOptions::*member;
};
constexpr OptionRow option_rows[] = {
    {"indent", &spirv::DisassembleOptions::indent},
    {"friendly_names", &spirv::DisassembleOptions::friendly_names},
    {"show_byte_offset", &spirv::DisassembleOptions::offsets},
    {"comment", &spirv::DisassembleOptions::comments},
    {"color", &spirv::DisassembleOptions::color},
    {"nested_indent", &spirv::DisassembleOptions::nested_indent},
    {"reorder_blocks", &spirv::DisassembleOptions::reorder_blocks},
    {"handle_unknown_opcodes", &spirv::DisassembleOptions::handle_unknown},
};

// The text; empty if the module is rejected.
std::optional<std::string> disassembled(std::string_view bytes, const spirv::DisassembleOptions& options) {
  Diagnostics diagnostics;
  const Result<spirv::ModuleWords> module = spirv::read_module_words(bytes, diagnostics);
  if (!module) return std::nullopt;
  StringSink sink;
  if (!spirv::disassemble(module->words(), options, sink, diagnostics)) return std::nullopt;
  return std::move(sink).text();
}

std::vector<Difference> compare_text(JsonValue row) {
  if (!row.find("binary").is(JsonType::String)) return {};
  const std::string id(row.find("id").text());
  spirv::DisassembleOptions options;
  options.indent = options.friendly_names = false;
  for (const JsonValue option : row.find("options").elements()) {
    if (option.text() == "no_header") options.header = false;
    for (const OptionRow& known : option_rows) {
      if (known.name == option.text()) options.*known.member = true;
    }
  }
  const std::string bytes = from_base64(row.find("binary").text());
  const std::optional<std::string> got = disassembled(bytes, options);
  const bool is_refused = !row.find("ok").boolean();
  if (got.has_value() == is_refused) return {{id, is_refused ? "accepted, but should be refused" : "refused"}};
  if (got && *got != row.find("text").text()) return {{id, "another text"}};
  return {};
}

std::vector<Difference> compare_styles(JsonValue row) {
  struct Style {
    std::string_view name;
    spirv::DisassembleOptions options;
  };
  static const Style styles[] = {
      {"raw", {.indent = false, .friendly_names = false}},
      {"default", {}},
      {"full", {.offsets = true, .comments = true, .nested_indent = true}},
  };
  const std::string bytes = from_base64(row.find("binary").text());
  std::vector<Difference> differences;
  for (const Style& style : styles) {
    const JsonValue want = row.find(style.name);
    if (!want.is(JsonType::String)) continue;
    const std::optional<std::string> got = disassembled(bytes, style.options);
    if (got && *got == want.text()) continue;
    differences.push_back(
        {std::string(row.find("sha").text()) + ' ' + std::string(style.name), got ? "another text" : "refused"});
  }
  return differences;
}

TEST(RecordedCases, text_assembles_to_the_words_of_the_reference) { check("as", compare_words); }
TEST(RecordedCases, modules_disassemble_to_the_text_of_the_reference) { check("dis", compare_text); }
TEST(RecordedCases, modules_disassemble_to_the_text_of_the_reference_in_each_style) {
  check("dis_styles", compare_styles);
}

}  // namespace
}  // namespace vireo::system_test
