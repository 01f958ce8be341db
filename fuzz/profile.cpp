// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: reads any bytes as a profile, of Vireo or of a Vulkan device. The result must agree with the diagnostics.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "vireo/spirv/validate/profile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  Diagnostics diagnostics;
  const SourceText text("profile", {reinterpret_cast<const char*>(data), size});
  const Result<spirv::Profile> profile = spirv::read_profile(text, spirv::builtin_grammar(), diagnostics);
  if (profile.ok() == diagnostics.has_errors()) std::abort();
  return 0;
}
