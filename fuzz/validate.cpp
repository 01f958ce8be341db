// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: validates any words. The validator must terminate, and its result must agree with its diagnostics.
//
// The one idea: a custom mutator changes the meaning of instructions, not bits (test/spirv/mutations.h). One seed in
// four, and any input that is not a module, still gets byte mutations, because meaningless bytes must be handled too.
// The last byte selects the environment.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "spirv/mutations.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/validate.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace vireo;
using namespace vireo::spirv;

WordBuffer words_of(const std::uint8_t* data, std::size_t size) {
  WordBuffer words(size / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(Word));
  return words;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  WordBuffer words = words_of(data, size);
  Diagnostics diagnostics;
  if (seed % 4 == 0 || words.size() <= header_word_count || words[0] != magic_number) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  Mutations mutations(seed);
  words = mutations.apply(words);
  for (unsigned more = seed / 4 % 4; more != 0; --more) words = mutations.apply(words);
  const std::size_t bytes = words.size() * sizeof(Word);
  if (bytes + 1 > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, words.data(), bytes);
  data[bytes] = static_cast<std::uint8_t>(seed >> 8);
  return bytes + 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const WordBuffer words = words_of(data, size);
  ValidateOptions options;
  options.environment = environments()[data[size - 1] % environments().size()];
  Diagnostics diagnostics(200);
  const bool is_valid = validate(words, options, diagnostics);
  if (is_valid == diagnostics.has_errors()) std::abort();
  return 0;
}
