// SPDX-License-Identifier: Apache-2.0
//
// Modules that real compilers made, through text and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "outside.h"
#include "system/corpus.h"
#include "system/round_trip.h"

namespace vireo::system_test {
namespace {

TEST(Corpus, every_real_module_survives_text) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const std::filesystem::path archive = *shared / "modules" / "real.tar.xz";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "no " << archive;
  const UnpackedArchive unpacked(archive);
  ASSERT_TRUE(unpacked.is_good()) << "tar could not unpack " << archive;

  const std::vector<std::string> modules = unpacked.modules();
  const std::vector<std::string> failures = failures_of(modules.size(), [&](std::size_t i) {
    const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(modules[i])));
    const std::string fault = round_trip_fault(words, {.twice = true});
    return fault.empty() ? std::string{} : modules[i] + ": " + fault;
  });
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  EXPECT_GE(modules.size(), 2370u);
  std::cout << "             " << modules.size() - failures.size() << " of " << modules.size()
            << " modules went through raw and friendly text and back\n";
}

TEST(Corpus, the_shader_of_the_repository_survives_text) {
  const std::string text = bytes_of_file(outside::source_folder() / "data" / "spirv" / "mandelbrot.comp.spvasm");
  ASSERT_FALSE(text.empty());
  Diagnostics diagnostics;
  const Result<WordBuffer> words = spirv::assemble({"mandelbrot", text}, {}, diagnostics);
  ASSERT_TRUE(words);
  EXPECT_EQ(round_trip_fault(*words, {.twice = true}), "");
}

}  // namespace
}  // namespace vireo::system_test
