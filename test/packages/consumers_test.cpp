// SPDX-License-Identifier: Apache-2.0
//
// User projects: an installed library can be found, compiled with, linked and run, from C and from C++.
//
// Install this build into a folder, and use it there like a user. VIREO_PREFIX names a folder with
// another installation (an unpacked package); then this one is used, and VIREO_LINK selects one of its two libraries:
// shared (the default) or static.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "outside.h"
#include "packages/library.h"

namespace vireo::packages {
namespace {

constexpr std::string_view answer = "7 words: OpCapability Shader\n";

struct ConsumerRow {
  const char* language;
  const char* file;
  const char* package;  // for pkg-config
  const char* compiler;
};
const ConsumerRow consumers[] = {
    {"c", "consumer.c", "vireo", VIREO_C_COMPILER " -std=c99 -Wall -Wextra -Wpedantic -Werror"},
    {"cpp", "consumer.cpp", "vireo-isa", VIREO_CXX_COMPILER " -std=c++20 -Wall -Wextra -Wpedantic -Werror"},
};

/// The installed tree; created once, removed after the tests.
class Consumers : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::filesystem::path(testing::TempDir()) / ("vireo_consumers_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    const char* given = std::getenv("VIREO_PREFIX");
    prefix_ = given != nullptr ? given : (folder_ / "prefix").string();
    if (given == nullptr) installed_ = run("cmake --install " VIREO_BINARY_DIR " --prefix " + prefix_);
    else installed_.status = 0;
  }
  static void TearDownTestSuite() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  void SetUp() override { ASSERT_EQ(installed_.status, 0) << installed_.text; }

  static std::string source(const ConsumerRow& row) {
    return (outside::source_folder() / "test/consumers" / row.language).string();
  }
  /// Debian installs libraries in a subfolder; a missing folder has no effect.
  static std::string in_library_folders(const std::string& below) {
    return prefix_ + "/lib" + below + ":" + prefix_ + "/lib/" VIREO_ARCHITECTURE + below;
  }
  static bool asks_for_archive() {
    const char* link = std::getenv("VIREO_LINK");
    return link != nullptr && std::string_view(link) == "static";
  }
  static std::string run_here(const std::string& program) {
    return run("LD_LIBRARY_PATH=" + in_library_folders("") + " " + program).text;
  }

  inline static std::filesystem::path folder_;
  inline static std::string prefix_;
  inline static Said installed_;
};

TEST_F(Consumers, find_the_package_by_cmake) {
  for (const ConsumerRow& row : consumers) {
    const std::string build = (folder_ / ("cmake_" + std::string(row.language))).string();
    const Said configured =
        run("cmake -G Ninja -S " + source(row) + " -B " + build + " -DCMAKE_PREFIX_PATH=" + prefix_ +
            (asks_for_archive() ? " -DBUILD_SHARED_LIBS=OFF" : "") +
            " -DCMAKE_C_COMPILER=" VIREO_C_COMPILER " -DCMAKE_CXX_COMPILER=" VIREO_CXX_COMPILER);
    ASSERT_EQ(configured.status, 0) << configured.text;
    const Said built = run("cmake --build " + build);
    ASSERT_EQ(built.status, 0) << built.text;
    EXPECT_EQ(run_here(build + "/consumer"), answer) << row.language;
  }
}

TEST_F(Consumers, find_the_package_by_pkg_config) {
  if (!is_installed("pkg-config")) GTEST_SKIP() << "no pkg-config";
  for (const ConsumerRow& row : consumers) {
    const std::string program = (folder_ / ("pkg_" + std::string(row.language))).string();
    const std::string search = "PKG_CONFIG_PATH=" + in_library_folders("/pkgconfig");
    const Said built = run(std::string(row.compiler) + " " + source(row) + "/" + row.file + " -o " + program + " $(" +
                           search + " pkg-config --cflags --libs " + (asks_for_archive() ? "--static " : "") +
                           row.package + (asks_for_archive() ? ") -static" : ")"));
    ASSERT_EQ(built.status, 0) << built.text;
    EXPECT_EQ(run_here(program), answer) << row.language;
  }
}

// `pkg-config --static` selects the archive although the shared library is beside it, with and without `-static`.
TEST_F(Consumers, link_the_archive_that_pkg_config_selects) {
  if (!is_shared) GTEST_SKIP() << "this build makes archives only: ./dev test builds both kinds";
  if (!is_installed("pkg-config")) GTEST_SKIP() << "no pkg-config";
  for (const ConsumerRow& row : consumers) {
    for (const std::string& link : {std::string(), std::string(" -static")}) {
      const std::string program = (folder_ / ("archive_" + std::string(row.language))).string();
      const Said built = run(std::string(row.compiler) + " " + source(row) + "/" + row.file + " -o " + program +
                             " $(PKG_CONFIG_PATH=" + in_library_folders("/pkgconfig") +
                             " pkg-config --static --cflags --libs " + row.package + ")" + link);
      ASSERT_EQ(built.status, 0) << built.text;
      EXPECT_EQ(run(program).text, answer) << row.language;
      EXPECT_EQ(run("ldd " + program + " 2>/dev/null | grep vireo").text, "") << row.language << link;
    }
  }
}

// The installed documents are complete, and the examples beside them are a project.
TEST_F(Consumers, build_the_installed_examples) {
  const std::string documents = run("ls -d " + prefix_ + "/share/doc/*/examples").text;
  const std::filesystem::path examples = documents.substr(0, documents.find('\n'));
  ASSERT_TRUE(std::filesystem::exists(examples / "CMakeLists.txt")) << documents;
  for (const char* file : {"docs/library.md", "docs/validator.md", "docs/adr/0006-static-program.md",
                           "docs/reflection.schema.json", "docs/pipeline.schema.json", "CHANGELOG.md"}) {
    EXPECT_TRUE(std::filesystem::exists(examples.parent_path() / file)) << file;
  }
  const std::filesystem::path build = folder_ / "examples";
  const Said configured =
      run("cmake -G Ninja -S " + examples.string() + " -B " + build.string() + " -DCMAKE_PREFIX_PATH=" + prefix_ +
          " -DVIREO_COMMAND=" + prefix_ + "/bin/vireo -DCMAKE_CXX_COMPILER=" VIREO_CXX_COMPILER);
  ASSERT_EQ(configured.status, 0) << configured.text;
  const Said built = run("cmake --build " + build.string());
  ASSERT_EQ(built.status, 0) << built.text;
  // test/examples runs the programs; here they only exist, and compile with pkg-config.
  const bool has_pkg_config = is_installed("pkg-config");
  for (const auto& entry : std::filesystem::directory_iterator(examples)) {
    if (entry.path().extension() != ".cpp") continue;
    EXPECT_TRUE(std::filesystem::exists(build / entry.path().stem())) << entry.path();
    if (!has_pkg_config) continue;
    const Said compiled =
        run(VIREO_CXX_COMPILER " -std=c++20 -fsyntax-only " + entry.path().string() + " -I" + build.string() +
            " $(PKG_CONFIG_PATH=" + in_library_folders("/pkgconfig") + " pkg-config --cflags vireo-isa)");
    EXPECT_EQ(compiled.status, 0) << compiled.text;
  }
}

// A project that includes our sources gets the library, and its own settings are unchanged.
TEST_F(Consumers, build_the_library_from_source) {
  const std::string project = (folder_ / "takes_along").string();
  std::filesystem::create_directories(project);
  const std::string text =
      "cmake_minimum_required(VERSION 3.25)\n"
      "project(takes_along LANGUAGES CXX)\n"
      "include(FetchContent)\n"
      "FetchContent_Declare(vireo SOURCE_DIR " VIREO_SOURCE_DIR
      ")\n"
      "set(CMAKE_DISABLE_FIND_PACKAGE_pugixml ON)\n"  // SPIR-V does not need it
      "FetchContent_MakeAvailable(vireo)\n"
      "if(NOT TARGET vireo::vireo OR TARGET vireo::isa OR TARGET vireo_program OR TARGET c_test)\n"
      "  message(FATAL_ERROR \"not the library alone\")\n"
      "endif()\n"
      "foreach(name IN ITEMS CMAKE_BUILD_TYPE CMAKE_CXX_FLAGS CMAKE_CXX_COMPILER_LAUNCHER BUILD_SHARED_LIBS\n"
      "        CMAKE_CXX_STANDARD CMAKE_CXX_VISIBILITY_PRESET CMAKE_POSITION_INDEPENDENT_CODE BUILD_TESTING)\n"
      "  if(${name})\n"
      "    message(FATAL_ERROR \"${name} was set: ${${name}}\")\n"
      "  endif()\n"
      "endforeach()\n"
      "get_directory_property(options COMPILE_OPTIONS)\n"
      "if(options)\n"
      "  message(FATAL_ERROR \"options leak: ${options}\")\n"
      "endif()\n";
  std::FILE* file = std::fopen((project + "/CMakeLists.txt").c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs(text.c_str(), file);
  std::fclose(file);
  const Said configured =
      run("env -u CXXFLAGS -u CMAKE_CXX_COMPILER_LAUNCHER cmake -G Ninja -S " + project + " -B " + project + "/build");
  EXPECT_EQ(configured.status, 0) << configured.text;
  // Several files are compiled as one unit, and tests and the program are not compiled.
  const Said objects = run("ninja -C " + project + "/build -t commands all | grep -c -e '[.]o -c '");
  EXPECT_LT(std::atoi(objects.text.c_str()), 100) << objects.text;
  EXPECT_GT(std::atoi(objects.text.c_str()), 20) << objects.text;
}

// The C code of the guide is compiled and run as a part of the program above.
TEST(Guide, shows_the_code_of_the_c_program) {
  const std::string guide = run("cat " VIREO_SOURCE_DIR "/docs/library.md").text;
  const std::string program = run("cat " VIREO_SOURCE_DIR "/test/consumers/c/consumer.c").text;
  constexpr std::string_view fence = "```c\n";
  std::size_t blocks = 0;
  for (std::size_t at = guide.find(fence); at != std::string::npos; at = guide.find(fence, at)) {
    at += fence.size();
    const std::string block = guide.substr(at, guide.find("```", at) - at);
    EXPECT_NE(program.find(block), std::string::npos) << "not in the program:\n" << block;
    ++blocks;
  }
  EXPECT_GE(blocks, 1u);
}

}  // namespace
}  // namespace vireo::packages
