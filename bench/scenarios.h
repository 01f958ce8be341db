// SPDX-License-Identifier: Apache-2.0
//
// What vireo_bench can show, one function each. Each prints its table and returns an exit status: 1 after a wrong answer.
#pragma once

#include <string_view>

#include "corpus.h"

namespace vireo::bench {

int run_in_process(int argc, char** argv, SubjectChoice choice);

/// Time per instruction while a module doubles and doubles again: it must not grow.
int run_growth(SubjectChoice choice);

/// Instructions per byte, counted by valgrind: the one figure that a busy machine does not change.
int run_callgrind(const char* self);

/// The work that run_callgrind has counted: one operation, `times` times.
int run_once(std::string_view operation, std::string_view times);

}  // namespace vireo::bench
