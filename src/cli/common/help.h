// SPDX-License-Identifier: Apache-2.0
//
// What the rows of options.h look like as prose and as code for other programs: help texts, man pages, completions.
#pragma once

#include <string>
#include <string_view>

#include "cli/common/options.h"

namespace vireo::cli {

std::string program_help();                         ///< `vireo`, `vireo -h`, `vireo --help`
std::string short_help(const CommandRow& command);  ///< `vireo as -h`: usage and a line an option
std::string long_help(const CommandRow& command);   ///< `vireo as --help`: everything that is known

/// A page in roff (man(7)). Named vireo.1, or vireo-as.1 and so on.
std::string program_man_page(std::string_view version);
std::string man_page(const CommandRow& command, std::string_view version);
/// "vireo-grammar-check", as git has it: a page is a file, and its name has no blanks.
std::string page_name(const CommandRow& command);

/// `shell` is bash, zsh or fish; anything else gives an empty text.
std::string completion_script(std::string_view shell);

/// "-o, --output=FILE", as help texts and pages write it.
std::string spelling_of(const OptionRow& option, CommandId command);

}  // namespace vireo::cli
