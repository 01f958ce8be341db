// SPDX-License-Identifier: Apache-2.0
//
// The validator's work grows at most linearly with the module: counted, never timed.
//
// Valgrind counts the executed instructions for inputs of size n and 4n. Without the startup cost, linear
// work gives a ratio of four, quadratic work a ratio of sixteen. Without valgrind the test is skipped. spirv_test
// validates the same shapes at sizes where quadratic work would not finish.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "command.h"
#include "outside.h"
#include "spirv/validate/growth/shapes.h"

namespace vireo::system_test {
namespace {

namespace fs = std::filesystem;

// A sanitizer and valgrind both need control of the address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

// The number of instructions executed for a text. Empty if valgrind is missing or prints no count.
std::optional<double> work_of(const fs::path& program, const fs::path& folder, const std::string& text,
                              const std::string& environment) {
  const fs::path path = folder / "shape.spvasm";
  std::ofstream(path) << text;
  const std::string module = path.string() + ".spv";
  EXPECT_EQ(run(program.string() + " as --target-env " + environment + " " + path.string() + " -o " + module).status,
            0);
  // Shapes exceed the usual limits and are libraries, which Vulkan does not support.
  const std::string limits =
      " --max-control-flow-nesting-depth 1000000 --max-struct-depth 1000000 --max-switch-branches 1000000 "
      "--max-execution-modes 1000000 --rule environment-capability=off ";
  const Said said = run("valgrind --tool=callgrind --callgrind-out-file=/dev/null " + program.string() +
                        " val -j 1 --format=short --target-env " + environment + limits + module);
  EXPECT_EQ(said.status, 0) << said.text;
  constexpr std::string_view label = "Collected : ";
  const std::size_t at = said.text.find(label);
  if (at == std::string::npos) return std::nullopt;
  return std::atof(said.text.c_str() + at + label.size());
}

TEST(ValidatorGrowth, is_linear_on_every_shape) {
  const fs::path program = fs::path(VIREO_BINARY_DIR) / "bin" / "vireo";
  if (is_sanitized) GTEST_SKIP() << "valgrind does not run programs built with a sanitizer";
  if (!fs::exists(program)) GTEST_SKIP() << "no " << program;
  if (!is_installed("valgrind")) GTEST_SKIP() << "valgrind is not installed";
  const fs::path folder = fs::temp_directory_path() / ("vireo_growth_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::optional<double> start = work_of(program, folder, spirv::test::shapes::additions(1), "spv1.6");
  ASSERT_TRUE(start);
  for (const spirv::test::Shape& shape : spirv::test::all_shapes) {
    if (shape.large < 100) continue;  // tests only exponential growth, so it only has to terminate
    if (shape.is_stopped) continue;   // the work budget bounds it; spirv_test checks that it stops
    constexpr std::size_t small = 500;
    const std::string environment = shape.is_of_old_vulkan ? "vulkan1.0" : "spv1.6";
    const std::optional<double> once = work_of(program, folder, shape.make(small), environment);
    const std::optional<double> fourfold = work_of(program, folder, shape.make(4 * small), environment);
    ASSERT_TRUE(once && fourfold) << shape.name;
    // Sorting and searching may add a logarithmic factor.
    EXPECT_LE((*fourfold - *start) / (*once - *start), 5.2) << shape.name;
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace vireo::system_test
