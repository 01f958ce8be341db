// SPDX-License-Identifier: Apache-2.0
//
// Executes a text with buffers of 32-bit words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/run.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv::test {

/// A buffer of set 0. Without words, its descriptor has those of the first buffer.
struct RunBuffer {
  Word binding = 0;
  std::vector<Word> words;
};

struct RunOutcome {
  bool is_run = false;  ///< whether the dispatch began
  DispatchReport report;
  std::vector<std::string> rules;  ///< of all findings and errors
  std::vector<std::string> texts;  ///< their messages and notes
  std::vector<RunBuffer> buffers;  ///< afterwards
  std::vector<std::string> lines;  ///< printed
};

struct RunSetup {
  RunOptions options;
  std::array<Word, 3> groups = {1, 1, 1};
  std::vector<RunBuffer> buffers;
  std::vector<Word> push;
};

/// The header of a compute shader `%main` with a buffer %data of u32 at binding 0, and common declarations. `declarations`
/// follow those; `body` is the code of %main without its label and its OpReturn.
std::string shader(std::string_view declarations, std::string_view body, std::string_view local_size = "1 1 1");

/// Assembles and executes a text. A wrong text fails the test.
RunOutcome run_text(std::string_view text, const RunSetup& setup);

/// The words of the first buffer after an execution of a shader with one buffer.
std::vector<Word> words_after(std::string_view text, std::vector<Word> before, std::array<Word, 3> groups = {1, 1, 1});

}  // namespace vireo::spirv::test
