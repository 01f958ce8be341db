// SPDX-License-Identifier: Apache-2.0
//
// Help texts, man pages and completion scripts, generated from the rows of options.h.
#pragma once

#include <string>
#include <string_view>

#include "cli/common/options.h"

namespace vireo::cli {

std::string program_help();                         ///< `vireo`, `vireo -h`, `vireo --help`
std::string short_help(const CommandRow& command);  ///< `vireo as -h`: usage, and one line per option
std::string long_help(const CommandRow& command);   ///< `vireo as --help`: the complete help

/// A page in roff (man(7)), named vireo.1, vireo-as.1 and so on.
std::string program_man_page(std::string_view version);
std::string man_page(const CommandRow& command, std::string_view version);
/// "vireo-grammar-check", as git names its pages: a page is a file, and its name has no blanks.
std::string page_name(const CommandRow& command);

/// `shell` is bash, zsh or fish; for others the result is empty.
std::string completion_script(std::string_view shell);

/// "-o, --output=FILE", as printed in help texts and pages.
std::string spelling_of(const OptionRow& option, CommandId command);

}  // namespace vireo::cli
