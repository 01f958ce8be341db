// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the tests of printing: assemble a module from text, and derive many corrupted modules from a valid one.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string_view>

#include "vireo/spirv/text/assemble.h"

namespace vireo::spirv {

/// The module of a text; `%42` is id 42. A text with an error fails the test.
inline WordBuffer module_of(std::string_view text, Version version = Version::none()) {
  Diagnostics diagnostics;
  AssembleOptions options;
  options.preserve_numeric_ids = true;
  options.version = version;
  const Result<WordBuffer> words = assemble({"case", text}, options, diagnostics);
  if (words) return *words;
  for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << diagnostic.message << " in\n" << text;
  return {};
}

/// Calls `visit` many times with a module in which one to four words after the header were changed. The changes are
/// small numbers (existing ids and enumerants), low halves (opcodes), and single bits and random words, as in
/// transmission errors.
template <typename DecodedInstruction>
void for_each_broken_module(const WordBuffer& whole, unsigned seed, DecodedInstruction visit) {
  constexpr int rounds = 3000;
  std::minstd_rand engine(seed);
  const auto random = [&] { return static_cast<Word>(engine()); };
  for (int round = 0; round < rounds; ++round) {
    WordBuffer broken = whole;
    for (int changes = 1 + round % 4; changes > 0; --changes) {
      Word& word = broken[header_word_count + random() % (broken.size() - header_word_count)];
      switch (random() % 4) {
        case 0: word = random() % 64; break;
        case 1: word = (word & 0xFFFF0000u) | random() % 400; break;
        case 2: word ^= 1u << random() % 32; break;
        default: word = random(); break;
      }
    }
    visit(broken, round);
  }
}

}  // namespace vireo::spirv
