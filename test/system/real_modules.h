// SPDX-License-Identifier: Apache-2.0
//
// Runs a check on every real module.
//
// gtest skips a test by returning from a function. So one function opens the archive and then calls the body of the
// test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "outside.h"
#include "system/corpus.h"
#include "vireo/spirv/module/module.h"

namespace vireo::system_test {

/// The archive of real modules, unpacked once for all tests of the process: writing its 2,373 files takes longer than
/// most of the checks.
inline const UnpackedArchive& real_modules(const std::filesystem::path& archive) {
  static const UnpackedArchive unpacked(archive);
  return unpacked;
}

/// Calls `body` with the unpacked real modules. Skips the test if there are none.
template <typename Body>
void with_real_modules(Body body) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::filesystem::path archive = *shared / "modules" / "real.tar.xz";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "no " << archive;
  const UnpackedArchive& unpacked = real_modules(archive);
  ASSERT_TRUE(unpacked.is_good()) << "tar could not unpack " << archive;
  body(unpacked);
}

/// Runs `check` on the words of each real module; a text that is not empty is a failure. Returns the number of modules.
template <typename Check>
std::size_t check_words_of(const UnpackedArchive& unpacked, Check check) {
  const std::vector<std::string> modules = unpacked.modules();
  const std::vector<std::string> failures = failures_of(modules.size(), [&](std::size_t i) {
    const spirv::WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(modules[i])));
    const std::string fault = check(modules[i], words);
    return fault.empty() ? std::string{} : modules[i] + ": " + fault;
  });
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  EXPECT_GE(modules.size(), 2370u);
  return modules.size();
}

/// Runs `check` on each real module; a text that is not empty is a failure.
template <typename Check>
void check_real_modules(Check check) {
  with_real_modules([&](const UnpackedArchive& unpacked) {
    check_words_of(unpacked, [&](const std::string&, spirv::Words words) { return check(spirv::Module::read(words)); });
  });
}

}  // namespace vireo::system_test
