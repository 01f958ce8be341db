// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: pictures of any words, in full and within small limits. The text must be the same again, and have the
// syntax of DOT.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "spirv/inspect/dot_syntax.h"
#include "vireo/spirv/inspect/dot.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  using namespace vireo::spirv;
  WordBuffer words(size / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(Word));
  DotOptions options;
  for (const bool has_limits : {false, true}) {
    options.instructions = !has_limits;
    if (has_limits) options.limits = {1, 3, 2};
    for (const auto write : {write_control_flow_graph, write_call_graph}) {
      StringSink dot, again;
      Diagnostics first, second;
      const bool is_good = write(words, options, dot, first);
      if (is_good == first.has_errors()) std::abort();
      if (write(words, options, again, second) != is_good || again.text() != dot.text()) std::abort();
      if (!test::dot_fault(dot.text()).empty()) std::abort();
    }
  }
  return 0;
}
