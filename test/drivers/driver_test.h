// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests on drivers: our modules and a device.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "command.h"
#include "drivers/vulkan_device.h"
#include "outside.h"
#include "vireo/spirv/text/assemble.h"

namespace vireo::drivers {

/// Whether a missing driver or program is a failure instead of a skip. `./dev test drivers` has installed them.
inline bool must_be_there() { return std::getenv("VIREO_REQUIRE_DRIVERS") != nullptr; }

// Leaves the test, as failed or as skipped. A macro, because only the test function itself can return.
#define VIREO_ABSENT(what)                                         \
  do {                                                             \
    if (must_be_there()) GTEST_FAIL() << (what);                   \
    GTEST_SKIP() << (what) << " (./dev test drivers installs it)"; \
  } while (false)

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder that is removed when the test ends.
class Drivers : public testing::Test {
 protected:
  Drivers() : folder_(std::filesystem::path(testing::TempDir()) / ("vireo_drivers_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Drivers() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// The path of a module that the example of the builder writes: shader, kernel, vertex, fragment.
  [[nodiscard]] std::filesystem::path built_file(const std::string& what) const {
    std::filesystem::path path = folder_ / (what + ".spv");
    const Said said = run(VIREO_BINARY_DIR "/examples/build_compute_kernel " + what + " " + path.string());
    EXPECT_EQ(said.status, 0) << said.text;
    return path;
  }
  [[nodiscard]] spirv::WordBuffer built(const std::string& what) const {
    const std::string bytes = text_of(built_file(what));
    spirv::WordBuffer words(bytes.size() / sizeof(spirv::Word));
    bytes.copy(reinterpret_cast<char*>(words.data()), words.size() * sizeof(spirv::Word));
    return words;
  }
  /// Assembles a text of the repository.
  static spirv::WordBuffer assembled(const std::string& path) {
    const std::string text = text_of(outside::source_folder() / path);
    Diagnostics diagnostics;
    Result<spirv::WordBuffer> words = spirv::assemble({path, text}, {}, diagnostics);
    EXPECT_TRUE(bool(words)) << path;
    return words ? std::move(*words) : spirv::WordBuffer();
  }

  const std::filesystem::path folder_;
};

/// With a device, which all tests of the program share.
class OnDevice : public Drivers {
 protected:
  void SetUp() override {
    if (device() == nullptr) VIREO_ABSENT(absent_);
  }
  void TearDown() override {
    if (device() == nullptr) return;
    EXPECT_EQ(device()->take_messages(), "") << "messages of the validation layer";
  }
  static Device* device() {
    static const std::unique_ptr<Device> device = Device::open(absent_);
    return device.get();
  }
  inline static std::string absent_;
};

}  // namespace vireo::drivers
