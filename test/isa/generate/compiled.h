// SPDX-License-Identifier: Apache-2.0
//
// Source code that a test has made, as a function to call.
//
// The one idea: it is compiled with the compiler of this build into a shared object, and loaded. A source that was compiled
// before is not compiled again, so the second run of the tests is as fast as if it had been linked.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vireo::isa {

struct SourceCode {
  std::string stem;    ///< of the files, in the build's folder of generated programs
  std::string text;    ///< includes may start at test/
  bool is_cpp = true;  ///< else C
  std::string_view standard = "-std=c++20";
  std::string_view flags = "-O1 -Wall -Wextra -Werror";
};

/// The flags under which what is made for encoding has to be silent.
inline constexpr std::string_view strict_flags = "-O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";

inline constexpr std::string_view quick_flags = "-O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";

/// Where sources and objects lie.
std::filesystem::path compiled_folder();

/// The symbol of what was compiled. It stays loaded. Throws what the compiler's command was when it fails.
const void* compiled_symbol(const SourceCode& code, std::string_view symbol);

/// The text of a file.
std::string text_of(const std::filesystem::path& path);

}  // namespace vireo::isa
