// SPDX-License-Identifier: Apache-2.0
//
// Runs the program in process, with its own folder for files and memory files as the three standard descriptors.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cli/program/run.h"

namespace vireo::cli {

struct Ran {
  int status = -1;
  std::string out;
  std::string err;
};

/// A memory file with a descriptor.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes = {}) : descriptor_(::memfd_create("test", 0)) {
    if (::write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
    ::lseek(descriptor_, 0, SEEK_SET);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string bytes() const {
    std::string all(static_cast<std::size_t>(::lseek(descriptor_, 0, SEEK_END)), '\0');
    if (::pread(descriptor_, all.data(), all.size(), 0) != static_cast<ssize_t>(all.size())) std::abort();
    return all;
  }

 private:
  int descriptor_;
};

/// Runs the program with arguments; the first is the name of the program.
inline Ran call(const std::vector<std::string>& arguments, std::string_view input = {}) {
  const std::vector<std::string_view> views(arguments.begin(), arguments.end());
  const MemoryFile in(input), out, err;
  Ran ran;
  ran.status = run(views, {.in = in.descriptor(), .out = out.descriptor(), .err = err.descriptor()});
  ran.out = out.bytes();
  ran.err = err.bytes();
  return ran;
}

/// A test with its own folder, which is the working directory while it runs, and without colour settings from the
/// environment.
class InFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "vireo-cli-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
    ::unsetenv("NO_COLOR");
    ::unsetenv("CLICOLOR_FORCE");
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  static void put(const std::filesystem::path& name, std::string_view bytes) {
    if (name.has_parent_path()) std::filesystem::create_directories(name.parent_path());
    std::ofstream(name, std::ios::binary) << bytes;
  }
  static std::string get(const std::filesystem::path& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static bool exists(const std::filesystem::path& name) { return std::filesystem::exists(name); }

 private:
  std::filesystem::path folder_;
  std::filesystem::path before_;
};

}  // namespace vireo::cli
