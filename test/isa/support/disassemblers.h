// SPDX-License-Identifier: Apache-2.0
//
// A common interface of the decoders under test.
//
// A disassembler is a name and a function, so that a test can run a word through all of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "isa/vectors/vectors.h"

namespace vireo::isa {

/// The rules that apply where ours and Mesa's differ.
enum class Manner {
  Clean,  ///< ours
  Mesa,   ///< the behaviour of Mesa's tools
};

struct Disassembler {
  std::string name;
  std::function<std::string(std::span<const std::uint8_t>, const Request&)> run;
};

/// The naive decoder and the interpreter. Throws if the description cannot be loaded.
std::vector<Disassembler> disassemblers_of(const std::filesystem::path& description, Manner manner);

/// Also generated code in C++ and in C, which is compiled if necessary.
std::vector<Disassembler> all_disassemblers_of(const std::filesystem::path& description, Manner manner);

/// Only the naive decoder.
Disassembler naive_disassembler(const std::filesystem::path& description, Manner manner);

/// The first line in which two texts differ, from both texts.
std::string difference(const std::string& wanted, const std::string& got);

}  // namespace vireo::isa
