// SPDX-License-Identifier: Apache-2.0
//
// Compiles source code that a test generates, and returns a function of it.
//
// The compiler of this build compiles it into a shared object, which is loaded. A source that has been
// compiled before is not compiled again, so later runs of the tests are fast.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vireo::isa {

struct SourceCode {
  std::string stem;    ///< the name of the files, in the build's folder of generated programs
  std::string text;    ///< includes may start at test/
  bool is_cpp = true;  ///< else C
  std::string_view standard = "-std=c++20";
  std::string_view flags = "-O1 -Wall -Wextra -Werror";
};

/// The flags under which generated encoding code must compile without warnings.
inline constexpr std::string_view strict_flags = "-O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";

inline constexpr std::string_view quick_flags = "-O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";

/// The folder of sources and objects.
std::filesystem::path compiled_folder();

/// Returns a symbol of the compiled code, which stays loaded. Throws the compiler's command if it fails.
const void* compiled_symbol(const SourceCode& code, std::string_view symbol);

/// The text of a file.
std::string text_of(const std::filesystem::path& path);

}  // namespace vireo::isa
