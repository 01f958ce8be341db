// SPDX-License-Identifier: Apache-2.0
//
// The tables of vireo_bench, one function each. Each prints its table and returns an exit status: 1 after a wrong
// answer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus.h"

namespace vireo::bench {

int run_in_process(int argc, char** argv, SubjectChoice choice);

/// Bytes that a module and its facts use, excluding its words.
int run_memory(SubjectChoice choice);

/// Time per instruction when the module's size doubles twice: it must not grow.
int run_growth(SubjectChoice choice);

/// Instructions per second: created by the builder, and copied by an edit.
int run_building();

/// Instructions per byte, counted by valgrind, which other load on the machine does not affect.
int run_callgrind(const char* self);

/// Instruction sets from their XML: instructions per second, and the time to load the largest.
int run_instruction_sets();

/// `ir3-600` and so on; empty if the descriptions are absent.
std::vector<std::string> instruction_set_names();

/// Disassembles the recorded words of one set, `times` times. Returns the number of instructions of one repetition; 0
/// for an unknown name.
std::size_t run_instruction_set_once(std::string_view name, std::size_t times);

/// Assembly of the same sets: lines per second.
int run_assembling();

/// Assembles the recorded lines of one set, `times` times; the suffix `-changed` of the name selects changed lines.
/// Returns the number of lines of one repetition; 0 for an unknown name.
std::size_t run_assembling_once(std::string_view name, std::size_t times);

/// Specialization of shaders, the first time and again.
int run_specializing();
/// Executions of a shader, with and without checks.
int run_running();
int run_linking();

/// Reflection of real shaders, through the C interface and that of SPIRV-Cross.
int run_reflecting();

/// The operation that run_callgrind counts, `times` times.
int run_once(std::string_view operation, std::string_view times);

}  // namespace vireo::bench
