// SPDX-License-Identifier: Apache-2.0
//
// What vireo_bench can show, one function each. Each prints its table and returns an exit status: 1 after a wrong answer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus.h"

namespace vireo::bench {

int run_in_process(int argc, char** argv, SubjectChoice choice);

/// Bytes that a module and its facts hold, beside those of its words.
int run_memory(SubjectChoice choice);

/// Time per instruction while a module doubles and doubles again: it must not grow.
int run_growth(SubjectChoice choice);

/// Instructions a second made by the builder, and copied by an edit.
int run_building();

/// Instructions per byte, counted by valgrind: the one figure that a busy machine does not change.
int run_callgrind(const char* self);

/// Instruction sets from their XML: instructions per second, and the time to load the largest.
int run_instruction_sets();

/// `ir3-600` and so on; none where the descriptions are absent.
std::vector<std::string> instruction_set_names();

/// Prints the recorded words of one, `times` times. Returns how many instructions one time has; 0 for an unknown name.
std::size_t run_instruction_set_once(std::string_view name, std::size_t times);

/// The same sets from text to words: lines per second.
int run_assembling();

/// Assembles the recorded lines of one, or with `-changed` behind its name changed ones, over and over. Returns how many
/// lines one time has; 0 for an unknown name.
std::size_t run_assembling_once(std::string_view name, std::size_t times);

/// The work that run_callgrind has counted: one operation, `times` times.
int run_once(std::string_view operation, std::string_view times);

}  // namespace vireo::bench
