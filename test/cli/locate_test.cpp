// SPDX-License-Identifier: Apache-2.0
//
// Files that annotations may point into: existing ones in or below the working directory.
#include "cli/val/locate.h"

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/program.h"

namespace vireo::cli {
namespace {

class locate : public InFolder {};

TEST_F(locate, finds_files_below_the_working_directory) {
  put("a.frag", "");
  put("src/b.frag", "");
  const std::string here = std::filesystem::current_path().string();
  struct Row {
    std::string path;
    std::string_view below;  // empty: none
  };
  const Row rows[] = {
      {"a.frag", "a.frag"},
      {"./a.frag", "a.frag"},
      {"src/../a.frag", "a.frag"},
      {"src/b.frag", "src/b.frag"},
      {"src//b.frag", "src/b.frag"},
      {here + "/src/b.frag", "src/b.frag"},
      {"../" + std::filesystem::path(here).filename().string() + "/a.frag", "a.frag"},
      // Missing, outside, or no file.
      {"b.frag", ""},
      {"", ""},
      {"src", ""},
      {"..", ""},
      {"/etc/passwd", ""},
      {"C:\\src\\b.frag", ""},
      {std::string(100'000, 'a'), ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(path_below_working_directory(row.path).value_or(""), row.below) << row.path.substr(0, 80);
  }
}

}  // namespace
}  // namespace vireo::cli
