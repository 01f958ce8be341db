// SPDX-License-Identifier: Apache-2.0
//
// The parts of every generated program: the public interface, number formatting, faults, the loop over a program.
//
// The parts are texts in the common subset of C11 and C++17. `@` is the prefix of all names (writer.h).
// `$` is the initialiser of each member of the options: ` = {}` in C++, and empty in C, where the caller clears the
// struct.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vireo::isa::generate {

std::string_view interface_text();                     ///< types and functions for callers
std::string_view cpp_interface_text();                 ///< additional templates for C++
std::string_view word_text(std::uint32_t word_count);  ///< the type of a word as a parameter
std::string_view bits_text();                          ///< access to bits of a word
std::string_view arithmetic_text();                    ///< operators of expressions
std::string_view fault_interface_text();               ///< public types of faults in values
std::string_view encoding_text();                      ///< setting bits, with conflict detection
std::string_view tree_type_text();                     ///< tables of a decision tree
std::string_view tree_text();                          ///< search in a decision tree
std::string_view type_text();                          ///< the state of a disassembler
std::string_view number_text();                        ///< numbers → text
std::string small_numbers_text();                      ///< the table of numbers below 256
std::string_view float_text();                         ///< IEEE half and single → text, exactly
std::string_view wide_text();                          ///< numbers of more than 64 bits → text
std::string_view fault_text();                         ///< messages for faults of a word
std::string_view shown_text();                         ///< functions for displays
std::string_view program_text();                       ///< selecting a leaf, printing one word, printing a program

}  // namespace vireo::isa::generate
