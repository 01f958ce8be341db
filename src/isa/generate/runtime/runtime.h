// SPDX-License-Identifier: Apache-2.0
//
// What stands in every generated program: the face it shows its users, numbers as text, faults, the loop over a program.
//
// The one idea: these are texts, written in what C11 and C++17 have in common. `@` is the prefix of all names (writer.h);
// `$` stands behind the members of the options: nothing in C, where the caller clears the struct, and ` = {}` in C++.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vireo::isa::generate {

std::string_view interface_text();                     ///< types and functions for callers
std::string_view cpp_interface_text();                 ///< what C++ adds to them
std::string_view word_text(std::uint32_t word_count);  ///< a word, as functions hand it on
std::string_view bits_text();                          ///< bits of a word
std::string_view arithmetic_text();                    ///< what expressions are made of
std::string_view fault_interface_text();               ///< what can be wrong with values, for callers
std::string_view encoding_text();                      ///< bits with claims on them
std::string_view tree_type_text();                     ///< tables that leaves are found with
std::string_view tree_text();                          ///< finding one
std::string_view type_text();                          ///< state
std::string_view number_text();                        ///< numbers → text
std::string small_numbers_text();                      ///< the table of those below 256
std::string_view float_text();                         ///< IEEE half and single → text, exactly
std::string_view wide_text();                          ///< numbers of more than 64 bits → text
std::string_view fault_text();                         ///< what is odd about a word → messages
std::string_view shown_text();                         ///< what the functions of displays call
std::string_view program_text();                       ///< choosing an instruction's leaf, one word, a whole program

}  // namespace vireo::isa::generate
