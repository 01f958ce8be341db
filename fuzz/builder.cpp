// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: the door for calls. Bytes choose what is called with what; nothing may crash, and what is built is laid out.
//
// The one idea: the first byte says whether calls respect what is open. Careful ones show that whatever the builder
// makes reads back without a misfit; careless ones, that misuse ends in a diagnostic.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "spirv/build/random_calls.h"
#include "vireo/spirv/edit.h"
#include "vireo/spirv/module.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  using namespace vireo::spirv;
  if (size == 0) return 0;
  Diagnostics diagnostics(50);
  Builder b(diagnostics, {.merge_aggregates = (data[0] & 2) != 0});
  RandomCalls calls(b, std::span(data + 1, size - 1));
  calls.is_careful = (data[0] & 1) == 0;
  calls.run();
  if (calls.is_careful) calls.finish();
  if ((data[0] & 4) != 0) b.add_requirements();
  const Result<WordBuffer> words = b.build();
  if (bool(words) == diagnostics.has_errors()) std::abort();
  if (!words) return 0;

  const Module module = Module::read(*words);
  if (!module.misfits().empty()) std::abort();
  // What was built can be edited: without its names it is as well laid out.
  Edit edit(module);
  edit.remove(module.section(Section::Names));
  if (!edit.apply(diagnostics)) std::abort();
  if (!compact_ids(*words, diagnostics)) std::abort();
  return 0;
}
