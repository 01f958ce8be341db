// SPDX-License-Identifier: Apache-2.0
//
// ModulePart: some functions or entry points of a module, and what they reach.
//
//   const Result<std::vector<InstructionIndex>> roots = find_roots(module, "main", RootKind::Function, diagnostics);
//   if (roots) disassemble_part(module, *roots, {}, sink, diagnostics);
//
// An instruction reaches the definitions of its operands, a function reaches the operands of all its
// instructions, and names, decorations and execution modes belong to their targets. The part is a module of its own:
// its words are those of the reached instructions, in the order of the module.
//
// A part with an entry point is valid if the module is. A part of functions alone has no entry point; it is for readers.
//
// Source: specification 2.4 (logical layout).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"
#include "vireo/support/result.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// The instructions that a name selects.
enum class RootKind : std::uint8_t {
  Function,    ///< OpFunction
  EntryPoint,  ///< OpEntryPoint
};

/// Finds functions or entry points by a name: that of an OpName or an entry point, an id (`%12` or `12`), or the name in
/// the disassembly (`%main`). `blur` also selects the functions named `blur(vf2;`. Returns OpFunction or OpEntryPoint
/// instructions, at least one; several if they share the name. For RootKind::Function, the name of an entry point
/// selects its function; for RootKind::EntryPoint, the name of a function selects its entry points. An unknown name is
/// an error with the most similar name as a hint. Linear in the names. If the module was assembled from a text,
/// `name_of_id` returns the name of an id in this text, with its `%`, or an empty text; it replaces the disassembly.
VIREO_API Result<std::vector<InstructionIndex>> find_roots(const Module& module, std::string_view name, RootKind kind,
                                                           Diagnostics& diagnostics,
                                                           const Function<std::string(Word id)>& name_of_id = {});

/// One flag for each instruction of a module: whether the roots reach it. Roots are OpFunction or OpEntryPoint
/// instructions, or any others.
///
/// Always reached: capabilities, extensions, imports, the memory model, OpModuleProcessed, OpSourceExtension, and
/// OpSource without a file. An entry point is reached only as a root; it also reaches the constant with the built-in
/// WorkgroupSize. An instruction that cannot be decoded reaches each id that is equal to one of its words. Linear in the
/// words.
VIREO_API std::vector<bool> reachable_instructions(const Module& module, std::span<const InstructionIndex> roots);

/// A part of a module as words.
struct VIREO_API ModulePart {
  WordBuffer words;                           ///< with the header of the module
  std::vector<PartInstruction> instructions;  ///< the place of each instruction in the module
};

/// The part with these instructions (reachable_instructions()). OpGroupDecorate and OpGroupMemberDecorate keep only
/// targets that the part defines.
VIREO_API ModulePart part_of(const Module& module, const std::vector<bool>& instructions);

/// Disassembles a part with the names, offsets and locations of the whole module; see disassemble(). If the module ends
/// early because of an invalid word count, reports that too. `as_json` selects disassemble_to_json().
VIREO_API bool disassemble_part(const Module& module, std::span<const InstructionIndex> roots,
                                const DisassembleOptions& options, TextSink& sink, Diagnostics& diagnostics,
                                bool as_json = false);

}  // namespace vireo::spirv
