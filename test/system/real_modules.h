// SPDX-License-Identifier: Apache-2.0
//
// A question that is put to every real module.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "outside.h"
#include "system/corpus.h"
#include "vireo/spirv/module.h"

namespace vireo::system_test {

/// What `check` says of each real module; empty: nothing is wrong. Skips the test where there are none.
template <typename Check>
void check_real_modules(Check check) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::filesystem::path archive = *shared / "modules" / "real.tar.xz";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "no " << archive;
  const UnpackedArchive unpacked(archive);
  ASSERT_TRUE(unpacked.is_good()) << "tar could not unpack " << archive;
  const std::vector<std::string> modules = unpacked.modules();
  const std::vector<std::string> failures = failures_of(modules.size(), [&](std::size_t i) {
    const spirv::WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(modules[i])));
    const std::string fault = check(spirv::Module::read(words));
    return fault.empty() ? std::string{} : modules[i] + ": " + fault;
  });
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  EXPECT_GE(modules.size(), 2370u);
}

}  // namespace vireo::system_test
