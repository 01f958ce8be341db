// SPDX-License-Identifier: Apache-2.0
//
// Generated programs as disassemblers.
//
// The programs of the teaching instruction sets are generated when the tests are built, and linked. Other
// descriptions are generated, compiled with the compiler of this build and loaded when a test needs them; a source that
// has been compiled before is not compiled again.
#pragma once

#include <filesystem>
#include <vector>

#include "isa/generate/generated_face.h"
#include "isa/support/disassemblers.h"

namespace vireo::isa {

/// The linked programs.
std::vector<const generated_program*> built_programs();

/// The generated programs of a description, in C++ and in C. Throws if one cannot be generated.
std::vector<const generated_program*> generated_programs(const std::filesystem::path& description, Manner manner);

/// A disassembler that calls a program.
Disassembler generated_disassembler(const generated_program& program);

}  // namespace vireo::isa
