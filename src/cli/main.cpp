// SPDX-License-Identifier: Apache-2.0
//
// The main function. Passes the arguments and the three standard descriptors to run().
#include <cstdlib>
#include <string_view>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/program/run.h"

int main(int count, char** values) {
#ifdef __GLIBC__
  // By default each large buffer is new memory, which the kernel must clear. Reusing freed memory instead makes the
  // transforms of a large module a third faster.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  const std::vector<std::string_view> arguments(values, values + count);
  return vireo::cli::run(arguments, {.in = 0, .out = 1, .err = 2});
}
