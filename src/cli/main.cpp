// SPDX-License-Identifier: Apache-2.0
//
// The main function. Passes the arguments and the three standard descriptors to run().
#include <string_view>
#include <vector>

#include "cli/common/run.h"

int main(int count, char** values) {
  const std::vector<std::string_view> arguments(values, values + count);
  return vireo::cli::run(arguments, {.in = 0, .out = 1, .err = 2});
}
