// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: specialization of any words with any values, and values from any JSON. A module that was valid must stay
// valid, or the values must be refused with an error. The last 32 bytes are the values.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/validate/validate.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

constexpr std::size_t value_count = 4;
using Values = std::array<std::uint64_t, value_count>;

// Each constant gets one of the values, cut to its width, or none.
std::vector<Specialization> values_of(const Specializer& specializer, const Values& values) {
  std::vector<Specialization> result;
  std::size_t number = 0;
  for (const SpecConstant& constant : specializer.constants()) {
    const std::uint64_t value = values[number++ % value_count];
    if (value % 5 == 4) continue;
    const std::uint64_t mask = constant.width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << constant.width) - 1;
    result.push_back({constant.spec_id, value & mask});
  }
  return result;
}

void check(Words words, const Specializer& specializer, SpecializerMemory& memory,
           const std::vector<Specialization>& values, const SpecializeOptions& options) {
  Diagnostics diagnostics;
  WordBuffer result = {0}, again;
  if (specializer.specialize(values, options, memory, result, diagnostics)) {
    if (!diagnostics.has_errors() || result != WordBuffer{0}) std::abort();
    return;
  }
  if (diagnostics.has_errors()) std::abort();
  if (specializer.specialize(values, options, memory, again, diagnostics) || again != result) std::abort();
  Diagnostics before, after;
  if (validate(words, {}, before) && !validate(result, {}, after)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Values values = {};
  if (size < sizeof values) return 0;
  const std::size_t rest = size - sizeof values;
  std::memcpy(values.data(), data + rest, sizeof values);
  WordBuffer words(rest / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(Word));
  Diagnostics diagnostics;
  const Result<Specializer> specializer = Specializer::read(words, {}, diagnostics);
  if (specializer.ok() == diagnostics.has_errors()) std::abort();
  if (!specializer) return 0;
  const std::string_view json(reinterpret_cast<const char*>(data + rest), sizeof values);
  Diagnostics found;
  if (specializer->parse_values(json, found).ok() == found.has_errors()) std::abort();
  const std::vector<Specialization> chosen = values_of(*specializer, values);
  SpecializerMemory memory;
  for (const bool freezes : {false, true}) {
    for (const bool prunes : {false, true}) check(words, *specializer, memory, chosen, {freezes, prunes});
  }
  // Another value each time, with the same memory.
  for (std::uint64_t& value : values) value = value * 6364136223846793005u + 1;
  check(words, *specializer, memory, values_of(*specializer, values), {.freeze_rest = false, .prune = true});
  return 0;
}
