// SPDX-License-Identifier: Apache-2.0
//
// The decoders under test, behind one face.
//
// The one idea: whoever tests a word runs it through all of them. A disassembler is a name and a function.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "isa/vectors/vectors.h"

namespace vireo::isa {

/// Whose rules count where they differ.
enum class Manner {
  Clean,  ///< ours
  Mesa,   ///< what Mesa's tools do, accidents included
};

struct Disassembler {
  std::string name;
  std::function<std::string(std::span<const std::uint8_t>, const Request&)> run;
};

/// The naive decoder and the interpreter. Throws when the description cannot be loaded.
std::vector<Disassembler> disassemblers_of(const std::filesystem::path& description, Manner manner);

/// With generated code in C++ and in C, which may have to be compiled first.
std::vector<Disassembler> all_disassemblers_of(const std::filesystem::path& description, Manner manner);

/// The first alone.
Disassembler naive_disassembler(const std::filesystem::path& description, Manner manner);

/// The first line in which two texts differ, as it stands in either.
std::string difference(const std::string& wanted, const std::string& got);

}  // namespace vireo::isa
