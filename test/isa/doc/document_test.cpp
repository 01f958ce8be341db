// SPDX-License-Identifier: Apache-2.0
//
// docs/isaspec.md is correct: its sessions show the real output.
//
// A line `$ printf 'WORDS' | vireo isa dis FILE --hex …` is a command, and the indented lines below it
// are its output; the same for `$ vireo isa check --format=short FILE`. step1.xml is the first XML block of the
// document, step2.xml the second one with a root before it; other files are in data/isa.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "isa/support/disassemblers.h"
#include "isa/vectors/vectors.h"
#include "outside.h"
#include "vireo/isa/check.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> pieces_of_xml(const std::vector<std::string>& lines) {
  std::vector<std::string> pieces;
  bool is_inside = false;
  for (const std::string& line : lines) {
    if (line == "```xml") pieces.emplace_back();
    if (line.starts_with("```")) is_inside = line == "```xml";
    else if (is_inside) pieces.back() += line + "\n";
  }
  return pieces;
}

struct Session {
  std::string words;  ///< the text between the quotes of printf, or after echo
  std::string file;
  bool labels = false;
  std::string answer;
};

std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

std::vector<Session> sessions_of(const std::vector<std::string>& lines) {
  std::vector<Session> sessions;
  bool is_answer = false;
  for (const std::string& line : lines) {
    if (line.starts_with("    $ ") && line.find("vireo isa dis ") != std::string::npos) {
      Session session;
      session.words = line.starts_with("    $ echo") ? between(line, "echo ", " |") + "\\n" : between(line, "'", "'");
      session.file = between(line, "isa dis ", " ");
      session.labels = line.find("--labels") != std::string::npos;
      sessions.push_back(session);
      is_answer = true;
    } else if (is_answer && line.starts_with("    ")) {
      sessions.back().answer += line.substr(4) + "\n";
    } else {
      is_answer = false;
    }
  }
  return sessions;
}

std::vector<std::uint8_t> bytes_of(std::string_view words) {
  std::vector<std::uint8_t> bytes;
  while (!words.empty()) {
    const std::size_t end = words.find("\\n");
    append_word(bytes, words.substr(0, end));
    words.remove_prefix(end + 2);
  }
  return bytes;
}

TEST(Document, sessions_show_the_printed_text) {
  const std::vector<std::string> lines = lines_of(outside::source_folder() / "docs/isaspec.md");
  const std::vector<std::string> pieces = pieces_of_xml(lines);
  const std::vector<Session> sessions = sessions_of(lines);
  ASSERT_GE(pieces.size(), 2u);
  ASSERT_GE(sessions.size(), 5u);

  const fs::path folder = fs::path(testing::TempDir()) / "vireo-isaspec-document";
  fs::create_directories(folder);
  std::ofstream(folder / "step1.xml") << pieces[0];
  std::ofstream(folder / "step2.xml") << "<isa><bitset name=\"#instruction\" size=\"16\"/>" << pieces[1] << "</isa>";
  for (const Session& session : sessions) {
    const bool is_step = session.file.starts_with("step");
    const fs::path description = (is_step ? folder : outside::source_folder() / "data/isa") / session.file;
    for (const Disassembler& disassembler : disassemblers_of(description, Manner::Clean)) {
      const Request request{.labels = session.labels};
      EXPECT_EQ(disassembler.run(bytes_of(session.words), request), session.answer)
          << session.file << ", " << disassembler.name;
    }
  }
  fs::remove_all(folder);
}

TEST(Document, sessions_show_the_findings) {
  std::size_t sessions = 0;
  const std::vector<std::string> lines = lines_of(outside::source_folder() / "docs/isaspec.md");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    constexpr std::string_view question = "    $ vireo isa check --format=short ";
    if (!lines[i].starts_with(question)) continue;
    const std::string name = lines[i].substr(question.size());
    const LoadedModel loaded = load_model((outside::source_folder() / "data/isa" / name).string());
    const LineIndex index(loaded.files.front().text);
    const CheckReport report = check(loaded);
    for (const Diagnostic& found : report.files.front().all()) {
      const LineColumn at = index.locate(found.where.begin);
      const std::string_view severity = found.severity == Severity::Error ? ": error: " : ": warning: ";
      ASSERT_LT(++i, lines.size());
      EXPECT_EQ(lines[i], "    " + name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) +
                              std::string(severity) + found.message + " [" + std::string(found.rule) + "]");
    }
    ++sessions;
  }
  EXPECT_GT(sessions, 0u);
}

/// Excerpts of a file must match it, except for indentation and doc elements.
TEST(Document, excerpts_match_the_finished_example) {
  const std::vector<std::string> lines = lines_of(outside::source_folder() / "data/isa/tiny16.xml");
  const std::vector<std::string> pieces = pieces_of_xml(lines_of(outside::source_folder() / "docs/isaspec.md"));
  ASSERT_GE(pieces.size(), 5u);
  for (std::size_t piece = 2; piece < 5; ++piece) {  // operands, exceptions, names for numbers
    std::string_view rest = pieces[piece];
    while (!rest.empty()) {
      const std::string line(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(line.size() + 1);
      if (line.empty() || line == "  <bitset name=\"#operand\" size=\"5\"/>")
        continue;  // the file has a doc element in it
      EXPECT_NE(std::find(lines.begin(), lines.end(), line), lines.end()) << line;
    }
  }
}

}  // namespace
}  // namespace vireo::isa
