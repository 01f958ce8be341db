// SPDX-License-Identifier: Apache-2.0
//
// Help texts, man pages and completion scripts, generated from the descriptors (option.h, command.h).
#pragma once

#include <string>
#include <string_view>

#include "cli/common/command.h"

namespace vireo::cli {

std::string program_help();                        ///< `vireo`, `vireo -h`, `vireo --help`
std::string family_help(std::string_view family);  ///< `vireo isa --help`: the commands of two words
std::string short_help(const Command& command);    ///< `vireo as -h`: usage, and one line per option
std::string long_help(const Command& command);     ///< `vireo as --help`: the complete help

/// A page in roff (man(7)), named vireo.1, vireo-as.1 and so on.
std::string program_man_page(std::string_view version);
std::string man_page(const Command& command, std::string_view version);
/// "vireo-grammar-check", as git names its pages: a page is a file, and its name has no blanks.
std::string page_name(const Command& command);

/// `shell` is bash, zsh or fish; for others the result is empty.
std::string completion_script(std::string_view shell);

/// "-o, --output=FILE", as printed in help texts and pages.
std::string spelling_of(const Option& option, const Command& command);

}  // namespace vireo::cli
