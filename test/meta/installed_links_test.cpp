// SPDX-License-Identifier: Apache-2.0
//
// The installed documents link only installed files: `cmake --install` copies docs/, examples/ and the files that
// cmake/install.cmake lists.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace vireo::meta {
namespace {

namespace fs = std::filesystem;
const fs::path root = VIREO_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The installed files, from the root of the repository.
std::set<std::string> installed_files() {
  std::set<std::string> files = {"LICENSE", "CHANGELOG.md", "README.md"};
  for (const std::string folder : {"docs", "examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string path = entry.path().lexically_relative(root).generic_string();
      const bool is_document = path.ends_with(".md") || path.ends_with(".schema.json");
      if (entry.is_directory() || folder == "examples" || is_document) files.insert(path);
    }
  }
  const std::string script = text_of(root / "cmake/install.cmake");
  const std::size_t begin = script.find("set(linked_files") + std::string("set(linked_files").size();
  const std::string list = script.substr(begin, script.find(')', begin) - begin);
  const std::regex word("\\S+");
  for (std::sregex_iterator at(list.begin(), list.end(), word), end; at != end; ++at) files.insert(at->str());
  return files;
}

TEST(InstalledLinks, lead_to_installed_files) {
  const std::set<std::string> files = installed_files();
  ASSERT_TRUE(files.contains("SECURITY.md"));
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)\s]*)?\))");
  for (const std::string& file : files) {
    EXPECT_TRUE(fs::exists(root / file)) << file;
    if (!file.ends_with(".md")) continue;
    const std::string text = text_of(root / file);
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string target = (*at)[1];
      if (target.find("://") != std::string::npos) continue;
      std::string path = (fs::path(file).parent_path() / target).lexically_normal().generic_string();
      if (path.ends_with('/')) path.pop_back();
      EXPECT_TRUE(files.contains(path) || path == "docs" || path == "examples") << file << " links " << target;
    }
  }
}

}  // namespace
}  // namespace vireo::meta
