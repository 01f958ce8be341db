// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: comparison of any two modules. The first words of the input are the lengths of the modules and the
// options. A module equals itself; the reverse comparison has the same verdict; a difference has a text.
#include "vireo/spirv/inspect/diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  using namespace vireo::spirv;
  WordBuffer words(size / sizeof(Word));
  if (words.size() < 2) return 0;
  std::memcpy(words.data(), data, words.size() * sizeof(Word));
  const Words modules = Words(words).subspan(2);
  const std::size_t split = std::min<std::size_t>(words[0], modules.size());
  const Words before = modules.first(split), after = modules.subspan(split);
  DiffOptions options;
  options.ignore_debug = (words[1] & 1) != 0;
  options.ignore_set_binding = (words[1] & 2) != 0;
  options.ignore_location = (words[1] & 4) != 0;
  DiffTextOptions text_options;
  text_options.context = words[1] >> 3 & 7;
  Diagnostics diagnostics;
  const Result<ModuleDiff> same = ModuleDiff::compare(before, before, options, diagnostics);
  if (same && !same->is_equal()) std::abort();
  const Result<ModuleDiff> diff = ModuleDiff::compare(before, after, options, diagnostics);
  if (!diff) return 0;
  const Result<ModuleDiff> reverse = ModuleDiff::compare(after, before, options, diagnostics);
  if (!reverse || reverse->is_equal() != diff->is_equal()) std::abort();
  StringSink text, json;
  if (!write_diff_text(*diff, text_options, text) || !write_diff_json(*diff, text_options, json)) std::abort();
  if (text.text().empty() != diff->is_equal()) std::abort();
  return 0;
}
