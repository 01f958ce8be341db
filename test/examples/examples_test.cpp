// SPDX-License-Identifier: Apache-2.0
//
// The programs of examples/ say what they must, and the guide shows what stands in them.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"
#include "vireo/spirv/assemble.h"

namespace vireo {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What an example prints of the repository's shader; a note instead when it fails.
std::string said_by(const std::string& example) {
  const std::string text = text_of(outside::source_folder() / "data" / "spirv" / "mandelbrot.comp.spvasm");
  Diagnostics diagnostics;
  const Result<spirv::WordBuffer> words = spirv::assemble({"mandelbrot", text}, {}, diagnostics);
  if (!words) return "the shader does not assemble";
  const std::filesystem::path module = std::filesystem::path(testing::TempDir()) / ("example_" + example + ".spv");
  std::ofstream(module, std::ios::binary)
      .write(reinterpret_cast<const char*>(words->data()), static_cast<std::streamsize>(words->size() * 4));

  const std::string command = std::string(VIREO_BINARY_DIR) + "/examples/" + example + " " + module.string();
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "cannot run " + command;
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output.push_back(static_cast<char>(c));
  const int status = pclose(pipe);
  std::filesystem::remove(module);
  return status == 0 ? output : "status " + std::to_string(status);
}

TEST(Examples, entry_points_lists_interfaces) {
  EXPECT_EQ(said_by("entry_points"),
            "GLCompute main\n"
            "  %3 Input gl_GlobalInvocationID built-in GlobalInvocationId int32 x 3\n"
            "  %4 StorageBuffer image\n"
            "  %5 PushConstant view\n");
}

TEST(Examples, stream_counts_instructions) {
  EXPECT_EQ(said_by("stream"),
            "     9 OpName\n"
            "     8 OpLabel\n"
            "     7 OpTypePointer\n"
            "     7 OpConstant\n"
            "     7 OpDecorate\n");
}

TEST(Examples, the_guide_shows_what_stands_in_the_programs) {
  std::vector<std::string> programs;
  for (const auto& entry : std::filesystem::directory_iterator(outside::source_folder() / "examples")) {
    if (entry.path().extension() == ".cpp") programs.push_back(text_of(entry.path()));
  }
  const std::string guide = text_of(outside::source_folder() / "docs" / "library.md");
  constexpr std::string_view fence = "```cpp\n";
  std::size_t blocks = 0;
  for (std::size_t at = guide.find(fence); at != std::string::npos; at = guide.find(fence, at)) {
    at += fence.size();
    const std::string block = guide.substr(at, guide.find("```", at) - at);
    ++blocks;
    bool is_shown = false;
    for (const std::string& program : programs) is_shown = is_shown || program.find(block) != std::string::npos;
    EXPECT_TRUE(is_shown) << "in no example:\n" << block;
  }
  EXPECT_GE(blocks, 5u);
}

}  // namespace
}  // namespace vireo
