// SPDX-License-Identifier: Apache-2.0
//
// Remedies of findings: the hint for people and the changes of the module that carry it out.
//
// A check names the remedy once. Each function adds both forms to the last finding of the report.
// verify_fixes() later drops the fixes that would cause other findings.
//
// Source: specification 2.4 (the section of each instruction).
#pragma once

#include <string_view>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// Adds a capability, and the extension that it requires in this version, if none of its extensions is declared.
void hint_capability(const ModuleCheck& c, Capability capability);
void hint_capability(const ModuleCheck& c, std::string_view name);
/// Adds OpExtension.
void hint_extension(const ModuleCheck& c, std::string_view name);
/// Adds the capability VulkanMemoryModel and selects the memory model Vulkan: each requires the other.
void hint_vulkan_memory_model(const ModuleCheck& c);
/// Adds OpDecorate; with a member, OpMemberDecorate.
void hint_decoration(const ModuleCheck& c, Decoration decoration, Word target, Word member = no_member);
/// Adds the instruction of a decoration with one number, such as ArrayStride. Adds no hint.
void fix_decoration(const ModuleCheck& c, Decoration decoration, Word number, Word target, Word member = no_member);
/// Adds OpExecutionMode for a mode without operands. If the entry point has a mode that excludes this one, adds only a
/// hint.
void hint_execution_mode(const ModuleCheck& c, ExecutionMode mode, Word function);
/// Appends a variable to the interface of an entry point.
void hint_interface(const ModuleCheck& c, InstructionIndex entry_point, Word variable);

/// Names the option of a limit that the module exceeds. Has no fix.
void hint_limit(const ModuleCheck& c, Word Limits::*limit);

/// Replaces one word of an instruction, such as a mask, or of the header. Adds no hint.
void fix_word(const ModuleCheck& c, Place place, Word value);
/// Removes an instruction if its words equal those of an earlier one. Adds no hint.
void fix_duplicate(const ModuleCheck& c, InstructionIndex first, InstructionIndex second);
/// Removes an instruction. Adds no hint.
void fix_by_removal(const ModuleCheck& c, InstructionIndex instruction);
/// Removes one word of an instruction: an id in a list. Adds no hint.
void fix_by_removal_of_word(const ModuleCheck& c, Place place);

}  // namespace vireo::spirv
