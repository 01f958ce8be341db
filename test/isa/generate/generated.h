// SPDX-License-Identifier: Apache-2.0
//
// Generated programs as disassemblers.
//
// The one idea: those of the teaching instruction sets are made when the tests are built, and linked. Any other description
// is generated, compiled with the compiler of this build and loaded when a test asks for it; a source that was
// compiled before is not compiled again.
#pragma once

#include <filesystem>
#include <vector>

#include "isa/generate/generated_face.h"
#include "isa/support/disassemblers.h"

namespace vireo::isa {

/// The programs that were linked.
std::vector<const generated_program*> built_programs();

/// The generated programs for a description, in C++ and in C. Throws when one cannot be made.
std::vector<const generated_program*> generated_programs(const std::filesystem::path& description, Manner manner);

/// A program as a disassembler.
Disassembler generated_disassembler(const generated_program& program);

}  // namespace vireo::isa
