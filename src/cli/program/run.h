// SPDX-License-Identifier: Apache-2.0
//
// run(): the whole program as a function. main() and the tests call it.
#pragma once

#include <span>
#include <string_view>

#include "cli/common/command.h"

namespace vireo::cli {

/// `arguments` begins with the program's name, as in argv. Returns the exit status.
int run(std::span<const std::string_view> arguments, const Streams& streams);

}  // namespace vireo::cli
