// SPDX-License-Identifier: Apache-2.0
//
// docs/isa-tutorial.md, docs/run.md and docs/shrink.md are correct: their sessions show the real output of a shell, in the
// order of the page.
//
// In a block ```console a line `$ COMMAND` is a command, and the lines below it are its output with
// standard error. The commands run in a folder with copies of the files that the page names, with our programs on the
// path. VIREO_BLESS=1 writes the output into the page; read the diff. Blocks of XML and C++ must be excerpts of the
// files that the page names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"

namespace vireo {
namespace {

namespace fs = std::filesystem;

std::string page_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A page with sessions, and the folders with its files.
struct Page {
  const char* name;
  const char* extension;  ///< in the name of a test
  std::vector<const char*> folders;
  std::vector<std::string> prefixes;  ///< of the files; empty: all files
  std::size_t least_commands;

  [[nodiscard]] fs::path path() const { return outside::source_folder() / "docs" / name; }
};
const Page isa_tutorial{"isa-tutorial.md", "isa_tutorial", {"data/isa", "examples"}, {"finch", "isa_"}, 10};
const Page run_page{"run.md", "run", {"data/run"}, {""}, 8};
const Page shrink_page{"shrink.md", "shrink", {"data/run"}, {""}, 5};

/// The output of a shell for a command in a folder.
std::string answer_to(const std::string& command, const fs::path& folder) {
  const std::string programs = VIREO_BINARY_DIR "/bin:" VIREO_BINARY_DIR "/examples";
  const std::string shell = "exec 2>&1; cd '" + folder.string() + "' && PATH='" + programs + "':\"$PATH\"\n" + command;
  std::FILE* pipe = popen(shell.c_str(), "r");
  if (pipe == nullptr) return "cannot run a shell";
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output.push_back(static_cast<char>(c));
  pclose(pipe);
  return output;
}

/// The working folder of the commands; removed when the test ends.
struct Folder {
  explicit Folder(const Page& page) : path(fs::path(testing::TempDir()) / ("vireo-" + std::string(page.extension))) {
    fs::remove_all(path);
    fs::create_directories(path);
    for (const char* from : page.folders) {
      for (const auto& entry : fs::directory_iterator(outside::source_folder() / from)) {
        const std::string name = entry.path().filename().string();
        const auto is_start = [&](const std::string& prefix) { return name.starts_with(prefix); };
        if (std::ranges::any_of(page.prefixes, is_start))
          fs::copy(entry.path(), path / name, fs::copy_options::recursive);
      }
    }
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path;
};

/// A part of the page: text outside a session, or a command with its output.
struct Piece {
  std::string text;     ///< if there is a command, ends with its line
  std::string command;  ///< without its `$ `
  std::string answer;
};

std::vector<Piece> pieces_of(const std::string& page) {
  std::vector<Piece> pieces(1);
  bool is_session = false;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size() - 1) + 1;
    const std::string line = page.substr(at, end - at);
    at = end;
    if (line.starts_with("```")) {
      is_session = line == "```console\n";
      pieces.emplace_back();
    }
    if (is_session && line.starts_with("$ ")) {
      pieces.push_back({line, line.substr(2), ""});
    } else {
      (pieces.back().command.empty() ? pieces.back().text : pieces.back().answer) += line;
    }
  }
  return pieces;
}

// VIREO_BLESS=1 writes the output into the page.
void expect_output_of_the_shell(const Page& page) {
  const Folder folder(page);
  std::string today;
  std::size_t commands = 0;
  const bool is_blessing = std::getenv("VIREO_BLESS") != nullptr;
  for (const Piece& piece : pieces_of(page_of(page.path()))) {
    today += piece.text;
    if (piece.command.empty()) continue;
    const std::string answer = answer_to(piece.command, folder.path);
    if (!is_blessing) { EXPECT_EQ(piece.answer, answer) << piece.command; }
    today += answer;
    ++commands;
  }
  if (is_blessing) std::ofstream(page.path(), std::ios::binary) << today;
  EXPECT_GE(commands, page.least_commands);
}

TEST(Tutorial, sessions_show_the_output_of_the_shell) {
  if (std::system("command -v c++ >/dev/null") != 0) GTEST_SKIP() << "a page that compiles something needs c++";
  expect_output_of_the_shell(isa_tutorial);
}

TEST(Tutorial, runs_show_the_output_of_the_shell) { expect_output_of_the_shell(run_page); }
TEST(Tutorial, shrinking_shows_the_output_of_the_shell) { expect_output_of_the_shell(shrink_page); }

TEST(Tutorial, excerpts_match_the_files) {
  const fs::path root = outside::source_folder();
  std::string files;
  for (const char* name : {"data/isa/finch.xml", "data/isa/finch-operands.xml"}) files += page_of(root / name);
  for (const auto& entry : fs::directory_iterator(root / "examples")) {
    if (entry.path().extension() == ".cpp") files += page_of(entry.path());
  }
  const std::string text = page_of(isa_tutorial.path());
  std::size_t blocks = 0;
  for (const std::string_view fence : {"```xml\n", "```cpp\n"}) {
    for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
      at += fence.size();
      const std::string block = text.substr(at, text.find("```", at) - at);
      EXPECT_NE(files.find(block), std::string::npos) << "in no file:\n" << block;
      ++blocks;
    }
  }
  EXPECT_GE(blocks, 5u);
}

}  // namespace
}  // namespace vireo
