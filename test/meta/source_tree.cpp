// SPDX-License-Identifier: Apache-2.0
//
// Reads the tree (source_tree.h). The lexing relies on our style: comments are `//` lines, and an #include starts its
// line.
#include "meta/source_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace vireo::meta {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> roots = {"include", "src", "test", "tools", "bench", "fuzz"};
constexpr std::array<std::string_view, 4> extensions = {".h", ".cpp", ".def", ".inc"};
constexpr std::size_t banner_lines = 5;

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

bool is_generated(const SourceFile& file) {
  if (file.path.find("/generated/") != std::string::npos) return true;
  const std::size_t banner = std::min(banner_lines, file.lines.size());
  return std::any_of(file.lines.begin(), file.lines.begin() + static_cast<std::ptrdiff_t>(banner),
                     [](const std::string& line) { return line.find("do not edit") != std::string::npos; });
}

SourceFile read(const fs::path& path, const fs::path& root) {
  SourceFile file;
  file.path = path.lexically_relative(root).generic_string();
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream whole;
  whole << stream.rdbuf();
  const std::string text = whole.str();
  file.ends_with_newline = !text.empty() && text.back() == '\n';
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) file.lines.push_back(line);
  file.is_generated = is_generated(file);
  return file;
}

std::vector<SourceFile> read_all() {
  const fs::path root = VIREO_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const std::string_view folder : roots) {
    if (!fs::is_directory(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (std::find(extensions.begin(), extensions.end(), extension) == extensions.end()) continue;
      files.push_back(read(entry.path(), root));
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

}  // namespace

const std::vector<SourceFile>& source_files() {
  static const std::vector<SourceFile> files = read_all();
  return files;
}

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> includes;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::string_view line = trimmed(file.lines[i]);
    if (!line.starts_with("#include")) continue;
    line = trimmed(line.substr(std::string_view("#include").size()));
    if (line.empty() || (line[0] != '"' && line[0] != '<')) continue;
    const bool is_quoted = line[0] == '"';
    const std::size_t end = line.find(is_quoted ? '"' : '>', 1);
    if (end == std::string_view::npos) continue;
    includes.push_back({std::string(line.substr(1, end - 1)), i + 1, is_quoted});
  }
  return includes;
}

LineCounts count_lines(const SourceFile& file) {
  LineCounts counts;
  for (const std::string& full : file.lines) {
    const std::string_view line = trimmed(full);
    if (line.empty()) ++counts.empty;
    else if (line.starts_with("//")) ++counts.comment;
    else ++counts.code;
  }
  return counts;
}

std::string place(const SourceFile& file, std::size_t line) { return file.path + ":" + std::to_string(line); }

}  // namespace vireo::meta
